"""Shipping costs: stated in words or charged by a line, else open where a German document names them."""

from decimal import Decimal

import pytest

from config.accounts.models import User
from quotes.content import content_of
from quotes.document import document_of
from quotes.models import Quote
from quotes.open_items import open_items_of
from quotes.services import add_line, edit_quote
from tests.quotes.test_life import current


@pytest.fixture
def german(quote: Quote, planner: User) -> Quote:
    change(quote, planner, region="de", language="de")
    return quote


def change(quote: Quote, user: User, **changes: str) -> None:
    edit_quote(quote=quote, changes=changes, user=user, version=current(quote).version)


def stated(quote: Quote) -> dict[str, str]:
    return {fact.label: fact.value for fact in document_of(current(quote), language="de").terms}


def asks(quote: Quote) -> list[bool]:
    return [item.stops_lock for item in open_items_of(current(quote)) if item.rule == "shipping"]


def test_a_german_document_shows_open_shipping_costs_and_asks_for_them(german: Quote, planner: User) -> None:
    assert stated(german)["Versandkosten"] == "offen"
    assert asks(german) == [False]
    change(german, planner, shipping="frei Bordsteinkante, im Preis enthalten")
    assert stated(german)["Versandkosten"] == "frei Bordsteinkante, im Preis enthalten"
    assert asks(german) == []


def test_a_line_that_charges_freight_is_named_and_counts(german: Quote, planner: User) -> None:
    before = current(german).total_net
    fields = {
        "section": "3",
        "kind": "service",
        "category": "freight",
        "description": "Versand",
        "quantity": Decimal(1),
    }
    line = add_line(revision=current(german), fields={**fields, "unit_net": Decimal("250.00")}, user=planner)
    assert stated(german)["Versandkosten"] == f"in Pos. {line.number} berechnet"
    assert current(german).total_net - before == Decimal("250.00")
    assert asks(german) == []


def test_a_document_of_another_region_names_them_only_where_they_are_stated(quote: Quote, planner: User) -> None:
    assert "Versandkosten" not in stated(quote)
    assert "shipping" not in content_of(current(quote))["terms"]
    assert asks(quote) == []
    change(quote, planner, shipping="included, FOB destination")
    assert stated(quote)["Versandkosten"] == "included, FOB destination"
