"""Problem documents (RFC 9457): the table of kinds and the document itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.conf import settings
from django.http import HttpRequest, JsonResponse
from django.utils.translation import gettext_lazy

from config.logs import request_id

MEDIA_TYPE = "application/problem+json"

# status -> (code, title, what to do)
PROBLEMS = {
    400: (
        "bad_request",
        gettext_lazy("The request cannot be read"),
        gettext_lazy("Check the address, the headers and the body."),
    ),
    401: ("not_signed_in", gettext_lazy("Not signed in"), gettext_lazy("Send a valid access token, or sign in.")),
    403: (
        "not_allowed",
        gettext_lazy("Not allowed"),
        gettext_lazy("Your role does not allow this. Ask an administrator of your organisation."),
    ),
    404: (
        "not_found",
        gettext_lazy("Nothing here"),
        gettext_lazy("The address names nothing that you may see. Check it for a typing mistake."),
    ),
    405: (
        "method_not_allowed",
        gettext_lazy("Method not allowed"),
        gettext_lazy("Use one of the methods that the Allow header names."),
    ),
    406: ("not_acceptable", gettext_lazy("No such format"), gettext_lazy("Ask for application/json.")),
    409: (
        "conflict",
        gettext_lazy("Not possible in the present state"),
        gettext_lazy("Read the current state, then try again."),
    ),
    410: ("gone", gettext_lazy("No longer available"), gettext_lazy("A newer one has taken its place.")),
    412: (
        "stale",
        gettext_lazy("Changed in the meantime"),
        gettext_lazy("Read the current version, then send your change again."),
    ),
    413: (
        "too_large",
        gettext_lazy("The upload is too large"),
        gettext_lazy("Send at most %(limit_mb)s MB at a time."),
    ),
    415: ("wrong_media_type", gettext_lazy("This media type is not read"), gettext_lazy("Send application/json.")),
    422: (
        "invalid",
        gettext_lazy("The request contradicts itself or the catalogue"),
        gettext_lazy("Correct the fields that are named under errors."),
    ),
    428: ("precondition_required", gettext_lazy("If-Match is missing"), gettext_lazy("Send the ETag that you read.")),
    429: (
        "too_many_requests",
        gettext_lazy("Too many requests"),
        gettext_lazy("Wait as long as the Retry-After header says."),
    ),
    500: (
        "internal_error",
        gettext_lazy("Something failed on our side"),
        gettext_lazy("Try again. If it stays, name the trace id to your administrator."),
    ),
    503: ("unavailable", gettext_lazy("Not available now"), gettext_lazy("Try again in a minute.")),
}


def is_api(request: HttpRequest) -> bool:
    return request.path == "/api" or request.path.startswith("/api/")


def kind_of(status: int) -> tuple[str, Any, Any]:
    """Code, title and remedy of a status; one that is not listed counts as 400 or 500."""
    return PROBLEMS.get(status, PROBLEMS[400 if status < 500 else 500])


def problem(
    status: int,
    *,
    instance: str = "",
    detail: str = "",
    code: str = "",
    errors: Sequence[Mapping[str, Any]] = (),
    **more: Any,
) -> dict[str, Any]:
    """The document itself, in the active language; programs branch on `code` and `type`, never on text.

    `errors` holds one entry for each wrong field: `pointer`, `code`, `detail`. Further keyword
    arguments become members of the document (`allowed_states=[...]`).
    """
    known_code, title, remedy = kind_of(status)
    code = code or known_code
    document: dict[str, Any] = {
        "type": f"/api/v1/problems/{known_code}",
        "title": str(title),
        "status": status,
        "detail": detail or str(remedy) % {"limit_mb": settings.UPLOAD_MAX_MB},
        "instance": instance,
        "code": code,
        "trace_id": request_id.get(),
    }
    if errors:
        document["errors"] = [dict(error) for error in errors]
    return document | more


def problem_response(request: HttpRequest, status: int, **parts: Any) -> JsonResponse:
    """The same as an HTTP answer of Django's, for code outside the API framework."""
    document = problem(status, instance=request.path, **parts)
    return JsonResponse(document, status=status, content_type=MEDIA_TYPE)
