"""Administrators invite, change and remove people; every step is audited."""

import re

import pytest
from django.core import signing
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from config.accounts import services, shown_once
from config.accounts.models import ApiToken, AuditEvent, Membership, User
from tests.factories import make_membership, make_token, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> Membership:
    return make_membership(role="administrator")


@pytest.fixture
def signed_in(client: Client, admin: Membership) -> Client:
    client.force_login(admin.user)
    return client


def test_an_invited_person_comes_in_by_the_link_that_is_shown_once(signed_in: Client, admin: Membership) -> None:
    answer = signed_in.post("/accounts/people/", {"email": "new@example.org", "role": "buyer"}, follow=True)
    link = re.search(r"http://testserver(/accounts/link/[^<]+)", answer.content.decode())

    assert link is not None
    guest = Client()
    guest.post(link[1])
    new = User.objects.get(email="new@example.org")
    assert guest.session["_auth_user_id"] == str(new.pk)
    assert new.memberships.get(organisation=admin.organisation).role == "buyer"
    event = AuditEvent.objects.get(action="invite")
    assert (event.actor, event.organisation, event.after) == (admin.user, admin.organisation, {"role": "buyer"})
    assert "/accounts/link/" not in signed_in.get("/accounts/people/").content.decode()


def test_somebody_with_an_account_becomes_a_member_without_a_link(signed_in: Client, admin: Membership) -> None:
    known = make_user(email="known@example.org")

    answer = signed_in.post("/accounts/people/", {"email": "KNOWN@example.org", "role": "viewer"}, follow=True)

    assert "/accounts/link/" not in answer.content.decode()
    assert known.memberships.get().organisation == admin.organisation


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"email": "no address", "role": "buyer"}, "Enter a valid email address"),
        ({"email": "x@example.org", "role": "king"}, "Select a valid choice"),
    ],
)
def test_a_wrong_invitation_is_refused_and_nothing_is_stored(
    signed_in: Client, data: dict[str, str], words: str
) -> None:
    answer = signed_in.post("/accounts/people/", data)

    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert Membership.objects.count() == User.objects.count() == 1


def test_a_member_is_not_invited_twice(signed_in: Client, admin: Membership) -> None:
    answer = signed_in.post("/accounts/people/", {"email": admin.user.email, "role": "viewer"})

    assert answer.status_code == 422
    assert "is a member already" in answer.content.decode()


def test_a_role_is_changed_and_audited(signed_in: Client, admin: Membership) -> None:
    other = make_membership(role="viewer", organisation=admin.organisation)

    signed_in.post(f"/accounts/people/{other.pk}/role/", {f"{other.pk}-role": "approver"})

    other.refresh_from_db()
    assert other.role == "approver"
    event = AuditEvent.objects.get(action="change_role")
    assert (event.before, event.after) == ({"role": "viewer"}, {"role": "approver"})


@pytest.mark.parametrize("action", ["role", "remove"])
def test_the_last_administrator_stays(signed_in: Client, admin: Membership, action: str) -> None:
    answer = signed_in.post(f"/accounts/people/{admin.pk}/{action}/", {f"{admin.pk}-role": "viewer"}, follow=True)

    admin.refresh_from_db()
    assert admin.role == "administrator"
    assert "at least one administrator" in answer.content.decode()


def test_removing_somebody_revokes_their_tokens(signed_in: Client, admin: Membership) -> None:
    other = make_membership(organisation=admin.organisation)
    token, key = make_token(other)

    signed_in.post(f"/accounts/people/{other.pk}/remove/")

    assert not Membership.objects.filter(pk=other.pk).exists()
    assert ApiToken.objects.get(pk=token.pk).revoked_at is not None
    assert services.authenticate_token(key) is None


def test_the_organisation_page_stores_and_audits_what_changed(signed_in: Client, admin: Membership) -> None:
    page = signed_in.get("/accounts/organisation/").context["form"]
    data = {name: page[name].value() or "" for name in page.fields} | {"vat_id": "DE123456789", "country": "de"}

    answer = signed_in.post("/accounts/organisation/", data)

    admin.organisation.refresh_from_db()
    assert answer.status_code == 302
    assert (admin.organisation.vat_id, admin.organisation.country) == ("DE123456789", "DE")
    event = AuditEvent.objects.get(action="change", object_kind="organisation")
    assert event.before == {"vat_id": "", "country": ""}
    assert event.after == {"vat_id": "DE123456789", "country": "DE"}


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("country", "Germany", "at most 2 characters"),
        ("country", "1x", "two-letter code"),
        ("currency", "€", "three-letter code"),
        ("time_zone", "Mars/Base", "Europe/Berlin"),
    ],
)
def test_a_wrong_identity_field_names_the_remedy(signed_in: Client, field: str, value: str, words: str) -> None:
    page = signed_in.get("/accounts/organisation/").context["form"]
    data = {name: page[name].value() or "" for name in page.fields} | {field: value}

    answer = signed_in.post("/accounts/organisation/", data)

    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_a_new_token_is_shown_once_on_a_page_that_sends_nothing_when_loaded_again(signed_in: Client) -> None:
    answer = signed_in.post("/accounts/tokens/", {"name": "CI", "days": "30", "scopes": ["read"]}, follow=True)
    key = re.search(r"kvote_[\w-]{43}", answer.content.decode())

    assert [status for _address, status in answer.redirect_chain] == [302]
    assert key is not None
    assert services.authenticate_token(key[0]) is not None
    assert key[0] not in signed_in.get("/accounts/tokens/").content.decode()


def test_what_is_shown_once_comes_from_nowhere_else(signed_in: Client) -> None:
    signed_in.cookies[shown_once.COOKIE] = signing.dumps({"key": "kvote_planted"}, salt="another")
    assert "kvote_planted" not in signed_in.get("/accounts/tokens/").content.decode()


@pytest.mark.parametrize("number", [1, 8])
def test_the_people_page_takes_the_same_queries_for_any_number(
    signed_in: Client, admin: Membership, number: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _person in range(number):
        make_membership(role="viewer", organisation=admin.organisation)

    with django_assert_num_queries(6):
        signed_in.get("/accounts/people/")
