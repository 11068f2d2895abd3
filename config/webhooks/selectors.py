"""Reads of receivers and their log."""

from django.db.models import QuerySet

from config.accounts.models import Organisation
from config.webhooks.models import WebhookDelivery, WebhookEndpoint


def endpoints_of(organisation: Organisation) -> QuerySet[WebhookEndpoint]:
    return WebhookEndpoint.objects.filter(organisation=organisation)


def deliveries_of(endpoint: WebhookEndpoint) -> QuerySet[WebhookDelivery]:
    """Newest first, each with its message and its attempts (newest first)."""
    return endpoint.deliveries.select_related("event").prefetch_related("tries").order_by("-pk")
