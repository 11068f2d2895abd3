"""Margin rules in a quote: the line keeps its cost, sells with the markup, and newer prices follow the same rule."""

from datetime import date
from decimal import Decimal

import pytest
from django.utils import timezone

from catalog.margins import margins_of
from catalog.models import MarginRule
from config.accounts.models import Organisation, User
from quotes.from_option import Rates, lines_from_bom
from quotes.models import Quote
from quotes.price_check import take_prices
from tests.quotes.test_price_check import line_of, offered, seen

pytestmark = pytest.mark.django_db
ENTRY = {
    "line": "1.1", "part_class": "gpu", "manufacturer": "ACME", "mpn": "A-1", "description": "card", "quantity": 2,
    "unit_price": {"amount": "1000.01", "currency": "USD", "basis": "offer", "source": "S", "as_of": "2026-11-30"},
}  # fmt: skip


@pytest.fixture
def rule(organisation: Organisation) -> MarginRule:
    return MarginRule.objects.create(
        organisation=organisation, markup_pct=Decimal("12.5"), kind="accelerator", valid_from=date(2026, 1, 1)
    )


def test_an_offer_is_sold_with_the_markup_and_its_cost_kept(organisation: Organisation, rule: MarginRule) -> None:
    rates = Rates(currency="USD", margins=margins_of(organisation, as_of=date(2026, 11, 30)))
    line = lines_from_bom([ENTRY], rates)[0]
    assert (line.unit_cost, line.list_price, line.unit_net) == (
        Decimal("1000.01"),
        Decimal("1125.01"),
        Decimal("1125.01"),
    )


@pytest.mark.parametrize("basis", ["own", "list", "street"])
def test_other_prices_stay_as_they_are(organisation: Organisation, rule: MarginRule, basis: str) -> None:
    rates = Rates(currency="USD", margins=margins_of(organisation, as_of=date(2026, 11, 30)))
    line = lines_from_bom([ENTRY | {"unit_price": {**ENTRY["unit_price"], "basis": basis}}], rates)[0]  # type: ignore[dict-item]
    assert (line.unit_cost, line.unit_net) == (None, Decimal("1000.01"))


def test_a_newer_offer_is_taken_with_the_markup(quote: Quote, planner: User) -> None:
    MarginRule.objects.create(organisation=quote.organisation, markup_pct=Decimal(10), valid_from=date(2026, 1, 1))
    line = line_of(quote, "1.2")
    seen(line, "10000.00", kind="offer", organisation=quote.organisation)
    assert offered(quote)["1.2"] == Decimal("11000.00")
    take_prices(quote=quote, user=planner, versions={"1.2": line.version})
    line = line_of(quote, "1.2")
    assert (line.unit_cost, line.list_price) == (Decimal("10000.00"), Decimal("11000.00"))
    assert line.price_date == timezone.localdate()
    assert "1.2" not in offered(quote)
