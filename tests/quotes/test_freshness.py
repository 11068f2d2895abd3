"""What open quotes depend on: stale and open prices are counted, locked quotes and strangers' are not shown."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from config.accounts.choices import Role
from config.accounts.models import User
from quotes.choices import PriceState
from quotes.freshness import open_quotes
from quotes.models import Quote
from tests.factories import make_membership
from tests.quotes.test_life import current

pytestmark = pytest.mark.django_db


def test_stale_and_open_prices_come_first(quote: Quote, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    today = timezone.localdate()
    firm = current(quote).lines.filter(price_state=PriceState.FIRM)
    old = firm.first()
    assert old is not None
    firm.filter(pk=old.pk).update(price_date=today - timedelta(days=90))
    quotes = list(Quote.objects.select_related("organisation", "current_revision"))
    with django_assert_num_queries(1):
        found = open_quotes(quotes, today=today)[0]
    assert found.stale == 1
    ages = [each.age_days for each in found.dependencies]
    assert ages[: found.open] == [None] * found.open
    assert ages[found.open] == 90
    assert found.open == sum(age is None for age in ages)


def test_the_page_shows_a_quote_to_its_organisation_alone(quote: Quote, planner: User, client: Client) -> None:
    client.force_login(planner)
    assert quote.number in client.get(reverse("quotes:freshness")).content.decode()
    client.force_login(make_membership(role=Role.BUYER).user)
    page = client.get(reverse("quotes:freshness")).content.decode()
    assert quote.number not in page
    assert "No quote is open." in page
