"""Request id, upload limit, and problem documents for everything that fails under /api/."""

import re
import uuid
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponse, HttpResponseBase
from django.utils import translation

from config import errors
from config.logs import request_id
from config.problems import MEDIA_TYPE, is_api, problem_response
from config.uploads import DropFiles

type Handler = Callable[[HttpRequest], HttpResponseBase]

_ID = re.compile(r"[A-Za-z0-9._-]{8,64}")
_DRAIN_BYTES = 100 * 10**6


class RequestIdMiddleware:
    """Takes X-Request-ID from the caller or makes one, logs it and sends it back."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        given = request.headers.get("X-Request-ID", "")
        found = given if _ID.fullmatch(given) else uuid.uuid4().hex
        token = request_id.set(found)
        try:
            response = self.get_response(request)
        finally:
            request_id.reset(token)
        response["X-Request-ID"] = found
        return response


class ProblemMiddleware:
    """Below /api/, turns every error that did not come from the API itself into a problem document."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_failure = is_api(request) and response.status_code >= 400
        if not is_failure or response.get("Content-Type", "").startswith(MEDIA_TYPE):
            return response
        with translation.override(translation.get_language_from_request(request)):
            document = problem_response(request, response.status_code)
        for name in ("Allow", "Retry-After", "WWW-Authenticate"):
            if name in response:
                document[name] = response[name]
        return document


class ErrorPageMiddleware:
    """Gives a refusal without a body, such as that of a form's address that is only visited, its page."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        is_page = response.get("Content-Type", "").startswith("text/html") and not is_api(request)
        if response.status_code < 400 or not is_page or not isinstance(response, HttpResponse) or response.content:
            return response
        shown = errors.page(request, response.status_code)
        if "Allow" in response:
            shown["Allow"] = response["Allow"]
        return shown


class UploadLimitMiddleware:
    """Refuses a body above UPLOAD_MAX_MB before anything keeps it: on a page the form, below /api/ with 413.

    A form is read for its fields, which come back filled in, while its files are dropped. The rest of
    a refused body is read (up to 100 MB) and dropped too, because a client that is still sending would
    otherwise see a closed connection and never the answer.
    """

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            length_bytes = int(request.META.get("CONTENT_LENGTH") or 0)
        except ValueError:
            length_bytes = 0
        if length_bytes <= settings.UPLOAD_MAX_MB * 10**6:
            return self.get_response(request)
        is_form = request.content_type == "multipart/form-data" and not is_api(request)
        if is_form and length_bytes <= _DRAIN_BYTES:
            request.upload_handlers = [DropFiles(request)]
            response = self.get_response(request)
        else:
            response = errors.too_large(request)
        _drain(request, min(length_bytes, _DRAIN_BYTES))
        return response


def _drain(request: HttpRequest, count_bytes: int) -> None:
    while count_bytes > 0:
        piece = request.read(min(count_bytes, 65_536))
        if not piece:
            return
        count_bytes -= len(piece)
