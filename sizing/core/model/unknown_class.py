"""Checks of files whose class Kvote does not know: private keys are refused, odd sizes are said."""

import re
from collections.abc import Sequence

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import LayerGroup
from sizing.core.model.modules import Module
from sizing.core.model.reader import Fields, Notes

STRUCTURAL = re.compile(
    r"expert|moe|mamba|ssm_|lru_|rwkv|hybrid|recurrent|conv_|conv1d|linear_attn|linear_num|block_types|attn_every"
    r"|local_attention|attention_groups|share_q|altup|laurel|mem_blocks|window_size|relative_attention|cross_layer"
    r"|kv_share|share_kv|num_attention_layers|layer_pattern"
)
"""Keys that change what a layer holds. Where no rule here reads such a key, the answer would be a guess."""
HARMLESS = re.compile(
    r"router|aux|loss|bias|dtype|n_group|topk_group|expert_group|coef|norm|overlap|fusion|scal|capacity|jitter|drop"
    r"|backend|impl|parallel|init|capture|gate_|balanc|dispatch|token_type|kernel_size"
)
UNDERSTOOD = frozenset({
    "num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts", "num_experts_per_tok",
    "num_experts_per_token", "moe_top_k", "moe_topk", "top_k_experts", "moe_k", "moe_intermediate_size",
    "n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts",
    "shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "share_expert_dim", "moe_layer_freq",
    "moe_layer_frequency", "moe_layer_interval", "moe_layer_start_index", "moe_layer_end_index", "moe_layers",
    "interleave_moe_layer_step", "expert_layer_period", "expert_layer_offset", "moe_latent_size", "sliding_window_size",
    "routed_expert_hidden_size", "hybrid_layer_pattern", "sliding_window_pattern", "_sliding_window_pattern",
    "linear_attn_config", "linear_num_key_heads", "linear_num_value_heads",
})  # fmt: skip
NOT_DECODERS = (
    "MaskedLM",
    "ForSequenceClassification",
    "ForImageClassification",
    "ForTokenClassification",
    "CLIPModel",
)
SIZE_IN_NAME = re.compile(r"(?<![\dA-Za-z.])(\d+(?:\.\d+)?)[bB](?![a-zA-Z])")
TOLERANCE = 0.15  # of the size in the name


def refuse_private_keys(fields: Fields, architecture: str) -> None:
    """Raises InvalidModel where an unknown class has keys that shape its layers, or is no decoder at all."""
    if architecture.endswith(NOT_DECODERS):
        raise InvalidModel("model_class_no_decoder", "/architectures", architecture=architecture[:80])
    private = [
        key
        for key in fields.values
        if isinstance(key, str)
        and STRUCTURAL.search(key)
        and not HARMLESS.search(key)
        and key not in UNDERSTOOD
        and fields.raw(key) not in (None, False, 0)
    ]
    if private:
        raise InvalidModel(
            "model_keys_private",
            fields.at(private[0]),
            keys=", ".join(sorted(private)[:6])[:200],
        )


def size_note(notes: Notes, name: str, groups: Sequence[LayerGroup], modules: Sequence[Module]) -> None:
    """Warns where the size in the model's name and the computed one differ by more than 15 %."""
    found = SIZE_IN_NAME.search(name.rsplit("/", 1)[-1].replace("_", "-"))
    if found is None:
        return
    stated = float(found[1]) * 1e9
    computed = sum(group.count * group.parameters for group in groups) + sum(module.parameters for module in modules)
    if stated and abs(computed / stated - 1) > TOLERANCE:
        notes.warn("model_size_differs", stated_b=float(found[1]), computed_b=computed / 1e9)
