"""The workload pages of the kinds besides language models."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from config.accounts.selectors import current_organisation
from sizing import selectors, workload_views
from sizing.choices import Kind
from sizing.core.errors import SizingError
from sizing.kinds.examples import BY_KEY, KIND_EXAMPLES
from sizing.kinds.forms import FORMS, KindForm
from sizing.kinds.models import usable_rows
from sizing.kinds.preview import preview
from sizing.messages import render as words
from sizing.pages import FOLDED
from sizing.people import VISITOR_RUNS, person, remember
from sizing.requests import RequestProblem
from sizing.views import currency_of, start_from
from sizing.views import known_models as language_models


def workload(request: HttpRequest, kind: str) -> HttpResponse:
    """The form of one kind. A valid POST starts a run and leads to it; a faulty one answers 422 with the form."""
    form_class = FORMS.get(kind)
    if form_class is None:
        raise Http404
    if "save" in request.POST:
        return workload_views.keep_draft(request, kind)
    known = known_models(kind)
    if request.method != "POST":
        form = form_class(initial=initial_values(request, form_class), known_models=known)
        return render(request, "sizing/kinds/workload.html", page(form, kind))
    form = form_class(request.POST, known_models=known)
    run = start_from(form, request) if form.is_valid() else None
    if run is None:
        return render(request, "sizing/kinds/workload.html", page(form, kind), status=422)
    if run.organisation_id is None:
        remember(request, VISITOR_RUNS, run.secret)
    return redirect(run)


@require_POST
def live_preview(request: HttpRequest, kind: str) -> HttpResponse:
    """The panel beside a form that is still being filled in."""
    form_class = FORMS.get(kind)
    if form_class is None:
        raise Http404
    form = form_class(request.POST, known_models=known_models(kind))
    context: dict[str, Any] = {"form": form, "kind": kind}
    if form.is_valid():
        try:
            context["preview"] = preview(form.request_json())
        except RequestProblem as problem:
            form.add_problems(problem.errors)
        except SizingError as error:
            context["problem"] = words(error.message)
    return render(request, "sizing/kinds/workload.html#preview", context)


def page(form: KindForm, kind: str) -> dict[str, Any]:
    """What the template shows. Folded parts with an error open."""
    open_parts = {part for part, names in FOLDED.items() if any(n in form.fields and form[n].errors for n in names)}
    return {
        "form": form,
        "kind": kind,
        "kind_label": Kind(kind).label,
        "sections": form.sections(),
        "models": sorted(form.known_models.values()),
        "examples": KIND_EXAMPLES[kind],
        "open_parts": open_parts,
    }


def known_models(kind: str) -> dict[str, str]:
    """Lower-case name -> id of every published model of the kind that can be sized."""
    if kind in ("models", "recommendation", "tabular"):
        return {}
    if kind == Kind.RAG:
        return language_models()
    return {row.model_id.lower(): row.model_id for row in usable_rows(kind)}


def initial_values(request: HttpRequest, form_class: type[KindForm]) -> dict[str, Any]:
    """Values from an earlier run (`?from=`), else from an example (`?example=`), the first one where none is named."""
    draft = workload_views.asked_draft(request, form_class.kind)
    if draft is not None:
        return dict(draft.values)
    earlier = selectors.run_by_key(request.GET.get("from", ""), person(request)) if "from" in request.GET else None
    if earlier is not None and earlier.request.get("kind") == form_class.kind:
        return form_class.initial_of(earlier.request)
    values: dict[str, Any] = {"currency": currency_of(current_organisation(request))}
    offered = KIND_EXAMPLES[form_class.kind]
    named = BY_KEY.get(request.GET.get("example", ""))
    chosen = named if named in offered else offered[0]
    return values | dict(chosen.values) | {"name": str(chosen.name)}
