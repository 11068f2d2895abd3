"""Measured rates of options without tokens: import of result files, and predicted against measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from config.accounts.models import Organisation, User
from sizing.core.values import Message
from sizing.kinds.benchmark_plan import SECONDS_PER_HOUR
from sizing.measurements.point import MeasuredRun, MeasurementProblem
from sizing.measurements.read import read_results
from sizing.measurements.services import keep
from sizing.messages import render
from sizing.models import Measurement, SizingOption
from sizing.recipes import model_name
from sizing.result import plain

ODD_RATIO, IMPOSSIBLE_RATIO = 2.0, 5.0
"""Measured over predicted items a second: beyond the first worth a look, beyond the second a mix-up of units."""

SAME_ENGINE = {"triton": ("tensorrt", "onnxruntime", "openvino")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """Items a second of one replica with the 90 % interval of the prediction, and what the kind counts."""

    value: float
    low: float
    high: float
    unit: str


def import_kind_results(
    *, organisation: Organisation, content: bytes, name: str, option: SizingOption, user: User | None = None
) -> list[Measurement]:
    """Store every rate of a result file. Raises MeasurementProblem for what cannot be read, matched or believed."""
    rows = [_row(run, option) for run in read_results(content)]
    return keep(rows, organisation=organisation, content=content, name=name, user=user)


def rate_of(option: Mapping[str, Any]) -> Rate | None:
    """What the option is expected to do per replica; None where it counts no items."""
    for key, estimate in option["performance"].items():
        if key.endswith("_per_replica") and isinstance(estimate, Mapping) and estimate.get("value"):
            unit = str(estimate["unit"])
            scale = SECONDS_PER_HOUR if unit.endswith("/h") else 1.0
            low, high = (float(estimate[edge] or estimate["value"]) / scale for edge in ("low", "high"))
            return Rate(value=float(estimate["value"]) / scale, low=low, high=high, unit=unit.partition("/")[0] + "/s")
    return None


def _row(run: MeasuredRun, option: SizingOption) -> Measurement:
    data = option.data
    engine = str(data["engine"])
    if run.engine and run.engine != engine and run.engine not in SAME_ENGINE.get(engine, ()):
        raise MeasurementProblem("measurement_other_engine", line=run.line, found=run.engine, expected=engine)
    if run.queries_per_s is None:
        raise MeasurementProblem("measurement_no_rate", line=run.line, tool=run.tool)
    request = option.run.request
    return Measurement(
        option=option,
        line=run.line,
        tool=run.tool,
        tool_version=run.tool_version,
        model=request["model"],
        model_name=model_name(request)[:200],
        accelerator=data["accelerator"],
        engine=engine,
        engine_version=run.engine_version or str(data.get("engine_version") or ""),
        weights_format=str(data.get("weights_format") or ""),
        deployment={},
        concurrent=run.concurrent or run.batch,
        input_tokens=0.0,
        output_tokens=0.0,
        statistics={"e2e": {name: round(1e3 * value, 6) for name, value in run.e2e_s.items()}} if run.e2e_s else {},
        items_per_s=run.queries_per_s * run.batch,
        measured_on=date.fromisoformat(run.measured_on) if run.measured_on else None,
        warnings=plain((*run.warnings, *_judged(run, rate_of(data)))),
    )


def _judged(run: MeasuredRun, expected: Rate | None) -> list[Message]:
    """A warning for a rate far from the expected one; a rate that no device of the kind reaches is refused.

    A slow one is never refused: a small batch is slow for good reason.
    """
    measured = (run.queries_per_s or 0.0) * run.batch
    if expected is None:
        return []
    rates: dict[str, str | float] = {"measured": measured, "expected": expected.value, "unit": expected.unit}
    if measured > IMPOSSIBLE_RATIO * expected.value:
        raise MeasurementProblem(
            "measurement_rate_impossible",
            line=run.line, measured=measured, expected=expected.value, unit=expected.unit,
        )  # fmt: skip
    odd = not expected.value / ODD_RATIO < measured < expected.value * ODD_RATIO
    return [Message("measurement_rate_odd", rates)] if odd else []


def measured_rates(option: SizingOption, organisation: Organisation | None) -> list[dict[str, Any]]:
    """Rows for the page: each measured rate beside the predicted one. Nothing for visitors."""
    expected = rate_of(option.data)
    if organisation is None or expected is None:
        return []
    found = Measurement.objects.filter(option=option, organisation=organisation, items_per_s__isnull=False)
    return [
        {
            "row": row,
            "warnings": [render(warning) for warning in row.warnings],
            "expected": expected,
            "error": expected.value / row.items_per_s - 1.0 if row.items_per_s else None,
            "inside": expected.low <= (row.items_per_s or 0.0) <= expected.high,
        }
        for row in found.select_related("file").order_by("concurrent", "pk")
    ]
