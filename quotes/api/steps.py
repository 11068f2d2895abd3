"""The steps of a quote's life. A change that is not possible answers 409 with the states that may come next."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.models import User
from config.rest.idempotency import Handler, idempotent
from quotes import sharing, transitions
from quotes.api import serializers as shapes
from quotes.api.base import QuoteBase, etag_of
from quotes.choices import QuoteState
from quotes.models import Quote, QuoteRevision
from quotes.open_items import open_items_of
from sizing.messages import render

type Step = Callable[[Quote, QuoteRevision, User, str], object]


def described(operation_id: str, code: int = 200) -> Callable[[Handler], Handler]:
    """What the schema says of one step."""
    return extend_schema(
        operation_id=operation_id, request=shapes.ReasonSerializer, responses={code: shapes.QuoteDetailSerializer}
    )


class StepViewSet(QuoteBase):
    """Changes of state. A change that is not possible answers 409 with the states that may come next."""

    serializer_class = shapes.QuoteDetailSerializer
    lists = frozenset()
    details = frozenset()
    conditional = frozenset(
        {"submit", "approve", "send_back", "lock", "accept", "decline", "revise", "decide", "share"}
    )

    def _step(self, request: Request, public_id: UUID, step: Step, code: int = status.HTTP_200_OK) -> Response:
        with self.held(public_id) as (quote, revision, user):
            read = shapes.ReasonSerializer(data=request.data or {})
            read.is_valid(raise_exception=True)
            step(quote, revision, user, read.validated_data["reason"])
        shown = self.quote(public_id)
        response = Response(self.get_serializer(shown).data, status=code)
        response["ETag"] = etag_of(self.revision(shown))
        return response

    @described("quotes_submit")
    @idempotent
    def submit(self, request: Request, public_id: UUID) -> Response:
        """Draft to review; where no approval is asked for it is approved at once."""
        return self._step(
            request,
            public_id,
            lambda quote, _r, user, reason: transitions.submit(quote=quote, user=user, reason=reason),
        )

    @described("quotes_approve")
    @idempotent
    def approve(self, request: Request, public_id: UUID) -> Response:
        """Approve exactly this version. Nobody approves their own quote."""
        return self._step(
            request,
            public_id,
            lambda quote, revision, user, reason: transitions.approve(
                quote=quote, user=user, version=revision.version, reason=reason
            ),
        )

    @described("quotes_send_back")
    @idempotent
    def send_back(self, request: Request, public_id: UUID) -> Response:
        """From review or approval back to draft, with a reason."""
        return self._step(
            request,
            public_id,
            lambda quote, _r, user, reason: transitions.send_back(quote=quote, user=user, reason=reason),
        )

    @described("quotes_lock")
    @idempotent
    def lock(self, request: Request, public_id: UUID) -> Response:
        """Freeze the approved revision and give it its check value. 409 names what is still open."""
        base = request.build_absolute_uri(reverse("quotes:verify"))
        return self._step(
            request,
            public_id,
            lambda quote, _r, user, reason: transitions.lock(quote=quote, user=user, verify_base=base, reason=reason),
        )

    @described("quotes_accept")
    @idempotent
    def accept(self, request: Request, public_id: UUID) -> Response:
        """The buyer accepted the locked revision."""
        return self._step(request, public_id, _closing(QuoteState.ACCEPTED))

    @described("quotes_decline")
    @idempotent
    def decline(self, request: Request, public_id: UUID) -> Response:
        """The buyer declined the locked revision."""
        return self._step(request, public_id, _closing(QuoteState.DECLINED))

    @described("quotes_revise", 201)
    @idempotent
    def revise(self, request: Request, public_id: UUID) -> Response:
        """A new draft revision from the locked one; the locked one stays as it is."""
        return self._step(
            request,
            public_id,
            lambda quote, _r, user, _reason: transitions.revise(quote=quote, user=user),
            status.HTTP_201_CREATED,
        )

    @extend_schema(
        operation_id="quotes_decide",
        request=shapes.DecisionWriteSerializer,
        responses={201: shapes.OpenItemsSerializer},
    )
    @idempotent
    def decide(self, request: Request, public_id: UUID) -> Response:
        """Record why an open item may stand. A finding needs an approver, and never becomes a pass by it."""
        with self.held(public_id) as (quote, revision, user):
            read = shapes.DecisionWriteSerializer(data=request.data)
            read.is_valid(raise_exception=True)
            data = read.validated_data
            line = revision.lines.filter(number=data["line"]).first() if data["line"] else None
            if data["line"] and line is None:
                raise ValidationError({"line": [ErrorDetail(_("The quote has no such line."), code="does_not_exist")]})
            transitions.decide(
                quote=quote, about=data["about"], reason=data["reason"], user=user, line=line, rule=data["rule"]
            )
        fresh = self.revision(self.quote(public_id))
        response = Response(open_items(fresh), status=status.HTTP_201_CREATED)
        response["ETag"] = etag_of(fresh)
        return response

    @extend_schema(
        operation_id="quotes_share", request=shapes.ShareWriteSerializer, responses={201: shapes.ShareSerializer}
    )
    def share(self, request: Request, public_id: UUID) -> Response:
        """A link to the locked revision for readers without an account; its address is shown this once."""
        with self.held(public_id) as (_quote, revision, user):
            read = shapes.ShareWriteSerializer(data=request.data or {})
            read.is_valid(raise_exception=True)
            link, secret = sharing.share(revision=revision, user=user, days=read.validated_data["days"])
        body = {
            "address": request.build_absolute_uri(reverse("quotes:shared", args=[secret])),
            "revision": revision.number,
            "expires_at": link.expires_at,
        }
        return Response(shapes.ShareSerializer(body).data, status=status.HTTP_201_CREATED)


def open_items(revision: QuoteRevision) -> dict[str, Any]:
    """What stands between the quote and its lock, worded."""
    return {
        "results": [
            {
                "code": item.message.code,
                "detail": render(item.message),
                "line": item.line,
                "about": item.about,
                "rule": item.rule,
                "stops_lock": item.stops_lock,
                "decided_by": item.decided_by,
            }
            for item in open_items_of(revision)
        ]
    }


def _closing(state: QuoteState) -> Step:
    return lambda quote, _revision, user, reason: transitions.close(quote=quote, state=state, user=user, reason=reason)
