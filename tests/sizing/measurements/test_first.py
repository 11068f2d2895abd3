"""The plan names the loads that take most of the uncertainty, given what is measured already."""

from sizing.measurements.first import measure_first
from tests.sizing.test_recipes import REQUEST, option


def test_two_loads_inside_the_sweep_come_first_and_take_most_of_the_uncertainty() -> None:
    first = measure_first(option(), REQUEST)
    counts = [load.in_flight for load in first.loads]  # the sweep is 8, 16, 32, 48, 64
    assert len(set(counts)) == 2
    assert counts[0] in (16, 32)
    assert 0.0 < first.left < 0.5


def test_a_load_measured_already_is_not_asked_for_again() -> None:
    begun = [load.in_flight for load in measure_first(option(), REQUEST).loads]
    then = measure_first(option(), REQUEST, [float(count) for count in begun])
    assert begun[0] not in [load.in_flight for load in then.loads]
    assert then.left < measure_first(option(), REQUEST).left


def test_rates_are_ordered_like_the_requests_in_flight_that_they_lead_to() -> None:
    request = REQUEST | {"traffic": REQUEST["traffic"] | {"requests_per_s": 8.0}}
    rates = [load.rate_per_s for load in measure_first(option(), request).loads]
    factors = [load.in_flight / 8 for load in measure_first(option(), REQUEST).loads]
    assert rates == factors  # 8 in flight and 1 a second are both the quarter of the load


def test_one_load_alone_needs_no_order() -> None:
    assert measure_first(option(engine="llama-cpp"), REQUEST).loads == ()
    assert measure_first(option(performance={"requests_in_flight_per_replica": 1.0}), REQUEST).loads == ()
