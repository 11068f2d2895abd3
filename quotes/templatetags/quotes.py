"""Tags of the quote pages."""

from functools import lru_cache
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe

from quotes.models import Attachment, Comment, Quote, QuoteRevision, SentDocument
from quotes.pages import TodoItem, page_language
from quotes.pricing import round_money
from quotes.printing.locale import Reader

register = template.Library()
_FIELD_PLACES = frozenset({"buyer", "reference", "terms"})


@register.simple_tag
def quote_total(quote: Quote) -> str:
    """Net total of the current revision in the reader's numbers."""
    reader = Reader(language=page_language(), region=quote.region, currency=quote.currency)
    if quote.current_revision is None:
        return ""
    return reader.money(round_money(quote.current_revision.total_net, quote.currency))


@register.simple_tag
def flag(state: str, words: str) -> SafeString:
    """A flag as shape and word, as `quotes/flag.html` has it; a long table shows the same few."""
    return _flag(state, words)


@lru_cache(maxsize=256)
def _flag(state: str, words: str) -> SafeString:
    return mark_safe(render_to_string("quotes/flag.html", {"state": state, "words": words}))  # noqa: S308  ours


@register.simple_tag
def todo_url(quote: Quote, item: TodoItem, can_edit: bool) -> str:
    """Where an open item can be settled; on the page of the quote the anchor alone."""
    if item.place == "seller":
        return reverse("accounts:organisation")
    if item.place.startswith("line-") and can_edit:
        return f"{reverse('quotes:lines', args=[quote.public_id])}#{item.place}"
    if item.place in _FIELD_PLACES and can_edit:
        return f"{reverse('quotes:edit', args=[quote.public_id])}#{item.place}"
    return f"#{item.place if item.place.startswith('line-') or item.place == 'screening' else 'terms'}"


@register.simple_tag
def revision_notes(revision: QuoteRevision) -> dict[str, Any]:
    """Comments on a revision and the e-mails with its document."""
    return {
        "comments": list(Comment.objects.filter(revision=revision)),
        "sent": list(SentDocument.objects.filter(revision=revision)) if revision.is_frozen else [],
    }


@register.simple_tag
def revision_files(revision: QuoteRevision) -> list[Attachment]:
    """Files beside a revision."""
    return list(Attachment.objects.filter(revision=revision).select_related("file").defer("file__content"))
