"""Sign-in by SAML: a signed answer of an identity provider lets in whom Kvote knows; an unsigned one nobody."""

import base64
import re
import threading
import zlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.x509.oid import NameOID
from django.test import Client
from onelogin.saml2.utils import OneLogin_Saml2_Utils
from pytest_django import Settings

from config.sso.ways import saml_provider
from tests.factories import make_membership

pytestmark = pytest.mark.django_db
IDP, BASE = "https://idp.example.org", "http://kvote.example.org/accounts/saml/sso/"
NAMES = 'xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol"'
METADATA = """<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="{idp}"><md:IDPSSODescriptor
protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo
xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>{certificate}</ds:X509Certificate>
</ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:SingleSignOnService
Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="{idp}/sso"/></md:IDPSSODescriptor>
</md:EntityDescriptor>"""
ASSERTION = """<saml:Assertion {names} ID="a{id}" Version="2.0" IssueInstant="{now}"><saml:Issuer>{idp}</saml:Issuer>
<saml:Subject><saml:NameID>u1</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">
<saml:SubjectConfirmationData NotOnOrAfter="{end}" Recipient="{base}acs/" InResponseTo="{id}"/>
</saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="{start}" NotOnOrAfter="{end}">
<saml:AudienceRestriction><saml:Audience>{base}metadata/</saml:Audience></saml:AudienceRestriction></saml:Conditions>
<saml:AuthnStatement AuthnInstant="{now}" SessionIndex="s"><saml:AuthnContext><saml:AuthnContextClassRef>
urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>
<saml:AttributeStatement><saml:Attribute Name="urn:oid:0.9.2342.19200300.100.1.3"><saml:AttributeValue>{email}
</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>"""
RESPONSE = """<samlp:Response {names} ID="r{id}" Version="2.0" IssueInstant="{now}" Destination="{base}acs/"
InResponseTo="{id}"><saml:Issuer>{idp}</saml:Issuer><samlp:Status><samlp:StatusCode
Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>{assertion}</samlp:Response>"""


class IdentityProvider:
    """Serves its metadata, and answers a request of Kvote's as a browser would carry it back."""

    def __init__(self) -> None:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "idp")])
        now = datetime.now(UTC)
        made = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
        made = made.serial_number(1).not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        self.certificate = made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM).decode()
        self.key = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        ).decode()
        bare = "".join(self.certificate.splitlines()[1:-1])
        document = METADATA.format(idp=IDP, certificate=bare).encode()

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/xml")
                self.end_headers()
                self.wfile.write(document)

            def log_message(self, *_parts: Any) -> None:
                """Quiet."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, address: str, email: str, *, signed: bool) -> dict[str, str]:
        query = parse_qs(urlsplit(address).query)
        asked = zlib.decompress(base64.b64decode(query["SAMLRequest"][0]), -15).decode()
        found = re.search(r'ID="([^"]+)"', asked)
        assert found is not None
        moment = {name: self._time(s) for name, s in (("start", -60), ("now", 0), ("end", 300))}
        facts = moment | {"id": found[1], "idp": IDP, "base": BASE, "names": NAMES}
        assertion = ASSERTION.format(**facts, email=email).replace("\n</saml:AttributeValue>", "</saml:AttributeValue>")
        if signed:
            assertion = OneLogin_Saml2_Utils.add_sign(assertion, self.key, self.certificate).decode()
        response = RESPONSE.format(**facts, assertion=assertion[assertion.index("<saml:") :])
        return {
            "SAMLResponse": base64.b64encode(response.encode()).decode(),
            "RelayState": query.get("RelayState", [""])[0],
        }

    def _time(self, seconds: int) -> str:
        return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


@pytest.fixture
def idp(settings: Settings) -> Iterator[IdentityProvider]:
    settings.ALLOWED_HOSTS = ["kvote.example.org"]
    made = IdentityProvider()
    address = f"http://127.0.0.1:{made.server.server_address[1]}/metadata"
    settings.SOCIALACCOUNT_PROVIDERS, settings.SIGN_IN_WAYS = saml_provider(
        metadata_url=address, entity_id=IDP, name="Agency login"
    )
    yield made
    made.server.shutdown()
    made.server.server_close()


def enter(idp: IdentityProvider, email: str, *, signed: bool = True) -> tuple[Any, str | None]:
    """The last answer, and the id of who is signed in then."""
    browser = Client(headers={"host": "kvote.example.org"})
    assert "Sign in with Agency login" in browser.get("/accounts/sign-in/").content.decode()
    away = browser.get("/accounts/saml/sso/login/")["Location"]
    assert away.startswith(f"{IDP}/sso?")
    back = browser.post("/accounts/saml/sso/acs/", idp.answer(away, email, signed=signed))
    return browser.get(back["Location"]), browser.session.get("_auth_user_id")


def test_a_signed_answer_lets_in_an_invited_person(idp: IdentityProvider) -> None:
    person = make_membership().user

    answer, who = enter(idp, person.email)
    assert (answer.status_code, who) == (302, str(person.pk))


def test_an_unsigned_answer_and_a_stranger_are_refused(idp: IdentityProvider) -> None:
    person = make_membership().user

    assert enter(idp, person.email, signed=False)[1] is None
    answer, who = enter(idp, "nobody@example.org")
    assert (answer.status_code, who) == (403, None)
    assert "Nobody is known here as nobody@example.org" in answer.content.decode()


def test_our_metadata_are_for_the_identity_provider(idp: IdentityProvider, client: Client) -> None:
    found = client.get("/accounts/saml/sso/metadata/", headers={"host": "kvote.example.org"}).content.decode()

    assert f'Location="{BASE}acs/"' in found
