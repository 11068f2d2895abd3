"""The few numbers of a model that speed and memory formulas need: the seam between reading and sizing."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypedDict

from sizing.core.model.architecture import AttentionKind, FeedForward, ModelArchitecture
from sizing.core.model.modules import Module, Role
from sizing.core.model.parameters import active_parameters, parameters_by_role, total_parameters
from sizing.core.model.quantisation import Quantisation
from sizing.core.precision import BF16, Rate, StorageFormat


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFeatures:
    """A decoder language model reduced to what one engine step reads and computes.

    Counts are parameters or elements of the whole model (all layers), not bytes, unless the name
    says bytes. Symbols in brackets are those of docs/method.md.
    """

    name: str
    family: str  # model_type of the config file
    layers: int  # [L]
    hidden_size: int  # [H]
    vocab_size: int  # [V]
    heads: int
    kv_heads: int  # [n_kv]; 1 for MLA's shared latent
    attention_parameters: int  # [P_attn] projections of all layers, recurrent mixers included
    dense_parameters: int  # [P_dense] dense feed-forward and shared experts of all layers
    embedding_parameters: int  # input embedding plus LM head if untied
    lm_head_parameters: int  # V x H, also where tied: read once a step
    other_parameters: int  # norms, routers, biases, vision tower
    moe_layers: int = 0  # [Lm]
    experts: int = 0  # [E] routed experts per MoE layer
    experts_per_token: int = 0  # [k]
    expert_parameters: int = 0  # [P_exp] of one routed expert in one layer
    expert_width: int = 0  # [I]
    attention_layers: int = 0  # [L_att] with softmax attention
    full_attention_layers: int = 0  # [L_full]
    window_tokens: int = 0  # [w], 0 where no layer slides
    kv_elements_per_token: int = 0  # full layers only: grows without bound
    window_kv_elements_per_token: int = 0  # sliding layers: grows up to the window
    is_mla: bool = False
    sparse_top_k: int = 0  # tokens attended by a sparse indexer (DSA), 0 = all
    indexer_bytes_per_token: int = 0
    qk_width: int = 0  # [a_q] heads x query/key width, for prefill
    v_width: int = 0  # [a_v] heads x value width
    mla_decode_qk_width: int = 0
    mla_decode_v_width: int = 0
    recurrent_layers: int = 0  # [L_lin]
    state_bytes_per_sequence: int = 0
    max_context_tokens: int = 0
    total_parameters: int = 0
    active_parameters: int = 0
    unwindowed_kv_elements_per_token: int = 0  # what an engine reserves that ignores windows
    kv_layers: int = 0  # layers that keep a cache of their own
    recurrent_values_per_sequence: int = 0  # the state's values, whatever their width
    fixed_state_bytes_per_sequence: int = 0  # part of the state: an encoder's output, kept once
    tower_parameters_apart: int = 0  # towers that the published total leaves out; they need memory too
    encoder_tokens_per_input: int = 0  # of the tower with the largest input; 0 without towers
    mtp_parameters: int = 0  # used only for speculative decoding
    kv_projection_parameters: int = 0  # copied where tensor parallelism exceeds the KV heads
    dense_widths: tuple[int, ...] = ()  # of dense feed-forward blocks and shared experts, each once
    stored_weight_block: int = 0  # side of the blocks that a checkpoint's scales cover (128 in FP8)
    unsplit_parameters: int = 0  # latent and indexer projections that every tensor rank holds whole


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightBytes:
    """Bytes per stored weight and the compute rate, by group of weights."""

    attention: float
    dense: float
    experts: float
    embedding: float
    other: float
    attention_rate: Rate
    dense_rate: Rate
    experts_rate: Rate
    total_bytes: int  # of the whole checkpoint as served, without towers counted apart
    tower_bytes_apart: int = 0
    source: str = ""  # of exact bytes: the files or the hub; empty where they are computed
    exact_ratio: float = 1.0  # exact over computed bytes: the widths above are scaled by it


FORMAT_FAMILIES = ("fp8", "nvfp4", "mxfp4", "int4", "int8", "nf4", "gguf")
"""Formats of one family are the same choice: a block-scaled FP8 checkpoint is what `fp8` asks for."""


def model_features(model: ModelArchitecture) -> ModelFeatures:
    """Counts and cache elements that speed and memory formulas use."""
    roles = parameters_by_role(model)
    towers = sum(tower.parameters for tower in model.towers if tower.in_total)
    total = total_parameters(model)
    counted = sum(roles.values()) + towers
    experts = _mixture(model)
    return ModelFeatures(
        name=model.name,
        family=model.model_type,
        layers=model.layers,
        hidden_size=model.hidden_size,
        vocab_size=model.vocab_size,
        attention_parameters=roles[Role.ATTENTION] + roles[Role.RECURRENT],
        dense_parameters=roles[Role.DENSE],
        embedding_parameters=roles[Role.EMBEDDING] + roles[Role.LM_HEAD],
        lm_head_parameters=0 if model.is_encoder else model.vocab_size * model.hidden_size,
        other_parameters=roles[Role.SMALL] + roles[Role.ROUTER] + towers + (total - counted),
        max_context_tokens=model.max_context_tokens,
        total_parameters=total,
        active_parameters=active_parameters(model),
        tower_parameters_apart=sum(tower.parameters for tower in model.towers if not tower.in_total),
        encoder_tokens_per_input=max((tower.tokens_per_input for tower in model.towers), default=0),
        mtp_parameters=model.mtp_parameters,
        stored_weight_block=model.quantisation.block if model.quantisation is not None else 0,
        dense_widths=_dense_widths(model),
        kv_projection_parameters=_named(model, KV_PROJECTIONS),
        unsplit_parameters=_named(model, UNSPLIT),
        moe_layers=sum(g.count for g in model.groups if g.feed_forward is not None and g.feed_forward.experts),
        experts=experts.experts,
        experts_per_token=experts.experts_per_token,
        expert_parameters=experts.expert_parameters,
        expert_width=experts.expert_width,
        recurrent_layers=sum(group.count for group in model.groups if group.recurrent is not None),
        state_bytes_per_sequence=state_bytes_per_sequence(model),
        recurrent_values_per_sequence=sum(g.count * g.recurrent.state_values for g in model.groups if g.recurrent),
        fixed_state_bytes_per_sequence=model.fixed_state_bytes_per_sequence,
        **_attention_features(model),
    )


def state_bytes_per_sequence(model: ModelArchitecture) -> int:
    """Constant bytes per running sequence, whatever its length."""
    recurrent = sum(g.count * g.recurrent.state_bytes_per_sequence for g in model.groups if g.recurrent is not None)
    return recurrent + model.fixed_state_bytes_per_sequence


KV_PROJECTIONS = ("self_attn.k_proj", "self_attn.v_proj")
UNSPLIT = ("self_attn.q_a_proj", "self_attn.kv_a_proj", "self_attn.indexer", "self_attn.wq_a", "self_attn.wkv")


def _named(model: ModelArchitecture, names: tuple[str, ...]) -> int:
    """Parameters of the softmax layers' modules whose names begin so."""
    return sum(
        group.count * module.parameters
        for group in model.groups
        if group.attention is not None
        for module in group.modules
        if module.name.startswith(names)
    )


def _dense_widths(model: ModelArchitecture) -> tuple[int, ...]:
    blocks = [group.feed_forward for group in model.groups if group.feed_forward is not None]
    return tuple(sorted({width for block in blocks for width in (block.width, block.shared_width) if width}))


def _mixture(model: ModelArchitecture) -> FeedForward:
    for group in model.groups:
        if group.feed_forward is not None and group.feed_forward.experts:
            return group.feed_forward
    return FeedForward()


class _AttentionFeatures(TypedDict):
    heads: int
    kv_heads: int
    attention_layers: int
    full_attention_layers: int
    window_tokens: int
    kv_elements_per_token: int
    window_kv_elements_per_token: int
    unwindowed_kv_elements_per_token: int
    is_mla: bool
    sparse_top_k: int
    indexer_bytes_per_token: int
    qk_width: int
    v_width: int
    mla_decode_qk_width: int
    mla_decode_v_width: int
    kv_layers: int


def _attention_features(model: ModelArchitecture) -> _AttentionFeatures:
    softmax = [(g, g.attention) for g in model.groups if g.attention is not None]
    own = list(model.attention_groups())
    widest = max((a for _, a in softmax), key=lambda a: a.heads * a.qk_head_dim, default=None)
    latent = next((a for _, a in softmax if a.latent_rank), None)
    cached = [a for _, a in own if a.unwindowed_kv_elements_per_token]
    return _AttentionFeatures(
        heads=max((a.heads for _, a in softmax), default=0),
        kv_heads=min((a.kv_heads for a in cached), default=widest.kv_heads if widest is not None else 0),
        attention_layers=sum(g.count for g, _ in softmax),
        full_attention_layers=sum(g.count for g, a in softmax if a.kind is not AttentionKind.SLIDING),
        window_tokens=max((a.window_tokens for _, a in own), default=0),
        kv_elements_per_token=sum(g.count * a.kv_elements_per_token for g, a in own),
        window_kv_elements_per_token=sum(g.count * a.window_kv_elements_per_token for g, a in own),
        unwindowed_kv_elements_per_token=sum(g.count * a.unwindowed_kv_elements_per_token for g, a in own),
        is_mla=any(a.kind in (AttentionKind.LATENT, AttentionKind.COMPRESSED) for _, a in softmax),
        sparse_top_k=max((a.sparse_top_k for _, a in softmax), default=0),
        indexer_bytes_per_token=sum(g.count * a.index_elements_per_token for g, a in own),
        qk_width=widest.heads * widest.qk_head_dim if widest is not None else 0,
        v_width=widest.heads * widest.v_head_dim if widest is not None else 0,
        mla_decode_qk_width=latent.heads * (latent.latent_rank + latent.latent_rope_dim) if latent is not None else 0,
        mla_decode_v_width=latent.heads * latent.latent_rank if latent is not None else 0,
        kv_layers=sum(g.count for g, a in own if a.unwindowed_kv_elements_per_token),
    )


def weight_bytes(model: ModelArchitecture, weights_format: StorageFormat | None) -> WeightBytes:
    """Bytes of the weights as served.

    `weights_format` None, or of the family that the checkpoint already has: as stored, exception
    lists honoured (32-bit files are served in 16 bits). Otherwise every matrix of the layers is
    converted; embeddings, head, norms and routers stay 16-bit, and attention too where a 4-bit
    format meets a mixture of experts, as published checkpoints do. GGUF formats are averages over
    whole files and cover tables too.
    """
    stored = model.quantisation
    if stored is not None and (weights_format is None or same_family(weights_format, stored)):
        return _sum_bytes(model, stored.format_of)
    return _sum_bytes(model, _converter(model, weights_format or BF16))


def with_exact_bytes(
    weights: WeightBytes, total_bytes: int, *, source: str = "", tower_bytes_apart: int = 0
) -> WeightBytes:
    """The weights as their files hold them: every group scaled so that all together have `total_bytes`.

    `tower_bytes_apart` are those of towers that the files lack; safetensors files hold them too.
    """
    ratio = total_bytes / weights.total_bytes if weights.total_bytes else 1.0
    return replace(
        weights,
        attention=weights.attention * ratio,
        dense=weights.dense * ratio,
        experts=weights.experts * ratio,
        embedding=weights.embedding * ratio,
        other=weights.other * ratio,
        total_bytes=total_bytes,
        tower_bytes_apart=tower_bytes_apart,
        source=source,
        exact_ratio=ratio,
    )


def same_family(wanted: StorageFormat, stored: Quantisation) -> bool:
    """Whether the checkpoint is already in the format that the request names. Types of GGUF files differ in size."""
    if wanted.slug.startswith("gguf"):
        return stored.main_format.slug == wanted.slug
    kind = next((family for family in FORMAT_FAMILIES if wanted.slug.startswith(family)), wanted.slug)
    return stored.main_format.slug.startswith(kind)


type FormatOf = Callable[[int, Module], StorageFormat]


def _converter(model: ModelArchitecture, wanted: StorageFormat) -> FormatOf:
    if wanted.slug.startswith("gguf"):
        return lambda _layer, module: BF16 if module.role in {Role.SMALL, Role.ROUTER} else wanted
    has_experts = any(g.feed_forward is not None and g.feed_forward.experts for g in model.groups)
    four_bits = wanted.bytes_per_value < 0.75
    roles = {Role.DENSE, Role.EXPERTS}
    if not (four_bits and has_experts):
        roles |= {Role.ATTENTION, Role.RECURRENT}
    rest = wanted if wanted.bytes_per_value >= 2 else BF16

    def format_of(layer: int, module: Module) -> StorageFormat:
        return wanted if layer >= 0 and module.role in roles else rest

    return format_of


class _Sums:
    """Bytes, counts and rates of weights by role."""

    def __init__(self) -> None:
        self.sizes: dict[Role, float] = dict.fromkeys(Role, 0.0)
        self.counts: dict[Role, int] = dict.fromkeys(Role, 0)
        self.rates: dict[tuple[Role, Rate], int] = {}

    def add(self, module: Module, storage: StorageFormat) -> None:
        self.sizes[module.role] += module.parameters * storage.bytes_per_value
        self.counts[module.role] += module.parameters
        key = (module.role, storage.compute)
        self.rates[key] = self.rates.get(key, 0) + module.parameters

    def mean(self, *roles: Role) -> float:
        return _mean(sum(self.sizes[role] for role in roles), sum(self.counts[role] for role in roles))

    def rate(self, *roles: Role) -> Rate:
        """The rate of most weights; 16 bits where there are none."""
        merged: dict[Rate, int] = {}
        for (role, rate), parameters in self.rates.items():
            if role in roles:
                merged[rate] = merged.get(rate, 0) + parameters
        return max(merged, key=lambda rate: merged[rate]) if merged else Rate.BF16


def _sum_bytes(model: ModelArchitecture, format_of: FormatOf) -> WeightBytes:
    """Adds up module by module and layer by layer, since exception lists name layers."""
    sums = _Sums()
    for group in model.groups:
        for module in group.modules:
            for layer in group.layers:
                sums.add(module, format_of(layer, module))
    for module in model.modules:
        sums.add(module, format_of(-1, module))
    towers = sum(tower.parameters for tower in model.towers if tower.in_total)
    apart = sum(tower.parameters for tower in model.towers if not tower.in_total)
    missing = total_parameters(model) - sum(sums.counts.values()) - towers
    extra = missing * sums.mean(Role.ATTENTION, Role.RECURRENT, Role.DENSE)
    other_size = sums.sizes[Role.SMALL] + sums.sizes[Role.ROUTER] + 2.0 * towers + extra
    other_count = sums.counts[Role.SMALL] + sums.counts[Role.ROUTER] + towers + missing
    return WeightBytes(
        attention=sums.mean(Role.ATTENTION, Role.RECURRENT),
        dense=sums.mean(Role.DENSE),
        experts=sums.mean(Role.EXPERTS),
        embedding=sums.mean(Role.EMBEDDING, Role.LM_HEAD),
        other=_mean(other_size, other_count),
        attention_rate=sums.rate(Role.ATTENTION, Role.RECURRENT),
        dense_rate=sums.rate(Role.DENSE),
        experts_rate=sums.rate(Role.EXPERTS),
        total_bytes=math.ceil(sum(sums.sizes.values()) + 2.0 * towers + extra),
        tower_bytes_apart=2 * apart,
    )


def _mean(size: float, count: int) -> float:
    return size / count if count else 2.0
