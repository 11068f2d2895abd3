"""Encoder-only models (BERT kin) and encoder-decoder models (Whisper, T5, BART)."""

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import Attention, AttentionKind, FeedForward, LayerGroup
from sizing.core.model.modules import Module, Role, small
from sizing.core.model.reader import Fields
from sizing.core.model.shape import ROBERTA_OFFSET

ENCODER_TYPES = ("bert", "roberta", "xlm-roberta", "camembert", "distilbert", "mpnet", "electra", "nomic_bert")
ROBERTA_TYPES = ("roberta", "xlm-roberta", "camembert")
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
    parts.groups.append(_block_group(range(layers), hidden, heads, inner, AttentionKind.ENCODER))
    parts.modules.append(Module("embeddings", (parts.vocab + positions + types) * hidden, Role.EMBEDDING))
    parts.modules += small("embeddings.LayerNorm", 2 * hidden)
    if architecture.endswith("ForSequenceClassification"):
        parts.modules.append(Module("classifier.dense", hidden * hidden + hidden, Role.DENSE))
        parts.modules += small("classifier.out_proj", hidden + 1)
    elif architecture.endswith("Model") or not architecture:
        parts.modules.append(Module("pooler.dense", hidden * hidden + hidden, Role.DENSE))
    return parts


def _block_group(layers: range, hidden: int, heads: int, inner: int, kind: AttentionKind) -> LayerGroup:
    return LayerGroup(
        layers=tuple(layers),
        attention=Attention(
            kind=kind, heads=heads, kv_heads=heads, qk_head_dim=hidden // heads, v_head_dim=hidden // heads
        ),
        feed_forward=FeedForward(width=inner),
        modules=(
            Module("attention", 4 * hidden * hidden, Role.ATTENTION),
            Module("intermediate", 2 * hidden * inner, Role.DENSE),
            *small("bias", 4 * hidden + inner + hidden),
            *small("norms", 4 * hidden),
        ),
    )


def read_encoder_decoder(fields: Fields, model_type: str) -> Parts:
    """Decoder self-attention grows per output token; cross-attention keeps the encoder's output once."""
    parts = Parts()
    parts.hidden = hidden = fields.required("d_model")
    parts.vocab = fields.required("vocab_size")
    encoder_layers = fields.required("encoder_layers", "num_layers", limit="layers")
    decoder_layers = fields.required("decoder_layers", "num_decoder_layers", "num_layers", limit="layers")
    heads = fields.required("decoder_attention_heads", "encoder_attention_heads", "num_heads", limit="heads")
    width = fields.integer("d_kv", minimum=1, limit="head_dim") or hidden // heads
    inner = fields.required("decoder_ffn_dim", "d_ff")
    encoder_inner = fields.integer("encoder_ffn_dim", "d_ff", minimum=1) or inner
    source = fields.integer("max_source_positions", "n_positions", "max_position_embeddings", limit="context")
    t5 = model_type in ("t5", "mt5")
    matrices = 3 if "gated" in (fields.text("feed_forward_proj") or "") else 2
    attention = 4 * hidden * heads * width
    biases = 0 if t5 else 3 * hidden
    norm = hidden if t5 else 2 * hidden
    if source is None:
        source = 512
        fields.notes.fill("max_source_positions", source, "rule")
    parts.groups.append(
        _coder(
            range(encoder_layers), heads, width, encoder_inner, attention, biases, norm, matrices, hidden, cross=False
        )
    )
    decoder = range(encoder_layers, encoder_layers + decoder_layers)
    parts.groups.append(_coder(decoder, heads, width, inner, attention, biases, norm, matrices, hidden, cross=True))
    parts.context = fields.integer("max_target_positions", "n_positions", "max_position_embeddings") or 0
    parts.fixed_state_bytes = 2 * decoder_layers * heads * width * source * 2
    parts.modules.append(Module("model.embed_tokens", parts.vocab * hidden, Role.EMBEDDING))
    parts.modules += _outer(fields, model_type, hidden, source, parts.context, norm)
    return parts


def _outer(fields: Fields, model_type: str, hidden: int, source: int, target: int, norm: int) -> list[Module]:
    """Position tables, the audio front end and the final norms."""
    modules: list[Module] = list(small("norms", 2 * norm))
    if model_type == "whisper":
        mel = fields.integer("num_mel_bins", limit="heads") or 80
        modules.append(Module("positions", (source + target) * hidden, Role.EMBEDDING))
        modules += small("encoder.conv", 3 * mel * hidden + hidden + 3 * hidden * hidden + hidden)
    elif model_type in ("bart", "mbart", "m2m_100"):
        modules.append(Module("positions", (source + target) * hidden, Role.EMBEDDING))
    return modules


def _coder(
    layers: range,
    heads: int,
    width: int,
    inner: int,
    attention: int,
    biases: int,
    norm: int,
    matrices: int,
    hidden: int,
    *,
    cross: bool,
) -> LayerGroup:
    blocks = 2 if cross else 1
    elements = 2 * heads * width if cross else 0
    return LayerGroup(
        layers=tuple(layers),
        attention=Attention(
            kind=AttentionKind.FULL if cross else AttentionKind.ENCODER,
            heads=heads,
            kv_heads=heads,
            qk_head_dim=width,
            v_head_dim=width,
            kv_elements_per_token=elements,
            unwindowed_kv_elements_per_token=elements,
        ),
        feed_forward=FeedForward(width=inner),
        modules=(
            Module("self_attn", blocks * attention, Role.ATTENTION),
            Module("mlp", matrices * hidden * inner, Role.DENSE),
            *small("bias", blocks * biases + (inner + hidden if biases else 0)),
            *small("norms", (blocks + 1) * norm),
        ),
    )
