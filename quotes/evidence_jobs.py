"""Feeds with origins that are too long for a page: kept, read by the worker, their outcome shown."""

from functools import partial

from django.db import transaction

from config.accounts.models import Organisation, User
from config.accounts.permissions import Action
from config.accounts.services import store_file
from quotes import tasks
from quotes.errors import QuoteError
from quotes.evidence_feed import BYTES_MAX, PAGE_ROWS_MAX, ROWS_MAX
from quotes.models import EvidenceFeed
from quotes.proofs import Upload
from quotes.services import require_role


def is_long(content: bytes) -> bool:
    """Whether a feed has more rows than a page reads."""
    return content.count(b"\n") > PAGE_ROWS_MAX


@transaction.atomic
def queue_feed(*, organisation: Organisation, upload: Upload, stated_by: str, user: User) -> EvidenceFeed:
    """Keep the file for the worker. Raises QuoteError without a distributor or for a file that is too large."""
    require_role(user, organisation, Action.EDIT_PRICES)
    if not stated_by.strip():
        raise QuoteError("evidence_feed_without_name")
    if len(upload.content) > BYTES_MAX:
        raise QuoteError("evidence_feed_too_large", limit=ROWS_MAX, limit_mb=BYTES_MAX // 1_000_000)
    stored = store_file(
        organisation=organisation, name=upload.name, content=upload.content, content_type="text/csv", actor=user
    )
    made = EvidenceFeed.objects.create(
        organisation=organisation, file=stored, stated_by=stated_by.strip()[:150], loaded_by=user
    )
    transaction.on_commit(partial(tasks.read_evidence_feed.delay, made.pk), robust=True)
    return made
