"""A request for answers from documents as the core's question: language model, models before it, index."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from catalog.models import NonLlmWorkload
from sizing import available, inputs
from sizing.core.candidate import Assumption
from sizing.core.kinds.embedding import EmbeddingTask
from sizing.core.kinds.rag_question import RagQuestion
from sizing.core.kinds.vector_index import IndexPlace, VectorIndex
from sizing.core.precision import FP16
from sizing.core.units import MS_PER_S
from sizing.core.values import Message
from sizing.core.workload import Pinned
from sizing.kinds import models
from sizing.kinds.hardware import engines

DEFAULTS: Mapping[str, Any] = {
    "tokens_per_passage": 400.0,
    "query_tokens": 32.0,
    "embedding_model": "BAAI/bge-m3",
    "reranker_model": "BAAI/bge-reranker-v2-m3",
    "candidates_per_query": 50,
    "passages_in_prompt": 8,
    "instruction_tokens": 300,
    "output_tokens": 250.0,
}
"""What a request leaves open. Planning assumptions of a usual document assistant; each is listed in the answer."""

WIDTHS = {"MiniLM": 384, "bge-small": 384, "base": 768, "Embedding-4B": 2560, "Embedding-8B": 4096}
USUAL_WIDTH = 1024
"""Length of a vector by words of a model's name: hidden sizes of the published configs; large encoders have 1,024."""

NO_LIMITS = dict.fromkeys(("mean", "p50", "p95", "p99"))


def rag_question(stated: Mapping[str, Any]) -> tuple[RagQuestion, inputs.Asked, tuple[Assumption, ...]]:
    """Raises SizingError where a model is unknown or unreadable or a device is not in the catalogue."""
    load, assumptions = dict(stated["rag"]), []
    ranks = load["rerank"] is not False
    for name, default in DEFAULTS.items():
        if load[name] is None:
            load[name] = (
                min(default, load["candidates_per_query"] or default) if name == "passages_in_prompt" else default
            )
            if ranks or name not in ("reranker_model",):
                assumptions.append(_assumed(f"rag.{name}", load[name]))
    embedder_row = models.row_of(load["embedding_model"], "embedding", at="/rag/embedding_model")
    dimension = load["dimension"] or width_of(embedder_row)
    if load["dimension"] is None:
        assumptions.append(_assumed("rag.dimension", dimension))
    asked = inputs.asked(language_request(stated, load))
    pinned = stated["deployment"]
    profile = tuple(load["load_profile"] or ())
    question = RagQuestion(
        answer=replace(asked.core, pinned=_engine_only(asked.core.pinned)),
        catalogue=available.core_catalogue(
            stated["serving_software"], pinned=asked.core.pinned, engine_version=pinned["engine_version"]
        ),
        embedder=_embedder(embedder_row, load),
        ranker=_ranker(load) if ranks else None,
        index=VectorIndex(
            passages=load["passages"],
            dimension=dimension,
            tokens_per_passage=load["tokens_per_passage"],
            wanted=IndexPlace(load["index_place"] or "auto"),
        ),
        retrieval_weights=FP16,
        retrieval_engines=engines("embedding", (), family="embedding"),
        queries_per_s=load["queries_per_s"],
        limit_p95_s=_limit_s(stated["targets"]["latency_ms"]),
        site=asked.core.site,
        accelerator=pinned["accelerator"],
        count=pinned["count"],
        mean_share=sum(profile) / len(profile) if profile else 1.0,
    )
    return question, asked, (*assumptions, *asked.assumptions)


def language_request(stated: Mapping[str, Any], load: Mapping[str, Any]) -> dict[str, Any]:
    """The language model's part: instructions, question and passages go in, an answer comes out.

    Instructions are the same in every prompt, so they count as a shared prefix.
    """
    passages = load["passages_in_prompt"] * load["tokens_per_passage"]
    prompt = load["instruction_tokens"] + load["query_tokens"] + passages
    traffic = {
        "input_tokens": NO_LENGTHS | {"mean": prompt},
        "output_tokens": NO_LENGTHS | {"mean": load["output_tokens"]},
        "max_context_tokens": None,
        "concurrent_requests": None,
        "users": None,
        "active_share": None,
        "requests_per_s": load["queries_per_s"],
        "burstiness": None,
        "load_profile": load["load_profile"],
        "shared_prefix_tokens": load["instruction_tokens"],
        "prompts_per_slot": None,
    }
    targets = {"ttft_ms": NO_LIMITS, "tpot_ms": NO_LIMITS, "e2e_ms": NO_LIMITS, "output_tokens_per_s": None}
    return {**stated, "traffic": traffic, "targets": targets}


NO_LENGTHS = dict.fromkeys(("mean", "p95", "min", "max"))


def _assumed(field: str, value: Any) -> Assumption:
    return Assumption(field=field, value=value, message=Message("assumed_rag_usual", {"value": value}))


def _engine_only(pinned: Pinned | None) -> Pinned | None:
    """Device and number are pinned by the search of the whole workload, everything else stays."""
    if pinned is None:
        return None
    rest = replace(pinned, accelerator=None, count=None)
    return None if rest == Pinned() else rest


def _limit_s(limits: Mapping[str, float | None]) -> float | None:
    value = next((limits[name] for name in ("p95", "p99", "p50", "mean") if limits[name] is not None), None)
    return None if value is None else value / MS_PER_S


def width_of(row: NonLlmWorkload) -> int:
    """Length of the vectors that a text encoder makes."""
    stated = re.search(r"hidden (\d+)", f"{row.components} {row.basis}")
    if stated:
        return int(stated[1])
    return next((width for words, width in WIDTHS.items() if words in row.model_id), USUAL_WIDTH)


def _embedder(row: NonLlmWorkload, load: Mapping[str, Any]) -> EmbeddingTask:
    return EmbeddingTask(
        model=models.encoder(row),
        tokens=float(load["query_tokens"]),
        demand_per_s=load["queries_per_s"],
        limit_p95_s=None,
    )


def _ranker(load: Mapping[str, Any]) -> EmbeddingTask:
    return EmbeddingTask(
        model=models.encoder(models.row_of(load["reranker_model"], "embedding", at="/rag/reranker_model")),
        tokens=float(load["query_tokens"] + load["tokens_per_passage"]),
        demand_per_s=load["queries_per_s"] * load["candidates_per_query"],
        limit_p95_s=None,
        per_query=load["candidates_per_query"],
    )
