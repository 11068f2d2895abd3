"""Which column means what: header words of two languages, the header's row, and what stands above it."""

import re
import unicodedata
from collections.abc import ItemsView, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from catalog.imports.cells import Record
from catalog.imports.header_words import PATTERNS, WORDS
from catalog.imports.tiers import STEP, TIER, numbered_pairs, per_of, tier_of

HEADER_ROWS_SEARCHED = 60
HEADER_LETTERS_MAX = 150
LONG_HEADER = 5  # words; a longer text is a sentence, not a header

ROLE_OF = {word: role for role, words in reversed(WORDS.items()) for word in words}
MONEY_ROLES = ("price", "list", "ext_price")
KEY_ROLES = frozenset({"mpn", "sku", "description", "price", "list", "ext_price", "gtin"})
_TAX_WORDS = {"netto": "excl_vat", "net": "excl_vat", "nettopreis": "excl_vat", "ht": "excl_vat", "hors": "excl_vat",
              "nettoprijs": "excl_vat", "ttc": "incl_vat", "excl": "excl_vat", "exkl": "excl_vat", "zzgl": "excl_vat",
              "brutto": "incl_vat", "gross": "incl_vat", "inkl": "incl_vat",
              "incl": "incl_vat"}  # fmt: skip
_CURRENCIES = (
    "eur", "euro", "chf", "usd", "gbp", "pln", "czk", "sek", "nok", "dkk", "jpy", "cad", "aud", "sgd", "hkd", "inr",
    "cny", "huf", "ron", "krw", "twd", "brl", "zar", "ils", "aed", "nzd", "mxn",
)  # fmt: skip
_SET_ASIDE = frozenset({
    *_CURRENCIES, *(_TAX_WORDS.keys() - {"nettopreis", "nettoprijs"}), "mwst", "ust", "vat", "btw", "tva", "in", "je",
    "pro", "per", "stk", "stck", "pcs", "100", "1000", "ve", "vpe",
})  # fmt: skip
_CURRENCY_CODE = re.compile(rf"(?<![A-Za-z])({'|'.join(_CURRENCIES)})(?![A-Za-z])", re.IGNORECASE)
_UNIT_OF = {"wochen": "week", "weeks": "week", "wks": "week", "tage": "day", "tagen": "day", "days": "day",
            "monate": "month", "months": "month", "werktage": "working", "arbeitstage": "working"}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column: its header as printed, its place (from 0) and its role ("" for one we do not use)."""

    at: int
    header: str
    role: str
    tax_basis: str = ""
    currency: str = ""
    unit: str = ""
    min_qty: int = 0  # of a price by quantity: from which one it holds
    per: int = 1  # for how many pieces the prices of the column stand
    states_stock: bool = False  # "availability": "12+" are pieces there, not weeks

    @property
    def is_money(self) -> bool:
        return self.role in MONEY_ROLES or self.role.startswith((TIER, STEP))


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The header of a table. `first` is the index of the first record below it."""

    header_line: int
    first: int
    columns: tuple[Column, ...]
    doubled: tuple[tuple[int, ...], ...] = ()  # places of columns that share one role of money
    _by_role: dict[str, Column] = field(default_factory=dict, init=False, repr=False, compare=False)
    _places: dict[str, int] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for column in reversed(self.columns):
            if column.role:
                self._by_role[column.role], self._places[column.role] = column, column.at

    def at(self, role: str) -> int | None:
        return self._places.get(role)

    @property
    def places(self) -> ItemsView[str, int]:
        """Role and place of the first column of each role."""
        return self._places.items()

    def column(self, role: str) -> Column | None:
        """The first column of a role."""
        return self._by_role.get(role)


@lru_cache(maxsize=4096)
def normalise_header(text: str) -> str:
    """Lower case, umlauts spelt out, signs as blanks: "Art.-Nr." is "art nr"."""
    text = unicodedata.normalize("NFKC", text).casefold()
    for umlaut, spelt in (("ä", "ae"), ("ö", "oe"), ("ü", "ue"), ("'", ""), ("’", "")):
        text = text.replace(umlaut, spelt)
    if not text.isascii():  # é, è, ç of French and Italian headers
        text = "".join(sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign))
    return " ".join(re.sub(r"[^a-z0-9]+", " ", text).split())


def role_of(header: str) -> str:
    """The role a header word names, "" for none. Currency, unit and tax words in it are set aside."""
    if len(header) > HEADER_LETTERS_MAX:
        return ""
    words = normalise_header(header)
    if words in ROLE_OF:
        return ROLE_OF[words]
    bare = [word for word in words.split() if word not in _SET_ASIDE]
    for length in range(len(bare), 0, -1):
        role = ROLE_OF.get(" ".join(bare[:length]))
        if role and (length == len(bare) or length >= 2):
            return role
    return next((role for role, pattern in PATTERNS if pattern.search(words)), "") if len(bare) <= LONG_HEADER else ""


def header_score(cells: Sequence[str]) -> float:
    """How much a row looks like a header: known words, less what looks like data."""
    roles = {role_of(cell) for cell in cells if cell.strip()} - {""}
    if not roles & KEY_ROLES:
        return 0.0
    numeric = sum(
        1 for cell in cells if re.fullmatch(r"[^A-Za-z]*\d[^A-Za-z]*", cell.strip() or "x") and not tier_of(cell)
    )
    return len(roles) - 0.75 * numeric


def find_layout(records: Sequence[Record], merged_rows: frozenset[int] = frozenset()) -> Layout | None:
    """The header with at least two known columns, one of which identifies or prices; None where there is none."""
    best, best_score = None, 1.5
    for index, record in enumerate(records[:HEADER_ROWS_SEARCHED]):
        score = header_score(record.cells)
        if score > best_score:
            best, best_score = index, score
    if best is None:
        return None
    top, bottom = best, best
    if best > 0 and _is_upper_header(records[best - 1], merged_rows):
        top = best - 1
    elif best + 1 < len(records) and _is_lower_header(records[best], records[best + 1], merged_rows):
        bottom = best + 1
    if top == bottom:
        columns = [_column(at, header) for at, header in enumerate(records[best].cells)]
    else:
        columns = [_stacked(at, *pair) for at, pair in _pairs(records[top].cells, records[bottom].cells)]
    return _settled(columns, header_line=records[top].line, first=bottom + 1)


def layout_from_roles(roles: Sequence[str], *, header_line: int, first: int, headers: Sequence[str] = ()) -> Layout:
    """A layout that a person or a saved profile states, column by column ("" for unused)."""
    read = [_column(at, headers[at] if at < len(headers) else "") for at in range(len(roles))]
    columns = [
        replace(column, role=role, min_qty=int(role.removeprefix(TIER)) if role.startswith(TIER) else column.min_qty)
        for column, role in zip(read, roles, strict=True)
    ]
    return Layout(header_line=header_line, first=first, columns=tuple(columns))


def _column(at: int, header: str) -> Column:
    words = normalise_header(header).split()
    role, least = role_of(header), tier_of(header)
    return Column(
        at=at,
        header=header.strip()[:HEADER_LETTERS_MAX],
        role=f"{TIER}{least}" if least and role in ("", "price", "min_qty", "qty") else role,
        tax_basis=next((_TAX_WORDS[word] for word in words if word in _TAX_WORDS), ""),
        currency=currency_in(header),
        unit=next((_UNIT_OF[word] for word in words if word in _UNIT_OF), ""),
        min_qty=least,
        per=per_of(header),
        states_stock=role == "lead_time"
        and bool(re.search(r"avail|verfueg|lieferbar|lieferstatus|dispo", " ".join(words))),
    )


def _settled(columns: list[Column], *, header_line: int, first: int) -> Layout:
    """One column per role: the first wins, a supplier's number stands in for a missing maker's number.

    Two columns of one money role are both kept and reported, for a person to name.
    """
    pairs = numbered_pairs([column.header for column in columns])
    columns = [replace(each, role=pairs[each.at], min_qty=0) if each.at in pairs else each for each in columns]
    roles: dict[str, list[int]] = {}
    for column in columns:
        if column.role:
            roles.setdefault(column.role, []).append(column.at)
    if "mpn" not in roles and "sku" in roles:
        best = min(roles["sku"], key=lambda at: (_number_rank(columns[at].header), at))
        roles["sku"].remove(best)
        roles["mpn"] = [best]
    _free_ext_price(roles)
    _lowest_tier_is_the_price(roles)
    if len(roles.get("price", ())) > 1:  # of a net and a gross price the net one is the price
        roles["price"].sort(key=lambda at: (columns[at].tax_basis == "incl_vat", at))
    role_at = {places[0]: role for role, places in roles.items() if places}
    doubled = tuple(
        tuple(places)
        for role, places in roles.items()
        if role in MONEY_ROLES and len(places) > 1 and _same(columns, places)
    )
    settled = [replace(column, role=role_at.get(column.at, "")) for column in columns]
    return Layout(header_line=header_line, first=first, columns=tuple(settled), doubled=doubled)


def _number_rank(header: str) -> int:
    """How surely a header names an orderable number: "Part Number" before "Artikel" before "Item" or "ID"."""
    words = normalise_header(header)
    if re.search(r"part|teile|\bpn\b|\bp n\b|model", words):
        return 0
    return 1 if re.search(r"art|bestell|order|produ|sku|nummer|number|material", words) else 2


def _free_ext_price(roles: dict[str, list[int]]) -> None:
    """A lone "total" or "amount" column is the price where nothing else is."""
    if not roles.get("price") and roles.get("ext_price") and not roles.get("qty") and not roles.get("list"):
        roles["price"] = [roles["ext_price"].pop(0)]


def _lowest_tier_is_the_price(roles: dict[str, list[int]]) -> None:
    """Where prices stand by quantity alone, the one for the smallest quantity is the price."""
    tiers = sorted((role for role in roles if role.startswith(TIER)), key=lambda role: int(role.removeprefix(TIER)))
    if tiers and not roles.get("price"):
        roles["price"] = roles.pop(tiers[0])


def _same(columns: list[Column], places: list[int]) -> bool:
    """Whether columns of one role cannot be told apart by tax basis: net before gross is no doubt."""
    return len({(columns[at].tax_basis, columns[at].currency) for at in places}) < len(places)


def _is_upper_header(record: Record, merged_rows: frozenset[int]) -> bool:
    """A row of group titles over the header: merged, or known words without any data."""
    filled = [cell for cell in record.cells if cell.strip()]
    if len(filled) < 2 or any(re.search(r"\d", cell) for cell in filled):
        return False
    return record.line in merged_rows and sum(bool(role_of(cell)) for cell in filled) >= 1


def _is_lower_header(upper: Record, record: Record, merged_rows: frozenset[int]) -> bool:
    filled = [cell for cell in record.cells if cell.strip()]
    if not filled or any(re.search(r"\d", cell) for cell in filled):
        return False
    alone = [bool(role_of(cell)) or normalise_header(cell) in _TAX_WORDS or bool(currency_in(cell)) for cell in filled]
    joined = sum(
        bool(role_of(_joined(_get(upper.cells, at), cell))) for at, cell in enumerate(record.cells) if cell.strip()
    )
    known = max(sum(alone), joined if any(alone) else 0)
    is_marked = upper.line in merged_rows or record.line in merged_rows or len(filled) < len(record.cells)
    return is_marked and known >= max(1, len(filled) - 1)


def _pairs(upper: Sequence[str], lower: Sequence[str]) -> Iterator[tuple[int, tuple[str, str]]]:
    """Place, group title and header of each column of a header in two rows."""
    return enumerate((_get(upper, at), _get(lower, at)) for at in range(max(len(upper), len(lower))))


def _stacked(at: int, title: str, low: str) -> Column:
    """A column by both rows of its header; where they say nothing together, the lower one alone may."""
    column = _column(at, _joined(title, low))
    if column.role or not low:
        return column
    alone = _column(at, low)
    if alone.role.startswith(TIER) and role_of(title) not in ("", "price"):
        return column
    return replace(column, role=alone.role, min_qty=alone.min_qty, unit=column.unit or alone.unit)


def _joined(title: str, low: str) -> str:
    """Both lines of a header as one: "Liefer-" over "zeit" is one word."""
    if title.endswith("-") and low[:1].islower():
        return title[:-1] + low
    return f"{title} {low}".strip() if title != low else title


def _get(cells: Sequence[str], at: int) -> str:
    return cells[at].strip() if at < len(cells) else ""


def currency_in(text: str) -> str:
    """The code of the first currency that a header or line names, "" for none."""
    if found := _CURRENCY_CODE.search(text):
        return "EUR" if found[1].casefold() == "euro" else found[1].upper()
    if "€" in text:
        return "EUR"
    return "USD" if "US$" in text else ""
