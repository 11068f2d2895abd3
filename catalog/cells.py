"""Cells of the catalogue's tables: text in the reader's language, and whether it is unknown."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any

from babel.dates import format_date
from babel.numbers import format_currency, format_decimal
from django.db import models
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext, ngettext

from catalog.choosing import LeadTimeAnswer, PriceAnswer
from catalog.value_words import words_of

NBSP = "\u00a0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """What one cell shows. `is_open` marks a word that stands for something unknown.

    `raw` is what files hold in place of the text: a figure without separators or a day as ISO writes it.
    """

    text: str
    raw: Decimal | float | str | None = None
    url: str = ""
    is_internal: bool = False
    is_number: bool = False
    is_open: bool = False
    is_late: bool = False

    @property
    def html(self) -> SafeString:
        """The cell as markup; a late one has its mark from the template `catalog/cell.html`."""
        text = escape(self.text)
        if self.url:
            rel = "" if self.is_internal else ' rel="noopener noreferrer"'
            return mark_safe(f'<a href="{escape(self.url)}"{rel}>{text}</a>')  # noqa: S308 - both are escaped
        return mark_safe(f'<span class="kv-open">{text}</span>') if self.is_open else text  # noqa: S308 - escaped


def locale() -> str:
    return (get_language() or "en").split("-")[0]


def text(value: object, *, url: str = "") -> Cell:
    """A text; an empty one is unknown."""
    return Cell(text=str(value), url=url) if value not in (None, "") else unknown()


def number(value: float | Decimal | None) -> Cell:
    """A figure as printed by its source, with separators."""
    if value is None:
        return Cell(text=gettext("unknown"), is_number=True, is_open=True)
    return Cell(text=number_text(value), raw=value, is_number=True)


def number_text(value: float | Decimal) -> str:
    return str(format_decimal(value, "#,##0.######", locale=locale()))


SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def powers_of_ten(value: float) -> str:
    """A large figure as people write it: "8.18 × 10⁹"; below a million with separators."""
    if abs(value) < 1_000_000:
        return number_text(value)
    exponent = int(f"{value:e}".partition("e")[2])
    digits = format_decimal(value / 10**exponent, "0.###", locale=locale())
    return f"{digits}{NBSP}×{NBSP}10{str(exponent).translate(SUPERSCRIPTS)}"


def year(value: int | None) -> Cell:
    return Cell(text=str(value), raw=value, is_number=True) if value is not None else unknown()


def unknown() -> Cell:
    return Cell(text=gettext("unknown"), is_open=True)


def not_applicable() -> Cell:
    return Cell(text=gettext("does not apply"))


def flag(value: bool | None) -> Cell:
    if value is None:
        return unknown()
    return Cell(text=gettext("yes") if value else gettext("no"))


def day(value: date | str | None) -> Cell:
    """A date; a source that prints only a year or month is shown as printed."""
    if not value:
        return Cell(text=gettext("undated"), is_open=True)
    if isinstance(value, str):
        try:
            value = date.fromisoformat(value)
        except ValueError:
            return Cell(text=str(value))
    pattern = {"de": "dd.MM.y"}.get(locale(), "d MMM y")
    return Cell(text=str(format_date(value, pattern, locale=locale())).replace(" ", NBSP), raw=value.isoformat())


def money_text(amount: Decimal, currency: str) -> str:
    """An amount with two places, or as many as the price has where it is a fraction of a cent."""
    digits = "00" if amount == round(amount, 2) else "00####"
    pattern = {"de": f"#,##0.{digits} ¤"}.get(locale(), f"¤#,##0.{digits}")
    return str(format_currency(amount, currency, pattern, locale=locale(), currency_digits=False)).replace(" ", NBSP)


def price(answer: PriceAnswer) -> Cell:
    """The price that counts, or the word for an open one."""
    if answer.money.amount is None:
        return Cell(text=gettext("price open"), is_number=True, is_open=True)
    amount = round(answer.money.amount, 2)
    return Cell(text=money_text(amount, answer.money.currency), raw=amount, is_number=True)


def price_day(answer: PriceAnswer) -> Cell:
    if answer.observation is None:
        return unknown()
    shown = day(answer.observation.observed_on)
    return Cell(text=shown.text, raw=shown.raw, is_late=answer.is_stale)


def weeks(answer: LeadTimeAnswer) -> Cell:
    """ "6–10 weeks", "in stock", or unknown."""
    known = [each for each in (answer.weeks_low, answer.weeks_typical, answer.weeks_high) if each is not None]
    if not known:
        return Cell(text=gettext("unknown"), is_open=True)
    if max(known) == 0:
        return Cell(text=gettext("in stock"), is_late=answer.is_stale)
    return Cell(text=weeks_text(min(known), max(known)), is_late=answer.is_stale)


def weeks_text(low: float, high: float) -> str:
    if low == high:
        word = ngettext("%(weeks)s week", "%(weeks)s weeks", round(high))
        return word % {"weeks": number_text(round(high, 1))}
    return gettext("%(low)s–%(high)s weeks") % {"low": number_text(round(low, 1)), "high": number_text(round(high, 1))}


def age_text(days: int) -> str:
    return ngettext("%(days)s day old", "%(days)s days old", days) % {"days": number_text(days)}


def of_field(row: models.Model, name: str) -> Cell:
    """The cell for one field of a row, by the field's type."""
    field = row._meta.get_field(name)
    value = getattr(row, name)
    if getattr(field, "choices", None):
        return text(choice_words(field).get(value, value))
    if isinstance(field, models.BooleanField):
        return flag(value)
    if name.endswith("_year"):
        return year(value)
    if isinstance(field, models.FloatField | models.IntegerField | models.DecimalField):
        return number(value)
    if isinstance(field, models.DateField):
        return day(value)
    return text(words_of(name, value) if isinstance(value, str) else value)


@lru_cache(maxsize=200)
def choice_words(field: Any) -> dict[Any, Any]:
    """The words of a field's choices, made once: the model's own `get_…_display` makes them for every row."""
    return dict(field.flatchoices)
