"""OAuth 2: programs with credentials of their own, and people who agree (code with PKCE)."""

import base64
import hashlib
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client
from oauth2_provider.models import get_access_token_model

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Membership
from config.oauth import services
from config.oauth.models import OAuthClient
from tests.config.api.calls import Caller
from tests.factories import make_membership

pytestmark = pytest.mark.django_db
BACK = "https://program.example.org/back"
VERIFIER = "v" * 64
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


def known(member: Membership, kind: str = "machine", uris: str = "") -> tuple[OAuthClient, str]:
    return services.add_client(
        organisation=member.organisation, user=member.user, name="Order system", kind=kind, redirect_uris=uris
    )


def token_for(client: OAuthClient, secret: str, **fields: str) -> Any:
    pair = base64.b64encode(f"{client.application.client_id}:{secret}".encode()).decode()
    sent = {"grant_type": "client_credentials"} | fields
    return Client().post("/oauth/token/", sent, headers={"authorization": f"Basic {pair}"})


def question(client: OAuthClient, **changes: str) -> dict[str, str]:
    return {
        "response_type": "code",
        "client_id": client.application.client_id,
        "redirect_uri": BACK,
        "scope": "read write",
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    } | changes


def agree(browser: Client, asked: dict[str, str]) -> str:
    """Press "Allow" on the page; returns the code."""
    answer = browser.post("/oauth/authorize/", asked | {"allow": "True"})
    assert answer.status_code == 302, answer.content
    found = parse_qs(urlsplit(answer["Location"]).query)
    assert found["state"] == ["xyz"]
    return found["code"][0]


def signed_in(member: Membership) -> Client:
    browser = Client()
    browser.force_login(member.user, backend="config.accounts.backends.EmailBackend")
    return browser


def test_a_program_with_credentials_acts_for_its_organisation() -> None:
    member = make_membership(role=Role.ADMINISTRATOR)
    client, secret = known(member)
    answer = token_for(client, secret, scope="read write").json()

    assert (answer["token_type"], answer["expires_in"], answer["scope"]) == ("Bearer", 3600, "read write")
    me = Caller(answer["access_token"]).get("me").json()
    assert (me["organisation"], me["email"]) == (str(member.organisation.public_id), member.user.email)
    assert me["scopes"] == ["read", "write"]
    assert Caller(answer["access_token"]).get("members").status_code == 200


def test_scopes_are_those_of_tokens_and_default_to_reading() -> None:
    client, secret = known(make_membership(role=Role.ADMINISTRATOR))
    reader = Caller(token_for(client, secret).json()["access_token"])

    assert reader.get("tokens").status_code == 200
    assert reader.post("tokens", {"name": "x", "scopes": ["read"]}).status_code == 403
    assert token_for(client, secret, scope="fly").json()["error"] == "invalid_scope"


def test_neither_secret_nor_token_is_kept() -> None:
    client, secret = known(make_membership())
    token = token_for(client, secret).json()["access_token"]

    kept = str(list(get_access_token_model().objects.values())) + str(list(AuditEvent.objects.values()))
    client.application.refresh_from_db()
    assert token not in kept
    assert secret not in kept + client.application.client_secret


def test_a_wrong_secret_gets_nothing() -> None:
    client, _secret = known(make_membership())

    answer = token_for(client, "guess")
    assert (answer.status_code, answer.json()["error"]) == (401, "invalid_client")
    assert Caller("guess").get("me").status_code == 401


def test_a_removed_program_and_a_former_member_are_refused_at_once() -> None:
    member = make_membership()
    first, second = known(member), known(member)
    tokens = [token_for(*each).json()["access_token"] for each in (first, second)]
    services.remove_client(client=first[0], user=member.user)

    assert [Caller(token).get("me").status_code for token in tokens] == [401, 200]
    member.delete()
    assert Caller(tokens[1]).get("me").status_code == 401


def test_a_person_agrees_and_the_program_acts_for_them() -> None:
    admin = make_membership()
    person = make_membership(role=Role.VIEWER, organisation=admin.organisation)
    client, _none = known(admin, "device", BACK)
    browser, asked = signed_in(person), question(client)

    page = browser.get("/oauth/authorize/", asked)
    assert page.status_code == 200
    assert "Order system" in page.content.decode()
    assert str(admin.organisation) in page.content.decode()
    assert "form-action 'self' https://program.example.org" in page["Content-Security-Policy"]
    code = agree(browser, asked)
    sent = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": BACK,
        "client_id": client.application.client_id,
    }
    assert Client().post("/oauth/token/", sent | {"code_verifier": "w" * 64}).status_code == 400
    code = agree(browser, asked)
    given = Client().post("/oauth/token/", sent | {"code": code, "code_verifier": VERIFIER}).json()
    me = Caller(given["access_token"]).get("me").json()
    assert (me["email"], me["role"]) == (person.user.email, "viewer")
    again = {
        "grant_type": "refresh_token",
        "refresh_token": given["refresh_token"],
        "client_id": client.application.client_id,
    }
    fresh = Client().post("/oauth/token/", again).json()
    assert Caller(fresh["access_token"]).get("me").status_code == 200
    revoked = {"token": fresh["access_token"], "client_id": client.application.client_id}
    assert Client().post("/oauth/revoke_token/", revoked).status_code == 200
    assert Caller(fresh["access_token"]).get("me").status_code == 401


def test_without_pkce_or_with_a_plain_challenge_there_is_no_code() -> None:
    admin = make_membership()
    client, _secret = known(admin, "web", BACK)
    browser = signed_in(admin)
    bare = {name: value for name, value in question(client).items() if not name.startswith("code_")}

    for asked in (bare, question(client, code_challenge_method="plain")):
        back = browser.post("/oauth/authorize/", asked | {"allow": "True"})
        assert "code=" not in back.get("Location", "")
    assert (
        browser.get("/oauth/authorize/", question(client, redirect_uri="https://evil.example.org/")).status_code == 400
    )


def test_members_of_other_organisations_and_visitors_are_not_asked() -> None:
    client, _secret = known(make_membership(), "web", BACK)

    assert signed_in(make_membership()).get("/oauth/authorize/", question(client)).status_code == 403
    assert "/accounts/sign-in/" in Client().get("/oauth/authorize/", question(client))["Location"]


def test_saying_no_leads_back_without_a_code() -> None:
    admin = make_membership()
    client, _secret = known(admin, "web", BACK)

    back = signed_in(admin).post("/oauth/authorize/", question(client))["Location"]
    assert parse_qs(urlsplit(back).query)["error"] == ["access_denied"]


def test_the_metadata_says_what_is_offered(client: Client) -> None:
    found = client.get("/.well-known/oauth-authorization-server").json()

    assert found["issuer"] == "http://testserver"
    assert found["token_endpoint"] == "http://testserver/oauth/token/"
    assert found["grant_types_supported"] == ["authorization_code", "client_credentials", "refresh_token"]
    assert found["response_types_supported"] == ["code"]
    assert found["code_challenge_methods_supported"] == ["S256"]
    assert found["scopes_supported"] == ["read", "write"]


def test_the_page_makes_a_program_known_and_forgets_it() -> None:
    admin = make_membership()
    browser = signed_in(admin)
    wrong = browser.post("/accounts/programs/", {"name": "x", "kind": "web", "redirect_uris": "http://example.org/"})
    made = browser.post("/accounts/programs/", {"name": "Orders", "kind": "machine"}, follow=True)
    client = OAuthClient.objects.get()

    assert wrong.status_code == 422
    assert client.application.client_id in made.content.decode()
    assert browser.post(f"/accounts/programs/{client.public_id}/remove/").status_code == 302
    assert not OAuthClient.objects.exists()
    assert list(AuditEvent.objects.values_list("action", flat=True)) == ["oauth.add", "oauth.remove"]


def test_the_page_is_for_administrators_and_their_own_programs() -> None:
    client, _secret = known(make_membership())
    viewer, stranger = make_membership(role=Role.VIEWER), make_membership()

    assert signed_in(viewer).get("/accounts/programs/").status_code == 403
    assert signed_in(stranger).post(f"/accounts/programs/{client.public_id}/remove/").status_code == 404
