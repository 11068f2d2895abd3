"""What the accounts library may do here: sign in whom `people.person_for` knows, and nothing else."""

import logging
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from django.conf import settings
from django.http import HttpRequest
from django.shortcuts import render

from config.accounts.services import adopt_superuser
from config.sso.people import person_for

logger = logging.getLogger(__name__)


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Nobody registers."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_redirect_url(self, request: HttpRequest) -> str:
        return str(settings.LOGIN_REDIRECT_URL)

    def add_message(self, *_parts: Any, **_more: Any) -> None:
        """Kvote's pages say what there is to say."""


class SocialAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """Joins what the provider says to a person, or refuses with a page that names the remedy."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        return False

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        if sociallogin.is_existing:
            if not sociallogin.user.is_active:
                raise refused(request, "closed")
            adopt_superuser(sociallogin.user)
            return
        email = _verified_email(sociallogin)
        if not email:
            raise refused(request, "no_email")
        said = sociallogin.user
        user = person_for(email, first_name=said.first_name or "", last_name=said.last_name or "")
        if user is None:
            raise refused(request, "unknown", email=email)
        sociallogin.connect(request, user)
        adopt_superuser(user)

    def on_authentication_error(self, request: HttpRequest, provider: Any, **_more: Any) -> None:
        logger.warning("sign-in by a provider failed", extra={"error": str(_more.get("error"))})
        raise refused(request, "failed")


def refused(request: HttpRequest, why: str, *, email: str = "") -> ImmediateHttpResponse:
    """A page that says why and what to do."""
    return ImmediateHttpResponse(render(request, "accounts/sso_refused.html", {"why": why, "email": email}, status=403))


def _verified_email(sociallogin: Any) -> str:
    """The address that the provider vouches for; one that the person typed there themselves counts for nothing."""
    trusts = bool(sociallogin.provider.app.settings.get("trusts_email"))
    for entry in sociallogin.email_addresses:
        if entry.verified or trusts:
            return str(entry.email)
    return ""
