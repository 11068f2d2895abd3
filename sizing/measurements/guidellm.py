"""Reports of guidellm (benchmarks.json), one run per entry of "benchmarks".

Format: src/guidellm/benchmark/schemas of guidellm 0.3 to 0.8. Report: "metadata": {"guidellm_version"}, "args",
"benchmarks": [...]. Entry: "config": {"strategy": {"type_": "concurrent", "streams": 32}, "backend": {"model"}}
(0.3 and before: "args": {"strategy": ...}); "metrics": {"request_totals", "request_concurrency",
"prompt_token_count", "output_token_count", "time_to_first_token_ms", "inter_token_latency_ms",
"request_latency" (seconds), "output_tokens_per_second"}; each metric has "successful": {"mean", "median",
"percentiles": {"p50", "p95", "p99"}}. `time_per_output_token_ms` counts the first token too, so
`inter_token_latency_ms` is what others call TPOT.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sizing.measurements.fields import MS, Fields
from sizing.measurements.point import STATISTICS, MeasuredRun, MeasurementProblem

RATES = {"constant": "rate", "poisson": "rate"}


def recognises(entry: Fields) -> bool:
    found = entry.values.get("benchmarks")
    return isinstance(found, list) and all(isinstance(x, dict) and "metrics" in x for x in found)


def read_all(report: Fields) -> list[MeasuredRun]:
    runs, at = [], report.start
    metadata = report.maybe_part("metadata")
    version = metadata.text_of("guidellm_version") if metadata else ""
    for benchmark in report.values["benchmarks"]:
        found = report.text.find('"metrics"', at)
        entry = Fields(benchmark, report.text, found if found >= 0 else at)
        runs.append(_read(entry, _model(report, benchmark), version))
        at = entry.start + 1
    if not runs:
        raise MeasurementProblem("measurement_empty", line=report.line)
    return runs


def _read(entry: Fields, model: str, version: str) -> MeasuredRun:
    metrics = entry.part("metrics")
    totals = metrics.maybe_part("request_totals")
    stated = {name: value for name, value in _strategy(entry.values).items() if isinstance(value, int | float | str)}
    strategy = Fields(stated, entry.text, entry.start)
    kind = str(strategy.values.get("type_", ""))
    streams = strategy.maybe("streams") if kind == "concurrent" else 1.0 if kind == "synchronous" else None
    return MeasuredRun(
        tool="guidellm",
        tool_version=version,
        line=entry.line,
        model=model,
        concurrent=_mean(metrics, "request_concurrency") if streams is None else streams,
        requests_per_s=strategy.maybe(RATES.get(kind, "")),
        input_tokens=_mean(metrics, "prompt_token_count"),
        output_tokens=_mean(metrics, "output_token_count"),
        requests=totals.count("successful") if totals else None,
        failed=totals.count("errored") if totals else None,
        ttft_s=_statistics(metrics, "time_to_first_token_ms", MS),
        tpot_s=_statistics(metrics, "inter_token_latency_ms", MS),
        e2e_s=_statistics(metrics, "request_latency", 1.0),
        output_tokens_per_s=_mean(metrics, "output_tokens_per_second"),
        measured_on=_day(entry.values),
    )


def _strategy(values: Mapping[str, Any]) -> dict[str, Any]:
    for part in ("config", "args"):
        found = values.get(part)
        if isinstance(found, dict) and isinstance(found.get("strategy"), dict):
            return dict(found["strategy"])
    return {}


def _model(report: Fields, benchmark: dict[str, Any]) -> str:
    """The benchmark's own backend, else the report's arguments."""
    config = benchmark.get("config")
    places = [config.get("backend") if isinstance(config, dict) else None, report.values.get("args")]
    arguments = report.values.get("args")
    places.append(arguments.get("backend_kwargs") if isinstance(arguments, dict) else None)
    for place in places:
        if isinstance(place, dict) and isinstance(place.get("model"), str):
            return str(place["model"])[:200]
    return ""


def _statistics(metrics: Fields, name: str, scale: float) -> dict[str, float]:
    metric = metrics.maybe_part(name)
    if metric is None:
        return {}
    good = metric.part("successful")
    shares = good.maybe_part("percentiles")
    found = {"mean": good.maybe("mean", scale=scale), "p50": good.maybe("median", scale=scale)}
    for statistic in STATISTICS[2:]:
        found[statistic] = shares.maybe(statistic, scale=scale) if shares else None
    return {statistic: value for statistic, value in found.items() if value is not None}


def _mean(metrics: Fields, name: str) -> float | None:
    metric = metrics.maybe_part(name)
    return metric.part("successful").maybe("mean") if metric else None


def _day(values: Mapping[str, Any]) -> str:
    stamp = values.get("start_time")
    if not isinstance(stamp, int | float) or not 1e9 < stamp < 1e11:
        return ""
    return datetime.fromtimestamp(stamp, tz=UTC).date().isoformat()
