"""The lines as CSV in the reader's flavour: `,` and `.` without BOM, or `;` and `,` with BOM."""

import csv as writer
import io
from datetime import date
from decimal import Decimal

from django.utils import translation

from quotes.document import QuoteDocument
from quotes.exports.table import COLUMNS, Value, inert, rows

CONTENT_TYPE = "text/csv; charset=utf-8"
_BOM = "\ufeff"


def csv(document: QuoteDocument) -> bytes:
    """RFC 4180 with CRLF; English column names in both flavours; a draft has `state` as last column."""
    german = document.reader.language == "de"
    out = io.StringIO(newline="")
    table = writer.writer(out, delimiter=";" if german else ",", lineterminator="\r\n")
    columns = (*COLUMNS, "state") if document.is_draft else COLUMNS
    table.writerow(columns)
    with translation.override(document.reader.language):
        for row in rows(document):
            cells = {**row, "state": "draft"}
            table.writerow([_cell(cells[name], german=german) for name in columns])
    text = out.getvalue()
    return ((_BOM if german else "") + text).encode("utf-8")


def file_name(document: QuoteDocument) -> str:
    flavour = "semicolon-comma" if document.reader.language == "de" else "comma-point"
    return f"{document.file_stem}_{flavour}.csv"


def _cell(value: Value, *, german: bool) -> str:
    if value is None:
        return ""
    if isinstance(value, Decimal):
        text = format(value, "f")
        return text.replace(".", ",") if german else text
    if isinstance(value, date):
        return f"{value:%d.%m.%Y}" if german else value.isoformat()
    return str(value) if isinstance(value, int) else inert(value)
