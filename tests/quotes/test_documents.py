"""Documents: the same figures in every format, the same bytes twice, nothing that could run or promise."""

import copy
import io
import json
import re
import time
from csv import reader as csv_reader
from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from quotes.content import _changes, check_value
from quotes.document import QuoteDocument, build_document
from quotes.exports import csv as csv_export
from quotes.exports.csv import csv
from quotes.exports.json import json as json_export
from quotes.exports.opentrans import opentrans
from quotes.exports.pdf import pdf
from quotes.exports.registry import FORMATS
from quotes.exports.table import COLUMNS, inert
from quotes.exports.ubl import ubl
from quotes.exports.xlsx import HEAD_ROW, xlsx
from quotes.models import QuoteRevision
from quotes.offline import content_from_option
from tests.quotes import samples

TODAY = date(2026, 11, 30)


def content(language: str = "en", **changes: Any) -> dict[str, Any]:
    currency = "USD" if language == "en" else "EUR"
    buyer = "us_gsa_mas" if language == "en" else "commercial"
    given = {**samples.option(currency), "request": samples.request(buyer, currency), **changes}
    return content_from_option(given, language=language, today=TODAY)


def frozen(language: str = "en", **changes: Any) -> QuoteDocument:
    made = content(language, **changes)
    made["quote"] |= {"locked_at": "2026-11-30T21:42:00+00:00", "verify_base": "kvote.example/v/"}
    return build_document(made, state="locked")


def pdf_text(document: QuoteDocument) -> str:
    pages = PdfReader(io.BytesIO(pdf(document))).pages
    return "\n".join(page.extract_text() for page in pages).replace("\u00a0", " ")


def sheet_rows(document: QuoteDocument, name: str) -> list[tuple[Any, ...]]:
    book = load_workbook(io.BytesIO(xlsx(document)), data_only=True)
    return [tuple(row) for row in book[name].iter_rows(min_row=HEAD_ROW + 2, values_only=True)]


@pytest.mark.parametrize(("language", "read"), [("en", "KR or KP"), ("de", "KR oder KP")])
def test_an_origin_that_may_be_two_countries_is_not_printed_as_one(language: str, read: str) -> None:
    assert read in pdf_text(frozen(language))


@pytest.mark.parametrize("language", ["en", "de"])
def test_totals_are_equal_to_the_cent_in_every_format(language: str) -> None:
    document = frozen(language)
    net = Decimal(document.content["totals"]["net"])
    assert net == Decimal("145827.36")
    assert document.reader.money(net).replace("\u00a0", " ") in pdf_text(document)
    lines = sheet_rows(document, "Lines")
    counted = [row for row in lines if row[COLUMNS.index("counts_in_total")] == "yes"]
    extended = COLUMNS.index("extended")
    assert sum(Decimal(str(row[extended])) for row in counted if row[extended] is not None) == net
    assert any(Decimal(str(row[1])) == net for row in sheet_rows(document, "Totals") if row[1] is not None)
    assert json.loads(json_export(document))["content"]["totals"]["net"] == str(net)
    table = csv(document).decode("utf-8-sig").splitlines()
    separator, point = (";", ",") if language == "de" else (",", ".")
    assert f"68808{point}00" in table[1]
    assert table[0].split(separator)[0] == "line"


def test_every_printed_amount_of_a_line_stands_in_the_pdf() -> None:
    document = frozen()
    text = pdf_text(document)
    for line in document.content["lines"]:
        if line["extended"] is not None and line["counts"]:
            assert document.reader.amount(line["extended"]) in text, line["number"]


def test_the_german_gross_follows_from_the_printed_net() -> None:
    totals = frozen("de").content["totals"]
    # 145,827.36 x 19 % = 27,707.1984, half up 27,707.20
    assert (totals["taxes"][0]["amount"], totals["gross"]) == ("27707.20", "173534.56")


@pytest.mark.parametrize("name", sorted(FORMATS))
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_same_content_gives_the_same_bytes(name: str, language: str) -> None:
    first, second = frozen(language), frozen(language)
    assert FORMATS[name].make(first) == FORMATS[name].make(second)


@pytest.mark.parametrize("state", ["draft", "in_review", "approved"])
@pytest.mark.parametrize(("language", "word"), [("en", "DRAFT, not an offer"), ("de", "ENTWURF, kein Angebot")])
def test_a_draft_says_so_on_every_page_and_has_no_check_value(state: str, language: str, word: str) -> None:
    document = build_document(content(language), state=state)
    assert document.check_value == ""
    for page in PdfReader(io.BytesIO(pdf(document))).pages:
        assert word in page.extract_text().replace("\u00a0", " ")
    assert document.file_stem.endswith({"en": "_DRAFT", "de": "_ENTWURF"}[language])
    assert json.loads(json_export(document))["check_value"] is None
    assert csv(document).decode("utf-8-sig").splitlines()[0].endswith("state")


def test_every_page_is_numbered_and_the_check_value_stands_in_full_on_the_last() -> None:
    document = frozen()
    pages = PdfReader(io.BytesIO(pdf(document))).pages
    for number, page in enumerate(pages, start=1):
        assert f"Page {number} of {len(pages)}" in page.extract_text().replace("\u00a0", " ")
    assert document.check_value in pages[-1].extract_text()
    assert f"kvote.example/v/{document.check_value[:12]}" in pages[0].extract_text()


def test_the_pdf_is_tagged_and_names_its_language() -> None:
    root = PdfReader(io.BytesIO(pdf(frozen("de")))).trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] == True  # noqa: E712 - a PDF boolean, not Python's
    assert root["/Lang"] == "de-DE"
    assert "/StructTreeRoot" in root


def test_paper_follows_the_region() -> None:
    sizes = [PdfReader(io.BytesIO(pdf(frozen(x)))).pages[0].mediabox[2:] for x in ("en", "de")]
    assert [(round(w), round(h)) for w, h in sizes] == [(612, 792), (595, 842)]


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_open_price_is_said_in_every_format(language: str) -> None:
    document = frozen(language)
    words = {"en": ("Incomplete:", "price open"), "de": ("Unvollständig:", "Preis offen")}[language]
    text = pdf_text(document)
    assert all(word in text for word in words)
    row = next(row for row in sheet_rows(document, "Lines") if row[0] == "1.5")
    assert row[COLUMNS.index("extended")] is None
    assert row[COLUMNS.index("price_state")] == "open"
    assert json.loads(json_export(document))["content"]["totals"]["complete"] is False
    separator = ";" if language == "de" else ","
    table = list(csv_reader(io.StringIO(csv(document).decode("utf-8-sig")), delimiter=separator))
    open_row = next(dict(zip(table[0], cells, strict=True)) for cells in table if cells[0] == "1.5")
    assert (open_row["price_state"], open_row["extended"], open_row["counts_in_total"]) == ("open", "", "yes")
    assert any(words[0].lower().rstrip(":")[:8] in str(row[0]).lower() for row in sheet_rows(document, "Totals"))


def test_no_document_promises_conformity_or_names_a_supplier() -> None:
    for language in ("en", "de"):
        document = frozen(language)
        sheets = load_workbook(io.BytesIO(xlsx(document)))
        cells = [str(cell) for sheet in sheets for row in sheet.iter_rows(values_only=True) for cell in row]
        everything = " ".join(
            [
                pdf_text(document),
                csv(document).decode("utf-8-sig"),
                json_export(document).decode(),
                ubl(document).decode(),
                opentrans(document).decode(),
                *cells,
            ]
        )
        for word in ("compliant", "konform", "Secret", "€0", "$0.00", "N/A"):
            assert word.lower() not in everything.lower(), word


HOSTILE = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", '=HYPERLINK("http://x","y")', "=cmd|' /C calc'!A0"]


@pytest.mark.parametrize("text", HOSTILE)
def test_formula_like_text_is_inert(text: str) -> None:
    bill = [{"line": "1", "description": text, "mpn": text, "manufacturer": text, "quantity": 1}]
    document = build_document(content_from_option(bill, language="en", today=TODAY))
    book = load_workbook(io.BytesIO(xlsx(document)))
    row = next(book["Lines"].iter_rows(min_row=HEAD_ROW + 2))
    for name in ("description", "mpn", "manufacturer"):
        cell = row[COLUMNS.index(name)]
        assert cell.data_type == "s"
        assert str(cell.value).startswith("'")
    for cell in csv(document).decode().splitlines()[1].split(","):
        assert not cell.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert inert("NV-A96P-600") == "NV-A96P-600"
    assert pdf(document).startswith(b"%PDF")


def test_typst_markup_in_a_text_stays_text() -> None:
    hostile = '#panic("x") *bold* $x$ <label> \\ "quote" #eval("1+1")'
    bill = [{"line": "1", "description": hostile, "mpn": "#", "quantity": 1}]
    document = build_document(content_from_option(bill, language="en", today=TODAY))
    assert '#panic("x")' in pdf_text(document).replace("\n", " ")


def test_part_numbers_stay_text_in_the_workbook() -> None:
    bill = [{"line": "1.10", "description": "x", "mpn": "0012300", "hts": "8473.30", "quantity": 1}]
    document = build_document(content_from_option(bill, language="en", today=TODAY))
    row = next(load_workbook(io.BytesIO(xlsx(document)))["Lines"].iter_rows(min_row=HEAD_ROW + 2))
    assert (row[0].value, row[0].number_format) == ("1.10", "@")
    assert row[COLUMNS.index("mpn")].value == "0012300"
    assert row[COLUMNS.index("hts")].value == "8473.30"


def test_workbook_formulas_name_the_line_types_that_count() -> None:
    book = load_workbook(io.BytesIO(xlsx(frozen("de"))))
    first = HEAD_ROW + 2
    assert book["Lines"].cell(first, COLUMNS.index("extended") + 1).value == f"=ROUND(I{first}*N{first},2)"
    formulas = [str(row[1].value) for row in book["Totals"].iter_rows(min_row=first) if row[1].data_type == "f"]
    assert any('"base"' in text and '"discount"' in text and '"option"' not in text for text in formulas)


def test_the_json_check_value_can_be_recomputed_from_its_content() -> None:
    body = json.loads(json_export(frozen()))
    assert check_value(body["content"]) == body["check_value"]
    body["content"]["lines"][0]["extended"] = "1.00"
    assert check_value(body["content"]) != body["check_value"]


def test_csv_flavours_differ_in_separator_point_date_and_bom() -> None:
    english, german = frozen("en"), frozen("de")
    assert not csv(english).startswith(b"\xef\xbb\xbf")
    assert csv(german).startswith(b"\xef\xbb\xbf")
    assert b"2026-11-15" in csv(english)
    assert b"15.11.2026" in csv(german)
    assert csv(english).count(b"\r\n") == len(english.content["lines"]) + 1
    assert csv_export.file_name(english).endswith("_en_comma-point.csv")
    assert csv_export.file_name(german).endswith("_de_semicolon-comma.csv")


def test_a_price_in_another_currency_without_rate_is_open() -> None:
    bill = [{"line": "1", "description": "x", "quantity": 1, "unit_price": samples.money("10", "EUR")}]
    given = {"bom": bill, "cost": {"purchase": {"currency": "USD"}}}
    made = content_from_option(given, language="en", today=TODAY)
    assert made["totals"]["open_lines"] == ["1"]
    assert made["lines"][0]["price_note"]["params"]["currency"] == "EUR"


def test_a_press_estimate_never_enters_the_total() -> None:
    price = samples.money("28000", basis="estimate_press")
    made = content_from_option(
        [{"line": "1", "description": "x", "quantity": 1, "unit_price": price}], language="en", today=TODAY
    )
    assert (made["totals"]["net"], made["totals"]["open_lines"]) == ("0.00", ["1"])
    assert made["lines"][0]["price_state"] == "indicative"


def many_lines(count: int) -> list[dict[str, Any]]:
    return [
        {**samples.bom()[index % 5], "line": f"{index // 50 + 1}.{index % 50 + 1}", "alternative_to": ""}
        for index in range(count)
    ]


def test_five_hundred_lines_are_printed_without_losing_one() -> None:
    document = frozen(bom=many_lines(500))
    start = time.perf_counter()
    made = pdf(document)
    pages = PdfReader(io.BytesIO(made)).pages
    took_s = time.perf_counter() - start
    text = "\n".join(page.extract_text() for page in pages)
    missing = [
        line["number"] for line in document.content["lines"] if not re.search(rf"^{line['number']}\b", text, re.M)
    ]
    assert missing == []
    assert took_s < 30
    assert len(sheet_rows(document, "Lines")) == 500


@pytest.mark.parametrize(("language", "words"), [("en", "quote 6 of them"), ("de", "enthalten 6 davon")])
def test_a_number_of_accelerators_that_was_not_sized_is_said(language: str, words: str) -> None:
    bill = copy.deepcopy(samples.bom())
    assert words not in pdf_text(frozen(language, bom=bill))
    bill[0]["quantity"] = 6
    assert words in " ".join(pdf_text(frozen(language, bom=bill)).split())


def test_one_line_and_no_sizing_still_make_a_document() -> None:
    bill = [{"line": "1", "description": "Server", "quantity": 1, "unit_price": samples.money("10.00")}]
    document = build_document(content_from_option(bill, language="de", today=TODAY))
    assert document.sizing is None
    assert "Server" in pdf_text(document)


def test_a_second_revision_prints_what_changed_and_the_amounts_add_up() -> None:
    old = content()
    bom = copy.deepcopy(samples.bom())
    bom[2]["quantity"] = 6
    new = content(bom=bom)
    replaced = QuoteRevision(number=1, content=old, issued_on=TODAY)
    new["changes"] = _changes(replaced, new)
    new["quote"] |= {"revision": 2, "locked_at": "2026-12-01T10:00:00+00:00"}
    document = build_document(new, state="locked")
    text = pdf_text(document)
    assert "Changes from R1 to R2" in text
    assert "Total +4,360.00, from $145,827.36 to $150,187.36. 1 line changed, 11 lines unchanged." in text.replace(
        "\n", " "
    )
    german = pdf_text(build_document(new, state="locked", language="de"))
    assert "4 Stück 6 Stück +4.360,00" in german
    rows = sheet_rows(document, "Changes")
    assert [(row[0], row[1], row[4]) for row in rows] == [("1.3", "quantity", 4360)]
