"""API requests with `Authorization: Bearer` and a token that the OAuth server gave."""

import hashlib
from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from oauth2_provider.models import get_access_token_model
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from config.accounts.access import SCOPES, Access
from config.accounts.authentication import bearer, check_scope, needed_scope
from config.accounts.models import Membership, User
from config.oauth.models import OAuthClient

SCOPE_WORDS = {"read": "Read", "write": "Make and change"}


class OAuthAuthentication(BaseAuthentication):
    """The person who consented, or the one that a program acts for; the organisation is the program's."""

    def authenticate(self, request: Request) -> tuple[User, Access] | None:
        key = bearer(request)
        if key is None:
            return None
        found = access_behind(key)
        if found is None:
            raise AuthenticationFailed(_("The access token is unknown, expired or revoked."))
        check_scope(request, found[1].scopes)
        return found

    def authenticate_header(self, request: Request) -> str:
        return "Bearer"


def access_behind(key: str) -> tuple[User, Access] | None:
    """The person and the access of a live token; None where the person is no longer a member."""
    digest = hashlib.sha256(key.encode()).hexdigest()
    now = timezone.now()
    rows = get_access_token_model().objects.select_related(
        "user", "application__client__organisation", "application__client__user"
    )
    token = rows.filter(token_checksum=digest, expires__gt=now, application__client__isnull=False).first()
    if token is None:
        return None
    client: OAuthClient = token.application.client
    user: User = token.user or client.user
    if not user.is_active or not Membership.objects.filter(user=user, organisation=client.organisation).exists():
        return None
    if client.last_used_at is None or now - client.last_used_at > timedelta(minutes=1):
        OAuthClient.objects.filter(pk=client.pk).update(last_used_at=now)
    scopes = tuple(scope for scope in SCOPES if scope in token.scope.split())
    return user, Access(
        key=f"oauth:{token.pk}", organisation=client.organisation, scopes=scopes, expires_at=token.expires
    )


class OAuthScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """How the OpenAPI schema describes it, with the scope that each operation asks for."""

    target_class = OAuthAuthentication
    name = "oauth2"

    def get_security_requirement(self, auto_schema: object) -> dict[str, list[str]]:
        return {self.name: [needed_scope(getattr(auto_schema, "method", "GET"))]}

    def get_security_definition(self, auto_schema: object) -> dict[str, object]:
        token = {"tokenUrl": "/oauth/token/", "scopes": SCOPE_WORDS}
        return {
            "type": "oauth2",
            "description": "Metadata: /.well-known/oauth-authorization-server",
            "flows": {
                "clientCredentials": token,
                "authorizationCode": {**token, "authorizationUrl": "/oauth/authorize/", "refreshUrl": "/oauth/token/"},
            },
        }
