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
    frame = _frame(points, load, at)
    decoding = 0.97 * frame.admitted
    for _ in range(PASSES):
        now = _pass(points, load, at, frame, decoding)
        decoding = now.decoding
    over = 0.9 * np.maximum(load.concurrent - frame.admitted, 0.0) / np.maximum(frame.admitted, 1e-9) * now.life
    ttft = now.waiting + now.streaming + now.burst + now.extra_wait + over
    tpot = now.step_s / load.tokens_per_step
    busy = load.concurrent * now.work / points.pipeline / now.life
    return SteadyState(
        tpot_s=tpot,
        ttft_s=ttft,
        decode_step_s=now.base,
        prefill_extra_s=now.extra,
        prefill_share=now.share,
        prefill_tokens=now.tokens,
        prefill_work_s=now.work,
        decoding=decoding,
        admitted=frame.admitted,
        own_s=now.own,
        burst_s=now.burst,
        over_s=over,
        tokens_per_s=load.concurrent * load.output_tokens / (ttft + np.maximum(load.output_tokens - 1.0, 0.0) * tpot),
        saturated=np.asarray((load.concurrent > load.cap) | (busy > SATURATED_SHARE)),
        plain=now.plain,
        mixed=now.mixed,
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stays the same over the passes."""

    admitted: Column
    chunk: Column  # prompt tokens of one step where the prompt is cut evenly
    context: Column
    earlier: Column
    others: Column  # share of the requests in flight that are not this one
    launch: Column
    steps: Column  # of one answer
    floor: Column


@dataclass(frozen=True, slots=True)
class _Pass:
    """The figures of one pass, and the batch that follows from them."""

    plain: Step
    mixed: Step
    base: Column
    extra: Column
    share: Column
    tokens: Column
    step_s: Column
    work: Column
    life: Column
    own: Column
    burst: Column
    streaming: Column
    waiting: Column
    extra_wait: Column
    decoding: Column


def _frame(points: Points, load: Load, at: Coefficients) -> _Frame:
    admitted = np.minimum(load.concurrent, load.cap)
    return _Frame(
        admitted=admitted,
        chunk=load.input_tokens / np.ceil(load.input_tokens / load.budget_tokens),
        context=load.cached_tokens + load.input_tokens + load.output_tokens / 2.0,
        earlier=load.cached_tokens + load.input_tokens / 2.0,
        others=np.maximum(1.0 - 1.0 / np.maximum(load.concurrent, 1.0), 0.0),
        launch=_launch_s(points, load, at.latency),
        steps=load.output_tokens / load.tokens_per_step,
        floor=0.9 * np.minimum(admitted, 1.0),
    )


def _pass(points: Points, load: Load, at: Coefficients, frame: _Frame, decoding: Column) -> _Pass:
    """Step times at a batch, and the batch that these times keep up."""
    needed = decoding / points.pipeline * load.input_tokens / frame.steps
    tokens = np.clip(needed, frame.chunk, np.maximum(load.budget_tokens, frame.chunk))
    share = np.minimum(1.0, needed / tokens)
    plain, mixed = _steps(points, load, at, frame, decoding=decoding / points.pipeline, tokens=tokens)
    base = plain.total_s
    extra = mixed.total_s - load.mixed * base
    step_s = base + frame.others * share * extra
    life = load.output_tokens * step_s / load.tokens_per_step
    work = extra * load.input_tokens / tokens
    own = (load.mixed * base + extra) * np.maximum(1.0, load.input_tokens / tokens)
    burst = load.burst_share * load.concurrent * work
    waiting = frame.launch + at.latency.pipeline_steps / 2.0 * step_s + own
    extra_wait = load.extra_in_flight * life / np.maximum(load.concurrent, 1e-9)
    idle = np.minimum(waiting + 0.3 * burst + extra_wait, 3.0 * life)
    return _Pass(
        plain=plain,
        mixed=mixed,
        base=base,
        extra=extra,
        share=share,
        tokens=tokens,
        step_s=step_s,
        work=work,
        life=life,
        own=own,
        burst=burst,
        streaming=at.latency.stream_interval_share * load.stream_interval * step_s,
        waiting=waiting,
        extra_wait=extra_wait,
        decoding=np.maximum(frame.admitted * life / (life + idle), frame.floor),
    )


def _steps(
    points: Points, load: Load, at: Coefficients, frame: _Frame, *, decoding: Column, tokens: Column
) -> tuple[Step, Step]:
    """A step without and one with prefill; where prefill runs apart, the second carries no decoding."""
    found = [
        step(
            points,
            at.step,
            decoding=batch,
            verified_tokens=load.verified_tokens,
            context_tokens=frame.context,
            prefill_tokens=prompt,
            prefill_context=frame.earlier,
        )
        for batch, prompt in ((decoding, np.zeros(1)), (load.mixed * decoding, tokens))
    ]
    return found[0], found[1]


def _launch_s(points: Points, load: Load, at: LatencyCoefficients) -> Column:
    """Front end, eager launches of the prefill, tokenising: independent of the batch."""
    return at.front_end_s + at.prefill_launch_s * points.layers + at.token_handling_s * load.input_tokens
