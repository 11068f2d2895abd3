"""The pages on which administrators see to receivers."""

import pytest
from django.test import Client

from config.accounts.choices import Role
from config.webhooks import delivery
from config.webhooks.models import WebhookDelivery, WebhookEndpoint
from tests.config.webhooks.receiver import Receiver
from tests.factories import make_membership

pytestmark = pytest.mark.django_db
LIST = "/accounts/webhooks/"


@pytest.fixture
def admin() -> Client:
    browser = Client()
    browser.force_login(make_membership().user, backend="config.accounts.backends.EmailBackend")
    return browser


def test_a_receiver_is_added_tested_and_removed(admin: Client, receiver: Receiver) -> None:
    page = admin.post(LIST, {"url": receiver.url, "events": ["import.done"]}, follow=True).content.decode()
    row = WebhookEndpoint.objects.get()
    address = f"{LIST}{row.public_id}/"
    secret = page.partition("whsec_")[2].partition("<")[0]

    assert secret
    assert secret not in admin.get(LIST).content.decode()
    admin.post(f"{address}test/")
    delivery.deliver_due(row.pk)
    receiver.verified("whsec_" + secret)
    shown = admin.get(address).content.decode()
    assert "delivered" in shown
    assert receiver.ids[0] in shown
    assert "whsec_" in admin.post(f"{address}secret/", follow=True).content.decode()
    sent = WebhookDelivery.objects.get()
    admin.post(f"{address}deliveries/{sent.public_id}/resend/")
    delivery.deliver_due(row.pk)
    assert receiver.ids == [receiver.ids[0]] * 2
    admin.post(f"{address}switch/")
    assert "Switched off by an administrator" in admin.get(address).content.decode()
    assert admin.post(f"{address}remove/").status_code == 302
    assert not WebhookEndpoint.objects.exists()


def test_a_private_address_is_refused_beside_its_field(admin: Client) -> None:
    answer = admin.post(LIST, {"url": "https://192.168.0.1/"})

    assert answer.status_code == 422
    assert "192.168.0.1 leads to 192.168.0.1" in answer.content.decode()


def test_a_failing_receiver_says_since_when_and_why(admin: Client, receiver: Receiver) -> None:
    receiver.status = 500
    admin.post(LIST, {"url": receiver.url})
    row = WebhookEndpoint.objects.get()
    admin.post(f"{LIST}{row.public_id}/test/")
    delivery.deliver_due(row.pk)

    assert "failing since" in admin.get(LIST).content.decode()
    shown = admin.get(f"{LIST}{row.public_id}/").content.decode()
    assert "answered with status 500" in shown
    assert "Nothing has arrived since" in shown


def test_the_number_of_queries_does_not_grow_with_the_log(
    admin: Client, receiver: Receiver, django_assert_max_num_queries: object
) -> None:
    admin.post(LIST, {"url": receiver.url})
    row = WebhookEndpoint.objects.get()
    for _ in range(12):
        admin.post(f"{LIST}{row.public_id}/test/")
    delivery.deliver_due(row.pk)

    with django_assert_max_num_queries(12):  # type: ignore[operator]
        admin.get(f"{LIST}{row.public_id}/")


def test_others_find_nothing(receiver: Receiver, admin: Client) -> None:
    admin.post(LIST, {"url": receiver.url})
    address = f"{LIST}{WebhookEndpoint.objects.get().public_id}/"
    stranger, viewer = Client(), Client()
    stranger.force_login(make_membership().user, backend="config.accounts.backends.EmailBackend")
    viewer.force_login(make_membership(role=Role.VIEWER).user, backend="config.accounts.backends.EmailBackend")

    assert stranger.get(address).status_code == 404
    assert stranger.post(f"{address}remove/").status_code == 404
    assert viewer.get(LIST).status_code == 403
