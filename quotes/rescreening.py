"""Screening of open quotes again when a list changed: old findings stay, a changed flag becomes a task."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from config.accounts.models import Organisation, User
from config.accounts.permissions import Action
from quotes.choices import EDITABLE, QuoteState
from quotes.cleared import clearances_of, fingerprint
from quotes.compliance import lists
from quotes.compliance.types import ENGINE_VERSION, Applicability, Flag, ListVersion, QuoteScreening, Regime
from quotes.errors import QuoteError
from quotes.listed import active_lists, version_of
from quotes.models import Quote, QuoteRevision, Rescreening
from quotes.reports import report_screening
from quotes.screening import screened
from quotes.services import audit, require_role
from quotes.stored_findings import findings_of

# An accepted quote is an order that may still be undelivered; the other final states are closed.
OPEN_STATES = frozenset({*EDITABLE, QuoteState.LOCKED, QuoteState.ACCEPTED})
NOT_IN_SCOPE = "not_applicable"
_OPEN = Q(state__in=sorted(OPEN_STATES), current_of__isnull=False)
_HAS_OPEN_QUOTE = Exists(QuoteRevision.objects.filter(_OPEN, quote__organisation=OuterRef("pk")))


@dataclass(frozen=True, slots=True, kw_only=True)
class ListStatus:
    """One regime's list on a day: its version, when it was checked and whether the next check is overdue."""

    regime: Regime
    version: ListVersion
    overdue: bool


def list_status(today: date, organisation: Organisation | None = None) -> list[ListStatus]:
    """The lists in use on that day, in the order of the regimes; the organisation's own lists of parties last."""
    versions = dict(lists.load_lists(today).versions)
    active = active_lists(organisation) if organisation is not None else []
    if active:
        versions[Regime.PARTIES] = version_of(active)
    return [
        ListStatus(regime=regime, version=versions[regime], overdue=is_overdue(versions[regime], today))
        for regime in Regime
        if regime in versions
    ]


def is_overdue(version: ListVersion, today: date) -> bool:
    """Whether the day named for the next check has passed."""
    return version.next_check_due is not None and today > version.next_check_due


def rescreen_open_quotes(*, today: date | None = None) -> int:
    """Screen every open quote that did not meet the present lists last; returns how many flags changed.

    Safe to run twice: a revision is screened once for each change of the lists, the cleared names and the engine.
    """
    day = today or timezone.localdate()
    return sum(_rescreen_quotes_of(organisation, day) for organisation in Organisation.objects.filter(_HAS_OPEN_QUOTE))


def _rescreen_quotes_of(organisation: Organisation, day: date) -> int:
    stated = stated_lists(day, organisation)
    key = key_of(stated, fingerprint(clearances_of(organisation, day)))
    newest = Rescreening.objects.filter(revision=OuterRef("pk")).values("lists_key")[:1]
    waiting = QuoteRevision.objects.filter(_OPEN, quote__organisation=organisation).annotate(met=Subquery(newest))
    changed = 0
    for pk in list(waiting.filter(Q(met=None) | ~Q(met=key)).values_list("pk", flat=True)):
        made = rescreen_revision(pk, today=day, stated=stated, key=key)
        changed += len(made.changes) if made else 0
    return changed


@transaction.atomic
def rescreen_revision(pk: int, *, today: date, stated: list[dict[str, Any]], key: str) -> Rescreening | None:
    """One revision under the present lists; None where it closed meanwhile or was done already."""
    revision = (
        QuoteRevision.objects.select_for_update(no_key=True, of=("self",))
        .select_related("quote__organisation")
        .filter(pk=pk, state__in=sorted(OPEN_STATES))
        .first()
    )
    newest = revision.rescreenings.first() if revision else None
    if revision is None or (newest is not None and newest.lists_key == key):
        return None
    before = known_result(revision)
    after = result_of(screened(revision.quote, list(revision.lines.all()), today=today))
    made = Rescreening.objects.create(
        revision=revision,
        lists_key=key,
        lists=stated,
        result=after,
        changes=changes_between(before, after),
        made_at=timezone.now(),
    )
    if made.changes:
        audit(
            "quote.flags_changed",
            revision.quote,
            None,
            before={"revision": revision.number},
            after={"revision": revision.number, "changes": made.changes, "lists": stated},
        )
        report_screening(revision, made.changes)
    return made


@transaction.atomic
def settle(*, task: Rescreening, user: User, note: str) -> Rescreening:
    """Close a task with what was done about it. The flags stay as they were found."""
    quote = task.revision.quote
    require_role(user, quote.organisation, Action.QUOTE)
    held = Rescreening.objects.select_for_update(no_key=True).get(pk=task.pk)
    if not note.strip():
        raise QuoteError("quote_reason_missing")
    if held.settled_at is not None:
        raise QuoteError("rescreening_settled_already")
    held.settled_at, held.settled_by, held.settled_note = timezone.now(), user, note.strip()[:2000]
    held.save(update_fields=["settled_at", "settled_by", "settled_note"])
    audit("quote.flags_settled", quote, user, after={"task": str(held.public_id)}, reason=held.settled_note)
    return held


def open_tasks() -> QuerySet[Rescreening]:
    """Rescreenings of current revisions with a changed flag that nobody has settled."""
    rows = Rescreening.objects.exclude(changes=[]).filter(settled_at=None)
    return rows.filter(revision__current_of__isnull=False)


def open_task_of(revision: QuoteRevision) -> Rescreening | None:
    """The newest open task of a revision."""
    return Rescreening.objects.exclude(changes=[]).filter(revision=revision, settled_at=None).first()


def open_tasks_for(user: User | AnonymousUser, organisation: Organisation | None = None) -> QuerySet[Rescreening]:
    """The open tasks on quotes that the person may see."""
    rows = open_tasks().filter(revision__quote__in=Quote.objects.for_user(user))
    if organisation is not None:
        rows = rows.filter(revision__quote__organisation=organisation)
    return rows.select_related("revision__quote__organisation")


def known_result(revision: QuoteRevision) -> dict[str, str]:
    """The newest known flags: of the last rescreening, or of the findings where those are newer."""
    last = Rescreening.objects.filter(revision=revision).first()
    if last is not None and (revision.screened_at is None or last.made_at > revision.screened_at):
        return dict(last.result)
    return {
        f"{finding.line.number if finding.line else ''}|{finding.regime}": _shown(finding.applicability, finding.flag)
        for finding in findings_of(revision, list(revision.lines.all()))
    }


def result_of(screening: QuoteScreening) -> dict[str, str]:
    """The flag of each line and regime; what is out of scope has none."""
    return {
        f"{finding.line_id}|{finding.regime.value}": _shown(
            finding.applicability.value, finding.flag.value if finding.flag else ""
        )
        for finding in screening.findings
    }


def changes_between(before: Mapping[str, str], after: Mapping[str, str]) -> list[dict[str, str]]:
    """What differs, in the order of the second; a line that was not screened before counts from unknown.

    A regime that comes new with a list counts only where it says more than a pass.
    """
    known = {key.rsplit("|", 1)[1] for key in before}
    changes = []
    for key, flag in after.items():
        line, regime = key.rsplit("|", 1)
        if before and regime not in known and flag in (NOT_IN_SCOPE, Flag.PASS.value):
            continue
        earlier = before.get(key, "unknown" if regime in known or not before else NOT_IN_SCOPE)
        if earlier != flag:
            changes.append({"line": line, "regime": regime, "before": earlier, "after": flag})
    return changes


def stated_lists(today: date, organisation: Organisation | None = None) -> list[dict[str, Any]]:
    return [
        {
            "regime": status.regime.value,
            "version": status.version.version,
            "sha256": status.version.sha256,
            "overdue": status.overdue,
        }
        for status in list_status(today, organisation)
    ]


def key_of(stated: list[dict[str, Any]], cleared: str = "") -> str:
    """SHA-256 over the state of all lists, the names that were cleared from them and the engine that reads them."""
    return hashlib.sha256((json.dumps(stated, sort_keys=True) + cleared + ENGINE_VERSION).encode()).hexdigest()


def _shown(applicability: str, flag: str) -> str:
    return NOT_IN_SCOPE if applicability == Applicability.NOT_APPLICABLE.value else flag
