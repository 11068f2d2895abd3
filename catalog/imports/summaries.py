"""Lines that are no articles: totals, texts, repeated headers; and the check of the totals against the rows."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.imports.cells import Record
from catalog.imports.columns import Layout, normalise_header
from catalog.imports.rows import ImportRow

_SUMMARY = re.compile(
    r"^(?:zwischen ?(?:summe|total)|versand\w*|fracht\w*|porto|shipping|freight|handling|rabatt|nachlass|skonto"
    r"|discount|teilsumme|gesamt\w*|summe"
    r"|total|sub ?total|grand total|net total|gross total|end ?summe"
    r"|uebertrag|netto ?summe|brutto ?summe|mwst|ust|mehrwertsteuer|umsatzsteuer|vat|sales tax|tax|zzgl|inkl mwst"
    r"|rechnungsbetrag|endbetrag|total net|total gross|angebotssumme|nettobetrag|bruttobetrag|waren ?wert|amount due"
    r"|steuer)\b"
)
_VAT = re.compile(r"\b(?:mwst|ust|mehrwertsteuer|umsatzsteuer|vat|tax|steuer)\b")
_GROSS = re.compile(r"\b(?:brutto\w*|gross|inkl|incl|rechnungsbetrag|endbetrag|amount due|end ?summe)\b")
_PART = re.compile(r"^(?:zwischen ?(?:summe|total)|teilsumme|uebertrag)\b")
_SUBTOTAL = re.compile(r"^sub ?total\b")
_EXTRA = re.compile(r"^(?:versand\w*|fracht\w*|porto|shipping|freight|handling|rabatt|nachlass|skonto|discount)\b")
_BEFORE_TAX = re.compile(r"\b(?:exkl|excl|ohne|vor|before|netto|net|zzgl)\b")
_NUMBER = re.compile(r"\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """What the file's total lines say and what the rows add up to."""

    net: Decimal | None = None
    vat: Decimal | None = None
    gross: Decimal | None = None
    rows_net: Decimal | None = None
    extras: Decimal = Decimal(0)  # shipping and discounts on lines of their own

    @property
    def agrees(self) -> bool | None:
        """Whether the rows add up to the stated net; None where either is missing."""
        if self.net is None or self.rows_net is None:
            return None
        return self.net in (self.rows_net, self.rows_net + self.extras)


def kind_of(record: Record, layout: Layout) -> str:
    """ "blank", "header", "summary", "text" or "data"."""
    filled = [(at, text) for at, cell in enumerate(record.cells) if (text := cell.strip())]
    if not filled:
        return "blank"
    keys = [layout.at(role) for role in ("mpn", "sku", "gtin")]
    has_key = any(at is not None and at < len(record.cells) and record.cells[at].strip() for at in keys)
    if has_key and len(filled) > 2 and filled[0] != _first_header(layout, filled[0][0]):
        return "data"
    headers = {column.at: column.header for column in layout.columns if column.header}
    if len(filled) > 1 and all(headers.get(at) == cell for at, cell in filled):
        return "header"
    words = [normalise_header(cell) for _at, cell in filled]
    is_first_summary = bool(_SUMMARY.match(words[0])) if words else False
    if is_first_summary and len(filled) > 1 and (not has_key or _only_label_and_amount(filled)):
        return "summary"
    if not has_key and any(_SUMMARY.match(word) for word in words) and len(filled) > 1:
        return "summary"
    prices = [layout.at(role) for role in ("price", "list", "ext_price")]
    has_price = any(at is not None and at < len(record.cells) and _NUMBER.search(record.cells[at]) for at in prices)
    is_lone_text = len(filled) == 1 and not has_price
    return "data" if (has_key or has_price) and not is_lone_text else "text"


def _first_header(layout: Layout, at: int) -> tuple[int, str]:
    return at, layout.columns[at].header if at < len(layout.columns) else ""


def _only_label_and_amount(filled: Sequence[tuple[int, str]]) -> bool:
    """A total whose label happens to stand in the column of part numbers."""
    return len(filled) == 2 and bool(_NUMBER.search(filled[1][1])) and not re.search(r"[A-Za-z]{3}", filled[1][1])


def add_up(summaries: Iterable[tuple[str, Decimal]], rows: Sequence[ImportRow]) -> Totals:
    """The stated totals by their labels, and the net sum of the accepted rows (None if one has no price)."""
    net = vat = gross = before_tax = None
    extras = Decimal(0)
    for label, amount in summaries:
        words = normalise_header(label)
        if _EXTRA.match(words):
            extras += amount
        if _PART.match(words) or _EXTRA.match(words):
            continue
        if _SUBTOTAL.match(words):
            before_tax = amount  # of a quote that ends "Subtotal, Tax, Total" the net; else of a part of it
            continue
        is_before_tax = words.startswith(("total", "summe", "gesamt")) and _BEFORE_TAX.search(words)
        if _GROSS.search(words) or (vat is not None and before_tax is not None and net is None and words == "total"):
            gross = amount
            net = before_tax if net is None and vat is not None else net
        elif _VAT.search(words) and not is_before_tax:
            vat = amount
        else:
            net = amount
    return Totals(net=net, vat=vat, gross=gross, rows_net=_sum(rows), extras=extras)


def _sum(rows: Sequence[ImportRow]) -> Decimal | None:
    total = Decimal(0)
    for row in rows:
        if row.line_type in ("alternative", "option"):
            continue
        if row.ext_price is not None:
            total += row.ext_price
        elif row.price is not None and row.qty is not None:
            total += row.price * row.qty
        else:
            return None
    return total
