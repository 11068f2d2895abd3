"""The shipped coefficients against the packaged points: medians, coverage, and what is left out says why."""

import numpy as np
import pytest

from sizing.kinds.fitting import fit_family, log_errors
from sizing.kinds.load import load_kind_coefficients
from sizing.kinds.points import of_family, points, rows

GOALS = {"vision": 0.20, "diffusion": 0.25, "asr": 0.25, "tts": 0.25, "embedding": 0.25}


@pytest.mark.parametrize("family", sorted(GOALS))
def test_median_error_stays_below_the_goal(family: str) -> None:
    shipped = load_kind_coefficients()
    errors = np.abs(np.expm1(log_errors(of_family(family), family, shipped.fit(family), shipped)))
    assert np.median(errors) <= GOALS[family]


@pytest.mark.parametrize("family", sorted(GOALS))
def test_intervals_cover_nine_tenths(family: str) -> None:
    shipped = load_kind_coefficients()
    fit = shipped.fit(family)
    errors = np.abs(log_errors(of_family(family), family, fit, shipped))
    assert 0.85 <= np.mean(errors <= np.log(fit.band) + 1e-6) <= 0.95


def test_every_row_is_used_or_says_why_not() -> None:
    used = {point.reference for point in points()}
    for row in rows():
        assert (row["id"] in used) != bool(row["exclude_reason"])


def test_efficiencies_are_physical() -> None:
    for fit in load_kind_coefficients().fits.values():
        assert 0 < fit.compute_efficiency <= 0.95
        assert 0 < fit.processor_efficiency <= 0.95
        assert 0 < fit.memory_efficiency <= 0.95
        assert fit.band_unseen >= fit.band > 1


def test_the_fit_can_be_repeated() -> None:
    shipped = load_kind_coefficients()
    again = fit_family("diffusion", of_family("diffusion"), shipped).fit
    assert again.compute_efficiency == pytest.approx(shipped.fit("diffusion").compute_efficiency, rel=0.01)
    assert again.server_share == pytest.approx(shipped.fit("diffusion").server_share, rel=0.01)
