"""A published load sweep that no fit has seen: NVIDIA NIM 1.8.0, Llama-3.3-70B FP8, two H100, 5,000/500 tokens.

Source: docs.nvidia.com/nim/benchmarking/llm/1.0.0/performance (fixed concurrency).
"""

from dataclasses import replace

import pytest

from sizing.core.candidate import Performance
from sizing.core.recommend import recommend
from sizing.core.workload import Targets
from tests.sizing.core import serving
from tests.sizing.core.serving import H100

NAME = "meta-llama__Llama-3.3-70B-Instruct"

# requests in flight: TTFT ms, TPOT ms, output tokens/s
PUBLISHED = {
    1: (406.77, 18.58, 51.67),
    5: (546.7, 21.83, 218.48),
    25: (688.69, 38.75, 623.4),
    50: (834.51, 59.73, 814.37),
    100: (7996.25, 92.91, 917.26),
    150: (34794.22, 92.86, 920.9),
    200: (61680.22, 93.06, 920.54),
    250: (88605.32, 93.2, 920.12),
}
BEYOND_THE_KNEE = (100, 150, 200, 250)


@pytest.fixture(scope="module")
def sweep() -> dict[int, Performance]:
    device = replace(H100, usable_memory_bytes=85_018_882_539)
    found = {}
    for concurrent in PUBLISHED:
        request = serving.request(
            NAME,
            traffic=serving.traffic(concurrent, 5000, 500, max_context_tokens=5600),
            targets=Targets(),
            pinned=serving.pinned(device, count=2, tensor_parallel=2, max_sequences=256),
            simulated_options=0,
        )
        answer = recommend(request, serving.catalogue(device), coefficients=serving.coefficients())
        found[concurrent] = answer.options[0].performance
    return found


@pytest.mark.parametrize("concurrent", PUBLISHED)
def test_time_per_token_and_throughput_follow_the_published_sweep(
    sweep: dict[int, Performance], concurrent: int
) -> None:
    _, tpot_ms, tokens_per_s = PUBLISHED[concurrent]
    assert sweep[concurrent].tpot_ms["mean"].value == pytest.approx(tpot_ms, rel=0.1)
    assert sweep[concurrent].output_tokens_per_s_total.value == pytest.approx(tokens_per_s, rel=0.1)


def test_throughput_stops_growing_at_the_knee(sweep: dict[int, Performance]) -> None:
    rates = {c: p.output_tokens_per_s_total.value for c, p in sweep.items()}
    assert rates[50] > 1.2 * rates[25]
    assert rates[250] < 1.1 * rates[100]


def test_beyond_the_knee_saturation_is_said_and_the_wait_grows_as_measured(sweep: dict[int, Performance]) -> None:
    assert [sweep[c].saturated for c in PUBLISHED] == [c in BEYOND_THE_KNEE for c in PUBLISHED]
    for concurrent in BEYOND_THE_KNEE:
        assert sweep[concurrent].ttft_ms["mean"].value is None
    for concurrent in (150, 200, 250):
        assert sweep[concurrent].slot_wait_ms.value == pytest.approx(PUBLISHED[concurrent][0], rel=0.1)


def test_below_the_knee_the_first_token_is_inside_its_interval(sweep: dict[int, Performance]) -> None:
    for concurrent in (1, 5, 25, 50):
        found = sweep[concurrent].ttft_ms["mean"]
        assert found.low <= PUBLISHED[concurrent][0] <= found.high
