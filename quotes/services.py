"""Writes of quotes: make one from an option, change its fields and lines. Each write is audited."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import translation

from catalog.margins import margins_of
from config.accounts.ids import uuid7
from config.accounts.models import Organisation, User
from config.accounts.permissions import Action, may
from config.accounts.services import record_event
from config.webhooks.choices import EventType
from quotes.choices import NEXT_STATES, LineKind, PriceKind, PriceState, QuoteState, TaxTreatment
from quotes.content import totals_of
from quotes.delivery_plan import planned_delivery
from quotes.errors import NotAllowed, QuoteError, StaleEdit, WrongState
from quotes.exchange import rates_on, rates_used
from quotes.from_option import Rates, lines_from_bom
from quotes.models import Quote, QuoteLine, QuoteRevision
from quotes.numbering import next_number
from quotes.policy import policy_of
from quotes.pricing import discounted_unit_price
from quotes.reports import report
from quotes.screening import screen_revision
from quotes.sizing_summary import sizing_summary
from quotes.tax import default_region, default_treatment, standard_rate_pct
from quotes.telecom_proof import adopt_statements, forget_statement
from quotes.tiers import list_price_at, refuse_unsold_quantity, stored_tiers
from quotes.today import today_of
from sizing.choices import BuyerType
from sizing.models import SizingOption

# What a person may change on a line, and which of these concern the price.
LINE_FIELDS = frozenset(
    {
        "section_title", "kind", "alternative_to", "included_in", "manufacturer", "brand", "supplier", "mpn",
        "seller_pn", "description", "category", "quantity", "unit", "pack_size", "minimum_units", "order_multiple",
        "price_tiers", "list_price", "discount_pct", "unit_net", "price_date", "tax_rate_pct", "schedule",
        "schedule_price", "lead_low_weeks", "lead_typical_weeks", "lead_high_weeks", "lead_source", "lead_date",
        "unit_cost", "origin_raw", "origin_evidence", "origin_evidence_date", "eccn", "hts", "unspsc", "eclass", "gtin",
        "warranty",
    }
)  # fmt: skip
# What changes with them; the audit trail keeps all of it.
TRAIL_FIELDS = LINE_FIELDS | {
    "price_state", "price_kind", "price_source", "price_note", "description_message", "origin_code", "evidence_grade",
    "origin_evidence_sha256", "s889_evidence", "s889_evidence_date", "s889_evidence_sha256", "s889_says", "s889_scope",
    "s889_stated_by",
}  # fmt: skip
_PRICE_FIELDS = frozenset({"list_price", "discount_pct", "unit_net"})
_SOLD_FIELDS = frozenset({"quantity", "minimum_units", "order_multiple"})
# Proof comes from the evidence register alone; it stands for one article and one text.
_PROOF_FIELDS = frozenset({"origin_evidence", "origin_evidence_date"})
_STATED_FIELDS = frozenset({"manufacturer", "brand", "mpn", "supplier"})
_PROVED_FIELDS = frozenset({"origin_raw", "manufacturer", "brand", "mpn"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LineEdit:
    """Changes of one line, made on what the person saw as `version`."""

    line: QuoteLine
    changes: Mapping[str, Any]
    version: int


@transaction.atomic
def create_quote(*, option: SizingOption, user: User, organisation: Organisation) -> Quote:
    """A draft R1 with the option's bill of materials, priced and screened.

    Raises NotAllowed for the wrong role or an option of another organisation, QuoteError for a bill
    that cannot be read.
    """
    require_role(user, organisation, Action.QUOTE)
    run = option.run
    if run.organisation_id not in (None, organisation.pk):
        raise NotAllowed("quote_other_organisation")
    today = today_of(organisation)
    request = run.request or {}
    quote = _new_quote(request, organisation, user, today)
    quote.source_option = option.public_id
    bom = option.data.get("bom") or ()
    known = rates_on(today, currency=quote.currency, organisation=organisation)
    quote.exchange_rates = rates_used(bom, currency=quote.currency, known=known)
    quote.save()
    revision = QuoteRevision.objects.create(
        quote=quote,
        number=1,
        created_by=user,
        issued_on=today,
        sizing=sizing_summary(option.data, request=request, result=run.result),
        delivery=dict(option.data.get("delivery") or {}),
    )
    with translation.override(quote.language):
        lines = lines_from_bom(bom, _rates_of(quote, today))
    for line in lines:
        line.revision = revision
    adopt_statements(organisation, lines, today=today, save=False)
    QuoteLine.objects.bulk_create(lines)
    quote.current_revision = revision
    quote.save(update_fields=["current_revision"])
    refresh(revision, today=today)
    audit("quote.create", quote, user, after={"number": quote.number, "option": str(option.public_id)})
    report(EventType.QUOTE_CREATED, revision)
    return quote


def _rates_of(quote: Quote, today: date) -> Rates:
    organisation = quote.organisation
    taxed = quote.tax_treatment == TaxTreatment.BY_RATE
    return Rates(
        currency=quote.currency,
        exchange=quote.exchange_rates,
        tax_rate_pct=standard_rate_pct(organisation.country, today) if taxed else None,
        margins=margins_of(organisation, as_of=today),
    )


def _new_quote(request: Mapping[str, Any], organisation: Organisation, user: User, today: date) -> Quote:
    procurement = request.get("procurement") or {}
    buyer_type = procurement.get("buyer_type") or BuyerType.UNKNOWN
    buyer_country = procurement.get("destination_country") or ""
    sequence, number = next_number(organisation, today.year)
    treatment = default_treatment(
        seller_country=organisation.country, buyer_country=buyer_country, buyer_type=buyer_type, on=today
    )
    language, policy = organisation.document_language[:2], policy_of(organisation)
    return Quote(
        organisation=organisation,
        number=number,
        year=today.year,
        sequence=sequence,
        title=str(request.get("name") or number)[:200],
        created_by=user,
        buyer_type=buyer_type,
        buyer_country=buyer_country,
        currency=procurement.get("currency") or organisation.currency,
        language=language,
        cover_letter=policy.text("cover_letter", language),
        intro=policy.text("intro", language),
        notes=policy.text("notes", language),
        region=default_region(organisation.country),
        tax_treatment=treatment,
        valid_days=organisation.quote_valid_days,
        valid_until=today + timedelta(days=organisation.quote_valid_days),
    )


@transaction.atomic
def edit_quote(*, quote: Quote, changes: Mapping[str, Any], user: User, version: int) -> QuoteRevision:
    """Change party, terms or document fields of a quote whose current revision is a draft."""
    revision = editable_revision(quote, user=user)
    if revision.version != version:
        raise StaleEdit("quote_changed_meanwhile", number=quote.number)
    before = {name: getattr(quote, name) for name in changes}
    for name, value in changes.items():
        setattr(quote, name, value)
    quote.full_clean(exclude=["current_revision", "organisation", "created_by"])
    quote.save(update_fields=[*changes])
    if "currency" in changes and before["currency"] != quote.currency:
        raise QuoteError("quote_currency_fixed", currency=before["currency"])
    if "tax_treatment" in changes and quote.tax_treatment == TaxTreatment.BY_RATE:
        # Lines without a rate take the seller's standard one; a rate that somebody set stays.
        rate = standard_rate_pct(quote.organisation.country, today_of(quote.organisation))
        revision.lines.filter(tax_rate_pct=None).update(tax_rate_pct=rate)
    revision.quote = quote
    refresh(revision)
    audit("quote.change", quote, user, before=before, after=dict(changes))
    return revision


@transaction.atomic
def edit_lines(*, revision: QuoteRevision, edits: Sequence[LineEdit], user: User) -> int:
    """Change several lines at once, all or none; returns how many really changed."""
    held = editable_revision(revision.quote, user=user, revision_id=revision.pk)
    batch = str(uuid7())
    changed = [edit.line for edit in edits if _change_line(held, edit, user, batch)]
    if changed:
        refresh(held)
    return len(changed)


def edit_line(*, line: QuoteLine, changes: Mapping[str, Any], user: User, version: int) -> QuoteLine:
    """Change one line of a draft; the net price follows list and discount unless it is given itself.

    Raises StaleEdit where somebody changed the line since `version`, WrongState unless the revision
    is a draft, QuoteError for a field that cannot be changed.
    """
    edit_lines(revision=line.revision, edits=[LineEdit(line=line, changes=changes, version=version)], user=user)
    line.refresh_from_db()
    return line


def _change_line(revision: QuoteRevision, edit: LineEdit, user: User, batch: str) -> bool:
    held = QuoteLine.objects.select_for_update(no_key=True).get(pk=edit.line.pk, revision=revision)
    changes = edit.changes
    before = {name: getattr(held, name) for name in changes}
    changed = {name for name, value in changes.items() if value != before[name]}
    if "unit_cost" in changed:
        require_role(user, revision.quote.organisation, Action.EDIT_PRICES)
    if wrong := sorted(changes.keys() - LINE_FIELDS):
        raise QuoteError("quote_field_fixed", field=wrong[0])
    if not changed:
        return False
    if held.version != edit.version:
        raise StaleEdit("quote_line_changed_meanwhile", line=held.number)
    _refuse_typed_proof({name: changes[name] for name in changed})
    trail = {name: getattr(held, name) for name in TRAIL_FIELDS}
    for name in changed:
        setattr(held, name, changes[name])
    _follow(held, changed, revision.quote.currency)
    held.version += 1
    held.full_clean(exclude=["revision"])
    held.save()
    audit(
        "quote.line.change",
        revision.quote,
        user,
        **trail_of(held, trail, batch),
    )
    return True


def trail_of(line: QuoteLine, kept: Mapping[str, Any], batch: str) -> dict[str, Any]:
    """Before and after of every field that differs from what was kept; `batch` marks what was changed at once."""
    different = [name for name in sorted(TRAIL_FIELDS) if getattr(line, name) != kept[name]]
    return {
        "before": {"line": line.number, **{name: kept[name] for name in different}},
        "after": {"line": line.number, "batch": batch, **{name: getattr(line, name) for name in different}},
    }


def _follow(line: QuoteLine, changed: set[str], currency: str) -> None:
    """What else changes with some fields: proof, words, the price of the quantity break, the net price."""
    if changed & _PROVED_FIELDS:
        _drop_proof(line)
    if changed & _STATED_FIELDS:
        forget_statement(line)
    if "description" in changed:
        line.description_message = None
    if "price_tiers" in changed:
        line.price_tiers = stored_tiers(line.price_tiers, line.number)
    if changed & _SOLD_FIELDS:
        refuse_unsold_quantity(line)
    priced = set(changed)
    if line.price_tiers and changed & {"quantity", "price_tiers"} and not changed & {"list_price", "unit_net"}:
        line.list_price = list_price_at(line)
        priced |= {"list_price"} if "price_tiers" in changed else {"discount_pct"}
    if priced & _PRICE_FIELDS:
        _reprice(line, priced, currency)


def _refuse_typed_proof(values: Mapping[str, Any]) -> None:
    if any(values.get(name) for name in _PROOF_FIELDS):
        raise QuoteError("quote_evidence_by_register")


def _drop_proof(line: QuoteLine) -> None:
    """A changed origin or article has no proof until the register has one for it."""
    line.origin_code = line.origin_evidence = line.origin_evidence_sha256 = line.evidence_grade = ""
    line.origin_evidence_date = None


def _reprice(line: QuoteLine, changed: set[str], currency: str) -> None:
    if "unit_net" in changed:
        line.discount_pct = None
        line.list_price = line.unit_net if line.list_price is None else line.list_price
    elif line.list_price is None:
        line.unit_net = None
    else:
        line.unit_net = discounted_unit_price(line.list_price, line.discount_pct or Decimal(0), currency)
    line.price_state = PriceState.OPEN if line.unit_net is None else PriceState.FIRM
    line.price_note = None
    if "price_date" not in changed and changed & {"unit_net", "list_price"}:
        line.price_date = today_of(line.revision.quote.organisation) if line.unit_net is not None else None
        line.price_kind = PriceKind.MANUAL if line.unit_net is not None else PriceKind.NONE
        line.price_source = ""


@transaction.atomic
def add_line(*, revision: QuoteRevision, fields: Mapping[str, Any], user: User) -> QuoteLine:
    """A further line at the end of its section; its number is the next one of the section."""
    held = editable_revision(revision.quote, user=user, revision_id=revision.pk)
    section = str(fields.get("section") or "1")
    peers = list(held.lines.all())
    position = max((peer.position for peer in peers if peer.section == section), default=len(peers))
    for peer in peers:
        if peer.position > position:
            peer.position += 1
    QuoteLine.objects.bulk_update(peers, ["position"])
    values = {name: value for name, value in fields.items() if name in LINE_FIELDS}
    _refuse_typed_proof(values)
    line = QuoteLine(revision=held, position=position + 1, section=section, **values)
    line.number = next_line_number(section, {peer.number for peer in peers})
    if line.kind != LineKind.INCLUDED:
        stated = {name for name in values if values[name] not in (None, [])} & (_PRICE_FIELDS | {"price_tiers"})
        _follow(line, stated | _SOLD_FIELDS, held.quote.currency)
    line.full_clean(exclude=["revision"])
    line.save()
    refresh(held)
    audit("quote.line.add", held.quote, user, after={"line": line.number, "description": line.description})
    return line


def next_line_number(section: str, taken: set[str]) -> str:
    """The first number of the section that no line has."""
    step = 1
    while f"{section}.{step}" in taken:
        step += 1
    return f"{section}.{step}"


@transaction.atomic
def remove_line(*, line: QuoteLine, user: User, version: int) -> None:
    """Take a line out of a draft; refused while an alternative refers to it."""
    revision = editable_revision(line.revision.quote, user=user, revision_id=line.revision_id)
    held = QuoteLine.objects.select_for_update(no_key=True).get(pk=line.pk)
    if held.version != version:
        raise StaleEdit("quote_line_changed_meanwhile", line=held.number)
    other = revision.lines.filter(alternative_to=held.number).first()
    if other is not None:
        raise QuoteError("quote_line_has_alternative", line=held.number, alternative=other.number)
    before = {"line": held.number, "description": held.description}
    held.delete()
    refresh(revision)
    audit("quote.line.remove", revision.quote, user, before=before)


@transaction.atomic
def validate_configuration(*, quote: Quote, user: User, how: str) -> QuoteRevision:
    """A person states that the configuration works together: apart from the rules that Kvote checks."""
    revision = editable_revision(quote, user=user)
    if not how.strip():
        raise QuoteError("quote_reason_missing")
    revision.configuration_validated_by = str(user)
    revision.configuration_validated_on = today_of(quote.organisation)
    revision.configuration_validation = how.strip()[:300]
    revision.version += 1
    revision.save(
        update_fields=[
            "configuration_validated_by",
            "configuration_validated_on",
            "configuration_validation",
            "version",
        ]
    )
    audit("quote.validate", revision.quote, user, after={"revision": revision.number}, reason=how.strip())
    return revision


def editable_revision(quote: Quote, *, user: User, revision_id: int | None = None) -> QuoteRevision:
    """The current draft, held for this transaction. Raises NotAllowed or WrongState."""
    require_role(user, quote.organisation, Action.QUOTE)
    wanted = quote.current_revision_id if revision_id is None else revision_id
    revision = (
        QuoteRevision.objects.select_for_update(no_key=True, of=("self",))
        .select_related("quote__organisation")
        .get(pk=wanted or 0)
    )
    if not revision.is_editable:
        raise WrongState(state=revision.state, wanted=QuoteState.DRAFT, allowed=tuple(NEXT_STATES[revision.state]))
    return revision


def refresh(revision: QuoteRevision, *, today: date | None = None) -> None:
    """Totals, delivery and findings of a draft after a change."""
    day = today or today_of(revision.quote.organisation)
    screen_revision(revision, today=day)
    revision.delivery = planned_delivery(revision.delivery, list(revision.lines.all()), order_date=day)
    revision.save(update_fields=["delivery"])
    touch(revision)


def touch(revision: QuoteRevision) -> None:
    totals = totals_of(revision.quote, revision.lines.all())
    revision.total_net, revision.open_lines = totals.net, len(totals.open_lines)
    revision.version += 1
    revision.save(update_fields=["total_net", "open_lines", "version"])


def require_role(user: User, organisation: Organisation, action: Action) -> None:
    """Raises NotAllowed unless the person may do that there."""
    if not may(user, organisation, action):
        raise NotAllowed("quote_role_missing", action=action.value)


def audit(action: str, quote: Quote, user: User | None, **parts: Any) -> None:
    record_event(
        action=action,
        object_kind="quote",
        object_id=quote.public_id,
        actor=user,
        organisation=quote.organisation,
        **parts,
    )
