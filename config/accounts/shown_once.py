"""Keys and links that a page shows once: they travel to the browser that asked in a short-lived, signed cookie.

The server keeps none of them. The answer to the form is a redirect, so loading the page again sends no form again
and makes no second key.
"""

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

COOKIE = "kvote_once"
SALT = "config.accounts.shown_once"
LIFE_S = 120


def redirect_showing(to: str, **shown: str) -> HttpResponse:
    """Leads to the page at the path `to`, which shows `shown` a single time."""
    response = redirect(to)
    response.set_cookie(
        COOKIE, signing.dumps(shown, salt=SALT), max_age=LIFE_S, path=to, httponly=True, samesite="Strict",
        secure=settings.SESSION_COOKIE_SECURE,
    )  # fmt: skip
    return response


def render_once(request: HttpRequest, template: str, context: Mapping[str, Any], *, status: int = 200) -> HttpResponse:
    """The page with what `redirect_showing` left for it; the cookie is gone after that."""
    shown = shown_to(request)
    response = render(request, template, {**context, **shown}, status=status)
    if COOKIE in request.COOKIES:
        response.delete_cookie(COOKIE, path=request.path, samesite="Strict")
    return response


def shown_to(request: HttpRequest) -> dict[str, str]:
    """What the cookie carries; nothing where it is too old or was tampered with."""
    try:
        shown: dict[str, str] = signing.loads(request.COOKIES.get(COOKIE, ""), salt=SALT, max_age=LIFE_S)
    except signing.BadSignature:
        return {}
    return shown
