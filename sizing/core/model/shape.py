"""The sizes that every layer of a language model shares, from whichever aliases the file uses."""

from dataclasses import dataclass

from sizing.core.errors import InvalidModel
from sizing.core.model.families import Family
from sizing.core.model.reader import Fields

LAYER_KEYS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers")
HIDDEN_KEYS = ("hidden_size", "n_embd", "d_model")
HEAD_KEYS = ("num_attention_heads", "n_head", "n_heads")
HEAD_DIM_KEYS = ("head_dim", "attention_head_dim", "kv_channels")
CONTEXT_KEYS = (
    "max_sequence_length",
    "model_max_length",
    "max_position_embeddings",
    "max_seq_len",
    "seq_length",
    "n_positions",
    "n_ctx",
)
ATTENTION_FREE = ("mamba", "mamba2", "falcon_mamba")
ROBERTA_OFFSET = 2  # positions that RoBERTa reserves


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Widths and counts of the language part."""

    fields: Fields
    family: Family
    model_type: str
    layers: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    vocab: int
    context: int


def read_shape(fields: Fields, family: Family, model_type: str) -> Shape:
    """Shape of the language part. Raises InvalidModel naming every key that is missing."""
    attention_free = model_type in ATTENTION_FREE
    layers = read_layers(fields)
    hidden = fields.integer(*HIDDEN_KEYS, minimum=1)
    heads = 0 if attention_free else fields.integer(*HEAD_KEYS, minimum=1, limit="heads")
    vocab = fields.integer("padded_vocab_size", "vocab_size", minimum=1)
    missing = [
        keys[0]
        for value, keys in (
            (layers, LAYER_KEYS),
            (hidden, HIDDEN_KEYS),
            (heads, HEAD_KEYS),
            (vocab, ("vocab_size",)),
        )
        if value is None
    ]
    if layers is None or hidden is None or heads is None or vocab is None:
        raise InvalidModel("model_keys_missing", fields.pointer, keys=", ".join(missing), model_type=model_type)
    head_dim = 0 if attention_free else read_head_dim(fields, hidden, heads)
    return Shape(
        fields=fields,
        family=family,
        model_type=model_type,
        layers=layers,
        hidden=hidden,
        heads=heads,
        kv_heads=0 if attention_free else read_kv_heads(fields, heads, model_type),
        head_dim=head_dim,
        vocab=vocab,
        context=read_context(fields, family),
    )


def read_layers(fields: Fields) -> int | None:
    layers = fields.integer(*LAYER_KEYS, minimum=1, limit="layers")
    if layers is not None:
        return layers
    if blocks := fields.items("layers_block_type"):
        return len(blocks)
    if pattern := fields.text("hybrid_override_pattern"):
        return len(pattern)
    return None


def read_head_dim(fields: Fields, hidden: int, heads: int) -> int:
    stated = fields.integer(*HEAD_DIM_KEYS, minimum=1, limit="head_dim")
    if stated is not None:
        return stated
    if hidden % heads and not fields.has("kv_lora_rank"):
        raise InvalidModel(
            "model_heads_do_not_divide", fields.at("num_attention_heads"), hidden_size=hidden, heads=heads
        )
    return hidden // heads


def read_kv_heads(fields: Fields, heads: int, model_type: str) -> int:
    """Heads of keys and values; equal to the query heads where no key speaks of them."""
    kv_heads = _stated_kv_heads(fields, heads, model_type)
    if kv_heads is None:
        if not fields.has("block_configs") and not fields.has("kv_lora_rank"):
            fields.notes.fill("num_key_value_heads", heads, "rule")
        kv_heads = heads
    if kv_heads > heads or (heads % kv_heads and not fields.has("block_configs")):
        raise InvalidModel(
            "model_kv_heads_do_not_divide",
            fields.at("num_key_value_heads"),
            heads=heads,
            kv_heads=kv_heads,
        )
    return kv_heads


def _stated_kv_heads(fields: Fields, heads: int, model_type: str) -> int | None:
    if model_type == "falcon" and not fields.flag("new_decoder_architecture"):
        return 1 if fields.boolean("multi_query") is not False else heads
    if model_type == "gpt_bigcode":
        return 1 if fields.boolean("multi_query") is not False else heads
    if fields.flag("multi_query_attention"):
        return fields.required("multi_query_group_num", minimum=1, limit="heads")
    attention = fields.section("attn_config")
    if attention is not None and attention.has("kv_n_heads"):
        return attention.required("kv_n_heads", minimum=1, limit="heads")
    return fields.integer("num_key_value_heads", "num_kv_heads", minimum=1, limit="heads")


def read_context(fields: Fields, family: Family) -> int:
    """Longest context in tokens; 0 with a warning where the file does not say."""
    context = fields.integer(*CONTEXT_KEYS, minimum=1, limit="context")
    if context is None:
        default = family.class_defaults.get("max_position_embeddings")
        if isinstance(default, int):
            fields.notes.fill("max_position_embeddings", default, "class_default")
            return default
        fields.notes.warn("model_context_unknown")
        return 0
    scaled = _scaled_context(fields, context)
    if scaled < 2048:
        fields.notes.warn("model_context_short", max_context_tokens=scaled)
    return scaled


def _scaled_context(fields: Fields, context: int) -> int:
    """Extended context where the stored value is still the original one."""
    scaling = fields.section("rope_scaling") or fields.section("rope_parameters")
    if scaling is None:
        return context
    kind = scaling.text("rope_type") or scaling.text("type") or ""
    original = scaling.integer("original_max_position_embeddings", minimum=1, limit="context")
    factor = scaling.number("factor")
    if kind in ("yarn", "llama3", "longrope") and original == context and factor is not None and factor > 1:
        return int(context * min(factor, 1024.0))
    return context
