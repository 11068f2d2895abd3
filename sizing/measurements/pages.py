"""What the page of an option shows of its measurements: table, chart, errors by regime, calibration in use."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from config.accounts.models import Organisation
from sizing import figures
from sizing.charts import ACCENT, GRID, INK, INK_2, Chart, axis_title, layout, plotly_figure, scatter
from sizing.measurements.apply import active
from sizing.measurements.compare import Comparison, Term, comparisons, regimes, suspects
from sizing.messages import render
from sizing.models import CalibrationVersion, Measurement, QualityEvaluation, SizingOption

TERMS = {
    Term.MEMORY_POOL: gettext_lazy("memory pool: requests wait longer for room in the cache than predicted"),
    Term.DECODE_STEP: gettext_lazy("decode step: a step takes longer or shorter than predicted"),
    Term.PREFILL: gettext_lazy("prefill: computing the prompts takes longer or shorter than predicted"),
    Term.QUEUEING: gettext_lazy("queueing: requests wait longer or shorter for their turn than predicted"),
}
TICKS = 8  # of the chart: more would run into each other on a narrow screen
REGIMES = {
    "low": gettext_lazy("up to 8 in flight"),
    "middle": gettext_lazy("9 to 32 in flight"),
    "high": gettext_lazy("more than 32 in flight"),
}


def own_sources(references: Iterable[str], organisation: Organisation | None) -> dict[str, tuple[str, str]]:
    """Reference of an own measured point ("own:digest:line") -> its file and line, and the page it was imported on."""
    among = Q()
    for _own, digest, line in (each.split(":") for each in references if each.startswith("own:")):
        among |= Q(file__sha256__startswith=digest, line=int(line))
    if not among or organisation is None:
        return {}
    rows = Measurement.objects.filter(among, organisation=organisation).select_related("file", "option__run")
    return {
        f"own:{row.file.sha256[:16]}:{row.line}": (
            f"{row.file.name}:{row.line}",
            f"{row.option.get_absolute_url()}serve/#measured" if row.option else "",
        )
        for row in rows
    }


def measurements_page(option: SizingOption, organisation: Organisation | None) -> dict[str, Any]:
    """Measurements of this option that belong to `organisation`; nothing for visitors."""
    rows = []
    if organisation is not None:
        found = Measurement.objects.filter(option=option, organisation=organisation).select_related("file")
        rows = list(found.order_by("concurrent", "pk"))
    compared = comparisons(rows)
    own = active(organisation)
    versions = CalibrationVersion.objects.filter(organisation=organisation) if organisation else []
    evaluation = (
        QualityEvaluation.objects.filter(option=option, organisation=organisation).first() if organisation else None
    )
    return {
        "evaluation": evaluation,
        "evaluation_worse": [task for task in evaluation.tasks if task["worse"]] if evaluation else [],
        "measured": [_row(each) for each in compared],
        "measured_chart": chart(compared),
        "measured_regimes": [
            {
                "name": REGIMES[each.name],
                "loads": each.loads,
                "tpot": _share(each.tpot_error),
                "ttft": _share(each.ttft_error),
                "bias": _signed(each.bias),
            }
            for each in regimes(compared)
        ],
        "measured_suspects": [{"words": TERMS[term], "loads": count} for term, count in suspects(compared).items()],
        "calibration": own,
        "calibrations": [{"number": v.number, "active": v.active, "points": v.content["points"]} for v in versions],
    }


def _row(each: Comparison) -> dict[str, Any]:
    row = each.measurement
    return {
        "tool": f"{row.tool} {row.tool_version}".strip(),
        "file": row.file.name,
        "line": row.line,
        "day": row.measured_on,
        "concurrent": row.concurrent,
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "tpot": row.statistics.get("tpot", {}).get("mean"),
        "ttft": row.statistics.get("ttft", {}).get("mean"),
        "tpot_predicted": each.tpot_ms,
        "ttft_predicted": each.ttft_ms,
        "saturated": each.saturated,
        "tpot_error": _signed(each.tpot_error),
        "ttft_error": _signed(each.ttft_error),
        "inside": each.inside,
        "term": TERMS[each.term] if each.term else "",
        "warnings": [render(warning) for warning in row.warnings],
    }


def _share(value: float | None) -> str:
    return "" if value is None else figures.with_unit(figures.number(100 * value, 1), "%")


def _signed(value: float | None) -> str:
    """Per cent with its sign: above zero the prediction was too long."""
    if value is None:
        return ""
    sign = "+" if value >= 0 else ""
    return sign + figures.with_unit(figures.number(100 * value, 1), "%")


def chart(found: Sequence[Comparison]) -> Chart | None:
    """Time per token over requests in flight: measured points, and the prediction with its interval."""
    known = [each for each in found if each.tpot_ms is not None]
    if not known:
        return None
    known = sorted(known, key=lambda each: each.measurement.concurrent)
    loads = [each.measurement.concurrent for each in known]
    measured = [each.measurement.statistics["tpot"]["mean"] for each in known]
    inside = sum(1 for each in known if each.inside)
    title = ngettext(
        "%(inside)s of %(count)s measured load lies within the predicted interval",
        "%(inside)s of %(count)s measured loads lie within the predicted interval",
        len(known),
    ) % {"inside": inside, "count": len(known)}
    traces = [
        scatter(x=loads, y=[each.tpot_high_ms for each in known], mode="lines", line={"width": 0}, hoverinfo="skip"),
        scatter(
            x=loads, y=[each.tpot_low_ms for each in known], mode="lines", line={"width": 0}, fill="tonexty",
            fillcolor=GRID, hoverinfo="skip",
        ),
        scatter(
            x=loads, y=[each.tpot_ms for each in known], mode="lines", name=_("predicted"),
            line={"color": ACCENT, "width": 2},
        ),
        scatter(
            x=loads, y=measured, mode="markers", name=_("measured"),
            marker={"color": INK, "size": 9, "symbol": "diamond", "line": {"color": INK_2, "width": 1}},
        ),
    ]  # fmt: skip
    marks = sorted(set(loads))
    marks = marks[:: -(-len(marks) // TICKS)]
    frame = layout(
        xaxis={
            "title": axis_title(_("Requests in flight")),
            "type": "log",
            "tickvals": marks,
            "ticktext": [figures.figure(load) for load in marks],
        },
        yaxis={"rangemode": "tozero"},
    )
    return Chart(
        title=title,
        subtitle=_("Line and band: prediction with its 90 % interval; diamonds: measured"),
        y_title=_("Time per output token, ms"),
        figure=plotly_figure(traces, frame),
        head=[
            {"label": _("Requests in flight"), "num": True},
            {"label": _("Measured, ms"), "num": True},
            {"label": _("Predicted, ms"), "num": True},
        ],
        rows=[
            [
                {"text": figures.figure(load), "num": True},
                {"text": figures.figure(value), "num": True},
                {"text": figures.figure(each.tpot_ms or 0.0), "num": True},
            ]
            for load, value, each in zip(loads, measured, known, strict=True)
        ],
    )
