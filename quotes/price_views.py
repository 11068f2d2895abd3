"""Page of the newer prices that the catalogue holds for an open draft."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from config.accounts.permissions import Action, require
from quotes.models import QuoteRevision
from quotes.pages import page_language
from quotes.price_check import price_changes, take_prices
from quotes.printing.locale import Reader
from quotes.views import attempted, found_revision, person


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def prices(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The differences line by line; a POST takes those of the lines named as `take` = "number:version"."""
    revision = found_revision(request, public_id)
    require(request.user, revision.quote.organisation, Action.QUOTE)
    if request.method == "POST":
        return _take(request, revision)
    context = {"quote": revision.quote, "revision": revision, "rows": _rows(revision)}
    is_part = request.headers.get("HX-Request") == "true"
    return render(request, "quotes/price_changes.html" if is_part else "quotes/prices.html", context)


def _take(request: HttpRequest, revision: QuoteRevision) -> HttpResponse:
    pairs = (entry.rpartition(":") for entry in request.POST.getlist("take"))
    versions = {number: int(version) for number, _sep, version in pairs if version.isdecimal()}
    taken: list[Any] = []

    def save() -> None:
        taken.extend(take_prices(quote=revision.quote, user=person(request), versions=versions))

    if attempted(request, save) and taken:
        words = ngettext("%(count)s price taken over.", "%(count)s prices taken over.", len(taken))
        messages.success(request, words % {"count": len(taken)})
    return redirect(revision.quote)


def _rows(revision: QuoteRevision) -> list[dict[str, Any]]:
    """Each difference in the reader's numbers; none for a revision that is no draft."""
    if not revision.is_editable:
        return []
    reader = Reader(language=page_language(), region=revision.quote.region, currency=revision.quote.currency)
    return [
        {
            "line": change.line,
            "old": reader.amount(change.old_price) if change.old_price is not None else "",
            "old_date": change.old_date,
            "new": reader.amount(change.new_price),
            "new_date": change.new_date,
            "difference": reader.signed(change.difference) if change.difference is not None else "",
            "source": change.source,
        }
        for change in price_changes(revision, today=timezone.localdate())
    ]
