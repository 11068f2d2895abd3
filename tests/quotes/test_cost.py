"""Cost of owning against renting and an API: sums written out, unknown never cheap."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quotes.bom import BomLine, BomResult, ExchangeRate, NodeLayout, PartClass
from quotes.cost import (
    ApiRate,
    CostTerms,
    Load,
    Policy,
    RentalRate,
    compare,
    in_words,
    model_key,
    own_cost,
    sensitivity,
)
from quotes.costing.own import interpolate, power_share
from quotes.delivery import DeliveryTerms, plan_delivery
from quotes.messages_bom import WORDS
from sizing.core.values import Basis, Estimate, Message, Money, State, Verdict
from tests.quotes.bom_world import api_rates, configured, rental_rates, rules

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


RENT = RentalRate(provider="Cloud", accelerator="gpu", per_hour=Decimal("3.60"), region="eu-1", confidence="B")
API = ApiRate(
    provider="Tokens",
    model="org/Model-8B",
    per_million_input=Decimal("0.50"),
    per_million_output=Decimal("1.00"),
    region="us-1",
    confidence="B",
)


def comparison(bom: BomResult, load: Load = LOAD, terms: CostTerms = TERMS, *, rent=(RENT,), api=(API,)):
    return compare(bom, load, terms, rules(), accelerator="gpu", model="Model-8B", rental_rates=rent, api_rates=api)


def test_renting_by_hand() -> None:
    rented = comparison(bill("50000")).against[0]
    # 3.60 x 8,760 = 31,536 a year; 3.60 / 7,200 requests an hour = 0.0005 a request
    assert rented.per_year.amount == Decimal("31536.00")
    assert rented.per_request.amount == Decimal("0.0005")
    # 50,000 / ((31,536 - 2,154.96) / 12) = 20.42 months
    assert rented.break_even_months == pytest.approx(50_000 / ((31_536 - 2_154.96) / 12))
    # 12,154.96 / 365 / 0.0005 = 66,602.5 requests a day
    assert rented.break_even_requests_per_day == pytest.approx(12_154.96 / 365 / 0.0005)


def test_an_api_by_hand() -> None:
    bought = comparison(bill("50000")).against[1]
    # 800 x 0.50 + 200 x 1.00 = 600 per million = 0.0006 a request; x 86,400 x 365 = 18,921.60
    assert bought.per_request.amount == Decimal("0.0006")
    assert bought.per_year.amount == Decimal("18921.6")
    assert bought.break_even_requests_per_day == pytest.approx(12_154.96 / 365 / 0.0006)
    assert bought.break_even_months == pytest.approx(50_000 / ((18_921.6 - 2_154.96) / 12))


def test_break_even_is_where_the_costs_meet() -> None:
    result = comparison(bill("50000"))
    for item in result.against:
        at_break_even = item.per_request.amount * Decimal(str(item.break_even_requests_per_day)) * 365
        assert at_break_even == pytest.approx(result.own.per_year.amount)


def test_below_the_break_even_the_advice_is_not_to_buy() -> None:
    result = comparison(bill("50000"), replace(LOAD, requests_per_day=10_000))
    assert result.advice.code == "cost_do_not_buy_below_rent"
    assert result.advice.params["name"] == "Cloud"
    assert result.advice.params["rule_of_thumb_requests_per_day"] == 10_000


def test_a_sustained_high_load_advises_owning() -> None:
    result = comparison(bill("50000"), replace(LOAD, requests_per_day=150_000))
    assert result.advice.code == "cost_buy"


def test_an_incomplete_purchase_never_advises_owning() -> None:
    result = comparison(bill("5000", None), replace(LOAD, requests_per_day=150_000))
    assert result.advice.code == "cost_undecided_incomplete"
    assert all(item.at_least for item in result.against)


def test_hardware_that_never_earns_its_cost_is_named_as_such() -> None:
    result = comparison(bill("900000"))
    assert result.advice.code == "cost_alternative_always_cheaper"
    assert result.against[0].break_even_requests_per_day is None
    assert result.against[0].beyond_capacity


def test_renting_that_costs_less_than_running_has_no_break_even_months() -> None:
    cheap = replace(RENT, per_hour=Decimal("0.10"))
    assert comparison(bill("50000"), rent=(cheap,)).against[0].break_even_months is None


def test_an_excluded_choice_is_shown_but_never_advised() -> None:
    terms = replace(TERMS, policy=Policy(on_premises_only=True))
    result = comparison(bill("50000"), replace(LOAD, requests_per_day=100), terms)
    assert not any(item.allowed for item in result.against)
    assert result.advice.code == "cost_only_owning_allowed"


def test_an_unknown_region_never_satisfies_a_region_limit() -> None:
    terms = replace(TERMS, policy=Policy(allowed_regions=("eu-1",)))
    nowhere = replace(API, region="")
    result = comparison(bill("50000"), replace(LOAD, requests_per_day=100), terms, api=(nowhere,))
    assert {item.kind: item.allowed for item in result.against} == {"rent": True, "api": False}
    assert result.advice.code == "cost_do_not_buy_below_rent"


def test_spot_rates_are_shown_and_do_not_decide() -> None:
    spot = replace(RENT, per_hour=Decimal("0.01"), pricing_model="spot")
    result = comparison(bill("50000"), replace(LOAD, requests_per_day=100_000), rent=(RENT, spot))
    assert [item.pricing_model for item in result.against if item.kind == "rent"] == ["spot", "on_demand"]
    assert result.advice.params["name"] == "Cloud"
    assert result.advice.code == "cost_buy"


def test_firm_rates_are_shown_even_where_three_others_are_cheaper() -> None:
    loose = tuple(
        replace(RENT, per_hour=Decimal("0.01") * rank, pricing_model=model)
        for rank, model in enumerate(("spot", "marketplace", "market_range"), start=1)
    )
    result = comparison(bill("50000"), replace(LOAD, requests_per_day=10_000), rent=(RENT, *loose), api=())
    assert [item.pricing_model for item in result.against] == ["spot", "marketplace", "on_demand"]
    assert result.advice.code == "cost_do_not_buy_below_rent"


def test_a_foreign_rate_is_unknown_without_an_exchange_rate() -> None:
    euro = replace(TERMS, currency="EUR")
    assert [item.per_year.amount for item in comparison(bill("50000"), terms=euro).against] == [None, None]
    assert comparison(bill("50000"), terms=euro).advice.code == "cost_no_comparison"
    rate = ExchangeRate(base="EUR", quote="USD", rate=Decimal("1.20"), source="test", as_of="2026-11-30")
    with_rate = comparison(bill("50000"), terms=replace(euro, exchange_rates=(rate,)))
    assert with_rate.against[0].per_year.amount == Decimal("26280.00")


def test_rates_of_confidence_d_are_left_out() -> None:
    weak = comparison(bill("50000"), rent=(replace(RENT, confidence="D"),), api=(replace(API, confidence="D"),))
    assert weak.against == ()
    assert weak.advice.code == "cost_no_comparison"


def test_model_names_of_providers_are_recognised() -> None:
    names = ("meta-llama/Meta-Llama-3.1-8B-Instruct", "meta-llama/llama-3.1-8b-instruct", "Llama-3.1-8B-Instruct")
    assert {model_key(name) for name in names} == {"llama-3.1-8b-instruct"}
    assert model_key("llama-3.1-70b-instruct") != model_key(names[0])


@pytest.mark.parametrize("accelerator", ["nvidia-l4", "nvidia-l40s"])
def test_ten_thousand_requests_a_day_on_a_small_model_advise_an_api_or_renting(accelerator: str) -> None:
    bom = configured(accelerator, 1, 1, model_bytes=16e9)
    result = compare(
        bom,
        Load(requests_per_day=10_000, capacity_requests_per_s=4.0, input_tokens=800, output_tokens=200),
        TERMS,
        rules(),
        accelerator=accelerator,
        model="meta-llama/Llama-3.1-8B-Instruct",
        rental_rates=rental_rates(),
        api_rates=api_rates(),
    )
    assert result.advice.code in {"cost_do_not_buy_below_api", "cost_alternative_always_cheaper"}
    assert {item.kind for item in result.against} == {"rent", "api"}


def test_a_70b_chat_for_200_users_gives_three_options_that_reconcile_by_hand() -> None:
    # 200 users, one request a minute in a day of 8 hours: 96,000 requests a day of 1,000 + 250 tokens.
    load = Load(requests_per_day=96_000, capacity_requests_per_s=4.0, input_tokens=1000, output_tokens=250)
    plans = (("nvidia-l40s", 4, 2), ("nvidia-h100-nvl-94gb", 2, 2), ("nvidia-h200-sxm5-141gb", 2, 4))
    delivery = DeliveryTerms(order_date=date(2026, 11, 30), integration_weeks=1, shipping_weeks=1)
    rows = {}
    for accelerator, per_replica, replicas in plans:
        bom = configured(accelerator, per_replica, replicas, model_bytes=71e9)
        own = own_cost(bom, load, TERMS, rules())
        rows[accelerator] = (bom, own, plan_delivery(bom.lines, delivery))
    for bom, own, plan in rows.values():
        by_hand = sum(
            (
                line.unit_price.amount * line.quantity
                for line in bom.lines
                if line.kind != "option" and not line.included and line.unit_price is not None
            ),
            Decimal(0),
        )
        assert own.purchase.amount == by_hand
        # 96,000 of 345,600 a day = 27.8 %: 0.45 + (0.70 - 0.45) x (0.2778 - 0.25) / 0.25 = 0.4778 of the way
        idle, loaded = bom.power_idle_w.value, bom.power_typical_w.value
        kwh = (idle + (loaded - idle) * (0.45 + 0.25 * (96_000 / 345_600 - 0.25) / 0.25)) * 8.76 * 1.5
        assert own.energy_kwh_per_year.value == pytest.approx(kwh)
        year = float(by_hand) / 5 + kwh * 0.20
        assert float(own.per_year.amount) == pytest.approx(year)
        assert float(own.per_million_tokens.amount) == pytest.approx(year / 365 / 96_000 / 1250 * 1e6)
        longest = max(line.lead.typical for line in bom.lines if line.lead and line.kind == "base")
        assert plan.weeks_p50 == pytest.approx(longest + 2)
    l40s, nvl = rows["nvidia-l40s"], rows["nvidia-h100-nvl-94gb"]
    # Four H100 NVL at 32,200 against eight L40S at 8,095.99: the cards alone differ by 64,032.08
    cards = [sum(x.unit_price.amount * x.quantity for x in r[0].lines if x.part_class == "gpu") for r in (nvl, l40s)]
    assert cards[0] - cards[1] == Decimal("128800") - Decimal("64767.92")
    # The reseller states 2 weeks for H100 NVL; data-centre cards at large 36 to 52.
    assert l40s[2].weeks_p50 > nvl[2].weeks_p50


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
