"""What the lines above a header say of all rows: currency, tax basis, the day of the list, how long it holds."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta

from catalog.imports.cells import Record
from catalog.imports.columns import currency_in, normalise_header
from catalog.imports.dates import ORDERS, read_date

LETTERS_MAX = 1_000
_DATE = re.compile(
    r"\d{1,2}\.\d{1,2}\.\d{4}|\d{4}-\d{2}-\d{2}|\d{1,2}\. ?[A-Za-zä]{3,9} \d{4}|[A-Za-z]{3,9} \d{1,2}, \d{4}"
    r"|\d{1,2} [A-Za-zä]{3,9} \d{4}|\d{1,2}-[A-Za-z]{3}-\d{4}|\d{1,2}/\d{1,2}/\d{4}"
)
_UNTIL = re.compile(
    r"g[uü](?:e)?ltig(?:keit)?:? (?:\w+ )?bis|valid (?:un)?til|valid (?:to|thru|through)|expires|expiry|geldig tot"
    r"|valable|bindend bis|bis zum",
    re.IGNORECASE,
)
_FOR_DAYS = re.compile(
    r"(?:g[uü](?:e)?ltig\w*|bindefrist|angebotsbindung|valid(?:ity)?)\b\D{0,20}(\d{1,3}) ?(?:tage|days)\b",
    re.IGNORECASE,
)
_TAX = re.compile(
    r"\b(inkl\w*|incl\w*|mit|with|exkl\w*|excl\w*|zzgl|zuz(?:ü|ue)glich|plus|ohne|without|before|hors)\b[^,;]{0,30}?"
    r"\b(?:mwst|ust|mehrwertsteuer|umsatzsteuer|vat|(?:sales )?tax(?:es)?|steuern?|tva|btw|iva)\b",
    re.IGNORECASE,
)
_PLAIN_TAX = {
    "netto": "excl_vat", "net": "excl_vat", "nettopreise": "excl_vat", "ht": "excl_vat",
    "brutto": "incl_vat", "gross": "incl_vat", "bruttopreise": "incl_vat", "ttc": "incl_vat",
}  # fmt: skip
_OF_PRICES = re.compile(
    r"preis|price|betr(?:ä|ae)ge|amounts?\b|w(?:ä|ae)hrung|currency|prix|prijz|prezz|devise", re.IGNORECASE
)
_RATE = re.compile(
    r"\b(?:wechsel|devisen|umrechnungs)?kurs\b|exchange rate|\bfx\b|[A-Z]{3} ?/ ?[A-Z]{3}\b", re.IGNORECASE
)


@dataclass(slots=True)
class Preamble:
    """What the lines above the header say."""

    lines: list[str] = field(default_factory=list)
    currency: str = ""
    tax_basis: str = ""
    price_date: date | None = None
    valid_until: date | None = None


def read_preamble(records: Sequence[Record]) -> Preamble:
    """Currency, tax basis and dates from the lines above a header."""
    found, days = Preamble(), 0
    for record in records:
        text = " ".join(cell.strip() for cell in record.cells if cell.strip())[:LETTERS_MAX]
        if not text:
            continue
        found.lines.append(text)
        found.tax_basis = found.tax_basis or _tax_in(text)
        lasts = _FOR_DAYS.search(text)
        days = days or (int(lasts[1]) if lasts else 0)
        _note_dates(found, text)
    found.currency = _currency_of(found.lines)
    if days and found.price_date and not found.valid_until:
        found.valid_until = found.price_date + timedelta(days=days)
    return found


def _currency_of(lines: Sequence[str]) -> str:
    """The currency of the lines that speak of prices, else the only one named. A rate of exchange names none."""
    said = [(currency, text) for text in lines if not _RATE.search(text) and (currency := currency_in(text))]
    of_prices = [currency for currency, text in said if _OF_PRICES.search(text)]
    all_named = {currency for currency, _text in said}
    return of_prices[0] if of_prices else next(iter(all_named)) if len(all_named) == 1 else ""


def _tax_in(text: str) -> str:
    """Whether prices hold the tax: "zzgl. Versand" says nothing on it, "inkl. 19 % MwSt." does."""
    if found := _TAX.search(text):
        return "incl_vat" if re.match(r"in[kc]|mit|with(?!out)", found[1], re.IGNORECASE) else "excl_vat"
    return next((_PLAIN_TAX[word] for word in normalise_header(text).split() if word in _PLAIN_TAX), "")


def _note_dates(found: Preamble, text: str) -> None:
    """The day behind "valid until" is the end; another one is the day of the list."""
    until = _UNTIL.search(text)
    for place in _DATE.finditer(text):
        day = _day(place[0])
        if day is None:
            continue
        if until and place.start() >= until.start():
            found.valid_until = found.valid_until or day
        else:
            found.price_date = found.price_date or day


def _day(text: str) -> date | None:
    """A day in figures or words; one with slashes only where it reads one way."""
    readings = {read_date(text, order) for order in ORDERS} - {None}
    return readings.pop() if len(readings) == 1 else read_date(text, "dmy") if "/" not in text else None
