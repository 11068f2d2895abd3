"""Memory against server starts that people published, each with the model and the card that its log shows."""

import pytest

from sizing.core.engines import engine_memory
from sizing.core.memory import MemoryPlan, longest_request_tokens, memory_plan
from sizing.core.model.features import model_features, weight_bytes
from sizing.core.model.parse import parse_config
from sizing.core.parallelism import Layout
from sizing.core.precision import BF16
from sizing.core.units import GIB, MIB
from tests.sizing.core.devices import H100, accelerator
from tests.sizing.core.model.cases import config

LLAMA_405B, CODER_480B = "meta-llama/Llama-3.1-405B-Instruct-FP8", "Qwen/Qwen3-Coder-480B-A35B-Instruct"
H20_141 = accelerator("H20-3e", (143_771 - 614) * MIB)
"""catalog/data/device_memory.csv; the driver keeps 614 MiB on a Hopper card with this memory."""


def of_405b(kv_heads: int, context: int) -> MemoryPlan:
    found = parse_config(config(LLAMA_405B) | {"num_key_value_heads": kv_heads}, name=LLAMA_405B)
    engine = engine_memory("vllm")
    return memory_plan(
        model_features(found), weight_bytes(found, None), BF16, H100, Layout(tensor=8), engine,
        max_context_tokens=context,
    )  # fmt: skip


def test_weights_of_405b_are_those_of_the_release_that_was_loaded() -> None:
    """vllm issue 6746, 2024-07-24: "Loading model weights took 57.7520 GB" (of 2^30 bytes) on each of eight H100.

    Meta's first files held 16 key-value heads, each of the 8 twice; files with 8 followed in August (vllm pull
    request 7139, 2024-08-05). 126 layers x 2 x 8 heads x 128 x 16,384 x 2 bytes / 8 cards = 1.0 GB less.
    """
    first, later = of_405b(16, 8192), of_405b(8, 8192)
    assert first.weight_bytes == pytest.approx(57.752 * GIB, rel=0.01)
    assert first.weight_bytes - later.weight_bytes == pytest.approx(126 * 2 * 8 * 128 * 16_384 * 2 / 8, rel=0.001)


def test_the_full_context_of_405b_does_not_fit_in_either_release() -> None:
    assert longest_request_tokens(of_405b(16, 131_072)) < 131_072
    assert longest_request_tokens(of_405b(8, 131_072)) < 131_072
    assert longest_request_tokens(of_405b(8, 79_392)) >= 79_392


def of_480b(fraction: float) -> MemoryPlan:
    config_ = config(CODER_480B) | {"quantization_config": {"quant_method": "fp8", "weight_block_size": [128, 128]}}
    found = parse_config(config_, name=CODER_480B)
    return memory_plan(
        model_features(found), weight_bytes(found, None), BF16, H20_141, Layout(data=8, expert=8),
        engine_memory("vllm"), memory_utilisation=fraction, max_context_tokens=262_144,
    )  # fmt: skip


@pytest.mark.parametrize(("fraction", "free_gib", "longest"), [(0.90, 48.66, 205_728), (0.95, 55.65, 235_296)])
def test_the_cache_of_480b_on_eight_h20_of_141_gb(fraction: float, free_gib: float, longest: int) -> None:
    """vllm-project/recipes pull request 12, 2025-08-04: Qwen3-Coder-480B in FP8, data parallel 8 with expert parallel.

    0.05 of the memory are 55.65 - 48.66 = 6.99 GiB, so all of it are 139.8 GiB: the H20 of 141 GB, not that of 96.
    """
    found = of_480b(fraction)
    assert found.kv_pool_bytes == pytest.approx(free_gib * GIB, rel=0.05)
    assert longest_request_tokens(found) == pytest.approx(longest, rel=0.05)
    assert longest_request_tokens(found) < 262_144
    assert H20_141.usable_memory_bytes == pytest.approx((55.65 - 48.66) / 0.05 * GIB, rel=0.01)
