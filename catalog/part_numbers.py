"""Manufacturers' part numbers: text from end to end, compared without case and separators."""

import re

_SEPARATORS = re.compile(r"[^0-9A-Z]+")


def normalise_mpn(mpn: str) -> str:
    """The number in upper case without blanks, dashes, dots and slashes; only for matching, never for show.

    A leading zero stays: it is a digit of the number.
    """
    return _SEPARATORS.sub("", mpn.upper())


def alias_text(text: str) -> str:
    """A supplier's wording for comparison: one case, single blanks."""
    return " ".join(text.casefold().split())[:500]
