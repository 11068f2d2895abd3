"""mlperf_log_summary.txt of MLPerf's load generator.

Format: loadgen/results.cc of mlcommons/inference. Lines "Name : value": "SUT name", "Scenario" (Server, Offline,
SingleStream, MultiStream), "Mode", "Result is : VALID", "Mean latency (ns)", "99.00 percentile latency (ns)",
"Completed samples per second" (Server) or "Samples per second" (Offline), "Completed tokens per second" or
"Tokens per second", "Mean First Token latency (ns)", "99.00 percentile first token latency (ns)",
"Mean Time per Output Token (ns)", "99.00 percentile time to output token (ns)". The file names neither model nor
lengths; requests in flight follow from rate x latency (Little's law).
"""

from sizing.core.values import Message
from sizing.measurements.fields import NS
from sizing.measurements.point import MeasuredRun, MeasurementProblem

SHARES = {"p50": "50.00", "p90": "90.00", "p95": "95.00", "p99": "99.00"}
TITLE = "mlperf results summary"


def recognises(text: str) -> bool:
    return TITLE in text[:4000].lower()


def read(text: str) -> MeasuredRun:
    lines: dict[str, tuple[str, int]] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        name, colon, value = line.partition(":")
        if colon:
            lines.setdefault(" ".join(name.lower().split()), (value.strip(), number))
    scenario = lines.get("scenario", ("", 1))[0]
    if not scenario:
        raise MeasurementProblem("measurement_field_missing", field="Scenario", line=1, value="")
    rate = _first(lines, "completed samples per second", "samples per second")
    latency = _times(lines, "mean latency (ns)", "{} percentile latency (ns)")
    tokens = _first(lines, "completed tokens per second", "tokens per second")
    return MeasuredRun(
        tool="MLPerf loadgen",
        line=lines["scenario"][1],
        requests_per_s=rate if scenario == "Server" else None,
        concurrent=rate * latency["mean"] if scenario == "Server" and rate and "mean" in latency else None,
        output_tokens=tokens / rate if tokens and rate else None,
        ttft_s=_times(lines, "mean first token latency (ns)", "{} percentile first token latency (ns)"),
        tpot_s=_times(lines, "mean time per output token (ns)", "{} percentile time to output token (ns)")
        or _times(lines, "mean time to output token (ns)", "{} percentile time to output token (ns)"),
        e2e_s=latency,
        output_tokens_per_s=tokens,
        queries_per_s=rate,
        warnings=_invalid(lines),
    )


def _invalid(lines: dict[str, tuple[str, int]]) -> tuple[Message, ...]:
    verdict = lines.get("result is", ("", 1))[0]
    return () if verdict == "VALID" else (Message("measurement_mlperf_invalid", {"value": verdict or None}),)


def _first(lines: dict[str, tuple[str, int]], *names: str) -> float | None:
    for name in names:
        if name in lines:
            return _number(name, *lines[name])
    return None


def _times(lines: dict[str, tuple[str, int]], mean: str, percentile: str) -> dict[str, float]:
    names = {"mean": mean} | {statistic: percentile.format(share) for statistic, share in SHARES.items()}
    return {s: _number(name, *lines[name]) * NS for s, name in names.items() if name in lines}


def _number(name: str, shown: str, line: int) -> float:
    try:
        value = float(shown)
    except ValueError:
        value = -1.0
    if not 0.0 <= value < 1e18:
        raise MeasurementProblem("measurement_field_wrong", field=name, line=line, value=shown[:60])
    return value
