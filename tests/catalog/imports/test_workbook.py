"""Workbooks: typed cells, merged cells, two-row headers, hidden sheets and rows."""

from datetime import date
from decimal import Decimal

from openpyxl.worksheet.worksheet import Worksheet

from tests.catalog.imports.build import read, saved, workbook

HEADER = ["Hersteller", "Herstellernr.", "Bezeichnung", "Preis EUR", "Gültig bis"]
ROWS = [
    ["Nordwerk", "NW-1", "Karte", 28499, date(2026, 12, 31)],
    ["Nordwerk", "NW-2", "Kabel", 0.89, date(2027, 1, 15)],
]


def sheet_of(book: object) -> Worksheet:
    sheet = book.active  # type: ignore[attr-defined]
    assert isinstance(sheet, Worksheet)
    return sheet


def test_typed_numbers_and_dates_need_no_style() -> None:
    found = read(saved(workbook([HEADER, *ROWS])))
    assert [(row.price, row.valid_until) for row in found.rows] == [
        (Decimal(28499), date(2026, 12, 31)),
        (Decimal("0.89"), date(2027, 1, 15)),
    ]
    assert found.questions == []


def test_binary_noise_of_a_stored_number_is_no_price() -> None:
    found = read(saved(workbook([HEADER, ["N", "NW-1", "x", 0.1 + 0.2, None]])))
    assert found.rows[0].price == Decimal("0.3")


def test_text_numbers_are_read_by_their_column() -> None:
    found = read(saved(workbook([HEADER, ["N", "NW-1", "x", "28.499,00", None], ["N", "NW-2", "x", "12.500", None]])))
    assert [row.price for row in found.rows] == [Decimal(28499), Decimal(12500)]


def test_text_and_stored_numbers_mix_in_one_column() -> None:
    found = read(saved(workbook([HEADER, ["N", "NW-1", "x", "1.299,50", None], ["N", "NW-2", "x", 2450.5, None]])))
    assert [row.price for row in found.rows] == [Decimal("1299.50"), Decimal("2450.5")]


def test_groups_over_the_header_leave_the_meaning_to_the_words_below() -> None:
    book = workbook(
        [
            ["Artikel", None, "Bezeichnung", "Preise netto (EUR)", None, None],
            ["Hersteller", "Herstellernr.", None, "ab 1", "ab 10", "UVP"],
            ["Nordwerk", "NW-1", "Netzteil", 279.5, 271, 315],
            ["Nordwerk", "NW-2", "Lüfter", 12, None, 15],
        ]
    )
    sheet = sheet_of(book)
    for merged in ("A1:B1", "C1:C2", "D1:F1"):
        sheet.merge_cells(merged)

    first, second = read(saved(book)).rows

    assert (first.manufacturer, first.mpn, first.price, first.list_price) == (
        "Nordwerk", "NW-1", Decimal("279.5"), Decimal(315),
    )  # fmt: skip
    assert first.tiers == ((10, Decimal(271)),)
    assert (second.price, second.tiers, second.tax_basis) == (Decimal(12), (), "excl_vat")


def test_a_merged_maker_counts_for_all_its_rows() -> None:
    book = workbook([HEADER, *ROWS])
    sheet = sheet_of(book)
    sheet["A3"] = None
    sheet.merge_cells("A2:A3")
    assert [row.manufacturer for row in read(saved(book)).rows] == ["Nordwerk", "Nordwerk"]


def test_a_header_of_two_rows_is_read_as_one() -> None:
    top = ["Hersteller", "Herstellernr.", "Bezeichnung", "Preis", None]
    below = [None, None, None, "netto", "brutto"]
    book = workbook([top, below, ["Nordwerk", "NW-1", "Karte", 100, 119]])
    sheet = sheet_of(book)
    sheet.merge_cells("D1:E1")
    for column in "ABC":
        sheet.merge_cells(f"{column}1:{column}2")
    (row,) = read(saved(book)).rows
    assert (row.mpn, row.price, row.tax_basis) == ("NW-1", Decimal(100), "excl_vat")


def test_hidden_sheets_are_left_out_and_named() -> None:
    book = workbook([HEADER, *ROWS], alt=[HEADER, ["Alt", "OLD-1", "x", 1, None], ["Alt", "OLD-2", "x", 2, None]] * 3)
    book["alt"].sheet_state = "hidden"
    found = read(saved(book))
    assert [row.mpn for row in found.rows] == ["NW-1", "NW-2"]
    assert found.table.notes == ("hidden_sheet:alt",)


def test_several_visible_tables_are_asked_for() -> None:
    book = workbook([HEADER, *ROWS], Zwei=[HEADER, ROWS[0]])
    found = read(saved(book))
    assert [question.key for question in found.questions] == ["sheet"]
    assert [row.mpn for row in read(saved(book), sheet="Zwei").rows] == ["NW-1"]


def test_hidden_rows_wait_for_an_answer() -> None:
    book = workbook([HEADER, *ROWS])
    sheet_of(book).row_dimensions[3].hidden = True
    data = saved(book)
    assert [row.action.value for row in read(data).rows] == ["create", "held"]
    assert [row.action.value for row in read(data, hidden_rows="include").rows] == ["create", "create"]
    assert [row.action.value for row in read(data, hidden_rows="skip").rows] == ["create", "skipped"]


def test_leading_zeros_of_a_formatted_part_number_stay() -> None:
    book = workbook([HEADER, ["Nordwerk", 123, "x", 5.5, None]])
    sheet_of(book)["B2"].number_format = "00000"
    assert read(saved(book)).rows[0].mpn == "00123"


def test_a_part_number_that_became_a_date_is_rejected() -> None:
    found = read(saved(workbook([HEADER, ["Nordwerk", date(2026, 3, 2), "x", 5.5, None]])))
    assert found.rows[0].reason.code == "row_damaged_part_number"


def test_a_part_number_in_scientific_notation_is_rejected() -> None:
    found = read(b"mpn;price\n4,05E+12;1,50\nNW-1;2,50\n")
    assert [row.reason.code for row in found.rows] == ["row_damaged_part_number", "row_accepted"]
