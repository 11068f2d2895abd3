"""Refusals of the API that no app knows: wrong parameters, preconditions, idempotency keys."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException


class Refusal(APIException):
    """An answer of the 4xx family with a stable code; `errors`, `headers` and `extra` go into the problem document."""

    status_code = 400
    code = "bad_request"

    def __init__(
        self,
        detail: str = "",
        *,
        errors: Sequence[Mapping[str, Any]] = (),
        headers: Mapping[str, str] | None = None,
        **extra: Any,
    ) -> None:
        super().__init__(detail, self.code)
        self.words = str(detail)
        self.errors = list(errors)
        self.headers = dict(headers or {})
        self.extra = extra


class BadQuery(Refusal):
    """Wrong query parameters; each entry of `errors` names its `parameter`."""

    code = "bad_parameter"

    def __init__(self, errors: Sequence[Mapping[str, str]]) -> None:
        named = ", ".join(dict.fromkeys(entry["parameter"] for entry in errors))
        super().__init__(_("Correct these parameters: %(names)s.") % {"names": named}, errors=errors)


def parameter_error(parameter: str, code: str, detail: str) -> dict[str, str]:
    """One entry of `errors` for a query parameter or a header."""
    return {"pointer": "", "parameter": parameter, "code": code, "detail": detail}


class OutOfRange(Refusal):
    """A number or date that no column holds."""

    code = "out_of_range"

    def __init__(self) -> None:
        super().__init__(_("A number or date is beyond what can be stored."))


class PreconditionMissing(Refusal):
    status_code = 428
    code = "precondition_required"


class Stale(Refusal):
    """`If-Match` names another version than the present one."""

    status_code = 412
    code = "stale"


class KeyRunning(Refusal):
    """The first request with this Idempotency-Key has not ended."""

    status_code = 409
    code = "idempotency_key_running"

    def __init__(self) -> None:
        words = _("The first request with this Idempotency-Key is still running. Ask again in a second.")
        super().__init__(words, headers={"Retry-After": "1"})


class KeyReused(Refusal):
    """The key was sent before with another address or body."""

    status_code = 422
    code = "idempotency_key_reused"

    def __init__(self) -> None:
        super().__init__(_("This Idempotency-Key was used for another request. Use a new key."))


def flat(details: Any, pointer: str = "") -> Iterator[dict[str, str]]:
    """REST framework's nested error details as a flat list with JSON pointers (RFC 6901)."""
    if isinstance(details, dict) and set(details) == {"message", "code"}:
        yield {"pointer": pointer, "code": str(details["code"]), "detail": str(details["message"])}
    elif isinstance(details, dict):
        for name, inner in details.items():
            yield from flat(inner, pointer + ("" if name in ("non_field_errors", "__all__") else _step(str(name))))
    elif isinstance(details, list):
        leaves = all(isinstance(inner, dict) and set(inner) == {"message", "code"} for inner in details)
        for index, inner in enumerate(details):
            yield from flat(inner, pointer if leaves else f"{pointer}/{index}")


def _step(name: str) -> str:
    """One step of a pointer; half a character, which no answer can hold, is written as its number."""
    return "/" + name.encode(errors="backslashreplace").decode().replace("~", "~0").replace("/", "~1")
