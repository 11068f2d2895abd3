"""Whose request it is, behind as many proxies as the operator says there are."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The caller's IP address.

    X-Forwarded-For is believed only for the last PROXY_COUNT entries, because anybody can write the others.
    """
    forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
    if settings.PROXY_COUNT and forwarded:
        return str(forwarded[-min(settings.PROXY_COUNT, len(forwarded))])
    return str(request.META.get("REMOTE_ADDR", ""))
