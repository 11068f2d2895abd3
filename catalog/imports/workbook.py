"""XLSX workbooks, read as a stream of cells: typed numbers and dates, merged cells, hidden rows and sheets.

Own reading instead of a spreadsheet library, because merged cells and hidden rows decide what a price
list says, and because every part is checked for size before it is unpacked.
"""

import io
import re
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal, InvalidOperation
from typing import IO
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import iterparse
from openpyxl.styles.numbers import BUILTIN_FORMATS, is_date_format
from openpyxl.utils.datetime import CALENDAR_MAC_1904, CALENDAR_WINDOWS_1900, from_excel

from catalog.imports.cells import DateCell, FormulaCell, FormulaNumber, NumberCell, Record, Table, UnreadableFile
from catalog.imports.file_kinds import zip_kind
from catalog.imports.numbers import currency_of

UNPACKED_BYTES_MAX = 300_000_000
RATIO_MAX = 120
RATIO_FREE_BYTES = 2_000_000
PARTS_MAX = 2_000
ROWS_MAX = 500_000
COLUMNS_MAX = 500
CELLS_MAX = 6_000_000
SHARED_STRINGS_MAX = 2_000_000
MERGED_CELLS_MAX = 200_000
FORMAT_LETTERS_MAX = 255  # what spreadsheets allow

_DAMAGE = (
    zipfile.BadZipFile, zlib.error, ParseError, LookupError, ValueError, ArithmeticError, RuntimeError, OSError,
    EOFError,
)  # fmt: skip
_MAGIC = b"PK\x03\x04"
_DANGEROUS = re.compile(r"\||\b(?:WEBSERVICE|HYPERLINK|CALL|EXEC|REGISTER|DDE|IMPORTXML|FILTERXML)\s*\(", re.IGNORECASE)
_CURRENCY_FORMAT = re.compile(r'\[\$([^\]-]+)(?:-[0-9A-Fa-f]+)?\]|"([^"]+)"|([€$£])')
_REFERENCE = re.compile(r"^([A-Z]{1,3})([0-9]{1,7})$")


@dataclass(frozen=True, slots=True)
class _Sheet:
    name: str
    path: str
    visible: bool


@dataclass(slots=True)
class _Styles:
    """What the cell styles show, by their index."""

    dates: set[int] = field(default_factory=set)
    zeros: dict[int, int] = field(default_factory=dict)  # digits of a format such as 00000
    shares: set[int] = field(default_factory=set)  # 0.15 shown as 15 %
    currencies: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Book:
    archive: zipfile.ZipFile
    strings: list[str]
    styles: _Styles
    epoch: datetime


def is_workbook(data: bytes) -> bool:
    return data.startswith(_MAGIC)


def read_workbook(data: bytes, *, sheet: str = "") -> Table:
    """The records of one visible sheet: the named one, else the one with the most rows.

    Raises UnreadableFile for bombs, macros, external links, dangerous formulas and damaged files.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            _check_archive(archive)
            return _read(archive, sheet)
    except UnreadableFile:
        raise
    except DefusedXmlException as error:
        raise UnreadableFile("import_xml_entities") from error
    except _DAMAGE as error:
        raise UnreadableFile("import_broken_workbook", detail=str(error)[:100]) from error


def _check_archive(archive: zipfile.ZipFile) -> None:
    parts = archive.infolist()
    names = {part.filename.lower() for part in parts}
    if len(parts) > PARTS_MAX:
        raise UnreadableFile("import_zip_bomb", parts=len(parts))
    if any(name.endswith("vbaproject.bin") or "/macrosheets/" in name for name in names):
        raise UnreadableFile("import_macros")
    if any("/externallinks/" in name or name.endswith("connections.xml") for name in names):
        raise UnreadableFile("import_external_links")
    if "xl/workbook.xml" not in names:
        raise UnreadableFile("import_other_file", kind=zip_kind(names))
    unpacked = sum(part.file_size for part in parts)
    packed = sum(part.compress_size for part in parts)
    too_dense = unpacked > RATIO_FREE_BYTES and unpacked > RATIO_MAX * max(1, packed)
    if unpacked > UNPACKED_BYTES_MAX or too_dense:
        raise UnreadableFile("import_zip_bomb", parts=len(parts))


def _read(archive: zipfile.ZipFile, wanted: str) -> Table:
    sheets, epoch = _sheets(archive)
    visible = [sheet for sheet in sheets if sheet.visible]
    if not visible:
        raise UnreadableFile("import_no_visible_sheet")
    book = _Book(archive, list(_strings(archive)), _styles(archive), epoch)
    by_name = {sheet.name: sheet for sheet in visible}
    if wanted and wanted not in by_name:
        raise UnreadableFile("import_no_such_sheet", sheet=wanted)
    chosen = [by_name[wanted]] if wanted else visible[:20]
    read = [(sheet, _sheet_records(book, sheet)) for sheet in chosen]
    best, (records, merged_rows) = max(read, key=lambda pair: (_filled(pair[1][0]), -chosen.index(pair[0])))
    others = tuple(sheet.name for sheet, (rows, _merged) in read if sheet is not best and _filled(rows) > 1)
    hidden = tuple(sheet.name for sheet in sheets if not sheet.visible)
    return Table(
        container="xlsx",
        encoding="utf-8",
        delimiter="",
        records=tuple(records),
        sheet=best.name,
        other_sheets=others,
        notes=tuple(f"hidden_sheet:{name}" for name in hidden),
        merged_rows=frozenset(merged_rows),
    )


def _filled(records: list[Record]) -> int:
    return sum(1 for record in records if sum(bool(cell.strip()) for cell in record.cells) > 1)


def _sheets(archive: zipfile.ZipFile) -> tuple[list[_Sheet], datetime]:
    targets = {}
    for element in _elements(archive, "xl/_rels/workbook.xml.rels", "Relationship"):
        path = element.get("Target", "")
        targets[element.get("Id", "")] = path.lstrip("/") if path.startswith("/") else f"xl/{path}"
    found, epoch = [], CALENDAR_WINDOWS_1900
    for element in _elements(archive, "xl/workbook.xml", "sheet", "workbookPr"):
        if _tag(element) == "workbookPr":
            epoch = CALENDAR_MAC_1904 if element.get("date1904") in ("1", "true") else epoch
            continue
        key = next((value for name, value in element.attrib.items() if name.endswith("}id")), "")
        if "worksheets/" in targets.get(key, ""):
            found.append(_Sheet(element.get("name", ""), targets[key], element.get("state", "visible") == "visible"))
    return found, epoch


def _styles(archive: zipfile.ZipFile) -> _Styles:
    """Which cell styles show dates, shares, currencies, and which pad whole numbers with zeros."""
    found = _Styles()
    if "xl/styles.xml" not in archive.namelist():
        return found
    formats, stated, inside, index = dict(BUILTIN_FORMATS), set[int](), False, 0
    with archive.open("xl/styles.xml") as file:
        for event, element in _events(file, ("start", "end")):
            tag = _tag(element)
            if tag == "cellXfs":
                inside = event == "start"
            elif event == "start" and tag == "numFmt":
                formats[int(element.get("numFmtId", "0"))] = element.get("formatCode", "")
                stated.add(int(element.get("numFmtId", "0")))
            elif event == "start" and tag == "xf" and inside:
                key = int(element.get("numFmtId", "0"))
                _note_style(found, index, formats.get(key, ""), is_stated=key in stated)
                index += 1
    return found


def _note_style(found: _Styles, index: int, code: str, *, is_stated: bool) -> None:
    """What a format shows. The built-in formats of money show the reader's currency, so they say none."""
    if len(code) > FORMAT_LETTERS_MAX:
        return
    if is_date_format(code):
        found.dates.add(index)
    elif re.fullmatch(r"0{2,15}", code):
        found.zeros[index] = len(code)
    elif "%" in re.sub(r'"[^"]*"', "", code):
        found.shares.add(index)
    elif is_stated:
        said = (currency_of(next(filter(None, each.groups()))) for each in _CURRENCY_FORMAT.finditer(code))
        found.currencies[index] = next(filter(None, said), "")


def _strings(archive: zipfile.ZipFile) -> Iterator[str]:
    if "xl/sharedStrings.xml" not in archive.namelist():
        return
    for count, element in enumerate(_elements(archive, "xl/sharedStrings.xml", "si")):
        if count > SHARED_STRINGS_MAX:
            raise UnreadableFile("import_too_many_cells", limit=SHARED_STRINGS_MAX)
        yield _text_of(element)


def _text_of(element: Element) -> str:
    """The text of a shared or inline string without its phonetic readings."""
    parts = []
    for child in element:
        if _tag(child) == "t":
            parts.append(child.text or "")
        elif _tag(child) == "r":
            parts += [part.text or "" for part in child if _tag(part) == "t"]
    return "".join(parts)


def _sheet_records(book: _Book, sheet: _Sheet) -> tuple[list[Record], set[int]]:
    rows: dict[int, tuple[dict[int, str], bool]] = {}
    hidden_columns: set[int] = set()
    merges: list[tuple[int, int, int, int]] = []
    cells_read, cells_in_row, number = 0, 0, 0
    parent: Element | None = None
    with book.archive.open(sheet.path) as file:
        for event, element in _events(file, ("start", "end")):
            tag = _tag(element)
            if event == "start":
                parent = element if tag == "sheetData" else parent
            elif tag == "c":
                cells_in_row += 1
                if cells_in_row > COLUMNS_MAX:
                    raise UnreadableFile("import_too_many_columns", line=number + 1, limit=COLUMNS_MAX)
            elif tag == "col" and element.get("hidden") in ("1", "true"):
                first, last = int(element.get("min", "1")), int(element.get("max", "1"))
                hidden_columns |= set(range(first - 1, min(last, COLUMNS_MAX)))
            elif tag == "row":
                number = int(element.get("r") or number + 1)
                cells = dict(_cells(book, element))
                cells_read += len(cells)
                if len(rows) >= ROWS_MAX or cells_read > CELLS_MAX:
                    raise UnreadableFile("import_too_many_cells", limit=CELLS_MAX)
                rows[number] = (cells, element.get("hidden") in ("1", "true"))
                cells_in_row = 0
                if parent is not None:
                    parent.clear()
            elif tag == "mergeCell":
                merges.append(_range(element.get("ref", "")))
    merged_rows = _fill_merged(rows, merges)
    width = max((max(cells, default=-1) for cells, _hidden in rows.values()), default=-1) + 1
    keep = [at for at in range(width) if at not in hidden_columns]
    records = [
        Record(number, tuple(cells.get(at, "") for at in keep), hidden=hidden)
        for number, (cells, hidden) in sorted(rows.items())
    ]
    return records, merged_rows


def _cells(book: _Book, row: Element) -> Iterator[tuple[int, str]]:
    at = -1
    for element in row:
        if _tag(element) != "c":
            continue
        found = _REFERENCE.match(element.get("r") or "")
        at = _column_index(found[1]) if found else at + 1
        if at >= COLUMNS_MAX:
            raise UnreadableFile("import_too_many_columns", line=int(row.get("r") or 0), limit=COLUMNS_MAX)
        text = _cell(book, element)
        if text:
            yield at, text


def _cell(book: _Book, element: Element) -> str:
    kind, style = element.get("t", "n"), int(element.get("s", "0"))
    value, formula, inline = "", None, ""
    for child in element:
        tag = _tag(child)
        if tag == "v":
            value = child.text or ""
        elif tag == "f":
            formula = child.text or ""
        elif tag == "is":
            inline = _text_of(child)
    if formula is not None:
        if _DANGEROUS.search(formula):
            raise UnreadableFile("import_dangerous_formula", line=0)
        return _computed(_number(book, value, style) if kind == "n" and value else value)
    if kind == "s":
        return book.strings[int(value)] if value.isdecimal() and int(value) < len(book.strings) else ""
    if kind == "inlineStr":
        return inline
    if kind in ("str", "e", "b", "d"):
        return value
    return _number(book, value, style)


def _number(book: _Book, value: str, style: int) -> str:
    """A stored number as the sheet shows it: 15 significant digits, dates as dates, padded zeros kept."""
    try:
        number = Decimal(format(float(value), ".15g"))
    except (ValueError, InvalidOperation):
        return value
    if not number.is_finite():
        return value
    styles = book.styles
    if style in styles.dates:
        return _moment(book, value)
    if style in styles.shares:
        number = (number * 100).normalize()
        return NumberCell(format(number, "f") + "%", number)
    plain = format(number, "f").removesuffix(".0")
    if style in styles.zeros and plain.isdecimal():
        return plain.zfill(styles.zeros[style])
    return NumberCell(plain, Decimal(plain), styles.currencies.get(style, ""))


def _computed(value: str) -> str:
    """The last value of a formula: a number stays one, text says that it was computed."""
    if isinstance(value, NumberCell):
        return FormulaNumber(value, value.number, value.currency)
    return value if isinstance(value, DateCell) else FormulaCell(value or "=")


def _moment(book: _Book, value: str) -> str:
    """A stored date as a date; a time of day or a length of time stays text."""
    moment = from_excel(float(value), book.epoch)
    if isinstance(moment, datetime):
        moment = moment.date()
    return DateCell(moment.isoformat(), moment) if isinstance(moment, date) else str(moment)


def _fill_merged(rows: dict[int, tuple[dict[int, str], bool]], merges: list[tuple[int, int, int, int]]) -> set[int]:
    """Copy the value of each merged range into all its cells; the rows that such a range touches."""
    filled, touched = 0, set()
    for top, left, bottom, right in merges:
        value = rows.get(top, ({}, False))[0].get(left, "")
        filled += (min(bottom, top + ROWS_MAX) - top + 1) * (right - left + 1)
        if filled > MERGED_CELLS_MAX:
            raise UnreadableFile("import_too_many_cells", limit=MERGED_CELLS_MAX)
        for number in range(top, bottom + 1):
            if number in rows and value:
                touched.add(number)
                for at in range(left, min(right, COLUMNS_MAX - 1) + 1):
                    rows[number][0].setdefault(at, value)
    return touched


def _range(reference: str) -> tuple[int, int, int, int]:
    first, _colon, last = reference.partition(":")
    start, end = _REFERENCE.match(first), _REFERENCE.match(last or first)
    if start is None or end is None:
        return 1, 0, 0, 0
    return int(start[2]), _column_index(start[1]), int(end[2]), _column_index(end[1])


def _column_index(letters: str) -> int:
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - 64
    return index - 1


def _elements(archive: zipfile.ZipFile, path: str, *tags: str) -> Iterator[Element]:
    with archive.open(path) as file:
        for _event, element in _events(file, ("end",)):
            if _tag(element) in tags:
                yield element
                element.clear()


def _events(file: IO[bytes], events: tuple[str, ...]) -> Iterator[tuple[str, Element]]:
    """XML events of a part; entities, DTDs and external references are refused."""
    return iter(iterparse(file, events=events, forbid_dtd=True, forbid_entities=True, forbid_external=True))


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]
