"""The configurator's rules as records: seeded, shown, edited by those who may, and used by the next sizing."""

import pytest
from django.core.exceptions import ValidationError
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from catalog import selectors, services
from catalog.models import BomRule
from catalog.rule_words import GROUPS, UNITS, rule_groups
from catalog.seed.load import load_seed
from catalog.seed.report import SeedReport
from catalog.seed.rules import shipped_rules
from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Membership, Organisation
from sizing import hardware_inputs
from tests.catalog.rows import make_organisation, make_user

pytestmark = pytest.mark.django_db

CHANGE = {
    "value": "12",
    "kind": "value",
    "source_title": "Our own measurement",
    "source_date": "2026-11-01",
    "reason": "Measured on three servers",
}


@pytest.fixture
def organisation() -> Organisation:
    return make_organisation()


def signed_in(client: Client, organisation: Organisation, role: str) -> Client:
    user = make_user(role)
    Membership.objects.create(organisation=organisation, user=user, role=role)
    client.force_login(user)
    return client


def edit_url(slug: str) -> str:
    return reverse("catalog:edit_rule", args=[slug])


def test_every_rule_is_a_record_with_source_and_date(seeded: SeedReport) -> None:
    rows = list(BomRule.objects.all())
    assert len(rows) == len(shipped_rules())
    assert all(row.source_title and row.source_date for row in rows)
    for row in rows:
        row.full_clean()


def test_every_rule_has_words(seeded: SeedReport) -> None:
    labels = {slug for _title, group in GROUPS for slug in group}
    assert labels == set(BomRule.objects.values_list("slug", flat=True))
    assert set(UNITS) == set(BomRule.objects.values_list("unit", flat=True))
    assert sum(len(group.rules) for group in rule_groups(BomRule.objects.all())) == len(labels)


def test_an_editor_changes_a_rule_and_the_next_sizing_follows(
    seeded: SeedReport, client: Client, organisation: Organisation
) -> None:
    version = selectors.catalog_version()
    assert hardware_inputs.rules().number("dimm_power_w") == 10
    response = signed_in(client, organisation, Role.CATALOGUE_EDITOR).post(edit_url("dimm_power_w"), CHANGE)
    assert response.status_code == 302
    assert hardware_inputs.rules().number("dimm_power_w") == 12
    assert selectors.catalog_version() != version
    event = AuditEvent.objects.get(action="edit", object_kind="bomrule")
    assert event.reason == "Measured on three servers"
    assert (event.before or {})["value"] == 10
    assert (event.after or {})["value"] == 12


def test_the_seed_leaves_an_edited_rule_alone(seeded: SeedReport) -> None:
    row = BomRule.objects.get(slug="dimm_power_w")
    services.edit(row=BomRule(pk=row.pk), changes={"value": 12}, actor=None, reason="measured")
    report = load_seed()
    assert report.kept_edited["bomrule"] == 1
    assert BomRule.objects.get(slug="dimm_power_w").value == 12


@pytest.mark.parametrize("role", [Role.VIEWER, Role.PLANNER, Role.BUYER, Role.APPROVER])
def test_others_read_and_do_not_edit(seeded: SeedReport, client: Client, organisation: Organisation, role: str) -> None:
    signed_in(client, organisation, role)
    page = client.get(reverse("catalog:rules")).content.decode()
    assert "Power of a memory module" in page
    assert edit_url("dimm_power_w") not in page
    assert client.post(edit_url("dimm_power_w"), CHANGE).status_code == 403


def test_a_visitor_is_sent_to_sign_in(seeded: SeedReport, client: Client) -> None:
    assert client.get(reverse("catalog:rules")).status_code == 200
    assert client.get(edit_url("dimm_power_w")).status_code == 302


@pytest.mark.parametrize(
    ("slug", "value", "words"),
    [
        ("supply_efficiency", "95", "95 lies outside 0.5 to 1."),
        ("power_curve_share", "0\n0.3\n0.2\n0.7\n0.9\n1", "Each value must be larger than the one before it."),
        ("power_curve_load", "0\n0.5\n1", "The two power curves belong together: give 6 values."),
        ("module_sizes_gb", "16\nlarge", "Write one number a line, for example 0.25."),
        ("fleet_management_licences", "OpenManage", "Write maker=licence, not OpenManage."),
        ("dimm_power_w", "", "This field is required."),
    ],
)
def test_a_value_that_the_configurator_cannot_use_is_refused(
    seeded: SeedReport, client: Client, slug: str, value: str, words: str
) -> None:
    signed_in(client, make_organisation(), Role.ADMINISTRATOR)
    response = client.post(edit_url(slug), {**CHANGE, "value": value})
    assert response.status_code == 422
    assert words in response.content.decode()
    assert BomRule.objects.get(slug=slug).edited_at is None


def test_a_change_needs_its_reason_and_source(seeded: SeedReport, client: Client, organisation: Organisation) -> None:
    signed_in(client, organisation, Role.ADMINISTRATOR)
    response = client.post(edit_url("dimm_power_w"), {**CHANGE, "reason": "", "source_title": ""})
    assert response.status_code == 422
    assert BomRule.objects.get(slug="dimm_power_w").value == 10


def test_lists_are_edited_line_by_line(seeded: SeedReport, client: Client, organisation: Organisation) -> None:
    signed_in(client, organisation, Role.ADMINISTRATOR)
    client.post(edit_url("module_sizes_gb"), {**CHANGE, "kind": "error", "value": "16\r\n32\r\n64\r\n"})
    assert hardware_inputs.rules().numbers("module_sizes_gb") == (16.0, 32.0, 64.0)


def test_rules_take_one_query_and_shipped_ones_stand_in(
    seeded: SeedReport, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    BomRule.objects.filter(slug="pdu_outlets").delete()
    with django_assert_num_queries(1):
        records = selectors.bom_rules()
    assert {record["id"] for record in records} == {record["id"] for record in shipped_rules()}


def test_a_service_refuses_a_broken_value(seeded: SeedReport) -> None:
    row = BomRule.objects.get(slug="supply_efficiency")
    with pytest.raises(ValidationError):
        services.edit(row=BomRule(pk=row.pk), changes={"value": 2.0}, actor=None)


def test_the_page_is_german(seeded: SeedReport, client: Client) -> None:
    client.cookies["django_language"] = "de"
    page = client.get(reverse("catalog:rules"), headers={"accept-language": "de"}).content.decode()
    assert "Konfigurationsregeln" in page
    assert "Leistung eines Speichermoduls" in page
    assert "W je Modul" in page
