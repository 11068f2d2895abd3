"""Access tokens: hashed, scoped, ending, bound to a network and an organisation."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.exceptions import PermissionDenied
from rest_framework.request import Request
from rest_framework.test import APIRequestFactory

from config.accounts import services
from config.accounts.authentication import TokenAuthentication
from config.accounts.models import ApiToken, AuditEvent, Membership
from config.accounts.selectors import current_organisation
from tests.factories import make_membership, make_token

pytestmark = pytest.mark.django_db


@pytest.fixture
def member() -> Membership:
    return make_membership(role="planner")


def request_with(key: str, method: str = "GET") -> Request:
    plain = APIRequestFactory().generic(method, "/api/v1/x", headers={"authorization": f"Bearer {key}"})
    return Request(plain, authenticators=[TokenAuthentication()])


def test_a_token_signs_its_person_in_for_its_organisation(member: Membership) -> None:
    make_membership(user=member.user)
    token, key = make_token(member)

    request = request_with(key)

    assert request.user == member.user
    assert request.auth.key == f"token:{token.pk}"
    assert current_organisation(request) == member.organisation


def test_the_key_is_not_stored_and_not_audited(member: Membership) -> None:
    _token, key = make_token(member)

    assert key not in str(list(ApiToken.objects.values()))
    assert key not in str(list(AuditEvent.objects.values()))
    assert key.startswith("kvote_")


def test_a_token_for_reading_cannot_write(member: Membership) -> None:
    _token, key = make_token(member, scopes=("read",))

    assert request_with(key).user == member.user
    with pytest.raises(PermissionDenied, match="write"):
        _user = request_with(key, "POST").user


def test_a_revoked_token_is_refused_at_once(client: Client, member: Membership) -> None:
    token, key = make_token(member)
    services.revoke_token(token=token, actor=member.user)

    answer = client.get("/api/v1/schema/", headers={"authorization": f"Bearer {key}"})

    assert services.authenticate_token(key) is None
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Bearer")
    assert answer.json()["code"] == "not_signed_in"


@pytest.mark.parametrize("change", ["expired", "closed", "no member"])
def test_a_token_ends_with_its_time_its_person_and_their_membership(member: Membership, change: str) -> None:
    token, key = make_token(member)
    assert services.authenticate_token(key) == token
    if change == "expired":
        ApiToken.objects.update(expires_at=timezone.now())
    elif change == "closed":
        member.user.is_active = False
        member.user.save()
    else:
        member.delete()

    assert services.authenticate_token(key) is None


@pytest.mark.parametrize(
    ("address", "accepted"), [("10.1.2.3", True), ("2001:db8::7", True), ("10.2.0.1", False), ("", False)]
)
def test_a_token_bound_to_networks_works_from_there_only(member: Membership, address: str, accepted: bool) -> None:
    token, key = services.issue_token(
        organisation=member.organisation,
        user=member.user,
        name="bound",
        scopes=["read"],
        allowed_networks=["10.1.0.0/16", "2001:db8::/32"],
    )

    assert (services.authenticate_token(key, address=address) == token) is accepted


def test_a_token_lasts_ninety_days_by_default(member: Membership) -> None:
    token, _key = make_token(member)

    assert timedelta(days=89, hours=23) < token.expires_at - timezone.now() <= timedelta(days=90)


def test_an_unknown_scope_is_refused(member: Membership) -> None:
    with pytest.raises(ValueError, match="unknown scope 'fly', use read or write"):
        make_token(member, scopes=("fly",))


def test_the_last_use_is_noted(member: Membership) -> None:
    token, key = make_token(member)

    services.authenticate_token(key)

    token.refresh_from_db()
    assert token.last_used_at is not None
