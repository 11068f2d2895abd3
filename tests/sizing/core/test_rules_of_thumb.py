"""Rules of thumb that practitioners know: sizes of weights, one card for a small chat, memory for long contexts."""

import pytest

from sizing.core.candidate import Recommendation
from sizing.core.precision import BF16, FP8, Rate, StorageFormat
from sizing.core.recommend import recommend
from tests.sizing.core import serving
from tests.sizing.core.serving import H100, H200, LLAMA_8B, LLAMA_70B

CARD_24 = serving.accelerator(
    "card-24gb",
    memory_bytes=24 * 10**9,
    usable_memory_bytes=round(24e9),
    bandwidth_bytes_per_s=300e9,
    compute_capability="8.9",
    scale_up_domain=1,
)


FOUR_BITS = StorageFormat(slug="four", bytes_per_value=0.5, compute=Rate.BF16, weight_only=True)
"""Without scales, as the rule counts; INT4 in groups of 32 with a scale takes 0.5625 bytes."""


@pytest.mark.parametrize(("storage", "gigabytes"), [(BF16, 140), (FP8, 70), (FOUR_BITS, 35)])
def test_70b_takes_140_70_or_35_gb(storage: StorageFormat, gigabytes: float) -> None:
    # 70.6e9 parameters x 2, 1 or 1/2 bytes; embeddings and head stay in 16 bits: 2 x 128,256 x 8,192 x 2 = 4.2 GB
    found = serving.weights(LLAMA_70B, storage).weights.total_bytes / 1e9
    assert gigabytes <= found <= gigabytes + 5


def chat(context_tokens: int) -> Recommendation:
    pin = serving.pinned(CARD_24, count=1, tensor_parallel=1, engine="vllm")
    traffic = serving.traffic(1, 512, 256, max_context_tokens=context_tokens)
    wanted = serving.request(LLAMA_8B, BF16, pinned=pin, traffic=traffic)
    return recommend(wanted, serving.catalogue(CARD_24), coefficients=serving.coefficients())


def test_a_small_chat_in_16_bits_fits_one_card_of_24_gb_with_a_limited_context() -> None:
    # 16.1 GB of weights in 0.9 x 24 = 21.6 GB: about 4 GB stay, 65 kB a token in FP8: some 60,000 tokens, not 128,000
    assert chat(8192).options
    assert not chat(131_072).options


def test_a_long_context_of_70b_prefers_the_larger_memory() -> None:
    # four cards each: 70 GB of weights leave 2.6 times as much cache on H200
    held = []
    for device in (H100, H200):
        pin = serving.pinned(device, count=4, tensor_parallel=4, engine="vllm")
        traffic = serving.traffic(8, 32_768, 512, max_context_tokens=65_536)
        found = recommend(
            serving.request(LLAMA_70B, pinned=pin, traffic=traffic),
            serving.catalogue(device),
            coefficients=serving.coefficients(),
        )
        held.append(found.options[0].max_concurrent_requests_per_replica)
    assert held[1] > 2 * held[0]
