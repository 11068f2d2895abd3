"""Renting and buying tokens beside owning: break-even, advice, limits; sums written out."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from quotes.bom import BomResult, ExchangeRate
from quotes.cost import ApiRate, CostTerms, Load, Policy, RentalRate, compare, model_key, own_cost
from quotes.delivery import DeliveryTerms, plan_delivery
from tests.quotes.bom_world import api_rates, configured, rental_rates, rules
from tests.quotes.test_cost import LOAD, TERMS, bill

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
