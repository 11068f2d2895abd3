"""Storage format against compute capability."""

import pytest

from sizing.core.format_support import Support, format_support
from sizing.core.hardware import Accelerator
from sizing.core.precision import BF16, FP8, INT4, MXFP4, NVFP4, StorageFormat
from tests.sizing.core.devices import A100, B200, H100, L40S, MI300X, V100


@pytest.mark.parametrize(
    ("storage", "device", "support"),
    [
        (BF16, H100, Support.NATIVE),
        (BF16, V100, Support.REFUSED),
        (FP8, H100, Support.NATIVE),
        (FP8, L40S, Support.NATIVE),
        (FP8, A100, Support.WEIGHT_ONLY),
        (FP8, V100, Support.REFUSED),
        (FP8, MI300X, Support.NATIVE),
        (NVFP4, B200, Support.NATIVE),
        (NVFP4, H100, Support.WEIGHT_ONLY),
        (NVFP4, V100, Support.REFUSED),
        (MXFP4, MI300X, Support.WEIGHT_ONLY),
        (INT4, A100, Support.WEIGHT_ONLY),
        (INT4, V100, Support.REFUSED),
    ],
)
def test_support_follows_compute_capability(storage: StorageFormat, device: Accelerator, support: Support) -> None:
    assert format_support(storage, device).support is support


def test_fp8_on_ampere_depends_on_the_release() -> None:
    # refused on 2024-07-24 (vLLM 0.5.3), weight-only since FP8 Marlin (vllm issue 6979)
    before = format_support(FP8, A100, engine_version="0.5.3")
    assert before.support is Support.REFUSED
    assert before.message.params["since"] == "0.5.4"
    assert format_support(FP8, A100, engine_version="0.5.4").support is Support.WEIGHT_ONLY


def test_an_engine_without_the_fallback_refuses() -> None:
    assert format_support(FP8, A100, engine="tensorrt-llm").support is Support.REFUSED
    assert format_support(FP8, A100, engine="llama-cpp").support is Support.WEIGHT_ONLY
