"""The evidence register, feeds with origins, and lists of listed parties."""

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.utils.text import get_valid_filename
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.permissions import Action
from config.rest.idempotency import idempotent
from config.rest.tenancy import organisation, require_action
from quotes import evidence, evidence_jobs, party_lists
from quotes.api import extra_serializers as shapes
from quotes.api.base import QuoteBase
from quotes.errors import QuoteError
from quotes.listed import lists_of
from quotes.models import EvidenceFeed, PartyList
from quotes.proofs import Upload

Q = OpenApiParameter("q", {"type": "string", "maxLength": 100}, description="Maker, part number or words of origin.")


class ClaimViewSet(QuoteBase):
    serializer_class = shapes.ClaimSerializer
    parser_classes = (JSONParser, MultiPartParser)
    details = frozenset()
    parameters = {"list": [Q]}

    @extend_schema(operation_id="evidence_list")
    def list(self, request: Request) -> Response:
        """Claims about the origin of parts, newest first."""
        acting = organisation(request)
        if acting is None:
            raise Http404
        return self.paged(evidence.claims_for(acting, words=request.query_params.get("q", "").strip()[:100]))

    @extend_schema(
        operation_id="evidence_create",
        request={"multipart/form-data": shapes.ClaimWriteSerializer, "application/json": shapes.ClaimWriteSerializer},
        responses={201: shapes.ClaimSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Record one claim; a letter or a ruling counts with its file alone."""
        acting, user = require_action(request, Action.EDIT_PRICES)
        read = shapes.ClaimWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        data: dict[str, Any] = dict(read.validated_data)
        file = data.pop("file", None)
        made = evidence.record_claim(
            organisation=acting,
            statement=evidence.Statement(**data),
            user=user,
            upload=uploaded(file) if file else None,
        )
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)


class FeedViewSet(QuoteBase):
    serializer_class = shapes.FeedSerializer
    parser_classes = (JSONParser, MultiPartParser)

    def feeds(self) -> QuerySet[EvidenceFeed]:
        acting, _user = require_action(self.request, Action.VIEW)
        return EvidenceFeed.objects.filter(organisation=acting).select_related("file")

    @extend_schema(operation_id="evidence_feeds_list")
    def list(self, request: Request) -> Response:
        """Feeds that were given to the worker, newest first."""
        return self.paged(self.feeds())

    @extend_schema(operation_id="evidence_feeds_retrieve")
    def retrieve(self, request: Request, public_id: UUID) -> Response:
        """One feed and what came of it."""
        feed = self.feeds().filter(public_id=public_id).first()
        if feed is None:
            raise Http404
        return Response(self.get_serializer(feed).data)

    @extend_schema(
        operation_id="evidence_feeds_create",
        request={"multipart/form-data": shapes.FeedWriteSerializer},
        responses={202: shapes.FeedSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Give a distributor's feed to the worker: all rows or none."""
        acting, user = require_action(request, Action.EDIT_PRICES)
        read = shapes.FeedWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        made = evidence_jobs.queue_feed(
            organisation=acting,
            upload=uploaded(read.validated_data["file"]),
            stated_by=read.validated_data["stated_by"],
            user=user,
        )
        return Response(self.get_serializer(made).data, status=status.HTTP_202_ACCEPTED)


class PartyListViewSet(QuoteBase):
    serializer_class = shapes.PartyListSerializer
    parser_classes = (JSONParser, MultiPartParser)

    def found(self, public_id: UUID) -> PartyList:
        """A version of the caller's organisation; 404 for every other one."""
        acting, _user = require_action(self.request, Action.VIEW)
        row = lists_of(acting).filter(public_id=public_id).first()
        if row is None:
            raise Http404
        return row

    @extend_schema(operation_id="party_lists_list")
    def list(self, request: Request) -> Response:
        """Every version of the lists of parties that your organisation loaded, newest first."""
        acting, _user = require_action(request, Action.VIEW)
        return self.paged(lists_of(acting))

    @extend_schema(operation_id="party_lists_retrieve")
    def retrieve(self, request: Request, public_id: UUID) -> Response:
        """One version and what was read."""
        return Response(self.get_serializer(self.found(public_id)).data)

    @extend_schema(
        operation_id="party_lists_create",
        request={"multipart/form-data": shapes.PartyListWriteSerializer},
        responses={202: shapes.PartyListSerializer},
    )
    @idempotent
    def create(self, request: Request) -> Response:
        """Load a file of a list. It is read in the background and changes nothing before it is activated."""
        acting, user = require_action(request, Action.APPROVE)
        read = shapes.PartyListWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        data = read.validated_data
        upload = uploaded(data["file"])
        made = party_lists.load(
            organisation=acting,
            kind=data["kind"],
            name=upload.name,
            content=upload.content,
            published_on=data["published_on"],
            user=user,
        )
        return Response(self.get_serializer(made).data, status=status.HTTP_202_ACCEPTED)

    @extend_schema(
        operation_id="party_lists_activate", request=shapes.NoteSerializer, responses={200: shapes.PartyListSerializer}
    )
    @idempotent
    def activate(self, request: Request, public_id: UUID) -> Response:
        """Take a version into use; open quotes are screened again in the background."""
        return self._act(request, public_id, party_lists.activate)

    @extend_schema(
        operation_id="party_lists_retire", request=shapes.NoteSerializer, responses={200: shapes.PartyListSerializer}
    )
    @idempotent
    def retire(self, request: Request, public_id: UUID) -> Response:
        """Take the version in use out of use, with a reason."""
        return self._act(request, public_id, party_lists.retire)

    def _act(self, request: Request, public_id: UUID, act: Any) -> Response:
        found = self.found(public_id)
        _acting, user = require_action(request, Action.APPROVE)
        read = shapes.NoteSerializer(data=request.data or {})
        read.is_valid(raise_exception=True)
        return Response(self.get_serializer(act(party_list=found, user=user, note=read.validated_data["note"])).data)


def uploaded(file: Any) -> Upload:
    """An uploaded file with a name that is fit to be stored. Raises QuoteError for an empty one."""
    content = file.read()
    if not content:
        raise QuoteError("attachment_empty")
    return Upload(name=get_valid_filename(file.name or "file")[:200], content=content)
