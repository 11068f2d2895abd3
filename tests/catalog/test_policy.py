"""Price policy: which margin rule holds, who may write one, and that own prices count before every other."""

from datetime import date, timedelta
from decimal import Decimal

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.imports.apply import commit_import
from catalog.margins import Margins, margins_of, with_markup
from catalog.models import ImportBatch, MarginRule, Part, PriceObservation
from catalog.policy import add_margin_rule, end_margin_rule
from catalog.selectors import current_price
from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation
from tests.catalog.imports.build import TODAY, read
from tests.catalog.rows import make_organisation, make_user
from tests.factories import make_membership

pytestmark = pytest.mark.django_db


@pytest.fixture
def organisation() -> Organisation:
    return make_organisation()


def rule(organisation: Organisation, markup: str, **fields: object) -> MarginRule:
    values = {"valid_from": date(2026, 1, 1), **fields}
    made = MarginRule(organisation=organisation, markup_pct=Decimal(markup), **values)
    return add_margin_rule(rule=made, actor=make_user(f"u{MarginRule.objects.count()}"))


def markup(margins: Margins, *, kind: str = "server", maker: str = "ACME", price_kind: str = "offer") -> Decimal | None:
    found = margins.rule_for(kind=kind, manufacturer=maker, price_kind=price_kind)
    return found.markup_pct if found else None


def test_the_most_specific_rule_holds(organisation: Organisation) -> None:
    rule(organisation, "10")
    rule(organisation, "12", kind="server")
    rule(organisation, "15", manufacturer="NVIDIA Corp.")
    rule(organisation, "18", kind="accelerator", manufacturer="NVIDIA")
    margins = margins_of(organisation, as_of=TODAY)
    assert markup(margins) == 12
    assert markup(margins, kind="nic") == 10
    assert markup(margins, kind="nic", maker="nvidia") == 15
    assert markup(margins, kind="accelerator", maker="NVIDIA") == 18


@pytest.mark.parametrize("kind", ["own", "list", "msrp", "street", "government_list", ""])
def test_nothing_is_added_to_what_is_not_paid(organisation: Organisation, kind: str) -> None:
    rule(organisation, "10")
    assert markup(margins_of(organisation, as_of=TODAY), price_kind=kind) is None


def test_a_markup_is_exact() -> None:
    assert with_markup(Decimal("28499.00"), MarginRule(markup_pct=Decimal("7.5"))) == Decimal("30636.425")


def test_a_newer_rule_ends_the_older_and_both_stay_on_file(organisation: Organisation) -> None:
    old = rule(organisation, "10")
    rule(organisation, "12", valid_from=date(2026, 6, 1))
    old.refresh_from_db()
    assert old.valid_to == date(2026, 5, 31)
    assert markup(margins_of(organisation, as_of=date(2026, 5, 31))) == 10
    assert markup(margins_of(organisation, as_of=date(2026, 6, 1))) == 12
    assert AuditEvent.objects.filter(action="add_margin_rule").count() == 2


def test_an_ended_rule_holds_no_longer_from_the_next_day(organisation: Organisation) -> None:
    ended = end_margin_rule(rule=rule(organisation, "10"), actor=make_user(), today=TODAY)
    assert markup(margins_of(organisation, as_of=TODAY)) == 10
    assert markup(margins_of(organisation, as_of=TODAY + timedelta(days=1))) is None
    assert ended.valid_to == TODAY


@pytest.mark.parametrize("wrong", ["-1", "1001"])
def test_a_markup_out_of_range_is_refused(organisation: Organisation, wrong: str) -> None:
    with pytest.raises(ValidationError, match="between 0 and 1,000"):
        rule(organisation, wrong)


def test_rules_of_another_organisation_do_not_hold(organisation: Organisation) -> None:
    rule(make_organisation("Theirs"), "50")
    assert markup(margins_of(organisation, as_of=TODAY)) is None
    assert markup(margins_of(None, as_of=TODAY)) is None


def test_an_own_price_list_is_imported_as_such_and_counts_first(organisation: Organisation) -> None:
    def commit(text: bytes, **answers: str) -> None:
        found = read(text, **answers)
        batch = ImportBatch(file_name="own.csv")
        commit_import(found, batch=batch, organisation=organisation, supplier="We", actor=None, today=TODAY)

    commit(b"MPN;Preis;Curr\nA-1;90,50;EUR\n")
    commit(b"MPN;ab 1;ab 10;Curr\nA-1;120,00;110,50;EUR\n", price_kind="own")
    assert sorted(PriceObservation.objects.values_list("kind", flat=True)) == ["offer", "own", "own"]
    part = Part.objects.get()
    one, ten = (
        current_price(part, as_of=TODAY, currency="EUR", organisation=organisation, quantity=count) for count in (1, 10)
    )
    assert (one.money.amount, ten.money.amount) == (Decimal(120), Decimal("110.50"))
    assert one.money.basis == "own"


def test_a_buyer_adds_and_ends_a_rule_on_the_page(client: Client) -> None:
    member = make_membership(role=Role.BUYER)
    client.force_login(member.user)
    address = reverse("catalog:prices")
    body = {"markup_pct": "12.5", "kind": "accelerator", "valid_from": timezone.localdate().isoformat()}
    assert client.post(address, body).status_code == 302
    page = client.get(address).content.decode()
    assert "12.500" in page or "12.5" in page
    made = MarginRule.objects.get()
    assert (made.organisation, made.created_by) == (member.organisation, member.user)
    assert client.post(reverse("catalog:end_rule", args=[made.public_id])).status_code == 302
    made.refresh_from_db()
    assert made.valid_to == timezone.now().date()
    assert client.post(address, body | {"markup_pct": "-3"}).status_code == 422


def test_a_viewer_reads_and_may_not_write(client: Client) -> None:
    client.force_login(make_membership(role=Role.VIEWER).user)
    assert client.get(reverse("catalog:prices")).status_code == 200
    assert client.post(reverse("catalog:prices"), {"markup_pct": "1"}).status_code == 403
    assert not MarginRule.objects.exists()
