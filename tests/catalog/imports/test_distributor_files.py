"""Files of many distributors: every number right, or asked, or set aside with its reason; never silently wrong."""

from typing import Any

import pytest

from catalog.imports.check import Understanding
from tests.catalog.imports.build import raw_workbook, read, saved, workbook
from tests.catalog.imports.distributor_files import FILES, File

FORMULA = """<worksheet><sheetData>
<row r="1"><c r="A1" t="inlineStr"><is><t>MPN</t></is></c><c r="B1" t="inlineStr"><is><t>Preis EUR</t></is></c></row>
<row r="2"><c r="A2" t="inlineStr"><is><t>NW-1</t></is></c><c r="B2"><f>C2*0.85</f><v>1.0493819500000001E3</v></c></row>
<row r="3"><c r="A3" t="inlineStr"><is><t>NW-2</t></is></c><c r="B3"><f>C3*0.85</f><v>1.234</v></c></row>
<row r="4"><c r="A4" t="inlineStr"><is><t>NW-3</t></is></c><c r="B4"><f>C4*0.85</f></c></row>
</sheetData></worksheet>"""


def given(found: Understanding) -> str:
    rows = [row for row in found.rows if row.action.value != "skipped"]
    assert sum(found.counts.values()) == len(found.rows)
    return "; ".join(
        f"{row.mpn or '?'} {format(row.price.normalize(), 'f') if row.is_accepted and row.price else row.action.value}"
        for row in rows
    )


def sheet(rows: list[list[Any]], formats: dict[str, str]) -> bytes:
    book = workbook(rows)
    assert book.active is not None
    for cell, code in formats.items():
        book.active[cell].number_format = code
    return saved(book)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_distributors_file_gives_its_prices_or_asks(file: File) -> None:
    found = read(file.text.encode(file.encoding))
    assert given(found) == file.gives
    assert " ".join(question.key for question in found.blocking) == file.asks


@pytest.mark.parametrize(
    ("text", "gives"),
    [
        ("MPN;Bezeichnung;Listenpreis;Rabatt;Whg\nNW-1;K;1.234;12,5;EUR\n", "NW-1 1079.75"),
        ("MPN;Bezeichnung;Preis CHF\nNW-1;K;1'234\nNW-2;K;2.500\n", "NW-1 1234; NW-2 2.5"),
        ("MPN,Qty,Price,Whg\nNW-1,1000,1.234,USD\n", "NW-1 held"),
        ("MPN;Menge;Gesamtpreis;Whg\nNW-1;10;1.000,00;EUR\n", "NW-1 held"),
        ("MPN;Preis EUR\nSEP-1000;14,50\n12.03.2026;12,50\n\u200bNW-1;1,50\n'0012;2,50\n",
         "SEP-1000 14.5; 12.03.2026 rejected; NW-1 1.5; 0012 2.5"),
        ("MPN;Preis per;Preis;Whg\nTK-1;100 Stück;12,50;EUR\nTK-2;Paar;12,50;EUR\n", "TK-1 0.125; TK-2 held"),
        ("MPN;Preis EUR\nNW-1;100-120\nNW-2;15 %\nNW-3;12,50\n", "NW-1 rejected; NW-2 rejected; NW-3 12.5"),
        ("MPN^Description^Price USD\nNW-1^K^12.50\n", "NW-1 12.5"),
    ],
)  # fmt: skip
def test_what_looks_alike_is_told_apart(text: str, gives: str) -> None:
    assert given(read(text.encode())) == gives


@pytest.mark.parametrize("encoding", ["cp1252", "cp850", "mac_roman", "utf-8", "utf-16"])
def test_umlauts_survive_every_code_page(encoding: str) -> None:
    text = "MPN;Bezeichnung;Preis;Währung\nNW-1;Gehäuse für 4 HE, groß;12,50;EUR\n"
    assert [row.description for row in read(text.encode(encoding)).rows] == ["Gehäuse für 4 HE, groß"]


def test_a_share_that_a_sheet_shows_as_per_cent_is_one() -> None:
    rows: list[list[Any]] = [["MPN", "Listenpreis EUR", "Rabatt"], ["NW-1", 1000, 0.15], ["NW-2", 20.0, 0.125]]
    assert given(read(sheet(rows, {"C2": "0%", "C3": "0.0%"}))) == "NW-1 850; NW-2 17.5"
    assert given(read(sheet(rows, {}))) == "NW-1 held; NW-2 held"


def test_a_currency_of_the_format_counts_where_nothing_else_names_one() -> None:
    rows: list[list[Any]] = [["MPN", "Bezeichnung", "Preis"], ["NW-1", "Karte", 100.5], ["NW-2", "Karte", 12.5]]
    formats = {"C2": '#,##0.00 "CHF"', "C3": "[$€-407] #,##0.00"}
    assert [row.currency for row in read(sheet(rows, formats)).rows] == ["CHF", "EUR"]
    rows[0][2] = "Preis USD"
    assert {row.currency for row in read(sheet(rows, formats)).rows} == {"USD"}


def test_the_last_value_of_a_formula_is_a_number_and_a_missing_one_no_price() -> None:
    assert given(read(raw_workbook(FORMULA))) == "NW-1 1049.38195; NW-2 1.234; NW-3 rejected"


def test_a_stored_number_needs_no_style_and_a_number_of_lost_digits_is_no_part_number() -> None:
    rows: list[list[Any]] = [
        ["MPN", "Preis EUR"],
        ["NW-1", "1.250"],
        ["NW-2", 12.5],
        [1.23e20, 1.5],
        [900210100000000, 2],
    ]
    found = read(sheet(rows, {}))
    assert given(found) == "NW-1 held; NW-2 12.5; 123000000000000000000 rejected; 900210100000000 2"


def test_a_date_without_its_format_is_still_a_day() -> None:
    rows: list[list[Any]] = [["MPN", "Preis EUR", "Gültig bis"], ["NW-1", 12.5, 46387]]
    assert [str(row.valid_until) for row in read(sheet(rows, {})).rows] == ["2026-12-31"]


def test_a_header_in_two_rows_reads_as_one() -> None:
    book = workbook(
        [
            ["Preise in CHF exkl. MwSt."],
            ["Artikel-", "Bezeichnung", "Preis", None, "Liefer-"],
            ["nummer", None, "netto", "UVP", "zeit"],
            ["NW-1", "Karte", 26890.5, 31200, "3 Wochen"],
        ]
    )
    assert book.active is not None
    book.active.merge_cells("C2:D2")
    (row,) = read(saved(book)).rows
    assert (str(row.price), str(row.list_price), row.currency) == ("26890.5", "31200", "CHF")
    assert row.lead is not None
    assert row.lead.min_days == 21


def test_totals_of_a_quote_are_told_apart() -> None:
    by_name = {file.name: read(file.text.encode()) for file in FILES if file.name in ("sections", "quote_valid_pre")}
    said = [found.totals for found in by_name.values() if found.totals]
    assert [(str(each.net), str(each.vat), str(each.gross), each.agrees) for each in said] == [
        ("540136.00", "43751.02", "583887.02", True),
        ("240492.00", "19840.59", "260332.59", True),
    ]


@pytest.mark.parametrize(
    "word", ["n. V.", "P.O.A.", "Preis a.A.", "RFQ", "Contact sales", "Projektpreis", "sur demande"]
)
def test_more_words_for_no_price_hold_the_row(word: str) -> None:
    assert given(read(f"MPN;Preis;Währung\nNW-1;{word};EUR\nNW-2;12,50;EUR\n".encode())) == "NW-1 held; NW-2 12.5"
