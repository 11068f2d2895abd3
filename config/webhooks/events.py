"""Reporting what happened. Call `emit` inside the transaction of the change: neither exists without the other."""

import json
import logging
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from config.accounts.ids import uuid7
from config.accounts.models import Organisation
from config.webhooks.choices import EventType
from config.webhooks.models import WebhookDelivery, WebhookEndpoint, WebhookEvent
from config.webhooks.tasks import deliver

logger = logging.getLogger(__name__)
MAX_BODY_BYTES = 20_000


def emit(event: EventType, *, organisation: Organisation | None, data: Mapping[str, Any]) -> WebhookEvent | None:
    """Write the message for every receiver of the organisation that wants this type; None where nobody does.

    `data` is thin: ids, states and the address in the API where the rest is read. Without an organisation (a
    visitor's run) nobody listens.
    """
    if organisation is None:
        return None
    rows = WebhookEndpoint.objects.filter(organisation=organisation, is_enabled=True)
    wanting = [row for row in rows if not row.events or event in row.events]
    return store(event, organisation=organisation, data=data, endpoints=wanting) if wanting else None


@transaction.atomic
def store(
    event: EventType, *, organisation: Organisation, data: Mapping[str, Any], endpoints: Iterable[WebhookEndpoint]
) -> WebhookEvent:
    """The message and its deliveries; they are sent after the commit, or by the sweeper when that is lost."""
    now = timezone.now()
    row = WebhookEvent.objects.create(
        public_id=uuid7(), organisation=organisation, type=event, body=_body(event, data, at=now)
    )
    listed = list(endpoints)
    WebhookDelivery.objects.bulk_create(WebhookDelivery(endpoint=each, event=row, due_at=now) for each in listed)
    for each in listed:
        transaction.on_commit(partial(send_soon, each.pk), robust=True)
    return row


def send_soon(endpoint_id: int) -> None:
    """With the broker down the sweeper sends later."""
    try:
        deliver.delay(endpoint_id)
    except (OperationalError, OSError):
        logger.warning("broker not reachable, the sweeper will send the message", extra={"endpoint_id": endpoint_id})


def _body(event: EventType, data: Mapping[str, Any], *, at: datetime) -> str:
    """The bytes that are signed and sent, made once. Raises ValueError where the payload is not thin."""
    moment = at.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    text = json.dumps(
        {"type": str(event), "timestamp": moment, "data": dict(data)}, ensure_ascii=False, separators=(",", ":")
    )
    if len(text.encode()) > MAX_BODY_BYTES:
        raise ValueError(f"the payload of {event} has more than {MAX_BODY_BYTES} bytes")
    return text
