"""A published config.json (as a mapping) -> ModelArchitecture, or InvalidModel that names the key."""

from collections.abc import Mapping

from sizing.core.errors import InvalidModel
from sizing.core.model.architecture import AttentionKind, LayerGroup, ModelArchitecture
from sizing.core.model.attention import build_attention
from sizing.core.model.encoders import (
    ENCODER_DECODER_TYPES,
    ENCODER_TYPES,
    Parts,
    read_encoder,
    read_encoder_decoder,
)
from sizing.core.model.families import GENERIC, SAME_CLASS, Family, family_of
from sizing.core.model.feed_forward import build_feed_forward
from sizing.core.model.modules import Module, Role, small
from sizing.core.model.plan import Layer, plan_layers
from sizing.core.model.quantisation import Quantisation, read_quantisation
from sizing.core.model.reader import LIMITS, Fields, Notes
from sizing.core.model.recurrent import build_recurrent
from sizing.core.model.shape import Shape, read_shape
from sizing.core.model.towers import read_towers
from sizing.core.model.unknown_class import refuse_private_keys, size_note
from sizing.core.model.wrong_files import refuse_wrong_file

LANGUAGE_SECTIONS = ("text_config", "language_config", "llm_config")
INHERITED = ("tie_word_embeddings", "torch_dtype", "dtype", "quantization_config", "model_type")
STORED_BYTES = {"float32": 4.0, "fp32": 4.0, "float64": 8.0}
PUBLISHED_WITHOUT_HEAD = ("Model", "ForTextEncoding", "ForSequenceClassification")
MAX_KEYS = 4_096


def parse_config(config: Mapping[str, object], *, name: str = "") -> ModelArchitecture:
    """The model that a config.json describes.

    A ModelOpt side file may stand under the key `hf_quant_config`. Raises InvalidModel with the
    JSON pointer of the key; nothing is guessed without an entry in `filled_defaults`.
    """
    if not isinstance(config, Mapping):
        raise InvalidModel("model_not_an_object")
    if len(config) > MAX_KEYS:
        raise InvalidModel("model_too_many_keys", keys=len(config), limit=MAX_KEYS)
    refuse_wrong_file(config)
    notes = Notes()
    top = Fields(config, notes)
    language = _language_part(top)
    own_type = language.text("model_type") or ""
    model_type = SAME_CLASS.get(own_type, own_type)
    architecture = _architecture_name(top)
    if model_type in ENCODER_DECODER_TYPES:
        return _from_parts(read_encoder_decoder(language, model_type), top, language, name, architecture)
    if model_type in ENCODER_TYPES:
        return _from_parts(read_encoder(language, model_type, architecture), top, language, name, architecture)
    return _decoder(top, language, name=name, model_type=model_type, architecture=architecture)


def _language_part(top: Fields) -> Fields:
    """The section that describes the language model, with the few keys it may inherit from the top."""
    section = next((top.section(key) for key in LANGUAGE_SECTIONS if top.has(key)), None)
    if section is None and (thinker := top.section("thinker_config")) is not None:
        section = thinker.section("text_config")
    if section is None and isinstance(top.raw("decoder"), Mapping):
        section = top.section("decoder")
    if section is None:
        return top
    merged = dict(section.values)
    for key in INHERITED:
        if not section.has(key) and top.has(key):
            merged[key] = top.values[key]
    model_type = merged.get("model_type")
    family = family_of(SAME_CLASS.get(model_type, model_type)) if isinstance(model_type, str) else None
    defaults = family.defaults if family is not None else {}
    return Fields(merged, top.notes, pointer=section.pointer, defaults=defaults)


def _architecture_name(top: Fields) -> str:
    names = top.items("architectures") or ()
    return names[0] if names and isinstance(names[0], str) else ""


def _decoder(top: Fields, language: Fields, *, name: str, model_type: str, architecture: str) -> ModelArchitecture:
    family = family_of(model_type)
    if family is None:
        family = GENERIC
        refuse_private_keys(language, architecture)
        language.notes.warn("model_family_unknown", model_type=model_type or "?")
    shape = read_shape(language, family, model_type)
    plan = plan_layers(shape)
    groups = _groups(shape, plan)
    tied = _tied(language, family)
    quantisation = _quantisation(top, language)
    size_note(language.notes, name, groups, _outer_modules(shape, architecture, tied=tied))
    mtp_layers, mtp_parameters = _mtp(shape, groups)
    result = ModelArchitecture(
        name=name,
        model_type=model_type,
        architecture=architecture,
        hidden_size=shape.hidden,
        vocab_size=shape.vocab,
        max_context_tokens=shape.context,
        groups=groups,
        modules=_outer_modules(shape, architecture, tied=tied),
        tied_embeddings=tied,
        kv_formula=_kv_formula(groups),
        towers=read_towers(top, language, shape.hidden),
        mtp_parameters=mtp_parameters,
        mtp_layers=mtp_layers,
        stored_bytes_per_parameter=_stored_bytes(language),
        stored_format=language.text("torch_dtype") or language.text("dtype") or "bfloat16",
        quantisation=quantisation,
        kv_format_hint=quantisation.kv_format if quantisation is not None else "",
        filled_defaults=tuple(language.notes.filled),
        warnings=tuple(language.notes.warnings),
    )
    _check_sane(result, language)
    return result


def _quantisation(top: Fields, language: Fields) -> Quantisation | None:
    holder = language if language.has("quantization_config") else top
    return read_quantisation(holder, top.section("hf_quant_config"), language.text("expert_dtype") or "")


def _tied(fields: Fields, family: Family) -> bool:
    stated = fields.boolean("tie_word_embeddings")
    if stated is not None:
        return stated
    fields.notes.fill("tie_word_embeddings", "true" if family.tied else "false", "class_default")
    return family.tied


def _stored_bytes(fields: Fields) -> float:
    """Bytes per weight of the file; engines still serve 32-bit files in 16 bits."""
    return STORED_BYTES.get(fields.text("torch_dtype") or fields.text("dtype") or "", 2.0)


def _groups(shape: Shape, plan: list[Layer]) -> tuple[LayerGroup, ...]:
    """Equal layers together, in the order of their first layer."""
    positions: dict[Layer, list[int]] = {}
    for position, layer in enumerate(plan):
        positions.setdefault(layer, []).append(position)
    return tuple(_group(shape, layer, tuple(at)) for layer, at in positions.items())


def _group(shape: Shape, layer: Layer, positions: tuple[int, ...]) -> LayerGroup:
    modules: tuple[Module, ...] = ()
    attention = recurrent = None
    if layer.mixer in ("full", "sliding", "cross", "latent", "compressed", "parallel"):
        attention, modules = build_attention(shape, layer)
    if layer.mixer in ("mamba1", "mamba2", "delta", "kda", "linear", "conv", "parallel"):
        recurrent, mixer = build_recurrent(shape, layer)
        modules += mixer
    if layer.mixer == "replaced":
        modules += (Module("self_attn.linear", shape.hidden * shape.hidden, Role.ATTENTION),)
    feed_forward, feed = build_feed_forward(shape, layer)
    modules += feed + _layer_extras(shape, layer)
    return LayerGroup(
        layers=positions,
        modules=modules,
        attention=attention,
        recurrent=recurrent,
        feed_forward=feed_forward if feed_forward.width or feed_forward.experts else None,
        shares_kv=layer.shares_kv,
    )


def _layer_extras(shape: Shape, layer: Layer) -> tuple[Module, ...]:
    """Norms, and the per-layer input of Gemma 3n and 4 E-models."""
    width = shape.hidden * (2 if shape.family.norm_bias else 1)
    extras = small("norms", _norms(shape, layer) * width)
    per_layer = shape.fields.integer("hidden_size_per_layer_input") or 0
    if per_layer:
        extras += (
            Module("per_layer_input_gate", shape.hidden * per_layer, Role.DENSE),
            Module("per_layer_projection", shape.hidden * per_layer, Role.DENSE),
            *small("post_per_layer_input_norm", shape.hidden),
        )
    return extras


def _norms(shape: Shape, layer: Layer) -> int:
    """Norms of the layer: blocks that are left out bring none, Falcon 7B shares one."""
    count = shape.family.norms_per_layer
    if shape.model_type == "falcon" and not shape.fields.flag("new_decoder_architecture"):
        return 1
    if shape.fields.has("block_configs"):
        count -= (layer.mixer == "none") + (layer.feed == "none")
    return count


def _outer_modules(shape: Shape, architecture: str, *, tied: bool) -> tuple[Module, ...]:
    projected = shape.fields.integer("word_embed_proj_dim", minimum=1) or shape.hidden
    table = shape.vocab * projected
    modules = [Module("embed_tokens", table, Role.EMBEDDING)]
    if projected != shape.hidden:  # OPT 350M: tables of another width, with a projection at both ends
        modules += [Module("project_in", projected * shape.hidden, Role.DENSE)]
        modules += [Module("project_out", projected * shape.hidden, Role.DENSE)]
    if not tied:
        if architecture.endswith(PUBLISHED_WITHOUT_HEAD) and shape.model_type != "chatglm":
            shape.fields.notes.warn("model_without_lm_head", architecture=architecture)
        modules.append(Module("lm_head", table, Role.LM_HEAD))
        modules += small("lm_head.bias", shape.vocab if shape.fields.flag("lm_head_bias") else 0)
    modules += small("norm", shape.hidden * (2 if shape.family.norm_bias else 1))
    if per_layer := shape.fields.integer("hidden_size_per_layer_input"):
        vocab = shape.fields.integer("vocab_size_per_layer_input") or shape.vocab
        modules.append(Module("embed_tokens_per_layer", vocab * shape.layers * per_layer, Role.EMBEDDING))
        modules.append(Module("per_layer_model_projection", shape.hidden * shape.layers * per_layer, Role.DENSE))
        modules += small("per_layer_projection_norm", per_layer)
    return tuple(modules)


MTP_KEYS = ("num_nextn_predict_layers", "mtp_num_hidden_layers")
MTP_WITH_TABLES = ("deepseek_v3", "deepseek_v32")
"""Checkpoints that keep a copy of the embedding and the head beside the prediction layer."""


def _mtp(shape: Shape, groups: tuple[LayerGroup, ...]) -> tuple[int, int]:
    """Layers and parameters of multi-token prediction: one more decoder layer and 2 x h x h each."""
    count = shape.fields.integer(*MTP_KEYS, limit="layers") or 0
    with_attention = [group for group in groups if group.attention is not None]
    if not count or not with_attention:
        return 0, 0
    last = max(with_attention, key=lambda group: group.layers[-1])
    one = last.parameters + 2 * shape.hidden * shape.hidden
    if last.feed_forward is None:  # one block a layer: the prediction layer has an attention and a mixture block
        mixtures = [group for group in groups if group.feed_forward is not None and group.attention is None]
        one += max((group.parameters for group in mixtures), default=0)
    if shape.model_type in MTP_WITH_TABLES:
        one += 2 * shape.vocab * shape.hidden
    return count, count * one


KV_FORMULAS = (
    (AttentionKind.COMPRESSED, "kv_compressed"),
    (AttentionKind.LATENT, "kv_latent"),
    (AttentionKind.SLIDING, "kv_grouped_windowed"),
)


def _kv_formula(groups: tuple[LayerGroup, ...]) -> str:
    """Code of the rule that gives the cache bytes per token."""
    kinds = {group.attention.kind for group in groups if group.attention is not None}
    if not kinds:
        return "kv_none_recurrent"
    if AttentionKind.ENCODER in kinds:
        return "kv_none_encoder" if len(kinds) == 1 else "kv_encoder_decoder"
    formula = next((code for kind, code in KV_FORMULAS if kind in kinds), "kv_grouped")
    indexed = any(g.attention is not None and g.attention.index_elements_per_token for g in groups)
    return f"{formula}_indexed" if indexed and formula != "kv_compressed" else formula


def _check_sane(result: ModelArchitecture, language: Fields) -> None:
    total = sum(group.count * group.parameters for group in result.groups)
    total += sum(module.parameters for module in result.modules)
    if total > LIMITS["parameters"]:
        raise InvalidModel(
            "model_number_beyond_sanity",
            language.pointer,
            key="parameters",
            value=f"{total:.3g}",
            limit=LIMITS["parameters"],
        )


def _from_parts(parts: Parts, top: Fields, language: Fields, name: str, architecture: str) -> ModelArchitecture:
    groups = tuple(parts.groups)
    result = ModelArchitecture(
        name=name,
        model_type=language.text("model_type") or "",
        architecture=architecture,
        hidden_size=parts.hidden,
        vocab_size=parts.vocab,
        max_context_tokens=parts.context,
        groups=groups,
        modules=tuple(parts.modules),
        tied_embeddings=True,
        kv_formula=_kv_formula(groups),
        fixed_state_bytes_per_sequence=parts.fixed_state_bytes,
        stored_bytes_per_parameter=_stored_bytes(language),
        stored_format=language.text("torch_dtype") or language.text("dtype") or "bfloat16",
        quantisation=_quantisation(top, language),
        is_encoder=not parts.fixed_state_bytes,
        filled_defaults=tuple(language.notes.filled),
        warnings=tuple(language.notes.warnings),
    )
    _check_sane(result, language)
    return result
