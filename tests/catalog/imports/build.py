"""Files for import tests: text in every shape, and workbooks made by hand where a library would refuse."""

import io
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

from openpyxl import Workbook

from catalog.imports.answers import Answers, read_answers
from catalog.imports.check import Understanding, understand

DATA = Path(__file__).parent / "data"
TODAY = date(2026, 11, 30)


def read(data: bytes, **answers: Any) -> Understanding:
    return understand(data, answers=read_answers(answers) if answers else Answers(), today=TODAY)


def sample(name: str, **answers: Any) -> Understanding:
    return read((DATA / name).read_bytes(), **answers)


def workbook(rows: list[list[Any]], **sheets: list[list[Any]]) -> Workbook:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Preise"
    for row in rows:
        sheet.append(row)
    for name, more in sheets.items():
        other = book.create_sheet(name)
        for row in more:
            other.append(row)
    return book


def saved(book: Workbook) -> bytes:
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def raw_workbook(sheet_xml: str, *, extra: dict[str, bytes] | None = None) -> bytes:
    """A minimal workbook around the XML of one sheet."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "xl/workbook.xml",
            '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
        )
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            '<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>',
        )
        archive.writestr("xl/worksheets/sheet1.xml", sheet_xml)
        for name, content in (extra or {}).items():
            archive.writestr(name, content)
    return file.getvalue()
