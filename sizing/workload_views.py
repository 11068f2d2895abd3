"""Pages over several workloads: the list with drafts and runs, and options side by side."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from config.accounts.permissions import Action, require
from config.accounts.selectors import current_organisation
from sizing import drafts, selectors
from sizing.choices import Kind, RunState
from sizing.comparison import MOST_COMPARED, Compared, comparison
from sizing.model_search import find_models
from sizing.models_draft import WorkloadDraft
from sizing.people import VISITOR_DRAFTS, VISITOR_RUNS, claim_visitor_rows, person, remember, secrets_of

RUNS_PER_PAGE = 30
DRAFTS_SHOWN = 50


@require_safe
def workloads(request: HttpRequest) -> HttpResponse:
    """Drafts and runs, newest first; `q` searches names, `kind` and `state` filter the runs."""
    claim_visitor_rows(request)
    query, kind, state = (request.GET.get(key, "").strip() for key in ("q", "kind", "state"))
    runs = selectors.runs_for(person(request), secrets=secrets_of(request, VISITOR_RUNS)).select_related(
        "workload", "created_by"
    )
    kept = drafts.drafts_for(person(request), secrets=secrets_of(request, VISITOR_DRAFTS))
    if query:
        runs, kept = runs.filter(workload__name__icontains=query), kept.filter(name__icontains=query)
    if kind in Kind.values:
        runs, kept = runs.filter(workload__kind=kind), kept.filter(kind=kind)
    if state in RunState.values:
        runs = runs.filter(state=state)
    page = Paginator(runs, RUNS_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "drafts": kept[:DRAFTS_SHOWN],
        "runs": page,
        "query": query,
        "kind": kind,
        "state": state,
        "kinds": Kind.choices,
        "states": RunState.choices,
        "filtered": bool(query or kind or state),
    }
    return render(request, "sizing/workloads.html", context)


def keep_draft(request: HttpRequest, kind: str) -> HttpResponse:
    """Save what a workload form holds, however incomplete, and show it again under the draft's address."""
    draft = _kept(request, kind)
    messages.success(request, _("Draft saved. Its address keeps it; the list of workloads shows it."))
    return redirect(draft)


@require_safe
def model_search(request: HttpRequest) -> HttpResponse:
    """Models that match what is being typed, each with its shape: the list under the field."""
    return render(request, "sizing/model_hits.html", {"hits": find_models(request.GET.get("q", ""))})


def look_for_model(request: HttpRequest) -> HttpResponse:
    """The model page, with what was typed kept in a draft that its way back fills in again."""
    draft = _kept(request, Kind.LLM_SERVING)
    return redirect(reverse("sizing:model", query={"draft": draft.key}))


def _kept(request: HttpRequest, kind: str) -> WorkloadDraft:
    organisation = current_organisation(request)
    if organisation is not None:
        require(request.user, organisation, Action.SIZE)
    values = drafts.typed_values(request.POST, request.FILES)
    earlier = drafts.draft_by_key(request.POST.get("draft", ""), person(request))
    draft = drafts.save_draft(
        kind=kind, values=values, user=person(request), organisation=organisation, draft=earlier
    )  # fmt: skip
    if draft.organisation_id is None:
        remember(request, VISITOR_DRAFTS, draft.secret)
    return draft


def asked_draft(request: HttpRequest, kind: str) -> WorkloadDraft | None:
    """The draft that `?draft=` names, where it is of this kind. Raises Http404 for one that is not found."""
    key = request.GET.get("draft", "")
    if not key:
        return None
    found = drafts.draft_by_key(key, person(request))
    if found is None or found.kind != kind:
        raise Http404
    return found


@require_POST
def draft_action(request: HttpRequest, key: str, action: str) -> HttpResponse:
    """Copy or discard a draft."""
    draft = drafts.draft_by_key(key, person(request))
    if draft is None or action not in ("copy", "discard"):
        raise Http404
    if draft.organisation is not None:
        require(request.user, draft.organisation, Action.SIZE)
    if action == "discard":
        draft.delete()
        messages.success(request, _("Draft discarded."))
        return redirect("sizing:workloads")
    copy = drafts.copy_draft(draft, user=person(request))
    if copy.organisation_id is None:
        remember(request, VISITOR_DRAFTS, copy.secret)
    return redirect(copy)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    """Two to four options side by side, of one run or of several: `?option=KEY.RANK`, the first is the reference."""
    wanted = list(dict.fromkeys(request.GET.getlist("option")))
    found = [pair for pair in (_compared(request, each) for each in wanted[: MOST_COMPARED + 1]) if pair is not None]
    if len(found) < len(wanted[: MOST_COMPARED + 1]):
        raise Http404
    view = comparison(found[:MOST_COMPARED], only_differences=bool(request.GET.get("differences")))
    context = {
        "view": view,
        "too_many": len(wanted) > MOST_COMPARED,
        "with_all": _query(wanted),
        "with_differences": _query(wanted, differences="1"),
        "rebased": {
            column.key: _query([column.key, *[key for key in wanted if key != column.key]]) for column in view.columns
        },
    }
    return render(request, "sizing/compare.html", context)


def _compared(request: HttpRequest, asked: str) -> Compared | None:
    """The option of a run that the reader may see: the run's key, a dot, the rank."""
    key, _dot, rank = asked.rpartition(".")
    run = selectors.run_by_key(key, person(request)) if key and rank.isdecimal() and len(rank) < 6 else None
    row = selectors.options_of(run).filter(rank=int(rank)).first() if run is not None else None
    return None if run is None or row is None else Compared(run=run, row=row)


def _query(options: list[str], **more: str) -> str:
    query = QueryDict(mutable=True)
    query.setlist("option", list(options[:MOST_COMPARED]))
    for name, value in more.items():
        query[name] = value
    return f"{reverse('sizing:compare')}?{query.urlencode()}"
