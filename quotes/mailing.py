"""Hands a waiting e-mail with a document to the mail server, once."""

import logging

from django.core.mail import EmailMessage
from django.db import transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from quotes import downloads
from quotes.choices import SendState
from quotes.models import SentDocument

log = logging.getLogger(__name__)


@transaction.atomic
def deliver(pk: int) -> None:
    """Send one waiting e-mail; a second call for it does nothing. A refusal is kept as failed."""
    mail = (
        SentDocument.objects.select_for_update(no_key=True, of=("self",))
        .select_related("revision__quote__organisation", "sent_by")
        .filter(pk=pk, state=SendState.WAITING)
        .first()
    )
    if mail is None:
        return
    try:
        message_of(mail).send()
    except OSError:  # every error of smtplib and of the network below it
        log.warning("e-mail %s was not taken", mail.public_id, exc_info=True)
        mail.state = SendState.FAILED
    else:
        mail.state = SendState.SENT
    mail.done_at = timezone.now()
    mail.save(update_fields=["state", "done_at"])


def message_of(mail: SentDocument) -> EmailMessage:
    """The e-mail in the language asked for, with the PDF; answers go to the seller's contact."""
    revision, quote = mail.revision, mail.revision.quote
    made = downloads.download(revision, "pdf", language=mail.language, user=mail.sent_by)
    seller = quote.organisation.legal_name or quote.organisation.name
    values = {"number": quote.number, "revision": revision.number, "seller": seller}
    with translation.override(mail.language):
        subject = _("Quotation %(number)s R%(revision)s of %(seller)s") % values
        lead = _("Please find attached our quotation %(number)s R%(revision)s.") % values
    answer_to = quote.seller_email or quote.organisation.contact_email
    message = EmailMessage(
        subject=" ".join(subject.split()),
        body="\n\n".join(filter(None, (mail.text or lead, seller))),
        to=[mail.recipient],
        reply_to=[answer_to] if answer_to else None,
    )
    message.attach(made.name, made.content, made.content_type)
    return message
