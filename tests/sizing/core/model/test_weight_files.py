"""Exact bytes of weight files in the core: never less memory than they state, and files that hold too little."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sizing.core.engines import engine_memory
from sizing.core.errors import InvalidModel
from sizing.core.memory_weights import weight_bytes_per_accelerator
from sizing.core.model.architecture import ModelArchitecture
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.model.parameters import total_parameters
from sizing.core.model.parse import parse_config
from sizing.core.model.weight_files import ExactBytes, exact_weights, served_bytes
from sizing.core.parallelism import Layout
from tests.sizing.core.model.cases import MODEL_IDS, config

LLAMA, OSS, VISION = "meta-llama/Llama-3.1-8B-Instruct", "openai/gpt-oss-120b", "Qwen/Qwen2.5-VL-7B-Instruct"


@cache
def parsed(model_id: str) -> ModelArchitecture:
    return parse_config(config(model_id), name=model_id)


@given(
    model_id=st.sampled_from(MODEL_IDS),
    share=st.floats(0.91, 3),
    tensor=st.sampled_from((1, 2, 4, 8)),
    engine=st.sampled_from(("vllm", "sglang", "tensorrt-llm", "llama-cpp")),
)
def test_memory_is_never_smaller_than_the_stated_bytes(model_id: str, share: float, tensor: int, engine: str) -> None:
    model = parsed(model_id)
    computed = weight_bytes(model, None)
    exact = ExactBytes(kind="safetensors", total_bytes=int(computed.total_bytes * share))
    weights = exact_weights(model, computed, exact)
    rank = weight_bytes_per_accelerator(model_features(model), weights, Layout(tensor=tensor), engine_memory(engine))
    assert rank * tensor >= served_bytes(model, exact) >= exact.total_bytes // 2
    assert weights.total_bytes == served_bytes(model, exact)
    assert model.stored_format == "float32" or weights.total_bytes == exact.total_bytes


def test_padding_of_experts_survives_exact_bytes() -> None:
    # 2,880 columns are kept as 3,072: gpt-oss-120b is logged with 64.38 GiB though its files hold less
    model = parsed(OSS)
    computed = weight_bytes(model, None)
    exact = ExactBytes(kind="hub", total_bytes=computed.total_bytes + 10**6)
    sizes = [
        weight_bytes_per_accelerator(model_features(model), each, Layout(), engine_memory("vllm"))
        for each in (computed, exact_weights(model, computed, exact))
    ]
    assert sizes[1] == pytest.approx(sizes[0], rel=1e-4)
    assert sizes[1] > exact.total_bytes


@pytest.mark.parametrize(
    ("model_id", "exact"),
    [
        (LLAMA, ExactBytes(kind="safetensors", total_bytes=4_000_000_000, source="model-00001-of-00004.safetensors")),
        (LLAMA, ExactBytes(kind="index", total_bytes=1)),
        (LLAMA, ExactBytes(kind="gguf", total_bytes=1_000_000_000)),
        (LLAMA, ExactBytes(kind="gguf", total_bytes=4_000_000_000, elements=4_000_000_000)),
    ],
)
def test_files_that_hold_too_little_are_refused(model_id: str, exact: ExactBytes) -> None:
    model = parsed(model_id)
    with pytest.raises(InvalidModel) as caught:
        exact_weights(model, weight_bytes(model, None), exact)
    assert caught.value.code == "weight_files_incomplete"
    assert caught.value.pointer == "/model/weight_files/bytes"


def test_a_four_bit_gguf_counts_with_its_own_bytes_and_keeps_the_tower() -> None:
    model = parsed(VISION)
    towers = sum(tower.parameters for tower in model.towers)
    exact = ExactBytes(kind="gguf", total_bytes=4_683_000_000, elements=total_parameters(model) - towers)
    weights = exact_weights(model, weight_bytes(model, None), exact)
    rank = weight_bytes_per_accelerator(model_features(model), weights, Layout(), engine_memory("llama-cpp"))
    assert rank >= exact.total_bytes + 2 * towers
    assert rank == pytest.approx(exact.total_bytes + 2 * towers, rel=0.01)
