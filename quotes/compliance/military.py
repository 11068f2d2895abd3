"""Section 1260H with Section 805: Chinese military companies as contracting party, maker or part maker."""

from dataclasses import replace
from datetime import date

from quotes.compliance.firm_name import is_blank
from quotes.compliance.matching import detail, field_hits
from quotes.compliance.names import NameHit
from quotes.compliance.register import ScreeningLists
from quotes.compliance.types import Flag, Outcome, ScreeningContext, ScreeningLine, outcome

PARTIES_FROM = date(2026, 6, 30)  # FY2024 NDAA s. 805(a)(1)(A)
GOODS_FROM = date(2027, 6, 30)  # FY2024 NDAA s. 805(a)(1)(B)


def screen_military(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> Outcome:
    """The gravest of party, maker and part; the day that counts is the contract's start, else the quote's."""
    day = context.contract_start or context.quote_date
    said = [
        _of_hit("S1260H-001", "S1260H-001", PARTIES_FROM, day, found)
        for found in _listed([("supplier", line.supplier)], line, context, lists)
    ]
    makers = [("manufacturer", line.manufacturer), ("brand", line.brand)]
    said += [
        _of_hit("S1260H-003", "S1260H-002", GOODS_FROM, day, found) for found in _listed(makers, line, context, lists)
    ]
    parts = [("component", part.maker) for part in line.components]
    said += [
        _of_hit("S1260H-004", "S1260H-004", date.max, day, found) for found in _listed(parts, line, context, lists)
    ]
    if said:
        return min(said, key=lambda one: (one.flag is not Flag.FAIL, one.rule_id))
    if is_blank(line.manufacturer) and is_blank(line.brand):
        return outcome("S1260H-005", Flag.UNKNOWN)
    return outcome("S1260H-006", Flag.PASS)


def _listed(
    named: list[tuple[str, str]], line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists
) -> list[tuple[str, str, NameHit]]:
    hits = field_hits(lists.s1260h.index, named, line, context)
    return [found for found in hits if lists.s1260h.is_listed(found[2].row.entity_id, context.quote_date)]


def _of_hit(fail_rule: str, review_rule: str, since: date, day: date, found: tuple[str, str, NameHit]) -> Outcome:
    field, raw, hit = found
    fails = hit.strong and day >= since
    rule_id = fail_rule if fails else review_rule
    variant = "fail" if fails and fail_rule == review_rule else "doubt" if not hit.strong else ""
    said = outcome(
        rule_id,
        Flag.FAIL if fails else Flag.REVIEW,
        variant,
        name=raw,
        field=field,
        entity=hit.row.entity_id,
        alias=hit.alias,
    )
    return replace(said, match=detail(field, raw, hit))
