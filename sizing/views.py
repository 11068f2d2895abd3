"""Pages of the sizing app: start, workload, run, result, option."""

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST, require_safe

from catalog.models import AiModel
from config.accounts.models import Organisation
from config.accounts.permissions import Action, require
from config.accounts.selectors import current_organisation
from sizing import figures, pages, result_page, selectors, services, workload_views
from sizing.choices import Kind, RunState
from sizing.core.errors import SizingError
from sizing.examples import BY_KEY, EXAMPLES
from sizing.explanations import explanation
from sizing.forms import WorkloadForm, initial_of
from sizing.inputs import asked
from sizing.kinds.cards import CARDS
from sizing.kinds.questions import asked as kind_asked
from sizing.messages import render as words
from sizing.models import SizingRun
from sizing.people import VISITOR_RUNS, claim_visitor_rows, person, remember
from sizing.preview import preview
from sizing.preview_words import preview_view
from sizing.requests import FieldProblem, RequestProblem, read_request
from sizing.trying import changes_of

RECENT_RUNS = 8


@require_safe
def start(request: HttpRequest) -> HttpResponse:
    """What do you want to run? Kinds, ready-made examples, recent runs."""
    claim_visitor_rows(request)
    recent = selectors.runs_for(person(request), secrets=request.session.get(VISITOR_RUNS, []))[:RECENT_RUNS]
    return render(request, "sizing/start.html", {"examples": EXAMPLES, "kinds": CARDS, "recent": list(recent)})


def workload(request: HttpRequest) -> HttpResponse:
    """The workload form. A valid POST starts a run and leads to it; a faulty one answers 422 with the form."""
    if "save" in request.POST:
        return workload_views.keep_draft(request, Kind.LLM_SERVING)
    if "look" in request.POST:
        return workload_views.look_for_model(request)
    if request.method != "POST":
        form = WorkloadForm(initial=initial_values(request), known_models=known_models())
        return render(request, "sizing/workload.html", pages.workload_page(form, request))
    form = WorkloadForm(request.POST, request.FILES, known_models=known_models())
    run = start_from(form, request) if form.is_valid() else None
    if run is None:
        return render(request, "sizing/workload.html", pages.workload_page(form, request), status=422)
    if run.organisation_id is None:
        remember(request, VISITOR_RUNS, run.secret)
    return redirect(run)


def start_from(form: WorkloadForm, request: HttpRequest) -> SizingRun | None:
    """The run of a valid form; None where the request is refused, the form then says why."""
    organisation = current_organisation(request)
    if organisation is not None:
        require(request.user, organisation, Action.SIZE)
    stated = form.request_json()
    try:
        check(read_request(stated, today=timezone.now().date()))  # what contradicts the model is said now
        return services.start_run(request=stated, user=person(request), organisation=organisation)
    except RequestProblem as problem:
        form.add_problems(problem.errors)
    except SizingError as error:
        form.add_problems([FieldProblem(pointer=error.pointer, code=error.code, detail=words(error.message))])
    return None


def check(stated: Mapping[str, Any]) -> None:
    """Raises SizingError where a canonical request contradicts its model or the catalogue."""
    reader = asked if stated["kind"] == Kind.LLM_SERVING else kind_asked
    reader(stated)


@require_POST
def workload_preview(request: HttpRequest) -> HttpResponse:
    """The live preview of a form that is still being filled in."""
    form = WorkloadForm(request.POST, request.FILES, known_models=known_models())
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        try:
            context["preview"] = preview_view(preview(form.request_json()))
        except RequestProblem as problem:
            form.add_problems(problem.errors)
        except SizingError as error:
            context["problem"] = words(error.message)
    return render(request, "sizing/workload.html#preview", context)


@require_safe
def run(request: HttpRequest, key: str) -> HttpResponse:
    """A run: its progress, or its result once it is done."""
    found = run_or_404(request, key)
    if found.state != RunState.DONE:
        return render(request, "sizing/run.html", pages.progress_page(found))
    if request.GET.get("format") == "csv":
        name = f"kvote-options-{found.created_at:%Y-%m-%d}.csv"
        disposition = {"Content-Disposition": f'attachment; filename="{name}"'}
        content = result_page.result_csv(found, request.GET.dict())
        return HttpResponse(content, content_type="text/csv; charset=utf-8", headers=disposition)
    if request.headers.get("HX-Target") == "options":
        context = result_page.result_context(found, request.GET, columns=request.GET.getlist("columns"))
        return render(request, "sizing/result_body.html#options", context)
    return render(request, "sizing/results.html", result_page.result_page(request, found))


@require_GET
def progress(request: HttpRequest, key: str) -> HttpResponse:
    """The progress list alone, for polling. The answer of a finished run asks for no further one."""
    return render(request, "sizing/run.html#progress", pages.progress_page(run_or_404(request, key)))


@require_POST
def cancel(request: HttpRequest, key: str) -> HttpResponse:
    found = run_or_404(request, key)
    if found.organisation is not None:
        require(request.user, found.organisation, Action.SIZE)
    services.cancel_run(found)
    return redirect(found)


@require_safe
def option(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """One option: every figure, the bill of materials, and with `?why=` what stands behind a figure."""
    found = run_or_404(request, key)
    row = selectors.options_of(found).filter(rank=rank).first()
    if row is None:
        raise Http404
    why = request.GET.get("why")
    alone = bool(why) and bool(request.headers.get("HX-Request"))
    context: dict[str, Any] = {"run": found}
    if why:
        opened = pages.opened_option(found, row)
        context |= {"option": opened, "why": explanation(opened, found.request, why, run=found)}
        if context["why"] is None:
            raise Http404
    if not alone:
        context |= pages.option_page(request, found, row)
    return render(request, f"sizing/option.html{'#why' if alone else ''}", context)


def run_or_404(request: HttpRequest, key: str) -> SizingRun:
    found = selectors.run_by_key(key, person(request))
    if found is None:
        raise Http404
    return found


def known_models() -> dict[str, str]:
    """Lower-case name -> id of every model of the catalogue."""
    return {name.lower(): name for name in AiModel.objects.values_list("model_id", flat=True)}


def currency_of(organisation: Organisation | None) -> str:
    """The currency to begin with: that of the organisation, for a visitor the usual one of the language."""
    if organisation is not None:
        return organisation.currency
    return "EUR" if figures.locale() == "de" else "USD"


def initial_values(request: HttpRequest) -> dict[str, Any]:
    """Values from a draft (`?draft=`), an earlier run (`?from=`), an example (`?example=`), else the defaults."""
    draft = workload_views.asked_draft(request, Kind.LLM_SERVING)
    if draft is not None:
        return dict(draft.values) | model_of_page(request.GET)
    earlier = selectors.run_by_key(request.GET.get("from", ""), person(request)) if "from" in request.GET else None
    if earlier is not None:
        return initial_of(earlier.request) | changes_of(request.GET)
    values: dict[str, Any] = {"currency": currency_of(current_organisation(request))}
    example = BY_KEY.get(request.GET.get("example", "support-chat"))
    if example is not None:
        values |= example.values
        values["name"] = str(example.name)
    return values | model_of_page(request.GET)


def model_of_page(stated: Mapping[str, str]) -> dict[str, str]:
    """What a link of the model page carries: a catalogue id, or a config and the exact bytes of its files."""
    values: dict[str, str] = {}
    if named := stated.get("model"):
        values |= {"model": named[:200], "config_text": "", "weight_files": ""}
    if config := stated.get("config"):
        values |= {"model": "", "config_text": config, "weights_format": "", "weight_files": ""}
    if files := stated.get("weight_files"):
        values["weight_files"] = files
    return values
