"""Margin rules: which one holds for a part, and what they do to a price.

A markup is added to what the organisation pays: to suppliers' offers and agreed prices. Its own price list is what it
sells at and stays as it is, and so do list prices and public ones. Of the rules that fit and are valid on the day the
most specific holds: kind and manufacturer, then manufacturer, then kind, then the general one; of two equal ones the
newer.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from catalog.choices import PriceKind
from catalog.imports.duplicates import maker_key
from catalog.models import MarginRule
from config.accounts.models import Organisation

PAID = frozenset({PriceKind.OFFER.value, PriceKind.CONTRACT.value})


@dataclass(frozen=True, slots=True)
class Margins:
    """The rules of an organisation that are valid on one day."""

    rules: Sequence[MarginRule] = ()

    def rule_for(self, *, kind: str, manufacturer: str, price_kind: str) -> MarginRule | None:
        """The rule for a price of this kind of a part, or None where nothing is added."""
        if price_kind not in PAID:
            return None
        maker = maker_key(manufacturer)
        fitting = [
            rule
            for rule in self.rules
            if rule.kind in ("", kind) and (not rule.manufacturer or maker_key(rule.manufacturer) == maker)
        ]
        return max(fitting, key=_rank, default=None)


def margins_of(organisation: Organisation | None, *, as_of: date) -> Margins:
    """The rules that are valid on a day (one query); none for a visitor."""
    if organisation is None:
        return Margins()
    rules = MarginRule.objects.filter(organisation=organisation, valid_from__lte=as_of)
    return Margins([rule for rule in rules if rule.valid_to is None or rule.valid_to >= as_of])


def with_markup(cost: Decimal, rule: MarginRule) -> Decimal:
    """The cost and the markup on it, exact; the caller rounds."""
    return cost * (100 + rule.markup_pct) / 100


def _rank(rule: MarginRule) -> tuple[bool, bool, date, int]:
    return bool(rule.manufacturer), bool(rule.kind), rule.valid_from, rule.pk or 0
