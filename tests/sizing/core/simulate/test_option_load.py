"""Which arrivals an option of a search is simulated with: traces and loads over the day."""

from dataclasses import replace

import pytest

from sizing.core.candidate import Candidate
from sizing.core.recommend import recommend
from sizing.core.workload import Traffic
from tests.sizing.core import serving
from tests.sizing.core.serving import H100, LLAMA_8B

AT = serving.coefficients()
STEADY = serving.traffic(None, 1024, 128, requests_per_s=4.0)
EVEN = tuple((0.25 * n, 1024, 128) for n in range(800))
BURSTS = tuple((4.0 * (n // 16), 1024, 128) for n in range(800))  # the same rate, sixteen at a time


def answered(traffic: Traffic) -> Candidate:
    pin = serving.pinned(H100, count=1, tensor_parallel=1, engine="vllm")
    wanted = serving.request(LLAMA_8B, traffic=traffic, pinned=pin, targets=serving.limits())
    return recommend(wanted, serving.catalogue(H100), coefficients=AT).options[0]


def ttft_p95(candidate: Candidate) -> float:
    assert candidate.performance.simulated
    return candidate.performance.ttft_ms["p95"].value or 0.0


def test_a_trace_in_bursts_waits_longer_than_an_even_one_of_the_same_rate() -> None:
    even, bursts = answered(replace(STEADY, trace=EVEN)), answered(replace(STEADY, trace=BURSTS))
    assert ttft_p95(bursts) > 2 * ttft_p95(even)


def test_a_trace_is_replayed_the_same_way_each_time() -> None:
    assert answered(replace(STEADY, trace=BURSTS)) == answered(replace(STEADY, trace=BURSTS))


def test_a_day_with_a_peak_has_a_longer_tail_than_a_flat_one() -> None:
    busy = replace(STEADY, requests_per_s=8.0)
    flat = answered(replace(busy, load_profile=(1.0,) * 24))
    peak = answered(replace(busy, load_profile=(0.25,) * 20 + (4.0,) * 4))
    assert ttft_p95(peak) > 1.2 * ttft_p95(flat)


def test_a_flat_day_is_the_steady_load() -> None:
    assert ttft_p95(answered(replace(STEADY, load_profile=(1.0,) * 24))) == pytest.approx(
        ttft_p95(answered(STEADY)), rel=0.1
    )
