"""A small OpenID Connect provider that really listens: discovery, keys, code with PKCE, token, user info."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from jwcrypto.jwk import JWK
from jwcrypto.jwt import JWT

CLIENT_ID, SECRET = "kvote", "shared secret"


@dataclass
class Provider:
    """Signs in whoever asks as the person of `claims`; wrong secrets, codes and verifiers are refused."""

    claims: dict[str, Any] = field(default_factory=dict)
    audience: str = CLIENT_ID
    codes: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.key = JWK.generate(kty="RSA", size=2048, kid="1")
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def issuer(self) -> str:
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def agree(self, address: str) -> str:
        """What a browser gets from the authorisation address after the person signed in: where to return to."""
        asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert asked["code_challenge_method"] == "S256"
        assert {"openid", "email"} <= set(asked["scope"].split())
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return asked["redirect_uri"] + "?" + urlencode({"code": code, "state": asked["state"]})

    def tokens(self, sent: Mapping[str, str]) -> dict[str, Any] | None:
        asked = self.codes.pop(sent.get("code", ""), None)
        digest = hashlib.sha256(sent.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if asked is None or sent.get("client_secret") != SECRET or proof != asked["code_challenge"]:
            return None
        now = int(time.time())
        facts = {"iss": self.issuer, "aud": self.audience, "iat": now, "exp": now + 300, **self.claims}
        token = JWT(header={"alg": "RS256", "kid": "1"}, claims=facts)
        token.make_signed_token(self.key)
        return {"access_token": "at", "token_type": "Bearer", "expires_in": 300, "id_token": token.serialize()}

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def handler_for(provider: Provider) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            base = provider.issuer
            known = {
                "/.well-known/openid-configuration": {
                    "issuer": base,
                    "authorization_endpoint": f"{base}/authorize",
                    "token_endpoint": f"{base}/token",
                    "userinfo_endpoint": f"{base}/userinfo",
                    "jwks_uri": f"{base}/keys",
                    "token_endpoint_auth_methods_supported": ["client_secret_post"],
                },
                "/keys": {"keys": [json.loads(provider.key.export_public())]},
                "/userinfo": provider.claims,
            }
            self.answer(known.get(self.path))

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(provider.tokens({name: values[0] for name, values in parse_qs(body).items()}))

        def answer(self, content: Any) -> None:
            body = json.dumps(content or {"error": "invalid_grant"}).encode()
            self.send_response(200 if content else 400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_parts: Any) -> None:
            """Quiet."""

    return Handler
