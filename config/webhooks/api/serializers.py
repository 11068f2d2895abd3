"""Shapes of receivers, their log, and the messages themselves."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config.rest.serializers import Rows, Strict, names
from config.webhooks.choices import EventType
from config.webhooks.models import WebhookAttempt, WebhookDelivery, WebhookEndpoint
from config.webhooks.targets import MAX_URL
from config.webhooks.words import words

TYPES = ", ".join(EventType.values)


class WebhookSerializer(Rows):
    """A receiver of messages, without its secret."""

    id = serializers.UUIDField(source="public_id")
    events = serializers.ListField(child=serializers.CharField(), help_text=f"Empty: every type. Types: {TYPES}.")
    failing_since = serializers.DateTimeField(allow_null=True, help_text="Null while messages arrive.")
    disabled_reason = serializers.SerializerMethodField()
    previous_secret_until = serializers.DateTimeField(
        source="previous_until", allow_null=True, help_text="Until when the secret before the last rotation also signs."
    )

    class Meta:
        model = WebhookEndpoint
        fields = names(
            "id url description events is_enabled disabled_at disabled_code disabled_reason failing_since "
            "previous_secret_until created_at"
        )

    @extend_schema_field(serializers.CharField(allow_null=True))
    def get_disabled_reason(self, endpoint: WebhookEndpoint) -> str | None:
        return words(endpoint.disabled_code, {}) if endpoint.disabled_code else None


class NewWebhookSerializer(WebhookSerializer):
    """A receiver with its secret, which is shown this once."""

    secret = serializers.SerializerMethodField()

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]

    @extend_schema_field(serializers.CharField(help_text="whsec_ and base64, as the Standard Webhooks form says."))
    def get_secret(self, endpoint: WebhookEndpoint) -> str:
        return str(self.context["secret"])


class WebhookWriteSerializer(Strict):
    """Where to send, and what."""

    url = serializers.CharField(max_length=MAX_URL, help_text="https, on the internet.")
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=EventType.choices),
        max_length=len(EventType),
        default=list,
        help_text="Empty: every type.",
    )
    description = serializers.CharField(max_length=200, allow_blank=True, default="")


class WebhookPatchSerializer(Strict):
    """Only what is sent is changed."""

    url = serializers.CharField(max_length=MAX_URL, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=EventType.choices), max_length=len(EventType), required=False
    )
    description = serializers.CharField(max_length=200, allow_blank=True, required=False)
    is_enabled = serializers.BooleanField(required=False)


class WebhookAttemptSerializer(serializers.ModelSerializer[WebhookAttempt]):
    """One try."""

    detail = serializers.SerializerMethodField()

    class Meta:
        model = WebhookAttempt
        fields = names("at code detail status duration_ms excerpt")
        extra_kwargs = {"status": {"max_value": 999, "min_value": 100}}

    @extend_schema_field(serializers.CharField())
    def get_detail(self, tried: WebhookAttempt) -> str:
        return words(tried.code, tried.params)


class WebhookDeliverySerializer(Rows):
    """One message on its way to the receiver, with every try, newest first."""

    id = serializers.UUIDField(source="public_id")
    message = serializers.UUIDField(source="event.public_id", help_text="What the receiver sees as webhook-id.")
    type = serializers.CharField(source="event.type")
    next_attempt_at = serializers.SerializerMethodField()
    tries = WebhookAttemptSerializer(many=True)

    class Meta:
        model = WebhookDelivery
        fields = names("id message type state attempts created_at next_attempt_at finished_at tries")

    @extend_schema_field(serializers.DateTimeField(allow_null=True))
    def get_next_attempt_at(self, delivery: WebhookDelivery) -> Any:
        return None if delivery.finished_at else delivery.due_at
