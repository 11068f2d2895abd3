"""How long does a request wait for others? Delay against batch of a server that gathers single requests."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.chart_parts import cell, note
from sizing.charts import ACCENT, AXIS, INK, INK_2, Chart, axis_title, layout, plotly_figure, scatter
from sizing.core.units import MS_PER_S
from sizing.presentation import OptionView

GATHERED = frozenset({"vision", "edge", "embedding"})
"""Kinds whose single requests a server such as Triton gathers into batches."""

type Point = Mapping[str, Any]


def batch_chart(option: OptionView) -> Chart:
    """Wait, time of a batch and p95 latency by batch, at one replica's share of the load."""
    points = list((option.data.get("performance") or {}).get("batching") or [])
    carrying = [point for point in points if point["p95_s"] is not None]
    limit_ms = ((option.request.get("targets") or {}).get("latency_ms") or {}).get("p95")
    empty = "" if carrying else _("A job with a deadline fills every batch at once: no request waits for others.")
    return Chart(
        title=_title(points, limit_ms) if carrying else _("Delay against batch"),
        subtitle=_("Dynamic batching on one replica at its share of the load: longest wait that fills the batch"),
        y_title=_("ms, logarithmic"),
        figure=plotly_figure(_traces(carrying), _layout(carrying, limit_ms)) if carrying else None,
        head=[
            {"label": _("Batch")},
            {"label": _("Wait that fills it, ms"), "num": True},
            {"label": _("Time of the batch, ms"), "num": True},
            {"label": _("Latency, p95, ms"), "num": True},
            {"label": _("Device busy"), "num": True},
            {"label": _("Items per second at most"), "num": True},
            {"label": _("Limit")},
        ],
        rows=[_row(point) for point in points],
        empty=empty,
    )


def _title(points: Sequence[Point], limit_ms: float | None) -> str:
    chosen = next((point for point in points if point["chosen"]), None)
    if chosen is None:
        return _("No batch carries the load on this number of replicas")
    shown = {
        "batch": figures.number(chosen["batch"]),
        "delay": figures.milliseconds(chosen["delay_s"] * MS_PER_S),
        "latency": figures.milliseconds(chosen["p95_s"] * MS_PER_S),
    }
    if chosen["batch"] == 1:
        text = _("Single requests carry the load: nobody waits, latency %(latency)s") % shown
    else:
        text = _("Batches of %(batch)s carry the load: %(delay)s of waiting, latency %(latency)s") % shown
    kept = [point["batch"] for point in points if point["kept"]]
    if limit_ms is None or not kept:
        return text
    limit = {"batch": figures.number(max(kept)), "limit": figures.milliseconds(float(limit_ms))}
    return text + _("; up to %(batch)s keep %(limit)s") % limit


def _traces(points: Sequence[Point]) -> list[Any]:
    x = [point["batch"] for point in points]
    lines = (
        (_("latency, p95"), "p95_s", ACCENT, "solid"),
        (_("time of the batch"), "batch_s", INK_2, "8px,4px"),
        (_("wait that fills it"), "delay_s", "var(--kv-c2)", "2px,4px"),
    )
    return [
        scatter(
            x=[size for size, point in zip(x, points, strict=True) if point[key]],
            y=[point[key] * MS_PER_S for point in points if point[key]],
            mode="lines+markers",
            line={"color": colour, "width": 2.5, "dash": dash},
            marker={"size": [11 if point["chosen"] and key == "p95_s" else 6 for point in points if point[key]]},
            hovertemplate=f"{name}<br>%{{x}}: %{{y:.2f}} ms<extra></extra>",
            name=name,
        )
        for name, key, colour, dash in lines
    ]


def _layout(points: Sequence[Point], limit_ms: float | None) -> dict[str, Any]:
    middle, last = points[len(points) // 2], points[-1]
    places = (
        (_("latency, p95"), last, "p95_s", ("right", "bottom")),
        (_("time of the batch"), middle, "batch_s", ("left", "top")),
        (_("wait that fills it"), middle, "delay_s", ("left", "top")),
    )
    notes = [
        note(name, x=log10(point["batch"]), y=log10(point[key] * MS_PER_S), anchor=anchor)
        for name, point, key, anchor in places
        if point[key]
    ]
    shapes = []
    if limit_ms:
        line = {"color": AXIS, "width": 1.5, "dash": "6px,4px"}
        shapes.append({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": limit_ms, "y1": limit_ms, "line": line})
        words = _("limit %(value)s") % {"value": figures.milliseconds(float(limit_ms))}
        notes.append(note(words, x=0, y=log10(float(limit_ms)), anchor=("left", "bottom"), xref="paper"))
    sizes = [point["batch"] for point in points]
    return layout(
        xaxis={
            "title": axis_title(_("items in a batch")),
            "type": "log",
            "tickvals": sizes,
            "ticktext": [figures.number(size) for size in sizes],
            "showgrid": False,
        },
        yaxis={"type": "log"},
        annotations=[each | {"font": {"color": INK, "size": 14}} for each in notes],
        shapes=shapes,
    )


def _row(point: Point) -> list[dict[str, Any]]:
    carries = point["p95_s"] is not None
    kept = {True: _("kept"), False: _("missed"), None: _("none stated")}[point["kept"]]
    name = figures.number(point["batch"])
    return [
        {"text": _("%(batch)s, enough for the load") % {"batch": name} if point["chosen"] else name},
        cell(point["delay_s"] * MS_PER_S),
        cell(point["batch_s"] * MS_PER_S),
        cell(point["p95_s"] * MS_PER_S) if carries else {"text": _("queue grows"), "num": True, "open": True},
        {"text": figures.percent(point["busy"]), "num": True},
        cell(point["items_per_s"]),
        {"text": kept if carries or point["kept"] is None else _("load missed")},
    ]
