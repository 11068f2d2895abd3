"""Runs of a replica whose prompts are computed on instances of their own and then handed over to decoding ones."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil

from sizing.core.simulate.arrivals import Arrival, lengths
from sizing.core.simulate.engine import check_fits, run_until
from sizing.core.simulate.metrics import Outcome, outcome_of
from sizing.core.simulate.scheduler import Replica, Rules, Served
from sizing.core.workload import LengthMix

SLICE_STEPS = 4.0
"""Decode steps between two looks at what finished: a slot sends its next request at most so much late."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """Instances of one replica, and the seconds that handing over one prompt token takes."""

    prefill: int
    decode: int
    handover_s_per_token: float


class Prefill:
    """Instances that compute one prompt after the other, first come first served."""

    def __init__(self, rules: Rules, apart: Apart) -> None:
        self.rules, self.apart = rules, apart
        self.free_s = [0.0] * apart.prefill

    def through(self, request: Served) -> float:
        """When a request arrives at its decoding instance. Requests come in the order of their arrival."""
        rules = self.rules
        ready_s = request.arrived_s + rules.front_end_s + rules.token_handling_s * request.input_tokens
        first = min(range(len(self.free_s)), key=lambda i: self.free_s[i])
        end_s = max(ready_s, self.free_s[first]) + self._prompt_s(request)
        self.free_s[first] = end_s
        return end_s + self.apart.handover_s_per_token * (request.input_tokens + request.cached_tokens)

    def _prompt_s(self, request: Served) -> float:
        chunks = ceil(request.input_tokens / self.rules.budget_tokens)
        size = request.input_tokens / chunks
        return sum(
            self.rules.clock.step_s(0.0, 0.0, size, request.cached_tokens + (i + 0.5) * size) for i in range(chunks)
        )


def closed_loop_apart(
    rules: Rules,
    apart: Apart,
    *,
    concurrent: int,
    requests: int,
    inputs: LengthMix,
    outputs: LengthMix,
    cached_tokens: int,
    life_s: float,
    seed: int,
) -> Outcome:
    """`requests` requests over `concurrent` slots that start spread over `life_s`, as `engine.closed_loop`."""
    source = random.Random(seed)
    ins, outs = lengths(inputs, source), lengths(outputs, source)
    prefill, engines = Prefill(rules, apart), [Replica(rules=rules) for _ in range(apart.decode)]
    everyone: list[Served] = []

    def send(time_s: float) -> None:
        request = Served(len(everyone), time_s, next(ins), next(outs), cached_tokens)
        check_fits(request, rules)
        everyone.append(request)
        _hand_over(request, prefill, engines)

    for start in sorted(life_s * (slot + source.random()) / concurrent for slot in range(min(concurrent, requests))):
        send(start)
    slice_s = SLICE_STEPS * life_s / max(outputs.mean, SLICE_STEPS)
    horizon_s, finished = 0.0, 0
    while finished < requests:
        horizon_s += slice_s
        done = sorted((served.finished_s or 0.0, served.number) for each in engines for served in _ran(each, horizon_s))
        finished += len(done)
        for time_s, _ in done:
            if len(everyone) < requests:
                send(time_s)
    cut = min(concurrent, requests // 4)
    return outcome_of(everyone, engines, rules, first=cut, last_whole=requests - concurrent)


def open_loop_apart(rules: Rules, apart: Apart, arrivals: Sequence[Arrival], *, warm_up: float = 0.1) -> Outcome:
    """Every arrival through prefill, then to the decoding instance with the fewest requests under way."""
    prefill, engines = Prefill(rules, apart), [Replica(rules=rules) for _ in range(apart.decode)]
    everyone = []
    for number, arrival in enumerate(arrivals):
        for engine in engines:
            run_until(engine, arrival.time_s)
        request = Served(number, arrival.time_s, arrival.input_tokens, arrival.output_tokens, arrival.cached_tokens)
        check_fits(request, rules)
        everyone.append(request)
        _hand_over(request, prefill, engines)
    for engine in engines:
        while engine.outstanding:
            engine.advance(float("inf"))
    return outcome_of(everyone, engines, rules, first=int(len(everyone) * warm_up))


def _hand_over(request: Served, prefill: Prefill, engines: Sequence[Replica]) -> None:
    min(engines, key=lambda engine: engine.outstanding).receive(request, prefill.through(request))


def _ran(engine: Replica, until_s: float) -> list[Served]:
    done: list[Served] = []
    while engine.now_s < until_s:
        done += engine.advance(until_s)
    return done
