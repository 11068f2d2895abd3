"""Receivers of messages, the messages, and the log of every attempt to deliver them."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from config.accounts.ids import uuid7
from config.webhooks.choices import DeliveryState, EventType


class WebhookEndpoint(models.Model):
    """An address of a receiver. Its secret is derived from `salt` and the installation's key, so no row holds it.

    `previous_salt` is that of the secret before, which also signs until `previous_until`.
    """

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(_("address"), max_length=500)
    description = models.CharField(_("What is it for?"), max_length=200, blank=True)
    events = models.JSONField(default=list, blank=True, help_text="Empty: every type.")
    salt = models.CharField(max_length=64)
    previous_salt = models.CharField(max_length=64, blank=True)
    previous_until = models.DateTimeField(null=True)
    is_enabled = models.BooleanField(default=True)
    disabled_at = models.DateTimeField(null=True)
    disabled_code = models.CharField(max_length=40, blank=True)
    failures = models.PositiveIntegerField(default=0, help_text="Attempts that failed since the last that did not.")
    failing_since = models.DateTimeField(null=True)
    paused_until = models.DateTimeField(null=True)
    leased_until = models.DateTimeField(null=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.url


class WebhookEvent(models.Model):
    """One message: the very bytes that every receiver gets, written in the transaction of what they report."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    organisation = models.ForeignKey("accounts.Organisation", on_delete=models.CASCADE, related_name="+")
    type = models.CharField(max_length=40, choices=EventType.choices)
    body = models.TextField()
    created_at = models.DateTimeField(auto_now_add=True, db_index=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.type} {self.public_id}"


class WebhookDelivery(models.Model):
    """One message on its way to one receiver."""

    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    endpoint = models.ForeignKey(WebhookEndpoint, on_delete=models.CASCADE, related_name="deliveries")
    event = models.ForeignKey(WebhookEvent, on_delete=models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=10, choices=DeliveryState.choices, default=DeliveryState.PENDING)
    attempts = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["endpoint", "event"], name="one_delivery_per_message")]
        indexes = [models.Index(fields=["due_at"], condition=Q(state="pending"), name="webhook_deliveries_due")]

    def __str__(self) -> str:
        return f"{self.event_id} to {self.endpoint_id}: {self.state}"


class WebhookAttempt(models.Model):
    """What one attempt met: the receiver's status, or the code of what went wrong before there was one."""

    delivery = models.ForeignKey(WebhookDelivery, on_delete=models.CASCADE, related_name="tries")
    at = models.DateTimeField()
    code = models.CharField(max_length=40)
    params = models.JSONField(default=dict, blank=True)
    status = models.PositiveSmallIntegerField(null=True)
    duration_ms = models.PositiveIntegerField()
    excerpt = models.CharField(max_length=200, blank=True, help_text="How the receiver's answer begins.")

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.delivery_id}: {self.code}"
