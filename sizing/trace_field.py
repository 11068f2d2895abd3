"""A trace as a field of the request."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from sizing.core.errors import InvalidWorkload
from sizing.messages import render
from sizing.traces import lengths_of, trace_rows


class TraceField(serializers.Field[Any, Any, Any, Any]):
    """Recorded requests: rows of [seconds, input tokens, output tokens], or the text of a CSV or JSON-lines file."""

    def to_internal_value(self, data: Any) -> list[list[float]]:
        if not isinstance(data, str | list):
            raise serializers.ValidationError(_("Give rows, or the text of a CSV or JSON-lines file."))
        try:
            return [list(row) for row in trace_rows(data)]
        except InvalidWorkload as error:
            raise serializers.ValidationError(render(error.message), code=error.code) from None

    def to_representation(self, value: Any) -> Any:
        return value


def with_lengths(data: Any) -> Any:
    """The stated traffic with the lengths of its trace where it states none; as it is where the trace is wrong."""
    if not isinstance(data, Mapping) or not data.get("trace"):
        return data
    try:
        rows = trace_rows(data["trace"])
    except (InvalidWorkload, TypeError):
        return data
    own = {"input_tokens": lengths_of(rows, 1), "output_tokens": lengths_of(rows, 2)}
    return {**data, **{key: value for key, value in own.items() if data.get(key) is None}}
