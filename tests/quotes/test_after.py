"""Comments, the changes as a file of their own, and the document by e-mail."""

from decimal import Decimal

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from config.env import mailer
from quotes import after, downloads, mailing
from quotes.content import content_of
from quotes.document import build_document
from quotes.errors import NotAllowed, QuoteError
from quotes.exports.pdf import changes_pdf
from quotes.models import Comment, Quote, QuoteRevision, SentDocument
from quotes.services import edit_line
from quotes.transitions import approve, lock, revise, submit
from tests.quotes.conftest import make_user
from tests.quotes.test_life import current, locked, settle


def second(quote: Quote, planner: User, approver: User) -> QuoteRevision:
    """R2, locked, with one other price."""
    locked(quote, planner, approver)
    revise(quote=quote, user=planner)
    line = current(quote).lines.get(number="1.3")
    edit_line(line=line, changes={"unit_net": Decimal("2000.00")}, user=planner, version=line.version)
    settle(quote, approver)
    submit(quote=quote, user=planner)
    approve(quote=quote, user=approver, version=current(quote).version)
    lock(quote=quote, user=approver)
    return current(quote)


def test_the_changes_are_a_file_of_their_own_kept_and_named(
    client: Client, quote: Quote, planner: User, approver: User
) -> None:
    revision = second(quote, planner, approver)
    client.force_login(planner)
    address = reverse("quotes:changes_file", args=[quote.public_id, 2])
    assert address in client.get(reverse("quotes:changes", args=[quote.public_id, 2])).content.decode()
    first = client.get(address)
    assert f'{quote.number}_R1-R2_changes.pdf"' in first["Content-Disposition"]
    assert first.content.startswith(b"%PDF-")
    assert client.get(address).content == first.content
    whole = downloads.download(revision, "pdf", language="en", user=planner)
    assert len(first.content) < len(whole.content)
    assert client.get(reverse("quotes:changes_file", args=[quote.public_id, 1])).status_code == 404
    client.force_login(make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR))
    assert client.get(address).status_code == 404


def test_a_first_revision_has_no_changes_to_print(quote: Quote) -> None:
    with pytest.raises(ValueError, match="no changes"):
        changes_pdf(build_document(content_of(current(quote))))


def test_a_comment_is_kept_with_its_author_and_stays_out_of_documents(
    client: Client, quote: Quote, planner: User, approver: User
) -> None:
    revision = locked(quote, planner, approver)
    client.force_login(planner)
    address = reverse("quotes:comment", args=[quote.public_id, 1])
    client.post(address, {"text": "Buyer called <b>twice</b>."})
    made = Comment.objects.get()
    assert (made.author, made.revision) == (planner, revision)
    page = client.get(quote.get_absolute_url()).content.decode()
    assert "Buyer called &lt;b&gt;twice&lt;/b&gt;." in page
    assert b"twice" not in downloads.download(revision, "json", language="en", user=planner).content
    assert AuditEvent.objects.filter(action="quote.comment", actor=planner).count() == 1


def test_strangers_and_viewers_write_no_comment(client: Client, quote: Quote, organisation: Organisation) -> None:
    address = reverse("quotes:comment", args=[quote.public_id, 1])
    client.force_login(make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR))
    assert client.post(address, {"text": "x"}).status_code == 404
    client.force_login(make_user("vera", organisation, Role.VIEWER))
    assert client.post(address, {"text": "x"}).status_code == 403
    with pytest.raises(QuoteError, match="quote_comment_empty"):
        after.comment(revision=current(quote), user=quote.created_by, text="  ")
    assert not Comment.objects.exists()


def test_the_locked_document_goes_out_once_with_the_kept_bytes(
    client: Client, quote: Quote, planner: User, approver: User
) -> None:
    revision = locked(quote, planner, approver)
    kept = downloads.download(revision, "pdf", language="de", user=planner)
    sent = after.send_document(revision=revision, user=planner, recipient="buy@fmro.example", language="de")
    mailing.deliver(sent.pk)
    mailing.deliver(sent.pk)
    assert len(mail.outbox) == 1
    message = mail.outbox[0]
    assert (message.to, message.reply_to) == (["buy@fmro.example"], ["sales@ridgeline.example"])
    assert message.subject == f"Angebot {quote.number} R1 von Ridgeline Systems Integration, Inc."
    attached = message.attachments[0]
    assert (attached[0], attached[1], attached[2]) == (kept.name, kept.content, "application/pdf")
    sent.refresh_from_db()
    assert sent.state == "sent"
    client.force_login(planner)
    assert "buy@fmro.example" in client.get(quote.get_absolute_url()).content.decode()
    assert AuditEvent.objects.get(action="quote.send").after["recipient"] == "buy@fmro.example"


def test_a_mail_that_the_server_refuses_is_shown_as_failed(
    quote: Quote, planner: User, approver: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    revision = locked(quote, planner, approver)
    sent = after.send_document(revision=revision, user=planner, recipient="buy@fmro.example", language="en")

    def refuse(*_args: object, **_more: object) -> int:
        raise ConnectionRefusedError

    monkeypatch.setattr(mailing.EmailMessage, "send", refuse)
    mailing.deliver(sent.pk)
    sent.refresh_from_db()
    assert (sent.state, sent.done_at is not None) == ("failed", True)


def test_drafts_replaced_revisions_and_bad_addresses_are_not_sent(
    quote: Quote, organisation: Organisation, planner: User, approver: User
) -> None:
    with pytest.raises(QuoteError, match="quote_send_locked_only"):
        after.send_document(revision=current(quote), user=planner, recipient="a@b.example", language="en")
    second(quote, planner, approver)
    old = QuoteRevision.objects.select_related("quote__organisation").get(quote=quote, number=1)
    with pytest.raises(QuoteError, match="quote_send_locked_only"):
        after.send_document(revision=old, user=planner, recipient="a@b.example", language="en")
    for address in ("", "nobody", "a@b.example\nBcc: c@d.example"):
        with pytest.raises(QuoteError, match="quote_send_address"):
            after.send_document(revision=current(quote), user=planner, recipient=address, language="en")
    viewer = make_user("vera", organisation, Role.VIEWER)
    with pytest.raises(NotAllowed):
        after.send_document(revision=current(quote), user=viewer, recipient="a@b.example", language="en")
    assert not SentDocument.objects.exists()


def test_the_send_button_queues_and_a_stranger_finds_nothing(
    client: Client, quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    address = reverse("quotes:send", args=[quote.public_id, 1])
    client.force_login(make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR))
    assert client.post(address, {"recipient": "a@b.example"}).status_code == 404
    client.force_login(planner)
    page = client.post(address, {"recipient": "a@b.example", "language": "en"}, follow=True).content.decode()
    assert "The document is on its way to a@b.example." in page
    assert SentDocument.objects.get().sent_by == planner
    german = client.get(quote.get_absolute_url(), headers={"Accept-Language": "de"}).content.decode()
    assert "Per E-Mail senden" in german
    assert "Kommentare bleiben in der Organisation" in german


def test_without_a_server_mail_goes_to_the_console_and_465_is_tls_from_the_start() -> None:
    none = mailer(host="", port=587, username="", password="", starttls=True)
    assert none == {"BACKEND": "django.core.mail.backends.console.EmailBackend"}
    plain = mailer(host="mail", port=587, username="u", password="p", starttls=True)["OPTIONS"]
    assert (plain["use_tls"], plain["use_ssl"]) == (True, False)
    implicit = mailer(host="mail", port=465, username="u", password="p", starttls=True)["OPTIONS"]
    assert (implicit["use_tls"], implicit["use_ssl"]) == (False, True)
