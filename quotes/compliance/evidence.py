"""How old a proof may be, and what it is worth on the day of the quote."""

from datetime import date

from quotes.compliance.types import Evidence, EvidenceUsed, ScreeningLine

STATEMENT_DAYS_MAX = 365


def age_fault(kind: Evidence, dated: date | None, quote_date: date) -> str:
    """Why a proof does not count by its date: "undated", "future", "stale", or "" where it counts."""
    if dated is None:
        return "undated"
    if dated > quote_date:
        return "future"
    limit_days = kind.stale_after_days
    return "stale" if limit_days is not None and (quote_date - dated).days > limit_days else ""


def origin_evidence(line: ScreeningLine) -> EvidenceUsed:
    return EvidenceUsed(
        kind=line.origin_evidence,
        grade=line.origin_evidence.grade,
        dated=line.origin_evidence_date,
        sha256=line.origin_evidence_sha256,
    )


def has_maker_statement(line: ScreeningLine, quote_date: date) -> bool:
    """Whether a maker's own Section 889 statement of the last 365 days is on file."""
    dated = line.s889_evidence_date
    if line.s889_evidence is not Evidence.LETTER or dated is None:
        return False
    return 0 <= (quote_date - dated).days <= STATEMENT_DAYS_MAX


def statement_evidence(line: ScreeningLine) -> EvidenceUsed | None:
    if line.s889_evidence is Evidence.NONE:
        return None
    return EvidenceUsed(
        kind=line.s889_evidence,
        grade=line.s889_evidence.grade,
        dated=line.s889_evidence_date,
        sha256=line.s889_evidence_sha256,
    )
