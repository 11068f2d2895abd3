"""Prices: worked sums, and properties that hold for every quote."""

from decimal import Decimal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quotes.pricing import (
    LineInput,
    PricingError,
    Tier,
    converted,
    discounted_unit_price,
    margin,
    price_quote,
    round_money,
    sale_units,
    tier_price,
    total_discounts,
)

D = Decimal


def line(number: str, unit_net: str | None, *, quantity: str = "1", kind: str = "base", **more: object) -> LineInput:
    return LineInput(
        number=number,
        section=number.split(".", maxsplit=1)[0],
        kind=kind,
        quantity=D(quantity),
        unit_net=None if unit_net is None else D(unit_net),
        **more,  # type: ignore[arg-type]
    )


def test_the_german_example_of_the_design_adds_up() -> None:
    # 33,084.40 + 4,877.00 + 4,260.00 = 42,221.40; 19 % = 8,022.066, half up 8,022.07
    vat = D("19")
    lines = [
        line("1.1", "8150.40", quantity="2", tax_rate_pct=vat),
        line("1.2", "9870.00", tax_rate_pct=vat),
        line("1.3", "612.00", quantity="8", tax_rate_pct=vat),
        line("1.4", "1008.80", quantity="2", tax_rate_pct=vat),
        line("1.5", None, tax_rate_pct=vat),
        line("1.6", "8150.40", kind="option", tax_rate_pct=vat),
        line("1.7", "648.00", quantity="8", kind="alternative", alternative_to="1.3", tax_rate_pct=vat),
        line("2.1", "4541.00", tax_rate_pct=vat),
        line("2.2", "168.00", quantity="2", tax_rate_pct=vat),
        line("3.1", "2400.00", kind="service", tax_rate_pct=vat),
        line("3.2", "1860.00", kind="service", tax_rate_pct=vat),
        line("3.3", None, kind="included"),
    ]
    totals = price_quote(lines, currency="EUR", early_payment_pct=D("2"), with_tax=True)
    assert [(s.section, s.net) for s in totals.sections] == [
        ("1", D("33084.40")),
        ("2", D("4877.00")),
        ("3", D("4260.00")),
    ]
    assert (totals.net, totals.taxes[0].amount, totals.gross) == (D("42221.40"), D("8022.07"), D("50243.47"))
    assert (totals.early_payment, totals.payable_early) == (D("1004.87"), D("49238.60"))
    assert totals.open_lines == ("1.5",)
    assert not totals.complete
    deltas = {x.number: x.delta for x in totals.lines if x.delta is not None}
    assert deltas == {"1.6": D("8150.40"), "1.7": D("288.00")}


def test_an_open_price_is_not_counted_as_zero_but_named() -> None:
    totals = price_quote([line("1", "10.00"), line("2", None)], currency="USD")
    assert totals.net == D("10.00")
    assert totals.open_lines == ("2",)
    assert totals.lines[1].extended is None


def test_two_tax_rates_are_rounded_apart() -> None:
    # 10.05 x 19 % = 1.9095 -> 1.91; 10.05 x 7 % = 0.7035 -> 0.70
    totals = price_quote(
        [line("1", "10.05", tax_rate_pct=D(19)), line("2", "10.05", tax_rate_pct=D(7))], currency="EUR", with_tax=True
    )
    assert [tax.amount for tax in totals.taxes] == [D("1.91"), D("0.70")]
    assert totals.gross == D("22.71")


def test_a_counted_line_without_rate_leaves_the_gross_unknown() -> None:
    totals = price_quote([line("1", "10.00", tax_rate_pct=D(19)), line("2", "5.00")], currency="EUR", with_tax=True)
    assert totals.gross is None


def test_half_a_cent_goes_up_and_a_negative_one_away_from_zero() -> None:
    assert round_money(D("0.125"), "EUR") == D("0.13")
    assert round_money(D("-0.125"), "EUR") == D("-0.13")
    assert round_money(D("0.5"), "JPY") == D("1")
    assert round_money(D("0.0005"), "KWD") == D("0.001")


def test_the_discount_is_rounded_where_it_is_printed() -> None:
    # 9,150.00 less 6 % = 8,601.00; 10.01 less 3.33 % = 9.676667 -> 9.68
    assert discounted_unit_price(D("9150.00"), D("6"), "USD") == D("8601.00")
    assert discounted_unit_price(D("10.01"), D("3.33"), "USD") == D("9.68")


def test_a_pack_is_never_sold_as_a_piece() -> None:
    assert sale_units(D(3), pack_size=2) == D(2)
    assert sale_units(D(3), pack_size=2, minimum_units=5) == D(5)
    assert sale_units(D(21), pack_size=2, multiple=4) == D(12)


def test_quantity_breaks_take_the_highest_one_reached() -> None:
    tiers = [Tier(from_quantity=D(10), unit_price=D("9")), Tier(from_quantity=D(1), unit_price=D("10"))]
    assert tier_price(tiers, D(9)) == D("10")
    assert tier_price(tiers, D(10)) == D("9")
    assert tier_price(tiers, D("0.5")) is None


def test_a_foreign_price_is_rounded_once() -> None:
    assert converted(D("100.00"), rate=D("0.923456"), currency="EUR") == D("92.35")


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: line("1", "1", quantity="0"), "line 1: quantity must be above 0, got 0"),
        (lambda: line("1", "-1"), "line 1: only a discount may be negative, got -1"),
        (lambda: price_quote([line("1", "1"), line("1", "2")], currency="EUR"), "line number 1 is used twice"),
        (
            lambda: price_quote([line("2", "1", kind="alternative", alternative_to="9")], currency="EUR"),
            "line 2 is an alternative to line '9', which is not there",
        ),
        (lambda: discounted_unit_price(D(1), D(101), "EUR"), "discount must lie in 0 to 100 %, got 101"),
        (lambda: sale_units(D(0)), "must be positive"),
        (lambda: tier_price([Tier(from_quantity=D(1), unit_price=D(1))] * 2, D(1)), "two prices for the same"),
    ],
)
def test_wrong_input_is_named(make: object, words: str) -> None:
    with pytest.raises(PricingError, match=words.replace("(", r"\(")):
        make()  # type: ignore[operator]


# Several checks share the processor: a slow draw says nothing about the code.
SLOW_MACHINE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
amounts = st.decimals(min_value="0", max_value="999999.9999", places=4)
kinds = st.sampled_from(["base", "option", "included", "service", "licence"])
rates = st.sampled_from([D("19"), D("7"), D("8.1"), D("0")])


@st.composite
def quotes(draw: st.DrawFn) -> list[LineInput]:
    count = draw(st.integers(1, 25))
    return [
        LineInput(
            number=f"{draw(st.integers(1, 3))}.{index}",
            section="1",
            kind=draw(kinds),
            quantity=draw(st.decimals(min_value="0.001", max_value="5000", places=3)),
            unit_net=draw(st.one_of(st.none(), amounts)),
            tax_rate_pct=draw(rates),
        )
        for index in range(count)
    ]


@SLOW_MACHINE
@given(lines=quotes(), currency=st.sampled_from(["EUR", "USD", "CHF", "JPY", "KWD"]))
def test_printed_values_add_up_to_printed_totals(lines: list[LineInput], currency: str) -> None:
    totals = price_quote(lines, currency=currency, with_tax=True)
    counted = [x.extended for x in totals.lines if x.counts and x.extended is not None]
    assert sum(counted, Decimal(0)) == totals.net
    assert sum((s.net for s in totals.sections), Decimal(0)) == totals.net
    assert totals.gross == totals.net + sum((t.amount for t in totals.taxes), Decimal(0))
    assert sum((t.base for t in totals.taxes), Decimal(0)) == totals.net


@SLOW_MACHINE
@given(lines=quotes(), currency=st.sampled_from(["EUR", "JPY"]))
def test_no_total_is_complete_while_a_counted_line_is_open(lines: list[LineInput], currency: str) -> None:
    totals = price_quote(lines, currency=currency)
    expected = [x.number for x in lines if x.kind not in ("option", "included") and x.unit_net is None]
    assert list(totals.open_lines) == expected
    assert totals.complete == (not expected)


@SLOW_MACHINE
@given(lines=quotes())
def test_options_and_included_lines_never_move_the_total(lines: list[LineInput]) -> None:
    without = [x for x in lines if x.kind not in ("option", "included")]
    assert price_quote(lines, currency="EUR").net == price_quote(without, currency="EUR").net


@given(pieces=st.integers(1, 10**6), pack=st.integers(1, 500), minimum=st.integers(1, 50), multiple=st.integers(1, 20))
def test_packs_never_undercount(pieces: int, pack: int, minimum: int, multiple: int) -> None:
    packs = sale_units(D(pieces), pack_size=pack, minimum_units=minimum, multiple=multiple)
    assert packs * pack >= pieces
    assert packs >= minimum
    assert packs % multiple == 0


def test_margin_names_the_lines_without_cost() -> None:
    # 2 x 100 - 2 x 80 = 40 on 200, 20 %; line 2 has no cost and stays out
    totals = price_quote([line("1", "100", quantity="2"), line("2", "50")], currency="EUR")
    found = margin(totals, {"1": D("80"), "2": None}, {"1": D(2), "2": D(1)})
    assert (found.amount, found.share_pct, found.lines_without_cost) == (D("40.00"), D(20), ("2",))


def test_a_discount_on_the_whole_is_split_by_tax_rate() -> None:
    lines = [line("1", "100.00", tax_rate_pct=D(19)), line("2", "33.33", tax_rate_pct=D(7)), line("3", None)]
    totals = price_quote(lines, currency="EUR", with_tax=True)
    # 33.33 x 3 % = 0.9999 -> 1.00
    assert total_discounts(totals, D(3)) == ((D(7), D("-1.00")), (D(19), D("-3.00")))


@SLOW_MACHINE
@given(lines=quotes(), percent=st.decimals(min_value="0.01", max_value="100", places=2))
def test_discount_lines_lower_the_total_by_what_they_print(lines: list[LineInput], percent: Decimal) -> None:
    before = price_quote(lines, currency="EUR", with_tax=True)
    parts = total_discounts(before, percent)
    further = [
        LineInput(number=f"d{index}", section="9", kind="discount", quantity=D(1), unit_net=amount, tax_rate_pct=rate)
        for index, (rate, amount) in enumerate(parts)
    ]
    after = price_quote([*lines, *further], currency="EUR", with_tax=True)
    assert after.net == before.net + sum((amount for _rate, amount in parts), D(0))
    assert after.net >= 0
