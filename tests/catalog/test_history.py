"""Plots of a part: what was said when and by whom, in one currency, in steps; outliers and lone statements stay out."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client

from catalog.history import plots
from catalog.models import LeadTimeObservation, PriceObservation
from tests.catalog.rows import TODAY, make_lead_time, make_part, make_price, make_supplier

pytestmark = pytest.mark.django_db


def drawn() -> dict[str, dict[str, object]]:
    prices = list(PriceObservation.objects.select_related("supplier"))
    leads = list(LeadTimeObservation.objects.select_related("supplier"))
    return {plot.name: plot.figure for plot in plots(prices, leads, currency="USD")}


def test_each_source_is_a_line_in_the_order_of_its_days() -> None:
    part, shop = make_part(), make_supplier("Shop")
    for days, amount in ((0, 100), (30, 120), (60, 110)):
        make_price(part, supplier=shop, unit_price=Decimal(amount), observed_on=TODAY - timedelta(days=days))
    make_price(part, supplier=make_supplier("Other"), unit_price=Decimal(90))
    first, second = drawn()["prices"]["data"]  # type: ignore[misc]
    assert first["x"] == [(TODAY - timedelta(days=days)).isoformat() for days in (60, 30, 0)]  # type: ignore[index]
    assert first["y"] == [110.0, 120.0, 100.0]  # type: ignore[index]
    assert second["y"] == [90.0]  # type: ignore[index]


def test_outliers_tiers_and_other_currencies_stay_in_the_table() -> None:
    part = make_part()
    make_price(part)
    for other in ({"is_outlier": True}, {"min_quantity": 10}, {"currency": "EUR"}):
        make_price(part, observed_on=TODAY - timedelta(days=9), **other)
    assert drawn() == {}


def test_prices_in_another_currency_are_drawn_where_the_one_asked_for_shows_nothing() -> None:
    first, second = make_part("one"), make_part("two", mpn="TWO-2")
    shop = make_supplier("Shop")
    make_price(first, supplier=shop)
    for days in (0, 30):
        make_price(second, supplier=shop, currency="EUR", observed_on=TODAY - timedelta(days=days))
    make_price(first, supplier=shop, currency="EUR", unit_price=Decimal(7))
    (plot,) = plots(list(PriceObservation.objects.select_related("supplier", "part")), [], currency="USD")
    assert "EUR" in plot.y_title
    assert sorted(len(line["y"]) for line in plot.figure["data"]) == [1, 2]  # a line for each part


def test_stock_is_zero_weeks_and_unknown_is_no_point() -> None:
    part = make_part()
    make_lead_time(part, state="in_stock", weeks_low=None, weeks_typical=None, weeks_high=None)
    make_lead_time(part, weeks_typical=Decimal(8), observed_on=TODAY - timedelta(days=20))
    make_lead_time(
        part,
        state="unknown",
        weeks_low=None,
        weeks_typical=None,
        weeks_high=None,
        observed_on=TODAY - timedelta(days=40),
    )
    values = [value for line in drawn()["lead-times"]["data"] for value in line["y"]]  # type: ignore[attr-defined]
    assert values == [8.0, 0.0]


def test_the_page_of_a_part_draws_them_and_a_page_without_history_loads_no_script(client: Client) -> None:
    part, bare = make_part(), make_part("bare")
    for days in (0, 30):
        make_price(part, observed_on=TODAY - timedelta(days=days))
    page = client.get(part.get_absolute_url()).content.decode()
    assert 'data-figure="figure-prices"' in page
    assert "plotly" in page
    assert "plotly" not in client.get(bare.get_absolute_url()).content.decode()
