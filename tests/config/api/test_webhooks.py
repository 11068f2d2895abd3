"""Receivers of messages through the API."""

import pytest

from config.accounts.choices import Role
from config.accounts.models import AuditEvent
from config.webhooks import delivery
from config.webhooks.models import WebhookEndpoint
from quotes.models import Quote
from quotes.rescreening import rescreen_open_quotes
from tests.config.api.calls import Caller, caller
from tests.config.api.world import make_world
from tests.config.webhooks.conftest import receiver
from tests.config.webhooks.receiver import Receiver

__all__ = ["receiver"]
pytestmark = pytest.mark.django_db


@pytest.fixture
def admin() -> Caller:
    return caller(Role.ADMINISTRATOR)


def deliver_all() -> None:
    for pk in delivery.due_endpoints():
        delivery.deliver_due(pk)


def test_a_receiver_is_added_tested_and_its_log_read(admin: Caller, receiver: Receiver) -> None:
    made = admin.post("webhooks", {"url": receiver.url, "events": ["sizing_run.done"]})
    shown = made.json()
    address = f"webhooks/{shown['id']}"

    assert (made.status_code, made["Cache-Control"]) == (201, "no-store")
    assert admin.post(f"{address}/test").status_code == 202
    deliver_all()
    assert receiver.verified(shown["secret"])["type"] == "webhook.test"
    log = admin.get(f"{address}/deliveries").json()["results"]
    assert [(row["state"], row["attempts"], row["tries"][0]["status"]) for row in log] == [("delivered", 1, 204)]
    assert admin.post(f"{address}/deliveries/{log[0]['id']}/resend").status_code == 202
    deliver_all()
    assert receiver.ids == [log[0]["message"]] * 2
    assert admin.get(f"{address}/deliveries?state=pending").json()["results"] == []


def test_the_secret_is_shown_once_and_nowhere_kept(admin: Caller, receiver: Receiver) -> None:
    made = admin.post("webhooks", {"url": receiver.url}).json()
    rotated = admin.post(f"webhooks/{made['id']}/secret").json()

    assert made["secret"] != rotated["secret"]
    assert rotated["previous_secret_until"]
    for kept in (admin.get("webhooks").content.decode(), str(list(WebhookEndpoint.objects.values()))):
        assert made["secret"] not in kept
        assert rotated["secret"] not in kept
    assert rotated["secret"] not in str(list(AuditEvent.objects.values()))


def test_private_targets_are_refused_in_words(admin: Caller) -> None:
    for url in ("https://localhost/", "https://10.0.0.1/", "https://169.254.169.254/latest", "https://[::1]/"):
        answer = admin.post("webhooks", {"url": url})
        error = answer.json()["errors"][0]
        assert (answer.status_code, error["pointer"], error["code"]) == (422, "/url", "webhook_address_refused")
    german = admin.post("webhooks", {"url": "https://localhost/"}, accept_language="de").json()["errors"][0]
    assert "führt zu" in german["detail"]


def test_a_receiver_is_changed_under_if_match(admin: Caller, receiver: Receiver) -> None:
    address = "webhooks/" + admin.post("webhooks", {"url": receiver.url}).json()["id"]
    read = admin.get(address)["ETag"]

    assert admin.patch(address, {"is_enabled": False}).status_code == 428
    changed = admin.patch(address, {"is_enabled": False, "description": "Orders"}, if_match=read)
    assert changed.json()["disabled_code"] == "disabled_by_hand"
    assert admin.patch(address, {"is_enabled": True}, if_match=read).status_code == 412
    assert admin.patch(address, {"url": "https://10.0.0.1/"}, if_match="*").status_code == 422
    again = admin.patch(address, {"is_enabled": True}, if_match=changed["ETag"]).json()
    assert (again["is_enabled"], again["disabled_code"]) == (True, "")
    assert admin.delete(address).status_code == 204
    assert admin.get(address).status_code == 404


def test_there_are_at_most_twenty(admin: Caller, receiver: Receiver) -> None:
    for _ in range(20):
        admin.post("webhooks", {"url": receiver.url})

    assert admin.post("webhooks", {"url": receiver.url}).json()["errors"][0]["code"] == "webhook_too_many"


def test_the_life_of_a_quote_is_reported(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world()
    boss = world.caller(Role.ADMINISTRATOR)
    secret = boss.post("webhooks", {"url": receiver.url}).json()["secret"]
    quote = boss.post("quotes", {"run": world.names["run"], "rank": 1}).json()
    boss.post(f"quotes/{quote['id']}/submit", if_match="*")
    monkeypatch.setattr("quotes.rescreening.changes_between", lambda before, after: [
        {"line": "1.1", "regime": "taa", "before": "pass", "after": "fail"}
    ])  # fmt: skip
    Quote.objects.exclude(public_id=quote["id"]).update(current_revision=None)
    rescreen_open_quotes()
    deliver_all()

    got = [receiver.verified(secret, index) for index in range(len(receiver.got))]
    assert [message["type"] for message in got] == [
        "quote.created",
        "quote.state_changed",
        "quote.screening_changed",
    ]
    assert {message["data"]["id"] for message in got} == {quote["id"]}
    assert (got[1]["data"]["previous_state"], got[1]["data"]["state"]) == ("draft", "in_review")
    assert got[2]["data"]["changes"][0]["after"] == "fail"
