"""Every page address that names a row: somebody else's row is not found, for members elsewhere and for visitors."""

from collections.abc import Iterator
from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from catalog.models import ImportBatch, LeadTimeObservation, MarginRule
from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation, User
from config.oauth.services import add_client
from config.webhooks.services import add_endpoint, send_test
from quotes.attachments import attach
from quotes.models import ApprovalRule, Quote
from quotes.services import create_quote
from sizing.choices import Kind
from sizing.models_draft import WorkloadDraft
from tests.catalog.rows import make_part, make_price, make_supplier
from tests.factories import make_membership, make_token
from tests.quotes.conftest import make_option

pytestmark = pytest.mark.django_db

# Addresses that are public, or whose secret is the permission; the latter have tests of their own.
PUBLIC = {
    "accounts:link", "sizing:kind", "sizing:kind-preview",
    "quotes:verify_value", "quotes:None", "quotes:shared", "quotes:shared_file",
    *(f"catalog:{name}" for name in ("accelerator", "server", "processor", "component", "software", "model")),
    *(f"catalog:correct_{name}" for name in ("accelerators", "servers", "processors", "components", "software")),
}  # fmt: skip
SECRET_NAME = "Hidden Harbour"


def routes(resolver: URLResolver, space: str = "") -> Iterator[tuple[str, frozenset[str]]]:
    """Name and parameters of each page route; the administration and the API have their own."""
    for entry in resolver.url_patterns:
        if isinstance(entry, URLPattern):
            yield f"{space}:{entry.name}", frozenset(entry.pattern.converters)
        elif entry.namespace != "admin" and str(entry.pattern) != "api/v1/":
            yield from routes(entry, entry.namespace or space)


NAMED = sorted((name, sorted(keys)) for name, keys in routes(get_resolver()) if keys and name not in PUBLIC)


@pytest.fixture
def theirs() -> Membership:
    member = make_membership()
    member.organisation.name = SECRET_NAME
    member.organisation.save()
    return member


@pytest.fixture
def quote(theirs: Membership) -> Quote:
    option = make_option(theirs.organisation)
    return create_quote(option=option, user=theirs.user, organisation=theirs.organisation)


@pytest.fixture
def values(theirs: Membership, quote: Quote) -> dict[str, Any]:
    """A value for each parameter, by app or by route, of rows that belong to the other organisation."""
    organisation, person = theirs.organisation, theirs.user
    run = make_option(organisation).run
    part = make_part("their-part", organisation=organisation)
    token, _key = make_token(theirs)
    batch = ImportBatch.objects.create(organisation=organisation, file_name=SECRET_NAME)
    markup = MarginRule.objects.create(organisation=organisation, markup_pct=8, valid_from=date(2026, 1, 1))
    program, _secret = add_client(organisation=organisation, user=person, name="x", kind="machine")
    draft = WorkloadDraft.objects.create(organisation=organisation, kind=Kind.LLM_SERVING, name=SECRET_NAME, values={})
    return {
        "sizing": {"key": str(run.public_id), "rank": 1, "name": "compose.yaml"},
        "sizing:draft": {"key": str(draft.public_id), "action": "copy"},
        "quotes": quote_values(quote, person),
        "quotes:policy_rule_remove": {
            "pk": ApprovalRule.objects.create(organisation=organisation, currency="EUR", total_from=7).pk
        },
        "catalog": {"slug": part.slug, "batch_id": batch.public_id, "rule_id": markup.public_id},
        "accounts": {"pk": theirs.pk, "public_id": token.public_id},
        "webhooks": webhook_values(organisation, person),
        "oauth": {"public_id": program.public_id},
    }


def quote_values(quote: Quote, person: User) -> dict[str, Any]:
    revision = quote.revisions.get(number=1)
    file = attach(revision=revision, user=person, name=SECRET_NAME, content=b"hidden")
    line = revision.lines.first()
    assert line is not None
    return {
        "public_id": quote.public_id, "number": 1, "action": "submit", "format_name": "json", "task_id": uuid4(),
        "line_id": line.public_id, "attachment_id": file.public_id, "regime": "S889", "line": line.number,
    }  # fmt: skip


def webhook_values(organisation: Organisation, person: User) -> dict[str, Any]:
    endpoint, _secret = add_endpoint(
        organisation=organisation, url="https://93.184.216.34/", user=person, description=SECRET_NAME
    )
    return {
        "public_id": endpoint.public_id,
        "delivery_id": send_test(endpoint=endpoint, user=person).public_id,
    }


def answers(client: Client, name: str, keys: list[str], values: dict[str, Any]) -> list[Any]:
    found = values.get(name) or values[name.split(":", maxsplit=1)[0]]
    address = reverse(name, kwargs={key: found[key] for key in keys})
    return [client.get(address), client.post(address, {"reason": "x"})]


@pytest.mark.parametrize(("name", "keys"), NAMED)
def test_a_row_of_another_organisation_is_not_found(
    client: Client, values: dict[str, Any], name: str, keys: list[str]
) -> None:
    client.force_login(make_membership(role=Role.ADMINISTRATOR).user)
    found = [answer for answer in answers(client, name, keys, values) if answer.status_code != 405]
    assert {answer.status_code for answer in found} == {404}
    assert all(SECRET_NAME not in answer.content.decode() for answer in found)


@pytest.mark.parametrize(("name", "keys"), NAMED)
def test_a_visitor_finds_nothing_or_is_asked_to_sign_in(
    client: Client, values: dict[str, Any], name: str, keys: list[str]
) -> None:
    for answer in answers(client, name, keys, values):
        asked = answer.status_code == 302 and answer["Location"].startswith(reverse("accounts:sign_in"))
        assert asked or answer.status_code in (404, 405)
        assert SECRET_NAME not in answer.content.decode()


@pytest.mark.parametrize("who", ["visitor", "stranger"])
def test_lists_and_shared_pages_show_nothing_of_another_organisation(
    client: Client, theirs: Membership, quote: Quote, who: str
) -> None:
    part = make_part("shared-part")
    supplier = make_supplier(SECRET_NAME, organisation=theirs.organisation)
    make_price(part, organisation=theirs.organisation, supplier=supplier, source_title=SECRET_NAME)
    LeadTimeObservation.objects.create(
        part=part, organisation=theirs.organisation, weeks_typical=5, observed_on="2026-11-30", source_title=SECRET_NAME
    )
    if who == "stranger":
        client.force_login(stranger())
    for name, args in (("sizing:start", []), ("quotes:list", []), ("catalog:part", [part.slug]), ("catalog:parts", [])):
        page = client.get(reverse(name, args=args)).content.decode()
        assert SECRET_NAME not in page, name
        assert quote.number not in page, name
    assert SECRET_NAME not in client.get(reverse("catalog:search"), {"q": "Hidden"}).content.decode()


def stranger() -> User:
    return make_membership(role=Role.ADMINISTRATOR).user
