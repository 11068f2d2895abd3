"""What people do with lists of listed parties: load a file, take it into use, take it out of use."""

import hashlib
from datetime import date
from functools import partial

from django.db import transaction
from django.utils import timezone

from config.accounts.models import Organisation, User
from config.accounts.permissions import Action
from config.accounts.services import record_event, store_file
from quotes import tasks
from quotes.choices import PartyListKind, PartyListState
from quotes.errors import QuoteError
from quotes.listed import active_of
from quotes.models import PartyList
from quotes.services import require_role


@transaction.atomic
def load(
    *, organisation: Organisation, kind: str, name: str, content: bytes, published_on: date, user: User
) -> PartyList:
    """Keep the file and have it read in the background. Raises QuoteError for a date ahead or a file known already."""
    require_role(user, organisation, Action.APPROVE)
    if published_on > timezone.localdate():
        raise QuoteError("party_file_date_ahead", date=published_on.isoformat())
    digest = hashlib.sha256(content).hexdigest()
    known = PartyList.objects.filter(organisation=organisation, kind=kind, file__sha256=digest).first()
    if known is not None:
        raise QuoteError("party_file_known", version=known.version)
    stored = store_file(
        organisation=organisation, name=name, content=content, content_type="application/octet-stream", actor=user
    )
    made = PartyList.objects.create(
        organisation=organisation, kind=PartyListKind(kind), published_on=published_on, file=stored, loaded_by=user
    )
    _record("load", made, user, {"version": made.version, "sha256": digest})
    transaction.on_commit(partial(tasks.read_party_list.delay, made.pk), robust=True)
    return made


@transaction.atomic
def activate(*, party_list: PartyList, user: User, note: str = "") -> PartyList:
    """Take a read version into use and screen the open quotes again.

    Raises QuoteError where it is not staged, or has a fault and no note says why it is taken in spite of it.
    An empty list is never taken.
    """
    require_role(user, party_list.organisation, Action.APPROVE)
    Organisation.objects.select_for_update(no_key=True).get(pk=party_list.organisation_id)
    held = (
        PartyList.objects.select_for_update(no_key=True, of=("self",))
        .select_related("file", "organisation")
        .get(pk=party_list.pk)
    )
    if held.state not in (PartyListState.STAGED, PartyListState.REPLACED):
        raise QuoteError("party_list_not_staged", version=held.version)
    if held.fault and (not held.firms_count or not note.strip()):
        raise QuoteError(str(held.fault["code"]), **held.fault["params"])
    before = active_of(held.organisation, held.kind)
    if before is not None:
        before.state = PartyListState.REPLACED
        before.save(update_fields=["state"])
    held.state, held.activated_by, held.activated_at = PartyListState.ACTIVE, user, timezone.now()
    held.activation_note = note.strip()[:300]
    held.save(update_fields=["state", "activated_by", "activated_at", "activation_note"])
    _record(
        "activate", held, user, {"version": held.version, "replaces": before.version if before else ""}, note.strip()
    )
    transaction.on_commit(tasks.rescreen_quotes.delay, robust=True)
    return held


@transaction.atomic
def retire(*, party_list: PartyList, user: User, note: str) -> PartyList:
    """Take an active list out of use, with a reason."""
    require_role(user, party_list.organisation, Action.APPROVE)
    held = (
        PartyList.objects.select_for_update(no_key=True, of=("self",))
        .select_related("file", "organisation")
        .get(pk=party_list.pk)
    )
    if held.state != PartyListState.ACTIVE:
        raise QuoteError("party_list_not_active", version=held.version)
    if not note.strip():
        raise QuoteError("quote_reason_missing")
    held.state = PartyListState.REPLACED
    held.save(update_fields=["state"])
    _record("retire", held, user, {"version": held.version}, note.strip())
    transaction.on_commit(tasks.rescreen_quotes.delay, robust=True)
    return held


def _record(action: str, held: PartyList, user: User, after: dict[str, str], reason: str = "") -> None:
    record_event(
        action=f"party_list.{action}",
        object_kind="partylist",
        object_id=held.public_id,
        actor=user,
        organisation=held.organisation,
        after=after,
        reason=reason,
    )
