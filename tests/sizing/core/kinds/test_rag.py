"""Retrieval before a language model: one limit for the chain, devices of their own, the index beside them."""

from dataclasses import replace

import pytest

from sizing.calibration.load import load_coefficients
from sizing.core.kinds.embedding import EmbeddingTask, Encoder
from sizing.core.kinds.rag import recommend_rag, retrieval_on
from sizing.core.kinds.rag_question import RagQuestion, Retrieval
from sizing.core.kinds.search import KindEngine
from sizing.core.kinds.vector_index import VectorIndex
from sizing.core.precision import FP16
from sizing.core.values import Message, State
from sizing.core.workload import LengthMix, Site, Traffic
from tests.sizing.core import serving
from tests.sizing.core.kinds.round import coefficients, device

ENCODER = Encoder(name="encoder", parameters=5e8, flops=3e11, reference_tokens=512)


def question(limit_s: float | None = 8.0, queries_per_s: float = 2.0) -> RagQuestion:
    traffic = Traffic(
        input_tokens=LengthMix(mean=3500), output_tokens=LengthMix(mean=250), max_context_tokens=8192,
        requests_per_s=queries_per_s,
    )  # fmt: skip
    request = serving.request(serving.LLAMA_8B)
    return RagQuestion(
        answer=replace(request, traffic=traffic, pinned=None),
        catalogue=replace(serving.catalogue(), accelerators=(serving.H100, serving.H200)),
        embedder=EmbeddingTask(model=ENCODER, tokens=32.0, demand_per_s=queries_per_s, limit_p95_s=None),
        ranker=EmbeddingTask(
            model=ENCODER, tokens=432.0, demand_per_s=queries_per_s * 50, limit_p95_s=None, per_query=50
        ),
        index=VectorIndex(passages=5e6, dimension=1024, tokens_per_passage=400),
        retrieval_weights=FP16,
        retrieval_engines=[KindEngine(slug="tensorrt", version="", support=lambda *_: serving.SUPPORTED)],
        queries_per_s=queries_per_s,
        limit_p95_s=limit_s,
        site=Site(),
    )


def test_ranking_runs_all_pairs_of_a_question_in_one_batch() -> None:
    # pair: a = 512 / (512 + 6,144) = 0.0769, 3e11 x 0.84375 x (0.9231 + 0.0769 x 0.84375) = 2.5009e11 operations;
    # 50 pairs / 5e13 = 0.2501 s, weights 1e9 / 0.8e12 = 1.25 ms
    found = retrieval_on(device(), question(), coefficients())
    assert isinstance(found, Retrieval)
    assert found.rank_s == pytest.approx(0.2501 + 0.00125, rel=1e-3)
    # question of 32 tokens: 3e11 x 0.0625 x (0.9231 + 0.0048) = 1.74e10 / 5e13 = 0.348 ms and the weights
    assert found.embed_s == pytest.approx(0.000348 + 0.00125, rel=1e-2)
    assert found.search_s == pytest.approx(0.001458, rel=1e-3)


def test_more_questions_take_more_retrieval_devices() -> None:
    # one device carries 0.8 / 0.2529 = 3.16 questions a second, nine tenths of it planned: 20 take 8
    found = retrieval_on(device(), question(queries_per_s=20.0), coefficients())
    assert isinstance(found, Retrieval)
    assert found.devices == 8


def test_retrieval_that_takes_half_of_the_limit_is_refused() -> None:
    found = retrieval_on(device(), question(limit_s=0.3), coefficients())
    assert isinstance(found, Message)
    assert found.code == "rag_retrieval_too_slow"


def test_every_option_keeps_the_one_limit_with_all_stages() -> None:
    found = recommend_rag(question(), coefficients(), load_coefficients())
    assert {o.deployment.accelerator.slug for o in found.options} == {serving.H100.slug, serving.H200.slug}
    for option in found.options:
        figures = option.performance.figures
        whole, before, answer = (figures[n].value for n in ("end_to_end_ms", "retrieval_ms", "answer_ms"))
        assert whole is not None
        assert before is not None
        assert answer is not None
        assert whole == pytest.approx(before + answer)
        assert whole <= 8000.0
        assert option.speed_verdict.state in (State.OK, State.CAUTION)
        deployment = option.deployment
        retrieval = figures["devices_retrieval"].value
        assert deployment.accelerators_total == deployment.layout.accelerators * deployment.replicas + retrieval
        assert option.demand.host_bytes == pytest.approx(21.28e9)


def test_a_tighter_limit_never_takes_fewer_devices() -> None:
    def devices(limit_s: float) -> dict[str, int]:
        found = recommend_rag(question(limit_s=limit_s), coefficients(), load_coefficients())
        return {o.deployment.accelerator.slug: o.deployment.accelerators_total for o in found.options}

    loose, tight = devices(20.0), devices(3.0)
    assert all(tight[slug] >= loose[slug] for slug in tight)
    assert set(tight) <= set(loose)


def test_a_limit_that_nothing_keeps_leaves_reasons() -> None:
    found = recommend_rag(question(limit_s=0.6), coefficients(), load_coefficients())
    assert not found.options
    assert {each.accelerator for each in found.rejected} == {serving.H100.slug, serving.H200.slug}
