"""Files beside a revision: kept by their content, for the buyer or for colleagues alone."""

from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from config.accounts.models import User
from config.accounts.permissions import Action
from config.accounts.services import store_file
from quotes.choices import NEXT_STATES, QuoteState
from quotes.errors import QuoteError, WrongState
from quotes.models import Attachment, QuoteRevision
from quotes.services import audit, require_role

FILE_BYTES_MAX = 10_000_000
REVISION_BYTES_MAX = 50_000_000
FILES_MAX = 50
# First bytes of what a browser may be told by its kind; everything else leaves as bytes.
_KINDS = {b"%PDF-": "application/pdf", b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}
_UNKNOWN_KIND = "application/octet-stream"


@transaction.atomic
def attach(*, revision: QuoteRevision, user: User, name: str, content: bytes, for_buyer: bool = False) -> Attachment:
    """Add one file. What is for the buyer enters the content, so it takes a draft.

    Raises QuoteError for an empty or too large file, WrongState for one that comes too late for the buyer.
    """
    require_role(user, revision.quote.organisation, Action.QUOTE)
    held = (
        QuoteRevision.objects.select_for_update(no_key=True, of=("self",))
        .select_related("quote__organisation")
        .get(pk=revision.pk)
    )
    if for_buyer and not held.is_editable:
        raise WrongState(state=held.state, wanted=QuoteState.DRAFT, allowed=tuple(NEXT_STATES[held.state]))
    _refuse_size(held, len(content))
    stored = store_file(
        organisation=held.quote.organisation, name=name, content=content, content_type=_kind(content), actor=user
    )
    made, is_new = Attachment.objects.get_or_create(
        revision=held,
        file=stored,
        for_buyer=for_buyer,
        defaults={
            "name": name[:200],
            "added_by": user,
            "added_by_name": str(user)[:200],
            "added_at": timezone.now(),
        },
    )
    if is_new:
        _raise_version(held, made)
        after = {"revision": held.number, "file": name, "sha256": stored.sha256, "for_buyer": for_buyer}
        audit("quote.attach", held.quote, user, after=after)
    return made


@transaction.atomic
def detach(*, attachment: Attachment, user: User) -> None:
    """Take a file away from a revision that is not frozen; the audit trail keeps its hash."""
    revision = attachment.revision
    require_role(user, revision.quote.organisation, Action.QUOTE)
    held = (
        QuoteRevision.objects.select_for_update(no_key=True, of=("self",))
        .select_related("quote__organisation")
        .get(pk=revision.pk)
    )
    if held.is_frozen or (attachment.for_buyer and not held.is_editable):
        raise WrongState(state=held.state, wanted=QuoteState.DRAFT, allowed=tuple(NEXT_STATES[held.state]))
    before = {"revision": held.number, "file": attachment.name, "sha256": attachment.file.sha256}
    _raise_version(held, attachment)
    attachment.delete()
    audit("quote.detach", held.quote, user, before=before)


def _held(revision: QuoteRevision) -> QuoteRevision:
    rows = QuoteRevision.objects.select_for_update(no_key=True, of=("self",)).select_related("quote__organisation")
    return rows.get(pk=revision.pk)


def _raise_version(revision: QuoteRevision, attachment: Attachment) -> None:
    if attachment.for_buyer:
        revision.version += 1
        revision.save(update_fields=["version"])


def _refuse_size(revision: QuoteRevision, size_bytes: int) -> None:
    if size_bytes == 0:
        raise QuoteError("attachment_empty")
    if size_bytes > FILE_BYTES_MAX:
        raise QuoteError("attachment_too_large", limit_mb=FILE_BYTES_MAX // 1_000_000)
    kept = revision.attachments.aggregate(total=Sum("file__size_bytes"))["total"] or 0
    if kept + size_bytes > REVISION_BYTES_MAX or revision.attachments.count() >= FILES_MAX:
        raise QuoteError("attachments_too_many", limit_mb=REVISION_BYTES_MAX // 1_000_000, files=FILES_MAX)


def _kind(content: bytes) -> str:
    return next((kind for head, kind in _KINDS.items() if content.startswith(head)), _UNKNOWN_KIND)
