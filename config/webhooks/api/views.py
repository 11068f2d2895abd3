"""Receivers of messages: for administrators, as on the page."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.models import User
from config.accounts.permissions import Action
from config.rest.etags import etag_of_data, require_match
from config.rest.filters import filterset
from config.rest.idempotency import idempotent
from config.rest.tenancy import require_action
from config.rest.views import ApiViewSet
from config.webhooks import selectors, services
from config.webhooks.api import serializers as shapes
from config.webhooks.errors import WebhookError
from config.webhooks.models import WebhookDelivery, WebhookEndpoint

NO_STORE = {"Cache-Control": "no-store"}
EXAMPLE = {
    "url": "https://example.org/kvote",
    "events": ["sizing_run.done", "quote.state_changed"],
    "description": "Order system",
}


class _Base(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    queryset: QuerySet[Any] = WebhookEndpoint.objects.none()

    def endpoint(self, request: Request, public_id: UUID) -> tuple[WebhookEndpoint, User]:
        """The receiver and who acts; 403 without the role, 404 for one of another organisation."""
        acting, user = require_action(request, Action.ADMINISTER)
        found = selectors.endpoints_of(acting).filter(public_id=public_id).first()
        if found is None:
            raise Http404
        return found, user


class WebhookViewSet(_Base):
    serializer_class = shapes.WebhookSerializer
    lookup_field = "public_id"
    default_order = ("-pk",)
    orders = ("url", "created_at")
    conditional = frozenset({"partial_update"})

    @extend_schema(operation_id="webhooks_list")
    def list(self, request: Request) -> Response:
        """The receivers of your organisation. Asks for an administrator."""
        acting, _user = require_action(request, Action.ADMINISTER)
        return self.paged(selectors.endpoints_of(acting))

    @extend_schema(
        operation_id="webhooks_create",
        request=shapes.WebhookWriteSerializer,
        responses={201: shapes.NewWebhookSerializer},
        examples=[OpenApiExample("Runs and quotes", EXAMPLE, request_only=True)],
    )
    def create(self, request: Request) -> Response:
        """A new receiver. Its secret is in this answer and nowhere else, so the answer is never kept."""
        acting, user = require_action(request, Action.ADMINISTER)
        read = shapes.WebhookWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        try:
            made, secret = services.add_endpoint(organisation=acting, user=user, **read.validated_data)
        except WebhookError as error:
            raise refused(error) from None
        return self._with_secret(made, secret, status.HTTP_201_CREATED)

    @extend_schema(operation_id="webhooks_retrieve")
    def retrieve(self, request: Request, public_id: UUID) -> Response:
        """One receiver."""
        return self._shown(self.endpoint(request, public_id)[0])

    @extend_schema(operation_id="webhooks_update", request=shapes.WebhookPatchSerializer)
    def partial_update(self, request: Request, public_id: UUID) -> Response:
        """Change address, types or description, switch off or on."""
        with transaction.atomic():
            found, user = self.endpoint(request, public_id)
            found = WebhookEndpoint.objects.select_for_update(no_key=True).get(pk=found.pk)
            require_match(request, _etag(found))
            read = shapes.WebhookPatchSerializer(data=request.data)
            read.is_valid(raise_exception=True)
            try:
                services.change_endpoint(endpoint=found, changes=dict(read.validated_data), user=user)
            except WebhookError as error:
                raise refused(error) from None
        return self._shown(found)

    @extend_schema(operation_id="webhooks_delete", responses={204: None})
    def destroy(self, request: Request, public_id: UUID) -> Response:
        """Remove the receiver with its log."""
        found, user = self.endpoint(request, public_id)
        services.remove_endpoint(endpoint=found, user=user)
        return Response(status=status.HTTP_204_NO_CONTENT)

    @extend_schema(operation_id="webhooks_rotate_secret", request=None, responses={200: shapes.NewWebhookSerializer})
    def rotate(self, request: Request, public_id: UUID) -> Response:
        """A new secret, shown this once. For a day every message is signed with both."""
        found, user = self.endpoint(request, public_id)
        return self._with_secret(found, services.rotate_secret(endpoint=found, user=user), status.HTTP_200_OK)

    @extend_schema(operation_id="webhooks_test", request=None, responses={202: shapes.WebhookDeliverySerializer})
    @idempotent
    def test(self, request: Request, public_id: UUID) -> Response:
        """Send a message of type webhook.test, to see that messages arrive."""
        found, user = self.endpoint(request, public_id)
        sent = services.send_test(endpoint=found, user=user)
        return Response(shapes.WebhookDeliverySerializer(sent).data, status=status.HTTP_202_ACCEPTED)

    def _shown(self, row: WebhookEndpoint) -> Response:
        response = Response(self.get_serializer(row).data)
        response["ETag"] = _etag(row)
        return response

    def _with_secret(self, row: WebhookEndpoint, secret: str, code: int) -> Response:
        context: dict[str, Any] = {**self.get_serializer_context(), "secret": secret}
        return Response(shapes.NewWebhookSerializer(row, context=context).data, status=code, headers=NO_STORE)


class DeliveryViewSet(_Base):
    serializer_class = shapes.WebhookDeliverySerializer
    lookup_field = "public_id"
    filterset_class = filterset(WebhookDelivery, choices="state", times="created_at")
    default_order = ("-pk",)
    queryset = WebhookDelivery.objects.none()

    @extend_schema(operation_id="webhook_deliveries_list")
    def list(self, request: Request, public_id: UUID) -> Response:
        """What was sent to the receiver in the last thirty days, newest first, with every try."""
        return self.paged(self._rows(request, public_id)[0])

    @extend_schema(
        operation_id="webhook_deliveries_resend", request=None, responses={202: shapes.WebhookDeliverySerializer}
    )
    @idempotent
    def resend(self, request: Request, public_id: UUID, delivery_id: UUID) -> Response:
        """Send a message once more, under its first id."""
        rows, user = self._rows(request, public_id)
        found = rows.filter(public_id=delivery_id).select_related("endpoint__organisation").first()
        if found is None:
            raise Http404
        sent = services.resend(delivery=found, user=user)
        return Response(self.get_serializer(sent).data, status=status.HTTP_202_ACCEPTED)

    def _rows(self, request: Request, public_id: UUID) -> tuple[QuerySet[WebhookDelivery], User]:
        endpoint, user = self.endpoint(request, public_id)
        return selectors.deliveries_of(endpoint), user


def refused(error: WebhookError) -> ValidationError:
    """The refusal as a problem that names the field."""
    field = "url" if error.code != "webhook_too_many" else "non_field_errors"
    return ValidationError({field: [ErrorDetail(str(error), code=error.code)]})


def _etag(row: WebhookEndpoint) -> str:
    """Of what a person sets; a failed delivery is nobody's change."""
    return etag_of_data({"url": row.url, "for": row.description, "events": row.events, "on": row.is_enabled})
