"""When an option can be delivered: the line that decides, dates, and what would change them (pure).

Delivery = the longest of the base lines + integration and validation + shipping. It is a maximum, not a
sum: parts are ordered together. Source: quote rules, section delivery; docs/method.md#delivery.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil

from quotes.configure.request import BomLine, LeadTime
from sizing.core.values import Message, Money, Param, State, Verdict

DAYS_PER_WEEK = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryTerms:
    """What comes after the last part, in weeks, and the day the order is placed.

    `needed_by` None means that nobody stated a date.
    """

    order_date: date
    integration_weeks: float
    shipping_weeks: float
    needed_by: date | None = None

    @property
    def after_parts_weeks(self) -> float:
        return self.integration_weeks + self.shipping_weeks


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """Weeks and dates from order at p50 and p90; None where no base line has a known lead time.

    `complete` is False while base lines without lead time exist: the figures are then "at least".
    `deciding_line` sets p50, `deciding_line_p90` sets p90.
    """

    weeks_p50: float | None
    weeks_p90: float | None
    date_p50: date | None
    date_p90: date | None
    complete: bool
    unknown_lines: tuple[str, ...]
    deciding_line: str | None
    deciding_line_p90: str | None
    message: Message
    verdict: Verdict
    after_parts_weeks: float = 0.0  # integration, validation and shipping, contained in the weeks


def plan_delivery(lines: Sequence[BomLine], terms: DeliveryTerms) -> Delivery:
    """Critical path over the base lines of a bill of materials."""
    known, unknown = _split(lines)
    verdict_of_nothing = Verdict(state=State.UNKNOWN, margin=None, message=Message("delivery_unknown", {}))
    if not known:
        return Delivery(
            weeks_p50=None,
            weeks_p90=None,
            date_p50=None,
            date_p90=None,
            complete=False,
            unknown_lines=unknown,
            deciding_line=None,
            deciding_line_p90=None,
            message=Message("delivery_unknown", {}),
            verdict=verdict_of_nothing,
            after_parts_weeks=terms.after_parts_weeks,
        )
    line_p50, lead_p50 = max(known, key=lambda pair: pair[1].typical)
    line_p90, lead_p90 = max(known, key=lambda pair: pair[1].high)
    weeks_p50, weeks_p90 = lead_p50.typical + terms.after_parts_weeks, lead_p90.high + terms.after_parts_weeks
    complete = not unknown and not any(lead.at_least for _, lead in known)
    code = "delivery_decided_by" if complete else "delivery_at_least"
    params: dict[str, Param] = {
        "line": line_p50.line,
        "name": line_p50.name,
        "weeks_p50": round(weeks_p50, 1),
        "unknown": len(unknown),
    }
    return Delivery(
        weeks_p50=weeks_p50,
        weeks_p90=weeks_p90,
        date_p50=date_after(terms.order_date, weeks_p50),
        date_p90=date_after(terms.order_date, weeks_p90),
        complete=complete,
        unknown_lines=unknown,
        deciding_line=line_p50.line,
        deciding_line_p90=line_p90.line,
        message=Message(code, params),
        verdict=_needed_by(terms, weeks_p50, weeks_p90, complete=complete),
        after_parts_weeks=terms.after_parts_weeks,
    )


def date_after(start: date, weeks: float) -> date:
    """The day `weeks` after `start`, rounded up to whole days."""
    # Rounded first, so that 10.000000000001 weeks do not cost a day.
    return start + timedelta(days=ceil(round(weeks * DAYS_PER_WEEK, 6)))


def _split(lines: Sequence[BomLine]) -> tuple[list[tuple[BomLine, LeadTime]], tuple[str, ...]]:
    """Base lines with a lead time, and the numbers of those without.

    Included lines and those that are delivered with another line follow that line; where they have a lead
    time of their own (the accelerators of a complete system) it counts too.
    """
    base = [line for line in lines if line.kind == "base"]
    known = [(line, line.lead) for line in base if line.lead is not None]
    unknown = tuple(line.line for line in base if line.lead is None and not line.ships_with and not line.included)
    return known, unknown


def _needed_by(terms: DeliveryTerms, weeks_p50: float, weeks_p90: float, *, complete: bool) -> Verdict:
    """Against the date: ok where p90 keeps it, caution where only p50 does, fail where p50 misses it.

    Incomplete delivery can fail for certain but never be ok. Margin = (weeks to the date - p90) / weeks.
    """
    if terms.needed_by is None:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("delivery_no_date", {}))
    days = (terms.needed_by - terms.order_date).days
    weeks = days / DAYS_PER_WEEK
    params: dict[str, Param] = {
        "needed_by": terms.needed_by.isoformat(),
        "weeks": round(weeks, 1),
        "weeks_p50": round(weeks_p50, 1),
        "weeks_p90": round(weeks_p90, 1),
    }
    margin = (weeks - weeks_p90) / weeks if weeks > 0 else None
    if date_after(terms.order_date, weeks_p50) > terms.needed_by:
        return Verdict(state=State.FAIL, margin=margin, message=Message("delivery_too_late", params))
    if not complete:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("delivery_incomplete", params))
    if date_after(terms.order_date, weeks_p90) > terms.needed_by:
        return Verdict(state=State.CAUTION, margin=margin, message=Message("delivery_tight", params))
    return Verdict(state=State.OK, margin=margin, message=Message("delivery_in_time", params))


@dataclass(frozen=True, slots=True, kw_only=True)
class Substitute:
    """Another part for one line. `performance_share` is its performance relative to the present part."""

    line: str
    part: str
    name: str
    lead: LeadTime | None
    unit_price: Money | None = None
    performance_share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """Effect of one change. `weeks_saved` and `price_difference` are None where a figure is unknown.

    `next_line` is the line that decides after the change.
    """

    line: str
    part: str
    name: str
    weeks_p50: float | None
    weeks_saved: float | None
    price_difference: Money | None
    performance_share: float | None
    next_line: str | None


def next_critical(lines: Sequence[BomLine], terms: DeliveryTerms) -> WhatIf | None:
    """What would decide if the deciding line were at hand today; None where no line decides."""
    plan = plan_delivery(lines, terms)
    if plan.deciding_line is None or plan.weeks_p50 is None:
        return None
    rest = [line for line in lines if line.line != plan.deciding_line]
    after = plan_delivery(rest, terms)
    deciding = next(line for line in lines if line.line == plan.deciding_line)
    weeks = after.weeks_p50 if after.weeks_p50 is not None else terms.after_parts_weeks
    return WhatIf(
        line=deciding.line,
        part=deciding.part,
        name=deciding.name,
        weeks_p50=weeks,
        weeks_saved=plan.weeks_p50 - weeks,
        price_difference=None,
        performance_share=None,
        next_line=after.deciding_line,
    )


def substitute_effects(
    lines: Sequence[BomLine], terms: DeliveryTerms, substitutes: Sequence[Substitute]
) -> tuple[WhatIf, ...]:
    """Effect of each substitute on weeks and money; most weeks saved first, then the cheaper, then the slug.

    Substitutes without lead time come last with unknown weeks; they are never shown as faster.
    """
    plan = plan_delivery(lines, terms)
    effects = [_effect(lines, terms, plan, item) for item in substitutes]
    return tuple(sorted((effect for effect in effects if effect is not None), key=_effect_order))


def _effect(lines: Sequence[BomLine], terms: DeliveryTerms, plan: Delivery, substitute: Substitute) -> WhatIf | None:
    present = next((line for line in lines if line.line == substitute.line), None)
    if present is None:
        return None
    weeks = saved = next_line = None
    rest = [line for line in lines if line.line != substitute.line]
    after = plan_delivery(rest, terms)
    if substitute.lead is not None:
        own = substitute.lead.typical + terms.after_parts_weeks
        longest = after.weeks_p50 if after.weeks_p50 is not None else 0.0
        weeks = max(own, longest)
        next_line = substitute.line if own >= longest else after.deciding_line
        saved = plan.weeks_p50 - weeks if plan.weeks_p50 is not None else None
    return WhatIf(
        line=substitute.line,
        part=substitute.part,
        name=substitute.name,
        weeks_p50=weeks,
        weeks_saved=saved,
        price_difference=_difference(present, substitute),
        performance_share=substitute.performance_share,
        next_line=next_line,
    )


def _difference(present: BomLine, substitute: Substitute) -> Money | None:
    """(Price of the substitute - present price) x quantity; None unless both are known in one currency."""
    old, new = present.unit_price, substitute.unit_price
    if old is None or new is None or old.amount is None or new.amount is None or old.currency != new.currency:
        return None
    return Money(amount=(new.amount - old.amount) * present.quantity, currency=old.currency, basis="difference")


def _effect_order(effect: WhatIf) -> tuple[bool, float, bool, float, str]:
    price = effect.price_difference
    amount = float(price.amount) if price is not None and price.amount is not None else 0.0
    return (effect.weeks_saved is None, -(effect.weeks_saved or 0.0), price is None, amount, effect.part)
