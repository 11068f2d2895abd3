"""Names that are other firms than listed ones, and statements on Section 889."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.permissions import Action
from config.rest.idempotency import idempotent
from config.rest.tenancy import in_reach, require_action
from quotes import clearances, telecom_statements
from quotes.api import register_serializers as shapes
from quotes.api.base import QuoteBase
from quotes.api.evidence import uploaded
from quotes.models import NameClearance
from quotes.selectors import quote_for

Q = OpenApiParameter("q", {"type": "string", "maxLength": 100}, description="Firm or part number.")


class ClearanceViewSet(QuoteBase):
    serializer_class = shapes.ClearanceSerializer
    parser_classes = (JSONParser, MultiPartParser)

    def found(self, public_id: UUID) -> NameClearance:
        """A finding of the caller's organisation; 404 for every other one."""
        acting, _user = require_action(self.request, Action.VIEW)
        row = clearances.clearances_for(acting).filter(public_id=public_id).first()
        if row is None:
            raise Http404
        return row

    @extend_schema(operation_id="name_clearances_list")
    def list(self, request: Request) -> Response:
        """Names that somebody said to be other firms than listed ones, newest first."""
        acting, _user = require_action(request, Action.VIEW)
        return self.paged(clearances.clearances_for(acting))

    @extend_schema(operation_id="name_clearances_retrieve")
    def retrieve(self, request: Request, public_id: UUID) -> Response:
        """One finding with its reason and both people."""
        return Response(self.get_serializer(self.found(public_id)).data)

    @extend_schema(
        operation_id="name_clearances_create",
        request={
            "application/json": shapes.ClearanceWriteSerializer,
            "multipart/form-data": shapes.ClearanceWriteSerializer,
        },
        responses={201: shapes.ClearanceSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Say that a name of a quote is another firm; it changes nothing before a second person confirms."""
        _acting, user = require_action(request, Action.QUOTE)
        read = shapes.ClearanceWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        data: dict[str, Any] = dict(read.validated_data)
        quote, file = quote_for(request.user, data.pop("quote")), data.pop("file", None)
        if quote is None or not in_reach(request, quote.organisation_id):
            raise ValidationError({"quote": [ErrorDetail(_("No quote has this id."), code="does_not_exist")]})
        made = clearances.propose(quote=quote, user=user, upload=uploaded(file) if file else None, **data)
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="name_clearances_confirm", request=None, responses={200: shapes.ClearanceSerializer})
    @idempotent
    def confirm(self, request: Request, public_id: UUID) -> Response:
        """The second person's word; open quotes are screened again in the background."""
        found = self.found(public_id)
        _acting, user = require_action(request, Action.APPROVE)
        return Response(self.get_serializer(clearances.confirm(clearance=found, user=user)).data)

    @extend_schema(
        operation_id="name_clearances_close",
        request=shapes.CloseSerializer,
        responses={200: shapes.ClearanceSerializer},
    )
    @idempotent
    def close(self, request: Request, public_id: UUID) -> Response:
        """Refuse what waits, or withdraw what holds, with a reason."""
        found = self.found(public_id)
        _acting, user = require_action(request, Action.QUOTE)
        read = shapes.CloseSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        made = clearances.close(clearance=found, user=user, reason=read.validated_data["reason"])
        return Response(self.get_serializer(made).data)


class StatementViewSet(QuoteBase):
    serializer_class = shapes.StatementSerializer
    parser_classes = (JSONParser, MultiPartParser)
    details = frozenset()
    parameters = {"list": [Q]}

    @extend_schema(operation_id="section_889_statements_list")
    def list(self, request: Request) -> Response:
        """What makers and suppliers say on Section 889, newest first."""
        acting, _user = require_action(request, Action.VIEW)
        words = request.query_params.get("q", "").strip()[:100]
        return self.paged(telecom_statements.statements_for(acting, words=words))

    @extend_schema(
        operation_id="section_889_statements_create",
        request={"multipart/form-data": shapes.StatementWriteSerializer},
        responses={201: shapes.StatementSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Record one letter. It counts when a quote is screened again."""
        acting, user = require_action(request, Action.EDIT_PRICES)
        read = shapes.StatementWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        data: dict[str, Any] = dict(read.validated_data)
        upload = uploaded(data.pop("file"))
        said = telecom_statements.Said(**data)
        made = telecom_statements.record_statement(organisation=acting, said=said, user=user, upload=upload)
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)
