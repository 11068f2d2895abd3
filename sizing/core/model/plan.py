"""Which mixer and which feed-forward block each layer has."""

from collections.abc import Sequence
from typing import NamedTuple

from sizing.core.errors import InvalidModel
from sizing.core.model.reader import Fields, shown
from sizing.core.model.shape import ATTENTION_FREE, Shape

LAYER_NAMES = {
    "full_attention": "full",
    "attention": "full",
    "sliding_attention": "sliding",
    "chunked_attention": "sliding",
    "linear_attention": "delta",
    "mamba": "mamba2",
    "conv": "conv",
}
BLOCK_LETTERS = {
    "M": ("mamba2", "none"),
    "*": ("full", "none"),
    "-": ("none", "dense"),
    "E": ("none", "moe"),
}
BLOCK_NAMES = {"mamba": "M", "attention": "*", "mlp": "-", "moe": "E"}
EXPERT_KEYS = ("num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts")


class Layer(NamedTuple):
    """What tells two layers apart. Equal layers make one group."""

    mixer: str  # full, sliding, latent, compressed, cross, mamba1, mamba2, delta, kda, linear, conv, parallel, none
    feed: str  # dense, moe, none
    ratio: int = 0  # compression ratio of a DeepSeek-V4 layer
    indexed: bool = False  # has a sparse-attention indexer
    shares_kv: bool = False
    kv_heads: int = 0  # where it differs by layer (Nemotron-NAS)
    width: int = 0  # where the feed-forward width differs by layer
    heads: int = 0  # where query heads differ by layer (OpenELM)


def plan_layers(shape: Shape) -> list[Layer]:
    """One entry a layer, in order."""
    fields = shape.fields
    if fields.has("block_configs"):
        return _nas_layers(shape)
    if fields.has("hybrid_override_pattern") or fields.has("layers_block_type"):
        return _block_layers(shape)
    mixers = _mixers(shape)
    feeds = _feeds(shape)
    indexed = _indexed(shape)
    ratios = _ratios(shape)
    shared = fields.integer("num_kv_shared_layers", limit="layers") or 0
    if shared >= shape.layers:
        raise InvalidModel(
            "model_shared_layers_too_many", fields.at("num_kv_shared_layers"), shared=shared, layers=shape.layers
        )
    own = shape.layers - shared
    every = fields.integer("cla_share_factor", minimum=1, limit="layers") if fields.flag("use_cla") else None
    wide = fields.flag("use_double_wide_mlp")
    return [
        Layer(
            mixer=mixers[i],
            feed=feeds[i],
            ratio=ratios[i],
            indexed=indexed[i],
            shares_kv=i >= own or bool(every and i % every),
            width=2 * (fields.integer("intermediate_size") or 0) if wide and i >= own else 0,
        )
        for i in range(shape.layers)
    ]


def per_layer(fields: Fields, key: str, layers: int) -> Sequence[object] | None:
    """A list with one entry a layer: cut with a warning where longer, refused where shorter."""
    values = fields.items(key)
    if values is None:
        return None
    if len(values) < layers:
        raise InvalidModel("model_list_too_short", fields.at(key), key=key, length=len(values), layers=layers)
    if len(values) > layers:
        fields.notes.warn("model_list_cut", key=key, length=len(values), layers=layers)
    return values[:layers]


def flags_per_layer(fields: Fields, key: str, layers: int) -> list[int] | None:
    """A per-layer list of small whole numbers."""
    values = per_layer(fields, key, layers)
    if values is None:
        return None
    for position, value in enumerate(values):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 65_536:
            raise InvalidModel(
                "model_list_entry_wrong", f"{fields.at(key)}/{position}", key=key, value=shown(value), position=position
            )
    return [int(str(value)) for value in values]


def expert_count(fields: Fields) -> int:
    """Routed experts of a mixture layer; 0 where the model is dense."""
    section = fields.section("ffn_config")
    count = fields.integer(*EXPERT_KEYS, limit="experts")
    if count is None and section is not None:
        count = section.integer("moe_num_experts", limit="experts")
    return count if count is not None and count > 1 else 0


ONE_MIXER = {"mamba": "mamba1", "falcon_mamba": "mamba1", "mamba2": "mamba2", "falcon_h1": "parallel"}


def _mixers(shape: Shape) -> list[str]:
    fields, layers = shape.fields, shape.layers
    latent = bool(fields.integer("kv_lora_rank"))
    if shape.model_type in ONE_MIXER:
        return [ONE_MIXER[shape.model_type]] * layers
    if fields.has("compress_ratios"):
        return ["compressed"] * layers
    if fields.has("linear_attn_config"):
        return _kimi_mixers(fields, layers, "latent" if latent else "full")
    if (types := flags_per_layer(fields, "attn_type_list", layers)) is not None:
        return ["full" if kind else "linear" for kind in types]
    if (period := fields.integer("attn_layer_period", minimum=1)) is not None:
        offset = fields.integer("attn_layer_offset") or 0
        return ["full" if i % period == offset else "mamba1" for i in range(layers)]
    return ["latent"] * layers if latent else _with_cross_attention(fields, _attention_kinds(shape))


def _kimi_mixers(fields: Fields, layers: int, attention: str) -> list[str]:
    """Kimi-Linear and K3: attention layers are listed, numbered from 1."""
    config = fields.section("linear_attn_config")
    listed = (config.items("full_attn_layers") if config is not None else None) or ()
    full = {number for number in listed if isinstance(number, int)}
    if not full:
        raise InvalidModel("model_keys_missing", fields.at("linear_attn_config"), keys="full_attn_layers")
    return [attention if i + 1 in full else "kda" for i in range(layers)]


def _with_cross_attention(fields: Fields, mixers: list[str]) -> list[str]:
    """Llama 3.2 Vision: the listed layers look at image tokens only."""
    for position in fields.items("cross_attention_layers") or ():
        if not isinstance(position, int) or isinstance(position, bool) or not 0 <= position < len(mixers):
            raise fields.wrong("cross_attention_layers", "model_list_entry_wrong")
        mixers[position] = "cross"
    return mixers


def _attention_kinds(shape: Shape) -> list[str]:
    """full or sliding for each layer, by the file's lists first, then by the class rule."""
    fields, layers = shape.fields, shape.layers
    if (types := per_layer(fields, "layer_types", layers)) is not None:
        return [_layer_name(fields, position, value) for position, value in enumerate(types)]
    if (swa := flags_per_layer(fields, "hybrid_layer_pattern", layers)) is not None:
        return ["sliding" if kind else "full" for kind in swa]
    if shape.model_type in {"granitemoehybrid", "bamba"}:
        return _granite_default(shape)
    interval = fields.integer("full_attention_interval", minimum=1)
    if interval is None and shape.family.query_gate:
        interval = 4
        fields.notes.fill("full_attention_interval", interval, "class_default")
    if interval is not None:
        return ["full" if (i + 1) % interval == 0 else "delta" for i in range(layers)]
    return _window_pattern(shape) if window_tokens(shape) else ["full"] * layers


def _layer_name(fields: Fields, position: int, value: object) -> str:
    name = LAYER_NAMES.get(value) if isinstance(value, str) else None
    if name is None:
        raise InvalidModel(
            "model_layer_type_unknown",
            f"{fields.at('layer_types')}/{position}",
            value=shown(value),
            known=", ".join(LAYER_NAMES),
        )
    return name


def _granite_default(shape: Shape) -> list[str]:
    """Attention in every tenth layer, from the sixth: the published Granite 4 hybrids."""
    if not expert_count(shape.fields) and not shape.fields.has("mamba_d_state"):
        return ["full"] * shape.layers
    shape.fields.notes.fill("layer_types", "attention in layers 5, 15, 25, …", "class_default")
    return ["full" if i % 10 == 5 else "mamba2" for i in range(shape.layers)]


def window_tokens(shape: Shape) -> int:
    """The sliding window in tokens; 0 where none takes effect."""
    fields, rule = shape.fields, shape.family.window
    window = fields.integer("sliding_window", "sliding_window_size", "attention_chunk_size", limit="context")
    if not window:
        return 0
    if rule == "none" and not _has_pattern(fields):
        return 0
    if fields.boolean("use_sliding_window") is False:
        return 0
    if rule == "optional" and not fields.flag("use_sliding_window") and not fields.has("layer_types"):
        return 0
    return 0 if shape.context and window >= shape.context else window


def _has_pattern(fields: Fields) -> bool:
    return any(fields.has(key) for key in ("layer_types", "sliding_window_pattern", "_sliding_window_pattern"))


def _window_pattern(shape: Shape) -> list[str]:
    fields, layers, rule = shape.fields, shape.layers, shape.family.window
    for key in ("sliding_window_pattern", "_sliding_window_pattern"):
        value = fields.raw(key)
        if isinstance(value, str) and value and set(value) <= {"L", "G"}:
            return ["full" if value[i % len(value)] == "G" else "sliding" for i in range(layers)]
        if period := fields.integer(key):
            return ["full" if (i + 1) % period == 0 else "sliding" for i in range(layers)]
    if rule == "alternate":
        fields.notes.fill("layer_types", "sliding, full, …", "class_default")
        return ["full" if i % 2 else "sliding" for i in range(layers)]
    if rule.startswith("every:"):
        period = int(rule.removeprefix("every:"))
        fields.notes.fill("sliding_window_pattern", period, "class_default")
        return ["full" if (i + 1) % period == 0 else "sliding" for i in range(layers)]
    if rule == "optional":
        first = fields.integer("max_window_layers", limit="layers")
        return ["sliding" if first is not None and i >= first else "full" for i in range(layers)]
    return ["sliding"] * layers


def _feeds(shape: Shape) -> list[str]:
    fields, layers = shape.fields, shape.layers
    if shape.model_type in ATTENTION_FREE:
        return ["none"] * layers
    if not expert_count(fields):
        return ["dense"] * layers
    is_moe = _listed_mixtures(fields, layers) or _counted_mixtures(fields, layers)
    return ["moe" if mixture else "dense" for mixture in is_moe]


def _listed_mixtures(fields: Fields, layers: int) -> list[bool] | None:
    """Mixture layers where the file lists them, one way or another."""
    if (names := per_layer(fields, "mlp_layer_types", layers)) is not None:
        return [name == "sparse" for name in names]
    if isinstance(fields.raw("moe_layer_freq"), (list, tuple)):
        return [bool(kind) for kind in flags_per_layer(fields, "moe_layer_freq", layers) or ()]
    if listed := fields.items("moe_layers"):
        return [i in listed for i in range(layers)]
    return None


def _counted_mixtures(fields: Fields, layers: int) -> list[bool]:
    """Mixture layers by period: every n-th, after the first dense ones."""
    if step := fields.integer("interleave_moe_layer_step"):
        return [(i + 1) % step == 0 for i in range(layers)]
    if period := fields.integer("expert_layer_period"):
        offset = fields.integer("expert_layer_offset") or 0
        return [i % period == offset for i in range(layers)]
    dense_first = fields.integer("first_k_dense_replace", "moe_layer_start_index", limit="layers") or 0
    dense_after = fields.integer("moe_layer_end_index", limit="layers")
    frequency = fields.integer("moe_layer_freq", "moe_layer_interval", "moe_layer_frequency", minimum=1) or 1
    step = fields.integer("decoder_sparse_step", minimum=1) or 1
    dense_only = {n for n in fields.items("mlp_only_layers") or () if isinstance(n, int)}
    return [
        i >= dense_first
        and (dense_after is None or i <= dense_after)
        and i % frequency == 0
        and (i + 1) % step == 0
        and i not in dense_only
        for i in range(layers)
    ]


def _indexed(shape: Shape) -> list[bool]:
    fields, layers = shape.fields, shape.layers
    if (sparse := fields.section("sparse_attention_config")) is not None:
        marks = flags_per_layer(sparse, "sparse_attention_freq", layers)
        return [bool(mark) for mark in marks] if marks is not None else [True] * layers
    if not fields.has("index_topk"):
        return [False] * layers
    if (types := per_layer(fields, "indexer_types", layers)) is not None:
        return [kind == "full" for kind in types]
    return [True] * layers


def _ratios(shape: Shape) -> list[int]:
    ratios = flags_per_layer(shape.fields, "compress_ratios", shape.layers)
    return ratios if ratios is not None else [0] * shape.layers


def _block_layers(shape: Shape) -> list[Layer]:
    """Nemotron-H: one block a layer, by pattern letter or name."""
    fields = shape.fields
    if (names := per_layer(fields, "layers_block_type", shape.layers)) is not None:
        key, letters = "layers_block_type", [BLOCK_NAMES.get(str(name), "") for name in names]
    else:
        key, letters = "hybrid_override_pattern", list(fields.text("hybrid_override_pattern") or "")
    if len(letters) < shape.layers:
        raise InvalidModel("model_list_too_short", fields.at(key), key=key, length=len(letters), layers=shape.layers)
    plan = []
    for position, letter in enumerate(letters[: shape.layers]):
        if letter not in BLOCK_LETTERS:
            raise InvalidModel("model_layer_type_unknown", fields.at(key), value=position, known="M * - E")
        mixer, feed = BLOCK_LETTERS[letter]
        plan.append(Layer(mixer=mixer, feed=feed))
    return plan


def _nas_layers(shape: Shape) -> list[Layer]:
    """Nemotron-NAS: heads and width of each layer stand in `block_configs`."""
    fields = shape.fields
    plan = []
    for position, entry in enumerate(per_layer(fields, "block_configs", shape.layers) or ()):
        if not isinstance(entry, dict):
            raise fields.wrong("block_configs", "model_list_entry_wrong")
        block = Fields(entry, fields.notes, pointer=f"{fields.at('block_configs')}/{position}")
        attention, ffn = block.section("attention"), block.section("ffn")
        if attention is None or ffn is None:
            raise InvalidModel("model_keys_missing", block.pointer, keys="attention, ffn")
        group = attention.integer("n_heads_in_group", minimum=1, limit="heads")
        skipped = attention.flag("no_op") or attention.flag("replace_with_linear")
        heads = attention.integer("num_attention_heads", minimum=1, limit="heads") or shape.heads
        if not skipped and (group is None or heads % group):
            raise InvalidModel("model_keys_missing", attention.pointer, keys="n_heads_in_group")
        plan.append(
            Layer(
                mixer="none" if attention.flag("no_op") else "replaced" if skipped else "full",
                feed="none" if ffn.flag("no_op") else "dense",
                kv_heads=0 if skipped or group is None else heads // group,
                heads=0 if heads == shape.heads else heads,
                width=_nas_width(ffn, shape.hidden),
            )
        )
    return plan


def _nas_width(ffn: Fields, hidden: int) -> int:
    """2/3 of 4 x hidden x multiplier, rounded up to 256 (the class's own rule)."""
    if width := ffn.integer("intermediate_size"):
        return width
    multiplier = ffn.number("ffn_mult")
    if multiplier is None or not 0 < multiplier <= 64:
        return 0
    width = int(2 * multiplier * hidden / 3)
    return (width + 255) // 256 * 256
