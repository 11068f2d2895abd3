"""The admin shows quotes and their registers; it writes none of them."""

import pytest
from django.test import Client
from django.urls import reverse

from config.accounts.models import User
from quotes.models import NameClearance, Quote, QuoteRevision, TelecomStatement
from tests.quotes.test_life import current, locked


@pytest.fixture
def root(db: None, client: Client) -> Client:
    client.force_login(User.objects.create(username="root", is_staff=True, is_superuser=True))
    return client


def test_a_locked_revision_is_neither_changed_nor_deleted_in_the_admin(
    root: Client, quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    revision = current(quote)
    change = reverse("admin:quotes_quoterevision_change", args=[revision.pk])
    shown = root.get(change)
    assert shown.status_code == 200
    assert b'name="_save"' not in shown.content
    assert root.post(change, {"state": "draft", "number": "9"}).status_code == 403
    assert (
        root.post(reverse("admin:quotes_quoterevision_delete", args=[revision.pk]), {"post": "yes"}).status_code == 403
    )
    everything = {"action": "delete_selected", "_selected_action": [revision.pk], "post": "yes"}
    root.post(reverse("admin:quotes_quoterevision_changelist"), everything)
    kept = QuoteRevision.objects.get(pk=revision.pk)
    assert (kept.state, kept.number, kept.content_hash) == ("locked", 1, revision.content_hash)


@pytest.mark.parametrize("model", [Quote, QuoteRevision, NameClearance, TelecomStatement])
def test_nothing_of_a_quote_is_added_in_the_admin(root: Client, model: type) -> None:
    name = model.__name__.lower()
    assert root.get(reverse(f"admin:quotes_{name}_changelist")).status_code == 200
    assert root.post(reverse(f"admin:quotes_{name}_add"), {}).status_code == 403
