"""Replicas hour by hour, and owning the base while renting the peak."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.bom import NodeLayout
from quotes.cost import CostTerms, Load, RentalRate, hour_by_hour, own_base_rent_peak, own_cost
from tests.quotes.bom_world import rules
from tests.quotes.test_cost import bill

LAYOUT = NodeLayout(
    servers=2,
    accelerators_per_node=4,
    replicas_per_node=2,
    spans_nodes=False,
    accelerators_bought=8,
    lost_with_one_node=2,
)
# Twelve hours at a quarter of 8 requests/s, eight at half, four at full load.
DAY = (0.25,) * 12 + (0.5,) * 8 + (1.0,) * 4
TERMS = CostTerms(
    currency="USD", as_of="2026-11-30", write_off_years=5, electricity_price_per_kwh=Decimal("0.2"), pue=1.0
)


def plan(replicas: int = 4, profile: tuple[float, ...] = DAY):
    return hour_by_hour(profile, requests_per_s=8.0, replica_requests_per_s=2.0, replicas=replicas, layout=LAYOUT)


def test_replicas_follow_the_load() -> None:
    day = plan()
    # 2, 4 and 8 requests/s on 2 a replica
    assert [hour.replicas_needed for hour in (day.hours[0], day.hours[12], day.hours[20])] == [1, 2, 4]
    assert (day.least_replicas, day.most_replicas) == (1, 4)
    # idle: 12 x 3 + 8 x 2 + 4 x 0 = 52 of 96 replica-hours
    assert day.idle_share == pytest.approx(52 / 96)


def test_what_one_failure_leaves_is_stated() -> None:
    day = plan()
    assert day.capacity_after_failure == 0.5
    assert day.survives_failure_at_peak is False
    assert plan(replicas=6).survives_failure_at_peak is True


def test_an_hour_beyond_the_installed_replicas_is_not_covered() -> None:
    assert [hour.covered for hour in plan(replicas=3).hours].count(False) == 4


def test_an_unknown_layout_leaves_the_failure_unknown() -> None:
    day = hour_by_hour(DAY, requests_per_s=8.0, replica_requests_per_s=2.0, replicas=4, layout=None)
    assert (day.capacity_after_failure, day.survives_failure_at_peak) == (None, None)


def test_nothing_to_plan_is_refused() -> None:
    with pytest.raises(ValueError, match="capacity"):
        hour_by_hour((), requests_per_s=8.0, replica_requests_per_s=2.0, replicas=4, layout=None)


@given(st.lists(st.floats(0, 3), min_size=24, max_size=24), st.floats(0.1, 50))
def test_more_capacity_of_a_replica_never_needs_more_replicas(profile: list[float], capacity: float) -> None:
    small = hour_by_hour(profile, requests_per_s=10.0, replica_requests_per_s=capacity, replicas=4, layout=None)
    large = hour_by_hour(profile, requests_per_s=10.0, replica_requests_per_s=2 * capacity, replicas=4, layout=None)
    assert all(b.replicas_needed <= a.replicas_needed for a, b in zip(small.hours, large.hours, strict=True))


def test_owning_the_base_and_renting_the_peak_by_hand() -> None:
    load = Load(requests_per_day=300_000, capacity_requests_per_s=8.0)
    own = own_cost(bill("80000", idle_w=0, loaded_w=0), load, TERMS, rules())
    # 80,000 / 5 = 16,000 for four replicas: 4,000 each. Renting two cards a replica at 2.00: 4.00 an hour.
    rate = RentalRate(provider="Cloud", accelerator="gpu", per_hour=Decimal("2.00"))
    splits = own_base_rent_peak(plan(), own=own, replicas=4, cards_per_replica=2, rate=rate, terms=TERMS)
    by_owned = {split.owned_replicas: split for split in splits}
    # owning 2: four hours a day need 2 more = 8 replica-hours x 365 x 4.00 = 11,680; owning costs 8,000
    assert by_owned[2].rent_per_year == Decimal("11680")
    assert by_owned[2].own_per_year == Decimal("8000")
    assert by_owned[0].own_per_year == 0
    assert by_owned[4].rent_per_year == 0
    # 3: 4 hours x 1 x 365 x 4 = 5,840 + 12,000 = 17,840; 4: 16,000: owning the peak is cheapest here
    assert by_owned[3].per_year == Decimal("17840")
    assert splits[0].owned_replicas == 4


def test_a_cheap_rate_moves_the_peak_to_the_cloud() -> None:
    load = Load(requests_per_day=300_000, capacity_requests_per_s=8.0)
    own = own_cost(bill("80000", idle_w=0, loaded_w=0), load, TERMS, rules())
    rate = RentalRate(provider="Cloud", accelerator="gpu", per_hour=Decimal("0.50"))
    splits = own_base_rent_peak(plan(), own=own, replicas=4, cards_per_replica=2, rate=rate, terms=TERMS)
    # one replica runs all day: 8,760 h x 1.00 > 4,000; the second 12 h: 4,380 > 4,000; the rest 4 h: 1,460 < 4,000
    assert splits[0].owned_replicas == 2


def test_an_unknown_exchange_rate_gives_no_split() -> None:
    own = own_cost(bill("80000"), Load(requests_per_day=1.0, capacity_requests_per_s=8.0), TERMS, rules())
    rate = RentalRate(provider="Cloud", accelerator="gpu", per_hour=Decimal("0.50"), currency="CNY")
    assert own_base_rent_peak(plan(), own=own, replicas=4, cards_per_replica=2, rate=rate, terms=TERMS) == ()
