"""Names the file that was given in place of a model's config.json."""

from collections.abc import Mapping

from sizing.core.errors import InvalidModel

SHAPE_KEYS = (
    "num_hidden_layers",
    "n_layer",
    "n_layers",
    "num_layers",
    "hidden_size",
    "d_model",
    "n_embd",
    "text_config",
    "language_config",
    "llm_config",
    "thinker_config",
    "decoder",
    "layers_block_type",
    "hybrid_override_pattern",
)

VISION_TYPES = (
    "clip", "siglip", "siglip2", "vit", "dinov2", "dinov3_vit", "deit", "beit", "swin", "swinv2", "convnext", "resnet",
    "detr", "yolos", "segformer", "sam", "blip", "clap", "chinese_clip", "align", "depth_anything",
)  # fmt: skip
"""Classes without a text decoder: they belong to the vision workload."""

SIGNS = (
    ("adapter", ("peft_type", "base_model_name_or_path", "lora_alpha")),
    ("diffusers_index", ("_diffusers_version",)),
    ("weight_index", ("weight_map",)),
    ("tokenizer", ("tokenizer_class", "added_tokens_decoder", "chat_template", "bos_token", "added_tokens")),
    ("preprocessor", ("image_processor_type", "feature_extractor_type", "processor_class", "image_mean")),
    ("generation", ("do_sample", "max_new_tokens", "temperature", "top_p", "_from_model_config")),
    ("quantisation_only", ("quant_method", "quantization", "producer")),
    ("package", ("dependencies", "devDependencies")),
)
"""File kinds by keys that only they have. A file with shape keys of a model is never one of them."""


def refuse_wrong_file(config: Mapping[str, object]) -> None:
    """Raises InvalidModel with the kind of the file where it is not a model's config."""
    if "peft_type" in config:
        raise InvalidModel("model_file_is_adapter", "/peft_type", base=_base(config))
    if "_diffusers_version" in config:
        raise InvalidModel("model_file_is_diffusers_index", "/_diffusers_version")
    kind = config.get("model_type")
    if isinstance(kind, str) and kind in VISION_TYPES:
        raise InvalidModel("model_is_vision", "/model_type", model_type=kind)
    if any(key in config for key in SHAPE_KEYS):
        return
    for kind, keys in SIGNS:
        for key in keys:
            if key in config:
                raise InvalidModel(f"model_file_is_{kind}", f"/{key}")
    if not config:
        raise InvalidModel("model_file_empty")


def _base(config: Mapping[str, object]) -> str:
    base = config.get("base_model_name_or_path")
    return base[:100] if isinstance(base, str) else "?"
