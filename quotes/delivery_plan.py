"""Delivery of a quote from its own lines: what the option promised, worked out again after each edit."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from quotes.bom import BomLine, LeadTime, PartClass
from quotes.delivery import DeliveryTerms, plan_delivery
from quotes.models import QuoteLine
from sizing.core.values import Message

# Assumed where the option does not say: one week each, as in sizing (docs/method.md#delivery).
INTEGRATION_WEEKS = 1.0
SHIPPING_WEEKS = 1.0


def planned_delivery(stored: Mapping[str, Any], lines: Sequence[QuoteLine], *, order_date: date) -> dict[str, Any]:
    """Weeks and dates at p50 and p90, the deciding line, and whether they are lower bounds.

    The time after the last part is that of the option: its p50 less the lead time of its deciding line.
    """
    after_weeks = _after_parts_weeks(stored, lines)
    terms = DeliveryTerms(order_date=order_date, integration_weeks=after_weeks, shipping_weeks=0.0)
    plan = plan_delivery([_as_bom_line(line) for line in lines], terms)
    return {
        "weeks_p50": plan.weeks_p50,
        "weeks_p90": plan.weeks_p90,
        "date_p50": plan.date_p50.isoformat() if plan.date_p50 else None,
        "date_p90": plan.date_p90.isoformat() if plan.date_p90 else None,
        "complete": plan.complete,
        "unknown_lines": list(plan.unknown_lines),
        "deciding_line": plan.deciding_line or "",
        "after_parts_weeks": after_weeks,
    }


def _after_parts_weeks(stored: Mapping[str, Any], lines: Sequence[QuoteLine]) -> float:
    if stored.get("after_parts_weeks") is not None:
        return float(stored["after_parts_weeks"])
    deciding = next((line for line in lines if line.number == stored.get("deciding_line")), None)
    if deciding is None or deciding.lead_typical_weeks is None or stored.get("weeks_p50") is None:
        return INTEGRATION_WEEKS + SHIPPING_WEEKS
    return max(round(float(stored["weeks_p50"]) - float(deciding.lead_typical_weeks), 6), 0.0)


def _as_bom_line(line: QuoteLine) -> BomLine:
    return BomLine(
        line=line.number,
        kind=line.kind,
        part_class=PartClass.SYSTEM,
        manufacturer=line.manufacturer,
        mpn=line.mpn,
        part=line.part,
        description=Message("text", {"text": line.description}),
        quantity=max(int(line.quantity), 1),
        reason=Message("text", {"text": ""}),
        name=line.description,
        included=line.kind == "included",
        ships_with=line.included_in,
        lead=_lead(line),
    )


def _lead(line: QuoteLine) -> LeadTime | None:
    typical = line.lead_typical_weeks
    if typical is None:
        return None
    return LeadTime(
        low=_weeks(line.lead_low_weeks, typical),
        typical=float(typical),
        high=_weeks(line.lead_high_weeks, typical),
        source=line.lead_source,
        as_of=line.lead_date.isoformat() if line.lead_date else "",
        at_least=line.lead_at_least,
    )


def _weeks(value: Decimal | None, typical: Decimal) -> float:
    return float(typical if value is None else value)
