"""Many rows in one request: all or nothing, or with `?mode=partial` each for itself and an answer for each."""

from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request

from config.rest.errors import BadQuery, flat, parameter_error
from config.rest.words import WHOLE, valued, with_value

MOST_ROWS = 500
MODES = ("all", "partial")

MODE = OpenApiParameter(
    "mode",
    {"type": "string", "enum": list(MODES), "default": "all"},
    description="All rows or none, or each for itself.",
)


class RowErrorSerializer(serializers.Serializer[Any]):
    """A wrong field of one row."""

    pointer = serializers.CharField(allow_blank=True)
    code = serializers.CharField()
    detail = serializers.CharField()


type Write = Callable[[Any], Any]


def mode_of(request: Request) -> str:
    """Raises BadQuery (400) for another mode than `all` and `partial`."""
    mode = request.query_params.get("mode", "all")
    if mode not in MODES:
        raise BadQuery([parameter_error("mode", "invalid", _("Known here: %(known)s.") % {"known": ", ".join(MODES)})])
    return mode


def rows_of(request: Request) -> list[Any]:
    """The rows of the body, 1 to 500. Raises ValidationError (422) otherwise."""
    rows: Any = request.data
    if not isinstance(rows, list) or not 1 <= len(rows) <= MOST_ROWS:
        words = _("Send an array of 1 to %(most)d rows.") % {"most": MOST_ROWS}
        words = with_value(words, len(rows) if isinstance(rows, list) else rows)
        raise ValidationError({WHOLE: [ErrorDetail(words, code="wrong_rows")]})
    return rows


def write_all(rows: Sequence[Any], write: Write) -> list[Any]:
    """What `write` gives for each row, all in one transaction. Every wrong row is named before nothing is stored."""
    done, problems = [], {}
    with transaction.atomic():
        for index, row in enumerate(rows):
            try:
                with transaction.atomic():
                    done.append(write(row))
            except ValidationError as error:
                problems[str(index)] = error.detail
        if problems:
            raise ValidationError(problems)
    return done


def write_each(rows: Sequence[Any], write: Write) -> list[Any]:
    """One answer for each row, in order: status 201 with the row, or 422 with what is wrong with it."""
    answers = []
    for index, row in enumerate(rows):
        try:
            with transaction.atomic():
                answers.append({"index": index, "status": 201, "row": write(row), "errors": []})
        except ValidationError as error:
            errors = valued(flat(error.get_full_details()), row)
            answers.append({"index": index, "status": 422, "row": None, "errors": errors})
    return answers
