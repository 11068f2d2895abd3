from collections.abc import Iterator

import pytest
from pytest_django import Settings

from tests.config.webhooks.receiver import Receiver


@pytest.fixture
def receiver(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver on this machine, allowed by the operator's setting; messages go out when a test says so."""
    settings.WEBHOOK_ALLOWED_NETWORKS = ["127.0.0.0/8"]
    monkeypatch.setattr("config.webhooks.events.send_soon", lambda endpoint_id: None)
    monkeypatch.setattr("config.webhooks.services.events.send_soon", lambda endpoint_id: None)
    made = Receiver()
    yield made
    made.close()
