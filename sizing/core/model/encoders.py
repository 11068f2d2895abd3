"""Encoder-only models (BERT kin) and encoder-decoder models (Whisper, T5, BART)."""

from dataclasses import dataclass

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import Attention, AttentionKind, FeedForward, LayerGroup
from sizing.core.model.modules import Module, Role, small
from sizing.core.model.reader import Fields
from sizing.core.model.shape import ROBERTA_OFFSET

ENCODER_TYPES = (
    "bert",
    "roberta",
    "xlm-roberta",
    "camembert",
    "distilbert",
    "mpnet",
    "electra",
    "nomic_bert",
    "modernbert",
    "deberta",
    "deberta-v2",
)
GATED_TYPES = ("modernbert",)
WITHOUT_POSITIONS = ("modernbert", "deberta", "deberta-v2")
"""Classes that know positions by rotation or distance and keep no table of them."""
ROBERTA_TYPES = ("roberta", "xlm-roberta", "camembert")
T5_TYPES = ("t5", "mt5")
ENCODER_DECODER_TYPES = ("whisper", "t5", "mt5", "bart", "mbart", "m2m_100")


class Parts:
    """What the parser takes over: groups, outer modules and sizes."""

    def __init__(self) -> None:
        self.groups: list[LayerGroup] = []
        self.modules: list[Module] = []
        self.hidden = 0
        self.vocab = 0
        self.context = 0
        self.fixed_state_bytes = 0


def read_encoder(fields: Fields, model_type: str, architecture: str) -> Parts:
    """BERT kin: embeddings, blocks with biases, and the head that the architecture's name says."""
    parts = Parts()
    parts.hidden = hidden = fields.required("hidden_size", "dim", "d_model")
    parts.vocab = fields.required("vocab_size")
    layers = fields.required("num_hidden_layers", "n_layers", limit="layers")
    heads = fields.required("num_attention_heads", "n_heads", limit="heads")
    inner = fields.required("intermediate_size", "hidden_dim")
    positions = fields.required("max_position_embeddings", limit="context")
    if hidden % heads:
        raise InvalidModel(
            "model_heads_do_not_divide", fields.at("num_attention_heads"), hidden_size=hidden, heads=heads
        )
    parts.context = max(1, positions - (ROBERTA_OFFSET if model_type in ROBERTA_TYPES else 0))
    types = fields.integer("type_vocab_size", limit="heads") or 0
    gated = model_type in GATED_TYPES
    parts.groups.append(_block_group(range(layers), hidden, heads, inner, gated=gated))
    table = parts.vocab + types + (0 if model_type in WITHOUT_POSITIONS else positions)
    parts.modules.append(Module("embeddings", table * hidden, Role.EMBEDDING))
    parts.modules += small("embeddings.LayerNorm", 2 * hidden)
    if architecture.endswith("ForSequenceClassification"):
        parts.modules.append(Module("classifier.dense", hidden * hidden + hidden, Role.DENSE))
        parts.modules += small("classifier.out_proj", hidden + 1)
    elif architecture.endswith("Model") or not architecture:
        parts.modules.append(Module("pooler.dense", hidden * hidden + hidden, Role.DENSE))
    return parts


def _block_group(layers: range, hidden: int, heads: int, inner: int, *, gated: bool) -> LayerGroup:
    """A block with biases; the gated ones have none and a third matrix."""
    kind = AttentionKind.ENCODER
    return LayerGroup(
        layers=tuple(layers),
        attention=Attention(
            kind=kind, heads=heads, kv_heads=heads, qk_head_dim=hidden // heads, v_head_dim=hidden // heads
        ),
        feed_forward=FeedForward(width=inner),
        modules=(
            Module("attention", 4 * hidden * hidden, Role.ATTENTION),
            Module("intermediate", (3 if gated else 2) * hidden * inner, Role.DENSE),
            *small("bias", 0 if gated else 4 * hidden + inner + hidden),
            *small("norms", (2 if gated else 4) * hidden),
        ),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Stack:
    """Sizes that encoder and decoder of one model share."""

    hidden: int
    heads: int
    width: int
    matrices: int  # of one feed-forward block
    biases: int  # of one attention
    norm: int

    @property
    def attention(self) -> int:
        return 4 * self.hidden * self.heads * self.width


def read_encoder_decoder(fields: Fields, model_type: str) -> Parts:
    """Decoder self-attention grows per output token; cross-attention keeps the encoder's output once."""
    parts = Parts()
    parts.hidden = hidden = fields.required("d_model")
    parts.vocab = fields.required("vocab_size")
    encoder_layers = fields.required("encoder_layers", "num_layers", limit="layers")
    decoder_layers = fields.required("decoder_layers", "num_decoder_layers", "num_layers", limit="layers")
    inner = fields.required("decoder_ffn_dim", "d_ff")
    encoder_inner = fields.integer("encoder_ffn_dim", "d_ff", minimum=1) or inner
    stack = _stack(fields, model_type, hidden)
    source = fields.integer("max_source_positions", "n_positions", "max_position_embeddings", limit="context")
    if source is None:
        source = 512
        fields.notes.fill("max_source_positions", source, "rule")
    parts.context = fields.integer("max_target_positions", "n_positions", "max_position_embeddings") or 0
    decoder = range(encoder_layers, encoder_layers + decoder_layers)
    parts.groups.append(_coder(stack, range(encoder_layers), encoder_inner, cross=False))
    parts.groups.append(_coder(stack, decoder, inner, cross=True))
    parts.fixed_state_bytes = 2 * decoder_layers * stack.heads * stack.width * source * 2
    parts.modules.append(Module("model.embed_tokens", parts.vocab * hidden, Role.EMBEDDING))
    if model_type not in T5_TYPES:
        parts.modules.append(Module("positions", (source + parts.context) * hidden, Role.EMBEDDING))
    if model_type == "whisper":
        mel = fields.integer("num_mel_bins", limit="heads") or 80
        parts.modules += small("encoder.conv", 3 * mel * hidden + hidden + 3 * hidden * hidden + hidden)
    if model_type in T5_TYPES and fields.boolean("tie_word_embeddings") is False:
        parts.modules.append(Module("lm_head", parts.vocab * hidden, Role.LM_HEAD))
    parts.modules += small("norms", 2 * stack.norm)
    return parts


def _stack(fields: Fields, model_type: str, hidden: int) -> Stack:
    heads = fields.required("decoder_attention_heads", "encoder_attention_heads", "num_heads", limit="heads")
    t5 = model_type in T5_TYPES
    return Stack(
        hidden=hidden,
        heads=heads,
        width=fields.integer("d_kv", minimum=1, limit="head_dim") or max(1, hidden // heads),
        matrices=3 if "gated" in (fields.text("feed_forward_proj") or "") else 2,
        biases=0 if t5 else 3 * hidden,
        norm=hidden if t5 else 2 * hidden,
    )


def _coder(stack: Stack, layers: range, inner: int, *, cross: bool) -> LayerGroup:
    blocks = 2 if cross else 1
    elements = 2 * stack.heads * stack.width if cross else 0
    return LayerGroup(
        layers=tuple(layers),
        attention=Attention(
            kind=AttentionKind.FULL if cross else AttentionKind.ENCODER,
            heads=stack.heads,
            kv_heads=stack.heads,
            qk_head_dim=stack.width,
            v_head_dim=stack.width,
            kv_elements_per_token=elements,
            unwindowed_kv_elements_per_token=elements,
        ),
        feed_forward=FeedForward(width=inner),
        modules=(
            Module("self_attn", blocks * stack.attention, Role.ATTENTION),
            Module("mlp", stack.matrices * stack.hidden * inner, Role.DENSE),
            *small("bias", blocks * stack.biases + (inner + stack.hidden if stack.biases else 0)),
            *small("norms", (blocks + 1) * stack.norm),
        ),
    )
