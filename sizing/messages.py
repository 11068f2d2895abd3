"""Message codes in the reader's language.

Pure code and rows hold codes and parameters; this is where they become sentences. Each app brings the
words of its own codes and registers them when Django starts (`apps.py`).
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing.core.values import Message
from sizing.engines import engine_name
from sizing.figures import day

_ISO_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")

WORDS: dict[str, str | Promise] = {
    "request_invalid": gettext_lazy("The request cannot be sized: %(count)s wrong fields, each named under errors."),
    "worker_lost": gettext_lazy("The run was lost %(attempts)s times: its worker died each time. Run it again."),
    "run_failed": gettext_lazy("The run stopped by an error of Kvote. Your inputs are saved. Reference %(reference)s."),
    "run_cancelled": gettext_lazy("The run was cancelled."),
}


SINGULAR: dict[str, tuple[str, str | Promise]] = {
    "request_invalid": ("count", gettext_lazy("The request cannot be sized: one wrong field, named under errors.")),
    "far_larger": ("accelerators", gettext_lazy("It would take one accelerator.")),
    "neighbour_needs_more": ("accelerators", gettext_lazy("It needs one accelerator more for the same load.")),
    "neighbour_needs_fewer": (
        "accelerators",
        gettext_lazy("It would need one accelerator fewer; the request fixes the layout."),
    ),
    "does_not_fit": (
        "accelerators",
        gettext_lazy(
            "One accelerator with %(usable_gb)s GB lacks %(short_gb)s GB for one request of %(context_tokens)s tokens "
            "in %(weights_format)s."
        ),
    ),
}
"""Other words of a code where the named parameter is exactly one: counted things agree with their number."""


def register_singular(words: Mapping[str, tuple[str, str | Promise]]) -> None:
    """Add the words of an app's codes for exactly one of what the named parameter counts."""
    SINGULAR.update(words)


def register(words: Mapping[str, str | Promise]) -> None:
    """Add the words of an app's codes. Raises ValueError where a code exists with other words."""
    for code, text in words.items():
        if code in WORDS and str(WORDS[code]) != str(text):
            raise ValueError(f"message code {code!r} has two texts")
        WORDS[code] = text


FEATURES: dict[str, str | Promise] = {}


def register_features(words: Mapping[str, str | Promise]) -> None:
    """Add names of what a place asks for; the parameter `feature` of a message is shown by them."""
    FEATURES.update(words)


def render(message: Message | Mapping[str, Any] | None) -> str:
    """The sentence of a message in the active language; the bare code where no words exist."""
    if message is None:
        return ""
    code, params = (
        (message.code, message.params) if isinstance(message, Message) else (message["code"], message.get("params", {}))
    )
    words = WORDS.get(code)
    if words is None:
        return str(code)
    counted, one = SINGULAR.get(code, ("", words))
    if counted and params.get(counted) == 1:
        words = one
    return str(words) % _Named({key: NAMED.get(key, _shown)(value) for key, value in params.items()})


class _Named(dict[str, str]):
    """Parameters of a message. A stored one may lack what newer words ask for; that is unknown then."""

    def __missing__(self, key: str) -> str:
        return _("unknown")


def _metric(value: object) -> str:
    """A measure of latency by its short name and in words."""
    short = str(value).removesuffix("_ms").upper()
    words = {"TTFT": _("time to first token"), "TPOT": _("time per output token"), "E2E": _("end-to-end time")}
    return f"{short} ({words[short]})" if short in words else str(value)


def _shown(value: object) -> str:
    """A parameter as the reader's locale writes it; unknown stays a word."""
    if value is None:
        return _("unknown")
    if isinstance(value, str) and _ISO_DAY.fullmatch(value):
        return day(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return number_format(value, 0, use_l10n=True, force_grouping=True)
    digits = 0 if abs(value) >= 100 or value.is_integer() else 1 if abs(value) >= 10 else 2
    return number_format(round(value, digits), digits, use_l10n=True, force_grouping=True)


def _feature(value: object) -> str:
    """A trait of a server by its name; a word that nobody knows as it was typed."""
    return str(FEATURES.get(str(value), value))


MESSAGE_KEYS = {"code", "params"}
SCALARS = frozenset({str, int, float, bool, type(None)})
NAMED: dict[str, Callable[[object], str]] = {"metric": _metric, "feature": _feature, "engine": engine_name}


def localised(data: Any) -> Any:
    """Stored JSON as the contract shows it, in the active language.

    A bare message becomes its sentence; an object that carries a message beside other facts (a verdict,
    a rejection) keeps code and params and gets the sentence as `reason`.
    """
    return _localised(data, {})


def _localised(data: Any, known: dict[Any, str]) -> Any:
    """`known` keeps the sentences so far: a result of a hundred options says most of them many times."""
    if type(data) is list:
        return [item if type(item) in SCALARS else _localised(item, known) for item in data]
    if type(data) is not dict:
        return data
    if len(data) == 2 and data.keys() == MESSAGE_KEYS:
        return _sentence(data, known)
    shown = {
        key: value if type(value) in SCALARS else _localised(value, known)
        for key, value in data.items()
        if key != "params"
    }
    if isinstance(data.get("description"), dict):  # a quote words it again in its own language
        shown["description_message"] = data["description"]
    if "params" in data:
        shown |= {"params": data["params"], "reason": _sentence(data, known)}
    return shown


def _sentence(message: Mapping[str, Any], known: dict[Any, str]) -> str:
    params = message["params"]
    values = tuple(params.values())
    key = (message["code"], tuple(params), values, tuple(map(type, values)))  # 1 and True are equal and read apart
    try:
        return known[key]
    except KeyError:
        known[key] = sentence = render(message)
        return sentence
    except TypeError:  # a parameter that is a list
        return render(message)
