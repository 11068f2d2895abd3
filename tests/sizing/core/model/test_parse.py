"""Aliases, sparse files, wrong files, and messages that name the key."""

import pytest

from sizing.core.errors import InvalidModel
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.model.parameters import total_parameters
from sizing.core.model.parse import parse_config
from sizing.core.model.typed_shape import parse_shape
from sizing.core.precision import BF16, FP8, INT4, NVFP4, Rate, StorageFormat
from tests.sizing.core.model.cases import MODEL_IDS, config

LLAMA = config("meta-llama/Llama-3.1-8B-Instruct")


def refusal(values: object) -> InvalidModel:
    with pytest.raises(InvalidModel) as caught:
        parse_config(values)  # type: ignore[arg-type]  (wrong types are the point)
    return caught.value


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"peft_type": "LORA", "base_model_name_or_path": "meta-llama/Llama-3.1-8B"}, "model_file_is_adapter"),
        ({"_class_name": "FluxPipeline", "_diffusers_version": "0.30"}, "model_file_is_diffusers_index"),
        ({"tokenizer_class": "LlamaTokenizer", "model_max_length": 8192}, "model_file_is_tokenizer"),
        ({"do_sample": True, "temperature": 0.6, "eos_token_id": 2}, "model_file_is_generation"),
        ({"image_processor_type": "CLIPImageProcessor"}, "model_file_is_preprocessor"),
        ({"metadata": {"total_size": 1}, "weight_map": {}}, "model_file_is_weight_index"),
        ({"quantization": {"quant_algo": "FP8"}, "producer": {}}, "model_file_is_quantisation_only"),
        ({"name": "x", "dependencies": {}}, "model_file_is_package"),
        ({}, "model_file_empty"),
        ([1, 2], "model_not_an_object"),
        ("text", "model_not_an_object"),
    ],
)
def test_wrong_files_are_named_for_what_they_are(values: object, code: str) -> None:
    assert refusal(values).code == code


def test_missing_keys_are_all_named() -> None:
    error = refusal({"model_type": "llama", "hidden_size": 4096})
    assert error.code == "model_keys_missing"
    assert error.message.params["keys"] == "num_hidden_layers, num_attention_heads, vocab_size"


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("num_hidden_layers", "many", "model_number_expected"),
        ("num_hidden_layers", 32.5, "model_number_not_whole"),
        ("num_hidden_layers", 0, "model_number_too_small"),
        ("num_hidden_layers", -3, "model_number_too_small"),
        ("hidden_size", 10**30, "model_number_beyond_sanity"),
        ("hidden_size", float("inf"), "model_number_beyond_sanity"),
        ("vocab_size", True, "model_number_expected"),
        ("rope_scaling", {"rope_type": "yarn", "factor": 10**400}, "model_number_expected"),
        ("num_attention_heads", [32], "model_number_expected"),
        ("num_attention_heads", 33, "model_heads_do_not_divide"),
        ("num_key_value_heads", 7, "model_kv_heads_do_not_divide"),
        ("tie_word_embeddings", "perhaps", "model_boolean_expected"),
        ("quantization_config", {"quant_method": "magic"}, "model_quantisation_unknown"),
        ("layer_types", ["full_attention"], "model_list_too_short"),
        ("layer_types", ["psychic"] * 32, "model_layer_type_unknown"),
    ],
)
def test_a_wrong_value_is_refused_by_its_key(key: str, value: object, code: str) -> None:
    error = refusal({**LLAMA, key: value})
    assert error.code == code
    assert error.pointer.startswith("/")


def test_numbers_and_booleans_may_be_text() -> None:
    text = {**LLAMA, "hidden_size": "4096", "num_hidden_layers": 32.0, "tie_word_embeddings": "false"}
    assert total_parameters(parse_config(text)) == total_parameters(parse_config(LLAMA))


def test_text_null_counts_as_absent() -> None:
    model = parse_config({**LLAMA, "num_key_value_heads": "null"})
    assert model_features(model).kv_heads == 32
    assert any(entry.field == "num_key_value_heads" and entry.value == 32 for entry in model.filled_defaults)


def test_a_sparse_text_part_is_filled_and_says_so() -> None:
    model = parse_config(config("google/gemma-3-4b-it"))
    filled = {entry.field: entry.value for entry in model.filled_defaults}
    assert filled["num_attention_heads"] == 8
    assert filled["head_dim"] == 256
    assert filled["vocab_size"] == 262_208
    assert filled["sliding_window_pattern"] == 6


def test_llava_lacks_every_size_of_its_text_part() -> None:
    llava = {
        "architectures": ["LlavaForConditionalGeneration"],
        "model_type": "llava",
        "text_config": {"model_type": "llama", "vocab_size": 32_064},
    }
    features = model_features(parse_config(llava))
    assert (features.layers, features.hidden_size, features.heads) == (32, 4096, 32)


def test_a_top_level_file_is_never_filled_with_another_models_sizes() -> None:
    assert refusal({"model_type": "llama", "vocab_size": 32_000}).code == "model_keys_missing"


def test_stored_head_width_wins_over_the_derived_one() -> None:
    # Qwen3-0.6B: 1,024 / 16 = 64, real 128: 28 x 2 x 8 x 128
    assert model_features(parse_config(config("Qwen/Qwen3-0.6B"))).kv_elements_per_token == 57_344


def test_an_unknown_class_is_read_with_a_warning_or_refused() -> None:
    known = {key: value for key, value in LLAMA.items() if key != "model_type"}
    assert [w.code for w in parse_config({**known, "model_type": "newmodel"}).warnings] == ["model_family_unknown"]
    assert refusal({"model_type": "newmodel", "auto_map": {}, "hidden_size": 8}).code == "model_keys_missing"


def test_yarn_extends_only_an_original_context() -> None:
    scaling = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32_768}
    original = parse_config({**LLAMA, "max_position_embeddings": 32_768, "rope_scaling": scaling})
    extended = parse_config({**LLAMA, "max_position_embeddings": 131_072, "rope_scaling": scaling})
    assert original.max_context_tokens == extended.max_context_tokens == 131_072


@pytest.mark.parametrize(
    ("quantisation", "bytes_per_weight"),
    [
        ({"quant_method": "awq", "bits": 4, "group_size": 128}, 0.5 + 2.5 / 128),
        ({"quant_method": "gptq", "bits": 8, "group_size": -1}, 1.0),
        ({"quant_method": "auto-round", "bits": 4, "group_size": 128}, 0.5 + 2.5 / 128),
        ({"quant_method": "quark", "global_quant_config": {"weight": {"dtype": "fp4"}}}, 0.53125),
        ({"quant_method": "exl3", "bits": 3.5}, 3.5 / 8),
        ({"quant_method": "bitsandbytes", "load_in_4bit": True}, 0.5625),
        ({"quant_method": "bitsandbytes", "load_in_8bit": True}, 1.0),
        ({"quant_method": "fp8", "weight_block_size": [128, 128]}, 1 + 4 / 16_384),
    ],
)
def test_bytes_of_quantised_weights(quantisation: dict[str, object], bytes_per_weight: float) -> None:
    model = parse_config({**LLAMA, "quantization_config": quantisation})
    weights = weight_bytes(model, None)
    assert weights.attention == pytest.approx(bytes_per_weight)
    assert weights.dense == pytest.approx(bytes_per_weight)
    assert weights.embedding == 2.0


@pytest.mark.parametrize(
    "excluded",
    [
        ["model.layers.0.mlp.gate_proj"],
        ["*layers.0.mlp.gate_proj"],
        ["re:.*layers\\.0\\.mlp\\.gate_proj"],
        ["language_model.model.layers.0.mlp.gate_proj*"],
    ],
)
def test_exception_lists_are_honoured_in_every_spelling(excluded: list[str]) -> None:
    quantisation = {"quant_method": "fp8", "modules_to_not_convert": [*excluded, "vision_tower.layers.1.mlp.up_proj"]}
    size = weight_bytes(parse_config({**LLAMA, "quantization_config": quantisation}), None).total_bytes
    plain = weight_bytes(parse_config({**LLAMA, "quantization_config": {"quant_method": "fp8"}}), None).total_bytes
    assert size - plain == 4096 * 14_336  # one more byte for each weight of one matrix


def test_a_hostile_pattern_does_not_hang() -> None:
    quantisation = {"quant_method": "fp8", "modules_to_not_convert": ["re:(a+)+$", "re:((", "re:" + "x" * 5000]}
    assert weight_bytes(parse_config({**LLAMA, "quantization_config": quantisation}), None).dense == 1.0


def test_a_requested_format_leaves_tables_and_mixture_attention_in_16_bits() -> None:
    dense = weight_bytes(parse_config(LLAMA), INT4)
    assert (dense.attention, dense.dense, dense.embedding) == (0.5625, 0.5625, 2.0)
    mixture = weight_bytes(parse_config(config("Qwen/Qwen3-30B-A3B")), NVFP4)
    assert (mixture.attention, mixture.experts) == (2.0, 0.5625)


def test_gguf_formats_cover_tables_too() -> None:
    # gguf-parser-go issue 8: DeepSeek-V3 Q4_K_M takes 376.57 GiB; 4.8944 bits are Llama-3.1-8B's average
    q4_k_m = StorageFormat(slug="gguf_q4_k_m", bytes_per_value=4.8944 / 8, compute=Rate.BF16, weight_only=True)
    model = parse_config(config("deepseek-ai/DeepSeek-V3"))
    assert weight_bytes(model, q4_k_m).total_bytes / 2**30 == pytest.approx(376.57, rel=0.02)


def test_block_sizes_are_kept_for_the_split() -> None:
    assert model_features(parse_config(config("Qwen/Qwen3-235B-A22B-FP8"))).stored_weight_block == 128
    assert model_features(parse_config(LLAMA)).stored_weight_block == 0


def test_asking_for_the_stored_format_keeps_its_exceptions() -> None:
    model = parse_config(config("meta-llama/Llama-3.1-405B-Instruct-FP8"))
    assert weight_bytes(model, FP8) == weight_bytes(model, None)
    assert weight_bytes(model, BF16).total_bytes == 2 * total_parameters(model)


def test_a_typed_shape_keeps_the_stated_total() -> None:
    model = parse_shape(
        {"layers": 32, "hidden_size": 4096, "heads": 32, "kv_heads": 8, "head_dim": 128, "parameters": 8_030_261_248}
    )
    features = model_features(model)
    assert features.total_parameters == 8_030_261_248
    assert features.kv_elements_per_token == 65_536
    assert weight_bytes(model, None).total_bytes == 2 * 8_030_261_248
    assert any(entry.field == "vocab_size" for entry in model.filled_defaults)


@pytest.mark.parametrize(
    ("shape", "code"),
    [
        ({"layers": 32}, "model_keys_missing"),
        ({"layers": 32, "hidden_size": 4096, "heads": 32}, "model_keys_missing"),
        ({"layers": 32, "hidden_size": 4096, "heads": 32, "parameters": 8}, "model_parameters_too_few"),
        ({"layers": 32, "hidden_size": 4096, "heads": 32, "colour": "red"}, "model_shape_key_unknown"),
        ([], "model_not_an_object"),
    ],
)
def test_a_wrong_typed_shape_is_refused(shape: object, code: str) -> None:
    with pytest.raises(InvalidModel) as caught:
        parse_shape(shape)  # type: ignore[arg-type]  (wrong types are the point)
    assert caught.value.code == code


@pytest.mark.parametrize("model_id", MODEL_IDS)
def test_every_shipped_file_reads_without_an_unknown_class(model_id: str) -> None:
    assert all(warning.code != "model_family_unknown" for warning in parse_config(config(model_id)).warnings)
