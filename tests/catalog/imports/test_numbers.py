"""Numbers, dates and delivery words, each read as its column proves."""

from datetime import date
from decimal import Decimal

import pytest

from catalog.imports.dates import order_of, read_date
from catalog.imports.lead_times import read_lead_time
from catalog.imports.numbers import is_unknown_word, read_number, split_amount, style_of


def read_all(*cells: str) -> list[Decimal | None]:
    style = style_of(cells).style
    assert style is not None
    amounts = [split_amount(cell) for cell in cells]
    return [read_number(amount, style) if amount else None for amount in amounts]


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (("28.499,00", "12.500", "1.090,5", "0,89"), ("28499", "12500", "1090.5", "0.89")),
        (("28,499.00", "1,250", "0.89"), ("28499", "1250", "0.89")),
        (("26'890.50", "11’750.00", "-.95", "31'200.-"), ("26890.50", "11750", "0.95", "31200")),
        (("28 499,00", "1\u00a0250,5"), ("28499", "1250.5")),
        (("€ 12,--", "1.299,- EUR"), ("12", "1299")),
        (("$1,234.50", "USD 2.5"), ("1234.50", "2.5")),
        (("1.234.567", "2,5"), ("1234567", "2.5")),
        (("(5.00)", "7.25"), ("-5", "7.25")),
        (("125,00-", "3,10"), ("-125", "3.10")),
        (("100", "2450"), ("100", "2450")),
        (("0.125",), ("0.125",)),
    ],
)
def test_a_column_reads_in_its_own_style(cells: tuple[str, ...], values: tuple[str, ...]) -> None:
    assert read_all(*cells) == [Decimal(value) for value in values]


@pytest.mark.parametrize("cells", [("1.299", "2.450"), ("1,299",), ("1.299 €",), ("12.500", "100")])
def test_a_column_that_decides_nothing_is_asked_for(cells: tuple[str, ...]) -> None:
    column = style_of(cells)
    assert column.style is None
    assert not column.is_mixed


def test_a_column_of_two_styles_is_asked_for() -> None:
    assert style_of(("1.299,00", "1,299.00")).is_mixed


@pytest.mark.parametrize(
    "cell", ["1.5E+03", "12..5", "1,2,3", "1.23,4.5", "abc", "12 EUR 5", "0x10", "1_000", "٣", "NaN", "∞"]
)
def test_what_is_no_number_is_none(cell: str) -> None:
    amount = split_amount(cell)
    assert amount is None or all(read_number(amount, style) is None for style in ("de", "en", "de-CH"))


@pytest.mark.parametrize("cell", ["", "TBD", "a. A.", "auf Anfrage", "call", "-", "n.a."])
def test_unknown_prices_are_words_not_zero(cell: str) -> None:
    assert is_unknown_word(cell)


def test_amounts_of_too_many_digits_are_refused() -> None:
    amount = split_amount("1" * 16)
    assert amount is not None
    assert read_number(amount, "en") is None


@pytest.mark.parametrize(
    ("cells", "order"),
    [
        (("1.2.2027", "31.12.2026"), "dmy"),
        (("1.2.2027",), "dmy"),
        (("12/31/2026", "1/2/2027"), "mdy"),
        (("31/12/2026", "1/2/2027"), "dmy"),
        (("2026-12-31",), "dmy"),
        (("1/2/2027",), None),
        (("12/31/2026", "31/12/2026"), None),
    ],
)
def test_the_order_of_a_date_must_be_proved(cells: tuple[str, ...], order: str | None) -> None:
    assert order_of(cells).order == order


@pytest.mark.parametrize(
    ("cell", "day"),
    [
        ("31. Dezember 2026", date(2026, 12, 31)),
        ("Dec 31, 2026", date(2026, 12, 31)),
        ("31-Dec-2026", date(2026, 12, 31)),
        ("20261231", date(2026, 12, 31)),
        ("31.12.26", date(2026, 12, 31)),
        ("31.02.2026", None),
        ("soon", None),
    ],
)
def test_dates_are_read_in_words_and_figures(cell: str, day: date | None) -> None:
    assert read_date(cell, "dmy") == day


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("6-8 Wochen", 42, 56),
        ("8 wks ARO", 56, 56),
        ("ab Lager", 0, 0),
        ("Lieferzeit 6 bis 8 Wochen", 42, 56),
        ("ca. 3 Monate", 91, 91),
        ("mind. 8 Wochen", 56, None),
        ("bis zu 6 Wochen", 0, 42),
        ("zwei Wochen", 14, 14),
        ("10+ weeks", 70, None),
        ("48h", 2, 2),
        ("5 Stück am Lager", 0, 0),
        ("auf Anfrage", None, None),
        ("8-6 Wochen", None, None),
        ("mehr als 12 Wochen", 84, None),
        ("12 weeks or more", 84, None),
        ("over 20 weeks", 140, None),
        ("1 year", 365, 365),
        ("3 semaines", 21, 21),
        ("4-6 weken", 28, 42),
    ],
)
def test_delivery_words_become_days(text: str, least: int | None, most: int | None) -> None:
    lead = read_lead_time(text)
    assert (lead.min_days, lead.max_days) == (least, most)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("nicht auf Lager", "back_ordered"),
        ("Auslaufartikel", "discontinued"),
        ("on allocation", "allocation"),
        ("incl.", "none"),
        ("TBD", "unknown"),
        ("12", "unknown"),
        ("in stock (12)", "in_stock"),
        ("0 in stock", "unknown"),
        ("en stock", "in_stock"),
        ("Backordered - ETA 2027-01-15", "back_ordered"),
        (">100", "unknown"),
    ],
)
def test_delivery_words_name_a_state(text: str, state: str) -> None:
    assert read_lead_time(text).state == state


def test_working_days_stay_working_days() -> None:
    lead = read_lead_time("2-3 Werktage")
    assert (lead.unit, lead.min_days, lead.max_days) == ("working_days", 2, 3)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("KW 12/2027", date(2027, 3, 26)),
        ("KW12", date(2027, 3, 26)),
        ("KW 10-12", date(2027, 3, 26)),
        ("2027-W12", date(2027, 3, 26)),
        ("week 12 2027", date(2027, 3, 26)),
        ("Mitte März 2027", date(2027, 3, 20)),
        ("Mitte März", date(2027, 3, 20)),
        ("end of February 2027", date(2027, 2, 28)),
        ("Q2 2027", date(2027, 6, 30)),
        ("2. Quartal 2027", date(2027, 6, 30)),
        ("ETA 12/15/2026", date(2026, 12, 15)),
        ("1/5/2027", None),
    ],
)
def test_a_promise_is_the_last_day_that_it_names(text: str, day: date | None) -> None:
    assert read_lead_time(text, today=date(2026, 11, 30)).promised_on == day


def test_a_date_with_slashes_takes_the_order_that_its_column_proves() -> None:
    assert read_lead_time("1/5/2027", order="mdy").promised_on == date(2027, 1, 5)


@pytest.mark.parametrize(("text", "count"), [("12+", 12), (">100", 100), ("34 in stock", 34), ("qty 14 available", 14)])
def test_pieces_on_hand_are_counted(text: str, count: int) -> None:
    lead = read_lead_time(text, states_stock=True)
    assert (lead.state, lead.stock_count) == ("in_stock", count)
