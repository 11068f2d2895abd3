"""Results in words: the sentence, the verdicts, the cards and their differences."""

import dataclasses
from typing import Any

import pytest
from django.utils import translation

from sizing import figures, presentation
from sizing.explanations import explanation
from sizing.formulas import FORMULAS
from sizing.messages import localised
from sizing.option_table import SORTS, in_order, option_table
from sizing.verdict_words import LABELS
from tests.sizing import sample_result
from tests.sizing.test_charts import views

NBSP = "\u00a0"


def words(option: presentation.OptionView) -> dict[str, str]:
    return {verdict.key: verdict.value for verdict in option.verdicts}


def test_the_sentence_names_hardware_load_money_and_time() -> None:
    assert presentation.sentence(views(), sample_result.request()) == (
        f"2{NBSP}×{NBSP}Card A 96GB in 1{NBSP}server carry 200 users for €38,420 net, delivered in about 7{NBSP}weeks."
    )


def test_the_sentence_is_german_for_a_german_reader() -> None:
    with translation.override("de"):
        assert presentation.sentence(views(), sample_result.request()) == (
            f"2{NBSP}×{NBSP}Card A 96GB in 1{NBSP}Server tragen 200 Nutzer für 38.420{NBSP}€ netto, "
            f"lieferbar in etwa 7{NBSP}Wochen."
        )


def test_the_sentence_inherits_what_is_open() -> None:
    result = sample_result.result()
    result["options"][0]["cost"] |= {"complete": False, "open_lines": 1}
    result["options"][0]["delivery"]["complete"] = False
    option = views(result)[0]
    assert "for at least €38,420 net, in at least" in presentation.sentence([option], sample_result.request())
    assert "1 line has no price yet. At least one line has no lead time yet." in presentation.second_sentence(option)


def test_an_unknown_price_is_said_and_never_zero() -> None:
    result = sample_result.result()
    result["options"][0]["cost"]["purchase"] = sample_result.money(None)
    assert "at a price that is still open" in presentation.sentence(views(result), sample_result.request())


def test_without_options_the_sentence_says_so() -> None:
    assert presentation.sentence([], sample_result.request()) == "No option meets all targets."


def test_where_all_options_miss_a_limit_the_sentence_names_the_closest() -> None:
    result = sample_result.result()
    for option in result["options"]:
        option["labels"] = []
    result["options"][0]["verdicts"]["budget"] = sample_result.verdict("fail", -0.2)
    options = views(result)
    assert presentation.sentence(options, sample_result.request()) == (
        f"No option meets all targets. Closest: 2{NBSP}×{NBSP}Card A 96GB. Budget: 20{NBSP}% over."
    )
    assert [card["role"] for card in presentation.cards(options)] == ["Closest"]


def test_eight_verdicts_come_in_their_fixed_order() -> None:
    assert [verdict.key for verdict in views()[0].verdicts] == list(LABELS)


def test_margins_are_words_without_signs() -> None:
    said = words(views()[0])
    assert said["memory"] == f"40{NBSP}% free"
    assert said["speed"] == f"14{NBSP}% to spare"
    assert said["delivery"] == "4 weeks early"
    assert said["budget"] == f"36{NBSP}% under"
    assert said["power"] == "not judged"
    assert words(views()[1])["budget"] == "€11,900 over"


def test_a_verdict_that_the_result_lacks_is_unknown_not_fine() -> None:
    option = sample_result.option(1, verdicts={})
    view = presentation.option_view(option, {}, names={}, run_url="/runs/x/")
    assert {verdict.state for verdict in view.verdicts} == {"unknown"}


def test_the_tightest_target_stands_under_the_speed_verdict() -> None:
    speed = views()[0].verdicts[1]
    assert speed.note == f"TPOT 43 of 50{NBSP}ms, p95"


def test_the_power_verdict_shows_what_its_margin_is_of() -> None:
    supply = {"state": "ok", "margin": 0.29, "code": "bom_supply_ok", "params": {"load_w": 1910, "left_w": 2700}}
    option = sample_result.option(1, verdicts={"power": supply})
    view = presentation.option_view(option, {"site": {"max_power_w": 15000}}, names={}, run_url="/runs/x/")
    power = next(verdict for verdict in view.verdicts if verdict.key == "power")
    # (2,700 - 1,910) / 2,700 = 29 %, of the supplies and not of the 15 kW
    assert (power.value, power.note) == (f"29{NBSP}% free", f"1.9{NBSP}kW of 2.7{NBSP}kW of supplies")


def test_differences_to_the_first_card_carry_signs() -> None:
    cards = presentation.cards(views())
    assert [card["role"] for card in cards] == ["Lowest cost", "Earliest delivery", "Most headroom"]
    assert cards[0]["suggested"]
    assert [delta["text"] for delta in cards[1]["deltas"]][:3] == ["+€33,480", f"−4{NBSP}weeks", "power: same"]


def test_a_difference_with_an_open_side_has_no_number() -> None:
    deltas = presentation.cards(views())[2]["deltas"]
    assert [delta["text"] for delta in deltas][:2] == ["", ""]


def test_one_option_with_two_roles_gets_one_card() -> None:
    result = sample_result.result()
    result["options"][0]["labels"] = ["lowest_cost", "earliest_delivery"]
    result["options"][1]["labels"] = []
    cards = presentation.cards(views(result))
    assert [card["role"] for card in cards] == ["Lowest cost · Earliest delivery", "Most headroom"]


def test_a_role_that_nothing_fills_says_why() -> None:
    result = sample_result.result()
    result["options"][1]["labels"] = []
    empty = presentation.cards(views(result))[1]
    assert empty["option"] is None
    assert "lead time" in empty["reason"]


def test_a_failed_verdict_decides_before_an_open_one() -> None:
    deciding = views()[1].deciding
    assert deciding is not None
    assert deciding.key == "budget"


def test_rejections_carry_reason_and_fix() -> None:
    rows = presentation.rejected_rows(
        localised(sample_result.result()), {"maker-a-card-48gb": ("Maker", "Card A 48GB")}
    )
    assert rows[0] == {
        "name": "Maker Card A 48GB",
        "reason": "14.8 GB short.",
        "fix": "4-bit weights fit.",
        "other_fixes": [],
    }
    assert rows[1]["fix"] == ""


@pytest.mark.parametrize(("sort", "ranks"), [("price", [1, 2, 3]), ("-price", [3, 2, 1]), ("weeks", [2, 1, 3])])
def test_the_table_sorts_and_leaves_unknown_values_last(sort: str, ranks: list[int]) -> None:
    assert [row.rank for row in option_table(views(), {"sort": sort}).rows] == ranks


@pytest.mark.parametrize("better_high", ["throughput", "per_w", "per_rack_unit", "headroom"])
def test_what_is_better_high_is_offered_with_the_highest_first(better_high: str) -> None:
    table = option_table(views(), {"sort": f"-{better_high}"})

    assert f"-{better_high}" in SORTS
    assert (table.sort, table.direction) == (better_high, "descending")


def test_equal_values_stay_in_the_suggested_order_both_ways() -> None:
    first = views()[0]
    same = [dataclasses.replace(first, rank=rank) for rank in (2, 3, 1)]

    assert [row.rank for row in in_order(same, "price", descending=True)] == [1, 2, 3]
    assert [row.rank for row in in_order(same, "price", descending=False)] == [1, 2, 3]


def test_a_filter_that_matches_nothing_leaves_an_empty_table() -> None:
    table = option_table(views(), {"engine": "Other"})
    assert (table.rows, table.total, table.filtered) == ([], 3, True)


def test_a_figure_opens_with_value_formula_and_inputs() -> None:
    why = explanation(views()[0], sample_result.request(), "tpot")
    assert why is not None
    assert why.estimate is not None
    assert why.estimate["value"] == 43
    assert why.formula is not None
    assert why.formula.text.startswith("TPOT = ")
    assert ("Load", "200 users") in why.inputs


def test_an_unknown_figure_has_no_explanation() -> None:
    assert explanation(views()[0], sample_result.request(), "nonsense") is None


@pytest.mark.parametrize(
    ("language", "texts"),
    [
        ("en", ("1,234.5", f"328{NBSP}kB", "€1,234.50", "30 Nov 2026".replace(" ", NBSP), f"−4{NBSP}weeks")),
        ("de", ("1.234,5", f"328{NBSP}kB", f"1.234,50{NBSP}€", "30.11.2026", f"−4{NBSP}Wochen")),
    ],
)
def test_figures_follow_the_readers_language(language: str, texts: tuple[str, ...]) -> None:
    with translation.override(language):
        assert texts == (
            figures.number(1234.5, 1),
            figures.kilobytes(327_680),
            figures.amount("1234.50", "EUR", exact=True),
            figures.day("2026-11-30"),
            figures.signed(-4, figures.weeks(4)),
        )


@pytest.mark.parametrize(
    ("estimate", "texts"),
    [
        (sample_result.estimate(43, 37, 51), (f"43{NBSP}ms", "37–51")),
        (sample_result.estimate(1400, 1200, 1600), (f"1.4{NBSP}s", "1.2–1.6")),
        (sample_result.estimate(0.7, 0.6, 0.8, "share"), (f"70{NBSP}%", "60–80")),
        (sample_result.estimate(5, 5, 5), (f"5.0{NBSP}ms", "")),
        (sample_result.estimate(None), ("", "")),
    ],
)
def test_an_estimate_shows_value_unit_and_interval(estimate: dict[str, Any], texts: tuple[str, str]) -> None:
    assert figures.estimate_texts(estimate) == texts


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_every_symbol_of_a_legend_stands_in_its_formula(name: str) -> None:
    formula = FORMULAS[name]
    assert [symbol for symbol in formula.symbols if symbol not in formula.text] == []
