"""What can be read of a revision: documents by format, open items, screening; and checking a document."""

import base64
import hashlib
import json
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from config.rest.errors import BadQuery, parameter_error
from config.rest.tenancy import person
from config.rest.views import ApiViewSet
from quotes import downloads
from quotes.api import serializers as shapes
from quotes.api.base import REVISION, QuoteBase, etag_of
from quotes.api.steps import open_items
from quotes.content import content_of
from quotes.exports.registry import FORMATS
from quotes.models import Quote
from quotes.printing.words import reason_words
from quotes.verify import Verification, verify_file, verify_value

LANGUAGES = ("en", "de")
LANGUAGE = OpenApiParameter(
    "language", {"type": "string", "enum": list(LANGUAGES)}, description="Default: the quote's own."
)


class AnyAccept(BaseContentNegotiation):
    """The address names the format, so Accept has nothing to choose."""

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return next(iter(parsers), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return JSONRenderer(), JSONRenderer.media_type


class RevisionViewSet(QuoteBase):
    serializer_class = shapes.RevisionSerializer
    lists = frozenset()
    details = frozenset({"retrieve"})
    parameters = {"open_items": [REVISION], "screening": [REVISION], "formats": [REVISION]}

    @extend_schema(operation_id="quote_revisions_retrieve", responses=shapes.RevisionSerializer)
    def retrieve(self, request: Request, public_id: UUID, number: int) -> Response:
        """One revision."""
        revision = self.revision(self.quote(public_id), number)
        response = Response(self.get_serializer(revision).data)
        response["ETag"] = etag_of(revision)
        return response

    @extend_schema(operation_id="quote_open_items", responses=shapes.OpenItemsSerializer)
    def open_items(self, request: Request, public_id: UUID) -> Response:
        """What is open, those that stop the lock first."""
        return Response(open_items(self.revision(self.quote(public_id))))

    @extend_schema(operation_id="quote_screening", responses=shapes.ScreeningSerializer)
    def screening(self, request: Request, public_id: UUID) -> Response:
        """What the screening found, line by line, with the lists that were used."""
        found = content_of(self.revision(self.quote(public_id)))["screening"]
        findings = [finding | {"reason": reason_words(finding["reason"])} for finding in found["findings"]]
        return Response({**found, "findings": findings})

    @extend_schema(operation_id="quote_documents_list", responses=shapes.FormatsSerializer)
    def formats(self, request: Request, public_id: UUID) -> Response:
        """The formats that the quote can be had in."""
        quote = self.quote(public_id)
        revision = self.revision(quote)
        formats = [
            {
                "format": name,
                "content_type": each.content_type,
                "href": f"{shapes.format_address(request, quote, name)}?revision={revision.number}",
            }
            for name, each in FORMATS.items()
        ]
        return Response({"revision": revision.number, "state": revision.state, "results": formats})


class DocumentViewSet(QuoteBase):
    serializer_class = shapes.FormatSerializer
    lists = frozenset()
    details = frozenset()
    content_negotiation_class = AnyAccept
    parameters = {"retrieve": [REVISION, LANGUAGE]}

    @extend_schema(
        operation_id="quote_documents_retrieve",
        parameters=[OpenApiParameter("name", {"type": "string", "enum": list(FORMATS)}, OpenApiParameter.PATH)],
        responses={(200, each.content_type.partition(";")[0]): OpenApiTypes.BINARY for each in FORMATS.values()},
    )
    def retrieve(self, request: Request, public_id: UUID, name: str) -> HttpResponse:
        """The quote as a file. A locked revision gives the same bytes for ever; a draft is marked as one."""
        revision = self.revision(self.quote(public_id))
        if name not in FORMATS:
            raise Http404
        language = request.query_params.get("language", revision.quote.language)
        if language not in LANGUAGES:
            raise BadQuery([parameter_error("language", "invalid", _("Use en or de."))])
        made = downloads.download(revision, name, language=language, user=person(request))
        response = HttpResponse(made.content, content_type=made.content_type)
        response["Content-Disposition"] = f'attachment; filename="{made.name}"'
        digest = base64.b64encode(hashlib.sha256(made.content).digest()).decode()
        response["Repr-Digest"] = f"sha-256=:{digest}:"
        if revision.is_frozen:
            response["Cache-Control"] = "private, max-age=31536000, immutable"
        return response


class VerifyViewSet(ApiViewSet):
    permission_classes = (AllowAny,)
    serializer_class = shapes.VerificationSerializer
    queryset = Quote.objects.none()
    details = frozenset()

    @extend_schema(operation_id="verify_value", responses=shapes.VerificationSerializer)
    def retrieve(self, request: Request, value: str) -> Response:
        """Whether a locked quote has this check value, or begins with these twelve digits or more."""
        return Response(_shown(verify_value(value[:100])))

    @extend_schema(
        operation_id="verify_document",
        request=shapes.VerifyFileSerializer,
        responses={200: shapes.VerificationSerializer},
    )
    def create(self, request: Request) -> Response:
        """Whether an exported JSON file is what was locked: send the file itself as the body."""
        return Response(_shown(verify_file(json.dumps(request.data).encode())))


def _shown(found: Verification) -> dict[str, Any]:
    revision = found.revision
    seller = revision.content["seller"] if revision is not None and revision.content else {}
    return {
        "outcome": found.outcome,
        "check_value": revision.content_hash if revision else found.value,
        "number": revision.quote.number if revision else None,
        "revision": revision.number if revision else None,
        "seller": seller.get("legal_name") or seller.get("name"),
        "locked_at": revision.locked_at if revision else None,
        "state": revision.state if revision else None,
    }
