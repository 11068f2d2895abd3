"""Trade Agreements Act: where the end product comes from and how well that is proved.

The test is on the article delivered, not on its parts. The first rule that matches answers.
"""

from dataclasses import replace

from quotes.compliance.evidence import age_fault, origin_evidence
from quotes.compliance.origin import Origin, is_filler, resolve
from quotes.compliance.register import ScreeningLists
from quotes.compliance.types import (
    BuyerType,
    Evidence,
    Flag,
    LineType,
    Outcome,
    ScreeningContext,
    ScreeningLine,
    outcome,
)
from sizing.core.values import Message

PROHIBITED_SOURCES = frozenset({"KP", "IR", "CU"})  # FAR 25.701


def screen_origin(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> Outcome:
    """The TAA outcome of a line, with its resolved origin, proof and notes on parts."""
    origin = resolve(line.origin_text, lists.origins)
    statuses = {lists.origins.status(code) for code in origin.candidates}
    found = (
        _by_kind_of_line(line, origin, statuses)
        or _by_unclear_origin(line, origin, statuses)
        or _by_adverse_origin(line, context, origin, lists)
        or _by_proof(line, context, origin, statuses)
    )
    return replace(found, origin=origin.shown, evidence=origin_evidence(line), notes=_part_notes(line, lists))


def _by_kind_of_line(line: ScreeningLine, origin: Origin, statuses: set[str]) -> Outcome | None:
    if line.line_type is LineType.SERVICE:
        if not statuses or origin.is_region or _is_mixed(statuses):
            return outcome("TAA-009", Flag.UNKNOWN, "unknown", text=line.origin_text)
        if statuses == {"not_designated"}:
            return outcome("TAA-009", Flag.FAIL, "fail", origin=origin.shown)
        return outcome("TAA-009", Flag.PASS, "pass", origin=origin.shown)
    if line.line_type is LineType.SOFTWARE and statuses != {"not_designated"}:
        names_nothing = not statuses and not origin.is_region
        if names_nothing or line.origin_evidence is Evidence.NONE:
            return outcome("TAA-010", Flag.UNKNOWN)
    return None


def _by_unclear_origin(line: ScreeningLine, origin: Origin, statuses: set[str]) -> Outcome | None:
    if origin.is_region:
        return outcome("TAA-005", Flag.REVIEW, "region", text=line.origin_text)
    if _is_mixed(statuses):
        return outcome("TAA-005", Flag.REVIEW, "mixed", text=line.origin_text, origin=origin.shown)
    if statuses:
        return None
    has_part_origins = any(part.origin for part in line.components)
    if line.line_type is LineType.SYSTEM and origin.is_blank and has_part_origins:
        return outcome("TAA-011", Flag.UNKNOWN)
    if origin.is_blank:
        return outcome("TAA-004", Flag.UNKNOWN, "blank")
    return outcome("TAA-004", Flag.UNKNOWN, "unreadable", text=line.origin_text)


def _by_adverse_origin(
    line: ScreeningLine, context: ScreeningContext, origin: Origin, lists: ScreeningLists
) -> Outcome | None:
    """Prohibited, qualifying for DoD alone, claimed to be changed by assembly, or plainly not designated."""
    codes = origin.candidates
    adverse = all(lists.origins.status(code) == "not_designated" for code in codes)
    if len(codes) == 1 and codes[0] in PROHIBITED_SOURCES:
        return outcome("SRC-001", Flag.FAIL, origin=origin.shown)
    if adverse and context.buyer_type is BuyerType.DOD and all(map(lists.origins.is_dfars_qualifying, codes)):
        return outcome("TAA-015", Flag.REVIEW, origin=origin.shown)
    if origin.is_assembly:
        return outcome("TAA-006", Flag.REVIEW, "assembly", text=line.origin_text)
    if not is_filler(line.transformation_note) and (adverse or line.origin_evidence is not Evidence.RULING):
        return outcome("TAA-006", Flag.REVIEW, "transformation", origin=origin.shown)
    if adverse:
        return outcome("TAA-003", Flag.FAIL, origin=origin.shown)
    return None


def _by_proof(line: ScreeningLine, context: ScreeningContext, origin: Origin, statuses: set[str]) -> Outcome:
    """A good origin needs a proof that is strong, dated and fresh."""
    kind, dated = line.origin_evidence, line.origin_evidence_date
    if kind is Evidence.NONE:
        return outcome("TAA-007", Flag.UNKNOWN, "none", origin=origin.shown)
    if kind is Evidence.DATASHEET:
        return outcome("TAA-007", Flag.REVIEW, "datasheet", origin=origin.shown)
    fault = age_fault(kind, dated, context.quote_date)
    if fault:
        age_days = (context.quote_date - dated).days if dated else None
        return outcome(
            "TAA-008", Flag.REVIEW, fault, origin=origin.shown, age_days=age_days, limit_days=kind.stale_after_days
        )
    if kind is Evidence.FEED and "HK" in origin.candidates:
        return outcome("TAA-014", Flag.REVIEW)
    if kind is Evidence.FEED and context.grade_a_only:
        return outcome("TAA-007", Flag.REVIEW, "policy", origin=origin.shown)
    rule_id = "TAA-001" if statuses == {"us"} else "TAA-002"
    return outcome(
        rule_id, Flag.PASS, origin=origin.shown, grade=kind.grade, dated=dated.isoformat() if dated else None
    )


def _is_mixed(statuses: set[str]) -> bool:
    return "not_designated" in statuses and len(statuses) > 1


def _part_notes(line: ScreeningLine, lists: ScreeningLists) -> tuple[Message, ...]:
    """Parts of adverse origin are told, they never decide the line."""
    notes = []
    for part in line.components:
        codes = resolve(part.origin, lists.origins).candidates
        if codes and all(lists.origins.status(code) == "not_designated" for code in codes):
            params = {"maker": part.maker, "part_class": part.part_class, "origin": "|".join(codes)}
            notes.append(Message("TAA-NOTE-PART", params))
    return tuple(notes)
