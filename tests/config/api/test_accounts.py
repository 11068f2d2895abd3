"""Who am I, organisations, members, access tokens and status."""

import pytest
from django.utils import timezone

from catalog.models import CatalogVersion
from config.accounts.choices import Role
from config.accounts.models import ApiToken, AuditEvent, IdempotencyKey
from tests.catalog.rows import make_part, make_price
from tests.config.api.calls import Caller, caller, visitor

pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> Caller:
    return caller(Role.ADMINISTRATOR)


def test_me_says_for_whom_the_token_acts() -> None:
    who = caller(Role.BUYER, scopes=("read",))
    assert who.member is not None

    found = who.get("me").json()

    assert found["email"] == who.member.user.email
    assert found["organisation"] == str(who.member.organisation.public_id)
    assert (found["role"], found["scopes"]) == ("buyer", ["read"])
    assert found["actions"] == ["edit_prices", "quote", "size", "view"]
    assert who.get("me?fields=role").json() == {"role": "buyer"}


def test_a_new_token_works_and_its_key_is_shown_once(admin: Caller) -> None:
    answer = admin.post(
        "tokens", {"name": "Reports", "scopes": ["read"], "days": 30, "allowed_networks": ["127.0.0.0/8"]}
    )

    made = answer.json()
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    assert made["key"].startswith(made["prefix"])
    assert 29 <= (ApiToken.objects.get(public_id=made["id"]).expires_at - timezone.now()).days <= 30
    assert Caller(made["key"]).get("me").json()["scopes"] == ["read"]
    assert made["key"] not in admin.get("tokens").content.decode()


def test_no_copy_of_a_key_is_kept_for_a_repeated_request(admin: Caller) -> None:
    body = {"name": "Reports", "scopes": ["read"]}
    keys = {admin.post("tokens", body, idempotency_key="t-1").json()["key"] for _ in range(2)}

    assert len(keys) == 2
    assert not IdempotencyKey.objects.exists()
    assert not any(key in str(list(AuditEvent.objects.values())) for key in keys)


def test_a_revoked_token_is_refused_at_once(admin: Caller) -> None:
    made = admin.post("tokens", {"name": "Reports", "scopes": ["read"]}).json()

    assert admin.delete(f"tokens/{made['id']}").status_code == 204
    assert Caller(made["key"]).get("me").status_code == 401
    assert admin.delete(f"tokens/{made['id']}").status_code == 404


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"scopes": ["fly"]}, "/scopes/0"),
        ({"scopes": []}, "/scopes"),
        ({"days": 0}, "/days"),
        ({"allowed_networks": ["10.1.0.0/99"]}, "/allowed_networks/0"),
        ({"nmae": "x"}, "/nmae"),
    ],
)
def test_wrong_fields_of_a_token_are_named(admin: Caller, changes: dict[str, object], pointer: str) -> None:
    answer = admin.post("tokens", {"name": "Reports", "scopes": ["read"]} | changes)

    assert (answer.status_code, [error["pointer"] for error in answer.json()["errors"]]) == (422, [pointer])


def test_tokens_of_another_organisation_are_nowhere(admin: Caller) -> None:
    other = caller(Role.ADMINISTRATOR)
    assert other.member is not None
    theirs = ApiToken.objects.get(user=other.member.user)

    assert str(theirs.public_id) not in admin.get("tokens").content.decode()
    assert admin.delete(f"tokens/{theirs.public_id}").status_code == 404


def test_an_organisation_is_changed_under_if_match(admin: Caller) -> None:
    address = admin.get("organisations").json()["results"][0]["id"]
    address = f"organisations/{address}"
    read = admin.get(address)["ETag"]

    assert admin.patch(address, {"country": "de"}).status_code == 428
    done = admin.patch(address, {"country": "de", "vat_id": "DE1"}, if_match=read)
    assert (done.status_code, done.json()["country"], done.json()["vat_id"]) == (200, "DE", "DE1")
    assert done["ETag"] == admin.get(address)["ETag"] != read
    assert admin.patch(address, {"country": "US"}, if_match=read).status_code == 412


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [({"country": "Germany"}, "/country"), ({"time_zone": "Mars"}, "/time_zone"), ({"logo": 1}, "/logo")],
)
def test_the_pages_rules_hold_for_organisations(admin: Caller, changes: dict[str, object], pointer: str) -> None:
    address = "organisations/" + admin.get("organisations").json()["results"][0]["id"]

    answer = admin.patch(address, changes, if_match="*")

    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (422, pointer)


def test_a_token_reaches_its_own_organisation_alone(admin: Caller) -> None:
    assert admin.member is not None
    elsewhere = caller(Role.ADMINISTRATOR, user=admin.member.user)
    assert elsewhere.member is not None

    assert len(admin.get("organisations").json()["results"]) == 1
    assert admin.get(f"organisations/{elsewhere.member.organisation.public_id}").status_code == 404


def test_members_are_listed_for_administrators(admin: Caller) -> None:
    assert admin.member is not None
    caller(Role.VIEWER, organisation=admin.member.organisation)

    assert {row["role"] for row in admin.get("members").json()["results"]} == {"administrator", "viewer"}


def test_the_status_tells_versions_ages_and_limits_to_everybody() -> None:
    CatalogVersion.objects.create(number=3, content_hash="ab" * 32)
    make_price(make_part())

    found = visitor().get("status").json()

    assert found["version"]
    assert found["catalog_version"].startswith("3-abab")
    assert {entry["table"]: entry["total"] for entry in found["data"]}["prices"] == 1
    assert found["limits"]["rows_per_page"] == 200


def test_the_status_counts_own_prices_for_members_only() -> None:
    who = caller(Role.VIEWER)
    assert who.member is not None
    make_price(make_part(), organisation=who.member.organisation)

    totals = [asked.get("status").json()["data"][0]["total"] for asked in (who, visitor())]

    assert totals == [1, 0]
