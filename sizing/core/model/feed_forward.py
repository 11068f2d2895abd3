"""Feed-forward blocks: dense width, routed experts, shared experts, latent experts."""

from dataclasses import dataclass

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import FeedForward
from sizing.core.model.modules import Module, Role, small
from sizing.core.model.plan import Layer, expert_count
from sizing.core.model.reader import Fields
from sizing.core.model.shape import Shape

ACTIVE_KEYS = ("num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk", "top_k_experts", "moe_k")
WIDTH_KEYS = ("intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim")
SHARED_WIDTH_KEYS = (
    "shared_expert_intermediate_size",
    "moe_shared_expert_intermediate_size",
    "shared_intermediate_size",
    "share_expert_dim",
)
SHARED_COUNT_KEYS = ("n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert")
FOUR_TIMES_HIDDEN = ("gpt2", "gptj", "bloom", "falcon", "gpt_bigcode", "gpt_neox")

type Built = tuple[FeedForward, tuple[Module, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Experts:
    """Sizes of the mixture layers, equal in all of them."""

    count: int
    active: int
    width: int
    shared_width: int
    latent: int  # width that the experts work on, 0 for the hidden size


def build_feed_forward(shape: Shape, layer: Layer) -> Built:
    """The block of one layer and its weights."""
    if layer.feed == "none":
        return FeedForward(), ()
    if layer.feed == "moe":
        return _mixture(shape)
    width = layer.width or dense_width(shape)
    return FeedForward(width=width), _dense(shape, "mlp", width)


def _matrices(shape: Shape) -> int:
    return 3 if shape.family.gated else 2


def _dense(shape: Shape, name: str, width: int) -> tuple[Module, ...]:
    """Up, gate (where there is one) and down projection with their biases."""
    names = ("up_proj", "down_proj", "gate_proj")[: _matrices(shape)]
    projections = tuple(Module(f"{name}.{part}", shape.hidden * width, Role.DENSE) for part in names)
    stated = shape.fields.flag("mlp_bias") or shape.fields.flag("use_bias")
    has_bias = stated if shape.family.mlp_bias is None else shape.family.mlp_bias
    return projections + small(f"{name}.bias", shape.hidden + width if has_bias else 0)


def dense_width(shape: Shape) -> int:
    """Width of a dense block. Raises InvalidModel where no key and no rule gives one."""
    fields, kind = shape.fields, shape.model_type
    if keys := _own_width_keys(shape):
        section = fields.section("ffn_config") if kind == "dbrx" else None
        return (section or fields).required(*keys)
    width = fields.integer(*WIDTH_KEYS, minimum=1)
    if width is None:
        width = _width_by_rule(shape)
    if kind == "qwen":
        return width // 2  # the stored value counts gate and up together
    if fields.flag("block_auto_adjust_ff_dim"):
        multiple = fields.integer("block_multiple_of", minimum=1) or 256
        return -(-(2 * width // 3) // multiple) * multiple
    return width


def _own_width_keys(shape: Shape) -> tuple[str, ...]:
    """Keys of classes whose `intermediate_size` means the experts' width or stands elsewhere."""
    kind, has_experts = shape.model_type, expert_count(shape.fields) > 0
    if kind == "dbrx":
        return ("ffn_hidden_size",)
    if kind == "granitemoehybrid" and not has_experts:
        return ("shared_intermediate_size", "intermediate_size")
    if kind.startswith("llama4") and has_experts:
        return ("intermediate_size_mlp", "intermediate_size")
    return ("dense_intermediate_size", "intermediate_size") if kind == "minimax_m3" else ()


def _width_by_rule(shape: Shape) -> int:
    fields = shape.fields
    if shape.model_type in FOUR_TIMES_HIDDEN:
        fields.notes.fill("intermediate_size", 4 * shape.hidden, "rule")
        return 4 * shape.hidden
    if ratio := fields.integer("expansion_ratio", minimum=1, limit="heads"):
        return ratio * shape.hidden
    raise InvalidModel("model_keys_missing", fields.pointer, keys="intermediate_size", model_type=shape.model_type)


def read_experts(shape: Shape) -> Experts:
    """Sizes of the mixture. Raises InvalidModel where more experts are active than exist."""
    fields = shape.fields
    section = fields.section("ffn_config") if shape.model_type == "dbrx" else None
    source = section or fields
    count = expert_count(fields)
    active = source.integer(*ACTIVE_KEYS, minimum=1, limit="experts")
    if active is None:
        raise InvalidModel("model_keys_missing", source.pointer, keys="num_experts_per_tok")
    if active > count:
        raise InvalidModel("model_experts_too_few", fields.pointer, experts=count, active=active)
    width = source.integer("moe_intermediate_size", "intermediate_size", "ffn_hidden_size", minimum=1)
    if width is None:
        raise InvalidModel("model_keys_missing", source.pointer, keys="moe_intermediate_size")
    return Experts(
        count=count,
        active=active,
        width=width,
        shared_width=_shared_width(shape, fields, width),
        latent=fields.integer("moe_latent_size", "routed_expert_hidden_size") or 0,
    )


def _shared_width(shape: Shape, fields: Fields, width: int) -> int:
    """Width of all shared experts together."""
    if shape.model_type.startswith("llama4"):
        return width
    stated = fields.integer(*SHARED_WIDTH_KEYS)
    if stated is not None:
        return stated
    count = fields.integer(*SHARED_COUNT_KEYS, limit="experts") or 0
    return count * width


def _mixture(shape: Shape) -> Built:
    fields, hidden, matrices = shape.fields, shape.hidden, _matrices(shape)
    experts = read_experts(shape)
    inner = experts.latent or hidden
    one = matrices * inner * experts.width
    if shape.family.sinks:  # gpt-oss: every expert has biases
        one += 2 * experts.width + inner
    modules = [
        Module("mlp.experts.0.down_proj", experts.count * one, Role.EXPERTS),
        Module("mlp.gate", experts.count * hidden, Role.ROUTER),
    ]
    if shape.family.router_bias:
        modules += small("mlp.gate.e_score_correction_bias", experts.count)
    if experts.latent:
        modules.append(Module("mlp.latent_proj", 2 * hidden * experts.latent, Role.DENSE))
    if experts.shared_width:
        modules += [
            Module(f"mlp.shared_experts.{part}", hidden * experts.shared_width, Role.DENSE)
            for part in ("up_proj", "down_proj", "gate_proj")[:matrices]
        ]
    if shape.model_type.startswith(("qwen2_moe", "qwen3_next", "qwen3_5")) and experts.shared_width:
        modules += small("mlp.shared_expert_gate", hidden)
    if fields.flag("enable_moe_block"):  # Gemma 4 keeps a dense block beside the experts
        modules += _dense(shape, "mlp", dense_width(shape))
    block = FeedForward(
        width=experts.shared_width,
        experts=experts.count,
        experts_per_token=experts.active,
        expert_width=experts.width,
        expert_parameters=one,
        shared_width=experts.shared_width,
    )
    return block, tuple(modules)
