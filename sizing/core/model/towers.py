"""Parameters of vision and audio towers, from their own config sections.

The counts of Qwen-VL, SigLIP, Pixtral and InternViT towers are exact sums over the published
layers (checked against checkpoint counts); others are the general transformer rule.
"""

from sizing.core.model.architecture import Tower
from sizing.core.model.reader import Fields

COUNTED_APART = ("llama4", "mllama", "gemma4", "kimi", "minimax_m3")
"""Classes whose stated totals are those of the language part: their towers are listed beside it."""

DYNAMIC_INPUT_TOKENS = 16_384
"""Largest input where any resolution is taken: 12.8 megapixels in patches of 28 (max_pixels of Qwen2-VL)."""
AUDIO_INPUT_TOKENS = 1500
"""Thirty seconds of sound at 50 frames a second, not pooled (Whisper encoder, max_source_positions)."""


def read_towers(top: Fields, language: Fields, hidden: int) -> tuple[Tower, ...]:
    """Towers that the file describes; empty where it has none."""
    towers = []
    vision = top.section("vision_config")
    if vision is not None and vision.values:
        model_type = top.text("model_type") or ""
        parameters = _vision_parameters(top, vision, hidden, model_type)
        if parameters:
            apart = model_type.startswith(COUNTED_APART)
            tokens = _tokens_per_input(top, vision)
            towers.append(Tower(name="vision", parameters=parameters, in_total=not apart, tokens_per_input=tokens))
    audio = top.section("audio_config")
    if audio is not None and audio.values and (parameters := _audio_parameters(audio)):
        towers.append(Tower(name="audio", parameters=parameters, in_total=False, tokens_per_input=AUDIO_INPUT_TOKENS))
    for tower in towers:
        if not tower.in_total:
            language.notes.warn("model_tower_apart", tower=tower.name, parameters=tower.parameters)
    return tuple(towers)


def _tokens_per_input(top: Fields, vision: Fields) -> int:
    """Merged patches of a square picture of the stated size; of any resolution the largest that is published."""
    side, patch = _plain(vision, "image_size"), _plain(vision, "patch_size")
    merged = _plain(vision, "spatial_merge_size") or _plain(top, "spatial_merge_size") or 1
    if not side or not patch or vision.has("depth"):
        return DYNAMIC_INPUT_TOKENS
    return min(DYNAMIC_INPUT_TOKENS, max(1, (side // patch // merged) ** 2))


def _plain(fields: Fields, name: str) -> int:
    """A whole number as it stands; 0 for anything else, since no figure but a reserve hangs on it."""
    value = fields.values.get(name)
    return value if type(value) is int and value > 0 else 0


def _vision_parameters(top: Fields, vision: Fields, hidden: int, model_type: str) -> int:
    if "qwen2_vl" in model_type or vision.has("embed_dim"):
        return _qwen2(vision, hidden)
    if "qwen2_5_vl" in model_type or (vision.has("depth") and vision.has("fullatt_block_indexes")):
        return _qwen25(vision, hidden)
    if vision.has("depth") and vision.has("num_position_embeddings"):
        return _qwen3(vision, hidden)
    kind = vision.text("model_type") or ""
    named = {"intern": _intern, "siglip": _siglip, "pixtra": _pixtral}.get(kind[:6])
    return named(top, vision, hidden) if named is not None else _general(vision)


def _block(width: int, inner: int) -> int:
    """Transformer block with biases and two layer norms."""
    return 4 * width * width + 4 * width + 2 * width * inner + inner + width + 4 * width


def _merger(width: int, merge: int, hidden: int, *, norm: int) -> int:
    joined = width * merge * merge
    return norm + joined * joined + joined + joined * hidden + hidden


def _patch(vision: Fields, width: int, *, bias: bool) -> int:
    patch = vision.required("patch_size", limit="heads")
    channels = vision.integer("in_channels", "in_chans", "num_channels", limit="heads") or 3
    frames = vision.integer("temporal_patch_size", limit="heads") or 1
    return channels * frames * patch * patch * width + (width if bias else 0)


def _qwen2(vision: Fields, hidden: int) -> int:
    width = vision.required("embed_dim", "hidden_size")
    inner = width * (vision.integer("mlp_ratio", limit="heads") or 4)
    merge = vision.integer("spatial_merge_size", limit="heads") or 2
    depth = vision.required("depth", limit="layers")
    return (
        depth * _block(width, inner) + _patch(vision, width, bias=False) + _merger(width, merge, hidden, norm=2 * width)
    )


def _qwen25(vision: Fields, hidden: int) -> int:
    width = vision.required("hidden_size", "embed_dim")
    inner = vision.required("intermediate_size")
    merge = vision.integer("spatial_merge_size", limit="heads") or 2
    block = 4 * width * width + 4 * width + 3 * width * inner + 2 * inner + width + 2 * width
    return (
        vision.required("depth", limit="layers") * block
        + _patch(vision, width, bias=False)
        + _merger(width, merge, hidden, norm=width)
    )


def _qwen3(vision: Fields, hidden: int) -> int:
    width = vision.required("hidden_size")
    inner = vision.required("intermediate_size")
    merge = vision.integer("spatial_merge_size", limit="heads") or 2
    output = vision.integer("out_hidden_size") or hidden
    stacked = len(vision.items("deepstack_visual_indexes") or ())
    positions = vision.required("num_position_embeddings")
    return (
        vision.required("depth", limit="layers") * _block(width, inner)
        + _patch(vision, width, bias=True)
        + positions * width
        + _merger(width, merge, output, norm=2 * width)
        + stacked * _merger(width, merge, output, norm=2 * width * merge * merge)
    )


def _siglip(_top: Fields, vision: Fields, hidden: int) -> int:
    width, inner = vision.required("hidden_size"), vision.required("intermediate_size")
    side = (vision.integer("image_size") or 0) // vision.required("patch_size", limit="heads")
    tower = vision.required("num_hidden_layers", limit="layers") * _block(width, inner)
    return tower + _patch(vision, width, bias=True) + side * side * width + 2 * width + width * hidden + width


def _pixtral(top: Fields, vision: Fields, hidden: int) -> int:
    width, inner = vision.required("hidden_size"), vision.required("intermediate_size")
    block = 4 * width * width + 3 * width * inner + 2 * width
    tower = vision.required("num_hidden_layers", limit="layers") * block + _patch(vision, width, bias=False) + width
    merge = top.integer("spatial_merge_size", limit="heads") or 1
    merger = width + merge * merge * width * width if merge > 1 else 0
    return tower + merger + width * hidden + hidden * hidden


def _intern(top: Fields, vision: Fields, hidden: int) -> int:
    width, inner = vision.required("hidden_size"), vision.required("intermediate_size")
    side = (vision.integer("image_size") or 0) // vision.required("patch_size", limit="heads")
    block = _block(width, inner) + 2 * width
    tower = vision.required("num_hidden_layers", limit="layers") * block
    tower += width + _patch(vision, width, bias=True) + (side * side + 1) * width
    ratio = top.number("downsample_ratio") or 0.5
    joined = int(width / (ratio * ratio)) if 0.01 < ratio <= 1 else width
    return tower + 2 * joined + joined * hidden + hidden + hidden * hidden + hidden


def _general(vision: Fields) -> int:
    """Blocks only: the rest of an unknown tower is a few per cent."""
    width = vision.integer("hidden_size", "embed_dim", "vt_hidden_size")
    depth = vision.integer("num_hidden_layers", "depth", "vt_num_hidden_layers", "layers", limit="layers")
    if width is None or depth is None:
        return 0
    inner = vision.integer("intermediate_size", "vt_intermediate_size") or 4 * width
    extra = vision.integer("num_global_layers", limit="layers") or 0
    return (depth + extra) * _block(width, inner)


def _audio_parameters(audio: Fields) -> int:
    width = audio.integer("hidden_size", "d_model")
    depth = audio.integer("num_hidden_layers", "encoder_layers", limit="layers")
    if width is None or depth is None:
        return 0
    inner = audio.integer("intermediate_size", "encoder_ffn_dim") or 4 * width
    return depth * _block(width, inner)
