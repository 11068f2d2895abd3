"""The living style page: every component in each of its states, for those who build pages."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from config.style.option_samples import samples
from sizing.charts import Chart, layout, plotly_figure
from sizing.forms import WorkloadForm
from sizing.memory_bar import memory_bar

STATES = ("ok", "caution", "fail", "unknown", "info")
ROLES = (
    "ink", "ink-2", "ink-3", "accent", "ok", "caution", "fail", "unknown", "info", "line", "line-strong", "page",
    "surface", "raised", "sunken",
)  # fmt: skip


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Staff only; to others the page does not exist."""
    if not getattr(request.user, "is_staff", False):
        raise Http404
    return render(request, "style/style.html", components())


def components() -> dict[str, Any]:
    """Sample data in the shapes that the pages use. The figures are made up."""
    form = WorkloadForm({"users": "0", "input_tokens": "1200", "load_by": "users"}, known_models={})
    form.is_valid()
    split = {"weights": 70.6e9, "kv": 25.4e9, "activation": 2.1e9, "runtime": 4.0e9}
    return samples() | {
        "roles": ROLES,
        "states": STATES,
        "form": form,
        "estimates": estimates(),
        "flags": ("pass", "review", "fail", "unknown"),
        "steps": steps(),
        "memory": memory_bar(split, usable_bytes=127e9),
        "short": memory_bar(split, usable_bytes=88e9),
        "leads": leads(),
        "ticks": ("25", "50", "75", "100"),
        "chart": chart(),
        "empty_chart": Chart(
            title=_("Cost against delivery cannot be drawn yet"), subtitle="", y_title="",
            figure=None, head=[], rows=[], empty=_("No option has both a price and a lead time yet."),
        ),
        "head": [{"label": _("Part")}, {"label": _("Net price"), "num": True}],
        "rows": [
            [{"text": "RTX PRO 6000"}, {"text": "8.490,00 €", "num": True}],
            [{"text": "H200 NVL"}, {"text": _("price open"), "num": True, "open": True}],
        ],
    }  # fmt: skip


def estimates() -> list[dict[str, Any]]:
    """Measured, estimated, rough, exact, unknown."""
    base = {"unit": "ms", "source": "", "explain": ""}
    return [
        base | {"value": 41.0, "low": 41.0, "high": 41.0, "basis": "measured"},
        base | {"value": 43.0, "low": 37.0, "high": 51.0, "basis": "calibrated"},
        base | {"value": 43.0, "low": 20.0, "high": 90.0, "basis": "interpolated"},
        base | {"value": 328.0, "low": 328.0, "high": 328.0, "basis": "formula"},
        base | {"value": None, "low": None, "high": None, "basis": "unknown"},
    ]


def steps() -> list[dict[str, Any]]:
    words = (
        ("done", _("Read workload")),
        ("current", _("Speed")),
        ("waiting", _("Ranking")),
        ("failed", _("Delivery")),
    )
    return [{"state": state, "label": label, "note": "", "done": 312, "total": 610} for state, label in words]


def leads() -> list[dict[str, Any]]:
    return [
        {"name": "RTX PRO 6000", "known": True, "p50": "60", "p90": "85", "text": "6–10", "deciding": True},
        {"name": "DDR5 64 GB", "known": True, "p50": "20", "p90": "30", "text": "2–3", "deciding": False},
        {"name": _("Rail kit"), "known": False, "p50": "0", "p90": "0", "text": "", "deciding": False},
    ]


def chart() -> Chart:
    points = {"type": "scatter", "x": [1, 2, 4, 8], "y": [21, 24, 31, 47], "mode": "lines+markers"}
    drawn = points | {"line": {"color": "var(--kv-accent)", "width": 2}, "marker": {"color": "var(--kv-accent)"}}
    rows: list[list[dict[str, Any]]] = [
        [{"text": str(x)}, {"text": str(y), "num": True}] for x, y in zip((1, 2, 4, 8), (21, 24, 31, 47), strict=True)
    ]
    return Chart(
        title=_("The title of a chart states the finding"), subtitle=_("Then measure, population, unit"), y_title="ms",
        figure=plotly_figure([drawn], layout(xaxis={"showgrid": False})),
        head=[{"label": _("Load")}, {"label": "ms", "num": True}], rows=rows,
    )  # fmt: skip
