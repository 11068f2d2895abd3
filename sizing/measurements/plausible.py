"""Whether the figures of a measured load can be true. What cannot is refused, what is odd gets a warning."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from sizing.core.values import Message
from sizing.measurements.point import STATISTICS, MeasuredRun, MeasurementProblem

LONGEST_S = 86_400.0
SLACK = 1.05  # rounding, and means of ratios against ratios of means
APART = 1.5  # latency against its parts: means over requests of different lengths differ by less
FAILED_SHARE, FAILED_LIMIT = 0.02, 0.5
FEW_PER_SLOT = 3.0


def checked(run: MeasuredRun) -> MeasuredRun:
    """The run with warnings added. Raises MeasurementProblem where figures contradict each other."""
    if run.requests == 0 or not (run.ttft_s or run.tpot_s or run.e2e_s):
        raise MeasurementProblem("measurement_nothing_completed", line=run.line)
    for name, times in (("TTFT", run.ttft_s), ("TPOT", run.tpot_s), ("latency", run.e2e_s)):
        _times_in_order(run, name, times)
    _parts_below_whole(run)
    _flight_below_limit(run)
    return replace(run, warnings=(*run.warnings, *_odd(run)))


def _times_in_order(run: MeasuredRun, name: str, times: Mapping[str, float]) -> None:
    for value in times.values():
        if not 0.0 < value < LONGEST_S:
            raise MeasurementProblem("measurement_time_impossible", metric=name, value_s=value, line=run.line)
    ordered = [times[s] for s in STATISTICS[1:] if s in times]
    if any(later < earlier * 0.999 for earlier, later in pairwise(ordered)):
        raise MeasurementProblem("measurement_percentiles_disordered", metric=name, line=run.line)


def _parts_below_whole(run: MeasuredRun) -> None:
    """Time to first token and the tokens after it make up the latency."""
    first, token, whole = run.ttft_s.get("mean"), run.tpot_s.get("mean"), run.e2e_s.get("mean")
    if whole is None or first is None:
        return
    parts = first + (max((run.output_tokens or 1.0) - 1.0, 0.0) * token if token is not None else 0.0)
    if first > whole * SLACK or parts > whole * APART or (token and run.output_tokens and parts * APART < whole):
        raise MeasurementProblem("measurement_parts_not_whole", parts_s=parts, whole_s=whole, line=run.line)


def _flight_below_limit(run: MeasuredRun) -> None:
    """Rate x latency are the requests in flight (Little's law): no more than the client allowed."""
    whole = run.e2e_s.get("mean")
    if run.output_tokens_per_s is None or not run.output_tokens or not run.concurrent or whole is None:
        return
    flight = run.output_tokens_per_s / run.output_tokens * whole
    if flight > run.concurrent * APART:
        raise MeasurementProblem("measurement_more_in_flight", flight=flight, concurrent=run.concurrent, line=run.line)


def _odd(run: MeasuredRun) -> list[Message]:
    found = []
    if run.failed and run.requests is not None:
        share = run.failed / (run.failed + run.requests)
        if share > FAILED_LIMIT:
            raise MeasurementProblem("measurement_mostly_failed", share_pct=100 * share, line=run.line)
        if share > FAILED_SHARE:
            found.append(Message("measurement_some_failed", {"share_pct": 100 * share}))
    if run.requests and run.concurrent and run.requests < FEW_PER_SLOT * run.concurrent:
        found.append(Message("measurement_short", {"requests": run.requests, "concurrent": run.concurrent}))
    return found
