"""API requests with `Authorization: Bearer kvote_...`."""

from collections.abc import Collection

from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from config.accounts.access import Access
from config.accounts.addresses import client_address
from config.accounts.models import User
from config.accounts.services import TOKEN_PREFIX, authenticate_token


class TokenAuthentication(BaseAuthentication):
    """Signs the token's person in; `request.auth` is the Access, which also names the organisation.

    Keys without our prefix are left to the OAuth server's.
    """

    def authenticate(self, request: Request) -> tuple[User, Access] | None:
        key = bearer(request)
        if key is None or not key.startswith(TOKEN_PREFIX):
            return None
        token = authenticate_token(key, address=client_address(request._request))
        if token is None:
            raise AuthenticationFailed(_("The access token is unknown, expired or revoked."))
        check_scope(request, token.scopes)
        access = Access(
            key=f"token:{token.pk}",
            organisation=token.organisation,
            scopes=tuple(token.scopes),
            expires_at=token.expires_at,
        )
        return token.user, access

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def bearer(request: Request) -> str | None:
    """The key in the Authorization header; None where there is none."""
    scheme, _space, key = request.headers.get("Authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else None


def needed_scope(method: str | None) -> str:
    return "read" if method in SAFE_METHODS else "write"


def check_scope(request: Request, scopes: Collection[str]) -> None:
    """Raises PermissionDenied (403) where the token may not do what the method does."""
    needed = needed_scope(request.method)
    if needed not in scopes:
        raise PermissionDenied(_("The access token lacks the scope %(scope)s.") % {"scope": needed})


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI schema describes it."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return dict(build_bearer_security_scheme_object("Authorization", "Bearer"))
