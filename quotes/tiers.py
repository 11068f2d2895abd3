"""Quantity breaks as they are stored on a line: read, checked and applied. Minimum and multiple are in sale units."""

from collections.abc import Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

from quotes.errors import QuoteError
from quotes.models import QuoteLine
from quotes.pricing import PricingError, Tier, sale_units, tier_price

TIERS_MAX = 20


def stored_tiers(given: Any, number: str) -> list[dict[str, str]]:
    """The breaks as stored, by rising quantity. Raises QuoteError for what is no list of quantity and price."""
    if not isinstance(given, Sequence) or isinstance(given, str) or len(given) > TIERS_MAX:
        raise QuoteError("quote_tiers_unreadable", line=number)
    found = [_tier(entry, number) for entry in given]
    try:
        tier_price(found, Decimal(1))
    except PricingError:
        raise QuoteError("quote_tiers_unreadable", line=number) from None
    return [
        {"from": format(tier.from_quantity, "f"), "price": format(tier.unit_price, "f")}
        for tier in sorted(found, key=lambda tier: tier.from_quantity)
    ]


def tiers_of(line: QuoteLine) -> list[Tier]:
    return [_tier(entry, line.number) for entry in line.price_tiers]


def list_price_at(line: QuoteLine) -> Decimal | None:
    """The list price of the break that the line's quantity reaches; None below the first one."""
    return tier_price(tiers_of(line), line.quantity)


def refuse_unsold_quantity(line: QuoteLine) -> None:
    """Raises QuoteError naming the next quantity that is sold, where this one is below the minimum or no multiple."""
    if line.minimum_units == 1 and line.order_multiple == 1:
        return
    enough = sale_units(line.quantity, minimum_units=line.minimum_units, multiple=line.order_multiple)
    if enough != line.quantity:
        raise QuoteError(
            "quote_quantity_not_sold",
            line=line.number,
            minimum=line.minimum_units,
            multiple=line.order_multiple,
            enough=format(enough, "f"),
        )


def _tier(entry: Any, number: str) -> Tier:
    try:
        if not isinstance(entry, Mapping):
            raise KeyError
        quantity, price = Decimal(str(entry["from"])), Decimal(str(entry["price"]))
    except (KeyError, InvalidOperation):
        raise QuoteError("quote_tiers_unreadable", line=number) from None
    if not (quantity.is_finite() and price.is_finite() and quantity > 0 and price >= 0):
        raise QuoteError("quote_tiers_unreadable", line=number)
    return Tier(from_quantity=quantity, unit_price=price)
