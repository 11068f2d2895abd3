"""From settings to the providers that people sign in with. Knows no Django: the settings file calls it."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from config.env import WrongSetting

KEY = "sso"  # in addresses: /accounts/oidc/sso/…, /accounts/saml/sso/…
ROLES = ("viewer", "planner", "buyer", "approver", "catalogue_editor", "administrator")


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """A button on the sign-in page: its words, and the address behind it."""

    name: str
    path: str


def oidc_provider(
    *, issuer: str, client_id: str, secret: str, name: str, trusts_email: bool = False
) -> tuple[dict[str, Any], list[Way]]:
    """The library's settings for one OpenID Connect provider; empty where no issuer is given."""
    if not issuer:
        return {}, []
    if not client_id:
        raise WrongSetting("OIDC_CLIENT_ID", client_id, "name the client id that your provider gave Kvote")
    settings = {
        "server_url": issuer.rstrip("/"),
        "oauth_pkce_enabled": True,
        "uid_field": "sub",
        "trusts_email": trusts_email,
    }
    app = {"provider_id": KEY, "name": name, "client_id": client_id, "secret": secret, "settings": settings}
    return {"openid_connect": {"APPS": [app]}}, [Way(name=name, path=f"/accounts/oidc/{KEY}/login/")]


def saml_provider(*, metadata_url: str, entity_id: str, name: str) -> tuple[dict[str, Any], list[Way]]:
    """The same for one SAML identity provider; its answers must be signed. Needs the extra `kvote[saml]`."""
    if not metadata_url:
        return {}, []
    if find_spec("onelogin") is None:
        raise WrongSetting("SAML_METADATA_URL", metadata_url, "install kvote[saml] first")
    if not entity_id:
        raise WrongSetting("SAML_ENTITY_ID", entity_id, "name the entity id of your identity provider")
    settings = {
        "idp": {"entity_id": entity_id, "metadata_url": metadata_url},
        "advanced": {"strict": True, "want_assertion_signed": True, "reject_idp_initiated_sso": True},
        "trusts_email": True,
    }
    app = {"provider_id": entity_id, "name": name, "client_id": KEY, "settings": settings}
    return {"saml": {"APPS": [app]}}, [Way(name=name, path=f"/accounts/saml/{KEY}/login/")]


def organisations_by_domain(entries: list[str]) -> dict[str, tuple[str, str]]:
    """`example.org=Acme Ltd:planner` -> {"example.org": ("Acme Ltd", "planner")}; raises WrongSetting otherwise."""
    found = {}
    for entry in entries:
        domain, equals, rest = entry.partition("=")
        name, colon, role = rest.rpartition(":")
        if not (domain.strip() and equals and name.strip() and colon and role.strip() in ROLES):
            remedy = f"write domain=name of the organisation:role, the role one of {', '.join(ROLES)}"
            raise WrongSetting("SSO_ORGANISATIONS", entry, remedy)
        found[domain.strip().lower().removeprefix("@")] = (name.strip(), role.strip())
    return found
