"""What stands around a quote: comments, files, e-mails, and screening again with the evidence register."""

from typing import Any, cast
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.http import content_disposition_header
from django.utils.text import get_valid_filename
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.parsers import JSONParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.models import User
from config.accounts.services import read_file
from config.rest.idempotency import idempotent
from config.rest.tenancy import person
from quotes import after, attachments, evidence
from quotes.api import extra_serializers as shapes
from quotes.api.base import REVISION, QuoteBase, etag_of
from quotes.api.documents import AnyAccept
from quotes.models import Attachment


class CommentViewSet(QuoteBase):
    serializer_class = shapes.CommentSerializer
    parameters = {"list": [REVISION], "create": [REVISION]}
    details = frozenset()

    @extend_schema(operation_id="quote_comments_list")
    def list(self, request: Request, public_id: UUID) -> Response:
        """Notes of colleagues on a revision."""
        return self.paged(self.revision(self.quote(public_id)).comments.select_related("revision"))

    @extend_schema(
        operation_id="quote_comments_create",
        request=shapes.CommentWriteSerializer,
        responses={201: shapes.CommentSerializer},
    )
    @idempotent
    def create(self, request: Request, public_id: UUID) -> Response:
        """Note something about a revision, in any state. A comment is never changed."""
        revision = self.revision(self.quote(public_id))
        read = shapes.CommentWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        made = after.comment(revision=revision, user=caller(request), text=read.validated_data["text"])
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)


class SentDocumentViewSet(QuoteBase):
    serializer_class = shapes.SentDocumentSerializer
    parameters = {"list": [REVISION], "create": [REVISION]}
    details = frozenset()

    @extend_schema(operation_id="quote_emails_list")
    def list(self, request: Request, public_id: UUID) -> Response:
        """E-mails with the document of a revision, and whether the server took them."""
        return self.paged(self.revision(self.quote(public_id)).sent_documents.select_related("revision"))

    @extend_schema(
        operation_id="quote_emails_create",
        request=shapes.SendSerializer,
        responses={202: shapes.SentDocumentSerializer},
    )
    @idempotent
    def create(self, request: Request, public_id: UUID) -> Response:
        """Queue the PDF of a locked revision as an e-mail."""
        revision = self.revision(self.quote(public_id))
        read = shapes.SendSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        data = read.validated_data
        mail = after.send_document(
            revision=revision,
            user=caller(request),
            recipient=data["recipient"],
            language=data.get("language") or revision.quote.language,
            text=data["text"],
        )
        return Response(self.get_serializer(mail).data, status=status.HTTP_202_ACCEPTED)


class AttachmentViewSet(QuoteBase):
    serializer_class = shapes.AttachmentSerializer
    parser_classes = (JSONParser, MultiPartParser)
    parameters = {"list": [REVISION], "create": [REVISION]}
    details = frozenset()

    @extend_schema(operation_id="quote_attachments_list")
    def list(self, request: Request, public_id: UUID) -> Response:
        """Files beside a revision."""
        return self.paged(self.revision(self.quote(public_id)).attachments.select_related("file", "revision__quote"))

    @extend_schema(
        operation_id="quote_attachments_create",
        request={"multipart/form-data": shapes.AttachmentWriteSerializer},
        responses={201: shapes.AttachmentSerializer},
    )
    @idempotent
    def create(self, request: Request, public_id: UUID) -> Response:
        """Add a file. What is for the buyer takes a draft, for it enters the check value."""
        revision = self.revision(self.quote(public_id))
        read = shapes.AttachmentWriteSerializer(data=request.data)
        read.is_valid(raise_exception=True)
        file = read.validated_data["file"]
        made = attachments.attach(
            revision=revision,
            user=caller(request),
            name=get_valid_filename(file.name or "file"),
            content=file.read(),
            for_buyer=read.validated_data["for_buyer"],
        )
        return Response(self.get_serializer(made).data, status=status.HTTP_201_CREATED)

    @extend_schema(operation_id="quote_attachments_delete", responses={204: None})
    def destroy(self, request: Request, public_id: UUID, attachment: UUID) -> Response:
        """Take a file away from a revision that is not locked."""
        attachments.detach(attachment=self.found(public_id, attachment), user=caller(request))
        return Response(status=status.HTTP_204_NO_CONTENT)

    def found(self, public_id: UUID, attachment: UUID) -> Attachment:
        """The file of this quote; 404 for every other one."""
        rows = Attachment.objects.filter(revision__quote=self.quote(public_id), public_id=attachment)
        row = rows.select_related("file", "revision__quote__organisation").first()
        if row is None:
            raise Http404
        return row


class AttachmentFileViewSet(AttachmentViewSet):
    content_negotiation_class = AnyAccept
    parameters = {}
    lists = frozenset()

    @extend_schema(
        operation_id="quote_attachments_retrieve", responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}
    )
    def retrieve(self, request: Request, public_id: UUID, attachment: UUID) -> HttpResponse:
        """The bytes of a file."""
        row = self.found(public_id, attachment)
        response = HttpResponse(read_file(row.file), content_type="application/octet-stream")
        response["Content-Disposition"] = content_disposition_header(True, get_valid_filename(row.name))
        response["X-Content-Type-Options"] = "nosniff"
        return response


class RescreenViewSet(QuoteBase):
    serializer_class = shapes.RescreenedSerializer
    lists = frozenset()
    details = frozenset()
    conditional = frozenset({"create"})

    @extend_schema(operation_id="quotes_rescreen", request=None, responses={200: shapes.RescreenedSerializer})
    @idempotent
    def create(self, request: Request, public_id: UUID) -> Response:
        """Take the best claims of the evidence register into a draft and screen it again."""
        with self.held(public_id) as (quote, _revision, user):
            lines: list[Any] = evidence.rescreen(quote=quote, user=user)
        response = Response({"lines": lines})
        response["ETag"] = etag_of(self.revision(self.quote(public_id)))
        return response


def caller(request: Request) -> User:
    """The person behind the request; a visitor finds no quote before."""
    return cast(User, person(request))
