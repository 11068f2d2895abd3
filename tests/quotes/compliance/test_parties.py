"""Names of a quote against lists of parties that a user loaded."""

from datetime import date

import pytest

from quotes.compliance.parties import ListedFirm, Parties, readings, screen_line_parties, screen_quote_parties
from quotes.compliance.types import Applicability, BuyerType, Component, Flag, ScreeningContext, ScreeningLine

DAY = date(2026, 11, 30)


def firm(core: str, kind: str = "csl", **more: date) -> ListedFirm:
    return ListedFirm(kind=kind, entity_id=core[:3], source="Entity List (EL)", name=core.title(), core=core, **more)


def parties(*firms: ListedFirm) -> Parties:
    return Parties(kinds=("csl", "sam"), firms=firms)


@pytest.mark.parametrize(
    ("name", "step"),
    [
        ("Norvane Trading", "equal"),
        ("NORVANE TRADING CO., LTD.", "equal"),
        ("Norvane Trading (Shenzhen) Technology Co Ltd", "phrase"),
        ("Nor-Vane Trading", "squeezed"),
        ("Norvanne Trading", "fuzzy"),
    ],
)
def test_a_listed_firm_is_found_under_its_readings(name: str, step: str) -> None:
    found = parties(firm("norvane trading")).find(name, DAY, ("csl",))
    assert found is not None
    assert found[1] == step


@pytest.mark.parametrize(
    "name", ["Norvane", "Norvane Trading Bakery", "Global Trading", "Nordlane Training", "n/a", "", "China Technology"]
)
def test_another_firm_is_not_found(name: str) -> None:
    listed = parties(firm("norvane trading"), firm("trading"), firm("technology"))
    assert listed.find(name, DAY, ("csl",)) is None


def test_a_generic_rest_is_no_reading_of_its_own() -> None:
    assert readings("Delta Technology China Ltd") == ("delta technology china", "delta technology")
    assert readings("Global Trading") == ("global trading",)


def test_dates_of_a_listing_count() -> None:
    listed = parties(firm("norvane trading", listed_from=date(2026, 1, 1), listed_to=date(2026, 6, 30)))
    found = [
        listed.find("Norvane Trading", day, ("csl",)) is not None
        for day in (date(2025, 12, 31), date(2026, 6, 30), DAY)
    ]
    assert found == [False, True, False]


def test_a_listed_buyer_is_a_review_and_never_a_fail() -> None:
    context = ScreeningContext(quote_date=DAY, parties=("Norvane Trading GmbH",))
    scope, said = screen_quote_parties(context, parties(firm("norvane trading")))
    assert (scope[0], said.flag, said.rule_id, said.reason.code) == (
        Applicability.APPLIES, Flag.REVIEW, "PARTY-001", "PARTY-001.csl",
    )  # fmt: skip
    assert said.match is not None
    assert said.match.step == "equal"


def test_an_unnamed_buyer_is_unknown_and_another_one_passes() -> None:
    listed = parties(firm("norvane trading"))
    assert screen_quote_parties(ScreeningContext(quote_date=DAY), listed)[1].flag is Flag.UNKNOWN
    passed = screen_quote_parties(ScreeningContext(quote_date=DAY, parties=("Auental Klinik",)), listed)[1]
    assert (passed.flag, passed.reason.params) == (Flag.PASS, {"names": 1})


@pytest.mark.parametrize(
    ("buyer", "scope"),
    [
        (BuyerType.DOD, Applicability.APPLIES),
        (BuyerType.GRANT, Applicability.UNDETERMINED),
        (BuyerType.COMMERCIAL, Applicability.NOT_APPLICABLE),
    ],
)
def test_an_excluded_part_maker_is_a_review_where_exclusions_may_bind(buyer: BuyerType, scope: Applicability) -> None:
    line = ScreeningLine(line_id="1", manufacturer="Castellan", components=(Component(maker="Norvane Trading"),))
    context = ScreeningContext(quote_date=DAY, buyer_type=buyer)
    (applicability, _rule), said = screen_line_parties(line, context, parties(firm("norvane trading", "sam")))
    assert (applicability, said.flag, said.rule_id) == (scope, Flag.REVIEW, "PARTY-002")


def test_a_maker_on_the_consolidated_list_is_a_note() -> None:
    line = ScreeningLine(line_id="1", manufacturer="Norvane Trading")
    said = screen_line_parties(line, ScreeningContext(quote_date=DAY), parties(firm("norvane trading")))[1]
    assert (said.flag, [note.code for note in said.notes]) == (Flag.PASS, ["PARTY-NOTE-MAKER"])


def test_a_line_without_maker_is_unknown() -> None:
    said = screen_line_parties(ScreeningLine(line_id="1"), ScreeningContext(quote_date=DAY), parties())[1]
    assert (said.flag, said.rule_id) == (Flag.UNKNOWN, "PARTY-004")
