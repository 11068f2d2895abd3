"""Delay against batch: worked examples with the sum written out."""

from math import log

import pytest

from sizing.core.kinds.batching import BatchPoint, batch_points
from sizing.core.kinds.task import BatchTime, Served
from sizing.core.precision import FP16
from tests.sizing.core.kinds.round import coefficients, device
from tests.sizing.core.kinds.test_others import cameras

# t(b) = 8 ms + b x 2 ms, a server with a launch that small batches pay in full
TIMES = [BatchTime(batch=b, seconds=0.008 + 0.002 * b) for b in (8, 4, 2, 1)]


def points(load_per_s: float, limit_p95_s: float | None = None) -> dict[int, BatchPoint]:
    found = batch_points(TIMES, load_per_s=load_per_s, replicas=1, sustained_share=1.0, limit_p95_s=limit_p95_s)
    return {point.batch: point for point in found}


def test_a_wait_fills_the_batch_and_adds_to_its_time() -> None:
    # 200 a second: the eighth request comes 7 / 200 = 35 ms after the first; 0.6 busy: w = 24 / 0.8 x ln 12 = 74.5 ms;
    # p95 0.95 x 35 + 74.5 / 8 + 24 = 66.57 ms
    eight = points(200.0)[8]
    assert eight.delay_s == pytest.approx(0.035)
    assert eight.busy == pytest.approx(200 * 0.024 / 8)
    assert eight.p95_s == pytest.approx(0.03325 + 0.024 / 0.8 * log(0.6 / 0.05) / 8 + 0.024)


def test_the_quickest_batch_that_carries_the_load_is_chosen() -> None:
    # at most 100, 167, 250, 333 a second: 200 needs batches of four (0.8 busy), 20 needs single requests (0.2 busy)
    assert [b for b, point in points(200.0).items() if point.chosen] == [4]
    assert [b for b, point in points(20.0).items() if point.chosen] == [1]
    assert points(20.0)[1].delay_s == 0.0


def test_batches_too_small_for_the_load_let_the_queue_grow() -> None:
    found = points(200.0, limit_p95_s=0.06)
    assert found[1].p95_s is None  # 200 over 100
    assert found[2].p95_s is None  # 200 over 167
    # 4: 0.95 x 15 + 16 / 0.4 x ln 16 / 4 + 16 = 58 ms
    assert [found[b].kept for b in (1, 2, 4, 8)] == [False, False, True, False]


def test_more_replicas_share_the_load_and_the_queue() -> None:
    shared = batch_points(TIMES, load_per_s=400.0, replicas=2, sustained_share=1.0, limit_p95_s=None)
    alone = points(200.0)
    assert [point.delay_s for point in shared] == [alone[point.batch].delay_s for point in shared]
    assert (shared[-1].p95_s or 0) < (alone[8].p95_s or 0)


def test_a_task_hands_over_every_batch_that_fits() -> None:
    found = cameras().served(device(), FP16, "tensorrt", coefficients())
    assert isinstance(found, Served)
    assert [each.batch for each in found.times] == [128, 64, 32, 16, 8, 4, 2, 1]
    assert batch_points((), load_per_s=1.0, replicas=1, sustained_share=1.0, limit_p95_s=None) == ()
