"""API routes of receivers, below /api/v1/."""

from typing import Any

from django.urls import path

from config.webhooks.api.views import DeliveryViewSet, WebhookViewSet

ONE = "webhooks/<uuid:public_id>"
ITEM: dict[str, Any] = {"get": "retrieve", "patch": "partial_update", "delete": "destroy"}

urlpatterns = [
    path("webhooks", WebhookViewSet.as_view({"get": "list", "post": "create"}), name="api-webhooks"),
    path(ONE, WebhookViewSet.as_view(ITEM), name="api-webhook"),
    path(f"{ONE}/secret", WebhookViewSet.as_view({"post": "rotate"}), name="api-webhook-secret"),
    path(f"{ONE}/test", WebhookViewSet.as_view({"post": "test"}), name="api-webhook-test"),
    path(f"{ONE}/deliveries", DeliveryViewSet.as_view({"get": "list"}), name="api-webhook-deliveries"),
    path(
        f"{ONE}/deliveries/<uuid:delivery_id>/resend",
        DeliveryViewSet.as_view({"post": "resend"}),
        name="api-webhook-resend",
    ),
]
