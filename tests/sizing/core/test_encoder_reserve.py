"""The reserve of vision and audio towers: worked by hand, explained, and held against a logged start."""

from dataclasses import replace

import pytest

from sizing.core.engines import engine_memory
from sizing.core.memory import encoder_bytes, encoder_tokens, memory_plan
from sizing.core.memory_explained import explain_memory
from sizing.core.parallelism import Layout
from sizing.core.precision import BF16
from sizing.core.units import GIB
from tests.sizing.core.devices import H100
from tests.sizing.core.test_memory import LLAMA_8B, model, plan

QWEN_VL, GEMMA = "Qwen/Qwen2.5-VL-7B-Instruct", "google/gemma-3-27b-it"


@pytest.mark.parametrize(
    ("model_id", "batched", "tokens", "size"),
    [
        (QWEN_VL, 8192, 16_384, 3 * 16_384 * 3584 * 2),  # a picture of any size is larger than the batch
        (QWEN_VL, 32_768, 32_768, 3 * 32_768 * 3584 * 2),
        (GEMMA, 8192, 8192, 3 * 8192 * 5376 * 2),  # 896 / 14 squared is 4,096 tokens: the batch counts
        (LLAMA_8B, 8192, 0, 0),
    ],
)
def test_the_reserve_is_worked_by_hand(model_id: str, batched: int, tokens: int, size: int) -> None:
    features, _ = model(model_id)
    assert encoder_tokens(features, max_batched_tokens=batched) == tokens
    assert encoder_bytes(features, max_batched_tokens=batched) == size


@pytest.mark.parametrize("engine", ["vllm", "sglang", "tensorrt-llm", "llama-cpp"])
def test_it_comes_out_of_the_pool_of_every_engine(engine: str) -> None:
    features, weights = model(QWEN_VL)
    blind = replace(features, encoder_tokens_per_input=0)
    memory = engine_memory(engine)
    sees, without = (
        memory_plan(each, weights, BF16, H100, Layout(), memory, max_context_tokens=2048) for each in (features, blind)
    )
    assert sees.extra_runtime_bytes == encoder_bytes(features, max_batched_tokens=sees.max_batched_tokens) > 0
    assert sees.runtime_bytes - without.runtime_bytes == sees.extra_runtime_bytes
    assert sees.kv_pool_bytes <= without.kv_pool_bytes  # the same where activations stand outside the fraction


def test_a_model_that_only_just_fits_blind_is_refused() -> None:
    features, weights = model(QWEN_VL)
    blind = replace(features, encoder_tokens_per_input=0)
    engine = engine_memory("vllm")
    roomy = memory_plan(blind, weights, BF16, H100, Layout(), engine, max_context_tokens=2048)
    used = roomy.weight_bytes + roomy.activation_bytes + roomy.runtime_bytes
    tight = (used + 2048 * roomy.kv_bytes_per_token + 10**6) / roomy.usable_bytes
    held, refused = (
        memory_plan(each, weights, BF16, H100, Layout(), engine, max_context_tokens=2048, memory_utilisation=tight)
        for each in (blind, features)
    )
    assert held.fits
    assert not refused.fits


def test_it_is_shown_with_formula_inputs_and_source() -> None:
    features, weights = model(QWEN_VL)
    found = plan(QWEN_VL)
    figures = explain_memory(
        found,
        features,
        weights,
        device=H100,
        layout=Layout(),
        engine=engine_memory("vllm"),
        kv_format=BF16,
    )
    encoder = next(figure for figure in figures if figure.name == "encoder")
    assert encoder.value_bytes == found.extra_runtime_bytes
    inputs = encoder.inputs
    product = 1
    for name in ("copies", "tokens", "hidden_size", "value_bytes"):
        product *= int(inputs[name])
    assert product == encoder.value_bytes
    assert "max_num_batched_tokens" in encoder.source
    assert "assumed" in encoder.source


def test_the_logged_start_of_a_model_with_a_tower_stays_above_the_plan() -> None:
    # Devstral-Small-2 has the size, vocabulary and tower of Mistral-Small-3.2, whose logged pool is 28.20 GiB at 0.95
    found = plan("mistralai/Devstral-Small-2-24B-Instruct-2512", weights=BF16, fraction=0.95)
    assert found.extra_runtime_bytes
    assert 0.85 * 28.20 * GIB < found.kv_pool_bytes < 28.20 * GIB
