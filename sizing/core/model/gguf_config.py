"""Key-values of a GGUF header -> the keys of a config.json, so that one parser reads both."""

from collections.abc import Mapping

from sizing.core.errors import InvalidModel
from sizing.core.model.gguf_layers import layer_keys, numbers

MODEL_TYPES = {
    "llama": "llama", "mistral3": "ministral3", "qwen2": "qwen2", "qwen2moe": "qwen2_moe", "qwen3": "qwen3",
    "qwen3moe": "qwen3_moe", "gemma": "gemma", "gemma2": "gemma2", "gemma3": "gemma3_text", "phi3": "phi3",
    "deepseek2": "deepseek_v3", "gpt-oss": "gpt_oss", "glm4moe": "glm4_moe", "command-r": "cohere",
    "cohere2": "cohere2", "starcoder2": "starcoder2", "falcon": "falcon", "olmo2": "olmo2", "granite": "granite",
    "smollm3": "smollm3", "exaone4": "exaone4", "minimax-m2": "minimax_m2", "internlm2": "internlm2",
    "qwen": "qwen", "qwen2vl": "qwen2", "qwen3vl": "qwen3", "qwen3vlmoe": "qwen3_moe", "qwen3next": "qwen3_next",
    "qwen35": "qwen3_5_text", "qwen35moe": "qwen3_5_moe_text", "gemma3n": "gemma3n_text", "gemma4": "gemma4_text",
    "phi2": "phi", "phimoe": "phimoe", "gptneox": "gpt_neox", "gpt2": "gpt2", "gptj": "gptj", "bloom": "bloom",
    "mpt": "mpt", "starcoder": "gpt_bigcode", "stablelm": "stablelm", "olmo": "olmo", "olmoe": "olmoe",
    "baichuan": "baichuan", "xverse": "xverse", "minicpm": "minicpm", "minicpm3": "minicpm3", "exaone": "exaone",
    "nemotron": "nemotron", "nemotron_h": "nemotron_h", "nemotron_h_moe": "nemotron_h", "deci": "deci",
    "openelm": "openelm", "granitemoe": "granitemoe", "granitehybrid": "granitemoehybrid", "jamba": "jamba",
    "falcon-h1": "falcon_h1", "lfm2": "lfm2", "lfm2moe": "lfm2_moe", "kimi-linear": "kimi_linear", "mamba": "mamba",
    "mamba2": "mamba2", "glm4": "glm4", "chatglm": "chatglm", "deepseek": "deepseek", "dots1": "dots1",
    "bailingmoe": "bailing_moe", "bailingmoe2": "bailing_moe", "seed_oss": "seed_oss", "ernie4_5": "ernie4_5",
    "ernie4_5-moe": "ernie4_5_moe", "hunyuan-dense": "hunyuan_v1_dense", "hunyuan-moe": "hunyuan_v1_moe",
    "apertus": "apertus", "arcee": "arcee", "llama4": "llama4_text",
}  # fmt: skip
KEYS = {
    "block_count": "num_hidden_layers",
    "embedding_length": "hidden_size",
    "attention.head_count": "num_attention_heads",
    "attention.head_count_kv": "num_key_value_heads",
    "attention.sliding_window": "sliding_window",
    "context_length": "max_position_embeddings",
    "expert_count": "num_experts",
    "expert_used_count": "num_experts_per_tok",
    "expert_feed_forward_length": "moe_intermediate_size",
    "expert_shared_count": "n_shared_experts",
    "expert_shared_feed_forward_length": "shared_expert_intermediate_size",
    "leading_dense_block_count": "first_k_dense_replace",
    "attention.shared_kv_layers": "num_kv_shared_layers",
    "attention.chunk_size": "attention_chunk_size",
    "interleave_moe_layer_step": "interleave_moe_layer_step",
    "moe_latent_size": "moe_latent_size",
    "embedding_length_per_layer_input": "hidden_size_per_layer_input",
    "vocab_size": "vocab_size",
}


def config_from_gguf(metadata: Mapping[str, object]) -> dict[str, object]:
    """A config that parse_config reads. Raises InvalidModel where the architecture is not known here."""
    architecture = metadata.get("general.architecture")
    if not isinstance(architecture, str) or architecture not in MODEL_TYPES:
        raise InvalidModel(
            "model_gguf_architecture_unknown",
            "/general.architecture",
            value=str(architecture)[:60],
            known=", ".join(MODEL_TYPES),
        )
    prefix = f"{architecture}."
    own = {key.removeprefix(prefix): value for key, value in metadata.items() if key.startswith(prefix)}
    config: dict[str, object] = {"model_type": MODEL_TYPES[architecture]}
    layers = _layer_lists(architecture, own, metadata)
    for source, target in KEYS.items():
        if source in own and target not in layers:
            config[target] = _one(own[source], prefix + source)
    if "feed_forward_length" in own:
        width = _largest(own["feed_forward_length"], prefix + "feed_forward_length")
        config["intermediate_size_mlp" if architecture == "llama4" else "intermediate_size"] = width
    if architecture == "llama4":
        config["intermediate_size"] = own.get("expert_feed_forward_length") or config.get("intermediate_size_mlp")
    _leave_out_prediction_layers(config, own)
    if "vocab_size" not in config:
        config["vocab_size"] = _length(metadata.get("tokenizer.ggml.tokens"))
    config["tie_word_embeddings"] = bool(metadata.get("tied"))
    config.update(_head_widths(own, prefix))
    config.update(layers)
    if "stored_format" in metadata:
        stored = {"format": metadata["stored_format"], "bits_per_weight": metadata["stored_bits"]}
        config["quantization_config"] = {"quant_method": "gguf", **stored}
    return config


def _layer_lists(architecture: str, own: Mapping[str, object], metadata: Mapping[str, object]) -> dict[str, object]:
    moe = metadata.get("moe_layers")
    return layer_keys(architecture, own, moe_layers=numbers(moe))


def _leave_out_prediction_layers(config: dict[str, object], own: Mapping[str, object]) -> None:
    """`block_count` counts multi-token prediction layers, which a config.json does not."""
    ahead, layers = own.get("nextn_predict_layers"), config.get("num_hidden_layers")
    if isinstance(ahead, int) and isinstance(layers, int) and 0 < ahead < layers:
        config["num_hidden_layers"] = layers - ahead
        config["num_nextn_predict_layers"] = ahead


def _one(value: object, key: str) -> object:
    """A number, or the one value that a per-layer list repeats."""
    if not isinstance(value, list):
        return value
    distinct = set(map(str, value))
    if len(distinct) != 1:
        raise InvalidModel("model_gguf_layers_differ", f"/{key}", key=key)
    return value[0]


def _largest(value: object, key: str) -> object:
    if not isinstance(value, list):
        return value
    widths = [width for width in value if isinstance(width, int)]
    if not widths:
        raise InvalidModel("model_gguf_layers_differ", f"/{key}", key=key)
    return max(widths)


def _length(value: object) -> object:
    return value.get("length") if isinstance(value, Mapping) else None


def _head_widths(own: Mapping[str, object], prefix: str) -> dict[str, object]:
    """Widths of keys and values; for latent attention those of the expanded heads and the rank."""
    rank = own.get("attention.kv_lora_rank")
    if isinstance(rank, int) and rank:
        key, value = own.get("attention.key_length_mla"), own.get("attention.value_length_mla")
        cached = own.get("attention.key_length")
        if not (isinstance(key, int) and isinstance(value, int) and isinstance(cached, int)):
            stated = {"key_length_mla": key, "value_length_mla": value, "key_length": cached}
            absent = [f"{prefix}attention.{name}" for name, width in stated.items() if not isinstance(width, int)]
            raise InvalidModel("model_gguf_latent_old", f"/{absent[0]}", keys=", ".join(absent))
        rope = cached - rank
        return {
            "kv_lora_rank": rank,
            "q_lora_rank": own.get("attention.q_lora_rank"),
            "qk_rope_head_dim": rope,
            "qk_nope_head_dim": key - rope,
            "v_head_dim": value,
        }
    widths: dict[str, object] = {}
    if "attention.key_length" in own:
        widths["head_dim"] = own["attention.key_length"]
        if own.get("attention.value_length") not in {None, own["attention.key_length"]}:
            widths["v_head_dim"] = own["attention.value_length"]
    return widths
