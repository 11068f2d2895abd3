"""Exchange rates of a quote: taken once, frozen with source and date, printed."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import timezone

from catalog.models import ExchangeRate
from config.accounts.models import Organisation, User
from quotes.content import content_of
from quotes.document import document_of
from quotes.exchange import kind_of, rates_used
from quotes.models import Quote
from quotes.services import create_quote
from sizing.models import SizingOption
from tests.quotes.conftest import make_option
from tests.quotes.test_life import current

CONVERTED = "list USD at 0.917431192660550458 (European Central Bank, 2026-11-30)"


def test_the_bill_names_the_rate_of_a_converted_price() -> None:
    bill = [
        {"unit_price": {"currency": "EUR", "basis": CONVERTED}},
        {"unit_price": {"currency": "EUR", "basis": "list"}},
    ]
    assert rates_used(bill, currency="EUR", known={"CHF": {"rate": "1"}}) == {
        "USD": {"rate": "0.917431192660550458", "source": "European Central Bank", "date": "2026-11-30"}
    }
    assert kind_of(CONVERTED) == "list"
    assert kind_of("street at a shop (with words)") == "street at a shop (with words)"


@pytest.fixture
def foreign(organisation: Organisation, planner: User) -> Quote:
    """A quote in dollars with one price in euros and one that the bill converted from francs."""
    today = timezone.localdate()
    ExchangeRate.objects.create(
        base_currency="EUR", quote_currency="USD", rate=Decimal("1.09"), as_of=today, source_title="ECB", confidence="A"
    )
    option = make_option(organisation)
    option.data["bom"][2]["unit_price"] |= {"amount": "100.00", "currency": "EUR"}
    option.data["bom"][3]["unit_price"] |= {"basis": f"list CHF at 1.25 (SNB, {today})"}
    SizingOption.objects.filter(pk=option.pk).update(data=option.data)
    return create_quote(option=option, user=planner, organisation=organisation)


def test_a_foreign_price_is_converted_with_the_rate_of_the_day(foreign: Quote) -> None:
    today = timezone.localdate().isoformat()
    assert current(foreign).lines.get(number="1.3").unit_net == Decimal("109.00")
    assert content_of(current(foreign))["exchange_rates"] == {
        "EUR": {"rate": "1.09000000", "source": "ECB", "date": today},
        "CHF": {"rate": "1.25", "source": "SNB", "date": today},
    }


def test_a_later_rate_changes_no_quote_and_the_frozen_one_is_shown(
    foreign: Quote, planner: User, signed_in: Callable[[User], Client]
) -> None:
    ExchangeRate.objects.update(rate=Decimal("2"))
    document = document_of(current(foreign), language="de")
    assert any("1 EUR = 1,09" in cell and "ECB" in cell for row in document.sources for cell in row.cells)
    page = signed_in(planner).get(foreign.get_absolute_url()).content.decode()
    assert "1 EUR = 1.09" in page
    assert "SNB" in page
