"""Who may do what: the whole table, written out."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.test import Client

from config.accounts.choices import Role
from config.accounts.permissions import MAY, Action, may, require
from tests.factories import make_membership, make_organisation, make_user

pytestmark = pytest.mark.django_db

#            view, size, quote, approve, edit_prices, edit_catalogue, administer
EXPECTED = {
    "viewer": (1, 0, 0, 0, 0, 0, 0),
    "planner": (1, 1, 1, 0, 0, 0, 0),
    "buyer": (1, 1, 1, 0, 1, 0, 0),
    "approver": (1, 1, 1, 1, 0, 0, 0),
    "catalogue_editor": (1, 1, 1, 0, 1, 1, 0),
    "administrator": (1, 1, 1, 1, 1, 1, 1),
}
ADMIN_PAGES = ["people", "tokens", "audit"]


@pytest.mark.parametrize(("role", "allowed"), EXPECTED.items())
def test_each_role_may_do_what_the_table_says(role: str, allowed: tuple[int, ...]) -> None:
    member = make_membership(role=role)

    found = tuple(int(may(member.user, member.organisation, action)) for action in Action)

    assert found == allowed


def test_every_role_has_a_row() -> None:
    assert set(MAY) == set(Role.values) == set(EXPECTED)


@pytest.mark.parametrize("action", list(Action))
def test_an_administrator_may_nothing_elsewhere(action: Action) -> None:
    member = make_membership(role="administrator")

    with pytest.raises(PermissionDenied):
        require(member.user, make_organisation(), action)


@pytest.mark.parametrize("action", list(Action))
def test_visitors_strangers_and_closed_accounts_may_nothing(action: Action) -> None:
    closed = make_membership(role="administrator", user=make_user(is_active=False))

    assert not may(AnonymousUser(), closed.organisation, action)
    assert not may(make_user(), closed.organisation, action)
    assert not may(closed.user, closed.organisation, action)
    assert not may(closed.user, None, action)


def test_an_action_that_does_not_exist_is_a_mistake_of_ours() -> None:
    member = make_membership()

    with pytest.raises(ValueError, match="edit_everything"):
        may(member.user, member.organisation, "edit_everything")


@pytest.mark.parametrize("name", ADMIN_PAGES)
@pytest.mark.parametrize("role", Role.values)
def test_only_administrators_see_the_settings(client: Client, role: str, name: str) -> None:
    client.force_login(make_membership(role=role).user)

    response = client.get(f"/accounts/{name}/")

    assert response.status_code == (200 if role == "administrator" else 403)


@pytest.mark.parametrize("role", Role.values)
def test_every_member_reads_the_organisation_and_administrators_change_it(client: Client, role: str) -> None:
    member = make_membership(role=role)
    client.force_login(member.user)
    is_admin = role == "administrator"

    shown = client.get("/accounts/organisation/")
    answer = client.post("/accounts/organisation/", {"name": "Renamed"})

    assert (shown.status_code, answer.status_code) == (200, 422 if is_admin else 403)
    assert ("Only an administrator" in shown.content.decode()) is not is_admin
    member.organisation.refresh_from_db()
    assert member.organisation.name != "Renamed"


@pytest.mark.parametrize("name", ["organisation", *ADMIN_PAGES])
def test_a_visitor_is_asked_to_sign_in(client: Client, name: str) -> None:
    response = client.get(f"/accounts/{name}/")

    assert response.status_code == 302
    assert response["Location"] == f"/accounts/sign-in/?next=/accounts/{name}/"
