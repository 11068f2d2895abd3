"""Idempotency-Key: a POST that is sent twice is done once.

Names follow draft-ietf-httpapi-idempotency-key-header. Only answers that did something are kept, for a
day; a refused request may be corrected and sent again with its key.
"""

import hashlib
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Any, cast

from django.db import connection, transaction
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.access import access_of
from config.accounts.addresses import client_address
from config.accounts.models import IdempotencyKey
from config.rest.errors import BadQuery, KeyReused, KeyRunning, parameter_error

HEADER = "Idempotency-Key"
KEPT = timedelta(days=1)
MAX_LENGTH = 255
_KEPT_HEADERS = ("Location", "Retry-After", "ETag", "Content-Type")

type Handler = Callable[..., Response | HttpResponse]


def idempotent(handler: Handler) -> Handler:
    """For handlers of POST: without the header nothing changes; with it, work and answer are stored in one step."""

    @wraps(handler)
    def once(view: Any, request: Request, *args: Any, **kwargs: Any) -> Response | HttpResponse:
        key = request.headers.get(HEADER)
        if key is None:
            return handler(view, request, *args, **kwargs)
        if not (0 < len(key) <= MAX_LENGTH and key.isprintable()):
            words = _("Use 1 to %(most)d printable characters, for example a UUID.") % {"most": MAX_LENGTH}
            raise BadQuery([parameter_error(HEADER, "invalid", words)])
        return _once(lambda: handler(view, request, *args, **kwargs), request, key)

    marked: Any = once
    marked.is_idempotent = True  # the schema documents the header
    return cast(Handler, marked)


@transaction.atomic
def _once(work: Callable[[], Response | HttpResponse], request: Request, key: str) -> HttpResponse:
    scope, digest = _scope(request), _hash(request)
    if not _take_lock(scope, key):
        raise KeyRunning
    IdempotencyKey.objects.filter(created_at__lt=timezone.now() - KEPT).delete()
    kept = IdempotencyKey.objects.filter(scope=scope, key=key).first()
    if kept is not None:
        if kept.request_hash != digest:
            raise KeyReused
        return _replayed(kept)
    answer = _plain(work())
    if answer.status_code < 400:
        headers = {name: answer[name] for name in _KEPT_HEADERS if name in answer}
        IdempotencyKey.objects.create(
            scope=scope,
            key=key,
            request_hash=digest,
            status=answer.status_code,
            headers=headers,
            body=answer.content,
        )
    return answer


def keep_instead(request: Request, response: Response) -> HttpResponse:
    """Replace the kept answer of this request by a later one (`Prefer: wait` got its result)."""
    answer = _plain(response)
    IdempotencyKey.objects.filter(scope=_scope(request), key=request.headers.get(HEADER, "")).update(
        status=answer.status_code,
        headers={name: answer[name] for name in _KEPT_HEADERS if name in answer},
        body=answer.content,
    )
    return answer


def _replayed(kept: IdempotencyKey) -> HttpResponse:
    headers = {**kept.headers, "Idempotent-Replayed": "true"}
    return HttpResponse(bytes(kept.body), status=kept.status, headers=headers)


def _plain(response: Response | HttpResponse) -> HttpResponse:
    """The very bytes that go out, so that they can be sent again."""
    if not isinstance(response, Response):
        return response
    body = b"" if response.data is None else JSONRenderer().render(response.data)
    answer = HttpResponse(body, status=response.status_code, headers=dict(response.items()))
    answer["Content-Type"] = "application/json"
    return answer


def _take_lock(scope: str, key: str) -> bool:
    """A lock until the end of the transaction; False where another request with this key holds it."""
    number = int.from_bytes(hashlib.sha256(f"{scope}\n{key}".encode()).digest()[:8], signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [number])
        return bool(cursor.fetchone()[0])


def _scope(request: Request) -> str:
    if access := access_of(request):
        return access.key
    if request.user is not None and request.user.is_authenticated:
        return f"person:{request.user.pk}"
    return f"visitor:{client_address(request._request)}"


def _hash(request: Request) -> str:
    plain = request._request
    digest = hashlib.sha256(f"{plain.method} {plain.get_full_path()}\n".encode())
    digest.update(plain.body)
    return digest.hexdigest()
