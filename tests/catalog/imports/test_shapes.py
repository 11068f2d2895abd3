"""Shapes of files beyond the samples: fixed width, headerless, implied decimals, repeated headers, total lines."""

from decimal import Decimal

from tests.catalog.imports.build import read

FIXED = """Artikelnr   Hersteller   Bezeichnung              Preis      Whg Lieferzeit
NW-ACC-96   Nordwerk     Beschleuniger 96 GB   28.499,00  EUR 6-8 Wochen
NW-CHS-4U   Nordwerk     Gehaeuse; 4 HE        12.500,00  EUR 45 Tage
TK-C19-25   Tallinn      Netzkabel 2,5 m            0,89  EUR ab Lager
"""
IMPLIED = """Artikelnr   Hersteller   Bezeichnung           Preis        Whg
NW-ACC-96   Nordwerk     Beschleuniger 96 GB   000002849900 EUR
TK-C19-25   Tallinn      Netzkabel 2,5 m       000000000089 EUR
"""
PIPED = b"NW-1|Nordwerk|Card|100.50|EUR\nNW-2|Nordwerk|Card 2|200.50|EUR\n"


def prices(data: str, **answers: object) -> list[Decimal | None]:
    return [row.price for row in read(data.encode(), **answers).rows if row.is_accepted]


def test_fixed_width_columns_are_found_by_their_gaps() -> None:
    assert prices(FIXED) == [Decimal(28499), Decimal(12500), Decimal("0.89")]


def test_one_blank_parts_columns_only_where_header_and_data_go_on() -> None:
    quote = (
        "PART NUMBER     DESCRIPTION           QTY  UNIT PRICE  LEAD\n"
        "NW-1            Accelerator 96 GB       8   28,499.00  12 wks\n"
        "NW-2            Accelerator 48 GB       1   12,500.00  stock\n"
    )
    rows = read(quote.encode()).rows
    assert [(row.mpn, row.description, row.lead and row.lead.state) for row in rows] == [
        ("NW-1", "Accelerator 96 GB", "lead_time"),
        ("NW-2", "Accelerator 48 GB", "in_stock"),
    ]
    narrow = (
        "Art-Nr  Bezeichnung           EK netto  UVP      Whg LZ\n"
        "100001  Netzkabel C19 2,5 m       0,89      1,49 EUR 2 Tage\n"
        "100003  Beschl. 96 GB        28.499,00 33.990,00 EUR 8 Wochen\n"
    )
    assert prices(narrow) == [Decimal("0.89"), Decimal(28499)]


def test_implied_decimals_are_asked_for() -> None:
    found = read(IMPLIED.encode())
    assert [question.key for question in found.questions] == ["implied_decimals"]
    assert found.counts["held"] == 2
    assert prices(IMPLIED, implied_decimals="2") == [Decimal("28499.00"), Decimal("0.89")]


def test_columns_without_a_header_are_asked_for() -> None:
    found = read(PIPED)
    assert ([question.key for question in found.questions], found.counts["held"]) == (["columns"], 2)
    columns = ["mpn", "manufacturer", "description", "price", "currency"]
    assert [row.price for row in read(PIPED, columns=columns).rows] == [Decimal("100.50"), Decimal("200.50")]


def test_a_repeated_header_and_a_group_title_are_text() -> None:
    found = read(
        "Preise in CHF exkl. MwSt., gültig bis 31.12.2026\nArt.-Nr.;Bezeichnung;Preis\nGPU;;\nNW-1;Karte;1'234.50\n"
        "Art.-Nr.;Bezeichnung;Preis\nNW-3;Kabel;-.95\n".encode()
    )
    assert [row.action.value for row in found.rows] == ["skipped", "create", "skipped", "create"]
    assert [row.price for row in found.rows if row.is_accepted] == [Decimal("1234.50"), Decimal("0.95")]
    assert found.rows[1].tax_basis == "excl_vat"


def test_a_part_number_is_preferred_to_an_item_number() -> None:
    found = read(b'Item,Part Number,Qty,Unit Price\n1,NW-1,2,"1,000.00"\n,,Total,"2,000.00"\n')
    assert [row.mpn for row in found.rows if row.is_accepted] == ["NW-1"]
    assert found.totals is not None
    assert found.totals.agrees


def test_the_net_of_two_prices_is_the_price() -> None:
    (row,) = read("Herstellernr.;Preis brutto;Preis netto;Währung\nNW-1;119,00;100,00;EUR\n".encode()).rows
    assert (row.price, row.tax_basis) == (Decimal(100), "excl_vat")


def test_a_total_that_differs_from_the_rows_is_said() -> None:
    found = read("MPN;Menge;Preis;Währung\nNW-1;2;100,00;EUR\nSumme netto;;250,00;\n".encode())
    assert [message.code for message in found.warnings] == ["import_total_differs"]
