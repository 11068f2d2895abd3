"""Reads a kept feed with origins into claims."""

from django.db import transaction

from config.accounts.services import read_file
from quotes import evidence
from quotes.choices import FeedState
from quotes.errors import QuoteError
from quotes.models import EvidenceFeed
from quotes.proofs import Upload

UNKNOWN_PARTS_KEPT = 20


def run(pk: int) -> None:
    """Import one waiting feed; a refusal is kept with it. Safe to run twice."""
    with transaction.atomic():
        feed = (
            EvidenceFeed.objects.select_for_update(no_key=True, of=("self",))
            .select_related("file", "organisation", "loaded_by")
            .filter(pk=pk, state=FeedState.WAITING)
            .first()
        )
        if feed is None:
            return
        try:
            with transaction.atomic():
                result = evidence.import_feed(
                    organisation=feed.organisation,
                    upload=Upload(name=feed.file.name, content=read_file(feed.file)),
                    stated_by=feed.stated_by,
                    user=feed.loaded_by,
                )
        except QuoteError as error:
            feed.state = FeedState.FAILED
            feed.fault = {"code": error.code, "params": dict(error.message.params)}
        else:
            feed.state = FeedState.DONE
            feed.recorded, feed.repeated, feed.unknown = result.recorded, result.repeated, len(result.unknown)
            feed.statements = result.statements
            feed.unknown_parts = list(result.unknown[:UNKNOWN_PARTS_KEPT])
        feed.save()


def waiting() -> list[int]:
    return list(EvidenceFeed.objects.filter(state=FeedState.WAITING).values_list("pk", flat=True))
