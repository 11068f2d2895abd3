"""Pages of names that resemble listed ones: say that it is another firm, confirm it, take it back."""

from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from config.accounts.models import User
from config.accounts.permissions import Action, require
from config.accounts.selectors import allowed_actions
from quotes import clearances
from quotes.choices import ClearanceState
from quotes.cleared import cleared_on, present_rows
from quotes.compliance.matching import CLEARANCE_DAYS
from quotes.evidence_forms import ClearanceForm, SettleForm
from quotes.evidence_pages import regime_words
from quotes.evidence_views import download, organisation_of, uploaded
from quotes.models import NameClearance
from quotes.views import attempted, found_revision, person
from sizing.figures import day
from sizing.messages import render as words

ROWS_A_PAGE = 50


@require_safe
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """Every finding of the organisation, those that wait for a second person with their buttons."""
    organisation = organisation_of(request)
    page = Paginator(clearances.clearances_for(organisation), ROWS_A_PAGE).get_page(request.GET.get("page"))
    today = timezone.localdate()
    present = present_rows(organisation, {row.entity_id for row in page}, today)
    actions = allowed_actions(request.user, organisation)
    rows = [_row(row, today, present, person(request), actions) for row in page]
    return render(request, "quotes/clearances.html", {"page": page, "rows": rows})


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def propose(request: HttpRequest, public_id: UUID, regime: str, line: str = "") -> HttpResponse:
    """One name of a quote beside the list row that it met, and the form that says why it is another firm."""
    revision = found_revision(request, public_id)
    quote = revision.quote
    require(request.user, quote.organisation, Action.QUOTE)
    form = ClearanceForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        file, reason = form.cleaned_data["file"], form.cleaned_data["reason"]
        upload = uploaded(file) if file else None

        def save() -> None:
            clearances.propose(
                quote=quote, line=line, regime=regime, reason=reason, user=person(request), upload=upload
            )

        if attempted(request, save):
            messages.success(request, _("Recorded. It counts when a second person has confirmed it."))
            return redirect("quotes:clearances")
    finding = clearances.match_of(quote, line=line, regime=regime, today=timezone.localdate())
    if finding is None:
        raise Http404
    context = {
        "quote": quote,
        "revision": revision,
        "finding": finding,
        "line": line,
        "regime": regime_words(regime),
        "reason": words(finding.reason),
        "subject": clearances.subject_of(quote, finding),
        "form": form,
    }
    return render(request, "quotes/clearance.html", context, status=422 if request.method == "POST" else 200)


@require_POST
@login_required
def act(request: HttpRequest, public_id: UUID, action: str) -> HttpResponse:
    """Confirm, refuse or withdraw."""
    organisation = organisation_of(request)
    found = clearances.clearances_for(organisation).filter(public_id=public_id).first()
    if found is None or action not in ("confirm", "close"):
        raise Http404
    form = SettleForm(request.POST)
    note = form.cleaned_data["note"] if form.is_valid() else ""
    user = person(request)
    acts: dict[str, Any] = {
        "confirm": lambda: clearances.confirm(clearance=found, user=user),
        "close": lambda: clearances.close(clearance=found, user=user, reason=note),
    }
    if attempted(request, acts[action]):
        messages.success(request, _("Done. Open quotes are screened again in the background."))
    return redirect("quotes:clearances")


@require_safe
@login_required
def file(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """The proof behind a clearance, as a download."""
    found = clearances.clearances_for(organisation_of(request)).filter(public_id=public_id).first()
    if found is None or found.file is None:
        raise Http404
    return download(found.file)


def _row(
    row: NameClearance, today: date, present: frozenset[tuple[str, str]], user: User, actions: frozenset[str]
) -> dict[str, Any]:
    is_own, waits = row.proposed_by_id == user.pk, row.state == ClearanceState.PROPOSED
    may_approve = Action.APPROVE in actions
    return {
        "row": row,
        "regime": regime_words(row.regime),
        "state": state_words(row, today, present),
        "can_confirm": waits and may_approve and not is_own,
        "can_close": row.state in clearances.OPEN and (may_approve or (waits and is_own)),
        "is_own": is_own,
    }


def state_words(row: NameClearance, today: date, present: frozenset[tuple[str, str]]) -> str:
    """Whether a clearance counts today, and until when; else why it does not."""
    if row.state not in clearances.OPEN:
        return str(row.get_state_display())
    if (row.entity_id, row.row_hash) not in present:
        return _("the list row changed, does not count")
    if row.state == ClearanceState.PROPOSED:
        return str(row.get_state_display())
    until = cleared_on(row) + timedelta(days=CLEARANCE_DAYS)
    if until < today:
        return _("older than a year, does not count")
    return _("counts until %(day)s") % {"day": day(until)}
