"""The few numbers of a model that speed and memory formulas need: the seam between reading and sizing."""

from dataclasses import dataclass

from sizing.core.precision import Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFeatures:
    """A decoder language model reduced to what one engine step reads and computes.

    Counts are parameters or elements of the whole model (all layers), not bytes, unless the name
    says bytes. Symbols in brackets are those of docs/method.md.
    """

    name: str
    family: str  # model_type of the config file
    layers: int  # [L]
    hidden_size: int  # [H]
    vocab_size: int  # [V]
    heads: int
    kv_heads: int  # [n_kv]; 1 for MLA's shared latent
    attention_parameters: int  # [P_attn] projections of all layers, recurrent mixers included
    dense_parameters: int  # [P_dense] dense feed-forward and shared experts of all layers
    embedding_parameters: int  # input embedding plus LM head if untied
    lm_head_parameters: int  # V x H, also where tied: read once a step
    other_parameters: int  # norms, routers, biases, vision tower
    moe_layers: int = 0  # [Lm]
    experts: int = 0  # [E] routed experts per MoE layer
    experts_per_token: int = 0  # [k]
    expert_parameters: int = 0  # [P_exp] of one routed expert in one layer
    expert_width: int = 0  # [I]
    attention_layers: int = 0  # [L_att] with softmax attention
    full_attention_layers: int = 0  # [L_full]
    window_tokens: int = 0  # [w], 0 where no layer slides
    kv_elements_per_token: int = 0  # full layers only: grows without bound
    window_kv_elements_per_token: int = 0  # sliding layers: grows up to the window
    is_mla: bool = False
    sparse_top_k: int = 0  # tokens attended by a sparse indexer (DSA), 0 = all
    indexer_bytes_per_token: int = 0
    qk_width: int = 0  # [a_q] heads x query/key width, for prefill
    v_width: int = 0  # [a_v] heads x value width
    mla_decode_qk_width: int = 0
    mla_decode_v_width: int = 0
    recurrent_layers: int = 0  # [L_lin]
    state_bytes_per_sequence: int = 0
    max_context_tokens: int = 0
    total_parameters: int = 0
    active_parameters: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightBytes:
    """Bytes per stored weight and the compute rate, by group of weights."""

    attention: float
    dense: float
    experts: float
    embedding: float
    other: float
    attention_rate: Rate
    dense_rate: Rate
    experts_rate: Rate
    total_bytes: int  # of the whole checkpoint as served
