"""Output of TensorRT's trtexec: the log, and the file of --exportTimes.

Log (samples/trtexec, reporting): lines "[I] Throughput: 258.892 qps" and "[I] Latency: min = 1.9 ms, max = 6.8 ms,
mean = 4.0 ms, median = 4.3 ms, percentile(90%) = ..., percentile(99%) = ...", with a time stamp before "[I]" or
not; "[I] Input inference shape : name=8x3x224x224", whose first figure is the batch.
Other sections (Enqueue Time, H2D Latency, GPU Compute Time) have the same form and are not the latency.
--exportTimes: a JSON list of {"startInMs", "endInMs", "computeMs", "latencyMs", ...}, one per query.
"""

import re
from typing import Any

import numpy as np

from sizing.measurements.fields import MS, Fields
from sizing.measurements.point import MeasuredRun, MeasurementProblem

THROUGHPUT = re.compile(r"\[I\] Throughput: ([0-9.eE+-]{1,20}) qps")
LATENCY = re.compile(r"\[I\] Latency: (.{1,400})$")
FIGURE = re.compile(r"(mean|median|percentile\((\d{2})%\)) = ([0-9.eE+-]{1,20}) ms")
SHAPE = re.compile(r"\[I\] Input inference shapes? ?: ?\S{1,200}?=(\d{1,7})x")
VERSION = re.compile(r"TensorRT version: ([0-9.]{1,20})")


def recognises_log(text: str) -> bool:
    return "[I] Throughput:" in text and "[I] Latency:" in text


def read_log(text: str) -> MeasuredRun:
    """The summary of the run; the last one where the log holds several."""
    rate: float | None = None
    times: dict[str, float] = {}
    at, version, batch = 1, "", 1
    for number, line in enumerate(text.splitlines(), start=1):
        if found := THROUGHPUT.search(line):
            rate, at = _positive(found[1], "Throughput", number), number
        elif found := LATENCY.search(line):
            times = {_statistic(f[1], f[2]): _positive(f[3], "Latency", number) * MS for f in FIGURE.finditer(found[1])}
        elif found := VERSION.search(line):
            version = found[1]
        elif found := SHAPE.search(line):
            batch = int(found[1])
    if rate is None or "mean" not in times:
        raise MeasurementProblem("measurement_field_missing", field="Throughput, Latency", line=at, value="")
    return MeasuredRun(
        tool="trtexec", line=at, engine="tensorrt", engine_version=version, e2e_s=times, queries_per_s=rate, batch=batch
    )


def _statistic(word: str, percent: str | None) -> str:
    return f"p{percent}" if percent else {"mean": "mean", "median": "p50"}[word]


def _positive(shown: str, name: str, line: int) -> float:
    try:
        value = float(shown)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e12:
        raise MeasurementProblem("measurement_field_wrong", field=name, line=line, value=shown)
    return value


def recognises_times(entries: list[Any]) -> bool:
    return bool(entries) and isinstance(entries[0], dict) and {"latencyMs", "computeMs"} <= entries[0].keys()


def read_times(entries: list[Any], text: str) -> MeasuredRun:
    at = 0
    latencies: list[float] = []
    ends: list[float] = []
    for values in entries:
        at = text.find('"latencyMs"', at + 1) if at >= 0 else 0
        entry = Fields(values if isinstance(values, dict) else {}, text, max(at, 0))
        latencies.append(entry.number("latencyMs", scale=MS))
        ends.append(entry.maybe("endInMs", scale=MS) or 0.0)
    span = max(ends) - min(ends)
    shares = {"p50": 50, "p90": 90, "p95": 95, "p99": 99}
    times = {"mean": float(np.mean(latencies))} | {s: float(np.percentile(latencies, p)) for s, p in shares.items()}
    return MeasuredRun(
        tool="trtexec",
        line=1,
        engine="tensorrt",
        requests=len(latencies),
        e2e_s=times,
        queries_per_s=(len(latencies) - 1) / span if span > 0 else None,
    )
