"""What people do about a name that resembles a listed one: say that it is another firm, and have it confirmed.

One person says so with a reason, a second one confirms. Nothing is cleared for ever: a clearance ends after a
year, with a change of the list row, and when somebody withdraws it. A name that a list names itself cannot be
cleared; only where equal names may belong to two firms, as on lists of parties, it takes a proof.
"""

from datetime import date
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from config.accounts.models import Organisation, StoredFile, User
from config.accounts.permissions import Action, may
from config.accounts.services import record_event
from quotes import tasks
from quotes.choices import ClearanceState
from quotes.cleared import present_rows
from quotes.compliance.firm_name import normalise
from quotes.compliance.types import Finding, MatchDetail, Regime
from quotes.errors import NotAllowed, QuoteError
from quotes.models import NameClearance, Quote
from quotes.proofs import Upload, stored_proof
from quotes.screening import screened
from quotes.services import refresh, require_role

OPEN = (ClearanceState.PROPOSED, ClearanceState.CONFIRMED)


def clearances_for(organisation: Organisation) -> QuerySet[NameClearance]:
    """Every finding of the organisation, newest first."""
    rows = NameClearance.objects.filter(organisation=organisation)
    return rows.select_related("organisation", "quote", "file", "proposed_by", "confirmed_by", "closed_by")


def match_of(quote: Quote, *, line: str, regime: str, today: date) -> Finding | None:
    """The finding of a line, or of the whole quote, whose name met a list row; None without one."""
    revision = quote.current_revision
    lines = list(revision.lines.all()) if revision else []
    found = screened(quote, lines, today=today).findings
    return next((one for one in found if one.line_id == line and one.regime == regime and one.match), None)


def subject_of(quote: Quote, finding: Finding) -> str:
    """What the clearance holds for: the part number, the supplier, or the party's own name. "" for none."""
    if not finding.line_id:
        return finding.match.raw if finding.match else ""
    revision = quote.current_revision
    line = revision.lines.filter(number=finding.line_id).first() if revision else None
    return (line.mpn or line.supplier) if line else ""


@transaction.atomic
def propose(
    *, quote: Quote, line: str, regime: str, reason: str, user: User, upload: Upload | None = None
) -> NameClearance:
    """Say that the name found is another firm than the listed one; it changes nothing before it is confirmed.

    Raises QuoteError without a match, a reason or an article, for a name of the listed firm itself, for an equal
    name without proof, and for a pair that is open already.
    """
    require_role(user, quote.organisation, Action.QUOTE)
    finding = match_of(quote, line=line, regime=regime, today=timezone.localdate())
    if finding is None or finding.match is None:
        raise QuoteError("clearance_no_match")
    match, subject = finding.match, subject_of(quote, finding)
    _refuse_unfit(finding, match, subject)
    if not reason.strip():
        raise QuoteError("quote_reason_missing")
    if match.step == "equal" and upload is None:
        raise QuoteError("clearance_needs_proof", name=match.raw)
    made = NameClearance(
        organisation=quote.organisation,
        regime=regime,
        subject=subject[:300],
        **_of_match(match),
        list_version=finding.list_version[:300],
        list_sha256=finding.list_sha256,
        quote=quote,
        line=line,
        reason=reason.strip()[:2000],
        file=_proof(quote.organisation, upload, user),
        proposed_by=user,
    )
    try:
        with transaction.atomic():
            made.save()
    except IntegrityError:
        raise QuoteError("clearance_known", name=match.raw, listed=match.alias) from None
    _record("propose", made, user, made.reason)
    return made


def _of_match(match: MatchDetail) -> dict[str, Any]:
    return {
        "name": match.raw[:300],
        "name_normalised": normalise(match.raw)[:300],
        "entity_id": match.entity_id,
        "listed_name": match.alias[:300],
        "step": match.step,
        "score": match.score,
        "row_hash": match.row_hash,
    }


def _refuse_unfit(finding: Finding, match: MatchDetail, subject: str) -> None:
    if match.strong and finding.regime != Regime.PARTIES:
        raise QuoteError("clearance_listed_itself", name=match.raw, listed=match.alias)
    if not subject:
        raise QuoteError("clearance_without_article", line=finding.line_id)


@transaction.atomic
def confirm(*, clearance: NameClearance, user: User) -> NameClearance:
    """The second person's word: from now on the name is no hit of that row. Open quotes are screened again.

    Raises NotAllowed for the person who proposed it, QuoteError where it does not wait or its list row changed.
    """
    require_role(user, clearance.organisation, Action.APPROVE)
    held = _held(clearance)
    if held.state != ClearanceState.PROPOSED:
        raise QuoteError("clearance_not_waiting")
    if held.proposed_by_id == user.pk:
        raise NotAllowed("clearance_own")
    rows = present_rows(held.organisation, [held.entity_id], timezone.localdate())
    if (held.entity_id, held.row_hash) not in rows:
        raise QuoteError("clearance_row_changed", entity=held.entity_id)
    held.state, held.confirmed_by, held.confirmed_at = ClearanceState.CONFIRMED, user, timezone.now()
    held.save(update_fields=["state", "confirmed_by", "confirmed_at"])
    _record("confirm", held, user)
    _screen_again(held)
    return held


@transaction.atomic
def close(*, clearance: NameClearance, user: User, reason: str) -> NameClearance:
    """Refuse what waits, or withdraw what holds. Who proposed it may take it back while it waits."""
    held = _held(clearance)
    is_own = held.proposed_by_id == user.pk and held.state == ClearanceState.PROPOSED
    if not (is_own and may(user, held.organisation, Action.QUOTE)):
        require_role(user, held.organisation, Action.APPROVE)
    if held.state not in OPEN:
        raise QuoteError("clearance_not_open")
    if not reason.strip():
        raise QuoteError("quote_reason_missing")
    counted = held.state == ClearanceState.CONFIRMED
    held.state = ClearanceState.WITHDRAWN if counted or is_own else ClearanceState.REFUSED
    held.closed_by, held.closed_at, held.closed_reason = user, timezone.now(), reason.strip()[:2000]
    held.save(update_fields=["state", "closed_by", "closed_at", "closed_reason"])
    _record(held.state, held, user, held.closed_reason)
    if counted:
        _screen_again(held)
    return held


def _held(clearance: NameClearance) -> NameClearance:
    rows = NameClearance.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "organisation", "quote__organisation"
    )
    return rows.get(pk=clearance.pk)


def _proof(organisation: Organisation, upload: Upload | None, user: User) -> StoredFile | None:
    return stored_proof(organisation, upload, user) if upload else None


def _screen_again(clearance: NameClearance) -> None:
    """The draft it was proposed for at once, the other open quotes in the background."""
    quote = clearance.quote
    if quote is not None and quote.current_revision is not None and quote.current_revision.is_editable:
        held = (
            type(quote.current_revision)
            .objects.select_for_update(no_key=True, of=("self",))
            .get(pk=quote.current_revision.pk)
        )
        held.quote = quote
        refresh(held)
    transaction.on_commit(tasks.rescreen_quotes.delay, robust=True)


def _record(action: str, row: NameClearance, user: User, reason: str = "") -> None:
    record_event(
        action=f"name_clearance.{action}",
        object_kind="nameclearance",
        object_id=row.public_id,
        actor=user,
        organisation=row.organisation,
        after={
            "name": row.name,
            "list_row": row.entity_id,
            "subject": row.subject,
            "state": str(row.state),
            "list": row.list_version,
            "file": row.file.sha256 if row.file else "",
        },
        reason=reason,
    )
