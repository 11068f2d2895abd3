"""Prediction layers, draft models and adapters take memory from the cache."""

from dataclasses import replace

import pytest

from sizing.core.engines import engine_memory
from sizing.core.extras import (
    NO_ADDITIONS,
    Additions,
    DraftModel,
    adapter_extras,
    draft_extras,
    extras_of,
    prediction_extras,
    together,
)
from sizing.core.fixes import Deployment, plan_of
from sizing.core.memory import Extras, memory_plan
from sizing.core.parallelism import Layout
from sizing.core.precision import BF16
from tests.sizing.core.devices import B200, H100
from tests.sizing.core.test_memory import LLAMA_8B, model

ONE = Layout()
VLLM = engine_memory("vllm")


def test_prediction_layers_add_weights_and_one_cache() -> None:
    # DeepSeek-V3: 13.46e9 parameters in FP8 over eight ranks, and 576 x 2 B a token
    features, weights = model("deepseek-ai/DeepSeek-V3")
    found = prediction_extras(features, weights, BF16, Layout(tensor=8), layers=1)
    assert found.weight_bytes == pytest.approx(13_463_433_216 * 1.0032 / 8, rel=1e-3)
    assert found.kv_bytes_per_token == 1152
    assert prediction_extras(*model(LLAMA_8B), BF16, ONE, layers=1) == Extras()


def test_a_draft_model_takes_weights_and_cache() -> None:
    # Llama-3.2-1B: 1,235,814,400 x 2 B and 16 x 2 x 8 x 64 x 2 B a token
    found = draft_extras(*model("meta-llama/Llama-3.2-1B-Instruct"), BF16, ONE, VLLM)
    assert found.weight_bytes == pytest.approx(2 * 1_235_814_400, rel=1e-3)
    assert found.kv_bytes_per_token == 32_768


def test_adapters_grow_with_rank_and_number() -> None:
    # 32 layers of rank 16: published Llama-3-8B adapters on all projections have 41.9e6 parameters
    features, _ = model(LLAMA_8B)
    found = adapter_extras(features, ONE, rank=16, adapters=1)
    assert found.weight_bytes == pytest.approx(2 * 41.9e6, rel=0.05)
    assert adapter_extras(features, ONE, rank=32, adapters=4).weight_bytes == pytest.approx(
        8 * found.weight_bytes, abs=8
    )


def test_extras_come_out_of_the_pool() -> None:
    features, weights = model(LLAMA_8B)
    extras = together(Extras(weight_bytes=10**9), Extras(runtime_bytes=10**8), Extras(runtime_bytes=5))
    assert extras.runtime_bytes == 10**8 + 5
    plain, loaded = (
        memory_plan(features, weights, BF16, device, ONE, VLLM, max_context_tokens=2048, extras=given)
        for device, given in ((H100, Extras()), (H100, extras))
    )
    assert plain.kv_pool_bytes - loaded.kv_pool_bytes == 10**9 + extras.runtime_bytes
    assert memory_plan(features, weights, BF16, B200, ONE, VLLM, max_context_tokens=2048).fits


def test_what_is_served_beside_the_model_takes_cache_in_every_layout() -> None:
    features, weights = model(LLAMA_8B)
    small = model("meta-llama/Llama-3.2-1B-Instruct")
    added = Additions(draft=DraftModel(features=small[0], weights=small[1]), adapters=4, adapter_rank=16)
    assert extras_of(NO_ADDITIONS, features, weights, BF16, ONE, engine=VLLM) == Extras()
    found = extras_of(added, features, weights, BF16, ONE, engine=VLLM)
    parts = (
        draft_extras(*small, BF16, ONE, VLLM),
        adapter_extras(features, ONE, rank=16, adapters=4),
    )
    assert found == together(*parts)


def test_a_fix_counts_what_is_served_beside_the_model() -> None:
    features, weights = model(LLAMA_8B)
    plain = Deployment(
        features=features,
        weights=weights,
        kv_format=BF16,
        device=H100,
        layout=ONE,
        engine=VLLM,
        max_context_tokens=8192,
    )
    added = replace(plain, additions=Additions(adapters=8, adapter_rank=64))
    lost = plan_of(plain).kv_pool_bytes - plan_of(added).kv_pool_bytes
    assert lost == adapter_extras(features, ONE, rank=64, adapters=8).weight_bytes
