"""Steady state of a fixed number of requests in flight: batch, time per token, time to first token."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sizing.core.coefficients import Coefficients, LatencyCoefficients
from sizing.core.points import Column, Points
from sizing.core.roofline import Step, step

PASSES = 3
"""Fixed-point passes. A fourth changes no result by more than 0.1 %."""

SATURATED_SHARE = 0.9
"""Share of prefill work in a decode life above which no steady time to first token is stated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What one replica is given; every column has shape (n,) or ().

    `input_tokens` are those that are computed (prefix hits taken off), `cached_tokens` those that
    only lie in the cache. `burst_share` is the share of one start burst (C x prefill work) that the
    mean request waits for: 1 / (2 x prompts per slot) in a closed-loop benchmark, 0 in production.
    """

    concurrent: Column
    input_tokens: Column
    output_tokens: Column
    cached_tokens: Column
    burst_share: Column
    extra_in_flight: Column  # requests in flight beyond the slots (a client that keeps one more open), else 0
    cap: Column  # sequences that the cache holds
    budget_tokens: Column  # prefill tokens per step
    stream_interval: Column
    mixed: Column  # 1: prefill rides on decode steps; 0: separate prefill batches stall decoding
    tokens_per_step: Column  # accepted by a sequence in one step; above 1 with speculative decoding
    verified_tokens: Column  # computed for a sequence in one step: one and the drafted ones

    def take(self, index: NDArray[np.intp]) -> "Load":
        """The rows at `index`; columns that are the same for all stay scalars."""
        return Load(**{f.name: _rows(getattr(self, f.name), index) for f in fields(self)})


def _rows(column: Column, index: NDArray[np.intp]) -> Column:
    return column[index] if np.ndim(column) else column


@dataclass(frozen=True, slots=True, kw_only=True)
class SteadyState:
    """Means of one replica, shape (n,). Seconds and requests."""

    tpot_s: Column
    ttft_s: Column
    decode_step_s: Column  # a step without prefill
    prefill_extra_s: Column  # what a step with prefill takes more
    prefill_share: Column  # share of steps that carry prefill
    prefill_tokens: Column  # per step that carries any
    prefill_work_s: Column  # per request
    decoding: Column
    admitted: Column
    own_s: Column
    burst_s: Column
    over_s: Column
    tokens_per_s: Column
    saturated: NDArray[np.bool_]
    plain: Step
    mixed: Step


def steady_state(points: Points, load: Load, at: Coefficients) -> SteadyState:
    """Solve the closed loop by mean field. Source: docs/method.md#closed-loop.

    Pipeline stages work on as many microbatches as there are stages, so a step sees 1/pipeline of
    the sequences and of the prefill, and a token passes all stages.
    """
    stages = points.pipeline
    admitted = np.minimum(load.concurrent, load.cap)
    decoding = 0.97 * admitted
    chunk = load.input_tokens / np.ceil(load.input_tokens / load.budget_tokens)
    context = load.cached_tokens + load.input_tokens + load.output_tokens / 2.0
    earlier = load.cached_tokens + load.input_tokens / 2.0
    burst_base = load.burst_share * load.concurrent
    over_share = 0.9 * np.maximum(load.concurrent - admitted, 0.0) / np.maximum(admitted, 1e-9)
    floor = 0.9 * np.minimum(admitted, 1.0)
    others = np.maximum(1.0 - 1.0 / np.maximum(load.concurrent, 1.0), 0.0)
    own_launch = _launch_s(points, load, at.latency)
    steps = load.output_tokens / load.tokens_per_step
    nothing = np.zeros(1)
    for _ in range(PASSES):
        needed = decoding / stages * load.input_tokens / steps
        tokens = np.clip(needed, chunk, np.maximum(load.budget_tokens, chunk))
        share = np.minimum(1.0, needed / tokens)
        plain = step(
            points,
            at.step,
            decoding=decoding / stages,
            verified_tokens=load.verified_tokens,
            context_tokens=context,
            prefill_tokens=nothing,
            prefill_context=earlier,
        )
        both = step(
            points,
            at.step,
            decoding=load.mixed * decoding / stages,
            verified_tokens=load.verified_tokens,
            context_tokens=context,
            prefill_tokens=tokens,
            prefill_context=earlier,
        )
        base = plain.total_s
        extra = both.total_s - load.mixed * base
        step_s = base + others * share * extra
        tpot = step_s / load.tokens_per_step
        work = extra * load.input_tokens / tokens
        life = load.output_tokens * tpot
        own = (load.mixed * base + extra) * np.maximum(1.0, load.input_tokens / tokens)
        burst = burst_base * work
        streaming = at.latency.stream_interval_share * load.stream_interval * step_s
        waiting = own_launch + at.latency.pipeline_steps / 2.0 * step_s + own
        extra_wait = load.extra_in_flight * life / np.maximum(load.concurrent, 1e-9)
        idle = np.minimum(waiting + 0.3 * burst + extra_wait, 3.0 * life)
        decoding = np.maximum(admitted * life / (life + idle), floor)
    over = over_share * life
    ttft = waiting + streaming + burst + extra_wait + over
    busy = load.concurrent * work / stages / life
    return SteadyState(
        tpot_s=tpot,
        ttft_s=ttft,
        decode_step_s=base,
        prefill_extra_s=extra,
        prefill_share=share,
        prefill_tokens=tokens,
        prefill_work_s=work,
        decoding=decoding,
        admitted=admitted,
        own_s=own,
        burst_s=burst,
        over_s=over,
        tokens_per_s=load.concurrent * load.output_tokens / (ttft + np.maximum(load.output_tokens - 1.0, 0.0) * tpot),
        saturated=np.asarray((load.concurrent > load.cap) | (busy > SATURATED_SHARE)),
        plain=plain,
        mixed=both,
    )


def _launch_s(points: Points, load: Load, at: LatencyCoefficients) -> Column:
    """Front end, eager launches of the prefill, tokenising: independent of the batch."""
    return at.front_end_s + at.prefill_launch_s * points.layers + at.token_handling_s * load.input_tokens
