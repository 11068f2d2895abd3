"""A distributor's feed with origins: CSV bytes to rows, every wrong row named by its line. Nothing is written."""

import csv
import io
from dataclasses import dataclass
from datetime import date

from quotes.errors import QuoteError

PAGE_ROWS_MAX = 1_000  # above, the worker reads it: a page must answer
ROWS_MAX = 200_000
BYTES_MAX = 50_000_000
# Headers as distributors write them, in lower case.
_HEADS = {
    "mpn": ("mpn", "part number", "manufacturer part number", "part_number", "partnumber", "herstellernummer"),
    "country": ("country", "country of origin", "country_of_origin", "coo", "origin", "ursprungsland", "ursprung"),
    "date": ("date", "as of", "as_of", "stand", "datum"),
    "s889": ("s889", "section 889", "section_889", "889", "ndaa", "ndaa 889", "ndaa_889", "section 889 statement"),
    "manufacturer": ("manufacturer", "maker", "vendor", "hersteller"),
}
_WANTED = ("mpn", "date")


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedRow:
    """One row as received. `line` counts from 1, the header included."""

    line: int
    mpn: str
    manufacturer: str
    country: str
    stated_on: date
    s889: str = ""
    says_origin: bool = True  # whether the feed has a column of origins at all


def read_feed(content: bytes, *, today: date) -> list[FeedRow]:
    """The rows of a feed with the columns mpn, date (YYYY-MM-DD) and country or s889; manufacturer may stand there too.

    Raises QuoteError for an empty or too large file, a missing column, or the first wrong row.
    """
    if len(content) > BYTES_MAX:
        raise QuoteError("evidence_feed_too_large", limit=ROWS_MAX, limit_mb=BYTES_MAX // 1_000_000)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise QuoteError("evidence_feed_not_utf8") from None
    try:
        rows = list(csv.reader(io.StringIO(text), delimiter=_delimiter(text)))
    except csv.Error:
        raise QuoteError("evidence_feed_not_csv") from None
    columns = _columns(rows[0] if rows else [])
    filled = [(line, row) for line, row in enumerate(rows[1:], start=2) if any(cell.strip() for cell in row)]
    if not filled:
        raise QuoteError("evidence_feed_empty")
    if len(filled) > ROWS_MAX:
        raise QuoteError("evidence_feed_too_large", limit=ROWS_MAX, limit_mb=BYTES_MAX // 1_000_000)
    return [_row(line, row, columns, today) for line, row in filled]


def _delimiter(text: str) -> str:
    head = text.split("\n", 1)[0]
    return max(",;\t", key=head.count)


def _columns(head: list[str]) -> dict[str, int]:
    words = [" ".join(cell.casefold().split()) for cell in head]
    found = {}
    for name, spellings in _HEADS.items():
        places = [place for place, word in enumerate(words) if word in spellings]
        if len(places) > 1:
            raise QuoteError("evidence_feed_column_twice", column=name)
        if places:
            found[name] = places[0]
    if "s889" not in found and "country" not in found:
        raise QuoteError("evidence_feed_column_missing", column="country")
    for name in _WANTED:
        if name not in found:
            raise QuoteError("evidence_feed_column_missing", column=name)
    return found


def _row(line: int, row: list[str], columns: dict[str, int], today: date) -> FeedRow:
    cells = {name: row[place].strip() if place < len(row) else "" for name, place in columns.items()}
    if not cells["mpn"]:
        raise QuoteError("evidence_feed_row_without_part", line=str(line))
    try:
        stated_on = date.fromisoformat(cells["date"])
    except ValueError:
        raise QuoteError("evidence_feed_date", line=str(line), value=cells["date"][:40]) from None
    if stated_on > today:
        raise QuoteError("evidence_feed_date_ahead", line=str(line), value=cells["date"])
    return FeedRow(
        line=line,
        mpn=cells["mpn"][:80],
        manufacturer=cells.get("manufacturer", "")[:100],
        country=cells.get("country", "")[:200],
        stated_on=stated_on,
        s889=cells.get("s889", "")[:300],
        says_origin="country" in columns,
    )
