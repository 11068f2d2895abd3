"""How much of an accelerator a steady state uses, and which resource binds."""

from dataclasses import dataclass, fields, replace

import numpy as np
from numpy.typing import NDArray

from sizing.core.candidate import Bottleneck
from sizing.core.closed_loop import Load, SteadyState
from sizing.core.coefficients import StepCoefficients
from sizing.core.points import Column, Points


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Shares of time at peak rate within a mean step, shape (n,). Arithmetic, memory, links, host."""

    compute: Column
    bandwidth: Column
    exchange: Column
    host: Column
    cache: Column  # sequences held over sequences that fit
    busy: Column  # of the time in which a step runs

    def of_load(self, number: int) -> "Shares":
        """The shares at one of several loads that were solved at once."""
        return Shares(**{f.name: getattr(self, f.name)[number] for f in fields(self)})


def shares_of(points: Points, load: Load, state: SteadyState, at: StepCoefficients) -> Shares:
    """Work of the mean step over its length.

    The mean step carries all decoding sequences and the average of prefill tokens. Arithmetic and
    reads count at the printed peaks, so their shares are utilisations.
    """
    step_s = state.tpot_s * load.tokens_per_step
    decoding = state.decoding / (points.pipeline * load.decode_instances)
    share = state.prefill_share
    prefill = share * state.prefill_tokens
    compute = compute_s(points, load, decoding, prefill)
    reads = reads_s(points, load, at, decoding=decoding, tokens=decoding * load.verified_tokens + prefill)
    exchange = (1.0 - share) * state.plain.exchange + share * state.mixed.exchange
    host = (1.0 - share) * state.plain.overhead + share * state.mixed.overhead
    running = state.decoding / np.maximum(np.minimum(state.admitted, 1.0), 1e-9)
    return Shares(
        compute=np.clip(compute * points.step_factor / step_s, 0.0, 1.0),
        bandwidth=np.clip(reads * points.step_factor / step_s, 0.0, 1.0),
        exchange=np.clip(exchange / step_s, 0.0, 1.0),
        host=np.clip(host / step_s, 0.0, 1.0),
        cache=np.clip(state.admitted / np.maximum(load.cap, 1e-9), 0.0, 1.0),
        busy=np.clip(running, 0.0, 1.0),
    )


def compute_s(points: Points, load: Load, decoding: Column, prefill: Column) -> Column:
    """Seconds of arithmetic at peak in a step with these sequences and prompt tokens."""
    context = load.cached_tokens + load.input_tokens + load.output_tokens / 2.0
    earlier = load.cached_tokens + load.input_tokens / 2.0
    decode_attention = points.decode_attention_s * np.minimum(context, points.sparse_tokens)
    decode_attention = decode_attention + points.decode_window_s * np.minimum(context, points.window_tokens)
    prompt_attention = points.prefill_attention_s * np.minimum(earlier, points.sparse_tokens)
    prompt_attention = prompt_attention + points.prefill_window_s * np.minimum(earlier, points.window_tokens)
    tokens = decoding * load.verified_tokens + prefill
    products = tokens * (points.dense_compute_s + points.expert_compute_s)
    own = products + decoding * decode_attention + prefill * prompt_attention
    if points.draft is None:
        return own
    single = replace(load, verified_tokens=np.ones(1))
    return own + compute_s(points.draft, single, decoding * points.draft_passes, prefill)


def reads_s(points: Points, load: Load, at: StepCoefficients, *, decoding: Column, tokens: Column) -> Column:
    """Seconds of memory traffic at peak in a step: weights, caches of `decoding` sequences, activations."""
    context = load.cached_tokens + load.input_tokens + load.output_tokens / 2.0
    touched = -np.expm1(tokens * points.expert_log_miss)
    cache = decoding * (
        points.cache_read_s * np.minimum(context, points.sparse_tokens)
        + points.window_read_s * np.minimum(context, points.window_tokens)
        + points.indexer_read_s * context
        + points.state_read_s
    )
    activations = points.activation_s * at.activation_passes + points.expert_activation_s * at.expert_activation_passes
    own = points.dense_read_s + points.expert_read_s * touched + cache + tokens * activations
    if points.draft is None:
        return own
    return own + points.draft_passes * reads_s(points.draft, load, at, decoding=decoding, tokens=decoding)


def bottleneck_of(shares: Shares, state: SteadyState, load: Load, row: int, at: StepCoefficients) -> Bottleneck:
    """The resource that takes the largest part of a step at the efficiency that it reaches.

    Past saturation it is the cache where that limits admission, else the queue before prefill.
    """
    if bool(_at(state.saturated, row)):
        full = _at(load.concurrent, row) > _at(load.cap, row)
        return Bottleneck.MEMORY_CAPACITY if full else Bottleneck.QUEUEING
    parts = (
        (_at(shares.bandwidth, row) / at.weight_read_efficiency, Bottleneck.MEMORY_BANDWIDTH),
        (_at(shares.compute, row) / at.compute_efficiency, Bottleneck.COMPUTE),
        (_at(shares.exchange, row), Bottleneck.INTERCONNECT),
        (_at(shares.host, row), Bottleneck.HOST),
    )
    return max(parts, key=lambda part: part[0])[1]


def _at(column: Column | NDArray[np.bool_], row: int) -> float:
    flat = np.asarray(column, dtype=float).reshape(-1)
    return float(flat[row if flat.size > 1 else 0])
