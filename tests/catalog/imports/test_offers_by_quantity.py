"""Prices by quantity, prices for a hundred pieces, discounts, tax said by row: read as meant, or asked."""

from datetime import date
from decimal import Decimal

import pytest

from catalog.imports.apply import commit_import, undo_import
from catalog.imports.columns import role_of
from catalog.imports.tiers import per_of, read_price_unit, tier_of
from catalog.models import ImportBatch, PriceObservation
from tests.catalog.imports.build import TODAY, read


@pytest.mark.parametrize(
    ("header", "quantity"),
    [
        ("ab 10 Stk", 10), ("ab 1", 1), ("Preis ab 50", 50), ("EK ab 100 Stück", 100), ("Price 1-9", 1),
        ("Price 10-49", 10), ("50+", 50), ("10+ pcs", 10), ("From 25", 25), ("Netto ab 5 EUR", 5), ("10 pcs", 10),
        ("Preis", 0), ("Preis 2", 0), ("Price 1", 0), ("2026", 0), ("Qty", 0), ("H100", 0),
    ],
)  # fmt: skip
def test_headers_name_the_quantity_from_which_a_price_holds(header: str, quantity: int) -> None:
    assert tier_of(header) == quantity


@pytest.mark.parametrize(
    ("cell", "pieces"),
    [
        ("", 1),
        ("1", 1),
        ("100", 100),
        ("1.000", 1000),
        ("je 100 Stk", 100),
        ("per 1000", 1000),
        ("Stk", 1),
        ("C", None),
    ],
)
def test_a_price_unit_is_read_or_open(cell: str, pieces: int | None) -> None:
    assert read_price_unit(cell) == pieces


def test_a_header_names_for_how_many_pieces_its_prices_stand() -> None:
    assert [per_of(text) for text in ("Preis je 100", "Price/1000", "Preis je Stück", "Preis")] == [100, 1000, 1, 1]


@pytest.mark.parametrize(
    ("header", "role"),
    [
        ("Händler-EK", "price"), ("Dealer Net", "price"), ("Your Price (USD)", "price"), ("EVP (brutto)", "list"),
        ("VPN", "mpn"), ("Herst.-Art.-Code", "mpn"), ("Artikelbezeichnung 1", "description"), ("Whrg.", "currency"),
        ("Qty Avail", "stock"), ("Backorder ETA", "lead_time"), ("Nächster Wareneingang", "lead_time"),
        ("PE", "price_unit"), ("Preisbindung bis", "valid_until"), ("Ext. Cost", "ext_price"),
        ("Unverbindliche Preisempfehlung des Herstellers ohne Gewähr und Obligo", ""), ("Farbe", ""),
    ],
)  # fmt: skip
def test_headers_of_two_languages_name_their_role(header: str, role: str) -> None:
    assert role_of(header) == role


def test_tier_columns_become_prices_from_their_quantity() -> None:
    found = read("MPN;Bezeichnung;ab 1 Stk;ab 10 Stk;ab 50 Stk;Währung\nA-1;Karte;1.299,00;1.249,00;;EUR\n".encode())
    row = found.rows[0]
    assert (row.price, row.tiers) == (Decimal("1299.00"), ((10, Decimal("1249.00")),))


def test_a_lowest_tier_above_one_is_no_price_for_one() -> None:
    row = read(b"MPN|Description|5-9|10+|Currency\nA-1|Card|1,299.00|1,249.00|USD\n").rows[0]
    assert (row.min_qty, row.price, row.tiers) == (5, Decimal("1299.00"), ((10, Decimal("1249.00")),))


def test_a_tier_that_costs_more_or_a_fraction_is_held() -> None:
    found = read(b"MPN;ab 1;ab 10;Curr\nA-1;100,00;120,50;EUR\nA-2;100,00;9,50;EUR\nA-3;100,00;95,50;EUR\n")
    assert [row.reason.code for row in found.rows] == ["row_tier_off", "row_tier_off", "row_accepted"]


def test_a_price_for_a_hundred_pieces_is_stored_for_one() -> None:
    found = read(
        b"Artikel;Preis;PE;Curr\nA-1;12,50;100;EUR\nA-2;12,50;;EUR\nA-3;12,50;Rolle;EUR\nA-4;0,01;100000;EUR\n"
    )
    assert [row.price for row in found.rows[:2]] == [Decimal("0.125"), Decimal("12.50")]
    assert [row.reason.code for row in found.rows[2:]] == ["row_unknown_price_unit", "row_too_many_decimals"]


def test_a_list_price_less_a_discount_is_the_price_and_said() -> None:
    found = read(b"MPN;Listenpreis;Rabatt %;Curr\nA-1;1.000,00;12,5;EUR\nA-2;1.000,00;??;EUR\n")
    assert found.rows[0].price == Decimal("875")
    assert [warning.code for warning in found.rows[0].warnings] == ["row_price_from_discount"]
    assert found.rows[1].reason.code == "row_unknown_discount"


def test_the_tax_that_a_row_names_wins_over_the_header() -> None:
    found = read(b"MPN;EK netto;MwSt;Curr\nA-1;10,50;brutto;EUR\nA-2;10,50;netto;EUR\nA-3;10,50;19 %;EUR\n")
    assert [row.tax_basis for row in found.rows] == ["incl_vat", "excl_vat", "excl_vat"]


def test_a_number_protected_from_a_spreadsheet_keeps_its_zeros() -> None:
    assert read(b'MPN;Preis;Curr\n"=""007123""";1,50;EUR\n').rows[0].mpn == "007123"


def test_stock_counts_where_the_delivery_column_is_empty() -> None:
    found = read(b"MPN,Price,Curr,Qty Avail,ETA\nA,1.50,USD,12,\nB,1.50,USD,0,02/28/2027\nC,1.50,USD,>100,\n")
    assert [row.lead.state for row in found.rows if row.lead] == ["in_stock", "lead_time", "in_stock"]
    assert found.rows[1].lead is not None
    assert found.rows[1].lead.promised_on == date(2027, 2, 28)
    assert found.rows[2].stock == 100


@pytest.mark.django_db
def test_tiers_are_stored_closed_and_taken_back() -> None:
    def commit(text: str) -> ImportBatch:
        batch = ImportBatch(file_name="tiers.csv")
        commit_import(read(text.encode()), batch=batch, organisation=None, supplier="S", actor=None, today=TODAY)
        return batch

    text = "MPN;ab 1;ab 10;Curr\nA-1;100,00;95,50;EUR\n"
    commit(text)
    standing = PriceObservation.objects.filter(superseded_by=None).order_by("min_quantity")
    assert list(standing.values_list("min_quantity", "unit_price")) == [(1, Decimal(100)), (10, Decimal("95.50"))]
    commit(text)
    assert PriceObservation.objects.count() == 2
    changed = commit(text.replace("95,50", "94,50"))
    assert list(standing.values_list("unit_price", flat=True)) == [Decimal(100), Decimal("94.50")]
    undo_import(changed, actor=None)
    assert list(standing.values_list("unit_price", flat=True)) == [Decimal(100), Decimal("95.50")]


@pytest.mark.django_db
def test_a_file_of_list_prices_states_no_offer() -> None:
    commit_import(
        read(b"MPN;UVP;Curr\nA-1;100,50;EUR\n"),
        batch=ImportBatch(),
        organisation=None,
        supplier="S",
        actor=None,
        today=TODAY,
    )
    assert list(PriceObservation.objects.values_list("kind", flat=True)) == ["list"]


def test_numbered_pairs_of_quantity_and_price_are_prices_by_quantity() -> None:
    text = "MPN,Qty Break 1,Price 1,Qty Break 2,Price 2,Currency\nNW-1,10,9.99,100,8.88,USD\nNW-2,1,5.00,,,USD\n"
    first, second = read(text.encode()).rows
    assert (first.min_qty, first.price, first.tiers) == (10, Decimal("9.99"), ((100, Decimal("8.88")),))
    assert (second.min_qty, second.price, second.tiers) == (1, Decimal("5.00"), ())
    roles = ["mpn", "min_qty", "price", "break:2", "step:2", "currency"]
    assert read(text.encode(), columns=roles, header_row=1).rows[0].tiers == first.tiers
