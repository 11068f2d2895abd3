"""A canonical request of these kinds as the core's question, in base units, with the values that Kvote fills in."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sizing import available
from sizing.core.candidate import Assumption
from sizing.core.errors import InvalidWorkload
from sizing.core.kinds.embedding import EmbeddingTask, Encoder
from sizing.core.kinds.image import ImageTask
from sizing.core.kinds.recommendation import RecommendationTask
from sizing.core.kinds.search import KindQuestion
from sizing.core.kinds.several import SeveralQuestion
from sizing.core.kinds.speech import ASR, RecognitionTask, SynthesisTask
from sizing.core.kinds.task import Task
from sizing.core.kinds.vision import Network, VisionTask
from sizing.core.precision import StorageFormat
from sizing.core.units import MS_PER_S, SECONDS_PER_HOUR
from sizing.core.values import Message
from sizing.core.workload import Site
from sizing.inputs import site_of, storage_format
from sizing.kinds import models
from sizing.kinds.hardware import candidates, engines
from sizing.kinds.several import several_question

DEFAULT_SEGMENT_S = 10.0
DEFAULT_UTTERANCE_S = 7.0
DEFAULT_RTF = 0.8
DEFAULT_MBIT = 4.0
DEFAULT_CAMERA = (1920, 1080)
DEFAULT_FIRST_AUDIO_S = 0.5
PUBLISHED_FORMAT = {"vision": "fp16", "embedding": "fp16", "recommendation": "fp16"}
USUAL_FORMAT = "bf16"
STRICTEST = ("p95", "p99", "p50", "mean")


@dataclass(frozen=True, slots=True, kw_only=True)
class KindAsked:
    """A question with what was assumed and what the model is."""

    core: KindQuestion | SeveralQuestion
    assumptions: tuple[Assumption, ...]
    model_name: str
    facts: Mapping[str, Any]
    load_profile: tuple[float, ...]

    @property
    def site(self) -> Site:
        return self.core.site


class _Reader:
    """Collects assumptions while a request is read."""

    def __init__(self, stated: Mapping[str, Any]) -> None:
        self.stated = stated
        self.assumptions: list[Assumption] = []

    def taken(self, path: str, value: Any, default: Any, code: str) -> Any:
        """`value`, or the default with its reason."""
        if value is not None:
            return value
        self.assumptions.append(Assumption(field=path, value=default, message=Message(code, {"value": default})))
        return default

    def limit_s(self, metric: str) -> float | None:
        """The stated limit of a metric in seconds; the p95 counts, else the strictest one stated."""
        limits = self.stated["targets"][metric]
        value = next((limits[name] for name in STRICTEST if limits[name] is not None), None)
        if value is None:
            return None
        return float(value) if metric == "seconds_per_item" else float(value) / MS_PER_S


def asked(stated: Mapping[str, Any]) -> KindAsked:
    """Turn a canonical request into a question.

    Raises SizingError where the model is unknown, where its operations are not known, or where statements
    contradict each other.
    """
    kind = stated["kind"]
    if kind == "models":
        return _several(stated)
    reader = _Reader(stated)
    task, unit, facts = TASKS[kind](reader)
    weights = _weights(reader, kind)
    pinned = stated["deployment"]
    if pinned["accelerator"] is not None and pinned["accelerator"] not in {d.slug for d in candidates()}:
        available.require_accelerator(pinned["accelerator"])
    profile = tuple(stated[kind]["load_profile"] or ())
    engine = pinned["engine"]
    wanted = (engine,) if engine else tuple(stated["serving_software"] or ())
    core = KindQuestion(
        task=task,
        unit=unit,
        weights=(weights,),
        devices=candidates(),
        engines=engines(_software_family(task, reader, wanted), wanted, pinned["engine_version"], family=task.family),
        site=site_of(stated["site"]),
        accelerator=pinned["accelerator"],
        count=pinned["count"],
        mean_share=sum(profile) / len(profile) if profile else 1.0,
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


def _software_family(task: Task, reader: _Reader, wanted: tuple[str, ...]) -> str:
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


def _weights(reader: _Reader, kind: str) -> StorageFormat:
    slug = reader.stated["weights_format"]
    default = PUBLISHED_FORMAT.get(kind, USUAL_FORMAT)
    slug = reader.taken("weights_format", slug, default, f"assumed_format_{default}")
    return storage_format(slug, "/weights_format")


def _facts(name: str, parameters: float, flops: float, unit: str) -> dict[str, Any]:
    return {"name": name, "parameters_total": round(parameters), "flops_per_item": flops, "item": unit}


def _image(reader: _Reader) -> tuple[Task, str, dict[str, Any]]:
    return _diffusion(reader, "image")


def _video(reader: _Reader) -> tuple[Task, str, dict[str, Any]]:
    return _diffusion(reader, "video")


def _diffusion(reader: _Reader, kind: str) -> tuple[Task, str, dict[str, Any]]:
    load = reader.stated[kind]
    row = models.row_of(_model_id(reader), kind)
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
        demand_per_s=_per_s(load["items_per_hour"], load["items"], load["deadline_hours"]),
        limit_p95_s=reader.limit_s("seconds_per_item"),
        random_arrivals=load["items"] is None,
    )
    unit = "image" if kind == "image" else "video"
    return task, unit, _facts(model.name, task.weight_parameters, model.forward_flops, unit)


def _per_s(per_hour: float | None, items: float | None, hours: float | None) -> float:
    if per_hour is not None:
        return per_hour / SECONDS_PER_HOUR
    assert items is not None and hours is not None  # noqa: S101, PT018 - the grammar asks for both
    return items / (hours * SECONDS_PER_HOUR)


def _model_id(reader: _Reader) -> str:
    model_id = reader.stated["model"]["id"]
    if not model_id:
        raise InvalidWorkload("kind_model_by_id_only", "/model")
    return str(model_id)


def _speech(reader: _Reader) -> tuple[Task, str, dict[str, Any]]:
    row = models.row_of(_model_id(reader), "speech")
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
        return spoken, "audio_second", _facts(voice.name, voice.parameters, voice.flops_per_audio_s, "audio_second")
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
    return heard, "audio_window", _facts(model.name, model.parameters, model.encoder_flops, "audio_window")


def _vision(reader: _Reader) -> tuple[Task, str, dict[str, Any]]:
    load, stated = reader.stated["vision"], reader.stated["model"]
    if stated["shape"]:
        shape = models.own_shape(stated["shape"], ("parameters", "flops", "input_pixels"))
        model = Network(
            name=stated["name"] or "own network",
            parameters=shape["parameters"],
            image_flops=shape["flops"],
            reference_pixels=shape["input_pixels"],
            layers=models.layers_of(shape["flops"]),
        )
    else:
        model = models.network(models.row_of(_model_id(reader), "vision"))
    side = round(model.reference_pixels**0.5)
    width = reader.taken("vision.width", load["width"], side, "assumed_published_size")
    height = reader.taken("vision.height", load["height"], side, "assumed_published_size")
    streams, fps = load["streams"] or 0, load["fps"] or 0.0
    camera = (0, 0)
    if streams:
        camera = (
            reader.taken("vision.camera_width", load["camera_width"], DEFAULT_CAMERA[0], "assumed_camera"),
            reader.taken("vision.camera_height", load["camera_height"], DEFAULT_CAMERA[1], "assumed_camera"),
        )
    task = VisionTask(
        model=model,
        input_pixels=float(width * height),
        demand_per_s=load["images_per_s"] or streams * fps,
        limit_p95_s=reader.limit_s("latency_ms"),
        streams=streams,
        fps=fps,
        camera_pixels=float(camera[0] * camera[1]),
        mbit_per_stream=reader.taken("vision.mbit_per_stream", load["mbit_per_stream"], DEFAULT_MBIT, "assumed_mbit")
        if streams
        else 0.0,
        powered_cameras=bool(load["powered_cameras"]),
    )
    return task, "image", _facts(model.name, model.parameters, task.flops, "image")


def _embedding(reader: _Reader) -> tuple[Task, str, dict[str, Any]]:
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
        model = models.encoder(models.row_of(_model_id(reader), "embedding"))
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
    return task, "document", _facts(model.name, model.parameters, task.flops, "document")


DLRM = {
    "table_parameters": 204_184_588 * 128.0,
    "dense_parameters": 1.5e7,
    "flops_per_sample": 3.206e7,
    "lookups_per_sample": 214.0,
    "embedding_dimension": 128.0,
}
"""DLRM-v2 of MLPerf: 26 tables of dimension 128, 204,184,588 rows, 214 rows read a sample. Source: its README."""


def _recommendation(reader: _Reader) -> tuple[Task, str, dict[str, Any]]:
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
    return task, "sample", _facts(name, task.weight_parameters, task.dense_flops, "sample")


TASKS: dict[str, Callable[[_Reader], tuple[Task, str, dict[str, Any]]]] = {
    "image": _image,
    "video": _video,
    "speech": _speech,
    "vision": _vision,
    "embedding": _embedding,
    "recommendation": _recommendation,
}
