"""Manufacturers' part numbers: text from end to end, compared without case and separators."""

import re
from collections.abc import Iterable

_SEPARATORS = re.compile(r"[^0-9A-Z]+")


def normalise_mpn(mpn: str) -> str:
    """The number in upper case without blanks, dashes, dots and slashes; only for matching, never for show.

    A leading zero stays: it is a digit of the number.
    """
    return _SEPARATORS.sub("", mpn.upper())


def alias_text(text: str) -> str:
    """A supplier's wording for comparison: one case, single blanks."""
    return " ".join(text.casefold().split())[:500]


def numbers_of(rows: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Part numbers to slugs from (slug, maker's number, system maker's number); clashes are left out."""
    found: dict[str, str] = {}
    clashes: set[str] = set()
    for slug, *numbers in rows:
        for number in filter(None, numbers):
            if found.setdefault(number, slug) != slug:
                clashes.add(number)
    return {number: slug for number, slug in found.items() if number not in clashes}
