"""Numbers by the style of their column: German, Swiss, English, or a question.

One cell decides nothing alone. A style must read every cell of the column; where several styles do and
any cell would have another value, a person is asked once. Amounts are Decimal, never binary floats.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import combinations
from typing import NamedTuple

from catalog.imports.cells import NumberCell

STYLES = ("de", "en", "de-CH")
DIGITS_MAX = 15
AMOUNT_LETTERS_MAX = 80  # a longer cell is a text, and patterns over it would take the square of its length
UNKNOWN_WORDS = frozenset({
    "tbd", "tba", "tbc", "tbn", "n/a", "na", "n.a.", "n. a.", "k.a.", "k. a.", "ka", "-", "--", "---", "–", "—", "?",
    "call", "call us", "call for price", "call for pricing", "please call", "contact us", "ask", "request", "poa",
    "on request", "upon request", "price on request", "to be defined", "to be determined", "to be confirmed", "unknown",
    "anfrage", "auf anfrage", "auf anfr.", "a. anfr.", "a.a.", "a. a.", "a.a", "aa", "preis auf anfrage", "offen",
    "unbekannt", "tagespreis", "in klärung", "folgt", "wird nachgereicht", "n. v.", "n.v.", "nach vereinbarung",
    "p.o.a.", "auf anfr", "preis a.a.", "preis a. a.", "bitte anfragen", "tagesaktuell", "projektpreis", "(leer)",
    "request quote", "request a quote", "rfq", "contact sales", "login for price", "quote", "sur demande",
    "prix sur demande", "op aanvraag", "su richiesta", "see quote", "siehe angebot", "market price",
})  # fmt: skip

_SPACE = "[ \u00a0\u2007\u2009\u202f]"
_CURRENCY = {
    "€": "EUR", "eur": "EUR", "euro": "EUR", "chf": "CHF", "fr.": "CHF", "fr": "CHF", "sfr.": "CHF", "sfr": "CHF",
    "us$": "USD", "usd": "USD", "$": "USD", "£": "GBP", "gbp": "GBP", "¥": "JPY", "jpy": "JPY", "pln": "PLN",
    "zł": "PLN", "czk": "CZK", "sek": "SEK", "nok": "NOK", "dkk": "DKK", "cad": "CAD", "ca$": "CAD", "c$": "CAD",
    "aud": "AUD", "a$": "AUD", "s$": "SGD", "sgd": "SGD", "hkd": "HKD", "hk$": "HKD", "cny": "CNY", "rmb": "CNY",
    "inr": "INR", "₹": "INR", "huf": "HUF", "ron": "RON", "krw": "KRW", "twd": "TWD", "nt$": "TWD", "brl": "BRL",
    "zar": "ZAR", "ils": "ILS", "aed": "AED", "nzd": "NZD", "mxn": "MXN",
}  # fmt: skip
CURRENCY_CODES = frozenset(_CURRENCY.values())
_CURRENCY_WORD = "|".join(sorted(map(re.escape, _CURRENCY), key=len, reverse=True))
_AROUND = re.compile(
    rf"^(?P<before>{_CURRENCY_WORD})?{_SPACE}*(?P<number>[^a-z€$£¥₹ł]*?){_SPACE}*(?P<after>{_CURRENCY_WORD})?"
    rf"{_SPACE}*(?:netto|net|excl\.? vat|zzgl\.? mwst\.?)?"
    r"(?: ?(?:/|per|pro|je) ?(?:stk|st(?:ü|ue)ck|st|pcs?|ea|each|unit)\.?)?$"
)
_GROUP = {"de": rf"(?:\.|{_SPACE})", "en": rf"(?:,|{_SPACE})", "de-CH": rf"(?:['’`´ʼ]|{_SPACE})"}
_POINT = {"de": ",", "en": r"\.", "de-CH": r"\."}
_BARE = re.compile(r"[0-9](?:[0-9.,'’]*[0-9])?")  # only digits and marks: nothing to set aside
_NO_CENTS = r"(?:[-–—]{1,2})"


def _pattern(style: str) -> re.Pattern[str]:
    group, point = _GROUP[style], _POINT[style]
    whole = rf"(?P<whole>[1-9][0-9]{{0,2}}(?P<mark>{group})[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*|[0-9]+)"
    return re.compile(rf"^(?P<sign>[-+−–])?(?:{whole})?(?:{point}(?:(?P<part>[0-9]+)|{_NO_CENTS})?)?$")


_PATTERNS = {style: _pattern(style) for style in STYLES}
_DASH_CENTS = {style: re.compile(rf"^[-–—]{{1,2}}{_POINT[style]}(?P<part>[0-9]{{2}})$") for style in STYLES}


class Amount(NamedTuple):
    """A cell split into its number text and its currency ("" where none stands in the cell)."""

    raw: str
    text: str
    currency: str
    exact: Decimal | None = None
    negative: bool = False


@dataclass(frozen=True, slots=True)
class ColumnStyle:
    """How a column is read. `style` is None where no style or several readings fit."""

    style: str | None
    possible: tuple[str, ...]
    example: str = ""  # a cell that the possible styles read differently
    is_mixed: bool = False


def currency_of(text: str) -> str:
    """The code of a currency's sign or short name, "" for none."""
    return _CURRENCY.get(text.strip().casefold(), "")


def is_unknown_word(text: str) -> bool:
    """Whether a price cell says that there is no price: empty, "TBD", "auf Anfrage", a dash."""
    if text[:1].isdecimal():
        return False  # most cells by far
    return not text.strip() or (len(text) <= AMOUNT_LETTERS_MAX and " ".join(text.casefold().split()) in UNKNOWN_WORDS)


def split_amount(cell: str) -> Amount | None:
    """The number text and currency of a cell, or None where it is no amount at all."""
    if isinstance(cell, NumberCell):
        return Amount(cell, str(cell), "", cell.number, cell.number < 0)
    if len(cell) > AMOUNT_LETTERS_MAX:
        return None
    if _BARE.fullmatch(cell):
        return Amount(cell, cell, "")
    text = cell.strip().replace("\u00a0", " ").casefold()
    negative = text.startswith("(") and text.endswith(")")
    found = _AROUND.match(text.strip("()") if negative else text)
    if found is None or not any(sign.isdecimal() for sign in found["number"]):
        return None
    number = found["number"].strip()
    if len(number) > 1 and number[-1] in "-−" and number[-2].isdecimal():  # "125,00-" is SAP's minus
        number, negative = number[:-1], True
    if number[:1] in "-+−" and found["before"] is None and number[1:2] == " ":
        number = number[0] + number[1:].strip()
    before, after = (_CURRENCY.get(found[name] or "", "") for name in ("before", "after"))
    if before and after and before != after:
        return None
    return Amount(cell, number, before or after, None, negative)


def read_number(amount: Amount, style: str) -> Decimal | None:
    """The value of an amount in a style, or None where the style cannot read it.

    "-.95" and "-,95" are the dash notation for no whole units, so 0.95, only in a Swiss or German
    reading; "31'200.-" and "1.299,--" have no cents.
    """
    if amount.exact is not None:
        return amount.exact
    dash = _DASH_CENTS[style].match(amount.text) if style != "en" and amount.text[:1] in "-–—" else None
    if dash:
        return Decimal(f"0.{dash['part']}")
    found = _PATTERNS[style].match(amount.text)
    if found is None or (found["whole"] is None and found["part"] is None):
        return None
    sign, whole, mark, part = found.group("sign", "whole", "mark", "part")
    whole, part = (whole or "0").replace(mark or " ", ""), part or ""
    if len(whole) + len(part) > DIGITS_MAX:
        return None
    value = Decimal(f"{whole}.{part}" if part else whole)
    return -value if amount.negative or (sign or "+") in "-−–" else value


def style_of(cells: Iterable[str]) -> ColumnStyle:
    """The one style that reads every number of a column, or the question to ask.

    Cells that are no amounts (words, blanks) decide nothing.
    """
    possible: tuple[str, ...] = STYLES
    differing: dict[tuple[str, str], str] = {}  # for two styles, a cell that they read differently
    for cell in dict.fromkeys(cell for cell in cells if not isinstance(cell, NumberCell)):
        amount = split_amount(cell)
        if amount is None or amount.text.isdecimal() or (len(possible) == 1 and _is_plain(amount.text, possible[0])):
            continue
        read = {style: value for style in possible if (value := read_number(amount, style)) is not None}
        if read:
            possible = tuple(read)
            for pair in combinations(possible, 2):
                if read[pair[0]] != read[pair[1]]:
                    differing.setdefault(pair, cell)
        elif any(read_number(amount, style) is not None for style in STYLES):
            return ColumnStyle(None, STYLES, cell, is_mixed=True)
    undecided = next((differing[pair] for pair in combinations(possible, 2) if pair in differing), "")
    if undecided:
        return ColumnStyle(None, possible, undecided)
    # whole numbers alone: every style reads the same
    return ColumnStyle("en" if len(possible) == len(STYLES) else possible[0], possible)


def _is_plain(text: str, style: str) -> bool:
    """Whether a style reads a number, found without its value: a long column proves its style early."""
    found = _PATTERNS[style].match(text)
    return found is not None and (found["whole"] is not None or found["part"] is not None)


def distinct_readings(cell: str, styles: Sequence[str]) -> dict[str, Decimal]:
    """Each style's value of a cell, one style per distinct value, in the order of `styles`."""
    amount = split_amount(cell)
    found: dict[str, Decimal] = {}
    for style in styles:
        value = read_number(amount, style) if amount else None
        if value is not None and value not in found.values():
            found[style] = value
    return found
