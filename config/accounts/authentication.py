"""API requests with `Authorization: Bearer kvote_...`."""

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from config.accounts.addresses import client_address
from config.accounts.models import ApiToken, User
from config.accounts.services import authenticate_token


class TokenAuthentication(BaseAuthentication):
    """Signs the token's person in; `request.auth` is the ApiToken, which also names the organisation."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        scheme, _space, key = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        token = authenticate_token(key.strip(), address=client_address(request._request))
        if token is None:
            raise AuthenticationFailed(_("The access token is unknown, expired or revoked."))
        needed = "read" if request.method in SAFE_METHODS else "write"
        if needed not in token.scopes:
            raise PermissionDenied(_("The access token lacks the scope %(scope)s.") % {"scope": needed})
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI schema describes it."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return dict(build_bearer_security_scheme_object("Authorization", "Bearer"))
