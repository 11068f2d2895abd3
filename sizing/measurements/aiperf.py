"""Exports of AIPerf and of its forerunner GenAI-Perf: profile_export_*.json and .csv.

JSON: docs/reference/json-export-schema.md of AIPerf. Each metric stands at the top level as {"unit", "avg", "p50",
"p90", "p95", "p99", ...}; "unit" is authoritative. Names: time_to_first_token, inter_token_latency,
request_latency, input_sequence_length, output_sequence_length, output_token_throughput, request_count.
"input_config": {"endpoint": {"model_names": [...]}, "loadgen": {"concurrency"}}, from schema 1.4 on
{"models": {"items": [{"name"}]}, "phases": ...}; GenAI-Perf: {"model": [...], "concurrency"} or
{"perf_analyzer": {"stimulus": {"concurrency"}}}. Inter-token latency is (latency - TTFT) / (tokens - 1).

CSV: genai_perf/export_data/csv_exporter.py and aiperf/exporters/csv_exporter.py. A block
"Metric,avg,min,max,p99,..." with "Time To First Token (ms)" and a block "Metric,Value". Numbers may have
thousands separators ("1,146.31"). The CSV names neither model nor concurrency.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

from sizing.measurements.fields import Fields
from sizing.measurements.point import STATISTICS, MeasuredRun, MeasurementProblem

SECONDS = {"s": 1.0, "sec": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
WORDS = {"mean": "avg"}


def recognises(entry: Fields) -> bool:
    return isinstance(entry.values.get("request_latency"), dict) and "avg" in entry.values["request_latency"]


def read(entry: Fields) -> MeasuredRun:
    version = entry.text_of("aiperf_version")
    config = entry.maybe_part("input_config")
    count = entry.maybe_part("request_count")
    return MeasuredRun(
        tool="aiperf" if version or "schema_version" in entry.values else "genai-perf",
        tool_version=version,
        line=entry.line,
        model=_model(config.values) if config else "",
        concurrent=_concurrency(config.values) if config else None,
        input_tokens=_average(entry, "input_sequence_length"),
        output_tokens=_average(entry, "output_sequence_length"),
        requests=count.count("avg") if count else None,
        output_tokens_per_s=_average(entry, "output_token_throughput"),
        measured_on=entry.text_of("start_time")[:10],
        ttft_s=_times(entry, "time_to_first_token"),
        tpot_s=_times(entry, "inter_token_latency"),
        e2e_s=_times(entry, "request_latency"),
    )


def _times(entry: Fields, name: str) -> dict[str, float]:
    metric = entry.maybe_part(name)
    if metric is None:
        return {}
    unit = metric.text_of("unit")
    if unit not in SECONDS:
        raise metric.refuse("unit", unit or None)
    found = {s: metric.maybe(WORDS.get(s, s), scale=SECONDS[unit]) for s in STATISTICS}
    return {statistic: value for statistic, value in found.items() if value is not None}


def _average(entry: Fields, name: str) -> float | None:
    metric = entry.maybe_part(name)
    return metric.maybe("avg") if metric else None


def _model(config: Mapping[str, Any]) -> str:
    places = (_inside(config, "endpoint", "model_names"), _inside(config, "models", "items"), config.get("model"),
              config.get("model_names"))  # fmt: skip
    for place in places:
        first = place[0] if isinstance(place, list) and place else place
        name = first.get("name") if isinstance(first, dict) else first
        if isinstance(name, str):
            return name[:200]
    return ""


def _concurrency(config: Mapping[str, Any]) -> float | None:
    paths = (("loadgen", "concurrency"), ("phases", "profiling", "concurrency"),
             ("perf_analyzer", "stimulus", "concurrency"), ("concurrency",))  # fmt: skip
    for path in paths:
        value = _inside(config, *path)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return float(value)
    return None


def _inside(values: Any, *path: str) -> Any:
    for key in path:
        values = values.get(key) if isinstance(values, Mapping) else None
    return values


def recognises_csv(text: str) -> bool:
    return any(line.lower().startswith("metric,avg,min,max") for line in text[:4000].splitlines())


def read_csv(text: str) -> MeasuredRun:
    """The first block of each kind; blocks of single time slices that may follow are left out."""
    found: dict[str, dict[str, float]] = {}
    head: list[str] = []
    for line, row in _rows(text):
        first = row[0].strip().lower()
        if first == "metric":
            head = [cell.strip().lower() for cell in row[1:]]
        elif head and first.split(" (")[0] not in found:
            found[first.split(" (")[0]] = _cells(row, head, line)
    if "request latency" not in found:
        raise MeasurementProblem("measurement_field_missing", field="Request Latency", line=1, value="")
    count = found.get("request count", {}).get("value")
    return MeasuredRun(
        tool="aiperf" if "request count" in found else "genai-perf",
        line=1,
        input_tokens=found.get("input sequence length", {}).get("avg"),
        output_tokens=found.get("output sequence length", {}).get("avg"),
        requests=round(count) if count is not None else None,
        output_tokens_per_s=found.get("output token throughput", {}).get("value"),
        ttft_s=_statistics(found.get("time to first token", {})),
        tpot_s=_statistics(found.get("inter token latency", {})),
        e2e_s=_statistics(found.get("request latency", {})),
    )


def _statistics(cells: Mapping[str, float]) -> dict[str, float]:
    return {s: cells[key] for s in STATISTICS if (key := WORDS.get(s, s)) in cells}


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        for row in reader:
            if len(row) > 1:
                yield reader.line_num, row
    except csv.Error as error:
        raise MeasurementProblem("measurement_not_csv", line=reader.line_num, detail=str(error)) from error


def _cells(row: list[str], head: list[str], line: int) -> dict[str, float]:
    unit = row[0].rpartition("(")[2].rstrip(") ") if "(" in row[0] else ""
    values = {}
    for name, cell in zip(head, row[1:], strict=False):
        shown = cell.replace(",", "").strip()
        if not shown or shown.lower() in ("nan", "n/a"):
            continue
        entry = Fields({row[0][:60]: _float(shown)}, "\n" * (line - 1), line)
        values[name] = entry.number(row[0][:60], scale=SECONDS.get(unit, 1.0))
    return values


def _float(shown: str) -> float | str:
    try:
        return float(shown)
    except ValueError:
        return shown
