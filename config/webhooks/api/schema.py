"""The messages as the OpenAPI document describes them, under `webhooks`."""

from collections.abc import Sequence
from typing import Any

from drf_spectacular.utils import (
    OpenApiExample,
    OpenApiResponse,
    OpenApiWebhook,
    extend_schema,
    inline_serializer,
)
from rest_framework import serializers

from config.webhooks.choices import EventType

ID = "01a22e79-7af9-79cc-a3a6-3d1782ff4931"


class SizingRunNewsSerializer(serializers.Serializer[Any]):
    """A run that ended."""

    id = serializers.UUIDField()
    state = serializers.CharField(help_text="done or failed")
    name = serializers.CharField(allow_blank=True)
    href = serializers.CharField(help_text="Address of the run in this API.")


class QuoteNewsSerializer(serializers.Serializer[Any]):
    """A quote that was made, revised or moved on."""

    id = serializers.UUIDField()
    number = serializers.CharField()
    revision = serializers.IntegerField()
    state = serializers.CharField()
    previous_state = serializers.CharField(required=False)
    href = serializers.CharField()


class ScreeningChangeSerializer(serializers.Serializer[Any]):
    line = serializers.CharField(allow_blank=True)
    regime = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class ScreeningNewsSerializer(serializers.Serializer[Any]):
    """Flags of an open quote that changed with a list."""

    id = serializers.UUIDField()
    number = serializers.CharField()
    revision = serializers.IntegerField()
    changes = ScreeningChangeSerializer(many=True, help_text="At most fifty.")
    changes_total = serializers.IntegerField()
    href = serializers.CharField()


class ImportNewsSerializer(serializers.Serializer[Any]):
    """An import that ended."""

    id = serializers.UUIDField()
    state = serializers.CharField(help_text="done or failed")
    file = serializers.CharField(allow_blank=True, help_text="Name of the file.")


class TestNewsSerializer(serializers.Serializer[Any]):
    """Nothing happened; messages arrive."""

    id = serializers.UUIDField()
    href = serializers.CharField()


def _news(name: str, types: Sequence[EventType], data: type[serializers.Serializer[Any]], example: Any) -> Any:
    message = inline_serializer(
        f"{name[0].upper()}{name[1:]}Message",
        {
            "type": serializers.CharField(help_text=" or ".join(types)),
            "timestamp": serializers.DateTimeField(),
            "data": data(),
        },
    )
    shown = {"type": str(types[0]), "timestamp": "2026-11-30T12:00:00.000Z", "data": example}
    return OpenApiWebhook(
        name=name,
        decorator=extend_schema(
            operation_id=name,
            summary=str(types[0].label),
            description=f"Sent for {', '.join(types)}. Answer with any 2xx within 15 seconds.",
            request={"application/json": message},
            responses={"2XX": OpenApiResponse(description="Taken. Anything else, and silence, is tried again.")},
            examples=[OpenApiExample("Message", shown)],
        ),
    )


RUNS = _news(
    "sizingRunEnded",
    (EventType.RUN_DONE, EventType.RUN_FAILED),
    SizingRunNewsSerializer,
    {"id": ID, "state": "done", "name": "Support assistant", "href": f"/api/v1/sizing-runs/{ID}"},
)
QUOTES = _news(
    "quoteChanged",
    (EventType.QUOTE_STATE, EventType.QUOTE_CREATED, EventType.QUOTE_REVISED),
    QuoteNewsSerializer,
    {
        "id": ID,
        "number": "Q-2026-0001",
        "revision": 1,
        "state": "locked",
        "previous_state": "approved",
        "href": f"/api/v1/quotes/{ID}",
    },
)
SCREENINGS = _news(
    "quoteScreeningChanged",
    (EventType.QUOTE_SCREENING,),
    ScreeningNewsSerializer,
    {
        "id": ID,
        "number": "Q-2026-0001",
        "revision": 1,
        "changes": [{"line": "1.1", "regime": "taa", "before": "pass", "after": "fail"}],
        "changes_total": 1,
        "href": f"/api/v1/quotes/{ID}",
    },
)
IMPORTS = _news(
    "importEnded",
    (EventType.IMPORT_DONE, EventType.IMPORT_FAILED),
    ImportNewsSerializer,
    {"id": ID, "state": "done", "file": "prices.xlsx"},
)
TESTS = _news("webhookTested", (EventType.TEST,), TestNewsSerializer, {"id": ID, "href": f"/api/v1/webhooks/{ID}"})
