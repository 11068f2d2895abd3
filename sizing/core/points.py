"""Candidate points as columns: what one step reads and computes, free of any fitted number."""

from dataclasses import dataclass, field, fields
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from sizing.core.model.features import ModelFeatures

type Column = NDArray[np.float64]

ALL_TOUCHED = -50.0
"""Logarithm of the chance to miss an expert where every token goes to all of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Where and how one model runs, one row per candidate; every column has shape (n,) or ().

    `tensor`, `pipeline`, `data` are the degrees of one replica; a stage has tensor x data ranks.
    `*_flops` are dense peaks at the rate that each group of weights computes with.
    """

    bandwidth: Column  # bytes/s of one accelerator
    attention_flops: Column
    dense_flops: Column
    experts_flops: Column
    bf16_flops: Column
    link: Column  # bytes/s one way between ranks of a stage
    stage_link: Column  # bytes/s one way between pipeline stages
    tensor: Column
    pipeline: Column
    data: Column
    attention_bytes: Column  # per weight
    dense_bytes: Column
    experts_bytes: Column
    embedding_bytes: Column
    kv_bytes: Column  # per element of the cache
    block_scaled: Column  # 1 where experts are block-scaled FP8
    overhead_factor: Column
    step_factor: Column
    collective_latency_s: Column  # NaN: as fitted
    experts_whole: Column = field(default_factory=lambda: np.asarray(1.0))  # 1: each lies on one rank, 0: cut over all
    half_efficiency_factor: Column = field(default_factory=lambda: np.asarray(1.0))


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Seconds at peak, per step, per token or per sequence; columns broadcast against each other."""

    layers: Column
    moe_layers: Column
    mla_layers: Column
    block_scaled_layers: Column
    data: Column
    pipeline: Column
    dense_read_s: Column  # all dense weights once
    dense_compute_s: Column  # per token
    expert_read_s: Column  # all experts of all layers once
    expert_log_miss: Column  # ln(1 - k/E): chance of an expert to be missed by one token
    expert_compute_s: Column  # per token
    expert_share: Column  # k/E
    expert_width: Column
    cache_read_s: Column  # per token of context and sequence, layers without window
    window_read_s: Column  # per token inside the window and sequence
    window_tokens: Column
    sparse_tokens: Column  # context cap of sparse attention, infinity where none
    indexer_read_s: Column  # per token of context and sequence
    state_read_s: Column  # per sequence
    decode_attention_s: Column  # per token of context and sequence, full layers
    decode_window_s: Column  # same, sliding layers
    prefill_attention_s: Column  # per prompt token and token of context, full layers
    prefill_window_s: Column  # same, sliding layers
    exchange_s: Column  # per token over the links of a stage
    collectives: Column  # per step
    stage_hop_s: Column  # per token between stages
    stage_hops: Column
    activation_s: Column  # one pass over T x H of every layer, per token
    expert_activation_s: Column  # one pass over T x k x H of every MoE layer, per token
    overhead_factor: Column
    step_factor: Column
    collective_latency_s: Column
    half_efficiency_factor: Column = field(default_factory=lambda: np.asarray(1.0))
    draft: "Points | None" = None  # the model that drafts tokens, on the same accelerators
    draft_passes: Column = field(default_factory=lambda: np.asarray(0.0))  # per step

    @property
    def experts_absent(self) -> bool:
        """Whether no point is a mixture of experts; exact for points of one model."""
        return self.moe_layers.ndim == 0 and not self.moe_layers

    def take(self, index: NDArray[np.intp]) -> "Points":
        """The rows at `index`; columns that are the same for all stay scalars."""
        columns = {name: _rows(getattr(self, name), index) for name in COLUMNS}
        return Points(**columns, draft=self.draft.take(index) if self.draft is not None else None)


COLUMNS = tuple(f.name for f in fields(Points) if f.name != "draft")


def _rows(column: Column, index: NDArray[np.intp]) -> Column:
    return column[index] if np.ndim(column) else column


def points_of(model: ModelFeatures, at: Placement) -> Points:
    """Reduce a model placed on hardware to seconds at peak. Source: docs/method.md#step."""
    ranks = at.tensor * at.data
    width = float(model.hidden_size)
    return Points(
        layers=np.asarray(float(model.layers)),
        moe_layers=np.asarray(float(model.moe_layers)),
        mla_layers=np.asarray(float(model.layers if model.is_mla else 0)),
        block_scaled_layers=at.block_scaled * model.moe_layers,
        data=at.data,
        pipeline=at.pipeline,
        dense_read_s=_dense_read_s(model, at),
        dense_compute_s=2.0
        / ranks
        * (model.attention_parameters / at.attention_flops + model.dense_parameters / at.dense_flops),
        state_read_s=2.0 * model.state_bytes_per_sequence / (ranks * at.bandwidth),
        exchange_s=_exchange_s(model, at),
        collectives=np.where(ranks > 1, 2.0 * model.layers, 0.0),
        stage_hop_s=(at.pipeline - 1.0) * 2.0 * width / at.stage_link,
        stage_hops=at.pipeline - 1.0,
        activation_s=2.0 * width * model.layers / (at.data * at.bandwidth),
        expert_activation_s=2.0 * width * model.moe_layers * model.experts_per_token / (at.data * at.bandwidth),
        overhead_factor=at.overhead_factor,
        step_factor=at.step_factor,
        collective_latency_s=at.collective_latency_s,
        half_efficiency_factor=at.half_efficiency_factor,
        **_experts(model, at),
        **_caches(model, at),
        **_attention(model, at),
    )


class _Experts(TypedDict):
    expert_read_s: Column
    expert_log_miss: Column
    expert_compute_s: Column
    expert_share: Column
    expert_width: Column


def _experts(model: ModelFeatures, at: Placement) -> _Experts:
    ranks = at.tensor * at.data
    share = model.experts_per_token / model.experts if model.experts else 0.0
    one_of_each = model.moe_layers * float(model.expert_parameters)
    return _Experts(
        expert_read_s=one_of_each * model.experts * at.experts_bytes / (ranks * at.bandwidth),
        expert_log_miss=np.asarray(np.log1p(-share) if share < 1.0 else ALL_TOUCHED),
        expert_compute_s=2.0 * one_of_each * model.experts_per_token / (at.experts_flops * ranks),
        expert_share=np.asarray(share),
        expert_width=np.asarray(float(max(model.expert_width, 1))),
    )


class _Caches(TypedDict):
    cache_read_s: Column
    window_read_s: Column
    window_tokens: Column
    sparse_tokens: Column
    indexer_read_s: Column


def _caches(model: ModelFeatures, at: Placement) -> _Caches:
    """Heads split over tensor ranks up to their number; a latent cache is copied on each of them."""
    split = np.asarray(1.0) if model.is_mla else np.minimum(at.tensor, max(model.kv_heads, 1))
    one_token_s = at.kv_bytes / (split * at.data * at.bandwidth)
    return _Caches(
        cache_read_s=model.kv_elements_per_token * one_token_s,
        window_read_s=model.window_kv_elements_per_token * one_token_s,
        window_tokens=np.asarray(float(model.window_tokens or np.inf)),
        sparse_tokens=np.asarray(float(model.sparse_top_k or np.inf)),
        indexer_read_s=model.indexer_bytes_per_token / (at.data * at.bandwidth),
    )


class _Attention(TypedDict):
    decode_attention_s: Column
    decode_window_s: Column
    prefill_attention_s: Column
    prefill_window_s: Column


def _attention(model: ModelFeatures, at: Placement) -> _Attention:
    """Products of queries with keys and of weights with values; latent attention decodes in the latent width."""
    prefill = float(model.qk_width + model.v_width)
    decode = float(model.mla_decode_qk_width + model.mla_decode_v_width) if model.is_mla else prefill
    per_width = 2.0 / (at.tensor * at.data * at.bf16_flops)
    full, window = model.full_attention_layers, model.attention_layers - model.full_attention_layers
    return _Attention(
        decode_attention_s=full * decode * per_width,
        decode_window_s=window * decode * per_width,
        prefill_attention_s=full * prefill * per_width,
        prefill_window_s=window * prefill * per_width,
    )


def _dense_read_s(model: ModelFeatures, at: Placement) -> Column:
    """Attention and dense weights are split by tensor rank only, the head over every rank."""
    split = model.attention_parameters * at.attention_bytes + model.dense_parameters * at.dense_bytes
    head = model.lm_head_parameters * at.embedding_bytes
    return (split / at.tensor + head / (at.tensor * at.data)) / at.bandwidth


def _exchange_s(model: ModelFeatures, at: Placement) -> Column:
    """All-reduce bytes of tensor ranks, or what attention data parallelism sends to and from the experts.

    Where each expert lies on one rank, tokens go to the ranks of their experts in 8 bits and come back in
    16; where experts are cut over all ranks, every rank gathers all tokens and scatters its part of the sum.
    """
    ranks = at.tensor * at.data
    ring = (ranks - 1.0) / ranks / at.link
    all_reduce = 2.0 * model.layers * model.hidden_size * 2.0 * 2.0
    all_to_all = 2.0 * model.layers * max(model.experts_per_token, 1) * model.hidden_size * 1.5 / at.data
    gathered = 2.0 * model.layers * model.hidden_size * 2.0
    between = np.where(at.experts_whole > 0.0, all_to_all, gathered)
    return np.where(at.data > 1, between, all_reduce) * ring
