"""The step model of one point as plain floats: the same sums as `roofline.step`, without array overhead."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import cbrt, expm1, isnan

import numpy as np

from sizing.core.coefficients import StepCoefficients
from sizing.core.points import COLUMNS, Points


@dataclass(frozen=True, slots=True, kw_only=True)
class StepClock:
    """Constants of one deployment, in seconds, such that a step takes a few multiplications."""

    fixed_s: float  # overheads and latencies of a step
    per_token_s: float  # activations and links
    per_sequence_s: float
    dense_read_s: float
    dense_compute_s: float  # per token
    dense_compute_fixed_s: float
    expert_read_s: float
    expert_log_miss: float
    expert_compute_s: float
    expert_compute_fixed_s: float
    cache_read_s: float
    window_read_s: float
    window_tokens: float
    sparse_tokens: float
    indexer_read_s: float
    state_read_s: float
    decode_attention_s: float
    decode_window_s: float
    prefill_attention_s: float
    prefill_window_s: float
    stages: float
    exponent: float
    draft: "StepClock | None" = None  # of the model that drafts tokens
    draft_passes: float = 0.0

    def step_s(
        self, decoding: float, context: float, prefill: float, prefill_context: float, verified: float = 1.0
    ) -> float:
        """Seconds of one step through all stages of a pipeline.

        `context` is the mean per decoding sequence, each of which brings `verified` tokens.
        """
        decoding, prefill = decoding / self.stages, prefill / self.stages
        tokens = decoding * verified + prefill
        dense = self._smooth(self.dense_read_s, self.dense_compute_fixed_s + self.dense_compute_s * tokens)
        total = self.fixed_s + self.per_token_s * tokens + self.per_sequence_s * decoding + dense
        if self.expert_read_s:
            touched = -expm1(tokens * self.expert_log_miss)
            compute = self.expert_compute_fixed_s + self.expert_compute_s * tokens
            total += self._smooth(self.expert_read_s * touched, compute)
        if decoding:
            attended = min(context, self.sparse_tokens)
            windowed = min(context, self.window_tokens)
            read = self.cache_read_s * attended + self.window_read_s * windowed + self.indexer_read_s * context
            work = self.decode_attention_s * attended + self.decode_window_s * windowed
            total += self._smooth(decoding * (read + self.state_read_s), decoding * work)
        if prefill:
            full = self.prefill_attention_s * min(prefill_context, self.sparse_tokens)
            total += prefill * (full + self.prefill_window_s * min(prefill_context, self.window_tokens))
        if self.draft is not None:
            total += self._drafting_s(decoding * self.stages, context, prefill * self.stages, prefill_context)
        return total

    def _drafting_s(self, decoding: float, context: float, prefill: float, prefill_context: float) -> float:
        """As `roofline._drafting_s`."""
        if self.draft is None:
            return 0.0
        whole = self.draft.step_s(decoding, context, prefill, prefill_context) if prefill or decoding else 0.0
        if not decoding:
            return whole
        plain = self.draft.step_s(decoding, context, 0.0, 0.0) if prefill else whole
        return self.draft_passes * plain + whole - plain

    def _smooth(self, x: float, y: float) -> float:
        if self.exponent == 3.0:
            return cbrt(x * x * x + y * y * y)
        return float((x**self.exponent + y**self.exponent) ** (1.0 / self.exponent))


def clock_of(points: Points, at: StepCoefficients, row: int = 0) -> StepClock:
    """The clock of one row of `points`. Same result as `roofline.step` to rounding."""
    v = _row_of(points, row)
    factor, cache = v["step_factor"], v["step_factor"] / at.cache_read_efficiency
    attention = factor / at.attention_efficiency
    dense = factor * v["dense_compute_s"] / at.compute_efficiency
    half = v["half_efficiency_factor"]
    width = 1.0 + at.half_efficiency_expert_width * half / v["expert_width"]
    expert = factor * v["expert_compute_s"] * width / at.compute_efficiency
    return StepClock(
        fixed_s=_fixed_s(v, at),
        per_token_s=_per_token_s(v, at),
        per_sequence_s=factor * v["overhead_factor"] * at.sequence_overhead_s / v["data"],
        dense_read_s=factor * v["dense_read_s"] / at.weight_read_efficiency,
        dense_compute_s=dense,
        dense_compute_fixed_s=dense * at.half_efficiency_tokens * half * v["data"],
        expert_read_s=factor * v["expert_read_s"] / at.weight_read_efficiency,
        expert_log_miss=v["expert_log_miss"],
        expert_compute_s=expert,
        expert_compute_fixed_s=expert * at.half_efficiency_expert_tokens * half / max(v["expert_share"], 1e-12),
        cache_read_s=cache * v["cache_read_s"],
        window_read_s=cache * v["window_read_s"],
        window_tokens=v["window_tokens"],
        sparse_tokens=v["sparse_tokens"],
        indexer_read_s=cache * v["indexer_read_s"],
        state_read_s=cache * v["state_read_s"],
        decode_attention_s=attention * v["decode_attention_s"],
        decode_window_s=attention * v["decode_window_s"],
        prefill_attention_s=attention * v["prefill_attention_s"],
        prefill_window_s=attention * v["prefill_window_s"],
        stages=v["pipeline"],
        exponent=at.overlap_exponent,
        draft=clock_of(points.draft, at, row) if points.draft is not None else None,
        draft_passes=v["draft_passes"],
    )


def _row_of(points: Points, row: int) -> dict[str, float]:
    found = {}
    for name in COLUMNS:
        column = np.asarray(getattr(points, name), dtype=float)
        found[name] = float(column.reshape(-1)[row if column.size > 1 else 0])
    return found


def _fixed_s(v: Mapping[str, float], at: StepCoefficients) -> float:
    """Launches and latencies, whatever the batch."""
    latency = at.all_reduce_latency_s if isnan(v["collective_latency_s"]) else v["collective_latency_s"]
    overhead = (
        v["layers"] * at.layer_overhead_s
        + v["moe_layers"] * at.moe_layer_overhead_s
        + v["mla_layers"] * at.mla_layer_overhead_s
        + v["block_scaled_layers"] * at.block_scale_overhead_s
    )
    return v["step_factor"] * (v["overhead_factor"] * overhead + (v["collectives"] + v["stage_hops"]) * latency)


def _per_token_s(v: Mapping[str, float], at: StepCoefficients) -> float:
    """Activations and links."""
    dense, experts = v["activation_s"] * at.activation_passes, v["expert_activation_s"] * at.expert_activation_passes
    return v["step_factor"] * (dense + experts + (v["exchange_s"] + v["stage_hop_s"]) / at.link_efficiency)
