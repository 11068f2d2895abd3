"""Pages of lists of listed parties: load a file, look at what was read, take it into or out of use."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import get_valid_filename
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.accounts.models import Organisation
from config.accounts.permissions import Action, require
from config.accounts.selectors import allowed_actions, current_organisation
from quotes import party_lists
from quotes.choices import PartyListState
from quotes.listed import lists_of
from quotes.models import PartyList
from quotes.party_forms import PartyListForm, PartyNoteForm
from quotes.views import attempted, person
from sizing.messages import render as words

VERSIONS_SHOWN_MAX = 50
NAMES_SHOWN_MAX = 10


@require_safe
@login_required
def overview(request: HttpRequest) -> HttpResponse:
    """Every version of the organisation's lists, and the form that loads another one."""
    return _overview(request, _organisation(request), PartyListForm())


@require_POST
@login_required
def load(request: HttpRequest) -> HttpResponse:
    """Keep a file and have it read."""
    organisation = _organisation(request)
    require(request.user, organisation, Action.APPROVE)
    form = PartyListForm(request.POST, request.FILES)
    if not form.is_valid():
        return _overview(request, organisation, form, status=422)
    data = form.cleaned_data
    file = data["file"]
    loaded: list[PartyList] = []

    def save() -> None:
        made = party_lists.load(
            organisation=organisation,
            kind=data["kind"],
            name=get_valid_filename(file.name or "list")[:200],
            content=file.read(),
            published_on=data["published_on"],
            user=person(request),
        )
        loaded.append(made)

    if not attempted(request, save):
        return _overview(request, organisation, form, status=422)
    return redirect("quotes:party_list", loaded[0].public_id)


@require_safe
@login_required
def detail(request: HttpRequest, public_id: UUID) -> HttpResponse:
    """One version: what was read, what is new against the version in use, what can be done with it."""
    organisation = _organisation(request)
    party_list = _found(organisation, public_id)
    context = _row(party_list) | {
        "may_change": Action.APPROVE in allowed_actions(request.user, organisation),
        "names": list(party_list.names.all()[:NAMES_SHOWN_MAX]),
        "sources": sorted(party_list.sources.items(), key=lambda entry: -entry[1]),
    }
    name = "quotes/party_list.html"
    if request.headers.get("HX-Request") == "true":
        name += "#state"
    return render(request, name, context)


@require_POST
@login_required
def act(request: HttpRequest, public_id: UUID, action: str) -> HttpResponse:
    """Take a version into use or out of it."""
    organisation = _organisation(request)
    party_list = _found(organisation, public_id)
    form = PartyNoteForm(request.POST)
    note = form.cleaned_data["note"] if form.is_valid() else ""
    acts = {"activate": party_lists.activate, "retire": party_lists.retire}
    if action not in acts:
        raise Http404
    if attempted(request, lambda: acts[action](party_list=party_list, user=person(request), note=note)):
        messages.success(request, _("Done. Open quotes are screened again in the background."))
    return redirect("quotes:party_list", public_id)


def _overview(
    request: HttpRequest, organisation: Organisation, form: PartyListForm, *, status: int = 200
) -> HttpResponse:
    may_load = Action.APPROVE in allowed_actions(request.user, organisation)
    context: dict[str, Any] = {
        "rows": [_row(row) for row in lists_of(organisation)[:VERSIONS_SHOWN_MAX]],
        "form": form if may_load else None,
    }
    return render(request, "quotes/party_lists.html", context, status=status)


def _row(party_list: PartyList) -> dict[str, Any]:
    return {
        "list": party_list,
        "is_reading": party_list.state == PartyListState.READING,
        "can_activate": party_list.state in (PartyListState.STAGED, PartyListState.REPLACED)
        and party_list.firms_count > 0,
        "can_retire": party_list.state == PartyListState.ACTIVE,
        "fault": words(party_list.fault) if party_list.fault else "",
    }


def _organisation(request: HttpRequest) -> Organisation:
    organisation = current_organisation(request)
    require(request.user, organisation, Action.VIEW)
    if organisation is None:
        raise Http404
    return organisation


def _found(organisation: Organisation, public_id: UUID) -> PartyList:
    found = lists_of(organisation).filter(public_id=public_id).first()
    if found is None:
        raise Http404
    return found
