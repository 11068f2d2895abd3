"""Nothing of another organisation is ever visible or changeable."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from config.accounts.managers import TenantQuerySet
from config.accounts.models import ApiToken, Membership, StoredFile
from config.accounts.services import record_event, store_file
from tests.factories import make_membership, make_token, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def mine() -> Membership:
    return make_membership()


@pytest.fixture
def theirs() -> Membership:
    return make_membership()


@pytest.fixture
def signed_in(client: Client, mine: Membership) -> Client:
    client.force_login(mine.user)
    return client


def test_pages_show_only_my_organisation(signed_in: Client, mine: Membership, theirs: Membership) -> None:
    make_token(theirs)
    record_event(
        action="change", object_kind="secret-thing", object_id=1, organisation=theirs.organisation, actor=theirs.user
    )

    for name in ("organisation", "people", "tokens", "audit"):
        shown = signed_in.get(f"/accounts/{name}/").content.decode()
        assert theirs.user.email not in shown
        assert theirs.organisation.name not in shown
        assert "secret-thing" not in shown


def test_members_of_another_organisation_cannot_be_changed(signed_in: Client, theirs: Membership) -> None:
    for action in ("role", "remove"):
        answer = signed_in.post(f"/accounts/people/{theirs.pk}/{action}/", {f"{theirs.pk}-role": "viewer"})
        assert answer.status_code == 404

    theirs.refresh_from_db()
    assert theirs.role == "administrator"


def test_tokens_of_another_organisation_cannot_be_revoked(signed_in: Client, theirs: Membership) -> None:
    token, _key = make_token(theirs)

    answer = signed_in.post(f"/accounts/tokens/{token.public_id}/revoke/")

    assert answer.status_code == 404
    assert ApiToken.objects.get(pk=token.pk).revoked_at is None


def test_one_cannot_switch_to_an_organisation_of_others(signed_in: Client, theirs: Membership) -> None:
    answer = signed_in.post("/accounts/switch/", {"organisation": theirs.organisation.public_id})

    assert answer.status_code == 404


def test_a_member_of_two_sees_the_chosen_one(signed_in: Client, mine: Membership, theirs: Membership) -> None:
    make_membership(user=mine.user, organisation=theirs.organisation)

    signed_in.post("/accounts/switch/", {"organisation": theirs.organisation.public_id})

    shown = signed_in.get("/accounts/people/").content.decode()
    assert theirs.user.email in shown


def test_a_tenant_queryset_holds_only_rows_of_ones_own_organisations(mine: Membership, theirs: Membership) -> None:
    ours = store_file(organisation=mine.organisation, name="a.txt", content=b"a", content_type="text/plain")
    store_file(organisation=theirs.organisation, name="b.txt", content=b"b", content_type="text/plain")
    files = TenantQuerySet(StoredFile)

    assert list(files.for_user(mine.user)) == [ours]
    assert list(files.of_organisation(mine.organisation)) == [ours]
    assert not files.for_user(make_user()).exists()
    assert not files.for_user(AnonymousUser()).exists()
    assert not files.of_organisation(None).exists()


def test_a_removed_member_loses_access_at_once(client: Client, theirs: Membership) -> None:
    second = make_membership(organisation=theirs.organisation)
    client.force_login(second.user)
    assert client.get("/accounts/people/").status_code == 200

    second.delete()

    assert client.get("/accounts/people/").status_code == 403
