"""Order of priced options and who fills the named roles."""

from decimal import Decimal

from sizing.core.rank import RankItem, rank


def item(key: int, cost: str | None = "100", weeks: float | None = 8.0, **changes: object) -> RankItem:
    base: dict[str, object] = {
        "key": key,
        "feasible": True,
        "cost": Decimal(cost) if cost is not None else None,
        "cost_bound": None,
        "cost_complete": True,
        "open_lines": 0,
        "weeks_p50": weeks,
        "delivery_complete": True,
        "headroom": 0.1,
        "power_w": 700.0,
        "slug": f"card-{key}",
    }
    return RankItem(**{**base, **changes})  # type: ignore[arg-type]


def roles(*items: RankItem) -> dict[str, tuple[int | None, str]]:
    return {role.name: (role.key, role.message.code) for role in rank(items).roles}


def test_complete_totals_come_before_cheaper_incomplete_ones() -> None:
    ranking = rank([item(1, "50", cost_complete=False, open_lines=2), item(2, "900"), item(3, "300")])
    assert ranking.order == [3, 2, 1]


def test_incomplete_totals_follow_by_what_they_cost_at_most() -> None:
    # 500 known with few open lines, yet at most 9,000; 700 known, at most 1,500
    rack = item(1, "500", cost_complete=False, open_lines=1, cost_bound=Decimal(9000))
    server = item(2, "700", cost_complete=False, open_lines=6, cost_bound=Decimal(1500))
    unbounded = item(3, "10", cost_complete=False, open_lines=1)
    assert rank([rack, server, unbounded]).order == [2, 1, 3]


def test_incomplete_totals_without_a_bound_follow_by_open_lines_then_known_sum() -> None:
    ranking = rank(
        [
            item(1, "10", cost_complete=False, open_lines=5),
            item(2, "90", cost_complete=False, open_lines=1),
            item(3, "80", cost_complete=False, open_lines=1),
            item(4, None, cost_complete=False, open_lines=9),
        ]
    )
    assert ranking.order == [3, 2, 1, 4]


def test_what_is_not_feasible_comes_last_and_fills_no_role() -> None:
    found = rank([item(1, "1", feasible=False, headroom=9.0, weeks=1.0), item(2, "500")])
    assert found.order == [2, 1]
    assert {role.key for role in found.roles} == {2}


def test_each_role_goes_to_its_best_option() -> None:
    found = roles(
        item(1, "100", 9.0, headroom=0.0), item(2, "200", 3.0, headroom=0.1), item(3, "300", 5.0, headroom=2.0)
    )
    assert found == {
        "lowest_cost": (1, "role_lowest_cost"),
        "earliest_delivery": (2, "role_earliest_delivery"),
        "most_headroom": (3, "role_most_headroom"),
    }


def test_a_role_that_nothing_can_fill_says_why() -> None:
    assert roles(item(1, feasible=False))["lowest_cost"] == (None, "role_nothing_feasible")
    unpriced = roles(item(1, None, None, cost_complete=False))
    assert unpriced["lowest_cost"] == (None, "role_lowest_cost_unknown")
    assert unpriced["earliest_delivery"] == (None, "role_earliest_delivery_unknown")


def test_an_incomplete_best_is_shown_as_at_least() -> None:
    assert roles(item(1, cost_complete=False, open_lines=1))["lowest_cost"] == (1, "role_lowest_cost_at_least")


def test_ties_are_broken_by_power_then_name() -> None:
    ranking = rank([item(1, slug="b"), item(2, slug="a"), item(3, slug="z", power_w=300.0)])
    assert ranking.order == [3, 2, 1]
    assert ranking.labels[3] == ["lowest_cost", "earliest_delivery", "most_headroom"]


def test_what_may_no_longer_be_had_fills_a_role_only_where_nothing_else_does() -> None:
    old, new = item(1, "100", supply_doubtful=True), item(2, "900")
    assert rank([old, new]).order == [2, 1]
    assert roles(old, new)["lowest_cost"][0] == 2
    assert roles(old)["lowest_cost"][0] == 1
