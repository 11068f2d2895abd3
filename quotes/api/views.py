"""Quotes: list, make, change, and the steps of their life. Rules and words are those of the services."""

from typing import Any
from uuid import UUID

import django_filters
from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.permissions import Action
from config.rest.filters import Words, filterset
from config.rest.idempotency import idempotent
from config.rest.tenancy import in_reach, organisation, require_action
from quotes import selectors, services
from quotes.api import serializers as shapes
from quotes.api.base import REVISION, QuoteBase, etag_of
from quotes.choices import QuoteState
from quotes.models import Quote, QuoteRevision
from quotes.services import LineEdit
from sizing.selectors import options_of, run_by_key


def _words(rows: QuerySet[Any], text: str) -> QuerySet[Any]:
    return rows.filter(Q(number__icontains=text) | Q(title__icontains=text) | Q(buyer_name__icontains=text))


FILTERS = filterset(
    Quote,
    texts="number title buyer_name currency",
    choices="buyer_type",
    times="created_at",
    days="valid_until",
    more={
        "q": Words(_words),
        "state": django_filters.ChoiceFilter(field_name="current_revision__state", choices=QuoteState.choices),
    },
)


class QuoteViewSet(QuoteBase):
    serializer_class = shapes.QuoteSerializer
    filterset_class = FILTERS
    default_order = ("-pk",)
    orders = ("number", "created_at", "title", "valid_until")
    conditional = frozenset({"partial_update"})
    parameters = {
        "create": [OpenApiParameter("Location", str, OpenApiParameter.HEADER, response=[201], description="The quote.")]
    }

    def get_serializer_class(self) -> type[Any]:
        return shapes.QuoteSerializer if self.action == "list" else shapes.QuoteDetailSerializer

    @extend_schema(operation_id="quotes_list")
    def list(self, request: Request) -> Response:
        """The quotes of your organisation, newest first."""
        return self.paged(selectors.quotes_for(request.user, organisation=organisation(request)))

    @extend_schema(
        operation_id="quotes_create",
        request=shapes.QuoteCreateSerializer,
        responses={201: shapes.QuoteDetailSerializer},
        examples=[
            OpenApiExample(
                "The best option", {"run": "01a22e79-7af9-79cc-a3a6-3d1782ff4931", "rank": 1}, request_only=True
            )
        ],
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """A draft from an option of a run, priced and screened."""
        acting, user = require_action(request, Action.QUOTE)
        read = shapes.QuoteCreateSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        run = run_by_key(read.validated_data["run"], user)
        if run is None or not in_reach(request, run.organisation_id):
            raise ValidationError({"run": [ErrorDetail(_("No run has this id."), code="does_not_exist")]})
        option = options_of(run).select_related("run__workload").filter(rank=read.validated_data["rank"]).first()
        if option is None:
            raise ValidationError({"rank": [ErrorDetail(_("The run has no such option."), code="does_not_exist")]})
        quote = services.create_quote(option=option, user=user, organisation=acting)
        address = request.build_absolute_uri(reverse("api-quote", args=[quote.public_id]))
        return self._shown(quote.public_id, status=status.HTTP_201_CREATED, headers={"Location": address})

    @extend_schema(operation_id="quotes_retrieve")
    def retrieve(self, request: Request, public_id: UUID) -> Response:
        """The quote with parties, terms, revisions and what may come next. Its ETag is asked for by every write."""
        return self._shown(public_id)

    @extend_schema(operation_id="quotes_update", request=shapes.QuotePatchSerializer)
    def partial_update(self, request: Request, public_id: UUID) -> Response:
        """Change parties, reference, terms or document settings of a draft."""
        with self.held(public_id) as (quote, revision, user):
            read = shapes.QuotePatchSerializer(quote, data=request.data, partial=True)
            read.is_valid(raise_exception=True)
            services.edit_quote(quote=quote, changes=dict(read.validated_data), user=user, version=revision.version)
        return self._shown(public_id)

    def _shown(self, public_id: UUID, **answer: Any) -> Response:
        quote = self.quote(public_id)
        response = Response(self.get_serializer(quote).data, **answer)
        response["ETag"] = etag_of(self.revision(quote))
        return response


class LineViewSet(QuoteBase):
    serializer_class = shapes.LinesSerializer
    lists = frozenset()
    details = frozenset()
    conditional = frozenset({"partial_update", "create", "destroy"})
    parameters = {"read": [REVISION]}

    @extend_schema(operation_id="quote_lines_list", responses=shapes.LinesSerializer)
    def read(self, request: Request, public_id: UUID) -> Response:
        """All lines of a revision, in the order of the document."""
        return self._shown(self.revision(self.quote(public_id)))

    @extend_schema(
        operation_id="quote_lines_update",
        request=shapes.LinesPatchSerializer,
        responses=shapes.LinesSerializer,
        examples=[
            OpenApiExample("Two prices", {"lines": [{"number": "1.1", "unit_net": "8490.00"}]}, request_only=True)
        ],
    )
    def partial_update(self, request: Request, public_id: UUID) -> Response:
        """Change several lines of a draft: all or none."""
        with self.held(public_id) as (_quote, revision, user):
            read = shapes.LinesPatchSerializer(data=request.data)
            read.is_valid(raise_exception=True)
            services.edit_lines(revision=revision, edits=_edits(revision, read.validated_data["lines"]), user=user)
        return self._shown(self.revision(self.quote(public_id)))

    @extend_schema(
        operation_id="quote_lines_create",
        request=shapes.NewLineSerializer,
        responses={201: shapes.LinesSerializer},
    )
    @idempotent
    def create(self, request: Request, public_id: UUID) -> Response:
        """Add a line at the end of its section."""
        with self.held(public_id) as (_quote, revision, user):
            read = shapes.NewLineSerializer(data=request.data)
            read.is_valid(raise_exception=True)
            services.add_line(revision=revision, fields=dict(read.validated_data), user=user)
        return self._shown(self.revision(self.quote(public_id)), status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="quote_lines_delete", responses={200: shapes.LinesSerializer})
    def destroy(self, request: Request, public_id: UUID, number: str) -> Response:
        """Take a line out of a draft."""
        with self.held(public_id) as (_quote, revision, user):
            line = revision.lines.select_related("revision__quote__organisation").filter(number=number).first()
            if line is None:
                raise Http404
            services.remove_line(line=line, user=user, version=line.version)
        return self._shown(self.revision(self.quote(public_id)))

    def _shown(self, revision: QuoteRevision, **answer: Any) -> Response:
        body = {
            "revision": revision.number,
            "currency": revision.quote.currency,
            "results": shapes.LineSerializer(revision.lines.all(), many=True).data,
        }
        response = Response(body, **answer)
        response["ETag"] = etag_of(revision)
        return response


def _edits(revision: QuoteRevision, stated: list[dict[str, Any]]) -> list[LineEdit]:
    """The edits with their lines; every number that does not exist, or stands twice, is named."""
    known = {line.number: line for line in revision.lines.all()}
    problems: Any = {}
    seen: set[str] = set()
    for index, changes in enumerate(stated):
        number = changes["number"]
        if number not in known or number in seen:
            code = "repeated" if number in seen else "does_not_exist"
            problems[index] = {"number": [ErrorDetail(_("Name each line of the quote once."), code=code)]}
        seen.add(number)
    if problems:
        raise ValidationError({"lines": problems})
    return [
        LineEdit(
            line=known[changes["number"]],
            changes={name: value for name, value in changes.items() if name != "number"},
            version=known[changes["number"]].version,
        )
        for changes in stated
    ]
