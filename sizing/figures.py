"""Numbers, money, dates and spans as the reader's language writes them. Spaces before units do not break."""

from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from babel.dates import format_date
from babel.numbers import format_currency, format_decimal, get_currency_precision
from django.utils.translation import get_language, gettext, ngettext, pgettext

NBSP = "\u00a0"
MINUS = "\u2212"
type Number = int | float | Decimal


def locale() -> str:
    """Babel's name for the reader's language."""
    return (get_language() or "en").split("-")[0]


def number(value: Number, decimals: int = 0) -> str:
    """`value` with exactly `decimals` places, grouped, with a real minus sign."""
    return _number(value, decimals, locale())


@lru_cache(maxsize=4096)
def _number(value: Number, decimals: int, language: str) -> str:
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    return str(format_decimal(value, pattern, locale=language)).replace("-", MINUS)


def figure(value: Number) -> str:
    """`value` with as many places as its size deserves: 1,234, 43, 4.3, 0.43, 0.043."""
    return number(value, 0 if float(value).is_integer() else places(value))


def places(value: Number) -> int:
    """Decimal places that show about two to three significant digits."""
    size = abs(float(value))
    if size >= 20 or size == 0:
        return 0
    if size >= 1:
        return 1
    return 2 if size >= 0.1 else 3


def with_unit(text: str, unit: str) -> str:
    return f"{text}{NBSP}{unit}" if unit else text


def percent(share: float, decimals: int = 0) -> str:
    """A share of 0..1 as per cent."""
    return with_unit(number(share * 100, decimals), "%")


def times(low: Number, high: Number) -> str:
    """A range of factors: 1.5 to 2.8 times; one figure where both ends are the same."""
    if low == high:
        return gettext("%(value)s times") % {"value": number(high, 2)}
    return gettext("%(low)s to %(high)s times") % {"low": number(low, 2), "high": number(high, 2)}


def gigabytes(value_bytes: Number, decimals: int = 1) -> str:
    """Bytes as decimal gigabytes (10^9)."""
    return with_unit(number(float(value_bytes) / 1e9, decimals), "GB")


def kilobytes(value_bytes: Number) -> str:
    """Bytes as decimal kilobytes (10^3)."""
    return with_unit(figure(float(value_bytes) / 1e3), "kB")


def count_of_parameters(value: Number) -> str:
    """Parameters in billions: 70.6 B, 70,6 Mrd."""
    return with_unit(number(float(value) / 1e9, 1), pgettext("billions", "B"))


def milliseconds(value_ms: Number) -> str:
    """A latency: milliseconds below one second, else seconds."""
    if abs(float(value_ms)) >= 1000:
        return with_unit(number(float(value_ms) / 1000, 1), "s")
    return with_unit(figure(value_ms), "ms")


def watts(value_w: Number) -> str:
    """Power: kilowatts from one kilowatt up."""
    if abs(float(value_w)) >= 1000:
        return with_unit(number(float(value_w) / 1000, places(float(value_w) / 1000)), "kW")
    return with_unit(number(value_w), "W")


def weeks(value: Number) -> str:
    """A whole number of weeks, with the word."""
    whole = round(float(value))
    word = ngettext("%(count)s week", "%(count)s weeks", whole) % {"count": number(whole)}
    return word.replace(" ", NBSP)


def weeks_span(low: Number, high: Number) -> str:
    """A range of weeks with the short unit: "8–12 wk", once where both ends round to the same week."""
    ends = (number(low), number(high))
    return with_unit("–".join(dict.fromkeys(ends)), gettext("wk"))


def amount(value: Decimal | str, currency: str, *, exact: bool = False) -> str:
    """Money as the reader writes it; without `exact` in whole units from 100 up."""
    try:
        sum_ = Decimal(str(value))
    except InvalidOperation:
        return str(value)
    whole = not exact and abs(sum_) >= 100
    decimals = 0 if whole else get_currency_precision(currency)
    if not exact and 0 < abs(sum_) < Decimal("0.1"):
        decimals = 4
    return _amount(sum_, currency, decimals, locale())


@lru_cache(maxsize=4096)
def _amount(value: Decimal, currency: str, decimals: int, language: str) -> str:
    pattern = {"de": "#,##0{} ¤"}.get(language, "¤#,##0{}").format("." + "0" * decimals if decimals else "")
    text = format_currency(value, currency, pattern, locale=language, currency_digits=False)
    return str(text).replace(" ", NBSP).replace("-", MINUS)


def signed(value: Number, text: str) -> str:
    """`text` of the absolute value with the sign of `value` before it."""
    return f"{MINUS if value < 0 else '+'}{text}"


def day(value: date | datetime | str | None) -> str:
    """A date: 30 Nov 2026, 30.11.2026. Text that is no ISO date comes back as it is."""
    if not value:
        return ""
    try:
        read = date.fromisoformat(value[:10]) if isinstance(value, str) else value
    except ValueError:
        return str(value)
    pattern = {"de": "dd.MM.y"}.get(locale(), "d MMM y")
    return str(format_date(read, pattern, locale=locale())).replace(" ", NBSP)


COUNTED = frozenset({"devices", "models"})
"""Units of what is counted one by one: whole numbers stand without places."""


def estimate_texts(estimate: dict[str, object]) -> tuple[str, str]:
    """Value with unit and the interval in the same unit, without brackets; both empty where unknown."""
    value, unit = estimate.get("value"), str(estimate.get("unit") or "")
    if not isinstance(value, (int, float)):
        return "", ""
    factor, shown = scale(float(value), unit)
    whole = unit in COUNTED and float(value).is_integer()
    decimals = 0 if whole else places(float(value) * factor)
    text = with_unit(number(float(value) * factor, decimals), shown)
    low, high = estimate.get("low"), estimate.get("high")
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)) or low == high:
        return text, ""
    return text, f"{number(float(low) * factor, decimals)}–{number(float(high) * factor, decimals)}"


def scale(value: float, unit: str) -> tuple[float, str]:
    """Factor and unit in which a value of `unit` is shown."""
    if unit == "ms" and abs(value) >= 1000:
        return 0.001, "s"
    if unit == "W" and abs(value) >= 1000:
        return 0.001, "kW"
    if unit in ("bytes", "B"):
        return (1e-9, "GB") if abs(value) >= 1e9 else (1e-3, "kB")
    if unit in ("share", "ratio", "1"):
        return 100.0, "%"
    return 1.0, shown_unit(unit)


def shown_unit(unit: str) -> str:
    """The words of a unit that is stored as a code."""
    words = {
        "tokens/s": gettext("tokens/s"),
        "token/s": gettext("tokens/s"),
        "tokens": gettext("tokens"),
        "requests": gettext("requests"),
        "requests/s": gettext("requests/s"),
        "items/h": gettext("items/h"),
        "images/s": gettext("images/s"),
        "documents/s": gettext("texts/s"),
        "queries/s": gettext("queries/s"),
        "samples/s": gettext("candidates/s"),
        "rows/s": gettext("rows/s"),
        "sensors": gettext("sensors"),
        "streams": gettext("streams"),
        "cores": gettext("cores"),
        "models": gettext("models"),
        "devices": gettext("devices"),
        "x": gettext("times"),
        "h/day": gettext("h a day"),
        "kWh/Mtok": "kWh",  # the label beside it says per million tokens
    }
    return words.get(unit, unit)
