"""Documents of a locked revision, made once in the background. Apart from `tasks`, which services do not import."""

from celery import shared_task

from quotes import downloads, mailing
from quotes.models import QuoteRevision

# What a buyer asks for first; other formats and languages are made and kept at their first download.
KEPT_AT_LOCK = ("pdf", "xlsx")


@shared_task(ignore_result=True, acks_late=True)
def keep_documents(revision_id: int) -> None:
    """Make and keep the documents of a frozen revision in its own language; safe to run twice."""
    revision = QuoteRevision.objects.select_related("quote__organisation").get(pk=revision_id)
    if not revision.is_frozen:
        return
    for name in KEPT_AT_LOCK:
        downloads.download(revision, name, language=revision.quote.language, user=None)


@shared_task(ignore_result=True, acks_late=True)
def send_mail(mail_id: int) -> None:
    """Send one e-mail with a document; safe to run twice."""
    mailing.deliver(mail_id)
