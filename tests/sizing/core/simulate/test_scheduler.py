"""The event simulation: nothing is lost, nothing is made twice, and known queues come out."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizing.core.closed_loop import steady_state
from sizing.core.errors import InvalidWorkload
from sizing.core.queueing import md1_wait_s, ttft_quantile_s
from sizing.core.simulate.arrivals import Arrival, profiled, replayed
from sizing.core.simulate.arrivals import open_loop as poisson
from sizing.core.simulate.clock import clock_of
from sizing.core.simulate.engine import closed_loop, knee, open_loop
from sizing.core.simulate.scheduler import Replica, Rules, Served
from sizing.core.workload import LengthMix
from tests.sizing.core.serving import coefficients
from tests.sizing.core.test_closed_loop import load
from tests.sizing.core.test_roofline import placed

AT = coefficients()
CLOCK = clock_of(placed(), AT.step)
LAYERS = 32


def rules(**changes: object) -> Rules:
    base = Rules(
        clock=CLOCK,
        budget_tokens=8192,
        pool_tokens=float("inf"),
        max_sequences=1024,
        mixed_prefill=True,
        front_end_s=AT.latency.front_end_s + LAYERS * AT.latency.prefill_launch_s + AT.latency.pipeline_steps * 3e-3,
        token_handling_s=AT.latency.token_handling_s,
        first_chunk_steps=0.0,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


ARRIVALS = st.lists(st.tuples(st.floats(0.0, 5.0), st.integers(1, 3000), st.integers(1, 200)), min_size=1, max_size=40)


@given(
    rows=ARRIVALS,
    pool=st.integers(3200, 20_000),
    budget=st.sampled_from([64, 512, 8192]),
    mixed=st.booleans(),
    slots=st.integers(1, 16),
)
@settings(max_examples=150, deadline=None)
def test_every_request_ends_once_and_the_cache_never_overflows(
    rows: list[tuple[float, int, int]], pool: int, budget: int, mixed: bool, slots: int
) -> None:
    asked = sum(outputs for _, _, outputs in rows)
    outcome = open_loop(
        rules(pool_tokens=float(pool), budget_tokens=budget, mixed_prefill=mixed, max_sequences=slots),
        replayed(rows),
        warm_up=0.0,
    )
    assert outcome.finished == outcome.submitted == len(rows)
    assert outcome.tokens_out == asked
    assert outcome.peak_tokens <= pool + 1e-6


@given(rows=ARRIVALS)
@settings(max_examples=50, deadline=None)
def test_no_token_comes_before_its_request(rows: list[tuple[float, int, int]]) -> None:
    outcome = open_loop(rules(), replayed(rows), warm_up=0.0)
    assert min(outcome.ttft_s) > 0
    assert all(whole >= first - 1e-12 for whole, first in zip(outcome.e2e_s, outcome.ttft_s, strict=True))


def test_a_full_cache_preempts_and_still_answers() -> None:
    outcome = closed_loop(
        rules(pool_tokens=6000.0),
        concurrent=12,
        requests=60,
        inputs=LengthMix(mean=400),
        outputs=LengthMix(mean=400),
    )
    assert outcome.preemptions > 0
    assert outcome.finished == 60
    assert outcome.tokens_out == 60 * 400
    assert outcome.peak_tokens <= 6000


def test_a_request_longer_than_the_cache_is_refused() -> None:
    with pytest.raises(InvalidWorkload, match="request_longer_than_cache"):
        open_loop(rules(pool_tokens=1000.0), [Arrival(0.0, 900, 200)])


@pytest.mark.parametrize("concurrent", [1, 4, 16, 64])
@pytest.mark.parametrize(("inputs", "outputs"), [(1024, 1024), (1024, 256), (256, 512), (4096, 1024)])
@pytest.mark.parametrize("mixed", [True, False])
def test_simulation_and_closed_form_agree_below_the_knee(
    concurrent: int, inputs: int, outputs: int, mixed: bool
) -> None:
    carried = load(np.array([float(concurrent)]), inputs, outputs, mixed=np.array([float(mixed)]))
    state = steady_state(placed(), carried, AT)
    life = float(state.ttft_s[0] + outputs * state.tpot_s[0])
    spread = LengthMix(mean=outputs, minimum=0.9 * outputs, maximum=1.1 * outputs)
    outcome = closed_loop(
        rules(mixed_prefill=mixed),
        concurrent=concurrent,
        requests=max(40, 12 * concurrent),
        inputs=LengthMix(mean=inputs),
        outputs=spread,
        life_s=life,
    )
    assert outcome.statistics("tpot")["mean"] == pytest.approx(state.tpot_s[0], rel=0.05)
    assert outcome.tokens_per_s == pytest.approx(state.tokens_per_s[0], rel=0.05)


@pytest.mark.parametrize(
    ("concurrent", "inputs", "outputs"),
    [(1, 32_768, 256), (2, 32_768, 256), (4, 32_768, 256), (8, 8192, 64), (32, 4096, 32)],
)
def test_simulation_and_closed_form_agree_where_prompts_take_most_of_the_time(
    concurrent: int, inputs: int, outputs: int
) -> None:
    carried = load(np.array([float(concurrent)]), inputs, outputs)
    state = steady_state(placed(), carried, AT)
    outcome = closed_loop(
        rules(),
        concurrent=concurrent,
        requests=max(40, 12 * concurrent),
        inputs=LengthMix(mean=inputs),
        outputs=LengthMix(mean=outputs, minimum=0.9 * outputs, maximum=1.1 * outputs),
        life_s=float(state.ttft_s[0] + outputs * state.tpot_s[0]),
    )
    assert not state.saturated[0]
    assert outcome.tokens_per_s == pytest.approx(state.tokens_per_s[0], rel=0.15)
    assert outcome.statistics("ttft")["mean"] == pytest.approx(state.ttft_s[0], rel=0.4)
    p95_s = float(ttft_quantile_s(state, carried, np.ones(1), "p95")[0])
    assert 0.95 * p95_s / 2 <= outcome.statistics("ttft")["p95"] <= 1.05 * p95_s  # the filter may err on the safe side


@pytest.mark.parametrize("utilisation", [0.3, 0.6, 0.8])
def test_prompts_alone_form_a_queue_with_constant_service(utilisation: float) -> None:
    # One token out, one prompt a step, prefill apart: arrivals are served one after the other in equal time.
    bare = rules(mixed_prefill=False, front_end_s=0.0, token_handling_s=0.0, budget_tokens=2000)
    service_s = CLOCK.step_s(0, 0, 2000, 1000)
    stream = poisson(utilisation / service_s, 12_000, inputs=LengthMix(mean=2000), outputs=LengthMix(mean=1), seed=5)
    outcome = open_loop(bare, stream)
    wait = outcome.statistics("ttft")["mean"] - service_s
    assert wait == pytest.approx(md1_wait_s(service_s, utilisation), rel=0.08)


def test_mean_in_flight_is_rate_times_time_inside() -> None:
    stream = poisson(4.0, 2000, inputs=LengthMix(mean=512), outputs=LengthMix(mean=128), seed=3)
    outcome = open_loop(rules(), stream)
    assert outcome.requests_per_s == pytest.approx(4.0, rel=0.06)
    assert outcome.in_flight == pytest.approx(4.0 * outcome.statistics("e2e")["mean"], rel=0.06)


def test_more_replicas_never_worsen_latency() -> None:
    stream = poisson(20.0, 1500, inputs=LengthMix(mean=2048), outputs=LengthMix(mean=128), seed=7)
    found = [open_loop(rules(), stream, replicas=count) for count in (1, 2, 4)]
    for metric in ("ttft", "tpot", "e2e"):
        values = [outcome.statistics(metric)["p95"] for outcome in found]
        assert values == sorted(values, reverse=True), metric


def test_bursts_lengthen_the_tail() -> None:
    lengths = {"inputs": LengthMix(mean=2048), "outputs": LengthMix(mean=64)}
    calm = open_loop(rules(), poisson(10.0, 1500, burstiness=1.0, seed=2, **lengths))
    bursty = open_loop(rules(), poisson(10.0, 1500, burstiness=8.0, seed=2, **lengths))
    assert bursty.statistics("ttft")["p99"] > calm.statistics("ttft")["p99"]


def test_equal_seeds_give_equal_outcomes() -> None:
    lengths = {"inputs": LengthMix(mean=700, p95=1500), "outputs": LengthMix(mean=200, p95=500)}
    runs = [closed_loop(rules(), concurrent=8, requests=100, seed=seed, **lengths) for seed in (4, 4, 5)]
    assert runs[0] == runs[1]
    assert runs[0] != runs[2]


def test_lengths_keep_their_mean_and_percentile() -> None:
    mix = LengthMix(mean=700, p95=1500)
    stream = poisson(1.0, 20_000, inputs=mix, outputs=LengthMix(mean=300, minimum=100, maximum=900), seed=1)
    inputs = sorted(a.input_tokens for a in stream)
    outputs = [a.output_tokens for a in stream]
    assert sum(inputs) / len(inputs) == pytest.approx(700, rel=0.02)
    assert inputs[int(0.95 * len(inputs))] == pytest.approx(1500, rel=0.04)
    assert sum(outputs) / len(outputs) == pytest.approx(300, rel=0.05)
    assert 100 <= min(outputs) <= max(outputs) <= 900


def test_a_daily_profile_moves_arrivals_into_busy_hours() -> None:
    stream = poisson(0.1, 4000, inputs=LengthMix(mean=1), outputs=LengthMix(mean=1), seed=1)
    warped = profiled(stream, (0.0, 2.0))
    hours = [int(a.time_s // 3600) % 2 for a in warped]
    assert len(warped) == len(stream)
    assert set(hours) == {1}


def test_goodput_counts_requests_that_keep_every_limit() -> None:
    outcome = open_loop(rules(), poisson(2.0, 300, inputs=LengthMix(mean=512), outputs=LengthMix(mean=64)))
    from sizing.core.workload import Target  # noqa: PLC0415

    generous = Target(metric="ttft", percentile="p95", limit_s=60.0)
    middle = Target(metric="ttft", percentile="p95", limit_s=outcome.statistics("ttft")["p50"])
    assert outcome.goodput([generous]) == 1.0
    assert outcome.goodput([generous, middle]) == pytest.approx(0.5, abs=0.02)


def test_the_knee_is_where_doubling_the_load_stops_paying() -> None:
    assert knee([(1, 100), (2, 190), (4, 350), (8, 370), (16, 375)]) == 4
    assert knee([(1, 100), (2, 200)]) is None


def test_a_replica_without_work_only_lets_time_pass() -> None:
    replica = Replica(rules=rules())
    assert replica.advance(3.0) == []
    assert replica.now_s == 3.0
    replica.submit(Served(0, 3.0, 10, 2))
    assert [r.number for r in replica.advance(float("inf"))] == [0]
