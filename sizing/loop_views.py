"""Pages that close the loop: serve an option, measure it, bring the results back."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from sizing import selectors
from sizing.benchmark_plan import benchmark_plan
from sizing.kinds.presentation import kind_of
from sizing.models import SizingOption, SizingRun
from sizing.names import device_names
from sizing.serving import recipe_of, script_of, serve_page
from sizing.views import run_or_404

YAML, SHELL = "application/yaml", "text/x-shellscript"


@require_safe
def serve(request: HttpRequest, key: str, rank: int) -> HttpResponse:
    """How to serve an option exactly as its figures assume, and how to measure it."""
    run, row = option_or_404(request, key, rank)
    return render(request, "sizing/serve.html", serve_page(run, row) | {"hardware": hardware_of(row)})


@require_safe
def serve_file(request: HttpRequest, key: str, rank: int, name: str) -> HttpResponse:
    """One file of the recipe or the plan, as a download."""
    run, row = option_or_404(request, key, rank)
    if name == "benchmark.sh":
        return _download(name, script_of(benchmark_plan(row.data, run.request)), SHELL)
    made = recipe_of(run, row)
    files = {"compose.yaml": made.compose, "kubernetes.yaml": made.kubernetes} if made else {}
    if name not in files:
        raise Http404
    return _download(name, files[name], YAML)


def _download(name: str, content: str, content_type: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=f"{content_type}; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def option_or_404(request: HttpRequest, key: str, rank: int) -> tuple[SizingRun, SizingOption]:
    run = run_or_404(request, key)
    row = selectors.options_of(run).filter(rank=rank).first()
    if row is None or kind_of(run.request):  # recipes and plans are those of language models
        raise Http404
    return run, row


def hardware_of(row: SizingOption) -> str:
    """How many of which accelerator, as the option page calls them."""
    _maker, name = device_names([row.accelerator]).get(row.accelerator, ("", row.accelerator))
    return f"{row.data.get('accelerators_total', 1)} × {name}"
