"""Settings of single sign-on."""

import pytest

from config.env import WrongSetting
from config.sso.ways import oidc_provider, organisations_by_domain, saml_provider


def test_domains_are_read_with_their_organisation_and_role() -> None:
    found = organisations_by_domain(["@Example.org = Acme: Sales Ltd : planner", "b.example=B:viewer"])

    assert found == {"example.org": ("Acme: Sales Ltd", "planner"), "b.example": ("B", "viewer")}


@pytest.mark.parametrize("entry", ["example.org", "example.org=Acme", "=Acme:viewer", "example.org=Acme:king"])
def test_a_wrong_entry_stops_the_start_with_the_remedy(entry: str) -> None:
    with pytest.raises(WrongSetting, match="SSO_ORGANISATIONS"):
        organisations_by_domain([entry])


def test_half_a_configuration_stops_the_start() -> None:
    with pytest.raises(WrongSetting, match="OIDC_CLIENT_ID"):
        oidc_provider(issuer="https://id.example.org", client_id="", secret="", name="x")
    with pytest.raises(WrongSetting, match="SAML_ENTITY_ID"):
        saml_provider(metadata_url="https://id.example.org/metadata", entity_id="", name="x")


def test_nothing_is_offered_without_settings() -> None:
    assert oidc_provider(issuer="", client_id="", secret="", name="x") == ({}, [])
    assert saml_provider(metadata_url="", entity_id="", name="x") == ({}, [])
