"""Dates by the order of their column. Dots mean day first unless a cell proves the other; slashes must prove it."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from catalog.imports.cells import DateCell

_MONTH_WORDS = (
    "jan januar january jän jänner",
    "feb februar february",
    "mar mär mrz märz march maerz",
    "apr april",
    "mai may",
    "jun juni june",
    "jul juli july",
    "aug august",
    "sep sept september",
    "okt oct oktober october",
    "nov november",
    "dez dec dezember december",
)
MONTHS = {word: number for number, words in enumerate(_MONTH_WORDS, start=1) for word in words.split()}
_ISO = re.compile(r"^(?P<year>\d{4})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?:[t ].*)?$")
_COMPACT = re.compile(r"^(?P<year>20\d{2})(?P<month>\d{2})(?P<day>\d{2})$")
_SERIAL = re.compile(r"^[345]\d{4}$")  # days since the end of 1899, as spreadsheets keep a date: 1982 to 2064
_SERIAL_START = date(1899, 12, 30)
_NUMERIC = re.compile(r"^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$")
_WORDY_DAY_FIRST = re.compile(r"^(\d{1,2})\.?[ -]*([a-zäöü]+)\.?,?[ -]*(\d{4}|\d{2})$")
_WORDY_MONTH_FIRST = re.compile(r"^([a-zäöü]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$")
ORDERS = ("dmy", "mdy")
DATE_LETTERS_MAX = 60


@dataclass(frozen=True, slots=True)
class DateOrder:
    """`order` is None where the column does not prove whether day or month comes first."""

    order: str | None
    example: str = ""
    is_mixed: bool = False


def read_date(cell: str, order: str) -> date | None:
    """The day a cell names when its numeric dates are written in `order` (dmy or mdy), else None."""
    if isinstance(cell, DateCell):
        return cell.day
    return _read_text(cell, order) if len(cell) <= DATE_LETTERS_MAX else None


@lru_cache(maxsize=4_096)
def _read_text(cell: str, order: str) -> date | None:
    text = " ".join(cell.casefold().split()).strip()
    if found := _ISO.match(text) or _COMPACT.match(text):
        return _day(found["year"], found["month"], found["day"])
    if found := _NUMERIC.match(text):
        first, second, year = found[1], found[3], found[4]
        return _day(year, second, first) if order == "dmy" else _day(year, first, second)
    if _SERIAL.match(text):
        return _SERIAL_START + timedelta(days=int(text))
    if (found := _WORDY_DAY_FIRST.match(text)) and found[2] in MONTHS:
        return _day(found[3], str(MONTHS[found[2]]), found[1])
    if (found := _WORDY_MONTH_FIRST.match(text)) and found[1] in MONTHS:
        return _day(found[3], str(MONTHS[found[1]]), found[2])
    return None


def read_period(text: str, today: date | None) -> date | None:
    """The last day of a month, a third of one, a quarter or half a year that a text names in words, else None.

    "Mitte März" ends on the 20th. A period without a year is the next to come from `today`.
    """
    for pattern, last_of in _PERIODS:
        found = pattern.search(text)
        if found is None or (found["year"] is None and today is None):
            continue
        named = found["year"]
        year = int(named) + (2000 if len(named) == 2 else 0) if named else (today or date.min).year
        day = last_of(found, year)
        if day is not None and named is None and today is not None and day < today:
            day = last_of(found, year + 1)
        if day is not None:
            return day
    return None


def order_of(cells: Iterable[str]) -> DateOrder:
    """The order that reads every numeric date of a column, or the question to ask."""
    possible = set(ORDERS)
    ambiguous, dotted = "", True
    for cell in set(cells):
        found = None if isinstance(cell, DateCell) else _NUMERIC.match(cell.strip())
        if found is None:
            continue
        readings = {order: day for order in ORDERS if (day := read_date(cell, order)) is not None}
        if not readings:
            continue
        possible &= set(readings)
        dotted = dotted and found[2] == "."
        if len(set(readings.values())) > 1:
            ambiguous = min(ambiguous, cell) if ambiguous else cell
        if not possible:
            return DateOrder(None, cell, is_mixed=True)
    if len(possible) == 1:
        return DateOrder(next(iter(possible)))
    return DateOrder(None, ambiguous) if ambiguous and not dotted else DateOrder("dmy")


def _end_of_month(found: re.Match[str], year: int) -> date | None:
    """The 10th, 20th or last of a month, by the word before it."""
    month = MONTHS.get(found["month"])
    if month is None:
        return None
    part = found["part"] or ""
    third = 10 if re.match(r"anf|beg|early|start", part) else 20 if part.startswith("mi") else 0
    return date(year, month, third) if third else _last_of(year, month)


def _end_of_span(found: re.Match[str], year: int) -> date | None:
    """The last day of a quarter (three months) or half (six)."""
    number, months = int(found["number"]), 6 if found["kind"] in ("h", "hj") else 3
    return _last_of(year, number * months) if 0 < number * months <= 12 else None


def _last_of(year: int, month: int) -> date:
    return date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)


_YEAR = r"(?P<year>20\d{2}|(?<=[/ '’])\d{2})"


def _end_of_numbered_month(found: re.Match[str], year: int) -> date | None:
    month = int(found["month"])
    return _last_of(year, month) if 0 < month <= 12 else None


_PERIODS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], int], date | None]], ...] = (
    (re.compile(rf"\b(?P<kind>q|h)\s?(?P<number>[1-4])(?:\s*[/. '’-]?\s*{_YEAR})?\b"), _end_of_span),
    (
        re.compile(rf"\b(?P<number>[1-4])\.? ?(?P<kind>q|hj)(?:uartal|uarter)?(?:\s*[/. '’-]?\s*{_YEAR})?\b"),
        _end_of_span,
    ),
    (
        re.compile(
            r"(?:\b(?P<part>anfang|anf|beginning(?: of)?|early|start(?: of)?|mitte|mid(?:dle of)?|ende"
            r"|end(?: of)?|late)[ -]+)?"
            rf"(?<![a-zäöü])(?P<month>[a-zäöü]{{3,9}})\.?[ /'’-]*(?:{_YEAR})?$"
        ),
        _end_of_month,
    ),
    (re.compile(r"^(?:ab |from )?(?P<month>\d{1,2})[/.](?P<year>20\d{2})$"), _end_of_numbered_month),
)


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None
