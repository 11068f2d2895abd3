"""Latency against load, and operating points under the roofs."""

from dataclasses import replace
from itertools import pairwise

import pytest

from sizing.core.candidate import Candidate
from sizing.core.precision import FP8
from sizing.core.recommend import recommend
from sizing.core.workload import Targets
from tests.sizing.core import serving
from tests.sizing.core.serving import H100


def option(concurrent: float, **changes: object) -> Candidate:
    asked = serving.request(
        serving.LLAMA_70B,
        FP8,
        traffic=serving.traffic(concurrent, 1024, 256, max_context_tokens=2048),
        targets=Targets(),
        pinned=serving.pinned(H100, count=4, tensor_parallel=4),
        **changes,
    )
    return recommend(asked, serving.catalogue(H100), coefficients=serving.coefficients()).options[0]


@pytest.fixture(scope="module")
def served() -> Candidate:
    return option(64)


def test_the_curve_ascends_from_one_request_past_the_stated_load(served: Candidate) -> None:
    loads = [point.requests_in_flight for point in served.load_curve]
    assert loads == sorted(set(loads))
    assert loads[0] == 1.0
    assert loads[-1] >= 128.0
    assert len(loads) >= 8


def test_more_load_is_slower_and_yields_more(served: Candidate) -> None:
    curve = [point for point in served.load_curve if not point.saturated and not point.stated]
    for before, after in pairwise(curve):
        assert after.tpot_ms.value > before.tpot_ms.value  # type: ignore[operator]
        assert after.e2e_ms.value > before.e2e_ms.value  # type: ignore[operator]
        assert after.output_tokens_per_s.value > before.output_tokens_per_s.value  # type: ignore[operator]


def test_the_stated_load_shows_the_figures_of_the_option(served: Candidate) -> None:
    stated = [point for point in served.load_curve if point.stated]
    assert [point.requests_in_flight for point in stated] == [64.0]
    assert stated[0].ttft_ms == served.performance.ttft_ms["p95"]
    assert stated[0].output_tokens_per_s == served.performance.output_tokens_per_s_total
    assert stated[0].simulated


def test_the_knee_is_where_doubling_the_load_stops_paying() -> None:
    curve = option(1024).load_curve
    assert sum(point.knee for point in curve) == 1
    at = next(i for i, point in enumerate(curve) if point.knee)
    later = [point for point in curve[at:] if not point.stated]
    first, last = later[0], later[-1]
    assert last.output_tokens_per_s.value < 1.25 * first.output_tokens_per_s.value  # type: ignore[operator]


def test_saturated_points_have_no_latency_to_first_token(served: Candidate) -> None:
    past = [point for point in option(4096).load_curve if point.saturated and not point.stated]
    assert past
    assert all(point.ttft_ms.value is None and point.tpot_ms.value for point in past)


def test_no_point_stands_above_its_roof(served: Candidate) -> None:
    found = served.roofline
    assert found is not None
    roofs = {roof.format: roof for roof in found.roofs}
    assert roofs["fp8"].ridge_flop_per_byte == pytest.approx(1978.9e12 / 3.35e12)
    for point in found.points:
        assert 0 < point.tflops <= point.attainable_tflops
        assert point.gb_per_s <= found.bandwidth_gb_s
        assert point.tflops == pytest.approx(point.flop_per_byte * point.gb_per_s / 1e3)


def test_one_request_decodes_at_two_operations_a_weight() -> None:
    # one token: 2 x 68.5e9 operations over as many bytes of FP8 weights, and the head in 16 bits beside
    found = option(1).roofline
    assert found is not None
    decode, prefill = found.points
    assert decode.flop_per_byte == pytest.approx(2.0, rel=0.1)
    assert decode.memory_bound
    assert prefill.flop_per_byte > 500
    assert not prefill.memory_bound


def test_leading_options_of_a_search_have_curves_and_the_others_none() -> None:
    asked = replace(serving.request(), simulated_options=1)
    found = recommend(asked, serving.catalogue(), coefficients=serving.coefficients())
    assert found.options[1:]
    assert sum(bool(each.load_curve) for each in found.options) == 1
    assert sum(each.roofline is not None for each in found.options) == 1
