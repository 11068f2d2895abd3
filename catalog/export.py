"""A list as a CSV file: what the page shows, all pages of it, safe to open in a spreadsheet program."""

import csv
import io
from collections.abc import Iterable, Sequence

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
