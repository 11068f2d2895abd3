"""Runs of one replica in a closed loop, or of several behind a load balancer in an open one."""

import random
from collections.abc import Callable, Sequence
from itertools import pairwise

from sizing.core.errors import InvalidWorkload
from sizing.core.simulate.arrivals import Arrival, lengths
from sizing.core.simulate.metrics import Outcome, outcome_of
from sizing.core.simulate.scheduler import Replica, Rules, Served
from sizing.core.workload import LengthMix

type Progress = Callable[[int, int], None]


def closed_loop(
    rules: Rules,
    *,
    concurrent: int,
    requests: int,
    inputs: LengthMix,
    outputs: LengthMix,
    cached_tokens: int = 0,
    together: bool = False,
    life_s: float = 0.0,
    seed: int = 1,
) -> Outcome:
    """`requests` requests over `concurrent` slots; a slot sends its next request when one is answered.

    `together` starts all slots at once and keeps that burst in the statistics, as a benchmark
    does. Otherwise slots start spread over `life_s` and the first requests of all slots are cut.
    """
    source = random.Random(seed)
    ins, outs = lengths(inputs, source), lengths(outputs, source)
    replica, number, everyone = Replica(rules=rules), 0, []

    def send(time_s: float) -> None:
        nonlocal number
        request = Served(number, time_s, next(ins), next(outs), cached_tokens)
        check_fits(request, rules)
        number += 1
        everyone.append(request)
        replica.submit(request)

    for slot in range(min(concurrent, requests)):
        send(0.0 if together else life_s * (slot + source.random()) / concurrent)
    while len(replica.finished) < requests:
        for done in replica.advance(float("inf")):
            if number < requests:
                send(done.finished_s or 0.0)
    cut = 0 if together else min(concurrent, requests // 4)
    return outcome_of(everyone, [replica], rules, first=cut, last_whole=requests - (0 if together else concurrent))


def open_loop(
    rules: Rules,
    arrivals: Sequence[Arrival],
    *,
    replicas: int = 1,
    warm_up: float = 0.1,
    progress: Progress | None = None,
) -> Outcome:
    """Every arrival goes to the replica with the fewest requests under way, the lowest number on a tie."""
    engines = [Replica(rules=rules) for _ in range(replicas)]
    everyone: list[Served] = []
    for number, arrival in enumerate(arrivals):
        for engine in engines:
            run_until(engine, arrival.time_s)
        request = Served(number, arrival.time_s, arrival.input_tokens, arrival.output_tokens, arrival.cached_tokens)
        check_fits(request, rules)
        everyone.append(request)
        min(engines, key=lambda engine: engine.outstanding).submit(request)
        if progress is not None and number % 64 == 0:
            progress(number, len(arrivals))
    for engine in engines:
        while engine.outstanding:
            engine.advance(float("inf"))
    return outcome_of(everyone, engines, rules, first=int(len(everyone) * warm_up))


def run_until(engine: Replica, time_s: float) -> None:
    """Let an engine work up to a moment; an idle one just waits."""
    while engine.now_s < time_s and engine.outstanding:
        engine.advance(time_s)
    engine.now_s = max(engine.now_s, time_s) if not engine.outstanding else engine.now_s


def check_fits(request: Served, rules: Rules) -> None:
    """Raises InvalidWorkload where a request alone is longer than the cache."""
    length = request.cached_tokens + request.input_tokens + request.output_tokens
    if length > rules.pool_tokens:
        raise InvalidWorkload("request_longer_than_cache", "/traffic", tokens=length, pool_tokens=rules.pool_tokens)


def knee(points: Sequence[tuple[float, float]]) -> float | None:
    """The load at which throughput stops paying: where doubling the load yields under a tenth more.

    `points` are (load, throughput), ascending. None where throughput still grows at the end.
    """
    for (load, rate), (next_load, next_rate) in pairwise(points):
        gain = (next_rate / rate) ** (1.0 / max(_doublings(load, next_load), 1e-9)) - 1.0
        if gain < 0.1:
            return load
    return None


def _doublings(load: float, next_load: float) -> float:
    count = 0.0
    ratio = next_load / load
    while ratio >= 2.0:
        ratio /= 2.0
        count += 1.0
    return count + (ratio - 1.0)
