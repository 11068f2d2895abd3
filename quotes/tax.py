"""Which tax a quote carries and at which standard rate."""

import json
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path

from quotes.choices import FEDERAL_BUYERS, Region, TaxTreatment

_RATES = Path(__file__).parent / "data" / "tax_rates.json"


@lru_cache(maxsize=1)
def _rates() -> list[dict[str, str]]:
    rates: list[dict[str, str]] = json.loads(_RATES.read_text(encoding="utf-8"))["rates"]
    return rates


def standard_rate_pct(country: str, on: date) -> Decimal | None:
    """The standard rate of the country in percent on that day; None where none is stored."""
    rows = [row for row in _rates() if row["country"] == country and date.fromisoformat(row["valid_from"]) <= on]
    return Decimal(max(rows, key=lambda row: row["valid_from"])["rate_pct"]) if rows else None


def default_region(country: str) -> Region:
    """Paper and fields of a seller in this country."""
    return {"US": Region.US, "DE": Region.DE, "AT": Region.AT, "CH": Region.CH}.get(country, Region.INT)


def default_treatment(*, seller_country: str, buyer_country: str, buyer_type: str, on: date) -> TaxTreatment:
    """What can be said without a tax adviser: a rate at home, nothing for federal buyers, else open.

    A buyer without a country is taken to sit where the seller does; the seller can change it.
    """
    if seller_country == "US":
        return TaxTreatment.FEDERAL_BUYER if buyer_type in FEDERAL_BUYERS else TaxTreatment.NOT_INCLUDED
    if standard_rate_pct(seller_country, on) is not None and buyer_country in ("", seller_country):
        return TaxTreatment.BY_RATE
    return TaxTreatment.OPEN
