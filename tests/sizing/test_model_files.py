"""Headers of weight files: exact bytes, damaged and oversized headers, and the way to a model."""

import json
import struct
from contextlib import suppress
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizing.core.errors import InvalidModel
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.model.gguf_config import config_from_gguf
from sizing.core.model.parse import parse_config
from sizing.gguf_files import whole_metadata
from sizing.model_files import index_total_bytes, read_weight_file
from sizing.weight_file import WeightFile


def safetensors(path: Path, header: Any, *, data: int = 0, length: int | None = None) -> Path:
    text = json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text) if length is None else length) + text + bytes(data))
    return path


def tensor(kind: str, shape: list[int], start: int, end: int) -> dict[str, Any]:
    return {"dtype": kind, "shape": shape, "data_offsets": [start, end]}


def write_gguf(path: Path, *, tied: bool = True, file_type: int | None = None) -> Path:
    writer = gguf.GGUFWriter(path, "qwen3")
    writer.add_block_count(2)
    writer.add_embedding_length(64)
    writer.add_feed_forward_length(128)
    writer.add_head_count(4)
    writer.add_head_count_kv(2)
    writer.add_key_length(32)
    writer.add_value_length(32)
    writer.add_context_length(4096)
    if file_type is not None:
        writer.add_file_type(file_type)
    writer.add_token_list([f"t{n}" for n in range(100)])
    writer.add_tensor("token_embd.weight", np.zeros((100, 64), dtype=np.float16))
    packed = np.zeros((64, 64 // 32 * 18), dtype=np.uint8)  # Q4_0: 32 weights in 18 bytes
    writer.add_tensor("blk.0.attn_q.weight", packed, raw_dtype=gguf.GGMLQuantizationType.Q4_0)
    if not tied:
        writer.add_tensor("output.weight", np.zeros((100, 64), dtype=np.float16))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def test_safetensors_bytes_come_from_the_offsets(tmp_path: Path) -> None:
    header = {
        "__metadata__": {"format": "pt"},
        "a": tensor("BF16", [4, 8], 0, 64),
        "b": tensor("F8_E4M3", [16], 64, 80),
    }
    found = read_weight_file(safetensors(tmp_path / "x.safetensors", header, data=80))
    assert (found.tensor_bytes, found.elements) == (80, 48)
    assert found.bytes_by_format == {"BF16": 64, "F8_E4M3": 16}


def test_gguf_bytes_follow_the_block_sizes(tmp_path: Path) -> None:
    found = read_weight_file(write_gguf(tmp_path / "x.gguf"))
    assert found.bytes_by_format == {"F16": 100 * 64 * 2, "Q4_0": 64 * 64 // 32 * 18}
    assert found.elements == 100 * 64 + 64 * 64


def test_the_bounded_reader_says_what_the_library_says(tmp_path: Path) -> None:
    path = write_gguf(tmp_path / "x.gguf", tied=False, file_type=gguf.LlamaFileType.MOSTLY_Q4_0)
    found, library = read_weight_file(path), gguf.GGUFReader(path)
    assert found.tensor_bytes == sum(tensor.n_bytes for tensor in library.tensors)
    assert found.elements == sum(tensor.n_elements for tensor in library.tensors)
    fields = {name: field for name, field in library.fields.items() if not name.startswith("GGUF.")}
    assert found.metadata["tokenizer.ggml.tokens"] == {"length": len(fields.pop("tokenizer.ggml.tokens").data)}
    assert {name: found.metadata[name] for name in fields} == {n: f.contents() for n, f in fields.items()}


@pytest.mark.parametrize(
    ("file_type", "slug"),
    [
        (gguf.LlamaFileType.MOSTLY_Q4_K_M, "gguf_q4_k_m"),
        (gguf.LlamaFileType.MOSTLY_F16, "fp16"),
        (gguf.LlamaFileType.MOSTLY_IQ2_XS, "fp16"),  # no tensor is of that kind: most bytes are F16
        (gguf.LlamaFileType.GUESSED, "fp16"),
        (9999, "fp16"),
        (None, "fp16"),
    ],
)
def test_a_gguf_file_is_named_by_its_type_or_by_most_of_its_bytes(
    tmp_path: Path, file_type: int | None, slug: str
) -> None:
    read = read_weight_file(write_gguf(tmp_path / "x.gguf", file_type=file_type))
    model = parse_config(config_from_gguf(whole_metadata([read])))
    assert model.quantisation is not None
    assert model.quantisation.main_format.slug == slug
    if slug.startswith("gguf"):  # the tables of a GGUF file are packed too
        assert weight_bytes(model, None).embedding == pytest.approx(8 * read.tensor_bytes / read.elements / 8)


def test_shards_of_a_gguf_model_are_read_together(tmp_path: Path) -> None:
    first = read_weight_file(write_gguf(tmp_path / "a.gguf"))
    rest = {"tied": False, "moe_layers": [3]}
    last = WeightFile(
        kind="gguf", tensor_bytes=90_000, elements=160_000, bytes_by_format={"Q4_K": 90_000}, metadata=rest
    )
    whole = whole_metadata([last, first])
    assert (whole["tied"], whole["moe_layers"]) == (False, [3])
    assert whole["general.architecture"] == "qwen3"
    assert whole["stored_format"] == "Q4_K"
    assert whole["stored_bits"] == pytest.approx(8 * (90_000 + first.tensor_bytes) / (160_000 + first.elements))


def test_a_vocabulary_alone_is_no_model() -> None:
    empty = {"general.architecture": "llama", "tied": True, "moe_layers": []}
    with pytest.raises(InvalidModel) as caught:
        whole_metadata([WeightFile(kind="gguf", tensor_bytes=0, elements=0, bytes_by_format={}, metadata=empty)])
    assert caught.value.code == "model_gguf_without_tensors"


@pytest.mark.parametrize("tied", [True, False])
def test_a_gguf_header_becomes_a_model(tmp_path: Path, tied: bool) -> None:
    metadata = read_weight_file(write_gguf(tmp_path / "x.gguf", tied=tied)).metadata
    model = parse_config(config_from_gguf(metadata))
    features = model_features(model)
    assert (features.layers, features.hidden_size, features.heads, features.kv_heads) == (2, 64, 4, 2)
    assert features.vocab_size == 100
    assert features.kv_elements_per_token == 2 * 2 * 2 * 32
    assert model.tied_embeddings is tied


def test_latent_widths_of_gguf_are_the_cache_less_the_rank() -> None:
    own = {
        "block_count": 61, "embedding_length": 7168, "feed_forward_length": 18432, "vocab_size": 129280,
        "attention.head_count": 128, "attention.head_count_kv": 1, "attention.kv_lora_rank": 512,
        "attention.q_lora_rank": 1536, "attention.key_length": 576, "attention.key_length_mla": 192,
        "attention.value_length_mla": 128, "expert_count": 256, "expert_used_count": 8,
        "expert_feed_forward_length": 2048, "expert_shared_count": 1, "leading_dense_block_count": 3,
    }  # fmt: skip
    metadata = {"general.architecture": "deepseek2", **{f"deepseek2.{key}": value for key, value in own.items()}}
    features = model_features(parse_config(config_from_gguf(metadata)))
    assert features.kv_elements_per_token == 61 * 576
    assert features.total_parameters == 671_026_419_200


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ({}, "model_gguf_architecture_unknown"),
        ({"general.architecture": "clip"}, "model_gguf_architecture_unknown"),
        ({"general.architecture": "llama", "llama.attention.head_count_kv": [1, 2]}, "model_gguf_layers_differ"),
        ({"general.architecture": "llama"}, "model_keys_missing"),
    ],
)
def test_gguf_headers_that_are_no_language_model_are_refused(metadata: dict[str, Any], code: str) -> None:
    with pytest.raises(InvalidModel) as caught:
        parse_config(config_from_gguf(metadata))
    assert caught.value.code == code


def test_a_header_that_claims_a_gigabyte_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(InvalidModel) as caught:
        read_weight_file(safetensors(tmp_path / "x", {"a": 1}, length=10**9))
    assert caught.value.code == "model_header_too_large"


@pytest.mark.parametrize(
    "header",
    [
        {"a": {"dtype": "BF16"}},
        {"a": tensor("BF16", [4], 0, 4)},
        {"a": tensor("BF16", [-4], 0, 8)},
        {"a": {"dtype": "BF16", "shape": "x", "data_offsets": [0, 8]}},
        {"a": tensor("BF16", [4], 0, 8)},  # the file ends before its data
        {"a": 5},
        {"a": {"dtype": ["BF16"], "shape": [4], "data_offsets": [0, 8]}},
        {"a": {"dtype": "BF16", "shape": [True], "data_offsets": [0, 2]}},
        {"a": tensor("BF16", [9] * 1000, 0, 8)},
    ],
)
def test_damaged_safetensors_headers_are_refused(tmp_path: Path, header: Any) -> None:
    with pytest.raises(InvalidModel) as caught:
        read_weight_file(safetensors(tmp_path / "x", header))
    assert caught.value.code == "model_header_broken"


@pytest.mark.parametrize("data", [b"", b"{}", b"hello world, no model", b"PK\x03\x04zip"])
def test_other_files_are_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(data)
    with pytest.raises(InvalidModel) as caught:
        read_weight_file(path)
    assert caught.value.code == "model_format_not_readable"


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidModel) as caught:
        read_weight_file(tmp_path / "none")
    assert caught.value.code == "model_file_unreadable"


@pytest.mark.parametrize(
    ("index", "total"),
    [
        ({"metadata": {"total_size": 16_060_522_496}}, 16_060_522_496),
        ({"metadata": {"total_size": 16_060_522_496.0}}, 16_060_522_496),
        ({"metadata": {"total_size": -1}}, None),
        ({"metadata": {"total_size": True}}, None),
        ({}, None),
    ],
)
def test_the_index_total_is_taken_where_it_makes_sense(index: dict[str, Any], total: int | None) -> None:
    assert index_total_bytes(index) == total


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damaged_headers_never_raise_anything_else(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("damaged")
    original = write_gguf(folder / "x.gguf").read_bytes()
    cut = data.draw(st.integers(4, 400))
    noise = data.draw(st.binary(max_size=40))
    path = folder / "y.gguf"
    path.write_bytes(original[:cut] + noise + original[cut + len(noise) :])
    with suppress(InvalidModel):
        assert read_weight_file(path).tensor_bytes >= 0
