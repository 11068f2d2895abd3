"""Files of listed parties that a user may load: the Consolidated Screening List and the SAM exclusions. Pure.

Columns, by their headers and in any order:

- Consolidated Screening List, CSV of the International Trade Administration
  (https://www.trade.gov/consolidated-screening-list): `_id, source, entity_number, type, programs, name, ...,
  start_date, end_date, ..., alt_names, ...`; several values of a cell are separated by `; `, dates are YYYY-MM-DD.
- SAM exclusions, public extract V2 of the General Services Administration (https://sam.gov/data-services):
  `Classification, Name, Prefix, First, Middle, Last, Suffix, ..., Exclusion Type, ..., Active Date,
  Termination Date, ..., SAM Number, CAGE, ...`; dates are MM/DD/YYYY or "Indefinite".

Persons are left out: a quote names firms, and names of persons would only bring false hits.
"""

import csv
import io
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sizing.core.values import Message

UNPACKED_BYTES_MAX = 400_000_000
ROW_CHANGE_MAX = 0.2  # of the active rows; a larger step asks for a look at the file first
FIRMS = frozenset({"entity", "firm", "special entity designation"})
CSL_COLUMNS = ("_id", "source", "type", "name", "start_date", "end_date", "alt_names")
SAM_COLUMNS = ("Classification", "Name", "Exclusion Type", "Active Date", "Termination Date", "SAM Number", "CAGE")


class UnreadableFile(ValueError):
    """The file cannot be one of these lists; `message` says why."""

    def __init__(self, message: Message) -> None:
        self.message = message
        super().__init__(f"{message.code} {dict(message.params)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedParty:
    """One firm on a list, with the days from which and up to which it stands there (None: no end known)."""

    entity_id: str
    source: str
    name: str
    aliases: tuple[str, ...]
    listed_from: date | None
    listed_to: date | None


def unpacked(content: bytes) -> bytes:
    """The bytes of the list: of a ZIP file, as SAM hands it out, its one CSV file; else the content itself.

    Raises UnreadableFile for an archive with no CSV or several, a broken one, or one that unpacks too large.
    """
    if not content.startswith(b"PK\x03\x04"):
        return content
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            inside = [entry for entry in archive.infolist() if entry.filename.casefold().endswith(".csv")]
            if len(inside) != 1:
                raise UnreadableFile(Message("party_file_archive", {"files": len(inside)}))
            with archive.open(inside[0]) as file:
                text = file.read(UNPACKED_BYTES_MAX + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError):
        raise UnreadableFile(Message("party_file_broken_archive")) from None
    if len(text) > UNPACKED_BYTES_MAX:
        raise UnreadableFile(Message("party_file_too_large", {"limit_mb": UNPACKED_BYTES_MAX // 1_000_000}))
    return text


def read_consolidated(content: bytes) -> tuple[ListedParty, ...]:
    """The firms of a Consolidated Screening List. A row without a type is kept: many firms have none.

    Raises UnreadableFile for text that is no UTF-8, a missing column or a date that cannot be read.
    """
    return tuple(
        ListedParty(
            entity_id=row["_id"],
            source=row["source"],
            name=row["name"],
            aliases=tuple(part.strip() for part in row["alt_names"].split(";") if part.strip()),
            listed_from=_iso(row["start_date"], line),
            listed_to=_iso(row["end_date"], line),
        )
        for line, row in _rows(content, CSL_COLUMNS)
        if row["name"] and row["type"].casefold() in FIRMS | {""}
    )


def read_exclusions(content: bytes) -> tuple[ListedParty, ...]:
    """The firms of a SAM exclusions extract. Raises UnreadableFile as `read_consolidated` does."""
    return tuple(
        ListedParty(
            entity_id=row["SAM Number"] or row["CAGE"],
            source=row["Exclusion Type"],
            name=row["Name"],
            aliases=(),
            listed_from=_american(row["Active Date"], line),
            listed_to=_american(row["Termination Date"], line),
        )
        for line, row in _rows(content, SAM_COLUMNS)
        if row["Name"] and row["Classification"].casefold() in FIRMS
    )


def staging_fault(rows: Sequence[ListedParty], *, active_rows: int | None) -> Message | None:
    """Why a staged list must not become active without a look: empty, or too far from the active one's count."""
    if not rows:
        return Message("party_file_empty")
    if active_rows and abs(len(rows) - active_rows) > ROW_CHANGE_MAX * active_rows:
        return Message("party_file_row_change", {"rows": len(rows), "active": active_rows})
    return None


def _rows(content: bytes, columns: Sequence[str]) -> Iterator[tuple[int, dict[str, str]]]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UnreadableFile(Message("party_file_not_utf8")) from None
    reader = csv.DictReader(io.StringIO(text, newline=""), restval="")
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        raise UnreadableFile(Message("party_file_column_missing", {"column": missing[0]}))
    try:
        for row in reader:
            yield reader.line_num, {name: " ".join(row[name].split()) for name in columns}
    except csv.Error:
        raise UnreadableFile(Message("party_file_not_csv", {"line": str(reader.line_num)})) from None


def _iso(text: str, line: int) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise UnreadableFile(Message("party_file_date", {"line": str(line), "value": text[:40]})) from None


def _american(text: str, line: int) -> date | None:
    if not text or text.casefold() == "indefinite":
        return None
    try:
        return datetime.strptime(text, "%m/%d/%Y").date()
    except ValueError:
        raise UnreadableFile(Message("party_file_date", {"line": str(line), "value": text[:40]})) from None
