"""Fields and bases that serializers of several apps share."""

from collections.abc import Collection, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

from config.rest.query import SparseMixin
from config.rest.words import WHOLE, shown, worded


class Rows(SparseMixin, serializers.ModelSerializer[Any]):
    """For reading rows, with `?fields=`."""

    serializer_choice_field = serializers.CharField  # words may be added to a list of choices

    def build_standard_field(self, field_name: str, model_field: Any) -> tuple[Any, dict[str, Any]]:
        kind, options = super().build_standard_field(field_name, model_field)
        if getattr(model_field, "choices", None):
            values = ", ".join(str(value) for value, _label in model_field.choices if value != "")
            kind, options = serializers.CharField, {"read_only": True, "help_text": f"One of {values}; may grow."}
        return kind, options


def refuse_other_than_object(data: Any, known: Collection[str]) -> None:
    """Raises ValidationError where JSON holds something else than an object: names the value and the remedy."""
    if isinstance(data, Mapping):
        return
    words = _("Send an object in braces here, with fields of these names: %(known)s. This is %(value)s.")
    detail = words % {"known": ", ".join(sorted(known)), "value": shown(data)}
    raise serializers.ValidationError({WHOLE: [ErrorDetail(detail, code="wrong_type")]})


class WordedMixin:
    """For bodies: a wrong field says what it takes."""

    def run_validation(self, data: Any = serializers.empty) -> Any:
        try:
            return super().run_validation(data)  # type: ignore[misc]
        except serializers.ValidationError as error:
            raise serializers.ValidationError(worded(error.detail, self)) from None


class StrictMixin(WordedMixin):
    """For bodies, too: a field that does not exist is named, never dropped."""

    def to_internal_value(self, data: Any) -> Any:
        known: Mapping[str, Any] = self.fields  # type: ignore[attr-defined]
        refuse_other_than_object(data, known)
        words = _("There is no such field. Known here: %(known)s.") % {"known": ", ".join(sorted(known))}
        problems: dict[str, Any] = {
            str(key)[:100]: [ErrorDetail(words, code="unknown_field")] for key in data.keys() - known.keys()
        }
        try:
            values = super().to_internal_value(data)  # type: ignore[misc]
        except serializers.ValidationError as error:
            problems |= error.detail if isinstance(error.detail, dict) else {}
        if problems:
            raise serializers.ValidationError(problems)
        return values


class Strict(StrictMixin, serializers.Serializer[Any]):
    """A body of plain fields."""


class AmountField(serializers.DecimalField):
    """Money as text: at least two decimals, no empty ones beyond. Unknown is null, never 0."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_digits": 18, "decimal_places": 6, **kwargs})

    def to_representation(self, value: Any) -> Any:
        return None if value is None else amount_text(Decimal(value))


def amount_text(value: Decimal) -> str:
    """1200 -> "1200.00", 0.0025000 -> "0.0025"."""
    plain = format(value.normalize(), "f")
    whole, _point, places = plain.partition(".")
    return f"{whole}.{places.ljust(2, '0')}"


def checked(form: forms.BaseForm, names: Mapping[str, str] = MappingProxyType({})) -> None:
    """Raises ValidationError with the form's errors, so that page and API refuse the same for the same reason.

    `names` leads from a field of the form to the body's, where they differ.
    """
    if form.is_valid():
        return
    raise serializers.ValidationError(
        {
            WHOLE if name == "__all__" else names.get(name, name): [
                ErrorDetail(str(error["message"]), code=str(error["code"] or "invalid")) for error in errors
            ]
            for name, errors in form.errors.get_json_data().items()
        }
    )


def names(text: str) -> list[str]:
    """Names separated by blanks, for long lists of fields."""
    return text.split()
