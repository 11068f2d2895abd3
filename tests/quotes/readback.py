"""Reads the amounts back out of every format of a quote, so that a test can add them up itself."""

import csv
import html
import io
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from defusedxml import ElementTree as Tree
from openpyxl import load_workbook
from pypdf import PdfReader

from quotes.exports.table import COLUMNS
from quotes.exports.xlsx import HEAD_ROW
from quotes.printing.locale import MINUS, NBSP

OT = "{http://www.opentrans.org/XMLSchema/2.1}"
BM = "{http://www.bmecat.org/bmecat/2005}"
UBL = {
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Extended price of each counted line with a price, and the totals; None where the format states none."""

    lines: Mapping[str, Decimal]
    net: Decimal | None
    tax: Decimal | None = None
    gross: Decimal | None = None
    payable_early: Decimal | None = None


def of_csv(content: bytes) -> Figures:
    text = content.decode("utf-8-sig")
    delimiter = ";" if text.startswith("line;") else ","
    rows = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    lines = {
        row["line"]: Decimal(row["extended"].replace(",", "."))
        for row in rows
        if row["counts_in_total"] == "yes" and row["extended"]
    }
    return Figures(lines=lines, net=None)


def of_json(content: bytes) -> Figures:
    found = json.loads(content)["content"]
    sums = found["totals"]
    return Figures(
        lines={row["number"]: Decimal(row["extended"]) for row in found["lines"] if row["counts"] and row["extended"]},
        net=Decimal(sums["net"]),
        tax=sum((Decimal(tax["amount"]) for tax in sums["taxes"]), Decimal(0)),
        gross=_number(sums["gross"]),
        payable_early=_number(sums["payable_early"]),
    )


def of_ubl(content: bytes) -> Figures:
    root = Tree.fromstring(content)
    total = root.find("cac:QuotedMonetaryTotal", UBL)
    lines = {
        line.findtext("cbc:ID", namespaces=UBL): Decimal(amount)
        for line in root.findall("cac:QuotationLine", UBL)
        if (amount := line.findtext("cbc:LineExtensionAmount", namespaces=UBL)) is not None
    }
    return Figures(
        lines=lines,
        net=Decimal(total.findtext("cbc:TaxExclusiveAmount", namespaces=UBL)),
        tax=_number(root.findtext("cac:TaxTotal/cbc:TaxAmount", namespaces=UBL)),
        gross=_number(total.findtext("cbc:TaxInclusiveAmount", namespaces=UBL)),
    )


def of_opentrans(content: bytes) -> Figures:
    root = Tree.fromstring(content)
    lines = {
        item.findtext(f"{OT}LINE_ITEM_ID"): Decimal(amount)
        for item in root.iter(f"{OT}QUOTATION_ITEM")
        if (amount := item.findtext(f"{OT}PRICE_LINE_AMOUNT")) is not None
    }
    return Figures(lines=lines, net=Decimal(root.find(f".//{OT}TOTAL_AMOUNT").text))


def of_xlsx(content: bytes, document: Any) -> Figures:
    """The cached values, or those that another program has worked out and stored."""
    book = load_workbook(io.BytesIO(content), data_only=True)
    digits = Decimal(1).scaleb(-document_digits(document))
    lines = {
        str(row[0]): _cell(row[COLUMNS.index("extended")], digits)
        for row in book["Lines"].iter_rows(min_row=HEAD_ROW + 2, values_only=True)
        if row[COLUMNS.index("counts_in_total")] == "yes" and row[COLUMNS.index("extended")] is not None
    }
    totals = [(str(row[0]), row[1]) for row in book["Totals"].iter_rows(min_row=HEAD_ROW + 2, values_only=True)]
    return Figures(lines=lines, **_totals(totals, document, digits))


def document_digits(document: Any) -> int:
    """Decimal places of the document's currency."""
    return {"JPY": 0, "KWD": 3}.get(document.reader.currency, 2)


def recomputed(content: bytes, document: Any) -> Figures:
    """The same from the formulas alone, worked out here: ROUND of a product, sums over kinds, tax, discount."""
    book = load_workbook(io.BytesIO(content))
    digits = Decimal(1).scaleb(-document_digits(document))
    table = [row for row in book["Lines"].iter_rows(min_row=HEAD_ROW + 2, values_only=True) if row[0] is not None]
    cells = [dict(zip(COLUMNS, row, strict=True)) for row in table]
    for cell in cells:
        if isinstance(cell["extended"], str):
            product = Decimal(str(cell["qty"])) * Decimal(str(cell["unit_net"]))
            cell["extended"] = product.quantize(digits, rounding=ROUND_HALF_UP)
    values: dict[int, Decimal] = {}
    totals: list[tuple[str, Any]] = []
    for number, row in enumerate(book["Totals"].iter_rows(min_row=HEAD_ROW + 2, values_only=True), HEAD_ROW + 2):
        value = _worked_out(row[1], cells, values, digits) if isinstance(row[1], str) else row[1]
        if value is not None:
            values[number] = value
        totals.append((str(row[0]), value))
    lines = {
        cell["line"]: cell["extended"]
        for cell in cells
        if cell["counts_in_total"] == "yes" and cell["extended"] is not None
    }
    return Figures(lines=lines, **_totals(totals, document, digits))


def pdf_text(content: bytes) -> str:
    """All text of the pages, in reading order, with plain blanks."""
    text = "\n".join(page.extract_text() for page in PdfReader(io.BytesIO(content)).pages)
    return re.sub(r"\s+", " ", text.replace(NBSP, " "))


def page_lines(page: str) -> dict[str, str]:
    """The text of the extended cell of each line on the quote's page."""
    rows = re.findall(r'<tr id="line-([\d.]+)">(.*?)</tr>', page, re.DOTALL)
    return {number: _text(re.findall(r"<td.*?</td>", row, re.DOTALL)[3]) for number, row in rows}


def page_totals(page: str) -> list[str]:
    """The amounts under the lines, from top to bottom, subtotals included."""
    table = page[page.index('id="lines"') :].split("</table>", maxsplit=1)[0]
    return [_text(cell) for cell in re.findall(r'colspan="3".*?</td><td class="kv-num">(.*?)</td>', table, re.DOTALL)]


def typed(printed: str, document: Any) -> Decimal:
    """The number behind a printed amount."""
    bare = re.sub(r"[^\d.,'+\-" + MINUS + "]", "", printed.replace(MINUS, "-")).replace("'", "")
    is_comma = document.reader.language == "de" and document.reader.region != "ch"
    return Decimal(bare.replace(".", "").replace(",", ".") if is_comma else bare.replace(",", ""))


def _text(fragment: str) -> str:
    return html.unescape(re.sub(r"<[^>]+>", " ", fragment)).replace(NBSP, " ").strip()


def _number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


def _cell(value: Any, digits: Decimal) -> Decimal:
    return Decimal(str(value)).quantize(digits, rounding=ROUND_HALF_UP)


def _totals(rows: Iterable[tuple[str, Any]], document: Any, digits: Decimal) -> dict[str, Decimal | None]:
    """Net, tax, gross and the last row, told apart by the labels of the document."""
    by_strength = {row.strength: row.label for row in document.totals}
    labels = [row.label for row in document.totals]
    tax_words = {"en": "Tax", "de": "Steuer"}[document.reader.language]
    found: dict[str, Decimal | None] = {"net": None, "tax": None, "gross": None, "payable_early": None}
    for label, value in rows:
        if value is None:
            continue
        amount = _cell(value, digits)
        if label == by_strength[2]:
            found["net"] = amount
        elif label == tax_words:
            found["tax"] = (found["tax"] or Decimal(0)) + amount
        elif label == by_strength.get(1):
            found["gross"] = amount
        elif document.content["totals"]["payable_early"] is not None and label == labels[-1]:
            found["payable_early"] = amount
    return found


def _worked_out(formula: str, cells: list[dict[str, Any]], values: dict[int, Decimal], digits: Decimal) -> Decimal:
    if chain := re.fullmatch(r"=SUM\(B(\d+):B(\d+)\)", formula):
        first, last = map(int, chain.groups())
        return sum((values[row] for row in range(first, last + 1)), Decimal(0))
    if discount := re.fullmatch(r"=-ROUND\(B(\d+)\*([\d.]+),\d\)", formula):
        return -(values[int(discount[1])] * Decimal(discount[2])).quantize(digits, rounding=ROUND_HALF_UP)
    if left := re.fullmatch(r"=B(\d+)\+B(\d+)", formula):
        return values[int(left[1])] + values[int(left[2])]
    rate = re.fullmatch(r"=ROUND\(\(.*\)\*([\d.]+),\d\)", formula)
    assert rate or "*" not in formula.replace("$", ""), formula
    wanted = [dict(_criteria(part)) for part in re.findall(r"SUMIFS\(([^)]*)\)", formula)]
    assert wanted, formula
    total = sum(
        (cell["extended"] for cell in cells for criteria in wanted if cell["extended"] and _meets(cell, criteria)),
        Decimal(0),
    )
    return (total * Decimal(rate[1])).quantize(digits, rounding=ROUND_HALF_UP) if rate else total


def _criteria(arguments: str) -> Iterable[tuple[str, str]]:
    """Column name and wanted value of each pair after the summed range."""
    parts = arguments.split(",")[1:]
    for where, wanted in zip(parts[::2], parts[1::2], strict=True):
        letters = re.search(r"\$([A-Z]+)\$", where)
        assert letters is not None
        place = 0
        for letter in letters[1]:
            place = place * 26 + ord(letter) - ord("A") + 1
        yield COLUMNS[place - 1], wanted.strip('"')


def _meets(cell: Mapping[str, Any], criteria: Mapping[str, str]) -> bool:
    for name, wanted in criteria.items():
        value = cell[name]
        if name == "tax_rate":
            if value is None or Decimal(str(value)) != Decimal(wanted):
                return False
        elif str(value) != wanted:
            return False
    return True
