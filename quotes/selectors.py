"""Reads of quotes. A quote of another organisation is nowhere to be found."""

from collections.abc import Mapping
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from config.accounts.models import Organisation, User
from quotes.choices import FROZEN
from quotes.models import Quote, QuoteRevision, Rescreening

CHECK_DIGITS_MIN = 12
LONG_COPIES = tuple(f"current_revision__{name}" for name in ("content", "sizing", "delivery", "screening_lists"))
"""What a list of quotes does not show, and what is longer than all the rest."""


def quotes_for(user: User | AnonymousUser, *, organisation: Organisation | None = None) -> QuerySet[Quote]:
    """Quotes that the person may see, newest first, with their current revision but not its long copies."""
    rows = _seen_by(user).defer(*LONG_COPIES)
    return rows.filter(organisation=organisation) if organisation is not None else rows


def listed(user: User | AnonymousUser, organisation: Organisation | None, query: Mapping[str, str]) -> QuerySet[Quote]:
    """The list page's rows: `q` searches number, title and buyer, `state` filters."""
    rows = quotes_for(user, organisation=organisation)
    changed = Rescreening.objects.filter(revision=OuterRef("current_revision"), settled_at=None).exclude(changes=[])
    rows = rows.annotate(flags_changed=Exists(changed))
    if words := query.get("q", "").strip():
        rows = rows.filter(Q(number__icontains=words) | Q(title__icontains=words) | Q(buyer_name__icontains=words))
    if state := query.get("state", ""):
        rows = rows.filter(current_revision__state=state)
    return rows


def quote_for(user: User | AnonymousUser, public_id: UUID) -> Quote | None:
    return _seen_by(user).filter(public_id=public_id).first()


def _seen_by(user: User | AnonymousUser) -> QuerySet[Quote]:
    return Quote.objects.for_user(user).select_related("organisation", "current_revision", "created_by")


def revision_of(quote: Quote, number: int | None = None) -> QuoteRevision | None:
    """A revision by number, or the current one."""
    rows = QuoteRevision.objects.select_related("quote__organisation", "submitted_by", "locked_by")
    if number is None:
        return rows.filter(current_of=quote).first()
    return rows.filter(quote=quote, number=number).first()


def revision_by_check_value(value: str) -> QuoteRevision | None:
    """The frozen revision whose check value begins with `value`; None below twelve digits or if it is not unique."""
    digits = value.strip().lower()
    if len(digits) < CHECK_DIGITS_MIN or not set(digits) <= set("0123456789abcdef"):
        return None
    rows = QuoteRevision.objects.select_related("quote__organisation").filter(
        content_hash__startswith=digits, state__in=sorted(FROZEN)
    )[:2]
    found = list(rows)
    return found[0] if len(found) == 1 else None
