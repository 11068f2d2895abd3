"""Screening of a revision: rows to the pure engine and its findings back to rows."""

from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from quotes.choices import LineKind, PriceState, StatementSays
from quotes.cleared import clearances_of
from quotes.compliance import lists, screen
from quotes.compliance.types import (
    BuyerType,
    Component,
    Evidence,
    Finding,
    LineType,
    QuoteScreening,
    ScreeningContext,
    ScreeningLine,
)
from quotes.listed import active_lists, with_parties
from quotes.models import Quote, QuoteLine, QuoteRevision, ScreeningFinding
from quotes.policy import policy_of, under

_LINE_TYPES = {LineKind.SERVICE: LineType.SERVICE, LineKind.LICENCE: LineType.SOFTWARE}
_SYSTEM_CATEGORIES = frozenset({"server", "appliance", "storage_array"})
_SOFTWARE_CATEGORIES = frozenset({"software", "licence", "support"})
_UNSCREENED = frozenset({LineKind.DISCOUNT})


@transaction.atomic
def screen_revision(revision: QuoteRevision, *, today: date) -> QuoteRevision:
    """Replace the findings of an editable revision by those of the present lines and lists."""
    lines = list(revision.lines.all())
    result = screened(revision.quote, lines, today=today)
    revision.findings.all().delete()
    ScreeningFinding.objects.bulk_create(finding_rows(revision, lines, result))
    revision.screened_at = timezone.now()
    revision.screening_lists = lists_used(result)
    revision.save(update_fields=["screened_at", "screening_lists"])
    return revision


def screened(quote: Quote, lines: Sequence[QuoteLine], *, today: date) -> QuoteScreening:
    """Findings and headlines of the lines, in their order; nothing is written."""
    policy = policy_of(quote.organisation if quote.organisation_id else None)
    context = ScreeningContext(
        quote_date=today,
        contract_start=quote.contract_start,
        set_aside=quote.set_aside,
        taa_by_contract=quote.taa_by_contract,
        buyer_type=BuyerType(quote.buyer_type),
        acquisition_value_usd=_acquisition_value_usd(quote, lines),
        destination=quote.buyer_country or ("US" if quote.region == "us" else ""),
        parties=tuple(filter(None, (quote.buyer_name,))),
        screened_on=today,
        clearances=clearances_of(quote.organisation, today) if quote.organisation_id else (),
    )
    context = under(policy, context)
    goods = [screening_line(line) for line in lines if line.kind not in _UNSCREENED]
    active = active_lists(quote.organisation) if quote.organisation_id else []
    known = with_parties(lists.load_lists(today), active, _names(goods, context)) if active else lists.load_lists(today)
    return screen.screen_quote(goods, context, known)


def _names(goods: Sequence[ScreeningLine], context: ScreeningContext) -> Iterator[str]:
    """Every name that may stand on a list of parties."""
    yield from context.parties
    for line in goods:
        yield from (line.manufacturer, line.brand, line.supplier)
        yield from (part.maker for part in line.components)


def screening_line(line: QuoteLine) -> ScreeningLine:
    """A line as the engine reads it: raw texts."""
    return ScreeningLine(
        line_id=line.number,
        line_type=_line_type(line),
        category=line.category,
        manufacturer=line.manufacturer,
        brand=line.brand,
        supplier=line.supplier,
        sku=line.mpn,
        components=tuple(Component(maker=name) for name in line.components),
        components_complete=line.component_list_full,
        origin_text=line.origin_raw or line.origin_code,
        origin_evidence=evidence_of(line.origin_evidence),
        origin_evidence_date=line.origin_evidence_date,
        origin_evidence_sha256=line.origin_evidence_sha256,
        s889_evidence=evidence_of(line.s889_evidence),
        s889_evidence_date=line.s889_evidence_date,
        s889_evidence_sha256=line.s889_evidence_sha256,
        s889_admits=line.s889_scope if line.s889_says == StatementSays.SOME else "",
        eccn=line.eccn,
        hts=line.hts,
    )


def evidence_of(kind: str) -> Evidence:
    """The kind of proof; anything that the engine does not know proves nothing."""
    try:
        return Evidence(kind)
    except ValueError:
        return Evidence.NONE


def finding_rows(revision: QuoteRevision, lines: Sequence[QuoteLine], result: QuoteScreening) -> list[ScreeningFinding]:
    """Unsaved rows of every finding, those of the whole quote without a line."""
    by_number = {line.number: line for line in lines}
    return [_row(revision, by_number.get(finding.line_id), finding) for finding in result.findings]


def lists_used(result: QuoteScreening) -> list[dict[str, str]]:
    """Version and hash of each list that was read, once each, by regime."""
    used = {(f.regime.value, f.list_version, f.list_sha256) for f in result.findings if f.list_version}
    return [{"regime": regime, "version": version, "sha256": digest} for regime, version, digest in sorted(used)]


def _row(revision: QuoteRevision, line: QuoteLine | None, finding: Finding) -> ScreeningFinding:
    return ScreeningFinding(
        revision=revision,
        line=line,
        regime=finding.regime.value,
        applicability=finding.applicability.value,
        applicability_rule=finding.applicability_id,
        flag=finding.flag.value if finding.flag else "",
        rule=finding.rule_id,
        reason={"code": finding.reason.code, "params": dict(finding.reason.params)},
        citation=finding.citation[:200],
        origin_code=finding.origin[:40],
        evidence_grade=finding.evidence.grade if finding.evidence else "",
        details=_details(finding),
        lists=f"{finding.list_version} {finding.list_sha256}".strip()[:300],
        engine_version=finding.engine_version,
        input_hash=finding.input_hash,
    )


def _details(finding: Finding) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if finding.evidence:
        dated = finding.evidence.dated
        details["evidence"] = {
            "kind": finding.evidence.kind.value,
            "date": dated.isoformat() if dated else None,
            "sha256": finding.evidence.sha256,
        }
    if finding.match:
        match = finding.match
        details["match"] = {
            "field": match.field,
            "text": match.normalised,
            "list_row": match.entity_id,
            "step": match.step,
            "score": match.score,
            "strong": match.strong,
        }
    if finding.notes:
        details["notes"] = [{"code": note.code, "params": dict(note.params)} for note in finding.notes]
    return details


def _line_type(line: QuoteLine) -> LineType:
    if line.kind in _LINE_TYPES:
        return _LINE_TYPES[LineKind(line.kind)]
    if line.category in _SOFTWARE_CATEGORIES:
        return LineType.SOFTWARE
    return LineType.SYSTEM if line.category in _SYSTEM_CATEGORIES else LineType.GOODS


def _acquisition_value_usd(quote: Quote, lines: Sequence[QuoteLine]) -> Decimal | None:
    """Everything that could be bought: what the seller states, but no less than this quote with its options.

    None while nothing is stated and a price is open or not in US dollars.
    """
    own, stated = _own_value_usd(quote, lines), quote.acquisition_value_usd
    return max(own, stated) if own is not None and stated is not None else own if stated is None else stated


def _own_value_usd(quote: Quote, lines: Sequence[QuoteLine]) -> Decimal | None:
    if quote.currency != "USD":
        return None
    total = Decimal(0)
    for line in lines:
        if line.kind in (LineKind.INCLUDED, LineKind.ALTERNATIVE):
            continue
        if line.price_state != PriceState.FIRM or line.unit_net is None:
            return None
        total += line.quantity * line.unit_net
    return total
