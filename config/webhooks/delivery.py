"""Delivering: one process a receiver at a time, growing waits over about a day, off after five days of failures."""

import logging
import random
import time
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from standardwebhooks.webhooks import Webhook

from config.accounts.audit import record_event
from config.webhooks import client, targets
from config.webhooks.choices import DeliveryState
from config.webhooks.errors import RefusedTarget
from config.webhooks.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookEvent
from config.webhooks.secrets import signing_secrets

logger = logging.getLogger(__name__)

# Seconds after each failed attempt; together 27 hours.
WAITS_S = (5, 60, 300, 1800, 2 * 3600, 5 * 3600, 8 * 3600, 11.5 * 3600)
JITTER = 0.1  # so that receivers which failed together are not all asked together again
LONGEST_PAUSE_S = 60
DISABLE_AFTER = timedelta(days=5)
KEPT = timedelta(days=30)
LEASE = timedelta(seconds=60)
BUDGET_S = 20


def due_endpoints() -> list[int]:
    """Receivers with something to deliver now that nobody is serving."""
    now = timezone.now()
    due = WebhookDelivery.objects.filter(state=DeliveryState.PENDING, due_at__lte=now, endpoint__is_enabled=True)
    due = due.filter(_past("endpoint__paused_until", now), _past("endpoint__leased_until", now))
    return list(due.order_by("endpoint_id").values_list("endpoint_id", flat=True).distinct()[:100])


def deliver_due(endpoint_id: int) -> int:
    """Send what is due to this receiver until it fails or a time budget is used up; returns how many arrived."""
    if not _leased(endpoint_id):
        return 0
    delivered, deadline = 0, time.monotonic() + BUDGET_S
    try:
        while time.monotonic() < deadline:
            delivery = _next(endpoint_id)
            if delivery is None or not attempt(delivery):
                break
            delivered += 1
    finally:
        WebhookEndpoint.objects.filter(pk=endpoint_id).update(leased_until=None)
    return delivered


def attempt(delivery: WebhookDelivery) -> bool:
    """One try, logged; True where the receiver took the message."""
    answer = _sent(delivery)
    now = timezone.now()
    with transaction.atomic():
        endpoint = WebhookEndpoint.objects.select_for_update(no_key=True).get(pk=delivery.endpoint_id)
        WebhookAttempt.objects.create(
            delivery=delivery,
            at=now,
            code=answer.code,
            params=dict(answer.params),
            status=answer.status,
            duration_ms=answer.duration_ms,
            excerpt=answer.excerpt,
        )
        delivery.attempts += 1
        if answer.is_delivered:
            _succeed(delivery, endpoint, now)
        else:
            _fail(delivery, endpoint, answer.code, now)
    logger.info("webhook sent", extra={"delivery": str(delivery.public_id), "code": answer.code})
    return answer.is_delivered


def headers_of(delivery: WebhookDelivery, *, at: datetime) -> dict[str, str]:
    """Headers of the Standard Webhooks form; during a rotation both secrets sign."""
    event = delivery.event
    secrets = signing_secrets(delivery.endpoint)
    signatures = [Webhook(secret).sign(str(event.public_id), at, event.body) for secret in secrets]
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Kvote/{settings.VERSION}",
        "webhook-id": str(event.public_id),
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def delete_old_events() -> int:
    """Remove messages after thirty days, with their log; returns how many."""
    old = WebhookEvent.objects.filter(created_at__lt=timezone.now() - KEPT)
    return old.exclude(deliveries__state=DeliveryState.PENDING).delete()[0]


def _sent(delivery: WebhookDelivery) -> client.Answer:
    """The name is resolved and judged anew for every attempt."""
    try:
        target = targets.target_of(delivery.endpoint.url)
    except RefusedTarget as refused:
        return client.Answer(code=refused.code, params=refused.params)
    headers = headers_of(delivery, at=timezone.now())
    return client.post(target, headers=headers, body=delivery.event.body.encode())


def _succeed(delivery: WebhookDelivery, endpoint: WebhookEndpoint, now: datetime) -> None:
    delivery.state, delivery.finished_at = DeliveryState.DELIVERED, now
    delivery.save(update_fields=["state", "finished_at", "attempts"])
    endpoint.failures, endpoint.failing_since, endpoint.paused_until = 0, None, None
    endpoint.save(update_fields=["failures", "failing_since", "paused_until"])


def _fail(delivery: WebhookDelivery, endpoint: WebhookEndpoint, code: str, now: datetime) -> None:
    if delivery.attempts > len(WAITS_S):
        delivery.state, delivery.finished_at = DeliveryState.FAILED, now
    else:
        wait_s = WAITS_S[delivery.attempts - 1] * (1 + JITTER * random.random())
        delivery.due_at = now + timedelta(seconds=wait_s)
    delivery.save(update_fields=["state", "finished_at", "attempts", "due_at"])
    endpoint.failures += 1
    endpoint.failing_since = endpoint.failing_since or now
    # Other messages wait as well, so that a receiver that is down does not keep a worker busy.
    endpoint.paused_until = now + timedelta(seconds=min(2**endpoint.failures, LONGEST_PAUSE_S))
    endpoint.save(update_fields=["failures", "failing_since", "paused_until"])
    if code == "gone" or now - endpoint.failing_since >= DISABLE_AFTER:
        _disable(endpoint, "gone" if code == "gone" else "days_of_failures", now)


def _disable(endpoint: WebhookEndpoint, code: str, now: datetime) -> None:
    endpoint.is_enabled, endpoint.disabled_at, endpoint.disabled_code = False, now, code
    endpoint.save(update_fields=["is_enabled", "disabled_at", "disabled_code"])
    endpoint.deliveries.filter(state=DeliveryState.PENDING).update(state=DeliveryState.FAILED, finished_at=now)
    record_event(
        action="webhook.disable",
        object_kind="webhookendpoint",
        object_id=endpoint.public_id,
        organisation=endpoint.organisation,
        after={"reason": code},
    )


def _next(endpoint_id: int) -> WebhookDelivery | None:
    now = timezone.now()
    rows = WebhookDelivery.objects.select_related("endpoint", "event")
    rows = rows.filter(endpoint_id=endpoint_id, endpoint__is_enabled=True, state=DeliveryState.PENDING)
    rows = rows.filter(_past("endpoint__paused_until", now), due_at__lte=now)
    found = rows.order_by("due_at", "pk").first()
    if found is not None:
        WebhookEndpoint.objects.filter(pk=endpoint_id).update(leased_until=now + LEASE)
    return found


def _leased(endpoint_id: int) -> bool:
    now = timezone.now()
    free = WebhookEndpoint.objects.filter(_past("leased_until", now), pk=endpoint_id)
    return bool(free.update(leased_until=now + LEASE))


def _past(field: str, now: datetime) -> Q:
    return Q(**{f"{field}__isnull": True}) | Q(**{f"{field}__lte": now})
