"""What receivers of an organisation hear of its quotes. Each is written in the transaction of the change."""

from collections.abc import Mapping, Sequence
from typing import Any

from config.webhooks.choices import EventType
from config.webhooks.events import emit
from quotes.models import QuoteRevision

MOST_CHANGES = 50  # so that a message stays thin


def report(event: EventType, revision: QuoteRevision, **more: Any) -> None:
    """A quote was made, revised or moved on."""
    quote = revision.quote
    data = {
        "id": str(quote.public_id),
        "number": quote.number,
        "revision": revision.number,
        "state": str(revision.state),
        **more,
        "href": f"/api/v1/quotes/{quote.public_id}",
    }
    emit(event, organisation=quote.organisation, data=data)


def report_state(revision: QuoteRevision, *, before: str) -> None:
    report(EventType.QUOTE_STATE, revision, previous_state=str(before))


def report_screening(revision: QuoteRevision, changes: Sequence[Mapping[str, str]]) -> None:
    """Flags of an open quote changed with a list."""
    quote = revision.quote
    data = {
        "id": str(quote.public_id),
        "number": quote.number,
        "revision": revision.number,
        "changes": [dict(change) for change in changes[:MOST_CHANGES]],
        "changes_total": len(changes),
        "href": f"/api/v1/quotes/{quote.public_id}",
    }
    emit(EventType.QUOTE_SCREENING, organisation=quote.organisation, data=data)
