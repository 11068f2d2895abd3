"""The packaged measured points of the kinds besides language models, and what the model says of each."""

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.kinds.fitted import KindCoefficients
from sizing.core.kinds.image import Diffusion, ImageTask, item_s
from sizing.core.kinds.speech import Recogniser, RecognitionTask, SynthesisTask, Voice, audio_second_s, window_s
from sizing.core.kinds.work import Run, run_s, served_share
from sizing.core.precision import FP32, SHORT_NAMES, Rate, StorageFormat

DATA = Path(__file__).resolve().parent.parent / "data"
WINDOW_S = 30.0
UTTERANCE_S = 7.2  # 128 characters of English, as latency x real-time factor of the rows gives it
TF32 = StorageFormat(slug="tf32", bytes_per_value=4.0, compute=Rate.TF32)
FORMATS = {**SHORT_NAMES, "tf32": TF32, "fp32": FP32}
MAP_BYTES = 2.0  # an eager network writes every feature map and reads it again


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """One published rate per device, in items per second."""

    reference: str
    family: str
    model: str
    device: Accelerator
    format: StorageFormat
    engine: str  # "tensorrt" where compiled
    stack: str
    scenario: str
    batch: int
    items_per_s: float
    row: Mapping[str, str]

    @property
    def group(self) -> tuple[str, ...]:
        """Points that share their error: same network on the same device in the same way."""
        return (self.model, self.device.slug, self.format.slug, self.stack, self.scenario)


def rows() -> list[dict[str, str]]:
    """All rows, excluded ones too."""
    with (DATA / "measurements" / "kinds_points.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@cache
def points() -> tuple[Point, ...]:
    """Rows that say enough: device in the catalogue, model and size known, no power cap."""
    known = devices()
    return tuple(
        Point(
            reference=row["id"],
            family=row["family"],
            model=row["model"],
            device=known[row["device"]],
            format=FORMATS[row["format"]],
            engine="tensorrt" if row["stack"] in ("compiled", "flash", "plain") else "onnxruntime",
            stack=row["stack"],
            scenario=row["scenario"],
            batch=int(row["batch"] or 1),
            items_per_s=float(row["items_per_s"]) / int(row["devices"]),
            row=row,
        )
        for row in rows()
        if not row["exclude_reason"]
    )


@cache
def devices() -> dict[str, Accelerator]:
    """Devices of the points with the rates that the fit saw."""
    stored = json.loads((DATA / "measurements" / "kinds_devices.json").read_text(encoding="utf-8"))["devices"]
    return {slug: _device(slug, facts) for slug, facts in stored.items()}


def _device(slug: str, facts: Mapping[str, Any]) -> Accelerator:
    return Accelerator(
        slug=slug,
        name=slug,
        vendor=Vendor(facts["vendor"]),
        kind=DeviceKind(facts["kind"]),
        memory_bytes=facts["mem"],
        usable_memory_bytes=facts["mem"],
        bandwidth_bytes_per_s=facts["bw"],
        flops_per_s={Rate(rate): value for rate, value in facts["rates"].items()},
        compute_capability=facts["cc"],
        memory_type=facts["memtype"],
        tdp_w=facts["tdp"],
    )


@cache
def networks() -> dict[str, Any]:
    """Operations and weights of the measured networks."""
    found: dict[str, Any] = json.loads((DATA / "kinds" / "calibration_models.json").read_text(encoding="utf-8"))
    return found


def predicted(point: Point, coefficients: KindCoefficients) -> float:
    """Items per second of one device by the same functions that size a workload."""
    rate = PREDICT[point.family](point, coefficients)
    if point.scenario == "server":
        rate *= served_share(point.device, point.family, coefficients)
    return rate


def _single_run(point: Point, coefficients: KindCoefficients) -> float:
    family = "vision" if point.family == "vision_eager" else point.family
    facts = networks()[family][point.model]
    maps = facts.get("activations") or facts["flops"] * 1.3e-3
    run = Run(
        flops=facts["flops"],
        rate=point.format.compute,
        weight_bytes=facts["parameters"] * point.format.bytes_per_value,
        item_bytes=maps * MAP_BYTES * point.format.bytes_per_value if point.family == "vision_eager" else 0.0,
        launches=facts.get("layers", 1),
    )
    return _rate(run_s(run, point.device, point.family, coefficients, batch=point.batch, engine="tensorrt"), point)


def _rate(seconds: float | None, point: Point) -> float:
    if seconds is None:
        raise ValueError(f"{point.reference}: no rate for {point.device.slug}")
    return point.batch / seconds


def _diffusion(point: Point, coefficients: KindCoefficients) -> float:
    facts = networks()["diffusion"][point.model]
    model = Diffusion(
        name=point.model,
        parameters=facts["parameters"],
        active_parameters=facts.get("active_parameters", facts["parameters"]),
        auxiliary_parameters=facts["auxiliary_parameters"],
        forward_flops=facts["forward_flops"],
        reference_pixels=facts["width"] * facts["height"],
        reference_frames=facts["frames"],
        attention_share=facts["attention_share"],
        steps=facts["steps"],
        forwards_per_step=facts["forwards"],
    )
    task = ImageTask(
        model=model,
        width=facts["width"],
        height=facts["height"],
        frames=facts["frames"],
        steps=facts["steps"],
        forwards_per_step=facts["forwards"],
        demand_per_s=1.0,
        limit_p95_s=None,
        random_arrivals=False,
    )
    return _rate(item_s(task, point.device, point.format, point.engine, coefficients), point)


def _windows(point: Point, coefficients: KindCoefficients) -> float:
    facts = networks()["asr"][point.model]
    model = Recogniser(
        name=point.model,
        parameters=facts["parameters"],
        decoder_parameters=facts["decoder_parameters"],
        encoder_flops=facts["encoder_flops"],
        window_s=WINDOW_S,
        padded=True,
        tokens_per_s=facts["tokens_per_window"] / WINDOW_S,
        cache_bytes_per_window=facts["cache_bytes"],
    )
    task = RecognitionTask(model=model, audio_per_s=1.0, segment_s=WINDOW_S, limit_p95_s=None)
    return _rate(window_s(task, point.device, point.format, point.engine, coefficients, point.batch), point)


def _encoder(point: Point, coefficients: KindCoefficients) -> float:
    """whisper.cpp: the encoder alone, one window; without flash attention it takes `uncompiled_factor` as long."""
    facts = networks()["asr"][point.model]
    run = Run(flops=facts["encoder_flops"], rate=Rate.FP16, weight_bytes=0.0, launches=facts["layers"])
    engine = "tensorrt" if point.stack == "flash" else "onnxruntime"
    return _rate(run_s(run, point.device, point.family, coefficients, batch=1, engine=engine), point)


def _speech(point: Point, coefficients: KindCoefficients) -> float:
    facts = networks()["tts"][point.model]
    steps = facts["steps_per_audio_s"]
    voice = Voice(
        name=point.model,
        parameters=facts["parameters"],
        flops_per_token=2.0 * 2.8e7,
        tokens_per_s=steps,
        flops_per_audio_s=facts["flops_per_audio_s"],
        first_tokens=1,
        passes=facts["passes"],
    )
    task = SynthesisTask(model=voice, demand_per_s=1.0, limit_p95_s=None, real_time_factor=1.0, utterance_s=UTTERANCE_S)
    return _rate(audio_second_s(task, point.device, point.format, "tensorrt", coefficients, point.batch), point)


PREDICT = {
    "vision": _single_run,
    "vision_eager": _single_run,
    "embedding": _single_run,
    "diffusion": _diffusion,
    "asr": _windows,
    "asr_ggml": _encoder,
    "tts": _speech,
}


def of_family(family: str) -> Sequence[Point]:
    return [point for point in points() if point.family == family]


def catalogue_ids(found: Sequence[Point]) -> frozenset[str]:
    """Ids of the catalogue's models whose networks these points measured."""
    known: Mapping[str, Sequence[str]] = networks()["catalogue"]
    return frozenset(each for point in found for each in known.get(point.model, ()))
