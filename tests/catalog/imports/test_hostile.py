"""Hostile, damaged and foreign files: refused with a reason, quickly and in bounded memory."""

import io
import json
import time
import zipfile
from pathlib import Path

import pytest
from django.core.management import call_command

from catalog.imports import read as reading
from catalog.imports.cells import UnreadableFile
from tests.catalog.imports.build import raw_workbook, read, saved, workbook

HEADER = "mpn;price;currency\n"
ENTITIES = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
    "<worksheet><sheetData><row><c t='inlineStr'><is><t>&b;</t></is></c></row></sheetData></worksheet>"
)
EXTERNAL = "<!DOCTYPE x SYSTEM 'file:///etc/passwd'><worksheet><sheetData/></worksheet>"
DDE = "<worksheet><sheetData><row><c><f>cmd|'/c calc'!A0</f><v>1</v></c></row></sheetData></worksheet>"
SHEET = "<worksheet><sheetData/></worksheet>"


def refusal(data: bytes) -> str:
    begun = time.perf_counter()
    with pytest.raises(UnreadableFile) as caught:
        read(data)
    assert time.perf_counter() - begun < 2
    return caught.value.code


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "import_empty_file"),
        (b"   \n \n", "import_empty_file"),
        (b"a;b\x00c;d\n1;2;3\n", "import_null_byte"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 old excel", "import_legacy_workbook"),
        (b"%PDF-1.7", "import_other_file"),
        (b"\x1f\x8b\x08 gzip", "import_other_file"),
        (b"\xef\xbb\xbf%PDF-1.7", "import_other_file"),
        (b"<html><table><tr><td>MPN</td><td>Preis</td></tr></table></html>", "import_other_file"),
        (b'<?xml version="1.0"?><Workbook/>', "import_other_file"),
        (b'[{"mpn": "NW-1",\n"price": 1}]', "import_other_file"),
        (b"{\\rtf1 MPN;Preis}", "import_other_file"),
        (b"\n" * 2_000_000 + b"mpn;price\nA;1,00\n", "import_too_many_rows"),
        (HEADER.encode() + b"=cmd|'/C calc'!A0;1;EUR\n", "import_dangerous_formula"),
        (HEADER.encode() + b'"=WEBSERVICE(""http://x"")";1;EUR\n', "import_dangerous_formula"),
        ((";".join(["x"] * 20_000) + "\n").encode(), "import_too_many_columns"),
        (b"x" * 1_000_000, "import_line_too_long"),
        (HEADER.encode() + b"A;" + b"1" * 40_000 + b";EUR\n", "import_cell_too_long"),
        (b"\x81\x8d\x8f;b\n1;2\n", "import_encoding"),
        (b"PK\x03\x04 no archive", "import_broken_workbook"),
        (raw_workbook(ENTITIES), "import_xml_entities"),
        (raw_workbook(EXTERNAL), "import_xml_entities"),
        (raw_workbook(DDE), "import_dangerous_formula"),
        (raw_workbook(SHEET, extra={"xl/vbaProject.bin": b"macro"}), "import_macros"),
        (raw_workbook(SHEET, extra={"xl/externalLinks/externalLink1.xml": b"<x/>"}), "import_external_links"),
        (raw_workbook(SHEET, extra={"xl/media/zero.bin": b"0" * 50_000_000}), "import_zip_bomb"),
        (raw_workbook("<worksheet><sheetData>" + "<row/>" * 10), "import_broken_workbook"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_hostile_files_are_refused_with_their_reason(data: bytes, code: str) -> None:
    assert refusal(data) == code


@pytest.mark.parametrize("name", ["content.xml", "xl/workbook.bin", "word/document.xml"])
def test_an_archive_of_another_program_is_named(name: str) -> None:
    data = raw_workbook(SHEET, extra={name: b"x"})
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(other := io.BytesIO(), "w") as copy:
        copy.writestr(name, archive.read(name))
    with pytest.raises(UnreadableFile) as caught:
        read(other.getvalue())
    assert caught.value.params["kind"] in ("OpenDocument", "XLSB", "DOCX")


@pytest.mark.parametrize(
    "cell", ["1." * 15_000, "1 " * 12_000 + "EUR", "1-" * 15_000, "kw 1 " * 6_000, "incl " * 6_000]
)
def test_long_cells_take_no_longer_than_their_length(cell: str) -> None:
    head = "mpn;description;price;currency;lead time;valid until\n"
    lines = (f"NW-{n};{cell};{cell};EUR;{cell};{cell}\n" for n in range(20))
    begun = time.perf_counter()
    found = read((head + "".join(lines)).encode())
    assert time.perf_counter() - begun < 2
    assert found.counts["rejected"] == 20


def test_a_workbook_of_the_largest_stated_size_is_read_by_what_it_holds() -> None:
    rows = "<row r='1'><c t='inlineStr'><is><t>MPN</t></is></c><c t='inlineStr'><is><t>Preis EUR</t></is></c></row>"
    rows += "<row r='2'><c t='inlineStr'><is><t>NW-1</t></is></c><c><v>12.5</v></c></row>"
    sizes = "<dimension ref='A1:XFD1048576'/><cols><col min='1' max='16384'/></cols>"
    sheet = f"<worksheet>{sizes}<sheetData>{rows}</sheetData></worksheet>"
    assert read(raw_workbook(sheet)).counts["accepted"] == 1


def test_ten_million_columns_are_refused() -> None:
    assert refusal(b";" * 10_000_000 + b"\n") == "import_line_too_long"


def test_a_row_of_endless_cells_is_refused_before_it_is_held_in_memory() -> None:
    cells = "<c><v>1</v></c>" * 400_000
    data = raw_workbook(f"<worksheet><sheetData><row r='1'>{cells}</row></sheetData></worksheet>")
    assert refusal(data) in ("import_too_many_columns", "import_zip_bomb")


def test_a_merged_range_over_the_whole_sheet_is_refused() -> None:
    rows = "".join(f"<row r='{n}'><c r='A{n}'><v>1</v></c></row>" for n in range(1, 4))
    merge = "<mergeCells><mergeCell ref='A1:XFD1048576'/></mergeCells>"
    assert (
        refusal(raw_workbook(f"<worksheet><sheetData>{rows}</sheetData>{merge}</worksheet>")) == "import_too_many_cells"
    )


def test_a_zip_that_is_no_workbook_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.zip"
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("readme.txt", "hello")
    assert refusal(file.read_bytes()) == "import_other_file"


def test_a_file_over_the_limit_is_refused_by_its_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "huge.csv"
    with file.open("wb") as handle:
        handle.truncate(500_000_000)
    begun = time.perf_counter()
    with pytest.raises(SystemExit) as stopped:
        call_command("import_prices", str(file), dry_run=True)
    assert time.perf_counter() - begun < 2
    assert stopped.value.code == 2
    assert json.loads(capsys.readouterr().err)["errors"][0]["code"] == "import_file_too_large"


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "RECORDS_MAX", 10)
    assert refusal((HEADER + "A;1,00;EUR\n" * 20).encode()) == "import_too_many_rows"


def test_a_broken_quote_spoils_its_own_line_only() -> None:
    found = read((HEADER + 'A;"1,00;EUR\nB;2,00;EUR\nC;3,00;EUR\n').encode())
    assert [(row.mpn, row.action.value) for row in found.rows] == [("", "rejected"), ("B", "create"), ("C", "create")]


@pytest.mark.parametrize("number", ["=1+1", "@SUM(A1)", "+cmd"])
def test_formula_like_part_numbers_are_rejected(number: str) -> None:
    found = read(f"{HEADER}{number};1,50;EUR\nB;2,50;EUR\n".encode())
    assert found.rows[0].reason.code == ("row_formula_text" if number != "+cmd" else "row_accepted")


def test_a_formula_in_place_of_a_part_number_is_rejected() -> None:
    book = workbook([["MPN", "Preis EUR"], ["=A1&B1", 12.5], ["B-2", 13.5]])
    found = read(saved(book))
    assert [row.action.value for row in found.rows] == ["rejected", "create"]


@pytest.mark.parametrize("name", ["feed.txt"])
def test_a_short_feed_is_refused_whole(name: str) -> None:
    data = b"9~HDR~20261115~0600~USD\n9~DTL~A~I~7~A~T~M~41~6~0~0~2.00~3.00~2~N~4\n9~TRL~2\n"
    assert refusal(data) == "import_short_file"
