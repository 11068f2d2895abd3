"""Means, percentiles and goodput of simulated requests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import floor

from sizing.core.simulate.scheduler import Replica, Rules, Served
from sizing.core.workload import Target

type Statistics = Mapping[str, float]

SHARES = {"p50": 0.50, "p95": 0.95, "p99": 0.99}


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What requests saw after the warm-up was cut. Seconds; rates over all replicas."""

    ttft_s: Sequence[float]
    tpot_s: Sequence[float]
    e2e_s: Sequence[float]
    tokens_per_s: float
    requests_per_s: float
    in_flight: float  # mean, by Little's law
    busy_share: float
    peak_tokens: float
    preemptions: int
    submitted: int
    finished: int
    tokens_out: int
    growing: bool  # the queue was longer at the end than in the middle: no steady state

    def statistics(self, metric: str) -> Statistics:
        """`mean`, `p50`, `p95` and `p99` of "ttft", "tpot" or "e2e"."""
        values = sorted({"ttft": self.ttft_s, "tpot": self.tpot_s, "e2e": self.e2e_s}[metric])
        result = {"mean": sum(values) / len(values)}
        return result | {name: percentile(values, share) for name, share in SHARES.items()}

    def goodput(self, limits: Sequence[Target]) -> float:
        """Share of requests that stay under every limit, whatever percentile the limit was stated for."""
        columns = {"ttft": self.ttft_s, "tpot": self.tpot_s, "e2e": self.e2e_s}
        good = sum(all(columns[limit.metric][i] <= limit.limit_s for limit in limits) for i in range(len(self.ttft_s)))
        return good / len(self.ttft_s)


def percentile(ascending: Sequence[float], share: float) -> float:
    """Value below which `share` (0..1) of the values lie, by linear interpolation. Not empty."""
    position = share * (len(ascending) - 1)
    low = floor(position)
    high = min(low + 1, len(ascending) - 1)
    return ascending[low] + (position - low) * (ascending[high] - ascending[low])


def outcome_of(
    everyone: Sequence[Served],
    replicas: Sequence[Replica],
    rules: Rules,
    *,
    first: int,
    last_whole: int | None = None,
) -> Outcome:
    """Statistics of the requests from number `first` on; rates over the time in which all slots were full."""
    ttft, tpot, e2e = _latencies(everyone, rules, first)
    tokens, span = _window(everyone, first, last_whole if last_whole is not None else len(everyone))
    half = len(ttft) // 2
    growing = half > 50 and sum(ttft[half:]) / (len(ttft) - half) > 2.0 * sum(ttft[:half]) / half
    requests_per_s = tokens[0] / span
    return Outcome(
        ttft_s=tuple(ttft),
        tpot_s=tuple(tpot) or (0.0,),
        e2e_s=tuple(e2e),
        tokens_per_s=tokens[1] / span,
        requests_per_s=requests_per_s,
        in_flight=requests_per_s * sum(e2e) / len(e2e),
        busy_share=sum(r.busy_s for r in replicas) / sum(max(r.now_s, 1e-12) for r in replicas),
        peak_tokens=max(r.peak_tokens for r in replicas),
        preemptions=sum(r.preempted for r in everyone),
        submitted=len(everyone),
        finished=sum(r.finished_s is not None for r in everyone),
        tokens_out=sum(r.produced for r in everyone if r.finished_s is not None),
        growing=growing,
    )


def _latencies(everyone: Sequence[Served], rules: Rules, first: int) -> tuple[list[float], list[float], list[float]]:
    """First-token, per-token and whole times of the finished requests from number `first` on."""
    ttft: list[float] = []
    tpot: list[float] = []
    e2e: list[float] = []
    for request in everyone:
        first_s, end_s = request.first_token_s, request.finished_s
        if request.number < first or first_s is None or end_s is None:
            continue
        per_token = (end_s - first_s) / max(request.output_tokens - 1, 1)
        step_s = per_token if request.output_tokens > 1 else request.step_at_first_s
        held_back = min(rules.first_chunk_steps, request.output_tokens - 1) * step_s
        ttft.append(first_s - request.arrived_s + held_back)
        e2e.append(end_s - request.arrived_s)
        if request.output_tokens > 1:
            tpot.append(per_token)
    return ttft, tpot, e2e


def _window(everyone: Sequence[Served], first: int, last: int) -> tuple[tuple[int, int], float]:
    """Requests and tokens that finished between the finishing times of the `first` and `last` completion."""
    ends = sorted((r.finished_s, r.output_tokens) for r in everyone if r.finished_s is not None)
    if not ends:
        return (0, 0), 1.0
    first, last = min(first, len(ends) - 1), max(min(last, len(ends)), 1)
    start = ends[first - 1][0] if first else min(r.arrived_s for r in everyone)
    chosen = ends[first:last] or ends[-1:]
    return (len(chosen), sum(tokens for _, tokens in chosen)), max(chosen[-1][0] - start, 1e-9)
