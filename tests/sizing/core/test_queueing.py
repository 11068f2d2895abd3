"""Closed forms of waiting against textbook values."""

import numpy as np
import pytest

from sizing.core.closed_loop import steady_state
from sizing.core.queueing import e2e_quantile_s, md1_wait_s, mg1_wait_s, tpot_quantile_s, ttft_quantile_s
from tests.sizing.core.test_closed_loop import AT, load
from tests.sizing.core.test_roofline import placed


def test_constant_service_waits_half_as_long_as_exponential() -> None:
    # rho 0.8, S 1: M/D/1 waits 0.8 / (2 x 0.2) = 2, M/M/1 waits 4
    assert md1_wait_s(1.0, 0.8) == pytest.approx(2.0)
    assert mg1_wait_s(1.0, 0.8, 1.0) == pytest.approx(4.0)
    assert mg1_wait_s(1.0, 0.8, 0.0) == pytest.approx(md1_wait_s(1.0, 0.8))


def test_nothing_waits_without_load_and_everything_without_capacity() -> None:
    assert md1_wait_s(1.0, 0.0) == 0.0
    assert md1_wait_s(1.0, 1.0) == float("inf")
    assert mg1_wait_s(1.0, 1.5, 1.0) == float("inf")


def test_percentiles_stand_in_order() -> None:
    points, carried = placed(), load(np.array([8.0, 64.0, 200.0]), 2048.0, 256.0)
    state, one = steady_state(points, carried, AT), np.ones(1)
    for metric in (
        [ttft_quantile_s(state, carried, one, s) for s in ("p50", "p95", "p99")],
        [tpot_quantile_s(state, carried, s) for s in ("p50", "p95", "p99")],
        [e2e_quantile_s(state, carried, one, s) for s in ("p50", "p95", "p99")],
    ):
        assert np.all(metric[0] <= metric[1])
        assert np.all(metric[1] <= metric[2])
    assert np.all(e2e_quantile_s(state, carried, one, "mean") == state.ttft_s + 255 * state.tpot_s)
