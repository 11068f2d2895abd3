"""Which regime binds which buyer: the first test that answers wins."""

from datetime import date
from decimal import Decimal

from quotes.compliance.register import ScreeningLists, Threshold
from quotes.compliance.types import Applicability, BuyerType, LineType, ScreeningContext

NEAR_SHARE = Decimal("0.05")  # an unverified value may move by this much before the answer counts

_AGENCIES = frozenset({BuyerType.FEDERAL_CIVILIAN, BuyerType.DOD, BuyerType.GSA_MAS})
_NOT_FEDERAL = frozenset({BuyerType.COMMERCIAL, BuyerType.EU_PUBLIC})
APPLIES, NOT_APPLICABLE, UNDETERMINED = Applicability
_TAA_BY_BUYER = {
    BuyerType.GSA_MAS: (APPLIES, "APP-06"),
    BuyerType.COMMERCIAL: (NOT_APPLICABLE, "APP-08"),
    BuyerType.EU_PUBLIC: (NOT_APPLICABLE, "APP-08"),
    BuyerType.STATE_LOCAL: (NOT_APPLICABLE, "APP-08"),
    BuyerType.GRANT: (NOT_APPLICABLE, "APP-08"),
    BuyerType.SUBCONTRACTOR: (UNDETERMINED, "APP-07"),
}


def of_taa(context: ScreeningContext, line_type: LineType, lists: ScreeningLists) -> tuple[Applicability, str]:
    """Whether the purchase restriction of FAR 25.403(c) binds this acquisition, and by which test."""
    if context.taa_by_contract:
        return APPLIES, "APP-09"
    if context.buyer_type in _TAA_BY_BUYER:
        return _TAA_BY_BUYER[context.buyer_type]
    if context.buyer_type is BuyerType.UNKNOWN or context.acquisition_value_usd is None:
        return UNDETERMINED, "APP-03"
    if context.set_aside:
        return NOT_APPLICABLE, "APP-04"
    contract_type = "service" if line_type is LineType.SERVICE else "supply"
    return _by_value(context.acquisition_value_usd, context.quote_date, contract_type, lists.thresholds)


def of_s889(context: ScreeningContext) -> tuple[Applicability, str]:
    if context.buyer_type in (*_AGENCIES, BuyerType.GRANT, BuyerType.SUBCONTRACTOR):
        return APPLIES, "S889-APP-01"
    if context.buyer_type in _NOT_FEDERAL:
        return NOT_APPLICABLE, "S889-APP-02"
    return UNDETERMINED, "S889-APP-03"


def of_part_b(context: ScreeningContext) -> tuple[Applicability, str]:
    """Part B binds the prime contractor alone: it flows down to no subcontract and into no grant."""
    if context.buyer_type in _AGENCIES:
        return APPLIES, "S889-APP-01"
    if context.buyer_type in (*_NOT_FEDERAL, BuyerType.SUBCONTRACTOR, BuyerType.GRANT):
        return NOT_APPLICABLE, "S889-APP-04"
    return UNDETERMINED, "S889-APP-03"


def of_s5949(context: ScreeningContext, line_type: LineType) -> tuple[Applicability, str]:
    if context.buyer_type in _NOT_FEDERAL:
        return NOT_APPLICABLE, "S5949-APP-02"
    if line_type is LineType.SOFTWARE:
        return NOT_APPLICABLE, "S5949-APP-04"
    if context.buyer_type in (*_AGENCIES, BuyerType.SUBCONTRACTOR):
        return APPLIES, "S5949-APP-01"
    return UNDETERMINED, "S5949-APP-03"


def of_s1260h(context: ScreeningContext) -> tuple[Applicability, str]:
    if context.buyer_type is BuyerType.DOD:
        return APPLIES, "S1260H-APP-01"
    if context.buyer_type in (BuyerType.UNKNOWN, BuyerType.SUBCONTRACTOR):
        return UNDETERMINED, "S1260H-APP-03"
    return NOT_APPLICABLE, "S1260H-APP-02"


def _by_value(
    total_usd: Decimal, day: date, contract_type: str, thresholds: tuple[Threshold, ...]
) -> tuple[Applicability, str]:
    row = _row(day, contract_type, thresholds) or _row(day, "supply", thresholds)
    if row is not None and row.verified:
        known = row.value_usd
    else:
        last = _last_verified(day, contract_type, thresholds)
        if last is None or abs(total_usd - last.value_usd) <= NEAR_SHARE * last.value_usd:
            return UNDETERMINED, "APP-05"
        known = last.value_usd
    return (APPLIES, "APP-01") if total_usd >= known else (NOT_APPLICABLE, "APP-02")


def _row(day: date, contract_type: str, thresholds: tuple[Threshold, ...]) -> Threshold | None:
    rows = [row for row in thresholds if row.contract_type == contract_type and row.covers(day)]
    return max(rows, key=lambda row: (row.verified, row.valid_from), default=None)


def _last_verified(day: date, contract_type: str, thresholds: tuple[Threshold, ...]) -> Threshold | None:
    rows = [row for row in thresholds if row.verified and row.valid_from <= day]
    own = [row for row in rows if row.contract_type == contract_type]
    return max(
        own or [row for row in rows if row.contract_type == "supply"], key=lambda row: row.valid_from, default=None
    )
