"""The mix of servers: proved against every mix counted by hand, and its limits."""

from dataclasses import replace
from decimal import Decimal
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sizing.mix import Limits, Mix, Node, best_mix

LARGE = Node(key=1, load_share=10 / 11, cost=Decimal(100_000), power_w=6_000, rack_units=4)
SMALL = Node(key=2, load_share=2 / 11, cost=Decimal(25_000), power_w=1_500, rack_units=1)


def test_a_small_server_fills_the_gap_that_a_second_large_one_would_waste() -> None:
    # 11 requests/s: 2 large = 200,000; 6 small = 150,000; 1 large + 1 small = 10 + 2 >= 11 for 125,000
    mix = best_mix([LARGE, SMALL], Limits())
    assert mix == Mix(counts={1: 1, 2: 1}, load_share=pytest.approx(12 / 11), cost=Decimal(125_000))


def test_a_load_that_fills_servers_exactly_takes_no_more() -> None:
    third = replace(LARGE, load_share=1 / 3)
    mix = best_mix([third], Limits())
    assert mix is not None
    assert mix.counts == {1: 3}


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
    mix = best_mix([LARGE, SMALL], limits)
    assert (mix.counts if mix else None) == counts


def test_unknown_power_keeps_no_power_limit() -> None:
    unknown = Node(key=3, load_share=10.0, cost=Decimal(1), power_w=None, rack_units=1)
    mix = best_mix([replace(LARGE, load_share=1.0), unknown], Limits(power_w=10_000))
    assert mix is not None
    assert mix.counts == {1: 1}


def test_equal_cost_takes_the_lower_key_and_fewer_servers() -> None:
    twin = Node(key=9, load_share=1.0, cost=Decimal(100_000), power_w=6_000, rack_units=4)
    halves = Node(key=0, load_share=0.5, cost=Decimal(50_000), power_w=3_000, rack_units=2)
    mix = best_mix([twin, replace(LARGE, load_share=1.0), halves], Limits())
    assert mix is not None
    assert mix.counts == {1: 1}


def test_nothing_serves_nothing() -> None:
    assert best_mix([], Limits()) is None
    assert best_mix([replace(LARGE, load_share=0.0)], Limits()) is None


kinds = st.lists(
    st.tuples(st.integers(1, 9), st.integers(1, 40), st.integers(1, 20), st.integers(1, 8)), min_size=1, max_size=3
)


@settings(max_examples=40, deadline=None)
@given(kinds, st.integers(1, 30), st.one_of(st.none(), st.integers(5, 120)))
def test_no_mix_counted_by_hand_is_cheaper(rows: list[tuple[int, ...]], load: int, power: int | None) -> None:
    nodes = [
        Node(key=i, load_share=c / load, cost=Decimal(p), power_w=float(w), rack_units=float(u))
        for i, (c, p, w, u) in enumerate(rows)
    ]
    counts = [range(-(-load // row[0]) + 1) for row in rows]
    fitting = [
        sum(n * row[1] for n, row in zip(numbers, rows, strict=True))
        for numbers in product(*counts)
        if sum(n * row[0] for n, row in zip(numbers, rows, strict=True)) >= load
        and (power is None or sum(n * row[2] for n, row in zip(numbers, rows, strict=True)) <= power)
    ]
    mix = best_mix(nodes, Limits(power_w=None if power is None else float(power)))
    assert (mix.cost if mix else None) == (Decimal(min(fitting)) if fitting else None)
