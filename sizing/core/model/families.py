"""What a model class implies that its config file does not state.

Source: the model classes of the transformers library and the published checkpoints, as
catalog/data/models/README.md explains. One row per `model_type`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from sizing.core.values import Param


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Traits of one class. `None` for a bias means: the file's own key decides."""

    gated: bool = True  # three matrices in the feed-forward block, else two
    qkv_bias: bool | None = None
    output_bias: bool | None = None  # None: as `attention_bias`
    mlp_bias: bool | None = None
    qk_norm: str = ""  # "head": 2 x head width; "full": (heads + kv heads) x head width
    norms_per_layer: int = 2
    norm_bias: bool = False
    tied: bool = False
    sinks: bool = False
    query_gate: bool = False  # query projection doubled by an output gate
    window: str = "all"  # all, optional, alternate, every:N, none
    router_bias: bool = False
    defaults: Mapping[str, Param] = field(default_factory=dict)  # values a sparse text part leaves out
    class_defaults: Mapping[str, Param] = field(default_factory=dict)  # values any file may leave out


PLAIN = Family(gated=False, norm_bias=True, tied=True, qkv_bias=False, window="none")
QWEN2 = Family(qkv_bias=True, output_bias=False, window="optional")
QWEN3 = Family(qk_norm="head", window="optional")
QWEN_HYBRID = replace(QWEN3, query_gate=True, window="none")
GEMMA = Family(tied=True, window="none")
DEEPSEEK = Family(router_bias=True, window="none")
GRANITE = Family(tied=True, window="none")
MINIMAX = Family(window="none")

GEMMA3_DEFAULTS: Mapping[str, Param] = {
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 256,
    "vocab_size": 262_208,
    "max_position_embeddings": 131_072,
}
LLAMA_DEFAULTS: Mapping[str, Param] = {
    "hidden_size": 4096,
    "intermediate_size": 11_008,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "vocab_size": 32_000,
    "max_position_embeddings": 2048,
}
QWEN2_DEFAULTS: Mapping[str, Param] = {
    "hidden_size": 4096,
    "intermediate_size": 22_016,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 32,
    "vocab_size": 151_936,
    "max_position_embeddings": 32_768,
}
MISTRAL_DEFAULTS: Mapping[str, Param] = {
    "hidden_size": 4096,
    "intermediate_size": 14_336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 32_000,
    "max_position_embeddings": 131_072,
}

FAMILIES: Mapping[str, Family] = {
    "llama": Family(window="none", defaults=LLAMA_DEFAULTS),
    "lwm": Family(window="none"),
    "mistral": Family(defaults=MISTRAL_DEFAULTS),
    "ministral3": Family(),
    "mixtral": Family(),
    "internlm2": Family(window="none"),
    "internlm": Family(window="none", qkv_bias=True, output_bias=True),
    "baichuan": Family(window="none"),
    "xverse": Family(window="none"),
    "deci": Family(window="none"),
    "nemotron-nas": Family(window="none"),
    "nemotron": replace(PLAIN, tied=False),
    "mllama_text_model": Family(window="none"),
    "llama4_text": Family(window="every:4"),
    "qwen": Family(qkv_bias=True, output_bias=False, window="none"),
    "qwen2": replace(QWEN2, defaults=QWEN2_DEFAULTS),
    "qwen2_moe": QWEN2,
    "qwen2_vl": QWEN2,
    "qwen2_vl_text": QWEN2,
    "qwen2_5_vl": QWEN2,
    "qwen2_5_vl_text": QWEN2,
    "mimo": QWEN2,
    "qwen3": QWEN3,
    "qwen3_moe": QWEN3,
    "qwen3_vl_text": QWEN3,
    "qwen3_vl_moe_text": QWEN3,
    "qwen3_next": QWEN_HYBRID,
    "qwen3_5_text": QWEN_HYBRID,
    "qwen3_5_moe_text": QWEN_HYBRID,
    "gemma": GEMMA,
    "gemma2": replace(GEMMA, norms_per_layer=4, window="alternate"),
    "gemma3": replace(GEMMA, norms_per_layer=4, qk_norm="head", window="every:6"),
    "gemma3_text": replace(GEMMA, norms_per_layer=4, qk_norm="head", window="every:6", defaults=GEMMA3_DEFAULTS),
    "gemma3n_text": replace(GEMMA, norms_per_layer=4, qk_norm="head", window="every:5"),
    "gemma4_text": replace(GEMMA, norms_per_layer=4, qk_norm="head", window="every:6"),
    "cohere": Family(tied=True, norms_per_layer=1, window="none"),
    "cohere2": Family(tied=True, norms_per_layer=1, window="every:4"),
    "falcon": replace(PLAIN, output_bias=False, class_defaults={"max_position_embeddings": 2048}),
    "mpt": replace(PLAIN, norm_bias=False, output_bias=False),
    "bloom": replace(PLAIN, qkv_bias=True, output_bias=True, mlp_bias=True),
    "gpt2": replace(PLAIN, qkv_bias=True, output_bias=True, mlp_bias=True),
    "gpt_bigcode": replace(PLAIN, qkv_bias=True, output_bias=True, mlp_bias=True),
    "gptj": replace(PLAIN, tied=False, output_bias=False, mlp_bias=True, norms_per_layer=1),
    "gpt_neox": replace(PLAIN, tied=False, qkv_bias=True, output_bias=True, mlp_bias=True),
    "opt": replace(PLAIN, qkv_bias=True, output_bias=True, mlp_bias=True),
    "phi": replace(PLAIN, tied=False, qkv_bias=True, output_bias=True, mlp_bias=True, norms_per_layer=1),
    "starcoder2": replace(PLAIN, qkv_bias=None, output_bias=None, mlp_bias=None, window="all"),
    "phi3": Family(),
    "phimoe": Family(output_bias=True, norm_bias=True),
    "olmo": Family(norms_per_layer=0, window="none"),
    "olmo2": Family(qk_norm="full", window="none"),
    "olmo3": Family(qk_norm="full", window="every:4"),
    "exaone": Family(window="none"),
    "exaone4": Family(qk_norm="head", window="every:4"),
    "smollm3": Family(tied=True, window="none"),
    "stablelm": Family(norm_bias=True, window="none"),
    "dbrx": Family(window="none"),
    "chatglm": Family(output_bias=False, window="none"),
    "glm4": Family(norms_per_layer=4, output_bias=False, window="none"),
    "glm4_moe": Family(output_bias=False, router_bias=True, window="none"),
    "glm_moe_dsa": DEEPSEEK,
    "deepseek_v2": Family(window="none"),
    "deepseek_v3": DEEPSEEK,
    "deepseek_v32": DEEPSEEK,
    "deepseek_v4": DEEPSEEK,
    "kimi_k2": DEEPSEEK,
    "kimi_linear": DEEPSEEK,
    "minimax_m1": MINIMAX,
    "minimax_text_01": MINIMAX,
    "minimax_m2": replace(MINIMAX, qk_norm="full", router_bias=True),
    "minimax_m3": replace(MINIMAX, qk_norm="head", router_bias=True),
    "mimo_v2_flash": Family(router_bias=True),
    "step3p7": Family(router_bias=True, qk_norm="head"),
    "step3p5": Family(router_bias=True, qk_norm="head"),
    "gpt_oss": Family(qkv_bias=True, output_bias=True, sinks=True, window="alternate", router_bias=True),
    "granite": GRANITE,
    "granitemoe": GRANITE,
    "granitemoehybrid": GRANITE,
    "bamba": Family(window="none"),
    "falcon_h1": Family(window="none"),
    "jamba": Family(window="none"),
    "nemotron_h": Family(gated=False, norms_per_layer=1, router_bias=True, window="none"),
    "mamba": Family(norms_per_layer=1, tied=True, window="none"),
    "mamba2": Family(norms_per_layer=1, tied=True, window="none"),
    "lfm2": Family(tied=True, qk_norm="head", window="none"),
    "lfm2_moe": Family(tied=True, qk_norm="head", window="none"),
    "minicpm": Family(tied=True, window="none"),
    "minicpm3": Family(tied=True, window="none"),
    "falcon_mamba": Family(norms_per_layer=1, window="none"),
    "olmoe": Family(qk_norm="full", window="none"),
    "deepseek": Family(window="none"),
    "dots1": replace(DEEPSEEK, qk_norm="head"),
    "bailing_moe": replace(DEEPSEEK, qk_norm="head"),
    "seed_oss": Family(output_bias=False, window="none"),
    "arctic": Family(window="none"),
    "ernie4_5": Family(tied=True, window="none"),
    "ernie4_5_moe": Family(tied=True, router_bias=True, window="none"),
    "hunyuan": Family(tied=True, window="none"),
    "hunyuan_v1_dense": Family(tied=True, qk_norm="head", window="none"),
    "hunyuan_v1_moe": Family(tied=True, qk_norm="head", window="none"),
    "openelm": Family(tied=True, qk_norm="head", window="none"),
    "persimmon": replace(PLAIN, tied=False, qkv_bias=True, output_bias=True, mlp_bias=True),
    "apertus": Family(gated=False, qk_norm="head", window="none"),
    "arcee": Family(gated=False, window="none"),
}

SAME_CLASS = {
    "qwen3_5": "qwen3_5_text",
    "qwen3_5_moe": "qwen3_5_moe_text",
    "qwen3_vl": "qwen3_vl_text",
    "qwen3_vl_moe": "qwen3_vl_moe_text",
    "gemma4": "gemma4_text",
    "llama4": "llama4_text",
    "mllama": "mllama_text_model",
    "kimi_k3": "kimi_linear",
    "kimi_k25": "kimi_k2",
    "mistral3": "ministral3",
    "minimax_m1_moe": "minimax_m1",
}
"""Names of whole-model classes that a flattened text part may carry."""

GENERIC = Family()
"""Used for an unknown class whose shape keys are all there, with a warning."""


def family_of(model_type: str) -> Family | None:
    """Traits of the class, None where it is not known."""
    return FAMILIES.get(SAME_CLASS.get(model_type, model_type))
