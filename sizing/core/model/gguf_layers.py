"""Per-layer values of a GGUF header -> the lists that a config.json uses: hybrids, windows, heads that differ."""

from collections.abc import Mapping, Sequence

from sizing.core.errors import InvalidModel

type Own = Mapping[str, object]

KV_HEADS, HEADS, WIDTH = "attention.head_count_kv", "attention.head_count", "feed_forward_length"
STATE = {
    "mamba2": {
        "ssm.state_size": "mamba_d_state",
        "ssm.group_count": "mamba_n_groups",
        "ssm.conv_kernel": "mamba_d_conv",
        "ssm.time_step_rank": "mamba_n_heads",
    },
    "mamba1": {
        "ssm.state_size": "mamba_d_state",
        "ssm.conv_kernel": "mamba_d_conv",
        "ssm.time_step_rank": "mamba_dt_rank",
    },
    "pure": {"ssm.state_size": "state_size", "ssm.conv_kernel": "conv_kernel", "ssm.inner_size": "intermediate_size"},
}


def numbers(value: object) -> list[int]:
    """The whole numbers of a per-layer list; empty where it is none."""
    listed = value if isinstance(value, list) else []
    return [number for number in listed if isinstance(number, int) and not isinstance(number, bool)]


def differs(value: object) -> bool:
    """Whether layers have different values."""
    return isinstance(value, list) and len(set(map(str, value))) > 1


def layer_keys(architecture: str, own: Own, *, moe_layers: Sequence[int]) -> dict[str, object]:
    """Config keys of the layers' kinds. Raises InvalidModel where the header leaves a hybrid open."""
    readers = {
        "nemotron_h": _blocks,
        "nemotron_h_moe": _blocks,
        "granitehybrid": _granite,
        "jamba": _jamba,
        "falcon-h1": _falcon_h1,
        "qwen3next": _delta,
        "qwen35": _delta,
        "qwen35moe": _delta,
        "lfm2": _convolutions,
        "lfm2moe": _convolutions,
        "kimi-linear": _kimi,
        "mamba": _pure,
        "mamba2": _pure,
        "gemma4": _gemma4,
    }
    if architecture in readers:
        found = readers[architecture](own)
        if architecture == "jamba" and moe_layers:
            found["moe_layers"] = list(moe_layers)
        return found
    if differs(own.get(KV_HEADS)) or differs(own.get(HEADS)):
        return _own_heads(own)
    return _windows(own)


def _state(own: Own, kind: str) -> dict[str, object]:
    missing = [key for key in STATE[kind] if own.get(key) is None]
    if missing:
        raise InvalidModel("model_keys_missing", "", keys=", ".join(missing))
    found = {target: own[source] for source, target in STATE[kind].items()}
    inner, hidden, heads = own.get("ssm.inner_size"), own.get("embedding_length"), own.get("ssm.time_step_rank")
    if not (isinstance(inner, int) and isinstance(hidden, int) and hidden):
        raise InvalidModel("model_keys_missing", "", keys="ssm.inner_size")
    found["mamba_ssm_cache_dtype"] = "float32"  # llama.cpp keeps states in 32 bits
    if kind == "mamba2" and isinstance(heads, int) and heads:
        found["mamba_d_head"] = inner // heads
    if kind == "mamba1":
        found["mamba_expand"] = inner // hidden
    return found


def _kept(own: Own) -> list[int]:
    """KV heads by layer; 0 where a layer has no attention."""
    found = numbers(own.get(KV_HEADS))
    if not found:
        raise InvalidModel("model_keys_missing", f"/{KV_HEADS}", keys=KV_HEADS)
    return found


def _heads(kept: Sequence[int]) -> int:
    """KV heads of the attention layers of a hybrid, which must agree."""
    distinct = {count for count in kept if count}
    if len(distinct) != 1:
        raise InvalidModel("model_gguf_layers_differ", f"/{KV_HEADS}", key=KV_HEADS)
    return distinct.pop()


def _blocks(own: Own) -> dict[str, object]:
    """Nemotron-H: a layer is attention where it has KV heads, feed-forward where it has a width, else Mamba."""
    kept, widths = _kept(own), numbers(own.get(WIDTH))
    if len(widths) != len(kept):
        raise InvalidModel("model_gguf_layers_differ", f"/{WIDTH}", key=WIDTH)
    feed = "E" if own.get("expert_count") else "-"
    pattern = "".join("*" if kv else feed if width else "M" for kv, width in zip(kept, widths, strict=True))
    state = _state(own, "mamba2")
    named = {"mamba_d_state": "ssm_state_size", "mamba_n_groups": "n_groups", "mamba_d_conv": "conv_kernel"}
    named |= {"mamba_n_heads": "mamba_num_heads", "mamba_d_head": "mamba_head_dim"}
    found = {named.get(key, key): value for key, value in state.items()}
    found |= {"mamba_num_groups": found["n_groups"]}
    return found | {"hybrid_override_pattern": pattern, "num_key_value_heads": _heads(kept)}


def _granite(own: Own) -> dict[str, object]:
    kept = _kept(own)
    kinds = ["attention" if kv else "mamba" for kv in kept]
    return _state(own, "mamba2") | {"layer_types": kinds, "num_key_value_heads": _heads(kept)}


def _jamba(own: Own) -> dict[str, object]:
    """Attention layers come at one distance from each other."""
    kept = _kept(own)
    at = [layer for layer, kv in enumerate(kept) if kv]
    period = at[1] - at[0] if len(at) > 1 else len(kept)
    if [layer for layer in range(len(kept)) if layer % period == at[0] % period] != at:
        raise InvalidModel("model_gguf_layers_differ", f"/{KV_HEADS}", key=KV_HEADS)
    return _state(own, "mamba1") | {
        "attn_layer_period": period,
        "attn_layer_offset": at[0] % period,
        "num_key_value_heads": _heads(kept),
    }


def _falcon_h1(own: Own) -> dict[str, object]:
    return _state(own, "mamba2")


def _delta(own: Own) -> dict[str, object]:
    """Gated delta nets: key heads are groups, value heads the time-step rank, widths follow."""
    groups, ranks = own.get("ssm.group_count"), own.get("ssm.time_step_rank")
    inner, state = own.get("ssm.inner_size"), own.get("ssm.state_size")
    if not (isinstance(groups, int) and isinstance(ranks, int) and isinstance(inner, int) and isinstance(state, int)):
        raise InvalidModel("model_keys_missing", "", keys="ssm.group_count, ssm.time_step_rank, ssm.inner_size")
    found: dict[str, object] = {
        "linear_num_key_heads": groups,
        "linear_num_value_heads": ranks,
        "linear_key_head_dim": state,
        "linear_value_head_dim": inner // max(1, ranks),
        "linear_conv_kernel_dim": own.get("ssm.conv_kernel"),
        "full_attention_interval": own.get("full_attention_interval"),
    }
    kept = own.get(KV_HEADS)
    if differs(kept):
        found["layer_types"] = ["full_attention" if kv else "linear_attention" for kv in numbers(kept)]
        found["num_key_value_heads"] = _heads(numbers(kept))
    return found


def _convolutions(own: Own) -> dict[str, object]:
    kept = _kept(own)
    return {
        "layer_types": ["full_attention" if kv else "conv" for kv in kept],
        "num_key_value_heads": _heads(kept),
        "conv_L_cache": own.get("shortconv.l_cache"),
    }


def _kimi(own: Own) -> dict[str, object]:
    kept = _kept(own)
    config = {
        "full_attn_layers": [layer + 1 for layer, kv in enumerate(kept) if kv],
        "num_heads": own.get(HEADS),
        "head_dim": own.get("kda.head_dim"),
        "short_conv_kernel_size": own.get("ssm.conv_kernel"),
    }
    return {"linear_attn_config": config, "num_key_value_heads": own.get(HEADS)}


def _pure(own: Own) -> dict[str, object]:
    """Mamba alone: no attention, no feed-forward blocks."""
    found: dict[str, object] = {target: own.get(source) for source, target in STATE["pure"].items()}
    found["mamba_ssm_cache_dtype"] = "float32"
    ranks, inner = own.get("ssm.time_step_rank"), own.get("ssm.inner_size")
    if own.get("ssm.group_count") and isinstance(ranks, int) and isinstance(inner, int):
        return found | {"n_groups": own["ssm.group_count"], "num_heads": ranks, "head_dim": inner // max(1, ranks)}
    return found | {"time_step_rank": ranks}


def _windows(own: Own) -> dict[str, object]:
    """Which layers slide, where the header lists them."""
    pattern = own.get("attention.sliding_window_pattern")
    if not isinstance(pattern, list):
        return {"sliding_window_pattern": pattern} if isinstance(pattern, int) and pattern else {}
    return {"layer_types": ["sliding_attention" if slides else "full_attention" for slides in pattern]}


def _gemma4(own: Own) -> dict[str, object]:
    """Sliding layers have heads and widths of their own."""
    found = _windows(own)
    pattern, kept = own.get("attention.sliding_window_pattern"), numbers(own.get(KV_HEADS))
    wide, narrow = own.get("attention.key_length"), own.get("attention.key_length_swa")
    if not isinstance(pattern, list) or not (isinstance(wide, int) and isinstance(narrow, int)):
        raise InvalidModel("model_keys_missing", "", keys="attention.sliding_window_pattern, attention.key_length_swa")
    found |= {"head_dim": narrow, "global_head_dim": wide}
    if kept and len(kept) == len(pattern):
        found["num_key_value_heads"] = _heads([kv for kv, slides in zip(kept, pattern, strict=True) if slides])
        found["num_global_key_value_heads"] = _heads(
            [kv for kv, slides in zip(kept, pattern, strict=True) if not slides]
        )
    return found


def _own_heads(own: Own) -> dict[str, object]:
    """Heads, KV heads and widths that differ from layer to layer (Nemotron-NAS, OpenELM)."""
    kept = numbers(own.get(KV_HEADS))
    heads, widths = own.get(HEADS), own.get(WIDTH)
    count = len(kept)
    queries = numbers(heads) if isinstance(heads, list) else [heads] * count
    inner = numbers(widths) if isinstance(widths, list) else [widths] * count
    stated = all(isinstance(value, int) for value in (*queries, *inner))
    if not count or not stated or len(queries) != count or len(inner) != count:
        raise InvalidModel("model_gguf_layers_differ", f"/{KV_HEADS}", key=KV_HEADS)
    blocks = [
        {"attention": _attention_block(kv, query), "ffn": {"intermediate_size": width} if width else {"no_op": True}}
        for kv, query, width in zip(kept, queries, inner, strict=True)
    ]
    most = max((query for query in queries if isinstance(query, int)), default=0)
    return {"block_configs": blocks, "num_attention_heads": most, "num_key_value_heads": None}


def _attention_block(kv: int, queries: object) -> dict[str, object]:
    if not isinstance(queries, int) or not queries:
        return {"no_op": True}
    if not kv:
        return {"replace_with_linear": True}
    return {"n_heads_in_group": queries // kv, "num_attention_heads": queries}
