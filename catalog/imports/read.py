"""Bytes to records: encoding, delimiter and line numbers of a text file, with limits against hostile ones."""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from catalog.imports.cells import Record, Table, UnreadableFile
from catalog.imports.code_pages import likeliest_code_page
from catalog.imports.columns import header_score
from catalog.imports.file_kinds import foreign_kind
from catalog.imports.fixed_width import split_fixed_width
from catalog.imports.workbook import is_workbook, read_workbook

FILE_BYTES_MAX = 100_000_000
RECORDS_MAX = 500_000
LINES_MAX = 2 * RECORDS_MAX  # a record may take several lines where quotes enclose them
COLUMNS_MAX = 500
CELL_LETTERS_MAX = 32_767
SAMPLE_LINES = 200
SHARED_CELLS_MAX = 20_000
DELIMITERS = (";", ",", "\t", "|", "~", "^")
DDE = re.compile(
    r"^[=+@-]\s*(?:[A-Z]+\||.*\b(?:WEBSERVICE|HYPERLINK|IMPORTXML|IMPORTDATA|IMPORTRANGE|DDE|CALL|EXEC)\s*\()",
    re.IGNORECASE,
)


_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_LEGACY_WORKBOOK = b"\xd0\xcf\x11\xe0"


def read_table(data: bytes, *, delimiter: str = "", encoding: str = "", sheet: str = "") -> Table:
    """The records of a text file or workbook. Named delimiter, encoding or sheet win over detection.

    Raises UnreadableFile for a file that is too large, hostile, or of another kind.
    """
    if len(data) > FILE_BYTES_MAX:
        raise UnreadableFile("import_file_too_large", limit_mb=FILE_BYTES_MAX // 1_000_000)
    if is_workbook(data):
        return read_workbook(data, sheet=sheet)
    if data.startswith(_LEGACY_WORKBOOK):
        raise UnreadableFile("import_legacy_workbook")
    if kind := foreign_kind(data):
        raise UnreadableFile("import_other_file", kind=kind)
    text, found_encoding = decode(data, encoding)
    if not text.strip():
        raise UnreadableFile("import_empty_file")
    lines = max(text.count("\n"), text.count("\r"))
    if lines > RECORDS_MAX and ('"' not in text or lines > LINES_MAX):
        raise UnreadableFile("import_too_many_rows", limit=RECORDS_MAX)
    hint, skipped_lines = _separator_line(text)
    delimiter = delimiter or hint
    fixed = () if delimiter else _fixed_width_records(text)
    if not delimiter and not fixed:
        delimiter = find_delimiter(text)
    records = fixed or (tuple(_records(text, delimiter, skipped_lines)) if delimiter else split_fixed_width(text))
    return Table(container="text", encoding=found_encoding, delimiter=delimiter, records=records)


def _fixed_width_records(text: str) -> tuple[Record, ...]:
    """The records of a fixed-width file whose header tells; () where cutting at gaps shows no header.

    Commas and semicolons of numbers and texts must not hide such a file: its header line holds none.
    """
    head = text.split("\n", SAMPLE_LINES)[:SAMPLE_LINES]
    if max(map(len, head)) > CELL_LETTERS_MAX:
        return ()
    for line, record in zip(head, split_fixed_width("\n".join(head)), strict=False):
        if not any(sign in line for sign in DELIMITERS) and header_score(record.cells) >= 3:
            return split_fixed_width(text)
    return ()


def decode(data: bytes, encoding: str = "") -> tuple[str, str]:
    """Text and the name of its encoding: a byte order mark, UTF-8, UTF-16 by its null bytes, Windows-1252."""
    for mark, name in _BOMS:
        if data.startswith(mark):
            return _strict(data[len(mark) :], encoding or name)
    if encoding:
        return _strict(data, encoding)
    guess = _utf16_without_mark(data[:4096])
    if guess:
        return _strict(data, guess)
    if b"\x00" in data:
        raise UnreadableFile("import_null_byte", position=data.index(b"\x00"))
    try:
        return data.decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        return _strict(data, likeliest_code_page(data))


def _strict(data: bytes, encoding: str) -> tuple[str, str]:
    try:
        text = data.decode(encoding)
    except (UnicodeDecodeError, LookupError) as error:
        position = error.start if isinstance(error, UnicodeDecodeError) else 0
        raise UnreadableFile("import_encoding", encoding=encoding, position=position) from error
    if "\x00" in text:
        raise UnreadableFile("import_null_byte", position=text.index("\x00"))
    return text, encoding


def _utf16_without_mark(head: bytes) -> str:
    """Latin text in UTF-16 has a null in almost every second byte."""
    half = len(head) // 2
    if half < 4:
        return ""
    nulls_at_even, nulls_at_odd = head[0::2].count(0), head[1::2].count(0)
    if nulls_at_odd > 0.7 * half and nulls_at_even < 0.1 * half:
        return "utf-16-le"
    return "utf-16-be" if nulls_at_even > 0.7 * half and nulls_at_odd < 0.1 * half else ""


def _separator_line(text: str) -> tuple[str, int]:
    """The delimiter that a first line "sep=;" names, and how many lines that takes."""
    found = re.match(r'"?sep=(.|\\t)"?\r?\n', text, re.IGNORECASE)
    if not found:
        return "", 0
    return ("\t" if found[1] == "\\t" else found[1]), 1


def find_delimiter(text: str) -> str:
    """The delimiter under which most lines have one common width; header words weigh most. "" for none."""
    lines = text.split("\n", SAMPLE_LINES)[:SAMPLE_LINES]
    if max(map(len, lines)) > CELL_LETTERS_MAX * 4:
        raise UnreadableFile("import_line_too_long", limit=CELL_LETTERS_MAX * 4)
    sample = "\n".join(lines)
    scores: dict[str, tuple[float, float]] = {}
    for delimiter in DELIMITERS:
        rows = [cells for cells in _split(sample, lines, delimiter) if any(cell.strip() for cell in cells)]
        widths = Counter(map(len, rows))
        width, count = max(((w, n) for w, n in widths.items() if w > 1), key=lambda wn: wn[0] * wn[1], default=(1, 0))
        share = count / max(1, len(rows))
        best_header = max((header_score(cells) for cells in rows if 1 < len(cells) <= COLUMNS_MAX), default=0.0)
        if width > 1 and (share >= 0.5 or best_header >= 2 or 1 not in widths):
            scores[delimiter] = (best_header, share * min(width, 12))
    return max(scores, key=lambda delimiter: scores[delimiter]) if scores else ""


def _split(sample: str, lines: list[str], delimiter: str) -> list[list[str]]:
    """The sample in cells; where quotes or lengths break it, line by line without quotes."""
    try:
        return list(csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter, strict=True))
    except csv.Error:
        return [line.split(delimiter) for line in lines]


def _records(text: str, delimiter: str, first_line: int) -> Iterator[Record]:
    """Records with the line on which each begins. One broken quote must not swallow the rest of a file."""
    csv.field_size_limit(CELL_LETTERS_MAX)
    if first_line:
        text = text.split("\n", first_line)[first_line]
    reader = csv.reader(_lines(text), delimiter=delimiter, strict=True)
    records: list[Record] = []
    known: dict[str, str] = {}
    before = 0
    try:
        for cells in reader:
            records.append(_record(first_line + before + 1, _shared(cells, known)))
            before = reader.line_num
            if len(records) > RECORDS_MAX:
                raise UnreadableFile("import_too_many_rows", limit=RECORDS_MAX)
    except csv.Error as error:
        if "field larger" in str(error):
            raise UnreadableFile(
                "import_cell_too_long", line=first_line + before + 1, limit=CELL_LETTERS_MAX
            ) from error
        return _line_by_line(text, delimiter, first_line)
    return iter(records)


def _lines(text: str) -> Iterator[str]:
    """Lines with their ends, one at a time: a file object over the text would hold it four times as large."""
    return (found[0] for found in _LINE.finditer(text))


def _shared(cells: list[str], known: dict[str, str]) -> list[str]:
    """The cells, with those that repeat over the file ("EUR", a maker) held once."""
    if len(known) < SHARED_CELLS_MAX:
        return [known.setdefault(cell, cell) for cell in cells]
    return [known.get(cell, cell) for cell in cells]


def _line_by_line(text: str, delimiter: str, first_line: int) -> Iterator[Record]:
    """Each line on its own; a line with broken quotes is kept, marked, and never read as data."""
    width = 0
    for number, line in enumerate(io.StringIO(text, newline=None), start=first_line + 1):
        bare = line.rstrip("\n")
        try:
            cells = next(csv.reader([bare], delimiter=delimiter, strict=True), [])
            width = len(cells) or width
            yield _record(number, cells)
        except csv.Error:
            cells = bare.split(delimiter)
            is_whole = len(cells) == width and bare.count('"') % 2 == 0  # quotes within a text, not around a delimiter
            yield _record(number, cells, fault="" if is_whole else "broken_quotes")


def _record(line: int, cells: list[str], fault: str = "") -> Record:
    if len(cells) > COLUMNS_MAX:
        raise UnreadableFile("import_too_many_columns", line=line, limit=COLUMNS_MAX)
    for cell in cells:
        if cell[:1] in ("=", "+", "@", "-") and DDE.match(cell):
            raise UnreadableFile("import_dangerous_formula", line=line)
    return Record(line, tuple(cells), fault=fault)
