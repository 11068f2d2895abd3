"""A model that a person types: layers, heads and parameters in place of a config file."""

from collections.abc import Mapping
from dataclasses import replace

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.parameters import total_parameters
from sizing.core.model.parse import parse_config
from sizing.core.model.reader import Fields, FilledDefault, Notes

CONFIG_KEYS = {
    "layers": "num_hidden_layers",
    "hidden_size": "hidden_size",
    "heads": "num_attention_heads",
    "kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "vocab_size": "vocab_size",
    "intermediate_size": "intermediate_size",
    "max_context_tokens": "max_position_embeddings",
    "experts": "num_experts",
    "experts_per_token": "num_experts_per_tok",
    "expert_width": "moe_intermediate_size",
    "sliding_window": "sliding_window",
    "tied_embeddings": "tie_word_embeddings",
    "kv_lora_rank": "kv_lora_rank",
    "qk_rope_head_dim": "qk_rope_head_dim",
}
OTHER_KEYS = ("parameters", "name")
ASSUMED_VOCAB = 128_256
"""Vocabulary of Llama 3, taken where none is typed; the median of the shipped models is 151,552."""


def parse_shape(shape: Mapping[str, object], *, name: str = "") -> ModelArchitecture:
    """The model of a typed shape. `parameters` (a count, not billions) fixes the total.

    Where no feed-forward width is typed it follows from `parameters`. Raises InvalidModel naming
    the unknown or missing key.
    """
    notes = Notes()
    config, parameters = _config(shape, notes)
    model = parse_config(config, name=Fields(shape, notes).text("name") or name)
    filled = tuple(notes.filled) + model.filled_defaults
    if parameters is None:
        return replace(model, filled_defaults=filled)
    return replace(model, stated_parameters=parameters, filled_defaults=_differing(model, parameters, filled))


def config_of_shape(shape: Mapping[str, object]) -> dict[str, object]:
    """A config.json for a typed shape, whose total comes as near to the typed one as whole widths allow.

    Raises InvalidModel as `parse_shape` does.
    """
    return _config(shape, Notes())[0]


def _config(shape: Mapping[str, object], notes: Notes) -> tuple[dict[str, object], int | None]:
    """The keys of a config.json, and the typed total where there is one."""
    if not isinstance(shape, Mapping):
        raise InvalidModel("model_not_an_object")
    for key in shape:
        if key not in CONFIG_KEYS and key not in OTHER_KEYS:
            raise InvalidModel("model_shape_key_unknown", f"/{key}", key=key[:60], known=", ".join(CONFIG_KEYS))
    fields = Fields(shape, notes)
    config = {target: shape[key] for key, target in CONFIG_KEYS.items() if fields.has(key)}
    config["model_type"] = "llama"
    for key in ("layers", "hidden_size", "heads"):
        fields.required(key)
    if "vocab_size" not in config:
        config["vocab_size"] = ASSUMED_VOCAB
        notes.fill("vocab_size", ASSUMED_VOCAB, "rule")
    if "kv_lora_rank" in config:
        config.update(_latent_widths(fields))
    if "sliding_window" in config:
        config["sliding_window_pattern"] = 1_000_000  # no full layer: both bounds are shown
    parameters = fields.integer("parameters", minimum=1, limit="parameters")
    if parameters is None and "intermediate_size" not in config and "moe_intermediate_size" not in config:
        raise InvalidModel("model_keys_missing", "", keys="parameters, intermediate_size")
    if "intermediate_size" not in config:
        config["intermediate_size"] = _width(config, fields, parameters)
    return config, parameters


def _latent_widths(fields: Fields) -> dict[str, object]:
    """Widths of a latent attention where only the rank is typed: those of DeepSeek-V3."""
    head_dim = fields.integer("head_dim", minimum=1, limit="head_dim") or 128
    rope = fields.integer("qk_rope_head_dim", minimum=1, limit="head_dim") or 64
    return {"qk_nope_head_dim": head_dim, "v_head_dim": head_dim, "qk_rope_head_dim": rope}


def _width(config: Mapping[str, object], fields: Fields, parameters: int | None) -> int:
    """Feed-forward width that brings the sum nearest to the typed total."""
    if parameters is None:
        return fields.required("expert_width")
    bare = total_parameters(parse_config({**config, "intermediate_size": 1, "num_experts": 0}))
    per_width = 3 * fields.required("hidden_size") * fields.required("layers", limit="layers")
    width = (parameters - bare) // per_width + 1
    experts = fields.integer("experts", limit="experts") or 0
    if experts > 1:
        width //= experts
    if width < 1:
        raise InvalidModel("model_parameters_too_few", "/parameters", parameters=parameters, needed=bare)
    return width


def _differing(
    model: ModelArchitecture, parameters: int, filled: tuple[FilledDefault, ...]
) -> tuple[FilledDefault, ...]:
    computed = total_parameters(model)
    if computed == parameters:
        return filled
    return (*filled, FilledDefault(field="parameters", value=parameters, reason="stated"))
