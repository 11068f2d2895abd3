"""Pages that close the loop: serve an option, measure it, bring the results back, learn from them."""

from typing import Any

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from config.accounts.models import Organisation
from config.accounts.permissions import Action, may, require
from sizing import selectors, services
from sizing.core.errors import SizingError
from sizing.kinds.measured import import_kind_results, measured_rates
from sizing.kinds.presentation import kind_of
from sizing.measurements.calibrate import calibrated, sha256_of
from sizing.measurements.pages import measurements_page
from sizing.measurements.point import MeasurementProblem
from sizing.measurements.read import MAX_BYTES
from sizing.measurements.services import (
    import_quality,
    import_results,
    setting_of_option,
    store_calibration,
    use_calibration,
    use_no_calibration,
)
from sizing.measurements.watch import watch
from sizing.messages import render as words
from sizing.models import CalibrationVersion, Measurement, SizingOption, SizingRun
from sizing.names import device_names
from sizing.people import person
from sizing.requests import RequestProblem
from sizing.serving import other_load, plan_of, planned_in_flight, recipe_files, scalable, script_of, serve_page
from sizing.views import run_or_404

YAML, SHELL = "application/yaml", "text/x-shellscript"


@require_safe
def serve(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """How to serve an option exactly as its figures assume, and how to measure it."""
    run, row = option_or_404(request, key, rank)
    return render(request, "sizing/serve.html", _page(request, run, row))


def _page(request: HttpRequest, run: SizingRun, row: SizingOption, **more: Any) -> dict[str, Any]:
    owner = run.organisation if may(request.user, run.organisation, Action.VIEW) else None
    kind = kind_of(run.request)
    measured = {"rates": measured_rates(row, owner)} if kind else measurements_page(row, owner)
    context = serve_page(run, row, owner) | measured
    may_import = may(request.user, run.organisation, Action.SIZE)
    return context | {"hardware": hardware_of(row), "may_import": may_import, **more}


@require_POST
def import_file(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """Store an uploaded result file for the option, or say with 422 what is wrong with it."""
    run, row = option_or_404(request, key, rank)
    owner, upload = _owner(request, run), _uploaded(request, "results")
    try:
        content, name = _content(upload), (upload.name if upload else None) or "results"
        if kind_of(run.request):
            kept = import_kind_results(organisation=owner, content=content, name=name, option=row, user=person(request))
        else:
            kept = import_results(
                organisation=owner,
                content=content,
                name=name,
                setting=setting_of_option(row),
                option=row,
                user=person(request),
            )
    except SizingError as error:
        context = _page(request, run, row, import_problem=words(error.message))
        return render(request, "sizing/serve.html", context, status=422)
    text = ngettext("%(count)s measured load imported.", "%(count)s measured loads imported.", len(kept))
    messages.success(request, text % {"count": len(kept)})
    return redirect(_address(row))


def _uploaded(request: HttpRequest, name: str) -> "UploadedFile[Any] | None":
    found = request.FILES.get(name)
    return found if isinstance(found, UploadedFile) else None


def _content(upload: "UploadedFile[Any] | None") -> bytes:
    """The uploaded bytes; a file over the limit is refused by its size alone."""
    if upload is None:
        raise MeasurementProblem("measurement_no_file")
    if (upload.size or 0) > MAX_BYTES:
        raise MeasurementProblem("measurement_too_large", limit_mb=MAX_BYTES // 10**6)
    return bytes(upload.read())


@require_POST
def import_evaluation(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """Store two evaluations of an option's format, reference and served, or say with 422 what is wrong."""
    run, row = option_or_404(request, key, rank)
    owner = _owner(request, run)
    try:
        import_quality(
            option=row,
            organisation=owner,
            reference=_content(_uploaded(request, "reference")),
            served=_content(_uploaded(request, "served")),
            user=person(request),
        )
    except SizingError as error:
        context = _page(request, run, row, quality_problem=words(error.message))
        return render(request, "sizing/serve.html", context, status=422)
    return redirect(f"{row.get_absolute_url()}serve/#quality")


@require_POST
def watch_load(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """Compare uploaded production metrics with the load that the option was planned for."""
    run, row = option_or_404(request, key, rank)
    if run.organisation is not None:
        require(request.user, run.organisation, Action.VIEW)
    try:
        found = watch(_content(_uploaded(request, "metrics")), planned=planned_in_flight(row.data))
    except SizingError as error:
        context = _page(request, run, row, watch_problem=words(error.message))
        return render(request, "sizing/serve.html", context, status=422)
    return render(request, "sizing/serve.html", _page(request, run, row, watched=found, scalable=scalable(run.request)))


@require_POST
def size_again(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """A new run of the same workload at a multiple (`factor`) of its load; its deployment is free to change."""
    run, _row = option_or_404(request, key, rank)
    owner = _owner(request, run)
    try:
        again = services.start_run(
            request=other_load(run.request, request.POST.get("factor", "")),
            user=person(request),
            organisation=owner,
        )
    except RequestProblem as problem:
        messages.error(request, problem.errors[0].detail)
        return redirect(_address(_row))
    return redirect(again)


@require_POST
def calibrate(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """Learn from all measurements of the organisation, or use another calibration (`number`, 0: none)."""
    run, row = option_or_404(request, key, rank)
    owner = _owner(request, run)
    number = request.POST.get("number", "")
    if number == "0":
        use_no_calibration(organisation=owner, user=person(request))
        messages.success(request, _("The shipped coefficients alone are in use."))
    elif number.isdigit():
        version = CalibrationVersion.objects.filter(organisation=owner, number=int(number[:6])).first()
        if version is None:
            raise Http404
        use_calibration(version=version, user=person(request))
        messages.success(request, _("Calibration %(number)s is in use.") % {"number": version.number})
    else:
        _learn(request, owner)
    return redirect(_address(row))


def _learn(request: HttpRequest, owner: Organisation) -> None:
    content, _left_out = calibrated(Measurement.objects.filter(organisation=owner).select_related("file"))
    if not content["points"]:
        messages.error(request, words(MeasurementProblem("calibration_without_points").message))
        return
    made = store_calibration(organisation=owner, content=content, sha256=sha256_of(content), user=person(request))
    text = _("Calibration %(number)s is in use. Size the workload again to see what it changes.")
    messages.success(request, text % {"number": made.number})


def _owner(request: HttpRequest, run: SizingRun) -> Organisation:
    """The organisation of the run, where the person may change it. Visitors' runs take no measurements."""
    require(request.user, run.organisation, Action.SIZE)
    if run.organisation is None:
        raise Http404
    return run.organisation


def _address(row: SizingOption) -> str:
    return f"{row.get_absolute_url()}serve/#measured"


@require_safe
def serve_file(request: HttpRequest, key: str, rank: int, name: str) -> HttpResponse:
    """One file of the recipe or the plan, as a download."""
    run, row = option_or_404(request, key, rank)
    if name == "benchmark.sh":
        return _download(name, script_of(plan_of(run, row)), SHELL)
    content = recipe_files(run, row).get(name)
    if content is None:
        raise Http404
    return _download(name, content, YAML)


def _download(name: str, content: str, content_type: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=f"{content_type}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def option_or_404(request: HttpRequest, key: str, rank: int) -> tuple[SizingRun, SizingOption]:
    run = run_or_404(request, key)
    row = selectors.options_of(run).filter(rank=rank).first()
    if row is None:
        raise Http404
    return run, row


def hardware_of(row: SizingOption) -> str:
    """How many of which accelerator, as the option page calls them."""
    _maker, name = device_names([row.accelerator]).get(row.accelerator, ("", row.accelerator))
    return f"{row.data.get('accelerators_total', 1)} × {name}"
