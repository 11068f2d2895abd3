"""Section 5949: SMIC, CXMT or YMTC as maker, brand or source of a chip."""

from dataclasses import replace
from datetime import date

from quotes.compliance.matching import detail, field_hits
from quotes.compliance.register import ScreeningLists
from quotes.compliance.s889 import has_full_part_list
from quotes.compliance.types import Flag, Outcome, ScreeningContext, ScreeningLine, outcome

EFFECTIVE_FROM = date(2027, 12, 23)  # Pub. L. 117-263, s. 5949


def screen_chips(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> Outcome:
    """A strong hit fails contracts that begin on the effective date or later; before it is a review."""
    named = [("manufacturer", line.manufacturer), ("brand", line.brand)]
    named += [("component", part.maker) for part in line.components]
    hits = field_hits(lists.s5949, named, line, context)
    if not hits:
        return outcome("S5949-004", Flag.PASS) if has_full_part_list(line) else outcome("S5949-003", Flag.UNKNOWN)
    field, raw, hit = min(hits, key=lambda found: (not found[2].strong, found[2].row.entity_id))
    is_effective = context.contract_start is not None and context.contract_start >= EFFECTIVE_FROM
    rule_id, flag = ("S5949-002", Flag.FAIL) if is_effective and hit.strong else ("S5949-001", Flag.REVIEW)
    variant = "" if hit.strong else "doubt"
    said = outcome(rule_id, flag, variant, name=raw, field=field, entity=hit.row.entity_id, alias=hit.alias)
    return replace(said, match=detail(field, raw, hit))
