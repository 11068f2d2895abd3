"""Writes around receivers: add, change, rotate the secret, remove, send again. Every one is audited."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial
from typing import Any

from django.db import transaction
from django.utils import timezone

from config.accounts.audit import record_event
from config.accounts.models import Organisation, User
from config.webhooks import events, targets
from config.webhooks.choices import DeliveryState, EventType
from config.webhooks.errors import WebhookError
from config.webhooks.models import WebhookDelivery, WebhookEndpoint
from config.webhooks.secrets import new_salt, secret_of

MOST_ENDPOINTS = 20
OVERLAP = timedelta(days=1)


@transaction.atomic
def add_endpoint(
    *, organisation: Organisation, url: str, user: User, events: Sequence[str] = (), description: str = ""
) -> tuple[WebhookEndpoint, str]:
    """A new receiver and its secret, which is shown this once. Raises WebhookError for an address that is refused."""
    Organisation.objects.select_for_update(no_key=True).get(pk=organisation.pk)
    if WebhookEndpoint.objects.filter(organisation=organisation).count() >= MOST_ENDPOINTS:
        raise WebhookError("webhook_too_many", most=MOST_ENDPOINTS)
    targets.target_of(url)
    endpoint = WebhookEndpoint.objects.create(
        organisation=organisation,
        url=url,
        description=description,
        events=_known(events),
        salt=new_salt(),
        created_by=user,
    )
    _audit("webhook.add", endpoint, user, after={"url": url, "events": endpoint.events})
    return endpoint, secret_of(endpoint)


@transaction.atomic
def change_endpoint(*, endpoint: WebhookEndpoint, changes: Mapping[str, Any], user: User) -> WebhookEndpoint:
    """Change `url`, `events`, `description` or `is_enabled`. Switched on again it starts with a clean record."""
    if "url" in changes and changes["url"] != endpoint.url:
        targets.target_of(changes["url"])
    before = {name: getattr(endpoint, name) for name in changes}
    for name, value in changes.items():
        setattr(endpoint, name, _known(value) if name == "events" else value)
    if endpoint.is_enabled:
        endpoint.disabled_at, endpoint.disabled_code = None, ""
        endpoint.failures, endpoint.failing_since, endpoint.paused_until = 0, None, None
    elif not endpoint.disabled_code:
        endpoint.disabled_at, endpoint.disabled_code = timezone.now(), "disabled_by_hand"
    endpoint.save()
    _audit("webhook.change", endpoint, user, before=before, after={name: getattr(endpoint, name) for name in changes})
    return endpoint


@transaction.atomic
def rotate_secret(*, endpoint: WebhookEndpoint, user: User) -> str:
    """A new secret, shown this once; for a day the one before signs as well."""
    endpoint.previous_salt, endpoint.previous_until = endpoint.salt, timezone.now() + OVERLAP
    endpoint.salt = new_salt()
    endpoint.save(update_fields=["salt", "previous_salt", "previous_until"])
    _audit("webhook.rotate_secret", endpoint, user)
    return secret_of(endpoint)


@transaction.atomic
def remove_endpoint(*, endpoint: WebhookEndpoint, user: User) -> None:
    """The receiver and its log go; nothing more is sent to it."""
    _audit("webhook.remove", endpoint, user, before={"url": endpoint.url})
    endpoint.delete()


@transaction.atomic
def resend(*, delivery: WebhookDelivery, user: User) -> WebhookDelivery:
    """Send a message once more, under its first id; a receiver that was switched off must be switched on first."""
    delivery.state, delivery.finished_at = DeliveryState.PENDING, None
    delivery.attempts, delivery.due_at = 0, timezone.now()
    delivery.save(update_fields=["state", "finished_at", "attempts", "due_at"])
    WebhookEndpoint.objects.filter(pk=delivery.endpoint_id).update(paused_until=None)
    _audit("webhook.resend", delivery.endpoint, user, after={"message": str(delivery.event.public_id)})
    transaction.on_commit(partial(events.send_soon, delivery.endpoint_id), robust=True)
    return delivery


@transaction.atomic
def send_test(*, endpoint: WebhookEndpoint, user: User) -> WebhookDelivery:
    """A message that only shows that messages arrive."""
    data = {"id": str(endpoint.public_id), "href": f"/api/v1/webhooks/{endpoint.public_id}"}
    event = events.store(EventType.TEST, organisation=endpoint.organisation, data=data, endpoints=[endpoint])
    _audit("webhook.test", endpoint, user)
    return event.deliveries.get()


def _known(wanted: Sequence[str]) -> list[str]:
    return [value for value in EventType.values if value in wanted]


def _audit(action: str, endpoint: WebhookEndpoint, user: User, **parts: Any) -> None:
    record_event(
        action=action,
        object_kind="webhookendpoint",
        object_id=endpoint.public_id,
        actor=user,
        organisation=endpoint.organisation,
        **parts,
    )
