"""Steady state of a fixed number of requests in flight: batch, time per token, time to first token."""

from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

from sizing.core.coefficients import Coefficients, LatencyCoefficients
from sizing.core.points import Column, Points
from sizing.core.roofline import Step, smooth_max, step

PASSES = 3
"""Fixed-point passes. A fourth changes no result by more than 0.1 %."""

QUEUE_EXPONENT = 4.0
"""Of the smooth maximum of the two bounds on a round where phases run apart; agrees with the simulation."""

SATURATED_SHARE = 0.9
"""Share of time spent on prompts above which open arrivals have no steady time to first token."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """What one replica is given; every column has shape (n,) or (), `concurrent` and what follows from it also (k, n).

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
    prefill_instances: Column = field(default_factory=lambda: np.asarray(0.0))  # that only prefill; 0: phases together
    decode_instances: Column = field(default_factory=lambda: np.asarray(1.0))
    handover_s: Column = field(default_factory=lambda: np.asarray(0.0))  # cache of one prompt to its decoding instance
    open_arrivals: Column = field(default_factory=lambda: np.asarray(0.0))  # 1: requests come at a rate of their own

    def take(self, index: NDArray[np.intp]) -> "Load":
        """The rows at `index`; columns that are the same for all stay scalars."""
        return Load(**{f.name: _rows(getattr(self, f.name), index) for f in fields(self)})


def _rows(column: Column, index: NDArray[np.intp]) -> Column:
    return column[index] if np.ndim(column) else column


@dataclass(frozen=True, slots=True, kw_only=True)
class SteadyState:
    """Means of one replica, shape (n,), or (k, n) where k loads were solved at once. Seconds and requests."""

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
    queue_s: Column  # mean wait for the prompts of others
    prefill_busy: Column  # share of a round in which the prompts of others are computed
    burst_s: Column
    over_s: Column
    tokens_per_s: Column
    saturated: NDArray[np.bool_]
    plain: Step
    mixed: Step

    def of_load(self, number: int) -> "SteadyState":
        """The state at one of several loads that were solved at once."""

        def one(column: Column) -> Column:
            return column[number] if np.ndim(column) == 2 else column

        return SteadyState(
            tpot_s=one(self.tpot_s),
            ttft_s=one(self.ttft_s),
            decode_step_s=one(self.decode_step_s),
            prefill_extra_s=one(self.prefill_extra_s),
            prefill_share=one(self.prefill_share),
            prefill_tokens=one(self.prefill_tokens),
            prefill_work_s=one(self.prefill_work_s),
            decoding=one(self.decoding),
            admitted=one(self.admitted),
            own_s=one(self.own_s),
            queue_s=one(self.queue_s),
            prefill_busy=one(self.prefill_busy),
            burst_s=one(self.burst_s),
            over_s=one(self.over_s),
            tokens_per_s=one(self.tokens_per_s),
            saturated=self.saturated[number] if self.saturated.ndim == 2 else self.saturated,
            plain=_step_of(self.plain, number, ndim=2),
            mixed=_step_of(self.mixed, number, ndim=2),
        )


def _step_of(steps: Step, number: int, *, ndim: int) -> Step:
    """One of several steps that were worked out at once."""
    columns = (getattr(steps, f.name) for f in fields(Step))
    return Step(*(column[number] if np.ndim(column) >= ndim else column for column in columns))


def steady_state(points: Points, load: Load, at: Coefficients) -> SteadyState:
    """Solve the closed loop by mean field. Source: docs/method.md#closed-loop.

    Pipeline stages work on as many microbatches as there are stages, so a step sees 1/pipeline of
    the sequences and of the prefill, and a token passes all stages. With `load.concurrent` of shape
    (k, n) every column of the answer has that shape.

    Where phases run apart, prompts are computed on instances of their own, so decoding is never interrupted.
    The time of one round of such a closed network is at least its time without queues and at least
    C S / prefill instances (asymptotic bounds), joined by the smooth maximum.
    """
    frame = _frame(points, load, at)
    decoding = np.atleast_1d(0.97 * frame.admitted)
    for _ in range(PASSES):
        now = _pass(points, load, at, frame, decoding)
        decoding = now.decoding
    over = 0.9 * np.maximum(load.concurrent - frame.admitted, 0.0) / np.maximum(frame.admitted, 1e-9) * now.life
    ttft = now.waiting + now.streaming + now.burst + now.extra_wait + over
    tpot = now.step_s / load.tokens_per_step
    busy = frame.prompts * now.work / (ttft + now.life)
    overrun = (busy > SATURATED_SHARE) & (load.open_arrivals > 0.0)  # a closed loop waits for itself
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
        queue_s=now.queue,
        prefill_busy=busy,
        burst_s=now.burst,
        over_s=over,
        tokens_per_s=load.concurrent * load.output_tokens / (ttft + np.maximum(load.output_tokens - 1.0, 0.0) * tpot),
        saturated=np.asarray((load.concurrent > load.cap) | overrun),
        plain=_step_of(now.steps, 0, ndim=np.ndim(now.base) + 1),
        mixed=_step_of(now.steps, 1, ndim=np.ndim(now.base) + 1),
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    """What stays the same over the passes."""

    admitted: Column
    chunk: Column  # prompt tokens of one step where the prompt is cut evenly
    context: Column
    earlier: Column
    others: Column  # share of the requests in flight that are not this one
    prompts: Column  # of all others in flight, each once, on one prefill stage
    queues: Column  # 1 where prompts wait for others in steady production
    launch: Column
    steps: Column  # of one answer
    floor: Column


@dataclass(frozen=True, slots=True)
class _Pass:
    """The figures of one pass, and the batch that follows from them."""

    steps: Step  # without prefill, with prefill
    base: Column
    extra: Column
    share: Column
    tokens: Column
    step_s: Column
    work: Column
    life: Column
    own: Column
    queue: Column
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
        prompts=np.maximum(load.concurrent - 1.0, 0.0) / (points.pipeline * np.maximum(load.prefill_instances, 1.0)),
        queues=np.asarray((load.prefill_instances == 0.0) & (np.asarray(load.burst_share) == 0.0), dtype=float),
        launch=_launch_s(points, load, at.latency),
        steps=load.output_tokens / load.tokens_per_step,
        floor=0.9 * np.minimum(admitted, 1.0),
    )


def _pass(points: Points, load: Load, at: Coefficients, frame: _Frame, decoding: Column) -> _Pass:
    """Step times at a batch, and the batch that these times keep up."""
    together = load.prefill_instances == 0.0
    batch = decoding / (points.pipeline * load.decode_instances)
    needed = batch * load.input_tokens / frame.steps
    tokens = np.clip(needed, frame.chunk, np.where(together, np.maximum(load.budget_tokens, frame.chunk), frame.chunk))
    share = np.minimum(1.0, needed / tokens) * together
    steps = _steps(points, load, at, frame, decoding=batch, tokens=tokens)
    base, whole = steps.total_s
    extra = whole - load.mixed * base
    step_s = base + frame.others * share * extra
    life = load.output_tokens * step_s / load.tokens_per_step
    work = extra * load.input_tokens / tokens
    own = (load.mixed * base + extra) * np.maximum(1.0, load.input_tokens / tokens)
    burst = load.burst_share * load.concurrent * work
    queue = frame.queues * _queue_s(own=own, others=frame.prompts * work, quiet=frame.steps * base)
    waiting = frame.launch + at.latency.pipeline_steps / 2.0 * step_s + own + queue
    if not np.all(together):
        waiting = waiting + _apart_s(points, load, together, base=base, work=work, round_s=life + waiting)
    extra_wait = load.extra_in_flight * life / np.maximum(load.concurrent, 1e-9)
    idle = np.minimum(waiting - queue / 2.0 + 0.3 * burst + extra_wait, 3.0 * life)
    return _Pass(
        steps=steps,
        base=base,
        extra=extra,
        share=share,
        tokens=tokens,
        step_s=step_s,
        work=work,
        life=life,
        own=own,
        queue=queue,
        burst=burst,
        streaming=at.latency.stream_interval_share * load.stream_interval * step_s,
        waiting=waiting,
        extra_wait=extra_wait,
        decoding=np.maximum(frame.admitted * life / (life + idle), frame.floor),
    )


def _queue_s(*, own: Column, others: Column, quiet: Column) -> Column:
    """Mean wait for the prompts of others before the own one, in steady production.

    In a round T = own + others + quiet decoding each of the others computes one prompt. The stage is busy a share
    (own + others) / T of it and a share others / T is not this request's, so a wait goes on with y, their product,
    and lasts own y / (1 - y). Source: docs/method.md#closed-loop; within a quarter of the event simulation where
    prefill takes most of the round. The start burst of a benchmark has its own term, which was fitted without this.
    """
    busy_s = own + others
    both = busy_s * others
    return np.asarray(own * both / ((busy_s + quiet) ** 2 - both))


def _apart_s(
    points: Points, load: Load, together: NDArray[np.bool_], *, base: Column, work: Column, round_s: Column
) -> Column:
    """What phases apart add before the first token: the queue for prefill, the handover, the first decode step."""
    added = load.handover_s + base
    bound = load.concurrent * work / (points.pipeline * np.maximum(load.prefill_instances, 1.0))
    queue = smooth_max(round_s + added, bound, QUEUE_EXPONENT) - (round_s + added)
    return np.where(together, 0.0, added + queue)


def _steps(points: Points, load: Load, at: Coefficients, frame: _Frame, *, decoding: Column, tokens: Column) -> Step:
    """A step without and one with prefill, stacked; where prefill runs apart, the second carries no decoding."""
    shape = (2, *np.broadcast(decoding, tokens, load.mixed).shape)
    batch, prompt = np.empty(shape), np.zeros(shape)
    batch[0], batch[1], prompt[1] = decoding, load.mixed * decoding, tokens
    return step(
        points,
        at.step,
        decoding=batch,
        verified_tokens=load.verified_tokens,
        context_tokens=frame.context,
        prefill_tokens=prompt,
        prefill_context=frame.earlier,
    )


def _launch_s(points: Points, load: Load, at: LatencyCoefficients) -> Column:
    """Front end, eager launches of the prefill, tokenising: independent of the batch."""
    return at.front_end_s + at.prefill_launch_s * points.layers + at.token_handling_s * load.input_tokens
