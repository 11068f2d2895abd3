"""Mixers with a constant state per sequence: Mamba, gated delta nets, linear attention, short convolutions.

State bytes: the recurrent part in 32 bits where the class or the file says so, else 16; the
convolution's last inputs in 16 bits. Source: model classes of the transformers library.
"""

from sizing.core.model.architecture import Recurrent
from sizing.core.model.modules import Module, Role, small
from sizing.core.model.plan import Layer
from sizing.core.model.reader import Fields
from sizing.core.model.shape import ATTENTION_FREE, Shape

type Built = tuple[Recurrent, tuple[Module, ...]]


def build_recurrent(shape: Shape, layer: Layer) -> Built:
    """Mixer of one layer and its weights."""
    builders = {"mamba1": _mamba1, "delta": _delta, "kda": _kda, "linear": _linear, "conv": _conv}
    return builders.get(layer.mixer, _mamba2)(shape)


def _mixer(name: str, parameters: int) -> Module:
    return Module(name, parameters, Role.RECURRENT)


def _state_bytes(fields: Fields, *, default: int) -> int:
    """Bytes of one value of the recurrent state."""
    stated = fields.text("mamba_ssm_cache_dtype") or fields.text("mamba_ssm_dtype")
    if stated is None:
        return default
    return 4 if "32" in stated else 2


def _filled(fields: Fields, *keys: str, default: int, limit: str = "") -> int:
    value = fields.integer(*keys, minimum=1, limit=limit)
    if value is None:
        fields.notes.fill(keys[0], default, "class_default")
        return default
    return value


def _mamba2(shape: Shape) -> Built:
    fields, hidden = shape.fields, shape.hidden
    head_dim = _filled(fields, "mamba_head_dim", "mamba_d_head", "mamba_headdim", *_own(shape, "head_dim"), default=64)
    heads = fields.integer("mamba_num_heads", "mamba_n_heads", *_own(shape, "num_heads"), minimum=1, limit="heads")
    if heads is None:
        inner = _filled(fields, "mamba_expand", "expand", default=2, limit="heads") * hidden
        heads = max(1, inner // head_dim)
        fields.notes.fill("mamba_num_heads", heads, "derived")
    inner = heads * head_dim
    state = _filled(fields, "ssm_state_size", "mamba_d_state", "state_size", default=128)
    groups = _filled(fields, "mamba_num_groups", "mamba_n_groups", "n_groups", default=1)
    kernel = _filled(fields, "conv_kernel", "mamba_d_conv", default=4, limit="heads")
    conv = inner + 2 * groups * state
    projected = hidden * (2 * inner + 2 * groups * state + heads)
    conv_bias = fields.boolean("use_conv_bias") is not False and fields.boolean("mamba_conv_bias") is not False
    modules = (
        _mixer("mixer.in_proj", projected),
        _mixer("mixer.out_proj", inner * hidden),
        *small("mixer.conv1d", conv * kernel + (conv if conv_bias else 0)),
        *small("mixer.state", 3 * heads),
        *small("mixer.norm", inner),
    )
    cells, last = heads * head_dim * state, conv * (kernel - 1)
    held = cells * _state_bytes(fields, default=2) + last * 2
    return Recurrent(kind="mamba2", state_bytes_per_sequence=held, state_values=cells + last), modules


def _own(shape: Shape, key: str) -> tuple[str, ...]:
    """Keys that mean the mixer only in pure Mamba files."""
    return (key,) if shape.model_type == "mamba2" else ()


def _mamba1(shape: Shape) -> Built:
    fields, hidden = shape.fields, shape.hidden
    stated = fields.integer("intermediate_size", minimum=1) if shape.model_type in ATTENTION_FREE else None
    inner = stated or _filled(fields, "mamba_expand", "expand", default=2, limit="heads") * hidden
    state = _filled(fields, "mamba_d_state", "state_size", default=16)
    kernel = _filled(fields, "mamba_d_conv", "conv_kernel", default=4, limit="heads")
    rank_key = fields.first(("mamba_dt_rank", "time_step_rank"))
    automatic = rank_key is None or fields.raw(rank_key) == "auto"
    rank = -(-hidden // 16) if automatic else fields.required("mamba_dt_rank", "time_step_rank")
    modules = (
        _mixer("mamba.in_proj", hidden * 2 * inner),
        _mixer("mamba.x_proj", inner * (rank + 2 * state)),
        _mixer("mamba.dt_proj", rank * inner),
        _mixer("mamba.out_proj", inner * hidden),
        *small("mamba.conv1d", inner * kernel + inner),
        *small("mamba.state", inner * state + 2 * inner),
        *small("mamba.norms", rank + 2 * state if shape.model_type == "jamba" else 0),
    )
    held = inner * (state * _state_bytes(fields, default=2) + (kernel - 1) * 2)
    values = inner * (state + kernel - 1)
    return Recurrent(kind="mamba1", state_bytes_per_sequence=held, state_values=values), modules


def _delta(shape: Shape) -> Built:
    """Gated delta net of Qwen3-Next and Qwen3.5."""
    fields, hidden = shape.fields, shape.hidden
    key_heads = fields.required("linear_num_key_heads", limit="heads")
    value_heads = fields.required("linear_num_value_heads", limit="heads")
    key_dim = fields.required("linear_key_head_dim", limit="head_dim")
    value_dim = fields.required("linear_value_head_dim", limit="head_dim")
    kernel = _filled(fields, "linear_conv_kernel_dim", default=4, limit="heads")
    keys, values = key_heads * key_dim, value_heads * value_dim
    conv = 2 * keys + values
    modules = (
        _mixer("linear_attn.in_proj_qkv", hidden * conv),
        _mixer("linear_attn.in_proj_z", hidden * values),
        _mixer("linear_attn.in_proj_ba", hidden * 2 * value_heads),
        _mixer("linear_attn.out_proj", values * hidden),
        *small("linear_attn.conv1d", conv * kernel),
        *small("linear_attn.state", 2 * value_heads),
        *small("linear_attn.norm", value_dim),
    )
    cells, last = value_heads * key_dim * value_dim, conv * (kernel - 1)
    held = cells * _state_bytes(fields, default=4) + last * 2
    return Recurrent(kind="delta", state_bytes_per_sequence=held, state_values=cells + last), modules


def _kda(shape: Shape) -> Built:
    """Kimi delta attention: three short convolutions and a state of heads x width x width."""
    config, hidden = shape.fields.section("linear_attn_config"), shape.hidden
    if config is None:  # unreachable: only files with the section plan such a layer
        config = shape.fields
    heads = config.required("num_heads", limit="heads")
    width = config.required("head_dim", limit="head_dim")
    kernel = _filled(config, "short_conv_kernel_size", default=4, limit="heads")
    inner = heads * width
    full_gate = config.flag("use_full_rank_gate")
    gate = hidden * inner if full_gate else hidden * width + width * inner
    modules = (
        _mixer("self_attn.q_proj", hidden * inner),
        _mixer("self_attn.k_proj", hidden * inner),
        _mixer("self_attn.v_proj", hidden * inner),
        _mixer("self_attn.o_proj", inner * hidden),
        _mixer("self_attn.f_proj", hidden * width + width * inner),
        _mixer("self_attn.g_proj", gate),
        _mixer("self_attn.b_proj", hidden * heads),
        *small("self_attn.conv1d", 3 * inner * kernel),
        *small("self_attn.state", heads + inner),
        *small("self_attn.o_norm", width),
    )
    cells, last = heads * width * width, 3 * inner * (kernel - 1)
    held = cells * 4 + last * 2
    return Recurrent(kind="kda", state_bytes_per_sequence=held, state_values=cells + last), modules


def _linear(shape: Shape) -> Built:
    """Lightning attention of MiniMax: queries, keys, values and an output gate for every head."""
    inner = shape.heads * shape.head_dim
    modules = (
        _mixer("self_attn.qkv_proj", shape.hidden * 3 * inner),
        _mixer("self_attn.output_gate", shape.hidden * inner),
        _mixer("self_attn.out_proj", inner * shape.hidden),
        *small("self_attn.norm", inner),
    )
    values = shape.heads * shape.head_dim * shape.head_dim
    return Recurrent(kind="linear", state_bytes_per_sequence=values * 4, state_values=values), modules


def _conv(shape: Shape) -> Built:
    """Short convolution of LFM2."""
    kernel = _filled(shape.fields, "conv_L_cache", default=3, limit="heads")
    hidden = shape.hidden
    modules = (
        _mixer("conv.in_proj", 3 * hidden * hidden),
        _mixer("conv.out_proj", hidden * hidden),
        *small("conv.conv", hidden * kernel),
    )
    values = hidden * kernel
    return Recurrent(kind="conv", state_bytes_per_sequence=values * 2, state_values=values), modules
