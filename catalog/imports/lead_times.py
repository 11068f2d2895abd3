"""Delivery statements in German and English words, as days with what kind of statement it is."""

import re
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from functools import lru_cache

from catalog.imports.cells import DateCell, NumberCell
from catalog.imports.dates import ORDERS, read_date, read_period

DAYS_OF = {
    "day": Decimal(1), "week": Decimal(7), "month": Decimal(365) / 12, "hour": Decimal(1) / 24, "year": Decimal(365),
}  # fmt: skip
DAYS_MAX = 1500
STATEMENT_LETTERS_MAX = 300

_UNITS = (
    (r"(?:arbeits|werk|bank|liefer)tag(?:e|en)?|at\b|wt\b|(?:working|business) ?days?|bd\b|wd\b", "working"),
    (r"jahre?n?\b|years?\b|yrs?\b", "year"),
    (r"jours? ouvr\w+|werkdag(?:en)?|giorni lavorativi", "working"),
    (r"jours?\b|dag(?:en)?\b|giorn[oi]\b", "day"),
    (r"semaines?\b|sem\b|weken\b|settiman[ae]\b", "week"),
    (r"mois\b|maand(?:en)?\b|mes[ei]\b", "month"),
    (r"tag(?:e|en)?|kalendertag(?:e|en)?|days?|cal(?:endar)? ?days?|tg\b|d\b", "day"),
    (r"wochen?|wo\b|weeks?|wks?\b|w\b|kalenderwochen", "week"),
    (r"monat(?:e|en)?|mon\b|mte?\b|months?|mths?\b|mos?\b", "month"),
    (r"stunden?|std\b|hours?|hrs?\b|h\b", "hour"),
)
_NUMBER_WORDS = {
    "ein": 1, "eine": 1, "einer": 1, "einem": 1, "one": 1, "zwei": 2, "two": 2, "drei": 3, "three": 3, "vier": 4,
    "four": 4, "fünf": 5, "fuenf": 5, "five": 5, "sechs": 6, "six": 6, "sieben": 7, "seven": 7, "acht": 8, "eight": 8,
    "neun": 9, "nine": 9, "zehn": 10, "ten": 10, "elf": 11, "eleven": 11, "zwölf": 12, "zwoelf": 12, "twelve": 12,
}  # fmt: skip
_AMOUNT = r"(?P<low>\d{1,3}(?:[.,]\d{1,2})?)(?:\s*(?:-|–|—|bis|to|till|\.\.\.?|/)\s*(?P<high>\d{1,3}(?:[.,]\d{1,2})?))?"
_SPAN = [(re.compile(rf"{_AMOUNT}\s*\+?\s*-?\s*(?:{words})", re.IGNORECASE), unit) for words, unit in _UNITS]
_IN_STOCK = re.compile(
    r"^(?:ab|auf|an|im)? ?lager(?:nd|ware|bestand)?\b|\bab lager\b|\bin ?stock\b|^stock$|^sofort\b"
    r"|\bsofort (?:lieferbar|verf)|\b(?:am|auf|an) lager\b|^vorr[aä]tig|^verf[uü]gbar$|^immediate|^available$|^lagernd"
    r"|^ex stock|^off the shelf|^am lager|^on hand|^lieferbar$|^ships (?:today|same day)|^same day"
    r"|^(?:low|limited) stock|^en stock|^op voorraad|^disponib[il]\w*$|^(?:qty|menge|bestand):? ?\d+"
    r"|^\d+ (?:units? |pcs |st(?:ü|ue)ck |stk\.? )?(?:verf[uü]gbar|available|lagernd)$"
)
_NOT_IN_STOCK = re.compile(r"\b(?:nicht|kein|not|no|out of|ohne)\b.{0,12}(?:lager|stock|vorr|verf|lieferbar|available)")
_DISCONTINUED = re.compile(
    r"\bdiscontinued\b|\bauslauf\w*|\beol\b|\bend of life\b|\beingestellt\b|\bnicht mehr lieferbar\b|\bobsolete\b"
)
_BACK_ORDERED = re.compile(
    r"\bback[ -]?order\w*|\br[uü]ckstand\b|\bbestellt\b|\bon order\b|\bzulauf\b|\bout of stock\b|\bausverkauft\b"
)
_NONE_LEFT = re.compile(
    r"^0 (?:in stock|available|(?:auf|am|ab) lager|verf|lagernd)|\b(?:stock|lager|bestand|qty): ?0\b"
)
_ALLOCATION = re.compile(r"\ballocat\w*|\ballokation\b|\bkontingent\w*|\bzuteilung\b")
_NO_STATEMENT = re.compile(r"^(?:incl\.?|inkl\.?|included|enthalten|n/?a|entf[aä]llt|-+|–)$")
_WEEK_NUMBER = re.compile(
    r"\b(?:kw|cw|wk|week|kalenderwoche)\.?\s*(?P<week>\d{1,2})(?:\s*(?P<sign>-|–|bis|to|/|\.)\s*(?:kw|cw|wk)?\s*(?P<last>\d{1,2})(?!\d))?"
    r"(?:\s*[/. -]\s*(?P<year>20\d{2}))?\b"
)
_ISO_WEEK = re.compile(r"\b(20\d{2})[- /]?(?:w|kw|cw)\s?(\d{1,2})\b")
_DATE = re.compile(
    r"\d{1,2}\.\d{1,2}\.\d{2,4}|\d{4}-\d{2}-\d{2}|\d{1,2}/\d{1,2}/\d{4}"
    r"|\b\d{1,2}[. -]+[a-zäö]{3,9}\.?[ -]+\d{2,4}\b|\b[a-zäö]{3,9}\.? \d{1,2},? \d{4}\b"
)
_STOCK_COUNT = re.compile(
    r"(?:\(|:|\bstock\b|\blager\b)\s*(\d{1,6})\s*(?:stk|st(?:ü|ue)ck|pcs?|ea|units)?\.?\)?$"
    r"|^(\d{1,6})\s*(?:stk|st(?:ü|ue)ck|pcs|units?|in stock|available|verf[uü]gbar|lagernd)\b"
    r"|^(?:qty|menge|bestand):?\s*(\d{1,6})\b"
)
_PIECES_THERE = re.compile(r"^(?:>=?|≥|über|over)?\s*(\d{1,6})\s*\+?(?:\s*(?:stk|st(?:ü|ue)ck|pcs?|units?)\.?)?$")


_YES, _NO = frozenset({"yes", "y", "ja", "j", "oui", "si"}), frozenset({"no", "n", "nein", "non"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadTime:
    """A delivery statement. Days are None where the statement gives none; `unit` says which days.

    `state`: in_stock, lead_time, back_ordered, allocation, discontinued, unknown, or none (the
    line has no delivery of its own).
    """

    state: str
    min_days: int | None = None
    max_days: int | None = None
    unit: str = "calendar_days"
    promised_on: date | None = None
    stock_count: int | None = None


UNKNOWN = LeadTime(state="unknown")


def read_lead_time(
    cell: str, *, header_unit: str = "", today: date | None = None, order: str = "", states_stock: bool = False
) -> LeadTime:
    """What a cell states on delivery; what cannot be read is unknown.

    `header_unit` (day, week, month) is the unit of the column's header for bare numbers. `today`
    gives the year of a bare calendar week. `order` is that of the column's dates where they prove one.
    In a column that `states_stock` ("availability") "12+" and ">100" are pieces on hand.
    """
    if isinstance(cell, DateCell):
        return LeadTime(state="lead_time", promised_on=cell.day)
    if len(cell) > STATEMENT_LETTERS_MAX:
        return UNKNOWN
    unit = "piece" if states_stock and re.search(r"[>≥+]", cell) else header_unit
    return _read(str(cell), isinstance(cell, NumberCell), unit, today, order)


@lru_cache(maxsize=4096)
def _read(cell: str, is_number: bool, header_unit: str, today: date | None, order: str) -> LeadTime:
    text = " ".join(cell.casefold().replace("\u00a0", " ").split())
    if header_unit == "piece" and (found := _PIECES_THERE.match(text)):
        return pieces_on_hand(int(found[1]))
    if not text or _NO_STATEMENT.match(text):
        return LeadTime(state="none")
    if is_number or re.fullmatch(r"\d{1,3}(?:\s*[-–]\s*\d{1,3})?", text):
        return _bare_number(text, header_unit)
    if _DISCONTINUED.search(text):
        return LeadTime(state="discontinued")
    for word, number in _NUMBER_WORDS.items():
        text = re.sub(rf"\b{word}\b", str(number), text)
    return _span(text) or _dated(text, today, order) or _state_alone(text)


def pieces_on_hand(count: int) -> LeadTime:
    """Pieces on hand are in stock; none on hand says nothing on when more come."""
    if count > 0:
        return LeadTime(state="in_stock", min_days=0, max_days=0, stock_count=count)
    return LeadTime(state="unknown", stock_count=0)


def stock_words(text: str) -> LeadTime | None:
    """What a stock column says in words instead of a number: "in stock", "ja", "ausverkauft"."""
    if not text or any(sign.isdecimal() for sign in text):
        return None
    plain = text.strip().casefold()
    said = read_lead_time("in stock" if plain in _YES else "out of stock" if plain in _NO else text)
    return None if said.state in ("unknown", "none") else said


def stated_day(cell: str) -> str:
    """The date in figures that stands in a cell, "" for none: the dates of a column prove each other's order."""
    found = None if isinstance(cell, DateCell) else _DATE.search(cell[:STATEMENT_LETTERS_MAX].casefold())
    return found[0] if found else ""


def _bare_number(text: str, unit: str) -> LeadTime:
    if unit not in DAYS_OF and unit != "working":
        return UNKNOWN
    return _span(f"{text} {'werktage' if unit == 'working' else unit + 's'}") or UNKNOWN


def _span(text: str) -> LeadTime | None:
    for pattern, unit in _SPAN:
        found = pattern.search(text)
        if found is None:
            continue
        low, high = (Decimal(found[name].replace(",", ".")) if found[name] else None for name in ("low", "high"))
        if low is None or (high is not None and high < low):
            return UNKNOWN
        scale = DAYS_OF.get(unit, Decimal(1))
        least, most = _days(low * scale), _days((high if high is not None else low) * scale)
        if re.search(r"\b(?:bis zu|max\.?|maximal|up to|within|binnen|innerhalb)", text[: found.start()]):
            least = 0
        if most > DAYS_MAX:
            return UNKNOWN
        open_end = (
            bool(
                re.search(
                    r"(?:\b(?:mind\.?|mindestens|min\.?|at least|ab|mehr als|über|over|more than)|>)\s*$",
                    text[: found.start()],
                )
            )
            or "+" in found[0]
            or bool(re.match(r"\s*(?:\+|or more|oder mehr|und mehr|or longer|oder länger|plus\b)", text[found.end() :]))
        )
        return LeadTime(
            state="lead_time" if not _BACK_ORDERED.search(text) else "back_ordered",
            min_days=least,
            max_days=None if open_end else most,
            unit="working_days" if unit == "working" else "calendar_days",
        )
    return None


def _dated(text: str, today: date | None, order: str) -> LeadTime | None:
    state = "back_ordered" if _BACK_ORDERED.search(text) else "lead_time"
    if day := _promised_week(text, today):
        return LeadTime(state=state, promised_on=day)
    if found := _DATE.search(text):
        slashed = (order,) if order else ORDERS
        days = {read_date(found[0], each) for each in (slashed if "/" in found[0] else ("dmy",))}
        days -= {None}  # a date with slashes counts where its column proves an order, or where it reads one way
        if days:
            return LeadTime(state=state, promised_on=days.pop()) if len(days) == 1 else UNKNOWN
    if day := read_period(text, today):
        return LeadTime(state=state, promised_on=day)
    return None


def _promised_week(text: str, today: date | None) -> date | None:
    """The Friday of a calendar week; without a year the next one to come from `today`."""
    if found := _ISO_WEEK.search(text):
        return _friday(int(found[1]), int(found[2]))
    named = list(_WEEK_NUMBER.finditer(text))
    if not named:
        return None
    found = named[-1]  # of several weeks the last one counts
    week, last, year = int(found["week"]), int(found["last"] or 0), int(found["year"] or 0)
    if last and found["sign"] in ("/", ".") and not year and (today is None or 2000 + last >= today.year):
        year, last = 2000 + last, 0  # "KW 12/27"; of "KW 12-14" the last one counts
    if year:
        return _friday(year, last or week)
    if today is None:
        return None
    day = _friday(today.year, last or week)
    return _friday(today.year + 1, last or week) if day and day < today - timedelta(days=30) else day


def _friday(year: int, week: int) -> date | None:
    try:
        return date.fromisocalendar(year, week, 5)
    except ValueError:
        return None


def _state_alone(text: str) -> LeadTime:
    if _ALLOCATION.search(text):
        return LeadTime(state="allocation")
    if _NONE_LEFT.search(text):
        return LeadTime(state="unknown", stock_count=0)
    if _NOT_IN_STOCK.search(text) or _BACK_ORDERED.search(text):
        return LeadTime(state="back_ordered")
    if _IN_STOCK.search(text):
        found = _STOCK_COUNT.search(text)
        count = int(found[1] or found[2] or found[3]) if found else None
        return LeadTime(state="in_stock", min_days=0, max_days=0, stock_count=count)
    return UNKNOWN


def _days(value: Decimal) -> int:
    return int(value.quantize(Decimal(1), rounding=ROUND_HALF_UP))
