"""What the shipped coefficients reach on the packaged points, against the figures that they must reach."""

import json

import numpy as np
import pytest

from sizing.calibration import run
from sizing.calibration.errors import METRICS, LogErrors, errors_of, left_out, median_and_tail
from sizing.calibration.fit import CORPUS, ENGINE_FACTORS, PRIORS, fit, predict
from sizing.calibration.intervals import bands_of, coverage
from sizing.calibration.load import COEFFICIENTS, CURRENT_VERSION, load_coefficients
from sizing.calibration.measured import Measured, measured, serving_rows
from sizing.calibration.models import measured_models
from sizing.calibration.naive import naive_errors
from sizing.calibration.single_stream import log_errors, single_stream_points
from sizing.calibration.stored import stored_values
from sizing.core.devices import PROFILE_SLUGS
from sizing.core.hardware import Accelerator
from sizing.core.model.features import model_features
from sizing.core.precision import Rate
from tests.sizing.core import serving

# median errors in per cent: TPOT, TTFT, throughput
IN_SAMPLE = (9.8, 19.1, 9.7)
FAMILY_LEFT_OUT = (11.5, 21.7, 11.7)
ACCELERATOR_LEFT_OUT = (11.1, 25.9, 12.1)


@pytest.fixture(scope="module")
def points() -> Measured:
    return measured(serving_rows(), measured_models())


def medians(errors: LogErrors) -> list[float]:
    return [100 * median_and_tail(errors.absolute(metric))[0] for metric in METRICS]


def report() -> dict[str, dict[str, dict[str, list[float]]]]:
    return json.loads((COEFFICIENTS / f"{CURRENT_VERSION}.json").read_text(encoding="utf-8"))["report"]


def test_every_point_is_scored_once(points: Measured) -> None:
    assert len(points) == 1297
    assert int(points.ttft_usable.sum()) == 1245
    assert len(set(points.families.tolist())) == 7


def test_in_sample_errors_are_at_most_those_of_the_reference(points: Measured) -> None:
    errors = errors_of(points, predict(points, stored_values(CURRENT_VERSION)))
    assert all(found <= limit for found, limit in zip(medians(errors), IN_SAMPLE, strict=True)), medians(errors)
    assert errors.refused.mean() <= 0.02


@pytest.mark.parametrize(
    ("name", "limits"), [("family_left_out", FAMILY_LEFT_OUT), ("accelerator_left_out", ACCELERATOR_LEFT_OUT)]
)
def test_the_fit_report_states_left_out_errors_within_the_limits(name: str, limits: tuple[float, ...]) -> None:
    found = [report()["error_percent_median_and_90th"][name][metric][0] for metric in METRICS]
    assert all(value <= limit for value, limit in zip(found, limits, strict=True)), found


@pytest.mark.parametrize("name", ["family_left_out", "accelerator_left_out"])
def test_intervals_cover_nine_of_ten_left_out_points(name: str) -> None:
    for metric in METRICS:
        share, _ = report()["coverage_and_width_percent"][name][metric]
        assert 85 <= share <= 95, (metric, share)
    assert report()["coverage_and_width_percent"][name]["tpot"][1] <= 65


def test_the_shipped_file_is_what_the_fit_gives(points: Measured) -> None:
    fresh, shipped = fit(points).values, stored_values(CURRENT_VERSION)
    assert set(PRIORS) | set(CORPUS) | set(ENGINE_FACTORS) == set(fresh)
    for name, value in fresh.items():
        assert shipped[name] == pytest.approx(value, rel=2e-3), name


def test_a_family_that_was_left_out_is_predicted_within_a_fifth(points: Measured) -> None:
    out = points.families == "minimax-m2.5"
    partial = fit(points.take(np.flatnonzero(~out)))
    corpus = {name: stored_values(CURRENT_VERSION)[name] for name in CORPUS}
    only = points.take(np.flatnonzero(out))
    found = errors_of(only, predict(only, {**partial.values, **corpus})).absolute("tpot")
    assert np.median(found) < 0.2


@pytest.mark.full
def test_the_whole_report_can_be_made_again(points: Measured) -> None:
    made = run.calibrate(CURRENT_VERSION)
    assert made["report"]["error_percent_median_and_90th"] == report()["error_percent_median_and_90th"]


def test_the_model_beats_the_naive_roofline_several_times_over(points: Measured) -> None:
    naive = medians(naive_errors(points))
    fitted = medians(errors_of(points, predict(points, stored_values(CURRENT_VERSION))))
    assert all(4 * ours < theirs for ours, theirs in zip(fitted, naive, strict=True))


def test_coefficients_are_physical() -> None:
    step = load_coefficients().step
    for share in (
        step.compute_efficiency,
        step.attention_efficiency,
        step.link_efficiency,
        step.weight_read_efficiency,
    ):
        assert 0.1 < share <= 0.95
    assert 10e-6 < step.layer_overhead_s < 100e-6
    assert all(0.85 < factor < 1.15 for factor in load_coefficients().engine_factors.values())


def test_every_device_profile_has_numbers_and_a_source() -> None:
    devices = load_coefficients().devices
    assert set(devices) == set(PROFILE_SLUGS)
    assert all(profile.source for profile in devices.values())


def test_bands_widen_with_what_was_never_seen() -> None:
    bands = load_coefficients().bands
    for metric in METRICS:
        same, both = getattr(bands["same"], metric), getattr(bands["both"], metric)
        assert same <= getattr(bands["model"], metric) <= both
        assert same <= getattr(bands["accelerator"], metric) <= both


def test_a_band_covers_what_it_was_learned_from() -> None:
    rng = np.random.default_rng(1)
    groups = np.repeat(np.arange(20), 30)
    logs = rng.normal(0.0, 0.1, len(groups)) + rng.normal(0.0, 0.05, 20)[groups]
    errors = LogErrors(tpot=logs, ttft=logs, throughput=logs, refused=np.zeros(len(groups), dtype=bool))
    band = bands_of(groups, errors, errors, errors)["same"]
    assert 0.85 < np.mean(np.abs(logs) <= np.log(band.tpot)) < 0.98
    share, width = coverage(groups, logs, groups.astype(str))
    assert 0.85 < share < 0.98
    assert width == pytest.approx(band.tpot - 1 / band.tpot, rel=0.1)


def test_left_out_points_never_see_their_own_fit(points: Measured, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[set[str]] = []

    def spy(part: Measured) -> object:
        seen.append(set(part.families.tolist()))
        return fit_once

    fit_once = fit(points.take(np.arange(0, len(points), 20)))
    monkeypatch.setattr("sizing.calibration.errors.fit", spy)
    left_out(points, points.families, fit_once)
    families = sorted(set(points.families.tolist()))
    assert [set(families) - part for part in seen] == [{family} for family in families]


CARDS = {
    "nvidia-a100-sxm4-40gb": (1555e9, 312e12, "8.0", "HBM2e", 300e9),
    "nvidia-a100-sxm4-80gb": (2039e9, 312e12, "8.0", "HBM2e", 300e9),
    "nvidia-h100-sxm5-80gb": (3350e9, 989.4e12, "9.0", "HBM3", 450e9),
    "nvidia-rtx-4090": (1008e9, 165.2e12, "8.9", "GDDR6X", None),
    "nvidia-rtx-a6000": (768e9, 154.8e12, "8.6", "GDDR6", None),
}


@pytest.mark.parametrize("slug", CARDS)
def test_one_request_on_one_accelerator_decodes_as_measured(slug: str) -> None:
    # never part of the fit; two 2024 engines in 16 bits, llama.cpp in 16 and 4 bits
    chosen = [p for p in single_stream_points() if p.accelerator == slug and p.tensor_parallel == 1]
    models = {p.model: model_features(serving.architecture(p.model)) for p in chosen}
    errors = log_errors(chosen, models, {slug: _card(slug)}, load_coefficients())
    assert len(chosen) >= 2
    assert np.median(np.abs(np.expm1(errors))) <= 0.15


def _card(slug: str) -> Accelerator:
    bandwidth, flops, capability, memory, link = CARDS[slug]
    return serving.accelerator(
        slug,
        bandwidth_bytes_per_s=bandwidth,
        flops_per_s={Rate.BF16: flops},
        compute_capability=capability,
        memory_type=memory,
        scale_up_bytes_per_s=link,
    )
