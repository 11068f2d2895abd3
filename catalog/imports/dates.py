"""Dates by the order of their column. Dots mean day first unless a cell proves the other; slashes must prove it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
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
_ISO = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$")
_COMPACT = re.compile(r"^(20\d{2})(\d{2})(\d{2})$")
_NUMERIC = re.compile(r"^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d{2})$")
_WORDY_DAY_FIRST = re.compile(r"^(\d{1,2})\.?[ -]*([a-zäöü]+)\.?,?[ -]*(\d{4}|\d{2})$")
_WORDY_MONTH_FIRST = re.compile(r"^([a-zäöü]+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$")
ORDERS = ("dmy", "mdy")


@dataclass(frozen=True, slots=True)
class DateOrder:
    """`order` is None where the column does not prove whether day or month comes first."""

    order: str | None
    example: str = ""
    is_mixed: bool = False


def read_date(cell: str, order: str) -> date | None:
    """The day a cell names when its numeric dates are written in `order` (dmy or mdy), else None."""
    return cell.day if isinstance(cell, DateCell) else _read_text(cell, order)


@lru_cache(maxsize=4_096)
def _read_text(cell: str, order: str) -> date | None:
    text = " ".join(cell.casefold().split()).strip()
    if found := _ISO.match(text) or _COMPACT.match(text):
        return _day(found[1], found[2], found[3])
    if found := _NUMERIC.match(text):
        first, second, year = found[1], found[3], found[4]
        return _day(year, second, first) if order == "dmy" else _day(year, first, second)
    if (found := _WORDY_DAY_FIRST.match(text)) and found[2] in MONTHS:
        return _day(found[3], str(MONTHS[found[2]]), found[1])
    if (found := _WORDY_MONTH_FIRST.match(text)) and found[1] in MONTHS:
        return _day(found[3], str(MONTHS[found[1]]), found[2])
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


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None
