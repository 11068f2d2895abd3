"""Time of one engine step: what it reads, computes and exchanges, and which of these binds."""

from dataclasses import dataclass

import numpy as np

from sizing.core.coefficients import StepCoefficients
from sizing.core.points import Column, Points


@dataclass(frozen=True, slots=True)
class Step:
    """Seconds of each group of kernels in one step, shape (n,). The step is their sum."""

    dense: Column
    experts: Column
    cache: Column
    prefill_attention: Column
    exchange: Column
    activations: Column
    overhead: Column
    drafting: Column  # passes of the model that drafts tokens

    @property
    def total_s(self) -> Column:
        return (
            self.dense
            + self.experts
            + self.cache
            + self.prefill_attention
            + self.exchange
            + self.activations
            + self.overhead
            + self.drafting
        )


def step(
    points: Points,
    at: StepCoefficients,
    *,
    decoding: Column,
    verified_tokens: Column,
    context_tokens: Column,
    prefill_tokens: Column,
    prefill_context: Column,
) -> Step:
    """One step with `decoding` sequences of mean context and `prefill_tokens` new prompt tokens.

    Both are those of one pipeline microbatch (whole replica without a pipeline). Each sequence
    brings `verified_tokens`, 1 without speculative decoding; `prefill_context` is the mean number
    of earlier tokens that a prompt token attends to. The sum is over groups of kernels, the smooth
    maximum inside a group. Source: docs/method.md#step.
    """
    tokens = decoding * verified_tokens + prefill_tokens
    factor = points.step_factor
    return Step(
        dense=factor * _dense_s(points, at, tokens),
        experts=factor * _experts_s(points, at, tokens),
        cache=factor * _cache_s(points, at, decoding, context_tokens),
        prefill_attention=factor * _prefill_attention_s(points, at, prefill_tokens, prefill_context),
        exchange=factor * _exchange_s(points, at, tokens),
        activations=factor
        * tokens
        * (points.activation_s * at.activation_passes + points.expert_activation_s * at.expert_activation_passes),
        overhead=factor * points.overhead_factor * _overhead_s(points, at, decoding),
        drafting=_drafting_s(
            points,
            at,
            decoding=decoding,
            context_tokens=context_tokens,
            prefill_tokens=prefill_tokens,
            prefill_context=prefill_context,
        ),
    )


def _drafting_s(
    points: Points,
    at: StepCoefficients,
    *,
    decoding: Column,
    context_tokens: Column,
    prefill_tokens: Column,
    prefill_context: Column,
) -> Column:
    """One pass over all sequences for each drafted token; the draft model also reads every prompt, once."""
    if points.draft is None:
        return np.zeros(1)
    plain, whole = (
        step(
            points.draft,
            at,
            decoding=decoding,
            verified_tokens=np.ones(1),
            context_tokens=context_tokens,
            prefill_tokens=prompt,
            prefill_context=prefill_context,
        ).total_s
        for prompt in (np.zeros(1), prefill_tokens)
    )
    alone = np.where(prefill_tokens > 0.0, whole, 0.0)
    return np.where(decoding > 0.0, points.draft_passes * plain + whole - plain, alone)


def smooth_max(x: Column, y: Column, exponent: float) -> Column:
    """A maximum without a corner: (x^p + y^p)^(1/p), which is `x` where `y` is much smaller."""
    if exponent == 3.0:
        return np.asarray(np.cbrt(x * x * x + y * y * y))
    return np.asarray((x**exponent + y**exponent) ** (1.0 / exponent))


def _dense_s(points: Points, at: StepCoefficients, tokens: Column) -> Column:
    # F / (e_c T'/(T'+m0)) with F = T f, T' = T/dp, written so that T = 0 gives no division by zero
    half = at.half_efficiency_tokens * points.half_efficiency_factor
    compute = points.dense_compute_s * (tokens + half * points.data) / at.compute_efficiency
    return smooth_max(points.dense_read_s / at.weight_read_efficiency, compute, at.overlap_exponent)


def _experts_s(points: Points, at: StepCoefficients, tokens: Column) -> Column:
    if points.experts_absent:
        return np.zeros(1)
    touched = -np.expm1(tokens * points.expert_log_miss)
    factor = points.half_efficiency_factor
    width = 1.0 + at.half_efficiency_expert_width * factor / points.expert_width
    # T / (m/(m+x0)) = T + x0 E/k, m = T k/E
    padded = tokens + at.half_efficiency_expert_tokens * factor / np.maximum(points.expert_share, 1e-12)
    compute = points.expert_compute_s * padded * width / at.compute_efficiency
    return smooth_max(points.expert_read_s * touched / at.weight_read_efficiency, compute, at.overlap_exponent)


def _cache_s(points: Points, at: StepCoefficients, decoding: Column, context: Column) -> Column:
    attended = np.minimum(context, points.sparse_tokens)
    windowed = np.minimum(context, points.window_tokens)
    per_sequence = (
        points.cache_read_s * attended
        + points.window_read_s * windowed
        + points.indexer_read_s * context
        + points.state_read_s
    )
    read = decoding * per_sequence / at.cache_read_efficiency
    compute = decoding * (attended * points.decode_attention_s + windowed * points.decode_window_s)
    compute = compute / at.attention_efficiency
    return smooth_max(read, compute, at.overlap_exponent)


def _prefill_attention_s(points: Points, at: StepCoefficients, prefill: Column, context: Column) -> Column:
    full = points.prefill_attention_s * np.minimum(context, points.sparse_tokens)
    window = points.prefill_window_s * np.minimum(context, points.window_tokens)
    return prefill * (full + window) / at.attention_efficiency


def _exchange_s(points: Points, at: StepCoefficients, tokens: Column) -> Column:
    latency = np.where(np.isnan(points.collective_latency_s), at.all_reduce_latency_s, points.collective_latency_s)
    inside = tokens * points.exchange_s / at.link_efficiency + points.collectives * latency
    between = tokens * points.stage_hop_s / at.link_efficiency + points.stage_hops * latency
    return inside + between


def _overhead_s(points: Points, at: StepCoefficients, decoding: Column) -> Column:
    return (
        points.layers * at.layer_overhead_s
        + points.moe_layers * at.moe_layer_overhead_s
        + points.mla_layers * at.mla_layer_overhead_s
        + points.block_scaled_layers * at.block_scale_overhead_s
        + decoding / points.data * at.sequence_overhead_s
    )
