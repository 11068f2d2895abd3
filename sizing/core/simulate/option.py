"""The event simulation of one option of a search: rules from its point, load from the request."""

from dataclasses import replace
from math import ceil

from sizing.core.closed_loop import Load, SteadyState
from sizing.core.coefficients import Coefficients
from sizing.core.points import Column, Points
from sizing.core.simulate.apart import Apart, closed_loop_apart, open_loop_apart
from sizing.core.simulate.arrivals import Arrival, profiled, replayed
from sizing.core.simulate.arrivals import open_loop as arrivals_of
from sizing.core.simulate.clock import clock_of
from sizing.core.simulate.engine import closed_loop, open_loop
from sizing.core.simulate.metrics import Outcome
from sizing.core.simulate.scheduler import Rules
from sizing.core.workload import LengthMix, Traffic

CLOSED_REQUESTS = 400
REQUESTS_PER_SLOT = 5
MAX_REQUESTS = 2_000
OPEN_REQUESTS = 800
PROFILE_REQUESTS = 2_000  # over all hours of a load profile
MAX_REPLICAS = 4
"""Replicas simulated behind one balancer; more of them behave no worse (docs/method.md#simulation)."""


def rules_of(
    points: Points,
    load: Load,
    state: SteadyState,
    row: int,
    *,
    cap_tokens: float,
    max_sequences: float,
    at: Coefficients,
) -> Rules:
    """Scheduling rules of row `row`: the step clock, the budget, the cache and the front end.

    The pipeline latency of the front end counts mean steps, as the closed form does.
    """
    step_s = _at(state.tpot_s, row) * _at(load.tokens_per_step, row)
    launch_s = at.latency.prefill_launch_s * _at(points.layers, row) + at.latency.pipeline_steps / 2.0 * step_s
    return Rules(
        clock=clock_of(points, at.step, row),
        budget_tokens=int(_at(load.budget_tokens, row)),
        pool_tokens=cap_tokens,
        max_sequences=int(max_sequences),
        mixed_prefill=bool(_at(load.mixed, row)),
        front_end_s=at.latency.front_end_s + launch_s,
        token_handling_s=at.latency.token_handling_s,
        first_chunk_steps=at.latency.stream_interval_share * _at(load.stream_interval, row),
        tokens_per_step=_at(load.tokens_per_step, row),
        verified_tokens=_at(load.verified_tokens, row),
    )


def simulate(
    rules: Rules,
    traffic: Traffic,
    state: SteadyState,
    row: int,
    *,
    prefix_tokens: float,
    replicas: int,
    seed: int,
    apart: Apart | None = None,
) -> Outcome:
    """Run the stated load. Closed loop: the slots of one replica. Open loop: up to four balanced replicas.

    Where phases run `apart`, one replica in either case.
    """
    cached = round(prefix_tokens)
    inputs = shortened(traffic.input_tokens, prefix_tokens)
    if traffic.concurrent_requests is not None:
        slots = max(1, ceil(traffic.concurrent_requests / replicas - 1e-9))
        together = traffic.prompts_per_slot is not None
        count = slots * (traffic.prompts_per_slot or 0)
        if not together:
            count = max(CLOSED_REQUESTS, slots * REQUESTS_PER_SLOT)
        life = _at(state.ttft_s, row) + traffic.output_tokens.mean * _at(state.tpot_s, row)
        if apart is not None:
            return closed_loop_apart(
                rules,
                apart,
                concurrent=slots,
                requests=max(min(count or CLOSED_REQUESTS, MAX_REQUESTS), slots + 1),
                inputs=inputs,
                outputs=traffic.output_tokens,
                cached_tokens=cached,
                life_s=life,
                seed=seed,
            )
        return closed_loop(
            rules,
            concurrent=slots,
            requests=max(min(count, MAX_REQUESTS), slots + 1),
            inputs=inputs,
            outputs=varied(traffic.output_tokens) if together else traffic.output_tokens,
            cached_tokens=cached,
            together=together,
            life_s=life,
            seed=seed,
        )
    shown = min(replicas, MAX_REPLICAS) if apart is None else 1
    stream = _stream(traffic, shown / replicas, inputs=inputs, cached_tokens=cached, seed=seed)
    return open_loop(rules, stream, replicas=shown) if apart is None else open_loop_apart(rules, apart, stream)


def _stream(traffic: Traffic, share: float, *, inputs: LengthMix, cached_tokens: int, seed: int) -> list[Arrival]:
    """The arrivals at `share` of all replicas: a trace with its other requests left out, or a seeded stream.

    A load over the day runs through all of its hours, each shortened so that the whole has as many requests
    as a steady stream; its percentiles are those over the day, peak included.
    """
    if traffic.trace:
        rows = [row for n, row in enumerate(traffic.trace) if int((n + 1) * share) > int(n * share)]
        return replayed(rows or traffic.trace[:1], cached_tokens=cached_tokens)
    rate = (traffic.requests_per_s or 0.0) * share
    profile = traffic.load_profile
    count = PROFILE_REQUESTS if profile else OPEN_REQUESTS
    stream = arrivals_of(
        rate,
        count,
        inputs=inputs,
        outputs=traffic.output_tokens,
        cached_tokens=cached_tokens,
        burstiness=traffic.burstiness,
        seed=seed,
    )
    if not profile:
        return stream
    return profiled(stream, profile, hour_s=stream[-1].time_s / sum(profile))


def varied(mix: LengthMix) -> LengthMix:
    """Lengths as benchmark clients draw them where only the mean is known: 0.8 to 1.0 of the nominal length.

    Equal lengths would keep all slots in step and repeat the start burst for ever.
    """
    if mix.p95 is not None or mix.minimum is not None or mix.maximum is not None:
        return mix
    return replace(mix, minimum=mix.mean * 8.0 / 9.0, maximum=mix.mean * 10.0 / 9.0)


def shortened(mix: LengthMix, by_tokens: float) -> LengthMix:
    """The lengths without a prefix that need not be computed; at least one token is left."""
    if by_tokens <= 0:
        return mix
    return replace(
        mix,
        mean=max(mix.mean - by_tokens, 1.0),
        p95=max(mix.p95 - by_tokens, 1.0) if mix.p95 is not None else None,
        minimum=max(mix.minimum - by_tokens, 1.0) if mix.minimum is not None else None,
        maximum=max(mix.maximum - by_tokens, 1.0) if mix.maximum is not None else None,
    )


def _at(column: Column, row: int) -> float:
    return float(column.reshape(-1)[row if column.size > 1 else 0])
