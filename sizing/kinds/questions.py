"""A canonical request of these kinds as the core's question, in base units, with the values that Kvote fills in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sizing import available
from sizing.core.candidate import Assumption
from sizing.core.hardware import Accelerator
from sizing.core.kinds.embedding import EmbeddingTask, Encoder
from sizing.core.kinds.image import ImageTask
from sizing.core.kinds.rag_question import RagQuestion
from sizing.core.kinds.recommendation import RecommendationTask
from sizing.core.kinds.search import KindQuestion
from sizing.core.kinds.several import SeveralQuestion
from sizing.core.kinds.speech import ASR, RecognitionTask, SynthesisTask
from sizing.core.kinds.task import Task
from sizing.core.precision import StorageFormat
from sizing.core.values import Message
from sizing.core.workload import Site
from sizing.inputs import site_of, storage_format
from sizing.kinds import models
from sizing.kinds.hardware import candidates, edge_candidates, engines, small_computers
from sizing.kinds.rag import rag_question
from sizing.kinds.reader import Read, Reader, facts_of, items_per_s, model_id
from sizing.kinds.sensors import edge, tabular, vision
from sizing.kinds.several import several_question

DEFAULT_SEGMENT_S = 10.0
DEFAULT_UTTERANCE_S = 7.0
DEFAULT_RTF = 0.8
DEFAULT_FIRST_AUDIO_S = 0.5
PUBLISHED_FORMAT = {"vision": "fp16", "embedding": "fp16", "recommendation": "fp16", "tabular": "fp32", "edge": "int8"}
USUAL_FORMAT = "bf16"


@dataclass(frozen=True, slots=True, kw_only=True)
class KindAsked:
    """A question with what was assumed and what the model is."""

    core: KindQuestion | SeveralQuestion | RagQuestion
    assumptions: tuple[Assumption, ...]
    model_name: str
    facts: Mapping[str, Any]
    load_profile: tuple[float, ...]

    @property
    def site(self) -> Site:
        return self.core.site


def asked(stated: Mapping[str, Any]) -> KindAsked:
    """Turn a canonical request into a question.

    Raises SizingError where the model is unknown, where its operations are not known, or where statements
    contradict each other.
    """
    kind = stated["kind"]
    if kind == "models":
        return _several(stated)
    if kind == "rag":
        return _rag(stated)
    reader = Reader(stated)
    task, unit, facts = TASKS[kind](reader)
    weights = _weights(reader, kind)
    pinned = stated["deployment"]
    devices, site = _place(reader, kind)
    devices = (*devices, *_planned(reader, {device.slug for device in devices}))
    if pinned["accelerator"] is not None and pinned["accelerator"] not in {d.slug for d in devices}:
        available.require_accelerator(pinned["accelerator"])
    profile = tuple(stated[kind]["load_profile"] or ())
    engine = pinned["engine"]
    wanted = (engine,) if engine else tuple(stated["serving_software"] or ())
    core = KindQuestion(
        task=task,
        unit=unit,
        weights=(weights,),
        devices=devices,
        engines=engines(_software_family(task, reader, wanted), wanted, pinned["engine_version"], family=task.family),
        site=site,
        accelerator=pinned["accelerator"],
        count=pinned["count"],
        excluded_vendors=tuple(stated["procurement"]["excluded_vendors"] or ()),
        mean_share=sum(profile) / len(profile) if profile else 1.0,
        processors_first=kind == "tabular",
        small=frozenset() if kind == "edge" else small_computers(stated, devices),
    )
    return KindAsked(
        core=core,
        assumptions=tuple(reader.assumptions),
        model_name=str(facts["name"]),
        facts={
            **facts,
            "weight_bytes": round(task.weight_parameters * weights.bytes_per_value),
            "weights_format": weights.slug,
        },
        load_profile=profile,
    )


def _several(stated: Mapping[str, Any]) -> KindAsked:
    question, assumptions = several_question(stated)
    weight_bytes = round(sum(item.memory_bytes for item in question.items))
    return KindAsked(
        core=question,
        assumptions=assumptions,
        model_name="",
        facts={"name": "", "models": len(question.items), "weight_bytes": weight_bytes, "item": "inference"},
        load_profile=(),
    )


def _planned(reader: Reader, offered: set[str]) -> tuple[Accelerator, ...]:
    """The named accelerator where its kind or the market does not offer it.

    What cannot be bought yet or any more is planned with, and said so; the search judges the rest by its limits.
    """
    wanted = reader.stated["deployment"]["accelerator"]
    if wanted is None or wanted in offered:
        return ()
    market = available.current()
    reasons = [each.message for each in market.left_out if each.accelerator == wanted]
    reader.assumptions += [
        Assumption(field="deployment.accelerator", value=wanted, message=message) for message in reasons
    ]
    return tuple(device for device in (*market.accelerators, *market.unsold) if device.slug == wanted)


EDGE_ENCLOSURES = ("industrial_edge", "compact")


def _place(reader: Reader, kind: str) -> tuple[tuple[Accelerator, ...], Site]:
    """Devices to choose from, and the limits of the place.

    Tables start with one processor; at the edge the watts choose the devices.
    """
    site = site_of(reader.stated["site"])
    if kind == "tabular":
        return candidates(sockets=1), site
    limit_w = site.max_power_w
    if kind != "edge" or limit_w is None:
        return candidates(), site
    if not site.form_factors:
        chosen = ", ".join(EDGE_ENCLOSURES)
        reader.assumptions.append(
            Assumption(field="site.form_factors", value=chosen, message=Message("assumed_enclosures"))
        )
        site = replace(site, form_factors=EDGE_ENCLOSURES)
    return edge_candidates(limit_w), site


def _rag(stated: Mapping[str, Any]) -> KindAsked:
    question, language, assumptions = rag_question(stated)
    weights = language.core.weights[0]
    return KindAsked(
        core=question,
        assumptions=assumptions,
        model_name=language.features.name,
        facts={
            **facts_of(language.features.name, language.features.total_parameters, 0.0, "query"),
            "embedding_model": question.embedder.model.name,
            "reranker_model": question.ranker.model.name if question.ranker else "",
            "weight_bytes": weights.weights.total_bytes,
            "weights_format": weights.slug,
        },
        load_profile=language.core.traffic.load_profile,
    )


def _software_family(task: Task, reader: Reader, wanted: tuple[str, ...]) -> str:
    """Whose usual software counts. A batch of recordings is planned with an open pipeline, and says so."""
    if task.family != ASR:
        return task.family
    if task.random_arrivals:
        return "asr_live"
    if not wanted:
        reader.assumptions.append(
            Assumption(field="serving_software", value="onnxruntime", message=Message("assumed_open_pipeline"))
        )
    return ASR


def _weights(reader: Reader, kind: str) -> StorageFormat:
    slug = reader.stated["weights_format"]
    default = PUBLISHED_FORMAT.get(kind, USUAL_FORMAT)
    slug = reader.taken("weights_format", slug, default, f"assumed_format_{default}")
    return storage_format(slug, "/weights_format")


def _image(reader: Reader) -> Read:
    return _diffusion(reader, "image")


def _video(reader: Reader) -> Read:
    return _diffusion(reader, "video")


def _diffusion(reader: Reader, kind: str) -> Read:
    load = reader.stated[kind]
    row = models.row_of(model_id(reader), kind)
    model = models.diffusion(row)
    width, height, frames = models.reference_size(row)
    task = ImageTask(
        model=model,
        width=reader.taken(f"{kind}.width", load["width"], width, "assumed_published_size"),
        height=reader.taken(f"{kind}.height", load["height"], height, "assumed_published_size"),
        frames=reader.taken("video.frames", load["frames"], frames, "assumed_published_size") if kind == "video" else 1,
        steps=reader.taken(f"{kind}.steps", load["steps"], model.steps, "assumed_published_steps"),
        forwards_per_step=reader.taken(
            f"{kind}.forwards_per_step", load["forwards_per_step"], model.forwards_per_step, "assumed_guidance"
        ),
        demand_per_s=items_per_s(load["items_per_hour"], load["items"], load["deadline_hours"]),
        limit_p95_s=reader.limit_s("seconds_per_item"),
        random_arrivals=load["items"] is None,
    )
    unit = "image" if kind == "image" else "video"
    return task, unit, facts_of(model.name, task.weight_parameters, model.forward_flops, unit)


def _speech(reader: Reader) -> Read:
    row = models.row_of(model_id(reader), "speech")
    load = reader.stated["speech"]
    live = load["mode"] == "stream"
    audio_per_s = float(load["streams"]) if live else load["audio_hours"] / load["deadline_hours"]
    hours = 0.0 if live else float(load["audio_hours"])
    if models.speaks(row):
        voice = models.voice(row)
        first = reader.limit_s("first_audio_ms")
        if live:
            first = reader.taken("targets.first_audio_ms", first, DEFAULT_FIRST_AUDIO_S, "assumed_first_audio")
        spoken: Task = SynthesisTask(
            model=voice,
            demand_per_s=audio_per_s,
            limit_p95_s=first if live else None,
            real_time_factor=load["real_time_factor"] or DEFAULT_RTF,
            utterance_s=reader.taken(
                "speech.segment_seconds", load["segment_seconds"], DEFAULT_UTTERANCE_S, "assumed_utterance"
            ),
            streams=load["streams"] or 0,
            audio_hours=hours,
        )
        return spoken, "audio_second", facts_of(voice.name, voice.parameters, voice.flops_per_audio_s, "audio_second")
    model = models.recogniser(row)
    default = DEFAULT_SEGMENT_S if live else model.window_s
    segment = reader.taken("speech.segment_seconds", load["segment_seconds"], default, "assumed_segment")
    heard = RecognitionTask(
        model=model,
        audio_per_s=audio_per_s,
        segment_s=min(float(segment), model.window_s),
        limit_p95_s=reader.limit_s("latency_ms") if live else None,
        streams=load["streams"] or 0,
        audio_hours=hours,
    )
    reader.assumptions.append(
        Assumption(field="speech.tokens", value=round(model.tokens_per_s, 2), message=Message("assumed_speech_tokens"))
    )
    return heard, "audio_window", facts_of(model.name, model.parameters, model.encoder_flops, "audio_window")


def _embedding(reader: Reader) -> Read:
    load, stated = reader.stated["embedding"], reader.stated["model"]
    if stated["shape"]:
        shape = models.own_shape(stated["shape"], ("parameters", "flops", "tokens"))
        model = Encoder(
            name=stated["name"] or "own encoder",
            parameters=shape["parameters"],
            flops=shape["flops"],
            reference_tokens=shape["tokens"],
        )
    else:
        model = models.encoder(models.row_of(model_id(reader), "embedding"))
    per_query = load["candidates_per_query"] or 1
    demand = load["documents_per_s"] if load["documents_per_s"] is not None else load["queries_per_s"] * per_query
    tokens = reader.taken(
        "embedding.tokens_per_document", load["tokens_per_document"], model.reference_tokens, "assumed_tokens"
    )
    task = EmbeddingTask(
        model=model,
        tokens=float(tokens),
        demand_per_s=float(demand),
        limit_p95_s=reader.limit_s("latency_ms"),
        per_query=per_query if load["queries_per_s"] is not None else 1,
    )
    return task, "document", facts_of(model.name, model.parameters, task.flops, "document")


DLRM = {
    "table_parameters": 204_184_588 * 128.0,
    "dense_parameters": 1.5e7,
    "flops_per_sample": 3.206e7,
    "lookups_per_sample": 214.0,
    "embedding_dimension": 128.0,
}
"""DLRM-v2 of MLPerf: 26 tables of dimension 128, 204,184,588 rows, 214 rows read a sample. Source: its README."""


def _recommendation(reader: Reader) -> Read:
    load = reader.stated["recommendation"]
    if reader.stated["model"]["id"]:
        models.row_of(reader.stated["model"]["id"], "recommendation")
    values = {
        name: float(reader.taken(f"recommendation.{name}", load[name], default, "assumed_dlrm"))
        for name, default in DLRM.items()
    }
    task = RecommendationTask(
        table_parameters=values["table_parameters"],
        dense_parameters=values["dense_parameters"],
        dense_flops=values["flops_per_sample"],
        lookups=values["lookups_per_sample"],
        dimension=values["embedding_dimension"],
        samples_per_query=load["samples_per_query"] or 1.0,
        queries_per_s=load["queries_per_s"],
        limit_p95_s=reader.limit_s("latency_ms"),
        placement=load["placement"] or "auto",
    )
    name = reader.stated["model"]["id"] or reader.stated["model"]["name"] or "recommendation model"
    return task, "sample", facts_of(name, task.weight_parameters, task.dense_flops, "sample")


TASKS: dict[str, Callable[[Reader], Read]] = {
    "image": _image,
    "video": _video,
    "speech": _speech,
    "vision": vision,
    "embedding": _embedding,
    "recommendation": _recommendation,
    "tabular": tabular,
    "edge": edge,
}
