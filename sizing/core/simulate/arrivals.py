"""Seeded request streams: closed loop, Poisson, bursty, daily profile and replayed traces."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sizing.core.queueing import length_sigma
from sizing.core.workload import LengthMix, TraceRow

SECONDS_PER_HOUR = 3600.0
TRACE_REQUESTS = 2_000
"""Requests of a trace that are replayed: the part in which they come fastest."""


@dataclass(frozen=True, slots=True)
class Arrival:
    """One request as it comes in. `input_tokens` are to be computed, `cached_tokens` lie in a shared prefix."""

    time_s: float
    input_tokens: int
    output_tokens: int
    cached_tokens: int = 0


def lengths(mix: LengthMix, random_source: random.Random) -> Iterator[int]:
    """Token counts with the mean of `mix`: constant where nothing else is known.

    With both bounds: a two-piece uniform between them that keeps the mean. With a 95th percentile:
    log-normal through mean and percentile, cut at the bounds. At least one token.
    """
    low, high = mix.minimum, mix.maximum
    if mix.p95 is not None and mix.p95 > mix.mean:
        sigma = length_sigma(mix.p95 / mix.mean)
        while True:
            value = mix.mean * random_source.lognormvariate(-sigma * sigma / 2.0, sigma)
            yield max(1, round(min(max(value, low or 1.0), high or value)))
    if low is not None and high is not None and high > low:
        above = (mix.mean - low) / (high - low)
        while True:
            upper = random_source.random() < above
            value = random_source.uniform(mix.mean, high) if upper else random_source.uniform(low, mix.mean)
            yield max(1, round(value))
    while True:
        yield max(1, round(mix.mean))


def open_loop(
    rate_per_s: float,
    count: int,
    *,
    inputs: LengthMix,
    outputs: LengthMix,
    cached_tokens: int = 0,
    burstiness: float = 1.0,
    seed: int = 1,
) -> list[Arrival]:
    """`count` arrivals at `rate_per_s`; gaps are gamma with squared variation `burstiness` (1 = Poisson)."""
    source = random.Random(seed)
    shape = 1.0 / max(burstiness, 1e-3)
    ins, outs = lengths(inputs, source), lengths(outputs, source)
    arrivals, now = [], 0.0
    for _ in range(count):
        now += source.gammavariate(shape, 1.0 / (shape * rate_per_s))
        arrivals.append(Arrival(now, next(ins), next(outs), cached_tokens))
    return arrivals


def profiled(
    arrivals: Sequence[Arrival], multipliers: Sequence[float], *, hour_s: float = SECONDS_PER_HOUR
) -> list[Arrival]:
    """Warp a stream of mean rate 1x so that hour h of the cycle runs at `multipliers[h]` times the rate.

    Arrival k comes when the integral of the multiplier reaches its original time. Hours of rate
    zero receive nothing. A shorter `hour_s` runs the day in fewer requests.
    """
    warped, hour, into, left = [], 0, 0.0, 0.0
    previous = 0.0
    for arrival in arrivals:
        left = arrival.time_s - previous
        previous = arrival.time_s
        while left > 0.0:
            factor = multipliers[hour % len(multipliers)]
            room = (hour_s - into) * factor
            if room >= left and factor > 0.0:
                into += left / factor
                break
            left -= max(room, 0.0)
            hour, into = hour + 1, 0.0
        time_s = hour * hour_s + into
        warped.append(Arrival(time_s, arrival.input_tokens, arrival.output_tokens, arrival.cached_tokens))
    return warped


def replayed(rows: Sequence[TraceRow], *, cached_tokens: int = 0) -> list[Arrival]:
    """A trace, sorted by time and shifted to start at zero; `cached_tokens` of each prompt lie in a shared prefix."""
    ordered = sorted(rows)
    start = ordered[0][0] if ordered else 0.0
    return [
        Arrival(time_s - start, max(1, ins - cached_tokens), max(1, outs), cached_tokens)
        for time_s, ins, outs in ordered
    ]


def busiest(rows: Sequence[TraceRow], count: int) -> tuple[TraceRow, ...]:
    """The `count` requests in a row that come in the shortest time, the earliest on a tie; all of a short trace."""
    ordered = sorted(rows)
    if len(ordered) <= count:
        return tuple(ordered)
    first = min(range(len(ordered) - count + 1), key=lambda i: (ordered[i + count - 1][0] - ordered[i][0], i))
    return tuple(ordered[first : first + count])


def rate_of(rows: Sequence[TraceRow]) -> float:
    """Requests per second of a trace in order of time: gaps over their sum."""
    return (len(rows) - 1) / max(rows[-1][0] - rows[0][0], 1e-6)


def gap_variation(rows: Sequence[TraceRow]) -> float:
    """Squared variation of the gaps between requests: 1 where they come at random."""
    gaps = [later[0] - earlier[0] for earlier, later in pairwise(rows)]
    mean = sum(gaps) / len(gaps)
    if mean <= 0.0:
        return 1.0
    return min(max(sum((gap - mean) ** 2 for gap in gaps) / len(gaps) / mean**2, 0.05), 100.0)
