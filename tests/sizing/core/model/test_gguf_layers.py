"""GGUF headers of hybrids and of models whose layers differ, against the config.json of the same model.

Headers are written as llama.cpp's converter writes them (convert_hf_to_gguf.py): per-layer arrays of KV heads
with 0 where a layer keeps none, `ssm.*` keys for recurrent layers.
"""

from typing import Any

import pytest

from sizing.core.errors import InvalidModel
from sizing.core.model.features import model_features
from sizing.core.model.gguf_config import config_from_gguf
from sizing.core.model.parse import parse_config
from tests.sizing.core.model.cases import config

NANO = "nvidia/NVIDIA-Nemotron-Nano-9B-v2"
NANO3 = "nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16"
GRANITE = "ibm-granite/granite-4.0-h-small"
JAMBA = "ai21labs/AI21-Jamba-1.5-Mini"
NEXT = "Qwen/Qwen3-Next-80B-A3B-Instruct"
NAS = "nvidia/Llama-3_3-Nemotron-Super-49B-v1"
SCOUT = "meta-llama/Llama-4-Scout-17B-16E-Instruct"
MAMBA = "state-spaces/mamba2-780m-hf"
GEMMA = "google/gemma-4-26B-A4B"


def common(c: dict[str, Any]) -> dict[str, Any]:
    found = {
        "block_count": c.get("num_hidden_layers") or len(c.get("hybrid_override_pattern", "")),
        "embedding_length": c["hidden_size"],
        "feed_forward_length": c.get("intermediate_size"),
        "attention.head_count": c.get("num_attention_heads"),
        "attention.head_count_kv": c.get("num_key_value_heads"),
        "context_length": c.get("max_position_embeddings"),
        "vocab_size": c["vocab_size"],
        "attention.key_length": c.get("head_dim"),
        "expert_count": c.get("num_local_experts") or c.get("num_experts") or c.get("n_routed_experts"),
        "expert_used_count": c.get("num_experts_per_tok"),
        "expert_feed_forward_length": c.get("moe_intermediate_size"),
        "expert_shared_feed_forward_length": c.get("shared_expert_intermediate_size")
        or c.get("moe_shared_expert_intermediate_size")
        or c.get("shared_intermediate_size"),
    }
    return {key: value for key, value in found.items() if value is not None}


def nemotron(c: dict[str, Any]) -> dict[str, Any]:
    pattern = c["hybrid_override_pattern"]
    width = c.get("moe_intermediate_size") if "E" in pattern else c["intermediate_size"]
    return {
        "attention.head_count_kv": [c["num_key_value_heads"] if kind == "*" else 0 for kind in pattern],
        "feed_forward_length": [width if kind in "-E" else 0 for kind in pattern],
        "ssm.conv_kernel": c["conv_kernel"],
        "ssm.state_size": c["ssm_state_size"],
        "ssm.group_count": c.get("n_groups") or c.get("mamba_num_groups") or 1,
        "ssm.time_step_rank": c["mamba_num_heads"],
        "ssm.inner_size": c["mamba_num_heads"] * c["mamba_head_dim"],
    }


def granite(c: dict[str, Any]) -> dict[str, Any]:
    layers = range(c["num_hidden_layers"])
    kinds = c.get("layer_types") or ["attention" if i % 10 == 5 else "mamba" for i in layers]
    kept = [c["num_key_value_heads"] if kind == "attention" else 0 for kind in kinds]
    return {
        "attention.head_count_kv": kept,
        "expert_feed_forward_length": c["intermediate_size"],
        "ssm.conv_kernel": c.get("mamba_d_conv", 4),
        "ssm.state_size": c.get("mamba_d_state", 128),
        "ssm.group_count": c.get("mamba_n_groups", 1),
        "ssm.time_step_rank": c.get("mamba_n_heads", 128),
        "ssm.inner_size": c.get("mamba_expand", 2) * c["hidden_size"],
    }


def jamba(c: dict[str, Any]) -> dict[str, Any]:
    at = [i % c["attn_layer_period"] == c["attn_layer_offset"] for i in range(c["num_hidden_layers"])]
    return {
        "attention.head_count_kv": [c["num_key_value_heads"] if attends else 0 for attends in at],
        "ssm.conv_kernel": c["mamba_d_conv"],
        "ssm.state_size": c["mamba_d_state"],
        "ssm.time_step_rank": c.get("mamba_dt_rank") or -(-c["hidden_size"] // 16),
        "ssm.inner_size": c["mamba_expand"] * c["hidden_size"],
    }


def delta(c: dict[str, Any]) -> dict[str, Any]:
    return {
        "ssm.conv_kernel": c["linear_conv_kernel_dim"],
        "ssm.state_size": c["linear_key_head_dim"],
        "ssm.group_count": c["linear_num_key_heads"],
        "ssm.time_step_rank": c["linear_num_value_heads"],
        "ssm.inner_size": c["linear_value_head_dim"] * c["linear_num_value_heads"],
        "full_attention_interval": c.get("full_attention_interval", 4),
    }


def nas(c: dict[str, Any]) -> dict[str, Any]:
    """Heads by layer; a linear layer keeps its query heads and has no KV heads; no_op has neither."""
    heads, kept, widths = [], [], []
    for block in c["block_configs"]:
        attention, ffn = block["attention"], block["ffn"]
        group = attention.get("n_heads_in_group")
        heads.append(0 if attention.get("no_op") else c["num_attention_heads"])
        kept.append(c["num_attention_heads"] // group if group else 0)
        width = int(2 * (ffn.get("ffn_mult") or 0) * c["hidden_size"] / 3)
        widths.append(-(-width // 256) * 256)
    return {"attention.head_count": heads, "attention.head_count_kv": kept, "feed_forward_length": widths}


def scout(c: dict[str, Any]) -> dict[str, Any]:
    return {
        "expert_feed_forward_length": c["intermediate_size"],
        "feed_forward_length": c["intermediate_size_mlp"],
        "interleave_moe_layer_step": c["interleave_moe_layer_step"],
        "attention.chunk_size": c["attention_chunk_size"],
    }


def mamba2(c: dict[str, Any]) -> dict[str, Any]:
    inner = c.get("expand", 2) * c["hidden_size"]
    return {
        "ssm.conv_kernel": c["conv_kernel"],
        "ssm.state_size": c["state_size"],
        "ssm.group_count": c["n_groups"],
        "ssm.time_step_rank": inner // c["head_dim"],
        "ssm.inner_size": inner,
    }


CASES = [
    (NANO, "nemotron_h", nemotron),
    (NANO3, "nemotron_h_moe", nemotron),
    (GRANITE, "granitehybrid", granite),
    (JAMBA, "jamba", jamba),
    (NEXT, "qwen3next", delta),
    (NAS, "deci", nas),
    (SCOUT, "llama4", scout),
    (MAMBA, "mamba2", mamba2),
]


def language(model_id: str) -> dict[str, Any]:
    whole = config(model_id)
    section: dict[str, Any] = whole.get("text_config") or whole
    return section


def header(model_id: str, architecture: str, own: Any) -> dict[str, Any]:
    c = language(model_id)
    keys = {f"{architecture}.{key}": value for key, value in (common(c) | own(c)).items()}
    moe = [i for i in range(c.get("num_hidden_layers") or 0) if i % 2 == 1] if architecture == "jamba" else []
    tied = parse_config(c).tied_embeddings
    return {"general.architecture": architecture, "tied": tied, "moe_layers": moe} | keys


@pytest.mark.parametrize(("model_id", "architecture", "own"), CASES, ids=[case[1] for case in CASES])
def test_a_header_says_what_the_config_says(model_id: str, architecture: str, own: Any) -> None:
    read = model_features(parse_config(config_from_gguf(header(model_id, architecture, own))))
    plain = {"quantization_config": None, "mamba_ssm_cache_dtype": "float32"}  # llama.cpp keeps states in 32 bits
    stated = model_features(parse_config(language(model_id) | plain))
    assert read.kv_elements_per_token == stated.kv_elements_per_token
    assert read.window_kv_elements_per_token == stated.window_kv_elements_per_token
    assert read.state_bytes_per_sequence == stated.state_bytes_per_sequence
    assert read.kv_layers == stated.kv_layers
    assert read.total_parameters == pytest.approx(stated.total_parameters, rel=0.002)


def test_heads_that_differ_by_layer_are_counted_layer_by_layer() -> None:
    # OpenELM: 12 or 16 query heads, a quarter as many KV heads, width 64
    heads = [12, 12, 16, 16]
    own = {
        "block_count": 4, "embedding_length": 1024, "vocab_size": 32_000, "context_length": 2048,
        "attention.head_count": heads, "attention.head_count_kv": [each // 4 for each in heads],
        "attention.key_length": 64, "feed_forward_length": [1024, 2048, 3072, 4096],
    }  # fmt: skip
    metadata = {"general.architecture": "openelm", **{f"openelm.{key}": value for key, value in own.items()}}
    found = model_features(parse_config(config_from_gguf(metadata)))
    assert found.kv_elements_per_token == 2 * 64 * sum(each // 4 for each in heads)


def test_prediction_layers_of_a_header_are_no_layers_of_the_model() -> None:
    c = language("zai-org/GLM-4.5-Air")
    own = common(c) | {"block_count": c["num_hidden_layers"] + 1, "nextn_predict_layers": 1}
    own |= {"expert_shared_count": c["n_shared_experts"], "leading_dense_block_count": c["first_k_dense_replace"]}
    metadata = {"general.architecture": "glm4moe", **{f"glm4moe.{key}": value for key, value in own.items()}}
    read = model_features(parse_config(config_from_gguf(metadata)))
    assert read.kv_elements_per_token == model_features(parse_config(c)).kv_elements_per_token


@pytest.mark.parametrize("missing", ["ssm.state_size", "ssm.inner_size", "attention.head_count_kv"])
def test_a_hybrid_header_without_its_layers_is_refused(missing: str) -> None:
    metadata = header(NANO, "nemotron_h", nemotron)
    del metadata[f"nemotron_h.{missing}"]
    with pytest.raises(InvalidModel) as raised:
        parse_config(config_from_gguf(metadata))
    assert raised.value.code in {"model_keys_missing", "model_gguf_layers_differ"}
