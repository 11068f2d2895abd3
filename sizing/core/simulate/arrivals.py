"""Seeded request streams: closed loop, Poisson, bursty, daily profile and replayed traces."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sizing.core.queueing import length_sigma
from sizing.core.workload import LengthMix

SECONDS_PER_HOUR = 3600.0


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


def profiled(arrivals: Sequence[Arrival], multipliers: Sequence[float]) -> list[Arrival]:
    """Warp a stream of mean rate 1x so that hour h of the cycle runs at `multipliers[h]` times the rate.

    Arrival k comes when the integral of the multiplier reaches its original time. Hours of rate
    zero receive nothing.
    """
    warped, hour, into, left = [], 0, 0.0, 0.0
    previous = 0.0
    for arrival in arrivals:
        left = arrival.time_s - previous
        previous = arrival.time_s
        while left > 0.0:
            factor = multipliers[hour % len(multipliers)]
            room = (SECONDS_PER_HOUR - into) * factor
            if room >= left and factor > 0.0:
                into += left / factor
                break
            left -= max(room, 0.0)
            hour, into = hour + 1, 0.0
        time_s = hour * SECONDS_PER_HOUR + into
        warped.append(Arrival(time_s, arrival.input_tokens, arrival.output_tokens, arrival.cached_tokens))
    return warped


def replayed(rows: Sequence[tuple[float, int, int]]) -> list[Arrival]:
    """A trace of (time in seconds, input tokens, output tokens), sorted by time and shifted to start at zero."""
    ordered = sorted(rows)
    start = ordered[0][0] if ordered else 0.0
    return [Arrival(time_s - start, max(1, ins), max(1, outs)) for time_s, ins, outs in ordered]
