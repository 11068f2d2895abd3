"""The model of a request: which one, by which description, and what its weight files hold."""

import json
import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from config.rest.serializers import Strict
from sizing.core.model.weight_files import KINDS
from sizing.request_fields import ObjectField, number_field, text_field, whole_field

MAX_CONFIG_BYTES = 8_000_000


MAX_WEIGHT_BYTES = 10**16
MAX_FORMATS = 100


class WeightFilesGrammar(Strict):
    """What headers of weight files or their index state, as `POST /model-facts` answers it."""

    kind = serializers.ChoiceField(choices=KINDS)
    bytes = serializers.IntegerField(
        min_value=1, max_value=MAX_WEIGHT_BYTES, help_text="Of all tensors; counts in place of computed bytes"
    )
    files = whole_field(1, 100_000)
    elements = whole_field(1, MAX_WEIGHT_BYTES, help_text="Stored values; of GGUF files the parameters")
    bytes_by_format = serializers.DictField(
        child=serializers.IntegerField(min_value=0, max_value=MAX_WEIGHT_BYTES), required=False, allow_null=True
    )
    source = text_field(  # type: ignore[assignment]  # the name of a field, as elsewhere in the API
        help_text="Name of the file, or of the model on the hub"
    )
    revision = text_field(100, help_text="Commit on the hub")
    computed_over_exact = number_field(0, 1e12, help_text="Taken as it was answered, and not used")

    def validate_bytes_by_format(self, value: dict[str, int] | None) -> dict[str, int] | None:
        if value and (len(value) > MAX_FORMATS or any(len(name) > 50 for name in value)):
            raise serializers.ValidationError(_("Give at most %(count)d formats.") % {"count": MAX_FORMATS})
        return value

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        parts = attrs.get("bytes_by_format")
        if parts and sum(parts.values()) != attrs["bytes"]:
            raise serializers.ValidationError(
                {"bytes_by_format": [_("The formats do not add up to bytes: %(sum)d.") % {"sum": sum(parts.values())}]},
                code="sum",
            )
        return attrs


class ModelField(Strict):
    """The model: by catalogue id, by the content of its config.json, or by its shape."""

    id = text_field()
    config = serializers.DictField(required=False, allow_null=True)
    name = text_field()
    shape = serializers.DictField(required=False, allow_null=True)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        given = [key for key in ("id", "config", "shape") if attrs.get(key)]
        if len(given) != 1:
            raise serializers.ValidationError(
                _("Give exactly one of id, config and shape; given: %(given)s.")
                % {"given": ", ".join(given) or _("none")},
                code="one_of",
            )
        for key in ("config", "shape"):
            if attrs.get(key):
                attrs[key] = _storable(attrs[key], key)
        return attrs


def _storable(mapping: Mapping[str, Any], key: str) -> Any:
    """The mapping as JSON that a database holds: no NUL, no lone surrogate, Infinity as text, of sane size."""
    try:
        text = json.dumps(_finite(mapping), ensure_ascii=False)
        text.encode()
    except (RecursionError, UnicodeEncodeError, TypeError, ValueError):
        raise serializers.ValidationError(
            {key: [_("This is not a readable JSON object: too deep, or with broken characters.")]}, code="invalid"
        ) from None
    if "\\u0000" in text:
        raise serializers.ValidationError({key: [_("Remove the NUL characters.")]}, code="invalid")
    if len(text) > MAX_CONFIG_BYTES:
        raise serializers.ValidationError(
            {key: [_("A config.json has a few kilobytes; this one has %(size)d bytes.") % {"size": len(text)}]},
            code="too_large",
        )
    return json.loads(text)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _finite(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(inner) for inner in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


class LanguageModelField(ModelField):
    """The model of a language-model workload, with the exact bytes of its weight files where they are known."""

    weight_files = ObjectField(WeightFilesGrammar, help_text="Exact bytes from headers; see `POST /model-facts`")
