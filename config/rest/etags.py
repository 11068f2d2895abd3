"""Conditional requests: an ETag on every answer to GET, If-None-Match for reading, If-Match for writing."""

import hashlib
from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from config.rest.errors import PreconditionMissing, Stale


def tagged(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """The answer with its ETag, or 304 where the caller has this version already.

    A view that knows a version sets the ETag itself; else it is the SHA-256 of the body.
    """
    if "ETag" not in response:
        response["ETag"] = f'"{hashlib.sha256(response.content).hexdigest()[:32]}"'
    patch_vary_headers(response, ("Authorization",))
    if "Cache-Control" not in response:
        patch_cache_control(response, private=True, no_cache=True)
    return cast(HttpResponse, get_conditional_response(request, etag=response["ETag"], response=response))


def etag_of_data(data: Any) -> str:
    """The ETag of a representation, for rows that count no version."""
    return f'"{hashlib.sha256(JSONRenderer().render(data)).hexdigest()[:32]}"'


def require_match(request: Request, etag: str) -> None:
    """Raises PreconditionMissing (428) without If-Match, Stale (412) where it names another version.

    Call it with the row held by the transaction that writes.
    """
    stated = request.headers.get("If-Match", "")
    if not stated.strip():
        raise PreconditionMissing(_("Send the ETag that you read as If-Match, so that nobody's change is lost."))
    if stated.strip() != "*" and etag not in parse_etags(stated):
        raise Stale(
            _("Somebody changed this in the meantime. Read it again, then repeat your change."), headers={"ETag": etag}
        )
