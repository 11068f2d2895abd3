"""Charts: what is drawn, what the title says, and that the table has the same numbers."""

from typing import Any

import plotly.graph_objects as go
import pytest
from django.utils import translation

from sizing import charts, presentation
from sizing.leads import lead_lines
from sizing.memory_bar import memory_bar
from sizing.messages import localised
from tests.sizing import sample_result
from tests.sizing.sample_result import NAMES


def views(result: dict[str, Any] | None = None) -> list[presentation.OptionView]:
    names = {slug: ("Maker", name) for slug, name in NAMES.items()}
    data = localised(result or sample_result.result())
    return presentation.option_views(data["options"], sample_result.request(), names=names, run_url="/runs/x/")


def test_an_option_that_costs_more_and_comes_later_is_beaten() -> None:
    result = sample_result.result()
    worse = sample_result.option(4, cost=result["options"][1]["cost"])
    worse["delivery"] = worse["delivery"] | {"weeks_p50": 9}
    result["options"].append(worse)
    assert [option.rank for option in charts.on_frontier(views(result))] == [2, 1]


def test_an_option_without_price_or_date_is_in_the_table_and_not_in_the_plot() -> None:
    chart = charts.frontier_chart(views())
    assert chart.figure is not None
    assert len(chart.figure["data"][1]["x"]) == 2
    assert [row[0]["text"] for row in chart.rows][-1].endswith("Card B 141GB")
    assert chart.rows[-1][3] == {"text": "unknown", "num": True, "open": True}


def test_the_frontier_title_states_what_sooner_costs() -> None:
    assert charts.frontier_chart(views()).title == "4\u00a0weeks sooner cost €33,480 more"
    with translation.override("de"):
        assert charts.frontier_chart(views()).title == "4\u00a0Wochen früher kosten 33.480\u00a0€ mehr"


def test_without_any_price_the_chart_says_so_and_draws_nothing() -> None:
    result = sample_result.result()
    for option in result["options"]:
        option["cost"]["purchase"] = sample_result.money(None)
    chart = charts.frontier_chart(views(result))
    assert chart.figure is None
    assert "No option has both" in chart.empty


@pytest.mark.parametrize("build", [charts.frontier_chart, charts.memory_chart])
def test_figures_pass_plotlys_own_validators(build: Any) -> None:
    figure = build(views()).figure
    assert go.Figure(figure).data


def test_figures_name_css_variables_and_no_fixed_colour() -> None:
    text = str(charts.memory_chart(views()).figure) + str(charts.frontier_chart(views(), budget=60_000).figure)
    assert "var(--kv-mem-weights)" in text
    assert "#" not in text


def test_the_memory_bar_ends_at_the_usable_memory() -> None:
    parts = charts.memory_parts(views()[0])
    # 35.3 + 1.55 + 2.0 fixed, 26 % of the pool of 49.65 in use; the rest of 88.5 GB is free
    assert parts["kv"] == pytest.approx(12.909)
    assert sum(parts.values()) == pytest.approx(88.5)


def test_memory_table_repeats_the_numbers_of_the_plot() -> None:
    chart = charts.memory_chart(views()[:1])
    assert chart.figure is not None
    drawn = [trace["x"][0] for trace in chart.figure["data"]]
    assert [cell["text"] for cell in chart.rows[0][1:]] == [f"{value:,.1f}" for value in drawn]


def test_an_overfull_bar_shows_the_limit_and_what_is_missing() -> None:
    bar = memory_bar({"weights": 90e9, "kv": 10e9}, usable_bytes=80e9)
    assert bar.limit_x == "80.00"
    assert bar.parts[-1].key == "over"
    assert bar.parts[-1].gb == "20.0\u00a0GB"


def test_a_bar_with_room_ends_with_the_free_part() -> None:
    bar = memory_bar({"weights": 60e9}, usable_bytes=80e9)
    assert (bar.parts[-1].key, bar.parts[-1].share, bar.limit_x) == ("free", "25\u00a0%", "")
    assert "Weights 60.0\u00a0GB" in bar.label


def test_a_line_without_lead_time_is_drawn_as_unknown_and_makes_the_total_a_lower_bound() -> None:
    option = sample_result.option(1)
    option["delivery"]["complete"] = False
    leads = lead_lines(localised(option))
    assert leads is not None
    assert [line["known"] for line in leads["lines"]] == [True, False]
    assert leads["title"].startswith("At least 7\u00a0weeks")


def test_the_deciding_line_is_named_in_the_title() -> None:
    leads = lead_lines(localised(sample_result.option(1)))
    assert leads is not None
    assert leads["title"] == "Card 96 GB decides: 7\u00a0weeks, 11 in one case of ten"
    assert [line["deciding"] for line in leads["lines"]] == [True, False]


def test_an_option_without_bill_has_no_lead_chart() -> None:
    assert lead_lines(sample_result.option(1, bom=[])) is None
