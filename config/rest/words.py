"""The words of a refused field: what it takes, and what was sent instead."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail

WHOLE = "non_field_errors"
LONGEST_SHOWN = 60
SECRET = re.compile(r"(token|secret|password)$")
SAID_ALREADY = frozenset({"required", "unknown_field", "unknown_parameter", "repeated", "wrong_type", "wrong_rows"})
NOTHING: Mapping[str, str] = MappingProxyType({})


def worded(errors: Any, field: Any) -> Any:
    """The errors of a field or serializer, with what is wanted in place of the framework's own words.

    Words that Kvote's code gave stay as they are.
    """
    if isinstance(errors, Mapping):
        return {name: worded(inner, field if name == WHOLE else _part(field, name)) for name, inner in errors.items()}
    if isinstance(errors, list):
        return [worded(inner, field if isinstance(inner, str) else getattr(field, "child", None)) for inner in errors]
    return _remedy(errors, field) if _is_by_framework(errors, field) else errors


def with_value(detail: str, value: Any) -> str:
    """The words with the value at fault behind them, unless they hold it already."""
    text = shown(value)
    plain = str(value) if isinstance(value, str) and len(value) > 2 else text
    if re.search(rf"(?<![\w./:-]){re.escape(plain)}(?![\w/-]|\.\w)", detail):
        return detail
    return _("%(detail)s Given: %(value)s.") % {"detail": detail, "value": text}


def shown(value: Any) -> str:
    """A value as JSON, cut to fit a sentence; a file by its name. Half a character is written as its number."""
    text = json.dumps(getattr(value, "name", value), ensure_ascii=False, default=str)
    text = text.encode(errors="backslashreplace").decode()
    return text if len(text) <= LONGEST_SHOWN else text[:LONGEST_SHOWN] + "…"


def valued(entries: Iterable[Mapping[str, Any]], body: Any, query: Mapping[str, str] = NOTHING) -> list[dict[str, Any]]:
    """Entries of a problem, each with the value of its field or parameter. Secrets are not repeated."""
    return [dict(entry) | {"detail": _valued(entry, body, query)} for entry in entries]


def _valued(entry: Mapping[str, Any], body: Any, query: Mapping[str, str]) -> str:
    detail, steps = str(entry["detail"]), str(entry["pointer"]).split("/")[1:]
    if entry["code"] in SAID_ALREADY or (steps and SECRET.search(steps[-1])):
        return detail
    if name := entry.get("parameter"):
        return with_value(detail, query[name]) if name in query else detail
    is_there, value = _at(body, steps) if steps else (False, None)
    return with_value(detail, value) if is_there else detail


def wanted(field: Any) -> str:
    """What a field takes, as the object of a sentence: "a whole number from 1 to 500". Empty where nobody can say."""
    for kinds, words in _KINDS:
        if isinstance(field, kinds):
            return str(words(field))
    return ""


def _remedy(error: ErrorDetail, field: Any) -> ErrorDetail:
    what = {"wanted": wanted(field)}
    if not what["wanted"]:
        return error
    missing = error.code == "required"
    words = _("This field is missing. Give %(wanted)s.") if missing else _("Give %(wanted)s.")
    return ErrorDetail(words % what, code=error.code)


def _is_by_framework(error: Any, field: Any) -> bool:
    """True for a message that the field's class brings along; its places for values match anything."""
    if field is None:
        return False
    known: dict[str, Any] = {}
    for base in reversed(type(field).__mro__):
        known |= getattr(base, "default_error_messages", {})
    own = getattr(field, "error_messages", {}).get(error.code)
    template = known.get(error.code)
    if template is None or (own is not None and str(own) != str(template)):
        return False
    pattern = ".*".join(map(re.escape, re.split(r"\{\w+\}", str(template))))
    return re.fullmatch(pattern, str(error), re.S) is not None


def _part(field: Any, name: Any) -> Any:
    if isinstance(field, serializers.Serializer):
        return field.fields.get(str(name))
    return getattr(field, "child", None)


def _at(body: Any, steps: Sequence[str]) -> tuple[bool, Any]:
    """Whether the body holds something under these steps of a pointer, and what.

    A plain value in place of an object ("input_tokens": -5 for its mean) is what was sent for each part of it.
    """
    for step in steps:
        name = step.replace("~1", "/").replace("~0", "~")
        if isinstance(body, Mapping) and name in body:
            body = body[name]
        elif isinstance(body, list) and name.isdecimal() and int(name) < len(body):
            body = body[int(name)]
        elif isinstance(body, int | float | str) and not isinstance(body, bool):
            return True, body
        else:
            return False, None
    return True, body


def _number(words: str, field: Any) -> str:
    low, high = getattr(field, "min_value", None), getattr(field, "max_value", None)
    if high is None and getattr(field, "max_whole_digits", None):
        high = 10**field.max_whole_digits - 1
    bounds = {"number": words, "low": _plain(low), "high": _plain(high)}
    if low is not None and high is not None:
        return _("%(number)s from %(low)s to %(high)s") % bounds
    if low is not None:
        return _("%(number)s of at least %(low)s") % bounds
    return _("%(number)s of at most %(high)s") % bounds if high is not None else words


def _decimal(field: Any) -> str:
    return _number(_("a number with at most %(places)s decimal places") % {"places": field.decimal_places}, field)


def _plain(value: Any) -> str:
    """A bound without an exponent and without empty decimals."""
    if value is None:
        return ""
    text = format(value, "d") if isinstance(value, int) else format(Decimal(str(value)), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _text(field: Any) -> str:
    most = getattr(field, "max_length", None)
    return _("text of at most %(most)d characters") % {"most": most} if most else _("any text")


def _pattern(field: Any) -> str:
    found = next((each.regex.pattern for each in field.validators if hasattr(each, "regex")), "")
    return _("text that matches %(pattern)s") % {"pattern": found}


def _choice(field: Any) -> str:
    return _("one of %(known)s") % {"known": ", ".join(str(key) for key in field.choices if key != "")}


def _array(field: Any) -> str:
    low = field.min_length if field.min_length is not None else int(not field.allow_empty)
    counts = {"low": low, "high": field.max_length}
    words = _("an array of %(low)s to %(high)s entries") % counts if field.max_length else _("an array of entries")
    entry = wanted(field.child)
    return _("%(array)s, each %(entry)s") % {"array": words, "entry": entry} if entry else words


def _object(field: Any) -> str:
    return _("an object in braces with the fields %(known)s") % {"known": ", ".join(sorted(field.fields))}


# The more special kind first: an address is text, too.
_KINDS: tuple[tuple[Any, Callable[[Any], str]], ...] = (
    (serializers.ListSerializer, _array),
    (serializers.Serializer, _object),
    ((serializers.DictField, serializers.JSONField), lambda _field: _("an object in braces")),
    (serializers.ListField, _array),
    (serializers.BooleanField, lambda _field: _("true or false")),
    (serializers.ChoiceField, _choice),
    (serializers.IntegerField, lambda field: _number(_("a whole number"), field)),
    (serializers.DecimalField, _decimal),
    (serializers.FloatField, lambda field: _number(_("a number"), field)),
    (serializers.DateField, lambda _field: _("a date such as 2026-11-30")),
    (serializers.DateTimeField, lambda _field: _("a time such as 2026-11-30T14:00:00Z")),
    (serializers.UUIDField, lambda _field: _("a UUID such as 01890a5d-ac96-774b-bcce-b302099a8057")),
    (serializers.FileField, lambda _field: _("a file")),
    (serializers.EmailField, lambda _field: _("an e-mail address")),
    (serializers.URLField, lambda _field: _("a whole address such as https://example.org/kvote")),
    (serializers.RegexField, _pattern),
    (serializers.CharField, _text),
)
