"""A list as a CSV or XLSX file: what the page shows, all pages of it, figures to reckon with, safe to open."""

import csv
import io
from collections.abc import Iterable, Sequence
from decimal import Decimal

import xlsxwriter

type Value = str | float | Decimal

MOST_ROWS = 5_000
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
BYTE_ORDER_MARK = "\ufeff"


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """UTF-8 with byte order mark, comma separated, CRLF; figures with a point and without separators.

    A text that begins like a formula gets an apostrophe.
    """
    out = io.StringIO()
    writer = csv.writer(out)
    for row in (head, *rows):
        writer.writerow([harmless(cell) if isinstance(cell, str) else plain(cell) for cell in row])
    return (BYTE_ORDER_MARK + out.getvalue()).encode()


def plain(figure: float | Decimal) -> str:
    """All digits of a figure, no exponent, no separators: 2000, 0.25."""
    text = format(Decimal(str(figure)), "f")
    return text.rstrip("0").rstrip(".") if "." in text and isinstance(figure, float) else text


def harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def xlsx_bytes(title: str, head: Sequence[str], rows: Iterable[Sequence[Value]]) -> bytes:
    """A workbook of one sheet with a fixed header and a filter. Figures are numbers, no cell is a formula or a link."""
    out = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
    with xlsxwriter.Workbook(out, options) as book:
        sheet = book.add_worksheet("".join(sign for sign in title if sign not in "[]:*?/\\")[:31])
        bold = book.add_format({"bold": True})
        widths = [len(cell) for cell in head]
        for at, cell in enumerate(head):
            sheet.write_string(0, at, cell, bold)
        last = 0
        for last, row in enumerate(rows, start=1):
            for at, value in enumerate(row):
                if isinstance(value, str):
                    sheet.write_string(last, at, value)
                else:
                    sheet.write_number(last, at, float(value))
                widths[at] = max(widths[at], len(value if isinstance(value, str) else plain(value)))
        for at, width in enumerate(widths):
            sheet.set_column(at, at, min(60, width + 2))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, last, max(0, len(head) - 1))
    return out.getvalue()
