"""The canonical content of a revision: everything a document shows, as plain JSON, and its check value.

Amounts are strings as they are printed, dates ISO, texts as given, reasons codes with parameters.
Cost and margin never enter it.
"""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from config.accounts.models import Organisation
from quotes.choices import LineKind, PriceState, TaxTreatment
from quotes.difference import difference
from quotes.models import Attachment, Decision, Quote, QuoteLine, QuotePolicy, QuoteRevision, ScreeningFinding
from quotes.own_content import own_style, shipping, sold_in, telecom_proof
from quotes.policy import policy_of
from quotes.pricing import LineInput, PricedLine, Totals, price_quote, round_money
from quotes.stored_findings import StoredFinding, findings_of

type AnyFinding = ScreeningFinding | StoredFinding

FORMAT = "kvote-quote/1"
REGIME_ORDER = ("TAA", "S889", "S5949", "S1260H", "EXPORT", "PARTIES")
_SCOPES = ("not_applicable", "undetermined", "applies")  # of several, the widest is said
FLAG_ORDER = ("fail", "review", "unknown", "pass")

_SELLER = (
    "name", "legal_name", "legal_form", "street", "postal_code", "city", "country", "phone", "contact_email",
    "website", "register_court", "register_number", "managing_directors", "vat_id", "cage_code", "uei",
)  # fmt: skip
_TERMS = (
    "binding", "payment_days", "early_payment_days", "delivery_terms", "warranty", "place_of_performance",
    "jurisdiction", "terms_acceptance", "section_889_statement", "intro", "notes",
)  # fmt: skip
_LINE_TEXTS = (
    "number", "section", "section_title", "kind", "alternative_to", "included_in", "manufacturer", "brand",
    "mpn", "seller_pn", "category", "description", "unit", "price_state", "price_kind", "schedule", "eccn",
    "hts", "unspsc", "eclass", "gtin", "warranty",
)  # fmt: skip


def canonical_bytes(content: Mapping[str, Any]) -> bytes:
    """UTF-8 JSON with sorted keys and no white space: equal content gives equal bytes."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def check_value(content: Mapping[str, Any]) -> str:
    """SHA-256 over the canonical bytes, as 64 hexadecimal digits."""
    return hashlib.sha256(canonical_bytes(content)).hexdigest()


def content_of(revision: QuoteRevision) -> dict[str, Any]:
    """The frozen content of a locked revision, else the present one read from the rows."""
    if revision.content:
        return dict(revision.content)
    lines = list(revision.lines.all())
    replaced = revision.quote.revisions.filter(number=revision.number - 1).first() if revision.number > 1 else None
    return assemble(
        quote=revision.quote,
        revision=revision,
        seller=revision.quote.organisation,
        policy=policy_of(revision.quote.organisation),
        lines=lines,
        findings=findings_of(revision, lines),
        decisions=list(revision.decisions.select_related("line")),
        attachments=list(revision.attachments.filter(for_buyer=True).select_related("file")),
        replaced=replaced,
    )


def assemble(
    *,
    quote: Quote,
    revision: QuoteRevision,
    seller: Organisation,
    policy: QuotePolicy,
    lines: Sequence[QuoteLine],
    findings: Sequence[AnyFinding] = (),
    decisions: Sequence[Decision] = (),
    attachments: Sequence[Attachment] = (),
    replaced: QuoteRevision | None = None,
    verify_base: str = "",
) -> dict[str, Any]:
    """Content from rows, saved or not; reads nothing from the database that is not given."""
    totals = totals_of(quote, lines)
    priced = {line.number: line for line in totals.lines}
    content: dict[str, Any] = {
        "format": FORMAT,
        "quote": _quote(quote, revision, seller, replaced) | {"verify_base": verify_base},
        "seller": _seller(quote, seller),
        "buyer": _buyer(quote),
        "reference": _reference(quote),
        "terms": _terms(quote) | shipping(quote, lines),
        "tax": {"treatment": quote.tax_treatment},
        "exchange_rates": quote.exchange_rates,
        "lines": [_line(line, priced[line.number], quote.currency) for line in lines],
        "totals": _totals(totals),
        "delivery": revision.delivery,
        "sizing": revision.sizing,
        "screening": _screening(revision, findings),
        "decisions": [_decision(decision) for decision in decisions],
        "configuration_validated": _validated(revision),
    }
    content |= own_style(quote, policy, attachments)
    return content | {"changes": _changes(replaced, content)}


def _changes(replaced: QuoteRevision | None, content: Mapping[str, Any]) -> dict[str, Any] | None:
    """What this revision changes against the frozen one before it; None for a first revision."""
    if replaced is None or not replaced.content:
        return None
    found = difference(replaced.content, content)
    return {
        "from_revision": replaced.number,
        "net_before": _text(found.net_before),
        "net_after": _text(found.net_after),
        "lines_changed": found.lines_changed,
        "lines_unchanged": found.lines_unchanged,
        "lines": [
            {
                "line": change.line,
                "kind": change.kind,
                "before": change.before,
                "after": change.after,
                "amount": _text(change.amount),
            }
            for change in found.lines
        ],
        "blocks": [
            {"block": change.block, "field": change.field, "before": change.before, "after": change.after}
            for change in found.blocks
        ],
    }


def totals_of(quote: Quote, lines: Iterable[QuoteLine]) -> Totals:
    """Totals of the lines under the quote's tax treatment and early-payment discount."""
    return price_quote(
        [pricing_input(line) for line in lines],
        currency=quote.currency,
        early_payment_pct=quote.early_payment_pct,
        with_tax=quote.tax_treatment == TaxTreatment.BY_RATE,
    )


def pricing_input(line: QuoteLine) -> LineInput:
    return LineInput(
        number=line.number,
        section=line.section,
        kind=line.kind,
        quantity=line.quantity,
        unit_net=line.unit_net if line.price_state == PriceState.FIRM else None,
        alternative_to=line.alternative_to,
        tax_rate_pct=line.tax_rate_pct,
    )


def _quote(
    quote: Quote, revision: QuoteRevision, seller: Organisation, replaced: QuoteRevision | None
) -> dict[str, Any]:
    return {
        "number": quote.number,
        "revision": revision.number,
        "title": quote.title,
        "issued_on": _iso(revision.issued_on),
        "locked_at": _iso(revision.locked_at),
        "time_zone": seller.time_zone,
        "buyer_type": quote.buyer_type,
        "currency": quote.currency,
        "language": quote.language,
        "region": quote.region,
        "replaces": {"revision": replaced.number, "issued_on": _iso(replaced.issued_on)} if replaced else None,
    }


def _seller(quote: Quote, seller: Organisation) -> dict[str, Any]:
    return {
        **{key: getattr(seller, key) for key in _SELLER},
        "logo_sha256": seller.logo.sha256 if seller.logo else "",
        "contact": quote.seller_contact,
        "phone": quote.seller_phone or seller.phone,
        "email": quote.seller_email or seller.contact_email,
    }


def _reference(quote: Quote) -> dict[str, Any]:
    return {
        "request_number": quote.request_number,
        "request_date": _iso(quote.request_date),
        "contract_vehicle": quote.contract_vehicle,
        "special_item_numbers": quote.special_item_numbers,
        "customer_number": quote.customer_number,
    }


def _terms(quote: Quote) -> dict[str, Any]:
    return {
        **{key: getattr(quote, key) for key in _TERMS},
        "valid_days": quote.valid_days,
        "valid_until": _iso(quote.valid_until),
        "early_payment_pct": _text(quote.early_payment_pct),
    }


def _buyer(quote: Quote) -> dict[str, Any]:
    return {
        "name": quote.buyer_name,
        "contact": quote.buyer_contact,
        "salutation": quote.buyer_salutation,
        "street": quote.buyer_street,
        "postal_code": quote.buyer_postal_code,
        "city": quote.buyer_city,
        "country": quote.buyer_country,
        "vat_id": quote.buyer_vat_id,
        "deliver_to": quote.deliver_to,
    }


def _line(line: QuoteLine, priced: PricedLine, currency: str) -> dict[str, Any]:
    is_service = line.kind in {LineKind.SERVICE, LineKind.LICENCE, LineKind.DISCOUNT}
    return {
        **{key: getattr(line, key) for key in _LINE_TEXTS},
        "description_message": line.description_message,
        "quantity": _plain(line.quantity),
        "pack_size": line.pack_size,
        "list_price": _money(line.list_price, currency),
        "discount_pct": _plain(line.discount_pct),
        "unit_net": _money(line.unit_net, currency) if line.price_state == PriceState.FIRM else None,
        "extended": _text(priced.extended),
        "delta": _text(priced.delta),
        "counts": priced.counts,
        "open": priced.is_open,
        "price_date": _iso(line.price_date),
        "price_note": line.price_note,
        "tax_rate_pct": _plain(line.tax_rate_pct),
        "schedule_price": _money(line.schedule_price, currency),
        "is_service": is_service,
        "lead": None
        if line.lead_typical_weeks is None
        else {
            "low": _plain(line.lead_low_weeks),
            "typical": _plain(line.lead_typical_weeks),
            "high": _plain(line.lead_high_weeks),
            "at_least": line.lead_at_least,
            "source": line.lead_source,
            "date": _iso(line.lead_date),
        },
        "origin": {
            "raw": line.origin_raw,
            "code": line.origin_code,
            "evidence": line.origin_evidence,
            "grade": line.evidence_grade or "D",
            "date": _iso(line.origin_evidence_date),
        },
        "reason": line.reason,
        **sold_in(line),
        **telecom_proof(line),
    }


def _totals(totals: Totals) -> dict[str, Any]:
    return {
        "net": _text(totals.net),
        "taxes": [
            {"rate_pct": _plain(tax.rate_pct), "base": _text(tax.base), "amount": _text(tax.amount)}
            for tax in totals.taxes
        ],
        "gross": _text(totals.gross),
        "early_payment": _text(totals.early_payment),
        "payable_early": _text(totals.payable_early),
        "open_lines": list(totals.open_lines),
        "counted_lines": totals.counted_lines,
        "complete": totals.complete,
        "sections": [
            {"section": section.section, "net": _text(section.net), "open_lines": list(section.open_lines)}
            for section in totals.sections
        ],
    }


def _screening(revision: QuoteRevision, findings: Sequence[AnyFinding]) -> dict[str, Any]:
    regimes: dict[str, dict[str, Any]] = {}
    ordered = sorted(findings, key=_finding_order)
    for finding in ordered:
        entry = regimes.setdefault(
            finding.regime,
            {
                "regime": finding.regime,
                "applicability": finding.applicability,
                "rule": finding.applicability_rule,
                "counts": Counter(),
            },
        )
        if _SCOPES.index(finding.applicability) > _SCOPES.index(entry["applicability"]):
            entry["applicability"], entry["rule"] = finding.applicability, finding.applicability_rule
        of_line = finding.line_id is not None or finding.line is not None
        if of_line or (finding.regime == "PARTIES" and finding.applicability != "not_applicable"):
            entry["counts"][finding.flag] += 1
    for entry in regimes.values():
        entry["counts"] = {flag: entry["counts"].get(flag, 0) for flag in FLAG_ORDER}
    return {
        "screened_at": _iso(revision.screened_at),
        "lists": revision.screening_lists,
        "regimes": [regimes[name] for name in REGIME_ORDER if name in regimes],
        "findings": [_finding(finding) for finding in ordered],
    }


def _finding_order(finding: AnyFinding) -> tuple[int, int, str]:
    """By line as it stands on the page, whole-quote findings last, then by regime."""
    position = finding.line.position if finding.line else sys.maxsize
    known = finding.regime in REGIME_ORDER
    return position, REGIME_ORDER.index(finding.regime) if known else len(REGIME_ORDER), finding.rule


def _finding(finding: AnyFinding) -> dict[str, Any]:
    return {
        "line": finding.line.number if finding.line else "",
        "regime": finding.regime,
        "applicability": finding.applicability,
        "applicability_rule": finding.applicability_rule,
        "flag": finding.flag,
        "rule": finding.rule,
        "reason": finding.reason,
        "citation": finding.citation,
        "origin_code": finding.origin_code,
        "evidence_grade": finding.evidence_grade,
        "details": finding.details,
        "lists": finding.lists,
        "engine_version": finding.engine_version,
        "input_hash": finding.input_hash,
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "line": decision.line.number if decision.line else "",
        "about": decision.about,
        "rule": decision.rule,
        "reason": decision.reason,
        "by": decision.made_by_name,
        "at": _iso(decision.made_at),
    }


def _validated(revision: QuoteRevision) -> dict[str, Any] | None:
    if not revision.configuration_validated_by:
        return None
    return {
        "by": revision.configuration_validated_by,
        "on": _iso(revision.configuration_validated_on),
        "how": revision.configuration_validation,
    }


def _iso(value: date | datetime | None) -> str | None:
    if isinstance(value, datetime):
        return value.isoformat(timespec="seconds")
    return value.isoformat() if value else None


def _text(value: Decimal | None) -> str | None:
    return None if value is None else format(value, "f")


def _plain(value: Decimal | None) -> str | None:
    """Without trailing zeros: "8", "1.5"."""
    if value is None:
        return None
    text = format(Decimal(value), "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _money(value: Decimal | None, currency: str) -> str | None:
    """At least the minor unit's digits, more only where the price has them (0.0035 a piece)."""
    if value is None:
        return None
    rounded = round_money(value, currency)
    return _text(rounded) if rounded == value else _plain(value)
