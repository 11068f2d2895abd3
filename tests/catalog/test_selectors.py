"""Current prices and lead times from the database: who sees what, and in how many queries."""

from datetime import date
from decimal import Decimal

import pytest
from pytest_django import DjangoAssertNumQueries

from catalog import selectors
from catalog.choices import PartKind
from catalog.models import Accelerator, ExchangeRate, Part, Server
from catalog.seed.report import SeedReport
from tests.catalog.rows import (
    TODAY,
    make_accelerator,
    make_lead_time,
    make_organisation,
    make_part,
    make_price,
    make_supplier,
)

pytestmark = pytest.mark.django_db


def amount(part: Part, **question: object) -> Decimal | None:
    return selectors.current_price(part, **{"as_of": TODAY, "currency": "USD", **question}).money.amount  # type: ignore[arg-type]


def test_prices_of_another_organisation_are_never_seen() -> None:
    ours, theirs = make_organisation("Ours"), make_organisation("Theirs")
    part = make_part()
    make_price(part, organisation=theirs, unit_price=Decimal(1000))
    make_lead_time(part, organisation=theirs)
    assert amount(part) is None
    assert amount(part, organisation=ours) is None
    assert amount(part, organisation=theirs) == Decimal(1000)
    assert not selectors.current_lead_time(part, as_of=TODAY, organisation=ours).is_known
    assert not selectors.prices(ours).exists()


def test_an_accelerator_counts_every_part_that_is_one_of_it_and_no_board_of_eight() -> None:
    accelerator = make_accelerator()
    partner = make_part("pny", accelerator=accelerator, accelerators_in_part=1, manufacturer="PNY")
    board = make_part("hgx", accelerator=accelerator, accelerators_in_part=8, kind=PartKind.BASEBOARD)
    make_price(board, unit_price=Decimal(200))
    make_price(partner, unit_price=Decimal(29000))
    answer = selectors.current_price(accelerator, as_of=TODAY, currency="USD")
    assert answer.money.amount == Decimal(29000)
    assert answer.observation is not None
    assert answer.observation.part == partner


def test_many_prices_take_two_queries_whatever_their_number(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    parts = [make_part(f"part-{number}") for number in range(30)]
    for part in parts:
        make_price(part, supplier=make_supplier(f"shop of {part.slug}"))
    for some in (parts[:1], parts):
        with django_assert_num_queries(2):
            answers = selectors.current_prices(some, as_of=TODAY, currency="USD")
        assert all(answer.money.source for answer in answers.values())


def test_many_lead_times_take_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    parts = [make_part(f"part-{number}") for number in range(10)]
    for part in parts:
        make_lead_time(part)
    with django_assert_num_queries(1):
        answers = selectors.current_lead_times(parts, as_of=TODAY)
    assert {answer.weeks_typical for answer in answers.values()} == {8.0}


def test_quantities_may_differ_by_part() -> None:
    one, many = make_part("one"), make_part("many")
    for part in (one, many):
        make_price(part, min_quantity=1, unit_price=Decimal(300))
        make_price(part, min_quantity=10, unit_price=Decimal(250))
    answers = selectors.current_prices([one, many], as_of=TODAY, currency="USD", quantity={many: 12})
    assert answers[one].money.amount == Decimal(300)
    assert answers[many].money.amount == Decimal(250)


def test_own_exchange_rate_goes_before_a_newer_public_one_and_pairs_are_inverted() -> None:
    us = make_organisation()
    ExchangeRate.objects.create(
        base_currency="EUR",
        quote_currency="USD",
        rate=Decimal("1.25"),
        as_of=date(2026, 11, 1),
        confidence="A",
        organisation=us,
    )
    ExchangeRate.objects.create(
        base_currency="EUR", quote_currency="USD", rate=Decimal("1.14"), as_of=TODAY, confidence="B"
    )
    part = make_part()
    make_price(part, currency="EUR", unit_price=Decimal(100))
    assert amount(part, organisation=us) == Decimal(125)
    assert amount(part) == Decimal(114)
    make_price(part, currency="USD", unit_price=Decimal(1), source_title="other", confidence="D")
    assert selectors.exchange_rates(to="EUR", as_of=TODAY, organisation=us)["USD", "EUR"].rate == Decimal("0.8")
    assert amount(part, currency="CHF") is None


def test_a_rate_of_tomorrow_does_not_count_today() -> None:
    ExchangeRate.objects.create(
        base_currency="EUR", quote_currency="USD", rate=Decimal("1.14"), as_of=date(2026, 12, 1), confidence="B"
    )
    assert selectors.exchange_rates(to="USD", as_of=TODAY) == {}


def test_facts_for_sizing_come_in_a_constant_number_of_queries(
    seeded: SeedReport, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(3):
        accelerators = selectors.accelerators_for_sizing()
        _ = [
            (memory.best_bytes, fit.server.slug)
            for row in accelerators
            for memory in row.device_memory.all()
            for fit in row.fits.all()
        ]
    assert [row.slug for row in accelerators] == sorted(row.slug for row in accelerators)
    with django_assert_num_queries(1):
        assert len(selectors.processors_for_sizing()) == 74
    with django_assert_num_queries(2):
        servers = selectors.servers_for_sizing()
        assert any(fit.accelerator for row in servers for fit in row.fits.all())


def test_shipped_prices_that_are_no_offers_stay_open(seeded: SeedReport) -> None:
    b200 = Accelerator.objects.get(slug="nvidia-b200-hgx-180gb")
    answer = selectors.current_price(b200, as_of=TODAY, currency="USD")
    assert answer.money.amount is None
    assert answer.rejected == {"press_estimate": 2}
    assert answer.indicative is not None


def test_shipped_price_of_the_l40s_is_a_shop_price_with_source_and_date(seeded: SeedReport) -> None:
    l40s = Accelerator.objects.get(slug="nvidia-l40s")
    answer = selectors.current_price(l40s, as_of=TODAY, currency="USD")
    assert answer.money.amount == Decimal("8095.990000")
    assert (answer.money.source, answer.money.as_of) == ("Newegg (may be a marketplace seller)", "2026-07-14")
    assert answer.is_stale


def test_lead_time_of_a_class_is_no_lead_time_of_a_part(seeded: SeedReport) -> None:
    server = Server.objects.get(slug="dell-poweredge-xe9680")
    assert not selectors.current_lead_time(server, as_of=TODAY).is_known
    assert selectors.class_lead_times("gpu_server", as_of=TODAY).exists()
