"""What a published model file says, as layer groups: frozen, in counts and elements, before any number format."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from sizing.core.model.modules import Module
from sizing.core.model.quantisation import Quantisation
from sizing.core.model.reader import FilledDefault
from sizing.core.values import Message


class AttentionKind(StrEnum):
    """How a layer keeps keys and values."""

    FULL = "full"  # grows with every token
    SLIDING = "sliding"  # grows up to a window
    LATENT = "latent"  # one compressed copy for all heads (MLA)
    COMPRESSED = "compressed"  # a window plus every r-th token (DeepSeek-V4)
    CROSS = "cross"  # image or audio tokens once, nothing per text token
    ENCODER = "encoder"  # no cache at all


@dataclass(frozen=True, slots=True, kw_only=True)
class Attention:
    """The cache and the heads of one layer. Elements are per token, before the bytes of a number format."""

    kind: AttentionKind
    heads: int
    kv_heads: int
    qk_head_dim: int
    v_head_dim: int
    kv_elements_per_token: int = 0
    window_kv_elements_per_token: int = 0
    unwindowed_kv_elements_per_token: int = 0  # what an engine reserves that ignores windows
    window_tokens: int = 0
    index_elements_per_token: int = 0
    latent_rank: int = 0
    latent_rope_dim: int = 0
    sparse_top_k: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurrent:
    """A mixer with a constant state per running sequence."""

    kind: str  # mamba1, mamba2, delta, kda, linear, conv
    state_bytes_per_sequence: int
    state_values: int  # of state and convolution together, for engines that keep all of them in 32 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedForward:
    """The feed-forward block: dense width, and the routed experts where there are any."""

    width: int = 0
    experts: int = 0
    experts_per_token: int = 0
    expert_width: int = 0
    expert_parameters: int = 0  # of one routed expert
    shared_width: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerGroup:
    """Equal layers. `layers` are their positions, from 0, so that exception lists can name them."""

    layers: tuple[int, ...]
    modules: tuple[Module, ...]
    attention: Attention | None = None
    recurrent: Recurrent | None = None
    feed_forward: FeedForward | None = None
    shares_kv: bool = False  # reads the cache of an earlier layer, keeps none

    @property
    def count(self) -> int:
        return len(self.layers)

    @property
    def parameters(self) -> int:
        """Parameters of one layer of the group."""
        return sum(module.parameters for module in self.modules)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tower:
    """A vision or audio encoder beside the language model, kept in 16 bits unless a list says otherwise."""

    name: str
    parameters: int
    in_total: bool = True  # False where the published total is that of the language part
    tokens_per_input: int = 0  # largest input; DYNAMIC_INPUT_TOKENS of towers.py where its size is free


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelArchitecture:
    """A model as its config file describes it."""

    name: str
    model_type: str
    architecture: str
    hidden_size: int
    vocab_size: int
    max_context_tokens: int  # 0 where the file does not say
    groups: tuple[LayerGroup, ...]
    modules: tuple[Module, ...]  # embeddings, LM head, final norm
    tied_embeddings: bool
    kv_formula: str  # code of the formula in the explanation register
    towers: tuple[Tower, ...] = ()
    mtp_parameters: int = 0  # in the checkpoint, used only for speculative decoding
    mtp_layers: int = 0
    fixed_state_bytes_per_sequence: int = 0  # cross-attention keys and values of an encoder's output
    stored_bytes_per_parameter: float = 2.0
    stored_format: str = "bf16"
    quantisation: Quantisation | None = None
    kv_format_hint: str = ""
    is_encoder: bool = False
    stated_parameters: int | None = None  # from a typed shape; replaces the sum over modules
    filled_defaults: tuple[FilledDefault, ...] = ()
    warnings: tuple[Message, ...] = field(default=())

    @property
    def layers(self) -> int:
        return sum(group.count for group in self.groups)

    def attention_groups(self) -> Iterator[tuple[LayerGroup, Attention]]:
        """Groups that keep their own cache, with their attention."""
        for group in self.groups:
            if group.attention is not None and not group.shares_kv:
                yield group, group.attention
