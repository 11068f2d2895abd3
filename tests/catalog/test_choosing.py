"""Which price and which lead time counts, on rows that no database holds."""

from datetime import date, timedelta
from decimal import Decimal

import pytest

from catalog.choices import Condition, PriceKind, StockState, TaxBasis
from catalog.choosing import PriceAnswer, PriceQuestion, choose_lead_time, choose_price
from catalog.models import ExchangeRate, PriceObservation
from tests.catalog.rows import TODAY, lead_time, price

YESTERDAY = TODAY - timedelta(days=1)
TOMORROW = TODAY + timedelta(days=1)


def chosen(*observations: PriceObservation, quantity: int = 1, currency: str = "USD", **rates: str) -> PriceAnswer:
    table = {
        tuple(pair.split("_")): ExchangeRate(
            base_currency=pair[:3], quote_currency=pair[4:], rate=Decimal(rate), as_of=TODAY
        )
        for pair, rate in rates.items()
    }
    question = PriceQuestion(quantity=quantity, as_of=TODAY, currency=currency)
    return choose_price(observations, question, rates=table)


def test_no_observation_is_unknown_and_says_so() -> None:
    answer = chosen()
    assert answer.money.amount is None
    assert [message.code for message in answer.why] == ["price_none"]


def test_the_cheapest_fresh_offer_of_a_kind_wins() -> None:
    answer = chosen(price(source_title="a", unit_price=31000), price(source_title="b", unit_price=29000))
    assert answer.money.amount == Decimal(29000)
    assert answer.money.source == "b"
    assert answer.money.as_of == "2026-11-30"


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"valid_to": YESTERDAY, "observed_on": date(2026, 10, 1)}, "expired"),
        ({"observed_on": TOMORROW}, "not_yet_valid"),
        ({"is_outlier": True}, "outlier"),
        ({"confidence": "D"}, "weak_source"),
        ({"kind": PriceKind.ESTIMATE_PRESS}, "press_estimate"),
        ({"min_quantity": 8}, "quantity_not_reached"),
        ({"minimum_order": 4}, "quantity_not_reached"),
        ({"pack_size": 2}, "quantity_not_reached"),
        ({"tax_basis": TaxBasis.INCL_VAT}, "tax_inside"),
        ({"condition": Condition.USED}, "not_new"),
        ({"currency": "EUR"}, "no_exchange_rate"),
        ({"end_customer": "City of Kassel"}, "other_end_customer"),
    ],
)
def test_an_offer_that_may_not_win_loses_even_alone_and_even_if_cheapest(fields: dict[str, object], code: str) -> None:
    cheap = price(source_title="cheap", **{"unit_price": Decimal(20000), **fields})
    alone = chosen(cheap)
    assert alone.money.amount is None
    assert alone.rejected == {code: 1}
    assert [message.code for message in alone.why] == [f"price_{code}"]
    beside = chosen(cheap, price(source_title="sound"))
    assert beside.money.amount == Decimal(30000)


def test_an_expired_offer_counted_on_the_day_it_was_valid() -> None:
    offer = price(observed_on=date(2026, 9, 1), valid_to=date(2026, 9, 30))
    question = PriceQuestion(quantity=1, as_of=date(2026, 9, 15), currency="USD")
    assert choose_price([offer], question).money.amount == Decimal(30000)


def test_agreed_prices_beat_cheaper_shop_prices_and_shops_beat_lists() -> None:
    agreed = price(kind=PriceKind.CONTRACT, unit_price=Decimal(33000))
    shop = price(kind=PriceKind.STREET, unit_price=Decimal(30000))
    listed = price(kind=PriceKind.LIST, unit_price=Decimal(25000))
    assert chosen(agreed, shop, listed).observation is agreed
    assert chosen(shop, listed).observation is shop


def test_a_fresh_offer_beats_a_cheaper_stale_one() -> None:
    stale = price(source_title="old", unit_price=Decimal(20000), observed_on=TODAY - timedelta(days=31))
    fresh = price(source_title="new")
    assert chosen(stale, fresh).observation is fresh
    alone = chosen(stale)
    assert alone.is_stale
    assert [message.code for message in alone.why] == ["price_chosen", "price_stale"]


def test_of_two_stale_offers_the_newer_counts_though_it_is_dearer() -> None:
    older = price(source_title="older", unit_price=Decimal(28000), observed_on=TODAY - timedelta(days=139))
    newer = price(source_title="newer", unit_price=Decimal(33000), observed_on=TODAY - timedelta(days=65))
    assert chosen(older, newer).observation is newer


def test_the_newest_observation_of_a_source_replaces_its_older_one() -> None:
    before = price(source_title="shop", unit_price=Decimal(20000), observed_on=YESTERDAY)
    now = price(source_title="shop", unit_price=Decimal(30000))
    assert chosen(before, now).observation is now


def test_the_highest_tier_that_the_quantity_reaches_counts() -> None:
    tiers = [
        price(source_title="shop", min_quantity=quantity, unit_price=Decimal(amount))
        for quantity, amount in ((1, 30000), (8, 28000), (64, 26000))
    ]
    assert chosen(*tiers, quantity=7).money.amount == Decimal(30000)
    assert chosen(*tiers, quantity=8).money.amount == Decimal(28000)
    assert chosen(*tiers, quantity=64).money.amount == Decimal(26000)


def test_a_pack_is_never_priced_as_a_piece() -> None:
    answer = chosen(price(pack_size=4), quantity=6)
    assert answer.order_quantity == 8
    assert "price_rounded_to_pack" in [message.code for message in answer.why]


def test_of_a_range_the_upper_end_counts_and_stays_visible() -> None:
    answer = chosen(price(unit_price=Decimal(25000), price_high=Decimal(35000)))
    assert (answer.money.low, answer.money.amount, answer.money.high) == (
        Decimal(25000),
        Decimal(35000),
        Decimal(35000),
    )


def test_a_price_far_off_four_or_more_others_is_not_believed() -> None:
    sound = [price(source_title=f"shop {n}", unit_price=Decimal(30000 + n)) for n in range(3)]
    slip = price(source_title="slip", unit_price=Decimal(300))
    answer = chosen(*sound, slip)
    assert answer.money.amount == Decimal(30000)
    assert answer.rejected == {"outlier": 1}


def test_an_offer_in_the_currency_asked_for_goes_before_a_cheaper_converted_one() -> None:
    dollars, euros = price(source_title="us"), price(source_title="eu", currency="EUR", unit_price=Decimal(20000))
    assert chosen(dollars, euros, EUR_USD="1.14").observation is dollars
    assert chosen(dollars, euros, currency="EUR", USD_EUR="0.5").observation is euros


def test_conversion_names_rate_and_date() -> None:
    answer = chosen(price(currency="EUR", unit_price=Decimal(20000)), EUR_USD="1.14")
    assert answer.money.amount == Decimal("22800.00")
    assert answer.money.currency == "USD"
    converted = next(message for message in answer.why if message.code == "price_converted")
    assert converted.params == {"currency": "EUR", "rate": "1.14", "as_of": "2026-11-30"}


def test_a_press_estimate_is_indicative_beside_an_unknown_price() -> None:
    answer = chosen(price(kind=PriceKind.ESTIMATE_PRESS, unit_price=Decimal(40000)))
    assert answer.money.amount is None
    assert answer.indicative is not None
    assert answer.indicative.amount == Decimal(40000)


def test_order_of_the_input_does_not_change_the_choice() -> None:
    offers = [price(source_title=name, unit_price=Decimal(30000)) for name in "abc"]
    for number, offer in enumerate(offers):
        offer.pk = number + 1
    assert chosen(*offers).observation is chosen(*reversed(offers)).observation is offers[0]


def test_newest_lead_time_counts() -> None:
    older = lead_time(observed_on=YESTERDAY, weeks_typical=Decimal(7))
    answer = choose_lead_time([older, lead_time()], quantity=1, as_of=TODAY)
    assert (answer.weeks_low, answer.weeks_typical, answer.weeks_high) == (6.0, 8.0, 10.0)
    assert len(answer.observations) == 2


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"confidence": "D"}, "weak_source"),
        ({"is_outlier": True}, "outlier"),
        ({"valid_to": YESTERDAY, "observed_on": YESTERDAY}, "expired"),
        ({"state": StockState.DISCONTINUED}, "discontinued"),
        ({"state": StockState.IN_STOCK, "stock_count": 3}, "stock_too_small"),
        ({"weeks_low": None, "weeks_typical": None, "weeks_high": None}, "no_figure"),
        ({"promised_on": YESTERDAY}, "promise_passed"),
    ],
)
def test_a_lead_time_that_may_not_count_leaves_it_unknown(fields: dict[str, object], code: str) -> None:
    answer = choose_lead_time([lead_time(**fields)], quantity=4, as_of=TODAY)
    assert not answer.is_known
    assert answer.state == StockState.UNKNOWN
    assert answer.rejected == {code: 1}


def test_stock_that_covers_the_quantity_is_zero_weeks() -> None:
    stock = lead_time(state=StockState.IN_STOCK, stock_count=4, weeks_low=None, weeks_typical=None, weeks_high=None)
    answer = choose_lead_time([stock], quantity=4, as_of=TODAY)
    assert answer.weeks_high == 0.0


def test_a_promised_date_counts_from_the_day_asked() -> None:
    promise = lead_time(promised_on=TODAY + timedelta(days=21))
    assert choose_lead_time([promise], quantity=1, as_of=TODAY).weeks_typical == 3.0
