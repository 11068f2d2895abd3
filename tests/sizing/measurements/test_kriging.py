"""Residuals between measured points: exact at a point, gone far away, honest about what is left."""

import numpy as np
import pytest

from sizing.measurements.kriging import (
    CHUNK,
    Kernel,
    Places,
    chunks,
    correct,
    distance_to,
    informative,
    interval_factor,
    learn,
    places_of,
)

HERE = ("llama/80/8192", "nvidia-h100-sxm5-80gb", "vllm", "fp8")
KERNEL = Kernel()


def at(*concurrent: float, labels: tuple[str, ...] = HERE) -> Places:
    return places_of([labels] * len(concurrent), [(c, 1024.0, 256.0, 4.0, 1.0) for c in concurrent])


def test_one_point_alone_is_shrunk_by_its_share_of_the_variance() -> None:
    # weight of one point = prior variance / (prior variance + noise); the prior is the sum without noise
    learned = learn(at(32), np.array([0.2]), kernel=KERNEL)
    prior = KERNEL.variance - KERNEL.noise
    assert correct(learned, at(32)).residual[0] == pytest.approx(0.2 * prior / KERNEL.variance)


def test_a_measured_load_is_foretold_and_little_uncertainty_is_left() -> None:
    learned = learn(at(8, 16, 32, 64), np.array([0.1, 0.12, 0.15, 0.18]), kernel=KERNEL)
    found = correct(learned, at(32, 45, 512))
    assert found.residual[0] == pytest.approx(0.15, abs=0.01)
    assert 0.15 < found.residual[1] < 0.18
    assert found.left[0] < 0.1
    assert found.left[0] < found.left[1] < found.left[2]


def test_another_model_on_another_device_hears_little() -> None:
    learned = learn(at(8, 16, 32, 64), np.full(4, 0.3), kernel=KERNEL)
    far = correct(learned, at(32, labels=("qwen/64/5120", "amd-mi300x", "sglang", "bf16")))
    near = correct(learned, at(32))
    assert abs(far.residual[0]) < 0.3 * abs(near.residual[0])
    assert far.left[0] > 0.8


def test_without_own_points_nothing_changes() -> None:
    learned = learn(at(), np.array([]), kernel=KERNEL)
    found = correct(learned, at(32))
    assert (found.residual[0], found.left[0]) == (0.0, 1.0)
    assert interval_factor(1.4, 1.0, learned) == 1.4


def test_the_interval_narrows_with_what_is_left_and_never_beyond_twice_its_logarithm() -> None:
    learned = learn(at(8, 16, 32, 64), np.full(4, 0.1), kernel=KERNEL)
    assert 1.0 < interval_factor(1.4, 0.05, learned) < interval_factor(1.4, 0.5, learned) < 1.4
    wild = learn(at(8, 8.1, 16, 16.1), np.array([0.9, -0.9, 0.9, -0.9]), kernel=KERNEL)
    assert interval_factor(1.4, 1.0, wild) <= 1.4**2 + 1e-9
    assert interval_factor(1.4, 0.5, wild) > interval_factor(1.4, 0.5, learned)


def test_one_wild_point_among_many_does_not_carry_the_others_away() -> None:
    concurrent = [4.0, 8, 12, 16, 24, 32, 48, 64]
    residuals = np.full(8, 0.1)
    residuals[3] = 1.5
    found = correct(learn(at(*concurrent), residuals, kernel=KERNEL), at(17))
    assert found.residual[0] == pytest.approx(0.1, abs=0.06)


def test_the_order_of_points_does_not_matter() -> None:
    chance = np.random.default_rng(3)
    concurrent, residuals = chance.uniform(1, 128, 30), chance.normal(0.1, 0.05, 30)
    order = chance.permutation(30)
    first = correct(learn(at(*concurrent), residuals, kernel=KERNEL), at(20, 90))
    second = correct(learn(at(*concurrent[order]), residuals[order], kernel=KERNEL), at(20, 90))
    assert first.residual == pytest.approx(second.residual, abs=1e-9)


def test_many_points_are_solved_in_pieces_and_use_their_neighbours() -> None:
    chance = np.random.default_rng(5)
    concurrent = chance.uniform(1, 256, 3 * CHUNK)
    residuals = 0.05 * np.log2(concurrent) + chance.normal(0, 0.02, 3 * CHUNK)
    many = at(*concurrent)
    pieces = chunks(many)
    assert max(len(piece) for piece in pieces) <= CHUNK
    assert sorted(np.concatenate(pieces).tolist()) == list(range(3 * CHUNK))
    learned = learn(many, residuals, kernel=KERNEL)
    assert correct(learned, at(64)).residual[0] == pytest.approx(0.3, abs=0.05)


def test_points_that_were_not_measured_are_left_out() -> None:
    learned = learn(at(8, 16), np.array([np.nan, 0.1]), kernel=KERNEL)
    assert len(learned) == 1


def test_distance_counts_doublings_within_one_deployment_only() -> None:
    learned = learn(at(8, 16), np.array([0.1, 0.1]), kernel=KERNEL)
    distance, nearest = distance_to(learned, at(32))
    assert (distance[0], nearest[0]) == (pytest.approx(1.0), 1)
    assert distance_to(learned, at(16, labels=("m", *HERE[1:])))[0][0] > 100


def test_the_most_informative_load_of_a_sweep_is_not_at_its_edge() -> None:
    sweep = at(1, 2, 4, 8, 16, 32, 64, 128, 256)
    chosen = informative(KERNEL, sweep, 3)
    assert len(set(chosen.tolist())) == 3
    assert 2 <= chosen[0] <= 6
