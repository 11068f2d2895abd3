"""Share links: random, expiring, revocable, read-only. Opening one is counted and audited."""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from config.accounts.models import User
from config.accounts.permissions import Action
from quotes.choices import FROZEN, QuoteState
from quotes.errors import QuoteError
from quotes.models import QuoteRevision, ShareLink
from quotes.services import audit, require_role

LONGEST_DAYS = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """What a secret leads to: `gone` is "", superseded, revoked or expired; `newer` the revision that replaced it."""

    link: ShareLink
    gone: str = ""
    newer: int | None = None


@transaction.atomic
def share(*, revision: QuoteRevision, user: User, days: int) -> tuple[ShareLink, str]:
    """A new link and its secret, which is shown this once. Only a locked revision can be shared."""
    require_role(user, revision.quote.organisation, Action.QUOTE)
    if revision.state not in FROZEN:
        raise QuoteError("quote_share_draft")
    if not 1 <= days <= LONGEST_DAYS:
        raise QuoteError("quote_share_days", days=days, limit=LONGEST_DAYS)
    secret = secrets.token_urlsafe(32)
    link = ShareLink.objects.create(
        revision=revision,
        secret_hash=_hash(secret),
        created_by=user,
        expires_at=timezone.now() + timedelta(days=days),
    )
    audit("quote.share", revision.quote, user, after={"revision": revision.number, "expires_at": link.expires_at})
    return link, secret


@transaction.atomic
def revoke(*, link: ShareLink, user: User) -> None:
    """The link answers 410 from now on."""
    require_role(user, link.revision.quote.organisation, Action.QUOTE)
    link.revoked_at = timezone.now()
    link.save(update_fields=["revoked_at"])
    audit("quote.share.revoke", link.revision.quote, user, after={"revision": link.revision.number})


@transaction.atomic
def open_link(secret: str) -> Opened | None:
    """The link behind a secret, counted as opened where it still leads somewhere; None for an unknown one."""
    link = (
        ShareLink.objects.select_related("revision__quote__organisation", "revision__quote__current_revision")
        .filter(secret_hash=_hash(secret))
        .first()
    )
    if link is None:
        return None
    if link.revoked_at is not None:
        return Opened(link=link, gone="revoked")
    if link.revision.state == QuoteState.SUPERSEDED:
        return Opened(link=link, gone="superseded", newer=_newest_locked(link.revision))
    if link.expires_at <= timezone.now():
        return Opened(link=link, gone="expired")
    ShareLink.objects.filter(pk=link.pk).update(opened_count=F("opened_count") + 1, last_opened_at=timezone.now())
    if link.opened_count == 0:
        audit("quote.share.open", link.revision.quote, None, after={"revision": link.revision.number})
    return Opened(link=link)


def _newest_locked(revision: QuoteRevision) -> int | None:
    return (
        revision.quote.revisions.filter(number__gt=revision.number, locked_at__isnull=False)
        .order_by("-number")
        .values_list("number", flat=True)
        .first()
    )


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
