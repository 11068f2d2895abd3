"""The page of the cheapest mix, the crossing of the cost lines, and the reason beside the earliest delivery."""

from typing import Any

import pytest
from django.test import Client

from sizing import presentation
from sizing.core.rank import rank
from sizing.cost_charts import cost_lines, cost_swing_chart
from sizing.models import SizingOption, SizingRun
from tests.sizing import sample_result
from tests.sizing.core.test_rank import item
from tests.sizing.test_views import done_run

SERVED = {"replicas": 1, "servers": 1, "servers_per_replica": 1, "lost_with_one_server": 1, "peak_requests_per_s": 11.0}


def offered(rank: int, rate: float, price: str, **changes: Any) -> dict[str, Any]:
    facts = SERVED | {"replica_requests_per_s": rate} | changes
    return sample_result.option(
        rank,
        redundancy=facts,
        cost={"purchase": sample_result.money(price), "complete": True, "open_lines": 0, "against": []},
        power_max_w=sample_result.estimate(3000, 2700, 3300, "W"),
        rack_units=4,
    )


def run_with(*options: dict[str, Any]) -> SizingRun:
    run = done_run()
    SizingOption.objects.filter(run=run).delete()
    for data in options:
        SizingOption.objects.create(run=run, rank=data["rank"], accelerator=data["accelerator"], data=data)
    return run


@pytest.mark.django_db
def test_two_kinds_of_servers_beat_one_kind(client: Client) -> None:
    # 11 requests/s: two large servers cost 20,000, six small ones 15,000; one of each serves 12 for 12,500
    large = offered(1, 10.0, "20000.00", servers=2, replicas=2)
    small = offered(2, 2.0, "15000.00", servers=6, replicas=6)
    page = client.get(f"{run_with(large, small).get_absolute_url()}mix/").content.decode()
    assert "€12,500" in page
    assert "109\u00a0%" in page  # 12 of 11
    assert "the mix costs €2,500 less" in page


@pytest.mark.django_db
def test_without_figures_the_page_says_so(client: Client) -> None:
    page = client.get(f"{done_run().get_absolute_url()}mix/").content.decode()
    assert "No mix can be worked out." in page
    assert client.get("/runs/unknown-key/mix/").status_code == 404


def test_cost_lines_cross_at_the_break_even_of_the_table() -> None:
    # 38,420 / ((30,000 - 3,000) / 12) = 17.07 months
    months = 38_420 / ((30_000 - 3_000) / 12)
    rent = {"kind": "rent", "name": "Cloud A", "per_year": sample_result.money("30000.00"), "break_even_months": months}
    cost = {
        "purchase": sample_result.money("38420.00"),
        "running_per_year": sample_result.money("3000.00"),
        "complete": True,
        "running_complete": True,
        "open_lines": 0,
        "against": [rent],
    }
    option = presentation.option_view(sample_result.option(1, cost=cost), {}, names={}, run_url="/")
    lines, _currency = cost_lines(option)
    own, rented = lines
    assert rented.break_even_months is not None
    assert own.at(rented.break_even_months) == pytest.approx(rented.at(rented.break_even_months))


def test_swings_are_drawn_around_the_stated_cost() -> None:
    swings = [
        {"input": "Write-off period", "low_per_year": "18000.00", "high_per_year": "26000.00"},
        {"input": "Load", "low_per_year": "20500.00", "high_per_year": "21500.00"},
        {"input": "Price of power", "low_per_year": "20750.00", "high_per_year": "21250.00"},
    ]
    data = sample_result.option(1, cost_sensitivity=swings)
    chart = cost_swing_chart(presentation.option_view(data, {}, names={}, run_url="/"))
    assert chart.title == "Write-off period: moves the yearly cost of owning most"
    assert [cell["text"] for cell in chart.rows[0]] == ["Write-off period", "€18,000", "€26,000"]
    assert chart.figure is not None
    low, high = chart.figure["data"]
    assert (low["base"], list(low["x"]), list(high["x"])) == (21.0, [-3.0, -0.5, -0.25], [5.0, 0.5, 0.25])
    few = sample_result.option(1, cost_sensitivity=swings[:2])
    chart = cost_swing_chart(presentation.option_view(few, {}, names={}, run_url="/"))
    assert (chart.figure, len(chart.rows)) == (None, 2)


def test_a_complete_delivery_says_that_another_might_be_sooner() -> None:
    sure = item(1, "900", 37.0)
    perhaps = item(2, "900", 28.0, delivery_complete=False)
    role = next(role for role in rank([sure, perhaps]).roles if role.name == "earliest_delivery")
    assert (role.key, role.message.code, role.message.params) == (1, "role_earliest_delivery_complete", {"weeks": 28})
    alone = next(role for role in rank([sure]).roles if role.name == "earliest_delivery")
    assert alone.message.code == "role_earliest_delivery"


def test_an_option_behind_an_unknown_limit_stands_after_known_ones() -> None:
    known, unknown = item(1, "900"), item(2, "100", supply_doubtful=True)
    ranking = rank([unknown, known])
    assert ranking.order == [1, 2]
    assert "lowest_cost" in ranking.labels[1]
