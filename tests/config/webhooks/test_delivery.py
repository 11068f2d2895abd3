"""Delivering to a receiver that really listens: down for a while, gone, redirecting, rotating."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings
from standardwebhooks.webhooks import WebhookVerificationError

from config.accounts.models import AuditEvent
from config.webhooks import delivery, services
from config.webhooks.choices import DeliveryState, EventType
from config.webhooks.events import emit
from config.webhooks.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint, WebhookEvent
from tests.config.webhooks.receiver import Receiver
from tests.factories import make_membership

pytestmark = pytest.mark.django_db


def listen(receiver: Receiver, **fields: Any) -> tuple[WebhookEndpoint, str]:
    member = make_membership()
    return services.add_endpoint(
        organisation=member.organisation, user=member.user, url=receiver.url, **({"events": []} | fields)
    )


def happen(endpoint: WebhookEndpoint, event: EventType = EventType.RUN_DONE, **data: Any) -> None:
    emit(event, organisation=endpoint.organisation, data=data or {"id": "1", "state": "done"})


def later(**passed: float) -> None:
    """Let time pass for everything that waits."""
    gone = timedelta(**passed)
    for row in WebhookDelivery.objects.filter(state=DeliveryState.PENDING):
        WebhookDelivery.objects.filter(pk=row.pk).update(due_at=row.due_at - gone)
    for one in WebhookEndpoint.objects.all():
        since = one.failing_since - gone if one.failing_since else None
        WebhookEndpoint.objects.filter(pk=one.pk).update(paused_until=None, failing_since=since)


def test_a_message_is_signed_and_thin(receiver: Receiver) -> None:
    endpoint, secret = listen(receiver)
    happen(endpoint, id="42", state="done")

    assert delivery.deliver_due(endpoint.pk) == 1
    message = receiver.verified(secret)
    assert (message["type"], message["data"]) == ("sizing_run.done", {"id": "42", "state": "done"})
    headers, _body = receiver.got[0]
    assert headers["webhook-id"] == str(WebhookEvent.objects.get().public_id)
    assert headers["Content-Type"] == "application/json"
    with pytest.raises(WebhookVerificationError):
        receiver.verified("whsec_" + "A" * 44)


def test_a_receiver_that_was_down_gets_every_message_under_its_first_id(receiver: Receiver) -> None:
    endpoint, secret = listen(receiver)
    receiver.status = 503
    for number in range(5):
        happen(endpoint, id=str(number))
    for _ in range(8):  # it stays down for a good hour
        delivery.deliver_due(endpoint.pk)
        later(minutes=10)
    tried = set(receiver.ids)
    receiver.status = 200
    receiver.got.clear()
    later(hours=12)

    assert delivery.due_endpoints() == [endpoint.pk]
    assert delivery.deliver_due(endpoint.pk) == 5
    assert sorted(receiver.ids) == sorted(map(str, WebhookEvent.objects.values_list("public_id", flat=True)))
    assert tried <= set(receiver.ids)
    assert {receiver.verified(secret, index)["data"]["id"] for index in range(5)} == {"0", "1", "2", "3", "4"}
    assert delivery.due_endpoints() == []


def test_waits_grow_and_end_after_about_a_day(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    receiver.status = 500
    happen(endpoint)
    waits = []
    while WebhookDelivery.objects.get().state == DeliveryState.PENDING:
        before = timezone.now()
        delivery.deliver_due(endpoint.pk)
        waits.append((WebhookDelivery.objects.get().due_at - before).total_seconds())
        later(hours=13)

    assert len(waits) - 1 == len(delivery.WAITS_S)
    assert all(early < late for early, late in itertools.pairwise(waits[:-1]))
    assert 24 * 3600 < sum(delivery.WAITS_S) < 30 * 3600
    assert (WebhookDelivery.objects.get().state, WebhookAttempt.objects.count()) == ("failed", len(waits))


def test_a_failing_receiver_is_left_alone_for_a_moment(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    receiver.status = 500
    happen(endpoint)
    happen(endpoint)

    delivery.deliver_due(endpoint.pk)
    assert delivery.due_endpoints() == []
    delivery.deliver_due(endpoint.pk)
    assert len(receiver.got) == 1


def test_five_days_of_failures_switch_it_off(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    receiver.status = 500
    happen(endpoint)
    delivery.deliver_due(endpoint.pk)
    later(days=5, minutes=1)
    delivery.deliver_due(endpoint.pk)

    endpoint.refresh_from_db()
    assert (endpoint.is_enabled, endpoint.disabled_code) == (False, "days_of_failures")
    assert AuditEvent.objects.filter(action="webhook.disable").count() == 1
    happen(endpoint)
    assert WebhookEvent.objects.count() == 1


def test_a_receiver_that_says_gone_is_switched_off_at_once(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    receiver.status = 410
    happen(endpoint)
    delivery.deliver_due(endpoint.pk)

    endpoint.refresh_from_db()
    assert (endpoint.is_enabled, endpoint.disabled_code) == (False, "gone")


def test_a_redirect_is_never_followed(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    receiver.status, receiver.headers = 302, {"Location": receiver.url + "&again=1"}
    happen(endpoint)

    assert delivery.deliver_due(endpoint.pk) == 0
    assert len(receiver.got) == 1
    assert WebhookAttempt.objects.get().code == "redirect"


def test_nothing_listening_is_a_failure_like_another(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    receiver.close()
    happen(endpoint)

    assert delivery.deliver_due(endpoint.pk) == 0
    assert WebhookAttempt.objects.get().code == "connect_failed"


def test_a_name_that_turned_private_is_refused_at_delivery(receiver: Receiver, settings: Settings) -> None:
    endpoint, _secret = listen(receiver)
    happen(endpoint)
    settings.WEBHOOK_ALLOWED_NETWORKS = []
    delivery.deliver_due(endpoint.pk)

    tried = WebhookAttempt.objects.get()
    assert (tried.code, tried.status, receiver.got) == ("webhook_address_refused", None, [])
    assert tried.params["address"] == "127.0.0.1"


def test_during_a_rotation_both_secrets_verify(receiver: Receiver) -> None:
    endpoint, old = listen(receiver)
    new = services.rotate_secret(endpoint=endpoint, user=make_membership().user)
    happen(endpoint)
    delivery.deliver_due(endpoint.pk)

    assert old != new
    assert receiver.verified(old) == receiver.verified(new)
    WebhookEndpoint.objects.update(previous_until=timezone.now() - timedelta(seconds=1))
    happen(endpoint)
    delivery.deliver_due(endpoint.pk)
    receiver.verified(new)
    with pytest.raises(WebhookVerificationError):
        receiver.verified(old)


def test_only_the_wanted_types_are_sent(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver, events=["quote.state_changed"])
    happen(endpoint, EventType.RUN_DONE)
    happen(endpoint, EventType.QUOTE_STATE)
    emit(EventType.QUOTE_STATE, organisation=make_membership().organisation, data={})
    emit(EventType.QUOTE_STATE, organisation=None, data={})

    assert list(WebhookEvent.objects.values_list("type", flat=True)) == ["quote.state_changed"]


def test_a_message_exists_only_with_its_change(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    with transaction.atomic():
        happen(endpoint)
        transaction.set_rollback(True)

    assert not WebhookEvent.objects.exists()


def test_a_fat_payload_is_a_fault_of_ours(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)

    with pytest.raises(ValueError, match="20000"):
        happen(endpoint, words="x" * 20_000)


def test_a_message_can_be_sent_again_under_its_id(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    happen(endpoint)
    delivery.deliver_due(endpoint.pk)
    services.resend(delivery=WebhookDelivery.objects.get(), user=make_membership().user)
    delivery.deliver_due(endpoint.pk)

    assert len(receiver.ids) == 2
    assert len(set(receiver.ids)) == 1


def test_one_process_serves_a_receiver_at_a_time(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    happen(endpoint)
    WebhookEndpoint.objects.update(leased_until=timezone.now() + timedelta(seconds=30))

    assert (delivery.deliver_due(endpoint.pk), delivery.due_endpoints()) == (0, [])
    WebhookEndpoint.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert delivery.deliver_due(endpoint.pk) == 1


def test_old_messages_go_with_their_log(receiver: Receiver) -> None:
    endpoint, _secret = listen(receiver)
    happen(endpoint)
    delivery.deliver_due(endpoint.pk)
    WebhookEvent.objects.update(created_at=timezone.now() - timedelta(days=31))

    delivery.delete_old_events()
    assert not WebhookAttempt.objects.exists()
