"""What the views of quotes share: finding a quote, holding it for a write, turning refusals into answers."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast
from uuid import UUID

from django.db import transaction
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from config.accounts.models import User
from config.rest.errors import BadQuery, parameter_error
from config.rest.etags import require_match
from config.rest.tenancy import in_reach, person
from config.rest.views import ApiViewSet
from quotes import selectors
from quotes.choices import NEXT_STATES
from quotes.errors import NotAllowed, OpenItems, QuoteError, StaleEdit, WrongState
from quotes.models import Quote, QuoteRevision
from quotes.pages import refusal
from sizing.core.values import Message
from sizing.messages import render

STATUS: dict[type[QuoteError], int] = {WrongState: 409, OpenItems: 409, StaleEdit: 412, NotAllowed: 403}
REVISION = OpenApiParameter(
    "revision", {"type": "integer", "minimum": 1, "maximum": 32767}, description="Default: the current one."
)


class QuoteBase(ApiViewSet):
    """Base of all views below a quote. `conditional` names the actions that ask for If-Match."""

    queryset = Quote.objects.none()
    lookup_field = "public_id"
    conditional: frozenset[str] = frozenset()

    def handle_exception(self, exc: Exception) -> Response:
        """Refusals of the services with their status; the words come from the app as everywhere."""
        if isinstance(exc, QuoteError):
            refused: Any = exc
            refused.status = STATUS.get(type(exc), 422)
            refused.extra = _extra(exc)
            shown = refusal(exc)
            refused.message = Message(shown["code"], shown["params"])
        return super().handle_exception(exc)

    def quote(self, public_id: UUID) -> Quote:
        """The quote, 404 for one that the caller may not know of."""
        found = selectors.quote_for(self.request.user, public_id)
        if found is None or not in_reach(self.request, found.organisation_id):
            raise Http404
        return found

    def revision(self, quote: Quote, number: int | None = None) -> QuoteRevision:
        """A revision by number, else by `?revision=`, else the current one."""
        found = selectors.revision_of(quote, number or revision_number(self.request))
        if found is None:
            raise Http404
        found.quote = quote
        return found

    @contextmanager
    def held(self, public_id: UUID) -> Iterator[tuple[Quote, QuoteRevision, User]]:
        """The quote and its current revision, locked until the end of the write, judged against If-Match."""
        quote = self.quote(public_id)
        with transaction.atomic():
            QuoteRevision.objects.select_for_update(no_key=True).get(current_of=quote)
            revision = selectors.revision_of(quote)
            if revision is None:
                raise Http404
            require_match(self.request, etag_of(revision))
            revision.quote = quote
            yield quote, revision, cast(User, person(self.request))


def etag_of(revision: QuoteRevision) -> str:
    """Changes with every change of the revision: number, version, state, approvals, decisions."""
    marks = (revision.number, revision.version, revision.state)
    return f'"{"-".join(map(str, marks))}-{revision.approvals.count()}-{revision.decisions.count()}"'


def revision_number(request: Request) -> int | None:
    text = request.query_params.get("revision")
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 5 and 1 <= int(text) <= 32767):
        raise BadQuery([parameter_error("revision", "invalid", _("Use a whole number from 1."))])
    return int(text)


def _extra(error: QuoteError) -> dict[str, Any]:
    if isinstance(error, WrongState):
        state = str(error.message.params["state"])
        return {"state": state, "allowed_states": [str(each) for each in error.allowed or NEXT_STATES.get(state, ())]}
    if isinstance(error, OpenItems):
        items: Any = error.items
        return {"open_items": [{"code": item.message.code, "detail": render(item.message)} for item in items]}
    return {}
