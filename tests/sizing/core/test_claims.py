"""Claims that buyers quote, computed beside what is claimed."""

import pytest

from sizing.calibration.claimed import claims, h200_over_h100, speculative
from sizing.core.candidate import Claim
from sizing.core.recommend import recommend
from tests.sizing.core import serving
from tests.sizing.core.serving import H100, LLAMA_8B


def claims_at(concurrent: float) -> dict[str, Claim]:
    pin = serving.pinned(H100, count=1, tensor_parallel=1, engine="vllm")
    wanted = serving.request(LLAMA_8B, traffic=serving.traffic(concurrent, 256, 256), pinned=pin)
    found = recommend(wanted, serving.catalogue(H100), coefficients=serving.coefficients()).options[0]
    return {claim.name: claim for claim in found.claims}


def test_an_option_shows_both_claims_with_their_range_and_source() -> None:
    found = claims_at(16)
    assert set(found) == {"continuous_batching", "speculative_decoding"}
    assert all(claim.low < claim.high and claim.source for claim in found.values())
    assert 1.0 < found["continuous_batching"].value < 4.0


def test_drafting_gains_less_the_fuller_the_batch() -> None:
    gains = [claims_at(n)["speculative_decoding"].value for n in (1, 64)]
    assert gains[0] > gains[1]


def test_a_single_request_gains_nothing_from_continuous_batching() -> None:
    # a batch of one waits for nobody
    assert claims_at(1)["continuous_batching"].value == pytest.approx(1.0, abs=0.1)


def test_h200_over_h100_stays_below_the_ratio_of_bandwidths_at_an_equal_batch() -> None:
    # vendor 1.9, independent 1.4 to 1.6; 4.8 / 3.35 TB/s = 1.43
    assert 1.1 < h200_over_h100() < 4.8 / 3.35


def test_speculative_decoding_reaches_the_claim_with_one_request_only() -> None:
    assert 1.5 <= speculative(1.0) <= 2.0
    assert speculative(64.0) < 1.2


def test_every_claim_stands_beside_a_computed_figure() -> None:
    assert len(claims()) == 4
    assert all(row.claimed and 1.0 < row.computed < 4.0 for row in claims())
