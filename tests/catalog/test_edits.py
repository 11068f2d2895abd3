"""Pages that write: who may, what is stored, what is refused with a reason."""

from decimal import Decimal

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog import services
from catalog.models import Accelerator, ExchangeRate, LeadTimeObservation, PartAlias, PriceObservation, Supplier
from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Membership, Organisation
from tests.catalog.rows import make_accelerator, make_organisation, make_part, make_user

pytestmark = pytest.mark.django_db

PRICE = {
    "supplier_name": "Rechenwerk",
    "unit_price": "28499.00",
    "currency": "eur",
    "tax_basis": "excl_vat",
    "kind": "offer",
    "min_quantity": "1",
    "pack_size": "1",
    "minimum_order": "1",
    "observed_on": "2026-11-30",
}


@pytest.fixture
def organisation() -> Organisation:
    return make_organisation()


def signed_in(client: Client, organisation: Organisation, role: str) -> Client:
    user = make_user(role)
    Membership.objects.create(organisation=organisation, user=user, role=role)
    client.force_login(user)
    return client


def test_a_buyer_adds_a_price_and_its_supplier(client: Client, organisation: Organisation) -> None:
    part = make_part()
    response = signed_in(client, organisation, Role.BUYER).post(reverse("catalog:add_price", args=[part.slug]), PRICE)
    assert response.status_code == 302
    row = PriceObservation.objects.get()
    assert (row.organisation, row.unit_price, row.currency) == (organisation, Decimal("28499.00"), "EUR")
    assert Supplier.objects.get().organisation == organisation
    assert AuditEvent.objects.filter(action="record_price", organisation=organisation).exists()


def test_a_buyer_takes_back_what_a_suppliers_number_meant(client: Client, organisation: Organisation) -> None:
    part, other = make_part(), make_organisation("Other")
    names = [
        PartAlias.objects.create(organisation=owner, text=text, text_normalised=text.lower(), part=part)
        for owner, text in ((organisation, "S9X98C"), (other, "T-1"))
    ]
    address = reverse("catalog:forget_name", args=[part.slug])
    buyer = signed_in(client, organisation, Role.BUYER)
    page = buyer.get(reverse("catalog:part", args=[part.slug])).content.decode()
    assert address in page
    assert "T-1" not in page
    unknown = [{"name": "S9X98C", "supplier": text} for text in ("9" * 18, "9" * 30, "x")]
    told = [buyer.post(address, form).status_code for form in (*unknown, {"name": "S9X98C"})]
    told += [buyer.post(address, {"name": name}).status_code for name in ("T-1", "S9X98C")]
    assert told == [404, 404, 404, 302, 404, 404]
    assert list(PartAlias.objects.all()) == names[1:]
    assert AuditEvent.objects.get(action="forget_match").before == {"text": "S9X98C", "part": part.slug}


def test_a_viewer_takes_no_name_back(client: Client, organisation: Organisation) -> None:
    part = make_part()
    PartAlias.objects.create(organisation=organisation, text="A", text_normalised="a", part=part)
    viewer = signed_in(client, organisation, Role.VIEWER)
    assert viewer.post(reverse("catalog:forget_name", args=[part.slug]), {"name": "A"}).status_code == 403
    assert PartAlias.objects.exists()


def test_a_zero_price_is_refused_with_the_reason(client: Client, organisation: Organisation) -> None:
    part = make_part()
    url = reverse("catalog:add_price", args=[part.slug])
    response = signed_in(client, organisation, Role.BUYER).post(url, {**PRICE, "unit_price": "0"})
    assert response.status_code == 422
    assert "A price is above zero; leave an unknown price out." in response.content.decode()
    assert not PriceObservation.objects.exists()
    assert not Supplier.objects.exists()


def test_a_buyer_adds_a_lead_time(client: Client, organisation: Organisation) -> None:
    part = make_part()
    answer = {
        "supplier_name": "Rechenwerk",
        "state": "lead_time",
        "weeks_low": "6",
        "weeks_high": "8",
        "observed_on": "2026-11-30",
    }
    url = reverse("catalog:add_lead_time", args=[part.slug])
    assert signed_in(client, organisation, Role.BUYER).post(url, answer).status_code == 302
    row = LeadTimeObservation.objects.get()
    assert (row.weeks_low, row.weeks_typical, row.weeks_high) == (Decimal(6), None, Decimal(8))


def test_an_editor_corrects_a_figure_with_a_reason(client: Client, organisation: Organisation) -> None:
    row = make_accelerator()
    client = signed_in(client, organisation, Role.CATALOGUE_EDITOR)
    url = reverse("catalog:correct_accelerators", args=[row.slug])
    form = client.get(url).context["form"]
    answer = {name: value if (value := form[name].value()) is not None else "" for name in form.fields}
    response = client.post(url, {**answer, "tdp_w": "650", "reason": "capped board", "confirmed": ""})
    assert response.status_code == 302
    assert Accelerator.objects.get().tdp_w == 650
    refused = client.post(url, {**answer, "fp8_dense_tflops": "3957.8", "reason": "sheet", "confirmed": ""})
    assert refused.status_code == 422
    assert "Enter the dense rate, probably 1978.9." in refused.content.decode()
    assert Accelerator.objects.get().fp8_dense_tflops == 1978.9


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PLANNER, Role.APPROVER])
@pytest.mark.parametrize("name", ["add_price", "add_lead_time"])
def test_other_roles_may_not_write(client: Client, organisation: Organisation, role: str, name: str) -> None:
    part = make_part()
    client = signed_in(client, organisation, role)
    assert client.post(reverse(f"catalog:{name}", args=[part.slug]), PRICE).status_code == 403
    assert not PriceObservation.objects.exists()


def test_a_buyer_may_not_correct_figures(client: Client, organisation: Organisation) -> None:
    row = make_accelerator()
    url = reverse("catalog:correct_accelerators", args=[row.slug])
    assert signed_in(client, organisation, Role.BUYER).post(url, {"tdp_w": "1"}).status_code == 403


def test_a_visitor_is_asked_to_sign_in(client: Client) -> None:
    part = make_part()
    response = client.post(reverse("catalog:add_price", args=[part.slug]), PRICE)
    assert response.status_code == 302
    assert not PriceObservation.objects.exists()


def test_a_part_of_another_organisation_cannot_be_priced(client: Client, organisation: Organisation) -> None:
    make_part("secret", organisation=make_organisation("Other"))
    client = signed_in(client, organisation, Role.BUYER)
    assert client.post(reverse("catalog:add_price", args=["secret"]), PRICE).status_code == 404


RATE = {"base_currency": "EUR", "quote_currency": "USD", "rate": "1.14", "as_of": "2026-11-30", "source_title": "ECB"}


def test_a_buyer_adds_an_exchange_rate_for_the_own_organisation(client: Client, organisation: Organisation) -> None:
    client = signed_in(client, organisation, Role.BUYER)
    assert client.post(reverse("catalog:rates"), RATE).status_code == 302
    rate = ExchangeRate.objects.get()
    assert (rate.organisation, rate.rate) == (organisation, Decimal("1.14"))
    assert "1.1400" in client.get(reverse("catalog:rates")).content.decode()


def test_a_date_field_is_filled_as_browsers_take_it_in_german_too(client: Client, organisation: Organisation) -> None:
    part = make_part()
    visitor = signed_in(client, organisation, Role.BUYER)
    today = timezone.localdate().isoformat()
    for address in (reverse("catalog:rates"), reverse("catalog:add_price", args=[part.slug])):
        page = visitor.get(address, headers={"accept-language": "de"}).content.decode()
        assert f'<input type="date" name="{"as_of" if "rates" in address else "observed_on"}" value="{today}"' in page


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"rate": "0"}, "A rate is above zero."),
        ({"source_title": ""}, "required"),
        ({"base_currency": "USD"}, "between two different currencies"),
    ],
)
def test_an_exchange_rate_that_makes_no_sense_is_refused(
    client: Client, organisation: Organisation, change: dict[str, str], words: str
) -> None:
    response = signed_in(client, organisation, Role.BUYER).post(reverse("catalog:rates"), {**RATE, **change})
    assert response.status_code == 422
    assert words in response.content.decode()
    assert not ExchangeRate.objects.exists()


def test_rates_of_another_organisation_are_not_shown_and_visitors_cannot_add(client: Client) -> None:
    ExchangeRate.objects.create(
        base_currency="EUR",
        quote_currency="CHF",
        rate=Decimal("0.9317"),
        as_of="2026-11-30",
        confidence="A",
        organisation=make_organisation(),
    )
    assert "0.9317" not in client.get(reverse("catalog:rates")).content.decode()
    assert client.post(reverse("catalog:rates"), RATE).status_code == 403


def test_a_correction_stands_in_the_audit_trail_of_the_organisation(client: Client, organisation: Organisation) -> None:
    services.edit(
        row=make_accelerator(), changes={"tdp_w": 650.0}, actor=None, organisation=organisation, reason="capped"
    )
    assert AuditEvent.objects.get(action="edit").organisation == organisation
