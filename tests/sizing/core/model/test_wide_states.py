"""States in the width that an engine keeps, and GGUF files of latent attention that are too old."""

import pytest

from sizing.core.engines import engine_memory
from sizing.core.errors import InvalidModel
from sizing.core.memory import memory_plan, state_bytes
from sizing.core.model.gguf_config import config_from_gguf
from sizing.core.parallelism import Layout
from sizing.core.precision import BF16
from tests.sizing.core.devices import H200
from tests.sizing.core.test_memory import LLAMA_8B, model

NEXT = "Qwen/Qwen3-Next-80B-A3B-Instruct"


def test_llama_cpp_keeps_states_and_convolutions_in_32_bits() -> None:
    # 36 layers: 32 heads x 128 x 128 cells, and 3 x 8,192 last inputs of the convolution
    features, weights = model(NEXT)
    wide = state_bytes(features, engine_memory("llama-cpp"))
    assert wide == 36 * 4 * (32 * 128 * 128 + 3 * 8192)
    assert state_bytes(features, engine_memory("vllm")) == features.state_bytes_per_sequence < wide
    plan = memory_plan(features, weights, BF16, H200, Layout(tensor=2), engine_memory("llama-cpp"))
    assert plan.state_bytes_per_sequence == wide / 2


def test_a_model_without_states_has_none_in_any_width() -> None:
    features, _ = model(LLAMA_8B)
    assert state_bytes(features, engine_memory("llama-cpp")) == 0


def test_an_old_latent_file_names_every_missing_key() -> None:
    own = {"attention.kv_lora_rank": 512, "attention.key_length": 192, "block_count": 61, "embedding_length": 7168}
    header: dict[str, object] = {f"deepseek2.{key}": value for key, value in own.items()}
    with pytest.raises(InvalidModel) as caught:
        config_from_gguf({"general.architecture": "deepseek2", **header})
    assert caught.value.code == "model_gguf_latent_old"
    assert caught.value.message.params["keys"] == (
        "deepseek2.attention.key_length_mla, deepseek2.attention.value_length_mla"
    )
