"""Pieces that the grammars of requests are built from: finite numbers, lengths, objects whose stated keys count."""

import math
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from config.rest.serializers import Strict

MAX_TOKENS = 100_000_000


class Number(serializers.FloatField):
    """A finite number: NaN and Infinity pass every range check of the base class."""

    def to_internal_value(self, data: Any) -> float:
        value = super().to_internal_value(data)
        if isinstance(data, bool) or not math.isfinite(value):
            self.fail("invalid")
        return value


def number_field(low: float, high: float, **kwargs: Any) -> Number:
    return Number(min_value=low, max_value=high, required=False, allow_null=True, **kwargs)


def whole_field(low: int, high: int, **kwargs: Any) -> serializers.IntegerField:
    return serializers.IntegerField(min_value=low, max_value=high, required=False, allow_null=True, **kwargs)


def text_field(length: int = 200, **kwargs: Any) -> serializers.CharField:
    return serializers.CharField(max_length=length, required=False, allow_null=True, allow_blank=True, **kwargs)


def words_field(length: int = 100) -> serializers.ListField:
    return serializers.ListField(
        child=serializers.CharField(max_length=length), max_length=100, required=False, allow_null=True
    )


class ObjectField(serializers.Field[Any, Any, Any, Any]):
    """An optional object whose stated keys alone are kept: null and {} mean the same, nothing."""

    def __init__(self, grammar: type[Strict], **kwargs: Any) -> None:
        super().__init__(required=False, allow_null=True, **kwargs)
        self.grammar = grammar

    def to_internal_value(self, data: Any) -> dict[str, Any] | None:
        serializer = self.grammar(data=data)
        serializer.is_valid(raise_exception=True)
        return {key: value for key, value in serializer.validated_data.items() if value is not None} or None

    def to_representation(self, value: Any) -> Any:
        return value


class PercentilesField(Strict):
    """Upper limits in milliseconds at the named percentiles."""

    mean = number_field(0.01, 86_400_000)
    p50 = number_field(0.01, 86_400_000)
    p95 = number_field(0.01, 86_400_000)
    p99 = number_field(0.01, 86_400_000)


class LengthsField(serializers.Field[Any, Any, Any, Any]):
    """Tokens: a number (the mean) or an object with mean, p95, min and max."""

    def to_internal_value(self, data: Any) -> dict[str, float | None]:
        if isinstance(data, bool) or not isinstance(data, int | float | Mapping):
            raise serializers.ValidationError(_("Give a number of tokens, or an object with mean, p95, min, max."))
        stated = data if isinstance(data, Mapping) else {"mean": data}
        serializer = _Lengths(data=stated)
        serializer.is_valid(raise_exception=True)
        values = {key: serializer.validated_data.get(key) for key in ("mean", "p95", "min", "max")}
        known = [values[key] for key in ("min", "mean", "p95", "max") if values[key] is not None]
        if values["mean"] is not None and known != sorted(known):
            raise serializers.ValidationError(_("min, mean, p95 and max must not fall."), code="order")
        return values

    def to_representation(self, value: Any) -> Any:
        return value


class _Lengths(Strict):
    mean = Number(min_value=1, max_value=MAX_TOKENS)
    p95 = number_field(1, MAX_TOKENS)
    min = number_field(0, MAX_TOKENS)
    max = number_field(1, MAX_TOKENS)
