"""Weights of one accelerator: what parallelism splits, what it copies, what engines pad."""

from math import ceil
from typing import NamedTuple

from sizing.core.engines import EngineMemory
from sizing.core.model.features import ModelFeatures, WeightBytes
from sizing.core.parallelism import VOCABULARY_PAD, Layout

MXFP4_BYTES = 0.53125


class WeightParts(NamedTuple):
    """Weights on one accelerator of the fullest stage, in bytes, by how parallelism treats them."""

    attention: float  # split over the tensor ranks
    kv_projections: float  # split, and copied above the KV-head count
    copied_attention: float  # latent and indexer projections: whole on every rank
    dense: float  # dense blocks and shared experts: split
    experts: float  # routed experts: spread over the whole stage, padding included
    other: float  # norms, routers, biases: copied
    tables: float  # embedding and head: split, padded
    towers: float  # encoders that the published total leaves out: copied

    @property
    def total(self) -> int:
        return ceil(sum(self))


def weight_bytes_per_accelerator(
    features: ModelFeatures, weights: WeightBytes, layout: Layout, engine: EngineMemory
) -> int:
    """Weights on one accelerator of the fullest pipeline stage."""
    return weight_parts(features, weights, layout, engine).total


def weight_parts(features: ModelFeatures, weights: WeightBytes, layout: Layout, engine: EngineMemory) -> WeightParts:
    """Weights on one accelerator of the fullest pipeline stage, part by part.

    Attention is split over the tensor ranks and copied in every data rank; KV projections are
    copied above the KV-head count, latent projections always; experts are split over all
    accelerators of a stage; norms, routers and towers are copied.
    """
    tensor = layout.tensor
    split = features.attention_parameters - features.kv_projection_parameters - features.unsplit_parameters
    kv = features.kv_projection_parameters / min(tensor, max(1, features.kv_heads))
    share = stage_share(features.layers, features.layers, layout.pipeline)
    tables = features.embedding_parameters
    if layout.pipeline > 1:  # the first stage holds the embedding, the last one the head
        tables = max(tables - features.lm_head_parameters, features.lm_head_parameters)
    padded = ceil(features.vocab_size / VOCABULARY_PAD) * VOCABULARY_PAD / max(1, features.vocab_size)
    return WeightParts(
        attention=split / tensor * weights.attention * share,
        kv_projections=kv * weights.attention * share,
        copied_attention=features.unsplit_parameters * weights.attention * share,
        dense=features.dense_parameters * weights.dense / tensor * share,
        experts=_expert_bytes(features, weights, engine)
        / (tensor * layout.data)
        * stage_share(features.moe_layers, features.layers, layout.pipeline),
        other=features.other_parameters * weights.other * share,
        tables=tables * padded * weights.embedding / tensor,
        towers=float(weights.tower_bytes_apart),
    )


def _expert_bytes(features: ModelFeatures, weights: WeightBytes, engine: EngineMemory) -> float:
    """All routed experts, with the columns that the engine pads."""
    count = features.moe_layers * features.experts * features.expert_parameters
    size = count * weights.experts
    if engine.pads_mxfp4_to and count and abs(weights.experts / weights.exact_ratio - MXFP4_BYTES) < 1e-6:
        pad = engine.pads_mxfp4_to
        size *= ceil(features.hidden_size / pad) * pad / features.hidden_size
    return size


def stage_share(own: int, layers: int, pipeline: int) -> float:
    """Share of `own` layers of one kind that the fullest of `pipeline` stages holds.

    Kinds that alternate are spread evenly, rounded up. Where all but a few layers are of the kind (dense
    layers come first), the last stage may hold nothing else.
    """
    if not own:
        return 1.0
    stage = ceil(layers / pipeline)
    others = layers - own
    return (min(stage, own) if others < stage else ceil(own / pipeline)) / own
