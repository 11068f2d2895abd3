"""The hash chain of the audit trail."""

import hashlib
import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.utils import timezone

from config.accounts.ids import uuid7
from config.accounts.models import AuditEvent, Organisation, User

_LOCK = 0x4B564F54  # "KVOT": one writer at a time keeps the chain a line


@transaction.atomic
def record_event(
    *,
    action: str,
    object_kind: str,
    object_id: object,
    actor: User | None = None,
    organisation: Organisation | None = None,
    before: Any = None,
    after: Any = None,
    reason: str = "",
) -> AuditEvent:
    """Append one event. `before` and `after` may hold dates and Decimals; they are kept as text.

    Rows are never changed: the database refuses UPDATE and DELETE. Call it inside the transaction
    of the change itself, so that neither exists without the other.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    last = AuditEvent.objects.order_by("-pk").values_list("hash", flat=True).first()
    event = AuditEvent(
        public_id=uuid7(),
        organisation=organisation,
        actor=actor if actor is not None and actor.pk else None,
        action=action,
        object_kind=object_kind,
        object_id=str(object_id),
        before=_plain(before),
        after=_plain(after),
        reason=reason,
        at=timezone.now(),
        previous_hash=last or "",
    )
    event.hash = hash_of(event)
    event.save(force_insert=True)
    return event


def hash_of(event: AuditEvent) -> str:
    """SHA-256 over the previous hash and the event's content, as canonical JSON."""
    content = {
        "previous": event.previous_hash,
        "id": str(event.public_id),
        "organisation": event.organisation_id,
        "actor": event.actor_id,
        "action": event.action,
        "kind": event.object_kind,
        "object": event.object_id,
        "before": event.before,
        "after": event.after,
        "reason": event.reason,
        "at": event.at.isoformat(timespec="microseconds"),
    }
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def first_broken_event() -> AuditEvent | None:
    """The first event that was altered, or whose predecessor is missing; None while the chain holds."""
    previous = ""
    for event in AuditEvent.objects.order_by("pk").iterator():
        if event.previous_hash != previous or event.hash != hash_of(event):
            return event
        previous = event.hash
    return None


def _plain(value: Any) -> Any:
    """As Postgres gives it back later: dates, Decimals and floats as text, keys as strings."""
    if value is None:
        return None
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder), parse_float=str)
