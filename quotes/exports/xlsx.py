"""The document as a workbook: typed cells, part numbers as text, formulas with their cached values."""

import io
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

import xlsxwriter
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from xlsxwriter.utility import xl_col_to_name
from xlsxwriter.worksheet import Worksheet

from quotes.choices import TaxTreatment
from quotes.document import QuoteDocument
from quotes.exports.table import COLUMNS, Value, inert, rows
from quotes.exports.xlsx_sheets import SideSheet, side_sheets
from quotes.pricing import COUNTED, minor_digits

CONTENT_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
HEAD_ROW = 4  # row 5 of the sheet, counted from 0
_TEXT = "@"
_PRICES = {"list_price", "unit_net", "schedule_price"}  # may have more digits than the minor unit
_SUMS = {"extended", "delta"}
_SHARE = {"discount", "tax_rate"}
_DATES = {"price_date", "lead_date"}
_WIDTHS = {"description": 44, "manufacturer": 18, "mpn": 22, "line": 7, "qty": 7, "extended": 14, "unit_net": 13}
_PAGES_WIDE = 4  # the lines have too many columns to be read on one page width
_USUAL_WIDTH = 11


def xlsx(document: QuoteDocument) -> bytes:
    """The workbook's bytes; equal documents give equal bytes (the stamp is the document's own)."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with translation.override(document.reader.language):
        book = xlsxwriter.Workbook(out, options)
        book.set_properties(
            {
                "title": document.title,
                "author": inert(document.seller_name),
                "created": document.made_at.replace(tzinfo=None),
            }
        )
        writer = _Writer(book, document)
        last_row = writer.lines_sheet()
        writer.totals_sheet(last_row)
        for sheet in side_sheets(document):
            writer.side_sheet(sheet)
        book.close()
    return out.getvalue()


class _Writer:
    """Formats of one workbook, and the sheets written with them."""

    def __init__(self, book: xlsxwriter.Workbook, document: QuoteDocument) -> None:
        self.book, self.document = book, document
        font = {"font_name": "Arial", "font_size": 10, "valign": "top"}
        german = document.reader.language == "de"
        digits = minor_digits(document.reader.currency)
        money = "#,##0" + ("." + "0" * digits if digits else "")
        self.text = book.add_format({**font, "num_format": _TEXT})
        self.wrapped = book.add_format({**font, "num_format": _TEXT, "text_wrap": True})
        self.money = book.add_format({**font, "num_format": money})
        self.price = book.add_format({**font, "num_format": money + "##" if digits else money})
        self.count = book.add_format({**font, "num_format": "0"})
        self.share = book.add_format({**font, "num_format": "0.0%"})
        self.number = book.add_format({**font, "num_format": "General"})
        self.date = book.add_format({**font, "num_format": "dd.mm.yyyy" if german else "yyyy-mm-dd"})
        self.head = book.add_format({**font, "bold": True, "bottom": 2, "num_format": _TEXT})
        self.strong = book.add_format({**font, "bold": True, "num_format": _TEXT})
        self.total = book.add_format({**font, "bold": True, "num_format": money, "top": 2})
        self.digits = digits

    def lines_sheet(self) -> int:
        """Write the lines; returns the number of the last row, counted from 1."""
        sheet = self._new_sheet("Lines", len(COLUMNS))
        for column, name in enumerate(COLUMNS):
            sheet.write_string(HEAD_ROW, column, name, self.head)
            sheet.set_column(column, column, _WIDTHS.get(name, _USUAL_WIDTH))
        table = rows(self.document)
        for index, row in enumerate(table):
            for column, name in enumerate(COLUMNS):
                self._line_cell(sheet, HEAD_ROW + 1 + index, column, name, row)
        last = HEAD_ROW + max(len(table), 1)
        sheet.autofilter(HEAD_ROW, 0, last, len(COLUMNS) - 1)
        sheet.print_area(0, 0, last, len(COLUMNS) - 1)
        sheet.fit_to_pages(_PAGES_WIDE, 0)
        sheet.repeat_columns(0)
        return last + 1

    def _line_cell(self, sheet: Worksheet, row: int, column: int, name: str, values: Mapping[str, Value]) -> None:
        value = values[name]
        if name == "extended" and value is not None:
            quantity, price = (f"{xl_col_to_name(COLUMNS.index(x))}{row + 1}" for x in ("qty", "unit_net"))
            formula = f"=ROUND({quantity}*{price},{self.digits})"
            sheet.write_formula(row, column, formula, self.money, _float(value))
            return
        self._cell(sheet, row, column, value, self._format_of(name))

    def _format_of(self, name: str) -> Any:
        if name in _PRICES:
            return self.price
        if name in _SUMS:
            return self.money
        if name in _SHARE:
            return self.share
        if name in _DATES:
            return self.date
        if name == "pack_size":
            return self.count
        return self.number if name in {"qty", "lead_low", "lead_typical", "lead_high"} else self.text

    def _cell(self, sheet: Worksheet, row: int, column: int, value: Value, style: Any) -> None:
        if value is None or value == "":
            sheet.write_blank(row, column, None, style)
        elif isinstance(value, date):
            sheet.write_datetime(row, column, value, style)
        elif isinstance(value, Decimal | int):
            sheet.write_number(row, column, _float(value), style)
        else:
            sheet.write_string(row, column, inert(value), style)

    def totals_sheet(self, last_row: int) -> None:
        """Totals recompute from the lines; each formula carries the printed value."""
        sheet = self._new_sheet("Totals", 4)
        sheet.set_column(0, 0, 44)
        sheet.set_column(1, 1, 16)
        sheet.set_column(3, 3, 60)
        for column, name in enumerate(("label", "amount", "currency", "note")):
            sheet.write_string(HEAD_ROW, column, name, self.head)
        row = HEAD_ROW + 1
        for label, formula, value, note in self._total_rows(last_row):
            sheet.write_string(row, 0, inert(label), self.strong)
            if value is None:
                sheet.write_blank(row, 1, None, self.money)
            elif formula:
                sheet.write_formula(row, 1, formula, self.total, _float(value))
            else:
                sheet.write_number(row, 1, _float(value), self.money)
            sheet.write_string(row, 2, self.document.reader.currency, self.text)
            sheet.write_string(row, 3, inert(note), self.wrapped)
            row += 1
        facts = [(figure.label, (figure.value, figure.note)) for figure in self.document.key_figures]
        facts += [(fact.label, (fact.value, "")) for fact in self.document.information]
        for label, values in facts:
            sheet.write_string(row + 1, 0, inert(label), self.text)
            sheet.write_string(row + 1, 3, inert(" · ".join(filter(None, values))), self.wrapped)
            row += 1

    def _total_rows(self, last_row: int) -> Sequence[tuple[str, str, Decimal | None, str]]:
        content, document = self.document.content, self.document
        sums = content["totals"]
        made: list[tuple[str, str, Decimal | None, str]] = [
            (
                _("Section %(section)s") % {"section": entry["section"]},
                self._sum_ifs(last_row, section=entry["section"]),
                Decimal(entry["net"]),
                _open_words(entry),
            )
            for entry in sums["sections"]
        ]
        first = HEAD_ROW + 2
        net_row = first + len(made)
        label = next(row.label for row in document.totals if row.strength == 2)
        made.append((label, self._sum_ifs(last_row), Decimal(sums["net"]), document.incomplete))
        for tax in sums["taxes"]:
            rate = Decimal(tax["rate_pct"]) / 100
            formula = f"=ROUND(({self._sum_ifs(last_row, rate=rate)[1:]})*{rate},{self.digits})"
            note = f"{document.reader.percent(tax['rate_pct'])} · {document.reader.money(tax['base'])}"
            made.append((pgettext("document", "Tax"), formula, Decimal(tax["amount"]), note))
        gross = None if sums["gross"] is None else Decimal(sums["gross"])
        if content["tax"]["treatment"] == TaxTreatment.BY_RATE:
            label = next(row.label for row in document.totals if row.strength == 1)
            formula = f"=SUM(B{net_row}:B{net_row + len(sums['taxes'])})"
            made.append((label, formula, gross, document.incomplete))
        made += self._early_rows(first + len(made) - 1)
        if document.outside:
            made.append(("", "", None, document.outside))
        return made

    def _early_rows(self, payable_row: int) -> list[tuple[str, str, Decimal | None, str]]:
        """Discount for early payment and what is left, from the row of what is payable without it."""
        content = self.document.content
        sums = content["totals"]
        if sums["early_payment"] is None:
            return []
        labels = [row.label for row in self.document.totals][-2:]
        rate = Decimal(content["terms"]["early_payment_pct"]) / 100
        discount, left = f"=-ROUND(B{payable_row}*{rate},{self.digits})", f"=B{payable_row}+B{payable_row + 1}"
        return [
            (labels[0], discount, -Decimal(sums["early_payment"]), ""),
            (labels[1], left, Decimal(sums["payable_early"]), ""),
        ]

    def _sum_ifs(self, last_row: int, *, section: str = "", rate: Decimal | None = None) -> str:
        """SUMIFS over the kinds of line that count, each kind once."""
        parts = []
        for kind in sorted(COUNTED):
            criteria = [f'{self._range("type", last_row)},"{kind}"']
            if section:
                criteria.append(f'{self._range("section", last_row)},"{section}"')
            if rate is not None:
                criteria.append(f"{self._range('tax_rate', last_row)},{rate}")
            parts.append(f"SUMIFS({self._range('extended', last_row)},{','.join(criteria)})")
        return "=" + "+".join(parts)

    def _range(self, name: str, last_row: int) -> str:
        column = xl_col_to_name(COLUMNS.index(name), col_abs=True)
        return f"Lines!{column}${HEAD_ROW + 2}:{column}${last_row}"

    def side_sheet(self, data: SideSheet) -> None:
        sheet = self._new_sheet(data.name, len(data.columns))
        for column, name in enumerate(data.columns):
            sheet.write_string(HEAD_ROW, column, name, self.head)
            sheet.set_column(column, column, 40 if name in {"reason", "note", "figure", "base line", "source"} else 16)
        for index, cells in enumerate(data.rows):
            for column, value in enumerate(cells):
                style = self.date if isinstance(value, date) else self.number if _is_number(value) else self.wrapped
                self._cell(sheet, HEAD_ROW + 1 + index, column, value, style)

    def _new_sheet(self, name: str, columns: int) -> Worksheet:
        """A sheet with its three rows of head, printed landscape on one page width."""
        document = self.document
        sheet = self.book.add_worksheet(name)
        state = "".join((document.state_lead, document.state_words))
        check = document.check_value or document.watermark
        for row, text in enumerate((document.title, state, check)):
            sheet.write_string(row, 0, inert(text), self.strong if row == 0 else self.text)
        sheet.freeze_panes(HEAD_ROW + 1, 1)
        sheet.set_landscape()
        sheet.set_paper(1 if document.reader.paper == "us-letter" else 9)
        sheet.fit_to_pages(1, 0)
        sheet.repeat_rows(HEAD_ROW)
        sheet.set_footer(f"&L&8{_footer_text(document)}&R&8&P / &N")
        return sheet


def _open_words(section: Mapping[str, Any]) -> str:
    missing = section["open_lines"]
    return _("open: %(lines)s") % {"lines": ", ".join(missing)} if missing else ""


def _footer_text(document: QuoteDocument) -> str:
    text = document.footer_check or document.watermark
    return text.replace("&", "&&")


def _is_number(value: Value) -> bool:
    return isinstance(value, Decimal | int) and not isinstance(value, bool)


def _float(value: Value) -> float:
    return float(str(value))
