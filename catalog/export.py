"""A list as a CSV or XLSX file: what the page shows, all pages of it, safe to open in a spreadsheet program."""

import csv
import io
from collections.abc import Iterable, Sequence

import xlsxwriter

MOST_ROWS = 5_000
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
BYTE_ORDER_MARK = "\ufeff"


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """UTF-8 with byte order mark, comma separated, CRLF; a cell that begins like a formula gets an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    for row in (head, *rows):
        writer.writerow([harmless(cell) for cell in row])
    return (BYTE_ORDER_MARK + out.getvalue()).encode()


def harmless(cell: str) -> str:
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def xlsx_bytes(title: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> bytes:
    """A workbook of one sheet with a fixed header and a filter. Every cell is text: no cell is a formula or a link."""
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
            for at, cell in enumerate(row):
                sheet.write_string(last, at, cell)
                widths[at] = max(widths[at], len(cell))
        for at, width in enumerate(widths):
            sheet.set_column(at, at, min(60, width + 2))
        sheet.freeze_panes(1, 0)
        sheet.autofilter(0, 0, last, max(0, len(head) - 1))
    return out.getvalue()
