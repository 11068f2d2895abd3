"""What is open on a revision, judged today with its organisation's limits."""

from collections.abc import Mapping
from typing import Any

from django.utils import timezone

from quotes.completeness import Limits, OpenItem, open_items
from quotes.content import content_of
from quotes.models import QuoteRevision


def open_items_of(revision: QuoteRevision, *, content: Mapping[str, Any] | None = None) -> list[OpenItem]:
    """What is open before the lock, judged today with the organisation's limits."""
    organisation = revision.quote.organisation
    limits = Limits(
        price_max_age_days=organisation.price_max_age_days,
        lead_time_max_age_days=organisation.lead_time_max_age_days,
        today=timezone.localdate(),
    )
    return open_items(content or content_of(revision), limits)
