"""Sign-in by an OpenID Connect provider that really listens."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, User
from config.sso.ways import oidc_provider
from tests.config.sso.provider import CLIENT_ID, SECRET, Provider
from tests.factories import make_membership, make_organisation

pytestmark = pytest.mark.django_db
ANNA = {"sub": "42", "email": "Anna@example.org", "email_verified": True, "given_name": "Anna", "family_name": "Ott"}


@pytest.fixture
def provider(settings: Settings) -> Iterator[Provider]:
    made = Provider(claims=dict(ANNA))
    offer(settings, made)
    yield made
    made.close()


def offer(settings: Settings, provider: Provider, **more: Any) -> None:
    found, ways = oidc_provider(
        issuer=provider.issuer, client_id=CLIENT_ID, secret=SECRET, name="Example login", **more
    )
    settings.SOCIALACCOUNT_PROVIDERS, settings.SIGN_IN_WAYS = found, ways


def enter(provider: Provider, browser: Client, path: str = "") -> Any:
    """Press the button, sign in at the provider, come back."""
    page = browser.get("/accounts/sign-in/").content.decode()
    assert "Sign in with Example login" in page
    away = browser.get("/accounts/oidc/sso/login/" + path)
    assert away.status_code == 302
    assert away["Location"].startswith(provider.issuer)
    return browser.get(provider.agree(away["Location"]))


def who(browser: Client) -> User | None:
    key = browser.session.get("_auth_user_id")
    return User.objects.get(pk=key) if key else None


def test_an_invited_person_comes_in_whatever_the_letter_case(provider: Provider) -> None:
    anna = make_membership(role=Role.BUYER).user
    User.objects.filter(pk=anna.pk).update(email="anna@example.org")
    browser = Client()

    answer = enter(provider, browser, "?next=/quotes/")
    assert (answer.status_code, answer["Location"]) == (302, "/quotes/")
    assert who(browser) == anna
    again = Client()
    provider.claims["email"] = "renamed@example.org"  # the provider's own id counts from now on
    enter(provider, again)
    assert who(again) == anna


def test_a_stranger_is_refused_with_the_remedy_and_nothing_is_stored(provider: Provider) -> None:
    browser = Client()
    answer = enter(provider, browser)

    assert answer.status_code == 403
    assert "Nobody is known here as anna@example.org" in answer.content.decode()
    assert who(browser) is None
    assert not User.objects.exists()


def test_an_address_that_nobody_vouches_for_lets_nobody_in(provider: Provider, settings: Settings) -> None:
    anna = make_membership().user
    User.objects.filter(pk=anna.pk).update(email="anna@example.org")
    provider.claims["email_verified"] = False
    browser = Client()

    assert enter(provider, browser).status_code == 403
    assert who(browser) is None
    offer(settings, provider, trusts_email=True)
    enter(provider, browser)
    assert who(browser) == anna


def test_people_of_a_named_domain_join_its_organisation(provider: Provider, settings: Settings) -> None:
    organisation = make_organisation(name="Acme Ltd")
    settings.SSO_ORGANISATIONS = {"example.org": ("Acme Ltd", "planner")}
    browser = Client()
    enter(provider, browser)

    person = who(browser)
    assert person is not None
    assert (person.first_name, person.has_usable_password()) == ("Anna", False)
    assert list(person.memberships.values_list("organisation", "role")) == [(organisation.pk, "planner")]
    assert AuditEvent.objects.filter(action="join_by_domain").count() == 1


def test_a_closed_account_stays_out(provider: Provider) -> None:
    anna = make_membership().user
    User.objects.filter(pk=anna.pk).update(email="anna@example.org")
    enter(provider, Client())
    User.objects.filter(pk=anna.pk).update(is_active=False)
    browser = Client()

    assert "This account is closed" in enter(provider, browser).content.decode()
    assert who(browser) is None


def test_an_answer_for_another_client_or_without_our_state_is_refused(provider: Provider) -> None:
    make_membership()
    provider.audience = "somebody else"
    browser = Client()

    assert enter(provider, browser).status_code == 403
    assert browser.get("/accounts/oidc/sso/login/callback/?code=x&state=invented").status_code == 403
    assert who(browser) is None


def test_sign_in_leads_to_our_pages_only(provider: Provider) -> None:
    anna = make_membership().user
    User.objects.filter(pk=anna.pk).update(email="anna@example.org")

    assert enter(provider, Client(), "?next=https://evil.example/")["Location"] == "/"


def test_without_settings_nothing_is_offered(client: Client) -> None:
    assert "Sign in with" not in client.get("/accounts/sign-in/").content.decode()
    assert client.get("/accounts/oidc/sso/login/").status_code == 404


@pytest.mark.parametrize("path", ["signup/", "email/", "social/signup/", "password/reset/", "3rdparty/", "logout/"])
def test_the_librarys_other_pages_do_not_exist(client: Client, path: str) -> None:
    assert client.get(f"/accounts/{path}").status_code == 404
