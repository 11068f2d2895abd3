"""Cost of owning against renting and an API: sums written out, unknown never cheap."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.bom import BomLine, BomResult, NodeLayout, PartClass
from quotes.cost import (
    CostTerms,
    Load,
    in_words,
    own_cost,
    sensitivity,
)
from quotes.costing.own import interpolate, power_share
from quotes.messages_bom import WORDS
from sizing.core.values import Basis, Estimate, Message, Money, State, Verdict
from tests.quotes.bom_world import rules

UNKNOWN = Verdict(state=State.UNKNOWN, margin=None, message=Message("test", {}))


def watts(value: float | None) -> Estimate:
    if value is None:
        return Estimate.unknown("W")
    return Estimate(value=value, low=value * 0.9, high=value * 1.1, unit="W", basis=Basis.FORMULA)


def bill(*prices: str | None, idle_w: float | None = 400, loaded_w: float | None = 1000, **changes) -> BomResult:
    """A bill of one piece each at these prices; None is an open price."""
    lines = tuple(
        BomLine(
            line=f"1.{number}",
            kind="base",
            part_class=PartClass.SYSTEM,
            manufacturer="",
            mpn="",
            part=f"part-{number}",
            name=f"Part {number}",
            description=Message("bom_part_system", {"name": "x"}),
            quantity=1,
            reason=Message("bom_reason_chassis", {}),
            unit_price=None if amount is None else Money(amount=Decimal(amount), currency="USD"),
        )
        for number, amount in enumerate(prices, start=1)
    )
    values = {
        "chassis": "test",
        "chassis_name": "Test",
        "servers": 1,
        "layout": NodeLayout(
            servers=1, accelerators_per_node=1, replicas_per_node=1, spans_nodes=False, accelerators_bought=1
        ),
        "lines": lines,
        "problems": (),
        "warnings": (),
        "power_typical_w": watts(loaded_w),
        "power_max_w": watts(loaded_w),
        "power_idle_w": watts(idle_w),
        "heat_btu_per_h": Estimate.unknown("BTU/h"),
        "rack_units": 2.0,
        "weight_kg": None,
        "power": UNKNOWN,
        "rack": UNKNOWN,
        "cooling": UNKNOWN,
    }
    return BomResult(**(values | changes))


TERMS = CostTerms(
    currency="USD",
    as_of="2026-11-30",
    write_off_years=5,
    electricity_price_per_kwh=Decimal("0.20"),
    pue=1.5,
)
# 2 requests/s at full load = 172,800 a day; 86,400 a day = half
LOAD = Load(requests_per_day=86_400, capacity_requests_per_s=2.0, input_tokens=800, output_tokens=200)


def test_a_year_of_owning_by_hand() -> None:
    own = own_cost(bill("40000", "10000"), LOAD, TERMS, rules())
    # Half load: 0.70 of the way from 400 to 1,000 W = 820 W; x 8,760 h x PUE 1.5 = 10,774.8 kWh; x 0.20 = 2,154.96
    assert own.energy_kwh_per_year.value == pytest.approx(10_774.8)
    assert own.energy_per_year.amount == Decimal("2154.960")
    # 50,000 / 5 + 2,154.96 = 12,154.96
    assert own.per_year.amount == Decimal("12154.960")
    # / 365 / 86,400 requests
    assert own.per_request.amount == pytest.approx(Decimal("12154.96") / 365 / 86_400)
    # 1,000 tokens a request: a million tokens = 1,000 requests
    assert own.per_million_tokens.amount == pytest.approx(own.per_request.amount * 1000)
    assert own.complete
    assert own.per_year_complete


def test_full_load_is_cheaper_for_each_token() -> None:
    own = own_cost(bill("50000"), LOAD, TERMS, rules())
    assert own.per_million_tokens_full_load.amount * 2 == pytest.approx(own.per_million_tokens.amount)


def test_residual_value_lowers_the_write_off() -> None:
    own = own_cost(bill("50000"), LOAD, replace(TERMS, residual_share=0.1), rules())
    # 45,000 / 5 + 2,154.96
    assert own.per_year.amount == Decimal("11154.960")


def test_space_and_staff_count_where_stated() -> None:
    terms = replace(TERMS, space_per_rack_unit_year=Decimal(300), staff_per_year=Decimal(5000))
    own = own_cost(bill("50000"), LOAD, terms, rules())
    assert own.per_year.amount == Decimal("12154.960") + 2 * 300 + 5000


def test_an_open_price_is_at_least_and_never_zero() -> None:
    full, open_ = (own_cost(bill(*prices), LOAD, TERMS, rules()) for prices in (("40000", "10000"), ("40000", None)))
    assert (open_.purchase.amount, open_.purchase.basis) == (Decimal(40_000), "at_least")
    assert (full.purchase.amount, full.purchase.basis) == (Decimal(50_000), "sum")
    assert (open_.complete, open_.open_lines) == (False, 1)
    assert any(message.code == "cost_open_line" for message in open_.missing)


def test_a_bill_without_any_price_costs_an_unknown_amount_and_not_its_electricity() -> None:
    own = own_cost(bill(None, None), LOAD, TERMS, rules())
    assert (own.purchase.amount, own.per_year.amount, own.per_request.amount) == (None, None, None)
    assert own.running_per_year.amount == Decimal("2154.960")


def test_a_bill_without_lines_is_not_complete() -> None:
    assert not own_cost(bill(), LOAD, TERMS, rules()).complete


@pytest.mark.parametrize(
    ("terms", "code"),
    [
        (replace(TERMS, electricity_price_per_kwh=None), "cost_electricity_unknown"),
        (replace(TERMS, pue=None), "cost_pue_unknown"),
    ],
)
def test_running_cost_without_tariff_or_pue_is_incomplete(terms: CostTerms, code: str) -> None:
    own = own_cost(bill("50000"), LOAD, terms, rules())
    assert not own.per_year_complete
    assert own.per_year.basis == "at_least"
    assert code in {message.code for message in own.missing}


def test_unknown_power_is_unknown_energy() -> None:
    own = own_cost(bill("50000", idle_w=None, loaded_w=None), LOAD, TERMS, rules())
    assert own.energy_kwh_per_year.value is None
    assert own.energy_per_year.amount is None
    assert not own.running_complete


def test_unknown_load_has_no_cost_per_request() -> None:
    own = own_cost(bill("50000"), replace(LOAD, requests_per_day=None), TERMS, rules())
    assert own.per_request.amount is None
    assert own.per_million_tokens.amount is None


def test_options_and_included_parts_cost_nothing() -> None:
    base = bill("50000", "7000")
    lines = (base.lines[0], replace(base.lines[1], kind="option"))
    assert own_cost(replace(base, lines=lines), LOAD, TERMS, rules()).purchase.amount == Decimal(50_000)


def test_indicative_prices_stay_apart() -> None:
    base = bill("50000", None)
    weak = replace(base.lines[1], indicative_price=Money(amount=Decimal(9000), currency="USD"))
    own = own_cost(replace(base, lines=(base.lines[0], weak)), LOAD, TERMS, rules())
    assert (own.purchase.amount, own.indicative.amount) == (Decimal(50_000), Decimal(59_000))
    assert not own.complete


@given(st.lists(st.sampled_from(["100", "2500", "40000", None]), min_size=1, max_size=8), st.data())
def test_losing_a_price_keeps_the_sum_a_lower_bound(prices: list[str | None], data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(prices) - 1))
    fewer = [None if i == position else amount for i, amount in enumerate(prices)]
    before, after = (own_cost(bill(*item), LOAD, TERMS, rules()) for item in (prices, fewer))
    assert (after.purchase.amount or 0) <= (before.purchase.amount or 0)
    assert after.open_lines >= before.open_lines
    assert not after.complete


@given(st.floats(0, 1), st.floats(0, 1))
def test_power_rises_with_utilisation(a: float, b: float) -> None:
    low, high = sorted((a, b))
    assert 0 <= power_share(low, rules()) <= power_share(high, rules()) <= 1


def test_broken_line_is_flat_outside_and_linear_between() -> None:
    xs, ys = (0.0, 1.0, 2.0), (10.0, 20.0, 40.0)
    assert [interpolate(x, xs, ys) for x in (-1, 0.5, 1.5, 5)] == [10, 15, 30, 40]


def test_sensitivity_rows_bracket_the_yearly_cost_widest_first() -> None:
    base = bill("50000")
    priced = replace(
        base.lines[0],
        unit_price=Money(amount=Decimal(50_000), currency="USD", low=Decimal(45_000), high=Decimal(60_000)),
    )
    rows = sensitivity(replace(base, lines=(priced,)), LOAD, TERMS, rules())
    widths = [row.width for row in rows]
    assert widths == sorted(widths, reverse=True)
    codes = {row.input.code: row for row in rows}
    # 45,000 and 60,000 over 5 years
    assert codes["cost_input_prices"].high_per_year - codes["cost_input_prices"].low_per_year == Decimal(3_000)
    # 2,154.96 x 0.75 and x 1.25
    assert codes["cost_input_electricity"].width == pytest.approx(Decimal("1077.48"))
    assert set(codes) == {
        "cost_input_prices",
        "cost_input_write_off",
        "cost_input_electricity",
        "cost_input_pue",
        "cost_input_load",
    }


def test_unknown_inputs_do_not_appear_in_the_sensitivity() -> None:
    terms = replace(TERMS, electricity_price_per_kwh=None, pue=None)
    codes = {row.input.code for row in sensitivity(bill("50000"), LOAD, terms, rules())}
    assert "cost_input_electricity" not in codes
    assert "cost_input_pue" not in codes


def test_the_table_in_words_has_words_for_every_cell() -> None:
    assert [message.code for row in in_words() for message in row if message.code not in WORDS] == []
