"""Findings of a revision as they are read for a document: plain tuples, as a quote of 500 lines has thousands."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from quotes.models import QuoteLine, QuoteRevision


class StoredFinding(NamedTuple):
    """What a `ScreeningFinding` row says, with its line, None for the whole quote."""

    line_id: int | None
    regime: str
    applicability: str
    applicability_rule: str
    flag: str
    rule: str
    reason: dict[str, Any]
    citation: str
    origin_code: str
    evidence_grade: str
    details: dict[str, Any]
    lists: str
    engine_version: str
    input_hash: str
    line: QuoteLine | None = None


_READ = StoredFinding._fields[:-1]


def findings_of(revision: QuoteRevision, lines: Sequence[QuoteLine]) -> list[StoredFinding]:
    """The findings with their lines, which are read once and not once for each regime."""
    by_pk = {line.pk: line for line in lines}
    rows = revision.findings.order_by("pk").values_list(*_READ)
    return [StoredFinding._make((*row, by_pk.get(row[0]))) for row in rows]
