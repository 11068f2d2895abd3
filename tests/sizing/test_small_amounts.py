"""Amounts below a cent are shown for a thousand or a million pieces."""

from decimal import Decimal

import pytest
from django.utils import translation

from sizing.templatetags.kvote import for_pieces, money


@pytest.mark.parametrize(
    ("amount", "pieces", "shown"),
    [
        ("12.5", 1, "12.5"),
        ("0.01", 1, "0.01"),
        ("0", 1, "0"),
        ("0.00023", 1000, "0.23"),  # a request
        ("0.0000031", 1_000_000, "3.1"),  # a row of a table
        ("-0.0005", 1000, "-0.5"),
    ],
)
def test_a_piece_below_a_cent_is_shown_for_many(amount: str, pieces: int, shown: str) -> None:
    assert for_pieces(Decimal(amount)) == (pieces, Decimal(shown))


def test_the_words_name_the_number_of_pieces() -> None:
    with translation.override("en"):
        assert money({"amount": "0.00023", "currency": "USD"}) == "$0.23 per 1,000"
    with translation.override("de"):
        assert money({"amount": "0.0000031", "currency": "EUR"}).endswith("je 1.000.000")
