"""What happens around a revision: comments of colleagues, and its document by e-mail."""

from functools import partial

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from config.accounts.models import User
from config.accounts.permissions import Action
from quotes import document_tasks
from quotes.choices import QuoteState
from quotes.errors import QuoteError
from quotes.models import Comment, QuoteRevision, SentDocument
from quotes.services import audit, require_role

COMMENT_LETTERS_MAX = 4_000


@transaction.atomic
def comment(*, revision: QuoteRevision, user: User, text: str) -> Comment:
    """Note something about a revision, in any state; nobody outside the organisation reads it."""
    require_role(user, revision.quote.organisation, Action.QUOTE)
    if not text.strip():
        raise QuoteError("quote_comment_empty")
    made = Comment.objects.create(
        revision=revision,
        author=user,
        author_name=str(user)[:200],
        text=text.strip()[:COMMENT_LETTERS_MAX],
        made_at=timezone.now(),
    )
    audit("quote.comment", revision.quote, user, after={"revision": revision.number, "comment": str(made.public_id)})
    return made


@transaction.atomic
def send_document(
    *, revision: QuoteRevision, user: User, recipient: str, language: str, text: str = ""
) -> SentDocument:
    """Queue the PDF of a locked revision as an e-mail. Raises QuoteError for a draft, a replaced one, a bad address."""
    require_role(user, revision.quote.organisation, Action.QUOTE)
    if revision.state not in (QuoteState.LOCKED, QuoteState.ACCEPTED):
        raise QuoteError("quote_send_locked_only")
    try:
        validate_email(recipient)
    except ValidationError:
        raise QuoteError("quote_send_address", address=recipient[:100]) from None
    mail = SentDocument.objects.create(
        revision=revision, recipient=recipient, language=language, text=text.strip(), sent_by=user,
        asked_at=timezone.now(),
    )  # fmt: skip
    audit("quote.send", revision.quote, user, after={"revision": revision.number, "recipient": recipient})
    transaction.on_commit(partial(document_tasks.send_mail.delay, mail.pk), robust=True)
    return mail
