"""An open draft against the prices of today: what is offered, what is taken, what stays."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import Part, PriceObservation
from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from quotes.errors import NotAllowed, StaleEdit, WrongState
from quotes.models import Quote, QuoteLine
from quotes.price_check import price_changes, take_prices
from quotes.services import edit_line
from quotes.transitions import submit
from tests.quotes.conftest import make_user
from tests.quotes.test_life import current


def seen(line: QuoteLine, amount: str, **fields: object) -> PriceObservation:
    """A price in the catalogue for the part of a line, seen today."""
    part, _made = Part.objects.get_or_create(
        manufacturer=line.manufacturer, mpn=line.mpn, defaults={"slug": f"p-{line.pk}"}
    )
    today = timezone.localdate()
    values = {"unit_price": Decimal(amount), "currency": "USD", "kind": "street", "observed_on": today, **fields}
    return PriceObservation.objects.create(part=part, valid_from=values["observed_on"], **values)


def line_of(quote: Quote, number: str) -> QuoteLine:
    return current(quote).lines.get(number=number)


def offered(quote: Quote) -> dict[str, Decimal]:
    return {c.line.number: c.new_price for c in price_changes(current(quote), today=timezone.localdate())}


def test_a_newer_price_is_offered_and_taken_with_the_discount_of_the_line(quote: Quote, planner: User) -> None:
    line = line_of(quote, "1.2")  # 11,240.00 less 5 %
    seen(line, "11000.00")
    assert offered(quote) == {"1.2": Decimal("11000.00")}
    before = current(quote).total_net
    taken = take_prices(quote=quote, user=planner, versions={"1.2": line.version})
    assert [change.difference for change in taken] == [Decimal("-240.00")]
    line = line_of(quote, "1.2")
    assert (line.list_price, line.unit_net, line.price_date) == (11000, Decimal("10450.00"), timezone.localdate())
    # two servers: 2 x (10,678.00 - 10,450.00) = 456.00 less
    assert current(quote).total_net == before - 456
    assert offered(quote) == {}
    event = AuditEvent.objects.get(action="quote.line.price")
    assert (event.actor, event.after["list_price"]) == (planner, "11000.0000")


def test_an_open_price_is_filled_from_the_catalogue(quote: Quote, planner: User) -> None:
    line = line_of(quote, "1.5")
    seen(line, "120.00")
    take_prices(quote=quote, user=planner, versions={"1.5": line.version})
    assert line_of(quote, "1.5").price_state == "firm"
    assert current(quote).open_lines == 0


def test_an_old_stale_or_foreign_price_is_not_offered(quote: Quote) -> None:
    today = timezone.localdate()
    seen(line_of(quote, "1.2"), "11000.00", observed_on=today - timedelta(days=5))
    QuoteLine.objects.filter(revision=current(quote), number="1.3").update(price_date=today - timedelta(days=90))
    seen(line_of(quote, "1.3"), "2000.00", observed_on=today - timedelta(days=60))
    seen(line_of(quote, "1.4"), "500.00", currency="EUR")
    assert offered(quote) == {}


def test_a_typed_price_is_the_sellers_own(quote: Quote, planner: User) -> None:
    line = line_of(quote, "1.3")
    edit_line(line=line, changes={"unit_net": Decimal("2000.00")}, user=planner, version=line.version)
    seen(line, "1900.00")
    assert offered(quote) == {}


def test_a_price_of_another_organisation_is_not_offered(quote: Quote) -> None:
    seen(line_of(quote, "1.2"), "9000.00", organisation=Organisation.objects.create(name="Other"))
    assert offered(quote) == {}


def test_a_line_that_changed_meanwhile_is_not_touched(quote: Quote, planner: User) -> None:
    line = line_of(quote, "1.2")
    seen(line, "11000.00")
    with pytest.raises(StaleEdit):
        take_prices(quote=quote, user=planner, versions={"1.2": line.version - 1})
    with pytest.raises(StaleEdit):
        take_prices(quote=quote, user=planner, versions={"1.2": line.version, "1.3": 1})
    assert line_of(quote, "1.2").list_price == Decimal("11240.00")


def test_only_a_draft_takes_prices_and_only_from_who_may_quote(
    quote: Quote, organisation: Organisation, planner: User
) -> None:
    line = line_of(quote, "1.2")
    seen(line, "11000.00")
    with pytest.raises(NotAllowed):
        take_prices(quote=quote, user=make_user("vera", organisation, Role.VIEWER), versions={"1.2": line.version})
    submit(quote=quote, user=planner)
    with pytest.raises(WrongState):
        take_prices(quote=quote, user=planner, versions={"1.2": line.version})


def test_the_page_offers_the_difference_and_one_click_takes_it(client: Client, quote: Quote, planner: User) -> None:
    client.force_login(planner)
    address = reverse("quotes:prices", args=[quote.public_id])
    assert f'hx-get="{address}"' in client.get(quote.get_absolute_url()).content.decode()
    assert "no newer price" in client.get(address).content.decode()
    line = line_of(quote, "1.2")
    seen(line, "11000.00")
    part = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "The price list changed since: 1 line" in part
    assert "<html" not in part
    assert "11,000.00" in part
    page = client.post(address, {"take": f"1.2:{line.version}"}, follow=True).content.decode()
    assert "1 price taken over." in page
    german = client.get(address, headers={"Accept-Language": "de"}).content.decode()
    assert "Der Katalog hat für keine Position" in german


def test_a_stranger_finds_no_prices_and_a_viewer_may_not_take_them(
    client: Client, quote: Quote, organisation: Organisation
) -> None:
    address = reverse("quotes:prices", args=[quote.public_id])
    client.force_login(make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR))
    assert client.get(address).status_code == 404
    client.force_login(make_user("vera", organisation, Role.VIEWER))
    assert client.post(address, {"take": "1.2:1"}).status_code == 403
