"""Closed forms of waiting against textbook values."""

import numpy as np
import pytest

from sizing.core.closed_loop import steady_state
from sizing.core.queueing import (
    Spread,
    e2e_quantile_s,
    length_factor,
    md1_wait_s,
    mg1_wait_s,
    squared_variation,
    tpot_quantile_s,
    ttft_quantile_s,
)
from sizing.core.simulate.arrivals import open_loop as poisson
from sizing.core.simulate.engine import open_loop
from sizing.core.workload import LengthMix
from tests.sizing.core.simulate.test_scheduler import rules
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


def test_unequal_prompts_lengthen_the_tail_and_shorten_the_middle() -> None:
    points, carried, one = placed(), load(np.array([32.0]), 1024.0, 256.0), np.ones(1)
    state = steady_state(points, carried, AT)
    uneven = Spread(inputs=LengthMix(mean=1024, p95=3000))
    assert ttft_quantile_s(state, carried, one, "p95", uneven) > ttft_quantile_s(state, carried, one, "p95")
    assert ttft_quantile_s(state, carried, one, "p50", uneven) < ttft_quantile_s(state, carried, one, "p50")


def test_length_quantiles_follow_what_is_stated() -> None:
    stated = LengthMix(mean=1000, p95=2500)
    assert length_factor(stated, "p95") == pytest.approx(2.5)
    assert length_factor(LengthMix(mean=1000), "p99") == 1.0
    even = LengthMix(mean=1000, minimum=800, maximum=1200)
    assert length_factor(even, "p50") == pytest.approx(1.0)
    assert 1.0 < length_factor(even, "p95") < 1.2
    assert squared_variation(even) == pytest.approx((400 / 1000) ** 2 / 12)
    assert squared_variation(stated) > 0.5
    assert squared_variation(LengthMix(mean=1000)) == 0.0


@pytest.mark.parametrize("p95", [None, 2000.0])
def test_open_arrivals_agree_with_the_simulation_far_below_saturation(p95: float | None) -> None:
    inputs, rate = LengthMix(mean=1024, p95=p95), 4.0
    concurrent = np.ones(1)
    for _ in range(8):
        carried = load(concurrent, 1024.0, 256.0)
        state = steady_state(placed(), carried, AT)
        concurrent = 1.0 + rate * (state.ttft_s + 255 * state.tpot_s)
    mean_step = AT.latency.pipeline_steps / 2 * float(state.tpot_s[0])
    front = AT.latency.front_end_s + 32 * AT.latency.prefill_launch_s + mean_step
    stream = poisson(rate, 3000, inputs=inputs, outputs=LengthMix(mean=256), seed=11)
    outcome = open_loop(rules(front_end_s=front), stream)
    assert outcome.statistics("tpot")["mean"] == pytest.approx(state.tpot_s[0], rel=0.05)
    found = ttft_quantile_s(state, carried, np.ones(1), "p95", Spread(inputs=inputs))
    assert outcome.statistics("ttft")["p95"] == pytest.approx(float(found[0]), rel=0.25)
