"""What stands above the header: the currency of the prices, their tax, the day of the list and how long it holds."""

from datetime import date

import pytest

from tests.catalog.imports.build import read


def first(preamble: str) -> tuple[str, str, date | None, date | None]:
    row = read(f"{preamble}\nMPN;Bezeichnung;Preis\nNW-1;Karte;100,50\n".encode()).rows[0]
    return row.currency, row.tax_basis, row.price_date, row.valid_until


@pytest.mark.parametrize(
    ("line", "currency"),
    [
        ("Alle Preise in CHF", "CHF"),
        ("Kurs EUR/USD 1,08\nPreise in USD", "USD"),
        ("Exchange rate EUR 1.08\nAll prices USD", "USD"),
        ("Alle Preise in EUR, Versand in USD", "EUR"),
        ("Konto CHF\nKonto EUR", ""),
    ],
)
def test_the_currency_is_that_of_the_prices(line: str, currency: str) -> None:
    assert first(line)[0] == currency


@pytest.mark.parametrize(
    ("line", "basis"),
    [
        ("Preise inkl. 19 % MwSt., Nettopreise auf Anfrage", "incl_vat"),
        ("Preise inkl. Versand, zzgl. MwSt.", "excl_vat"),
        ("Preise zzgl. Versand", ""),
        ("Prices exclude VAT", "excl_vat"),
        ("All prices without sales tax", "excl_vat"),
        ("Nettopreise", "excl_vat"),
    ],
)
def test_the_tax_is_that_of_the_prices(line: str, basis: str) -> None:
    assert first(line)[1] == basis


@pytest.mark.parametrize(
    ("line", "of", "until"),
    [
        ("Angebot vom 01.11.2026, gültig bis 30.11.2026", date(2026, 11, 1), date(2026, 11, 30)),
        ("Angebot vom 20.11.2026, gültig 14 Tage", date(2026, 11, 20), date(2026, 12, 4)),
        ("Date: Nov 15, 2026, valid until Dec 31, 2026", date(2026, 11, 15), date(2026, 12, 31)),
        ("Date: 1/2/2027", None, None),
    ],
)
def test_the_day_behind_until_is_the_end_and_another_the_day_of_the_list(
    line: str, of: date | None, until: date | None
) -> None:
    assert first(line)[2:] == (of, until)
