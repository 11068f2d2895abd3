"""Headerless record feeds: lines that begin with what they are (HDR, DTL, TRL)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from catalog.imports.cells import Record, UnreadableFile
from catalog.imports.columns import Column, Layout
from catalog.imports.dates import read_date
from catalog.imports.numbers import CURRENCY_CODES

HEADER_TAGS = frozenset({"HDR", "HEAD", "HEADER", "H"})
DETAIL_TAGS = frozenset({"DTL", "DET", "DETAIL", "D", "LIN"})
TRAILER_TAGS = frozenset({"TRL", "TRAILER", "T", "END"})
# The 17 columns of the positional text that US distributors send.
DISTRIBUTOR_COLUMNS = (
    "", "", "mpn", "", "sku", "status", "description", "manufacturer", "category", "stock", "", "", "price", "list",
    "", "", "",
)  # fmt: skip
WAREHOUSE_COLUMNS = (14, 16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feed:
    """A record feed: its detail records, where the tag stands, and what header and trailer say."""

    details: tuple[Record, ...]
    tag_at: int
    currency: str
    price_date: date | None
    trailer_count: int | None


def find_feed(records: Sequence[Record]) -> Feed | None:
    """The feed in these records, or None where they are no feed.

    Raises UnreadableFile where the trailer counts other than the detail lines: a short file is
    refused whole.
    """
    filled = [record for record in records if not record.is_blank]
    for tag_at in (0, 1):
        tags = [_tag(record, tag_at) for record in filled]
        known = HEADER_TAGS | DETAIL_TAGS | TRAILER_TAGS
        if filled and set(tags) <= known and set(tags) & DETAIL_TAGS and set(tags) & (HEADER_TAGS | TRAILER_TAGS):
            return _feed(filled, tags, tag_at)
    return None


def feed_layout(feed: Feed) -> Layout | None:
    """The known columns of a distributor's feed, or None where its width is another."""
    widths = {len(record.cells) for record in feed.details}
    if widths != {len(DISTRIBUTOR_COLUMNS)}:
        return None
    columns = tuple(Column(at=at, header="", role=role) for at, role in enumerate(DISTRIBUTOR_COLUMNS))
    return Layout(header_line=0, first=0, columns=columns)


def _tag(record: Record, at: int) -> str:
    return record.cells[at].strip().upper() if at < len(record.cells) else ""


def _feed(records: list[Record], tags: list[str], tag_at: int) -> Feed:
    details = tuple(record for record, tag in zip(records, tags, strict=True) if tag in DETAIL_TAGS)
    header = [
        cell.strip() for record, tag in zip(records, tags, strict=True) if tag in HEADER_TAGS for cell in record.cells
    ]
    trailer = [record.cells for record, tag in zip(records, tags, strict=True) if tag in TRAILER_TAGS]
    count = (
        next((int(cell) for cell in reversed(trailer[0][tag_at + 1 :]) if cell.strip().isdecimal()), None)
        if trailer
        else None
    )
    if count is not None and count != len(details):
        raise UnreadableFile("import_short_file", stated=count, found=len(details))
    dates = (read_date(cell, "dmy") for cell in header)
    return Feed(
        details=details,
        tag_at=tag_at,
        currency=next((cell for cell in header if cell in CURRENCY_CODES), ""),
        price_date=next(filter(None, dates), None),
        trailer_count=count,
    )
