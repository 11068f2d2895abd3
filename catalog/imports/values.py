"""Cells to values, row by row, in the styles that their columns were found to have."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from catalog.imports.answers import Answers
from catalog.imports.cells import DateCell, FormulaCell, FormulaNumber, NumberCell, Record
from catalog.imports.columns import Layout
from catalog.imports.currencies import CURRENCIES
from catalog.imports.dates import read_date, read_period
from catalog.imports.lead_times import LeadTime, pieces_on_hand, read_lead_time, stock_words
from catalog.imports.line_types import read_type
from catalog.imports.numbers import currency_of, is_unknown_word, read_number, split_amount
from catalog.imports.rows import Action, ImportRow
from catalog.imports.styles import Styles
from catalog.imports.tiers import BREAK, PER_PACK, STEP, TIER, read_price_unit, read_selling_unit

MPN_LETTERS_MAX = 80
PRICE_MAX = Decimal(10) ** 11
PRICE_DECIMALS_MAX = 6
TEXT_ROLES = {
    "pos": 40, "parent": 40, "manufacturer": 100, "supplier": 100, "sku": 80, "description": 500, "vat": 20,
    "qty_basis": 30, "unit": 30, "status": 60, "origin": 100, "eccn": 15, "hts": 20, "category": 100,
}  # fmt: skip
_MONTH = r"(?:jan|feb|mrz|mär|mar|apr|mai|may|jun|jul|aug|sep|okt|oct|nov|dez|dec)"
_DAMAGED = re.compile(
    r"^[0-9][.,][0-9]+E[+-]?[0-9]+$|^[0-9]+E\+[0-9]+$|^#{3,}$"
    r"|^#(?:N/A|NV|REF!|BEZUG!|NAME\?|WERT!|VALUE!|DIV/0!|ZAHL!|NUM!)"
    rf"|^\d{{1,2}}[.-]? ?{_MONTH}(?:[. -]\d{{2,4}})?$|^{_MONTH}[. -](?:\d\d|(?:19|20)\d\d)$"
    r"|^\d{1,2}\.\d{1,2}\.(?:19|20)\d{2}$|^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$",
    re.IGNORECASE,
)
_TAX_SAID = (
    ("incl_vat", re.compile(r"^(?:brutto|gross|i)$|\b(?:inkl|incl|mit)\b", re.IGNORECASE)),
    ("excl_vat", re.compile(r"^(?:netto|net|n|e)$|\b(?:exkl|excl|zzgl|ohne)\b", re.IGNORECASE)),
)
_BLANKS = " \t\u00a0\u200b\u2060\ufeff"  # also those of no width
_TEXT_FORMULA = re.compile(r'^="([^"=]*)"$')  # how programs protect the zeros of a number from a spreadsheet


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """Everything that reading a row needs to know about its file."""

    layout: Layout
    styles: Styles
    answers: Answers
    currency: str
    tax_basis: str
    price_date: date | None
    valid_until: date | None
    today: date
    is_feed: bool = False
    _texts: list[tuple[str, int, int]] = field(default_factory=list, init=False)
    _tiers: list[tuple[int, int]] = field(default_factory=list, init=False)  # from which quantity, and the place
    _steps: list[tuple[str, str]] = field(default_factory=list, init=False)  # roles of a quantity and its price
    _per: dict[str, int] = field(default_factory=dict, init=False)  # for how many pieces the prices of a role stand

    def __post_init__(self) -> None:
        for role, limit in TEXT_ROLES.items():
            place = self.layout.at(role)
            if place is not None:
                self._texts.append((role, place, limit))
        for role in ("price", "list"):
            column = self.layout.column(role)
            self._per[role] = column.per if column else 1
        self._steps.extend(
            (role, f"{STEP}{role.removeprefix(BREAK)}") for role, _place in self.layout.places if role.startswith(BREAK)
        )
        self._tiers.extend(
            sorted((each.min_qty, each.at) for each in self.layout.columns if each.role.startswith(TIER))
        )

    @property
    def tiers(self) -> Sequence[tuple[int, int]]:
        return self._tiers

    @property
    def steps(self) -> Sequence[tuple[str, str]]:
        return self._steps

    @property
    def per(self) -> Mapping[str, int]:
        return self._per

    def row(self, record: Record) -> ImportRow:
        """One record as a row: values understood, or set aside with the reason."""
        row = ImportRow(line=record.line, raw=record.cells)
        if record.fault:
            row.set_aside(Action.REJECTED, "row_" + record.fault)
            return row
        cells = _Cells(record.cells, self)
        for role, place, limit in self._texts:
            if text := cells.at(place):
                squeezed = " ".join(text.split())
                setattr(row, role, text if squeezed == text and len(text) <= limit else squeezed[:limit])
        row.currency = self.currency
        _read_identity(row, cells)
        read_type(row, kind=cells.text("type"), remark=cells.raw("remark"))
        _read_quantities(row, cells)
        _read_prices(row, cells)
        _read_tiers(row, cells)
        _read_price_unit(row, cells)
        _read_dates(row, cells)
        _read_lead_time(row, cells)
        if record.hidden and self.answers.hidden_rows != "include":
            skip = self.answers.hidden_rows == "skip"
            row.set_aside(Action.SKIPPED if skip else Action.HELD, "row_hidden")
        return row


class _Cells:
    """The cells of one row, by place and by the role of their column."""

    __slots__ = ("_by_role", "_cells", "reader")

    def __init__(self, cells: Sequence[str], reader: Reader) -> None:
        width = len(cells)
        self._cells, self.reader = cells, reader
        self._by_role = {role: cells[place] for role, place in reader.layout.places if place < width}

    def raw(self, role: str) -> str:
        return self._by_role.get(role, "")

    def at(self, place: int | None) -> str:
        return self._cells[place] if place is not None and place < len(self._cells) else ""

    def text(self, role: str) -> str:
        return " ".join(self.raw(role).split())


def _read_identity(row: ImportRow, cells: _Cells) -> None:
    raw = cells.raw("mpn")
    protected = _TEXT_FORMULA.match(raw.strip())
    row.mpn = (protected[1] if protected else raw).strip(_BLANKS).removeprefix("'")
    gtin = cells.raw("gtin").replace(" ", "").replace("-", "").removesuffix(".0").removesuffix(",0")
    row.gtin = gtin if gtin and re.fullmatch(r"\d{8}|\d{12,14}", gtin) else ""
    if gtin and not row.gtin and _DAMAGED.match(gtin):
        row.warn("row_damaged_gtin", value=gtin[:30])
    if (
        isinstance(raw, DateCell | FormulaCell | FormulaNumber)
        or _DAMAGED.match(row.mpn)
        or (isinstance(raw, NumberCell) and raw.lost_digits)
    ):
        row.set_aside(Action.REJECTED, "row_damaged_part_number", value=row.mpn[:40])
    elif row.mpn[:1] in ("=", "@") or (row.mpn[:1] in ("+", "-") and not row.mpn[1:2].isalnum()):
        row.set_aside(Action.REJECTED, "row_formula_text", value=row.mpn[:40])
    elif len(row.mpn) > MPN_LETTERS_MAX:
        row.set_aside(Action.REJECTED, "row_part_number_too_long", limit=MPN_LETTERS_MAX)
    elif not row.mpn:
        other = row.sku or row.gtin
        row.set_aside(Action.HELD if other else Action.REJECTED, "row_no_part_number")


def _read_quantities(row: ImportRow, cells: _Cells) -> None:
    row.qty = _number(row, cells, "qty")
    stock = cells.raw("stock")
    row.lead = stock_words(stock) if stock else None
    for role in ("min_qty", "pack", "stock") if row.lead is None else ("min_qty", "pack"):
        value = _number(row, cells, role)
        if value is not None and (value != value.to_integral_value() or not 0 <= value <= 10**9):
            row.warn("row_no_whole_number", role=role, value=cells.text(role)[:30])
            value = None
        setattr(row, role, None if value is None else int(value))


def _number(row: ImportRow, cells: _Cells, role: str) -> Decimal | None:
    """A quantity: digits in the column's style, leading words ("ab 10", "10 Stk.") set aside."""
    text = cells.raw(role)
    if not text or is_unknown_word(text):
        return None
    amount = split_amount(text.strip().strip("<>~≥≤+ "))
    if amount is None:
        found = re.fullmatch(
            r"(?:ab|from|>=?|min\.?)?\s*(\d[\d.,]*)\s*(?:stk|st(?:ü|ue)ck|pcs?|ea|each|x)?\.?\+?",
            text.strip().casefold(),
        )
        amount = split_amount(found[1]) if found else None
    style = cells.reader.styles.numbers.get(cells.reader.layout.at(role) or 0)
    value = read_number(amount, style) if amount and style else None
    if value is None:
        row.warn("row_no_number", role=role, value=text.strip()[:30])
    return value


def _read_prices(row: ImportRow, cells: _Cells) -> None:
    layout = cells.reader.layout
    for group in layout.doubled:
        row.prices = tuple(_money(row, cells, at, strict=True) for at in group)
        if not cells.reader.answers.price_column:
            _check_doubled(row)
            _read_currency(row, cells)
            return
    row.list_price = _money(row, cells, layout.at("list"), strict=False)
    row.ext_price = _money(row, cells, layout.at("ext_price"), strict=False)
    price_at = layout.at("price")
    if price_at is None:
        _price_from_list(row, cells)
    else:
        row.price = _money(row, cells, price_at, strict=True)
    _read_currency(row, cells)
    _check_price(row, cells.text("price"))
    column = layout.column("price")
    row.tax_basis = (
        cells.reader.answers.tax_basis
        or next((basis for basis, said in _TAX_SAID if said.search(cells.text("vat"))), "")
        or (column.tax_basis if column else "")
        or cells.reader.tax_basis
    )
    row.price_date = cells.reader.price_date
    if column and column.min_qty > 1 and row.min_qty is None:
        row.min_qty = column.min_qty


def _price_from_list(row: ImportRow, cells: _Cells) -> None:
    """Without a column of prices the list price is all there is; with a discount beside it, what is left of it."""
    if row.list_price is None:
        row.set_aside(Action.HELD, "row_unknown_price", value="")
        return
    text = cells.raw("discount")
    if not text.strip():
        row.price, row.is_list_only = row.list_price, True
        return
    column = cells.reader.layout.column("discount")
    style = cells.reader.styles.numbers.get(column.at) if column else None
    amount = split_amount(text if isinstance(text, NumberCell) else text.replace("%", ""))
    share = read_number(amount, style or "en") if amount and (style or amount.exact is not None) else None
    # 0.15 without a per cent sign may be 15 % or 0.15 %: not ours to choose
    says_pct = "%" in text or bool(column and re.search("%|proz|perc|pct", column.header.casefold()))
    if share is None or not 0 <= share < 100 or (0 < share < 1 and not says_pct):
        row.set_aside(Action.HELD, "row_unknown_discount", value=text.strip()[:40])
        return
    row.price = row.list_price * (100 - share) / 100
    row.warn("row_price_from_discount", discount_pct=format(share, "f"), price=format(row.price, "f"))


def _read_tiers(row: ImportRow, cells: _Cells) -> None:
    """Prices by quantity beside the price; an unknown one is left out."""
    found = []
    for least, place in cells.reader.tiers:
        amount = _money(row, cells, place, strict=False)
        if amount is not None and amount > 0:
            found.append((least, amount))
    for quantity, price in cells.reader.steps:
        least_pieces, amount = (
            _number(row, cells, quantity),
            _money(row, cells, cells.reader.layout.at(price), strict=False),
        )
        if least_pieces is not None and least_pieces >= 1 and amount is not None and amount > 0:
            found.append((int(least_pieces), amount))
    row.tiers = tuple(sorted(found))


def _read_price_unit(row: ImportRow, cells: _Cells) -> None:
    """Prices for a hundred or a thousand pieces become prices for one."""
    text, per = cells.raw("price_unit"), cells.reader.per
    stated = read_price_unit(text) if text else read_selling_unit(cells.raw("unit"))
    if per["price"] == PER_PACK:
        text, stated = cells.text("pack"), row.pack
    if stated is None:
        row.set_aside(Action.HELD, "row_unknown_price_unit", value=text.strip()[:40])
        return
    if stated == per["price"] == per["list"] == 1:
        return
    for role, name in (("price", "price"), ("list", "list_price")):
        value, pieces = getattr(row, name), stated if stated > 1 else max(1, per[role])
        if value is not None and pieces > 1:
            row.warn("row_price_per_unit", value=format(value, "f"), pieces=pieces)
            setattr(row, name, value / pieces)
    row.tiers = tuple((least, amount / stated) for least, amount in row.tiers)
    amounts = [row.price, row.list_price, *(amount for _least, amount in row.tiers)]
    if any(amount is not None and _decimals(amount) > PRICE_DECIMALS_MAX for amount in amounts):
        row.set_aside(Action.HELD, "row_too_many_decimals", value=text.strip()[:40])


def _money(row: ImportRow, cells: _Cells, place: int | None, *, strict: bool) -> Decimal | None:
    """An amount. Where `strict`, an unreadable one rejects the row and an open style holds it; else it warns."""
    text = cells.at(place)
    if place is None or is_unknown_word(text):
        return None
    amount = split_amount(text)
    style = cells.reader.styles.numbers.get(place)
    if amount is None:
        _fault(row, Action.REJECTED, "row_no_price", text, strict=strict)
        return None
    if amount.currency:
        row.currency = amount.currency
    if style is None and amount.exact is None:
        _fault(row, Action.HELD, "row_waits_for_number_style", text, strict=strict)
        return None
    value = read_number(amount, style or "en")
    if value is None or abs(value) > PRICE_MAX:
        _fault(row, Action.REJECTED, "row_no_price", text, strict=strict)
        return None
    if _decimals(value) > PRICE_DECIMALS_MAX:
        _fault(row, Action.HELD, "row_too_many_decimals", text, strict=strict)
        return None
    if amount.exact is None and amount.text.isdecimal():
        value *= cells.reader.answers.price_scale
    return value


def _decimals(value: Decimal) -> int:
    exponent = value.as_tuple().exponent
    return -exponent if isinstance(exponent, int) and exponent < 0 else 0


def _fault(row: ImportRow, action: Action, code: str, text: str, *, strict: bool) -> None:
    if strict:
        row.set_aside(action, code, value=text.strip()[:40])
    else:
        row.warn(code, value=text.strip()[:40])


def _read_currency(row: ImportRow, cells: _Cells) -> None:
    text = cells.text("currency")
    if not text:
        row.currency = row.currency or _shown_currency(cells)
        return
    code = currency_of(text) or text.upper()
    if code not in CURRENCIES:
        row.set_aside(Action.REJECTED, "row_bad_currency", value=text[:20])
    elif row.currency and row.currency not in (code, cells.reader.currency):
        row.set_aside(Action.REJECTED, "row_two_currencies", first=row.currency, second=code)
    else:
        row.currency = code


def _shown_currency(cells: _Cells) -> str:
    """The currency in whose format a sheet shows the price, where nothing else names one."""
    raw = cells.raw("price")
    return raw.currency if isinstance(raw, NumberCell) else ""


def _check_price(row: ImportRow, text: str) -> None:
    if not row.is_accepted:
        return
    if row.price is None:
        row.set_aside(Action.HELD, "row_unknown_price", value=text[:40])
    elif row.price < 0:
        row.set_aside(Action.REJECTED, "row_negative_price", value=text[:40])
    elif row.price == 0 and row.line_type != "included":
        listed = None if row.list_price is None else format(row.list_price, "f")
        row.set_aside(Action.REJECTED, "row_zero_price", list_price=listed)
    elif row.list_price is not None and 0 < row.list_price < row.price:
        row.warn("row_price_above_list", price=format(row.price, "f"), list_price=format(row.list_price, "f"))


def _check_doubled(row: ImportRow) -> None:
    if row.is_accepted and all(price is None or price <= 0 for price in row.prices):
        row.set_aside(Action.HELD, "row_unknown_price", value="")


def _read_dates(row: ImportRow, cells: _Cells) -> None:
    for role in ("valid_until", "valid_from", "price_date"):
        text = cells.raw(role)
        if not text or is_unknown_word(text):
            continue
        order = cells.reader.styles.dates.get(cells.reader.layout.at(role) or 0)
        day = read_date(text, order) if order else None
        if order and day is None and role == "valid_until":
            day = read_period(" ".join(text.casefold().split())[:60], None)
        if order is None:
            row.set_aside(Action.HELD, "row_waits_for_date_order", value=text.strip()[:30])
        elif day is None:
            row.warn("row_no_date", role=role, value=text.strip()[:30])
        else:
            setattr(row, role, day)
    row.valid_until = row.valid_until or cells.reader.valid_until


def _read_lead_time(row: ImportRow, cells: _Cells) -> None:
    reader = cells.reader
    column = reader.layout.column("lead_time")
    if column is not None:
        unit = column.unit or reader.answers.lead_time_unit
        order, text = reader.styles.dates.get(column.at, ""), cells.raw("lead_time")
        said_by_stock, is_stock = row.lead, column.states_stock
        row.lead = read_lead_time(text, header_unit=unit, today=reader.today, order=order, states_stock=is_stock)
        row.lead = said_by_stock if said_by_stock and not text.strip() else row.lead
        if row.lead.state == "unknown" and cells.text("lead_time"):
            row.warn("row_lead_time_unknown", value=cells.text("lead_time")[:40])
    said = row.lead is not None and (column is None or bool(cells.text("lead_time")))
    if row.active is False:
        row.lead = LeadTime(state="discontinued", stock_count=row.stock)
    elif not said and row.stock is not None:
        row.lead = pieces_on_hand(row.stock)
