"""Ways in: password, one-time link, and what guards them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from config.accounts import services
from config.accounts.models import AuditEvent, Organisation, SignInLink, User
from tests.factories import PASSWORD, make_membership, make_user

pytestmark = pytest.mark.django_db


def signed_in_as(client: Client) -> str:
    return str(client.session.get("_auth_user_id", ""))


def test_an_e_mail_address_in_any_case_and_a_password_let_in(client: Client) -> None:
    user = make_user(email="Anna@example.org")

    answer = client.post("/accounts/sign-in/", {"username": "anna@EXAMPLE.org", "password": PASSWORD})

    assert (answer.status_code, answer["Location"]) == (302, "/")
    assert signed_in_as(client) == str(user.pk)


@pytest.mark.parametrize(("email", "password"), [("anna@example.org", "wrong"), ("nobody@example.org", PASSWORD)])
def test_a_wrong_pair_says_the_same_for_known_and_unknown(client: Client, email: str, password: str) -> None:
    make_user(email="anna@example.org")

    answer = client.post("/accounts/sign-in/", {"username": email, "password": password})

    assert answer.status_code == 422
    assert "do not belong together" in answer.content.decode()
    assert signed_in_as(client) == ""


def test_a_closed_account_stays_out(client: Client) -> None:
    make_user(email="anna@example.org", is_active=False)

    answer = client.post("/accounts/sign-in/", {"username": "anna@example.org", "password": PASSWORD})

    assert answer.status_code == 422


def test_after_ten_failures_even_the_right_password_waits(client: Client) -> None:
    make_user(email="anna@example.org")
    for _attempt in range(10):
        answer = client.post("/accounts/sign-in/", {"username": "anna@example.org", "password": "wrong"})

    assert answer.status_code == 429
    answer = client.post("/accounts/sign-in/", {"username": "anna@example.org", "password": PASSWORD})
    assert answer.status_code == 429
    assert answer["Retry-After"] == "900"
    assert signed_in_as(client) == ""


@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
def test_sign_in_does_not_lead_to_other_sites(client: Client, wanted: str) -> None:
    make_user(email="anna@example.org")

    answer = client.post("/accounts/sign-in/", {"username": "anna@example.org", "password": PASSWORD, "next": wanted})

    assert answer["Location"] == "/"


def test_looking_at_a_link_does_not_use_it_up(client: Client) -> None:
    user = make_user()
    secret = services.make_sign_in_link(user)
    for _look in range(3):
        assert client.get(f"/accounts/link/{secret}/").status_code == 200

    answer = client.post(f"/accounts/link/{secret}/")

    assert answer.status_code == 302
    assert signed_in_as(client) == str(user.pk)


def test_a_link_works_once(client: Client) -> None:
    secret = services.make_sign_in_link(make_user())
    client.post(f"/accounts/link/{secret}/")

    second = Client()
    answer = second.post(f"/accounts/link/{secret}/")

    assert answer.status_code == 410
    assert signed_in_as(second) == ""


def test_an_old_link_and_an_invented_one_are_gone(client: Client) -> None:
    secret = services.make_sign_in_link(make_user())
    SignInLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))

    assert client.post(f"/accounts/link/{secret}/").status_code == 410
    assert client.get("/accounts/link/invented/").status_code == 410


def test_the_secret_of_a_link_is_not_stored() -> None:
    secret = services.make_sign_in_link(make_user())

    assert secret not in str(SignInLink.objects.values().get())


def test_the_first_administrator_gets_an_organisation() -> None:
    user = services.create_first_administrator()

    member = user.memberships.get()
    assert (user.is_superuser, member.role) == (True, "administrator")
    assert not user.has_usable_password()
    assert AuditEvent.objects.filter(action="join", actor=user).exists()


def test_the_first_administrator_is_made_once() -> None:
    assert services.create_first_administrator() == services.create_first_administrator()
    assert (User.objects.count(), Organisation.objects.count()) == (1, 1)


def test_an_administrator_who_exists_is_taken(client: Client) -> None:
    member = make_membership(role="administrator")

    assert services.create_first_administrator() == member.user


def test_a_superuser_from_the_command_line_gets_an_organisation_on_sign_in(client: Client) -> None:
    user = make_user(email="root@example.org", is_superuser=True)

    client.post("/accounts/sign-in/", {"username": "root@example.org", "password": PASSWORD})

    assert user.memberships.get().role == "administrator"


def test_somebody_without_a_password_is_led_to_set_one(client: Client) -> None:
    user = services.create_first_administrator()
    answer = client.post(f"/accounts/link/{services.make_sign_in_link(user)}/")
    assert answer["Location"] == "/accounts/password/"

    new = "another long sentence"
    answer = client.post("/accounts/password/", {"new_password1": new, "new_password2": new})

    user.refresh_from_db()
    assert answer.status_code == 302
    assert user.check_password(new)
    assert signed_in_as(client) == str(user.pk)
    assert AuditEvent.objects.filter(action="set_password", actor=user).count() == 1


def test_a_known_password_must_be_named_to_change_it(client: Client) -> None:
    user = make_user()
    client.force_login(user)

    answer = client.post(
        "/accounts/password/",
        {"old_password": "wrong", "new_password1": "x" * 20, "new_password2": "x" * 20},
    )

    user.refresh_from_db()
    assert answer.status_code == 422
    assert user.check_password(PASSWORD)


def test_signing_out_takes_a_post(client: Client) -> None:
    user = make_user()
    client.force_login(user)

    assert client.get("/accounts/sign-out/").status_code == 405
    assert signed_in_as(client) == str(user.pk)
    assert client.post("/accounts/sign-out/").status_code == 302
    assert signed_in_as(client) == ""


def test_language_and_theme_are_kept_for_visitors_and_members(client: Client) -> None:
    client.post("/accounts/language/", {"language": "de", "next": "/accounts/sign-in/"})
    client.post("/accounts/theme/", {"theme": "dark"})

    shown = client.get("/accounts/sign-in/").content.decode()
    assert '<html lang="de" data-bs-theme="dark">' in shown

    user = make_user()
    client.force_login(user)
    client.post("/accounts/theme/", {"theme": "light"})
    user.refresh_from_db()
    assert user.theme == "light"


def test_an_unknown_language_or_theme_changes_nothing(client: Client) -> None:
    client.post("/accounts/language/", {"language": "xx"})
    client.post("/accounts/theme/", {"theme": "neon"})

    assert '<html lang="en">' in client.get("/accounts/sign-in/").content.decode()
