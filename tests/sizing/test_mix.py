"""The mix of servers: proved against every mix counted by hand, and its limits."""

from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizing.mix import Limits, Mix, Node, best_mix

LARGE = Node(key=1, requests_per_s=10.0, cost=Decimal(100_000), power_w=6_000, rack_units=4)
SMALL = Node(key=2, requests_per_s=2.0, cost=Decimal(25_000), power_w=1_500, rack_units=1)


def test_a_small_server_fills_the_gap_that_a_second_large_one_would_waste() -> None:
    # 11 requests/s: 2 large = 200,000; 6 small = 150,000; 1 large + 1 small = 10 + 2 >= 11 for 125,000
    mix = best_mix([LARGE, SMALL], 11.0, Limits())
    assert mix == Mix(counts={1: 1, 2: 1}, requests_per_s=12.0, cost=Decimal(125_000))


def test_a_load_that_fills_servers_exactly_takes_no_more() -> None:
    mix = best_mix([LARGE, SMALL], 20.0, Limits())
    assert mix is not None
    assert mix.counts == {1: 2}


@pytest.mark.parametrize(
    ("limits", "counts"),
    [
        (Limits(rack_units=4), None),  # 4 U carry 10 requests/s at most
        (Limits(rack_units=5), {1: 1, 2: 1}),
        (Limits(power_w=7_499), None),  # 7,500 W are needed
        (Limits(power_w=7_500), {1: 1, 2: 1}),
        (Limits(budget=Decimal(124_999)), None),
    ],
)
def test_limits_hold(limits: Limits, counts: dict[int, int] | None) -> None:
    mix = best_mix([LARGE, SMALL], 11.0, limits)
    assert (mix.counts if mix else None) == counts


def test_unknown_power_keeps_no_power_limit() -> None:
    unknown = Node(key=3, requests_per_s=100.0, cost=Decimal(1), power_w=None, rack_units=1)
    mix = best_mix([LARGE, unknown], 5.0, Limits(power_w=10_000))
    assert mix is not None
    assert mix.counts == {1: 1}


def test_equal_cost_takes_the_lower_key_and_fewer_servers() -> None:
    twin = Node(key=9, requests_per_s=10.0, cost=Decimal(100_000), power_w=6_000, rack_units=4)
    halves = Node(key=0, requests_per_s=5.0, cost=Decimal(50_000), power_w=3_000, rack_units=2)
    mix = best_mix([twin, LARGE, halves], 10.0, Limits())
    assert mix is not None
    assert mix.counts == {1: 1}


def test_nothing_serves_nothing() -> None:
    assert best_mix([], 1.0, Limits()) is None
    with pytest.raises(ValueError, match="positive load"):
        best_mix([LARGE], 0.0, Limits())


kinds = st.lists(
    st.tuples(st.integers(1, 9), st.integers(1, 40), st.integers(1, 20), st.integers(1, 8)), min_size=1, max_size=3
)


@settings(max_examples=40, deadline=None)
@given(kinds, st.integers(1, 30), st.one_of(st.none(), st.integers(5, 120)))
def test_no_mix_counted_by_hand_is_cheaper(rows: list[tuple[int, ...]], load: int, power: int | None) -> None:
    nodes = [
        Node(key=i, requests_per_s=float(c), cost=Decimal(p), power_w=float(w), rack_units=float(u))
        for i, (c, p, w, u) in enumerate(rows)
    ]
    counts = [range(-(-load // row[0]) + 1) for row in rows]
    fitting = [
        sum(n * row[1] for n, row in zip(numbers, rows, strict=True))
        for numbers in product(*counts)
        if sum(n * row[0] for n, row in zip(numbers, rows, strict=True)) >= load
        and (power is None or sum(n * row[2] for n, row in zip(numbers, rows, strict=True)) <= power)
    ]
    mix = best_mix(nodes, float(load), Limits(power_w=None if power is None else float(power)))
    assert (mix.cost if mix else None) == (Decimal(min(fitting)) if fitting else None)
