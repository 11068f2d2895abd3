"""The life of a quote: submit, approve, lock, revise, accept, decline, expire. Each step is audited."""

from datetime import date, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.accounts.models import User
from config.accounts.permissions import Action
from config.webhooks.choices import EventType
from quotes.choices import FROZEN, NEXT_STATES, OpenKind, QuoteState
from quotes.compliance.types import Applicability, Flag
from quotes.content import assemble, check_value, totals_of
from quotes.document_tasks import keep_documents
from quotes.errors import NotAllowed, OpenItems, QuoteError, WrongState
from quotes.models import Approval, ApprovalRule, Attachment, Decision, Quote, QuoteLine, QuoteRevision
from quotes.open_items import open_items_of
from quotes.policy import policy_of
from quotes.pricing import margin
from quotes.reports import report, report_state
from quotes.screening import screen_revision
from quotes.services import audit, refresh, require_role, touch
from quotes.stored_findings import findings_of
from quotes.today import today_of

_BIGGEST_EXACT_FLOAT = 1e15
_FURTHEST_AHEAD = timedelta(hours=14)  # of UTC: Line Islands


@transaction.atomic
def submit(*, quote: Quote, user: User, reason: str = "") -> QuoteRevision:
    """Draft to review. Where the organisation asks for no approval it is approved at once."""
    revision = _held(quote, user, Action.QUOTE)
    _change(revision, QuoteState.IN_REVIEW, user, reason, submitted_by=user, submitted_at=timezone.now())
    if approvals_needed(revision) == 0:
        _change(revision, QuoteState.APPROVED, user, reason)
    return revision


@transaction.atomic
def approve(*, quote: Quote, user: User, version: int, reason: str = "") -> QuoteRevision:
    """Record one approval of exactly this version; the last one needed approves the revision.

    Raises NotAllowed for the author or submitter: nobody approves their own quote.
    """
    revision = _held(quote, user, Action.APPROVE)
    if revision.state != QuoteState.IN_REVIEW:
        raise _wrong(revision, QuoteState.APPROVED)
    if revision.version != version:
        raise QuoteError("quote_changed_meanwhile", number=quote.number)
    if user.pk in (revision.created_by_id, revision.submitted_by_id):
        raise NotAllowed("quote_own_approval")
    Approval.objects.get_or_create(
        revision=revision,
        approver=user,
        revision_version=revision.version,
        defaults={"reason": reason, "approved_at": timezone.now()},
    )
    given = revision.approvals.filter(revision_version=revision.version).count()
    if given >= approvals_needed(revision):
        _change(revision, QuoteState.APPROVED, user, reason)
    else:
        audit("quote.approve", quote, user, after={"approvals": given}, reason=reason)
    return revision


@transaction.atomic
def send_back(*, quote: Quote, user: User, reason: str) -> QuoteRevision:
    """From review or approval back to draft, with a reason; approvals become void."""
    revision = _held(quote, user, Action.QUOTE)
    if not reason.strip():
        raise QuoteError("quote_reason_missing")
    # A new version, so that an approval given before does not count again.
    _change(revision, QuoteState.DRAFT, user, reason, version=revision.version + 1)
    return revision


@transaction.atomic
def decide(
    *, quote: Quote, about: str, reason: str, user: User, line: QuoteLine | None = None, rule: str = ""
) -> Decision:
    """Record why an open item may stand. A finding needs an approver, and never becomes a pass by it.

    A finding is decided by a second person: raises NotAllowed for the author or submitter.

    An approved revision takes further decisions from approvers alone: they stand in what was approved.
    """
    revision = _held(quote, user, Action.APPROVE if about == OpenKind.FINDING else Action.QUOTE)
    if revision.state in FROZEN:
        raise _wrong(revision, QuoteState.DRAFT)
    if revision.state == QuoteState.APPROVED:
        require_role(user, quote.organisation, Action.APPROVE)
    if about == OpenKind.FINDING and user.pk in (revision.created_by_id, revision.submitted_by_id):
        raise NotAllowed("quote_own_decision")
    if not reason.strip():
        raise QuoteError("quote_reason_missing")
    decision = Decision.objects.create(
        revision=revision,
        line=line,
        about=OpenKind(about),
        rule=rule,
        reason=reason.strip(),
        made_by=user,
        made_by_name=str(user),
        made_at=timezone.now(),
    )
    if revision.state != QuoteState.APPROVED:
        touch(revision)
    audit(
        "quote.decide",
        quote,
        user,
        after={"about": about, "line": line.number if line else "", "rule": rule},
        reason=reason.strip(),
    )
    return decision


@transaction.atomic
def lock(*, quote: Quote, user: User, verify_base: str = "", reason: str = "") -> QuoteRevision:
    """Freeze the approved revision: content, check value, findings of today. R(n-1) becomes superseded.

    Raises OpenItems while something that stops the lock is open.
    """
    revision = _held(quote, user, Action.APPROVE)
    if revision.state != QuoteState.APPROVED:
        raise _wrong(revision, QuoteState.LOCKED)
    screen_revision(revision, today=today_of(quote.organisation))
    stopping = [item for item in open_items_of(revision) if item.stops_lock]
    if stopping:
        raise OpenItems(tuple(stopping))
    _freeze(revision, user, verify_base)
    audit(
        "quote.lock",
        quote,
        user,
        before={"state": QuoteState.APPROVED},
        after={"state": QuoteState.LOCKED, "revision": revision.number, "check_value": revision.content_hash},
        reason=reason,
    )
    report_state(revision, before=QuoteState.APPROVED)
    _supersede_earlier(revision, user)
    # robust: without a broker the documents are made at their first download.
    transaction.on_commit(partial(keep_documents.delay, revision.pk), robust=True)
    return revision


def _freeze(revision: QuoteRevision, user: User, verify_base: str) -> None:
    quote = revision.quote
    revision.locked_at = timezone.now().replace(microsecond=0)
    revision.locked_by = user
    revision.issued_on = today_of(quote.organisation)
    lines = list(revision.lines.all())
    content = assemble(
        quote=quote,
        revision=revision,
        seller=quote.organisation,
        policy=policy_of(quote.organisation),
        lines=lines,
        findings=findings_of(revision, lines),
        decisions=list(revision.decisions.select_related("line")),
        attachments=list(revision.attachments.filter(for_buyer=True).select_related("file")),
        replaced=quote.revisions.filter(number=revision.number - 1).first(),
        verify_base=verify_base,
    )
    revision.content = _as_stored(content)
    revision.content_hash = check_value(revision.content)
    revision.state = QuoteState.LOCKED
    revision.save()


def _as_stored(value: Any) -> Any:
    """The value as the database gives it back: whole floats beyond 1e15 return as integers."""
    if isinstance(value, dict):
        return {key: _as_stored(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_as_stored(item) for item in value]
    if isinstance(value, float) and abs(value) >= _BIGGEST_EXACT_FLOAT and value.is_integer():
        return int(value)
    return value


def _supersede_earlier(revision: QuoteRevision, user: User) -> None:
    earlier = revision.quote.revisions.filter(
        number__lt=revision.number, state__in=[QuoteState.LOCKED, QuoteState.EXPIRED, QuoteState.DECLINED]
    )
    for old in earlier.select_for_update(no_key=True):
        _change(old, QuoteState.SUPERSEDED, user, "", closed_at=timezone.now())


@transaction.atomic
def revise(*, quote: Quote, user: User) -> QuoteRevision:
    """A new draft R(n+1) with the lines of the locked one; prices and lead times keep their dates.

    Raises WrongState unless the current revision is locked, declined or expired.
    """
    old = _held(quote, user, Action.QUOTE)
    if old.state not in (QuoteState.LOCKED, QuoteState.DECLINED, QuoteState.EXPIRED):
        raise _wrong(old, QuoteState.SUPERSEDED)
    today = today_of(quote.organisation)
    new = QuoteRevision.objects.create(
        quote=quote,
        number=old.number + 1,
        created_by=user,
        issued_on=today,
        sizing=old.sizing,
        delivery=old.delivery,
    )
    lines = list(old.lines.all())
    for line in lines:
        line.pk, line.revision, line.version = None, new, 1
        line.public_id = QuoteLine._meta.get_field("public_id").get_default()
        line._state.adding = True
    QuoteLine.objects.bulk_create(lines)
    for attachment in old.attachments.filter(for_buyer=True):
        attachment.pk, attachment.revision = None, new
        attachment.public_id = Attachment._meta.get_field("public_id").get_default()
        attachment._state.adding = True
        attachment.save()
    quote.current_revision = new
    quote.valid_until = today + timedelta(days=quote.valid_days)
    quote.save(update_fields=["current_revision", "valid_until"])
    new.quote = quote
    refresh(new, today=today)
    audit("quote.revise", quote, user, before={"revision": old.number}, after={"revision": new.number})
    report(EventType.QUOTE_REVISED, new)
    return new


@transaction.atomic
def close(*, quote: Quote, state: str, user: User, reason: str = "") -> QuoteRevision:
    """The buyer accepted or declined the locked revision. An expired one cannot be accepted."""
    revision = _held(quote, user, Action.QUOTE)
    if state not in (QuoteState.ACCEPTED, QuoteState.DECLINED):
        raise _wrong(revision, state)
    until = revision.valid_until()
    if state == QuoteState.ACCEPTED and until is not None and until < today_of(quote.organisation):
        raise QuoteError("quote_has_expired", date=until.isoformat())
    _change(revision, QuoteState(state), user, reason, closed_at=timezone.now())
    return revision


@transaction.atomic
def expire_due(*, today: date | None = None) -> int:
    """Mark every locked revision whose last day has passed where its seller sits; returns how many.

    `today` is that day for all of them.
    """
    now = timezone.now()
    furthest = today or (now + _FURTHEST_AHEAD).date()
    due = (
        QuoteRevision.objects.select_for_update(no_key=True, of=("self",))
        .select_related("quote__organisation")
        .filter(state=QuoteState.LOCKED, content__terms__valid_until__lt=furthest.isoformat())
    )
    expired = 0
    for revision in due:
        until = revision.valid_until()
        if until is None or until >= (today or today_of(revision.quote.organisation, now=now)):
            continue
        _change(revision, QuoteState.EXPIRED, None, "", closed_at=now)
        expired += 1
    return expired


def approvals_needed(revision: QuoteRevision) -> int:
    """By the organisation's rules for the known net total and the margin; one where there is no rule.

    Of the rules without a margin the one of the highest total reached counts, of those with a margin every one that
    is met; the largest number is asked for. An unknown margin counts as too low. A quote with a finding of grade
    fail takes a second person whatever the rules say.
    """
    rules = ApprovalRule.objects.filter(
        organisation_id=revision.quote.organisation_id,
        currency=revision.quote.currency,
        total_from__lte=revision.total_net,
    )
    by_total = rules.filter(margin_below_pct=None).order_by("-total_from").first()
    needed = [by_total.approvals_needed if by_total else 1]
    by_margin = list(rules.exclude(margin_below_pct=None))
    if by_margin:
        share = margin_share(revision)
        needed += [rule.approvals_needed for rule in by_margin if share is None or share < (rule.margin_below_pct or 0)]
    if max(needed) == 0 and _has_fail(revision):
        return 1
    return max(needed)


def margin_share(revision: QuoteRevision) -> Decimal | None:
    """Margin in percent of the net price; None while the cost of a counted line is not known."""
    lines = list(revision.lines.all())
    found = margin(
        totals_of(revision.quote, lines),
        {line.number: line.unit_cost for line in lines},
        {line.number: line.quantity for line in lines},
    )
    return None if found.lines_without_cost else found.share_pct


def _has_fail(revision: QuoteRevision) -> bool:
    return revision.findings.filter(flag=Flag.FAIL).exclude(applicability=Applicability.NOT_APPLICABLE).exists()


def _held(quote: Quote, user: User, action: Action) -> QuoteRevision:
    require_role(user, quote.organisation, action)
    revision = (
        QuoteRevision.objects.select_for_update(no_key=True, of=("self",))
        .select_related("quote__organisation")
        .get(current_of=quote)
    )
    return revision


def _change(revision: QuoteRevision, state: QuoteState, user: User | None, reason: str, **fields: Any) -> None:
    if state not in NEXT_STATES[revision.state]:
        raise _wrong(revision, state)
    before = revision.state
    revision.state = state
    for name, value in fields.items():
        setattr(revision, name, value)
    revision.save(update_fields=["state", *fields])
    audit(
        f"quote.{state}",
        revision.quote,
        user,
        before={"state": before, "revision": revision.number},
        after={"state": state, "revision": revision.number},
        reason=reason,
    )
    report_state(revision, before=before)


def _wrong(revision: QuoteRevision, wanted: str) -> WrongState:
    return WrongState(state=revision.state, wanted=wanted, allowed=tuple(NEXT_STATES[revision.state]))
