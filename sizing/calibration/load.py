"""Coefficient files as core values. The only place that reads them."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from sizing.calibration.measured import ENGINES, Row, serving_rows, system_figures
from sizing.calibration.models import measured_models
from sizing.core.coefficients import (
    Band,
    Coefficients,
    DeviceProfile,
    LatencyCoefficients,
    MeasuredPoint,
    StepCoefficients,
)
from sizing.core.estimates import model_signature
from sizing.core.model.features import ModelFeatures

DATA = Path(__file__).resolve().parent.parent / "data"
COEFFICIENTS = DATA / "coefficients"
CURRENT_VERSION = "2026.12"


@cache
def load_coefficients(version: str = CURRENT_VERSION) -> Coefficients:
    """The coefficients of one version with device profiles and measured points.

    Raises FileNotFoundError where the version is not shipped.
    """
    stored = json.loads((COEFFICIENTS / f"{version}.json").read_text(encoding="utf-8"))
    devices = json.loads((COEFFICIENTS / "devices.json").read_text(encoding="utf-8"))
    return Coefficients(
        version=stored["version"],
        step=StepCoefficients(**stored["step"]),
        latency=LatencyCoefficients(**stored["latency"]),
        bands={kind: Band(**band) for kind, band in stored["bands"].items()},
        devices={slug: DeviceProfile(slug=slug, **fields) for slug, fields in devices.items()},
        engine_factors=stored["engine_factors"],
        calibrated_models=frozenset(stored["calibrated_models"]),
        calibrated_accelerators=frozenset(stored["calibrated_accelerators"]),
        calibrated_triples=frozenset((m, a, e) for m, a, e in stored["calibrated_triples"]),
        measured=_measured(),
    )


def _measured() -> tuple[MeasuredPoint, ...]:
    """Every packaged serving point, for showing the nearest ones beside an answer."""
    systems, models = system_figures(), measured_models()
    signatures = {family: model_signature(model) for family, model in models.items()}
    return tuple(
        _point(row, systems[row["system"]], models[row["family"]], signatures[row["family"]]) for row in serving_rows()
    )


def _point(row: Row, system: Mapping[str, str], model: ModelFeatures, signature: str) -> MeasuredPoint:
    usable = row["ttft_flag"] != "cold_start_no_warmup"
    return MeasuredPoint(
        reference=row["id"],
        family=row["family"],
        signature=signature,
        accelerator=system["slug"],
        compute_capability=system["compute_capability"],
        engine=ENGINES[row["backend"]],
        engine_version=row["backend_version"],
        weights_format=row["wprec"],
        accelerators=int(float(row["gpus"])),
        concurrent=float(row["concurrency"]),
        input_tokens=float(row["isl"]),
        output_tokens=float(row["osl"]),
        active_parameters=float(model.active_parameters),
        total_parameters=float(model.total_parameters),
        tpot_s=float(row["silicon_tpot_ms"]) / 1e3,
        ttft_s=float(row["silicon_ttft_ms"]) / 1e3 if usable else None,
        measured_on=row["measured"],
    )
