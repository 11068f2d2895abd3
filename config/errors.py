"""What a failed request answers: problem documents (RFC 9457) below /api/, designed pages elsewhere."""

import logging
from collections.abc import Mapping
from dataclasses import asdict
from importlib import import_module
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as DjangoValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy
from rest_framework import exceptions
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.views import set_rollback

from config.logs import request_id
from config.problems import MEDIA_TYPE, kind_of, problem
from config.rest.errors import Refusal, flat
from config.rest.words import valued
from sizing.core.values import Message
from sizing.messages import render as registered

logger = logging.getLogger(__name__)

# What a person reads instead of the words for programs: status or kind -> title, what to do
PAGE_WORDS = {
    400: (
        gettext_lazy("What was sent cannot be read"),
        gettext_lazy("Go back, check what you entered, and send it again."),
    ),
    405: (
        gettext_lazy("Nothing to see at this address"),
        gettext_lazy("It only takes what a form sends. Go back and use the button on the page."),
    ),
    429: (
        gettext_lazy("Too many attempts"),
        gettext_lazy("Wait 15 minutes, then try again. An administrator can give you a link to sign in."),
    ),
    500: (
        gettext_lazy("Something failed on our side"),
        gettext_lazy("Try again. If it stays, name the error reference to your administrator."),
    ),
    "form": (
        gettext_lazy("The form is no longer valid"),
        gettext_lazy(
            "The page was open for too long, or the browser keeps no cookies. "
            "Go back, load the page again, and send the form once more."
        ),
    ),
}


def problem_handler(error: Exception, context: Mapping[str, Any]) -> Response | None:
    """REST framework's exception handler. Returns None for a fault of ours, which then is logged and answers 500."""
    request = context["request"]
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if isinstance(message := getattr(error, "message", None), Message):
        return _own_error(request, error, message)
    if isinstance(error, DjangoValidationError):
        error = exceptions.ValidationError(getattr(error, "message_dict", error.messages))
    if not isinstance(error, exceptions.APIException):
        return None
    set_rollback()
    if isinstance(error, Refusal):
        parts: dict[str, Any] = {
            "code": error.code,
            "detail": error.words,
            "errors": valued(error.errors, None, request.query_params),
            "headers": error.headers,
        }
        return _answer(request, error.status_code, **parts, **error.extra)
    headers = {}
    if header := getattr(error, "auth_header", ""):
        headers["WWW-Authenticate"] = header
    if wait_s := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait_s) + 1)
    if isinstance(error, exceptions.ValidationError):
        return _answer(request, 422, errors=valued(flat(error.get_full_details()), _body(request)))
    own_words = isinstance(error, exceptions.ParseError) and str(error.detail)
    return _answer(request, error.status_code, detail=str(own_words or ""), headers=headers)


class ProblemRenderer(JSONRenderer):
    media_type = MEDIA_TYPE


def _answer(request: Any, status: int, *, headers: Mapping[str, str] | None = None, **parts: Any) -> Response:
    """A problem is JSON whatever the caller accepts and whatever the view would have rendered."""
    request.accepted_renderer, request.accepted_media_type = ProblemRenderer(), MEDIA_TYPE
    return Response(problem(status, instance=request.path, **parts), status=status, headers=headers)


def _body(request: Any) -> Any:
    """What was sent, as read; None where it could not be."""
    try:
        return request.data
    except exceptions.APIException:
        return None


def _own_error(request: Any, error: Exception, message: Message) -> Response:
    """The answer to an error of the core or of an app: its code, its pointer, its words.

    `status` and `extra` of the error, where it has them, become the status and further members;
    `errors` names several wrong fields.
    """
    set_rollback()
    words = render_message(message, app=type(error).__module__.partition(".")[0])
    entry = {"pointer": getattr(error, "pointer", ""), "code": message.code, "detail": words}
    entries = [asdict(each) for each in getattr(error, "errors", ())] or [entry]
    status = getattr(error, "status", 422)
    entries = valued(entries, _body(request))
    return _answer(request, status, code=message.code, detail=words, errors=entries, **getattr(error, "extra", {}))


def render_message(message: Message, *, app: str) -> str:
    """The message in the reader's language: by `render` of its app, else by the words that its app registered."""
    render = getattr(import_module(f"{app}.messages"), "render", registered)
    return str(render(message))


def page(request: HttpRequest, status: int, *, kind: int | str = 0) -> HttpResponse:
    """A page that says what happened and what to do next. A fault of ours gets one that needs nothing else.

    `kind` names words of its own where the status alone does not say what happened.
    """
    code, title, remedy = kind_of(status)
    title, remedy = PAGE_WORDS.get(kind or status, (title, remedy))
    context = {
        "status": status,
        "code": code,
        "title": title,
        "remedy": str(remedy) % {"limit_mb": settings.UPLOAD_MAX_MB},
        "trace_id": request_id.get(),
    }
    if status >= 500:
        context["stylesheet"] = _stylesheet()
        return HttpResponse(render_to_string("errors/plain.html", context), status=status)
    return HttpResponse(render_to_string("errors/error.html", context, request), status=status)


def _stylesheet() -> str:
    """Address of the style of the plain page; empty where even that cannot be found."""
    try:
        return staticfiles_storage.url("css/plain.css")
    except (ValueError, OSError):
        return ""


def bad_request(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return page(request, 413 if type(exception).__name__ == "RequestDataTooBig" else 400)


def permission_denied(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return page(request, 403)


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return page(request, 404)


def server_error(request: HttpRequest) -> HttpResponse:
    return page(request, 500)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    logger.info("form token refused", extra={"why": reason, "path": request.path})
    return page(request, 403, kind="form")


def too_large(request: HttpRequest) -> HttpResponse:
    return page(request, 413)


def locked_out(request: HttpRequest, *_details: Any) -> HttpResponse:
    """Too many failed sign-ins from one address for one person."""
    response = page(request, 429)
    response["Retry-After"] = "900"
    return response
