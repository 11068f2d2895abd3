"""The CSV that Triton's perf_analyzer writes with -f.

Format (triton-inference-server/perf_analyzer, docs/measurements_metrics): one row per load under the columns
"Concurrency" (or "Request Rate"), "Inferences/Second", "Client Send", ..., "p50 latency", "p90 latency",
"p95 latency", "p99 latency"; times in microseconds.
"""

import csv
import io

from sizing.measurements.point import MeasuredRun, MeasurementProblem

US = 1e-6
LOADS = ("Concurrency", "Request Rate")
RATE = "Inferences/Second"
SHARES = ("p50", "p90", "p95", "p99")


def recognises(text: str) -> bool:
    head = text[:4000].partition("\n")[0]
    return RATE in head and head.startswith(LOADS)


def read(text: str) -> list[MeasuredRun]:
    """One run per row. Raises MeasurementProblem naming the line."""
    reader = csv.DictReader(io.StringIO(text), strict=True)
    runs = []
    try:
        for row in reader:
            if any(row.values()):
                runs.append(_run({str(k): str(v or "") for k, v in row.items()}, reader.line_num))
    except csv.Error as error:
        raise MeasurementProblem("measurement_not_csv", line=reader.line_num, detail=str(error)) from error
    return runs


def _run(row: dict[str, str], line: int) -> MeasuredRun:
    rate = _number(row, RATE, line)
    times = {share: _number(row, f"{share} latency", line) * US for share in SHARES if row.get(f"{share} latency")}
    return MeasuredRun(
        tool="perf_analyzer",
        line=line,
        concurrent=_number(row, "Concurrency", line) if "Concurrency" in row else None,
        requests_per_s=_number(row, "Request Rate", line) if "Request Rate" in row else None,
        e2e_s=times,
        queries_per_s=rate,
    )


def _number(row: dict[str, str], name: str, line: int) -> float:
    shown = row.get(name, "")
    try:
        value = float(shown)
    except ValueError:
        value = 0.0
    if not 0.0 < value < 1e12:
        code = "measurement_field_wrong" if shown else "measurement_field_missing"
        raise MeasurementProblem(code, field=name, line=line, value=shown[:60])
    return value
