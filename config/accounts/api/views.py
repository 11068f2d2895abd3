"""People and organisations: who am I, our identity, our members, our access tokens."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts import selectors, services
from config.accounts.access import access_of
from config.accounts.api import serializers as shapes
from config.accounts.forms import OrganisationForm
from config.accounts.models import ApiToken, Membership, Organisation
from config.accounts.permissions import Action, require, role_of
from config.rest.etags import etag_of_data, require_match
from config.rest.serializers import checked
from config.rest.tenancy import in_reach, organisation, person, require_action
from config.rest.views import ApiViewSet


class MeViewSet(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    serializer_class = shapes.MeSerializer
    queryset = Membership.objects.none()

    @extend_schema(operation_id="me", responses=shapes.MeSerializer)
    def retrieve(self, request: Request) -> Response:
        """Who this request acts for, and what it may do there."""
        acting, user = organisation(request), person(request)
        access = access_of(request)
        body = {
            "email": user.email if user else "",
            "name": user.get_full_name() if user else "",
            "organisation": acting.public_id if acting else None,
            "organisation_name": acting.name if acting else None,
            "role": role_of(request.user, acting),
            "actions": sorted(selectors.allowed_actions(request.user, acting)),
            "scopes": list(access.scopes) if access else None,
            "token_expires_at": access.expires_at if access else None,
        }
        shown = shapes.MeSerializer(body).data
        return Response({name: value for name, value in shown.items() if self.only is None or name in self.only})


class OrganisationViewSet(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    serializer_class = shapes.OrganisationSerializer
    queryset = Organisation.objects.none()
    lookup_field = "public_id"
    default_order = ("name",)
    orders = ("name",)
    conditional = frozenset({"partial_update"})

    def rows(self, request: Request) -> QuerySet[Organisation]:
        """The organisations that the person is a member of; a token reaches its own alone."""
        mine = Organisation.objects.filter(memberships__user=person(request))
        access = access_of(request)
        return mine.filter(pk=access.organisation_id) if access else mine

    @extend_schema(operation_id="organisations_list")
    def list(self, request: Request) -> Response:
        """The organisations that you are a member of."""
        return self.paged(self.rows(request))

    @extend_schema(operation_id="organisations_retrieve")
    def retrieve(self, request: Request, public_id: UUID) -> Response:
        """One organisation."""
        row = self._row(request, public_id)
        response = Response(self.get_serializer(row).data)
        response["ETag"] = _etag(row)
        return response

    @extend_schema(operation_id="organisations_update", request=shapes.OrganisationPatchSerializer)
    def partial_update(self, request: Request, public_id: UUID) -> Response:
        """Change identity or defaults. Asks for an administrator."""
        with transaction.atomic():
            row = self._row(request, public_id)
            require(request.user, row, Action.ADMINISTER)
            row = Organisation.objects.select_for_update(no_key=True).get(pk=row.pk)
            require_match(request, _etag(row))
            read = shapes.OrganisationPatchSerializer(row, data=request.data, partial=True)
            read.is_valid(raise_exception=True)
            stored = {name: getattr(row, name) for name in shapes.OWN_FIELDS}
            form = OrganisationForm(stored | dict(read.validated_data), instance=row)
            checked(form)
            user = person(request)
            assert user is not None  # noqa: S101 - `require` has refused a visitor
            services.save_organisation(organisation=form.instance, changed=list(form.changed_data), actor=user)
        response = Response(self.get_serializer(row).data)
        response["ETag"] = _etag(row)
        return response

    def _row(self, request: Request, public_id: UUID) -> Organisation:
        row = self.rows(request).filter(public_id=public_id).first()
        if row is None or not in_reach(request, row.pk):
            raise Http404
        return row


def _etag(row: Organisation) -> str:
    return etag_of_data(shapes.OrganisationSerializer(row).data)


class MemberViewSet(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    serializer_class = shapes.MembershipSerializer
    queryset = Membership.objects.none()
    default_order = ("pk",)
    details = frozenset()

    @extend_schema(operation_id="members_list")
    def list(self, request: Request) -> Response:
        """The members of your organisation with their roles. Asks for an administrator."""
        acting, _user = require_action(request, Action.ADMINISTER)
        return self.paged(selectors.people_of(acting))


class TokenViewSet(ApiViewSet):
    permission_classes = (IsAuthenticated,)
    serializer_class = shapes.TokenSerializer
    queryset = ApiToken.objects.none()
    lookup_field = "public_id"
    default_order = ("-pk",)
    orders = ("name", "created_at", "expires_at")

    @extend_schema(operation_id="tokens_list")
    def list(self, request: Request) -> Response:
        """The live access tokens of your organisation, without their keys. Asks for an administrator."""
        acting, _user = require_action(request, Action.ADMINISTER)
        return self.paged(selectors.tokens_of(acting))

    @extend_schema(
        operation_id="tokens_create",
        request=shapes.TokenWriteSerializer,
        responses={201: shapes.NewTokenSerializer},
        examples=[
            OpenApiExample("For reading", {"name": "Reports", "scopes": ["read"], "days": 30}, request_only=True)
        ],
    )
    def create(self, request: Request) -> Response:
        """A new access token. Its key is in this answer and nowhere else, so the answer is never kept."""
        acting, user = require_action(request, Action.ADMINISTER)
        read = shapes.TokenWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        token, key = services.issue_token(
            organisation=acting,
            user=user,
            name=read.validated_data["name"],
            scopes=sorted(set(read.validated_data["scopes"])),
            expires_at=timezone.now() + read.life(),
            allowed_networks=read.validated_data["allowed_networks"],
        )
        context: dict[str, Any] = {**self.get_serializer_context(), "key": key}
        shown = shapes.NewTokenSerializer(token, context=context).data
        return Response(shown, status=status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})

    @extend_schema(operation_id="tokens_revoke", responses={204: None})
    def destroy(self, request: Request, public_id: UUID) -> HttpResponse:
        """Revoke a token: it is refused from now on."""
        acting, user = require_action(request, Action.ADMINISTER)
        token = selectors.tokens_of(acting).filter(public_id=public_id).first()
        if token is None:
            raise Http404
        services.revoke_token(token=token, actor=user)
        return Response(status=status.HTTP_204_NO_CONTENT)
