"""Latency against load, and the roofline: where an option's speed comes from and where it ends.

Each chart draws what the result holds and nothing else; where numbers are missing the frame says so.
"""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.chart_parts import cell, note
from sizing.charts import ACCENT, AXIS, INK, INK_2, Chart, axis_title, layout, plotly_figure, scatter
from sizing.presentation import OptionView

BAND = "var(--kv-band)"


def metric_words(metric: str) -> str:
    words = {"tpot": _("time per output token"), "ttft": _("time to first token"), "e2e": _("end-to-end time")}
    return words[metric]


def load_chart(option: OptionView, metric: str) -> Chart:
    """How many requests before it gets slow? 95th percentile against requests in flight, with band and knee."""
    points = list(option.data.get("load_curve") or [])
    drawn = [point for point in points if _value(point, metric) is not None]
    target = ((option.request.get("targets") or {}).get(f"{metric}_ms") or {}).get("p95")
    empty = ""
    if len(drawn) < 2:
        empty = _("The result holds no curve for this option: only leading options of language models have one.")
    return Chart(
        title=_load_title(drawn, points, metric, target) if not empty else _no_curve(metric),
        subtitle=_load_subtitle(drawn, metric),
        y_title=_("ms, p95"),
        figure=None if empty else plotly_figure(_load_traces(drawn, metric), _load_layout(drawn, metric, target)),
        head=[
            {"label": _("Requests in flight")},
            {"label": _("p95, ms"), "num": True},
            {"label": _("from, ms"), "num": True},
            {"label": _("to, ms"), "num": True},
            {"label": _("Output, tokens/s"), "num": True},
        ],
        rows=[_load_row(point, metric) for point in points] if not empty else [],
        empty=empty,
    )


def _load_subtitle(drawn: Sequence[Mapping[str, Any]], metric: str) -> str:
    words = _("%(metric)s, p95, over all replicas; the band holds in nine of ten cases")
    if any(point.get("stated") and point.get("simulated") for point in drawn):
        words = _(
            "%(metric)s, p95, over all replicas; the band holds in nine of ten cases; the point of your load is "
            "simulated, the curve computed"
        )
    return words % {"metric": _capital(metric_words(metric))}


def _no_curve(metric: str) -> str:
    return _("Latency against load is not known: %(metric)s") % {"metric": metric_words(metric)}


def _load_title(
    drawn: Sequence[Mapping[str, Any]], points: Sequence[Mapping[str, Any]], metric: str, target: float | None
) -> str:
    knee = next((point["requests_in_flight"] for point in points if point.get("knee")), None)
    if not target:
        first, last = drawn[0], drawn[-1]
        words = _("From %(low)s to %(high)s requests in flight the %(metric)s goes from %(fast)s to %(slow)s")
        return words % {
            "low": figures.number(first["requests_in_flight"]),
            "high": figures.number(last["requests_in_flight"]),
            "metric": metric_words(metric),
            "fast": figures.milliseconds(_value(first, metric) or 0),
            "slow": figures.milliseconds(_value(last, metric) or 0),
        }
    held = _held(drawn, metric, float(target))
    shown = {"metric": metric_words(metric), "target": figures.milliseconds(float(target))}
    if held is None:
        return _("No load keeps the %(metric)s under %(target)s") % shown
    shown["count"] = figures.number(held["requests_in_flight"])
    if held is drawn[-1] and not any(point.get("saturated") for point in points):
        return _("Even %(count)s requests in flight keep the %(metric)s under %(target)s") % shown
    text = _("Up to %(count)s requests in flight the %(metric)s stays under %(target)s") % shown
    return text + (_("; the knee is at %(knee)s") % {"knee": figures.number(knee)} if knee else "")


def _held(drawn: Sequence[Mapping[str, Any]], metric: str, target: float) -> Mapping[str, Any] | None:
    """The last point before the target is first missed: a lower bound, nothing is read between points."""
    held = None
    for point in drawn:
        if (_value(point, metric) or 0) > target:
            break
        held = point
    return held


def _load_traces(drawn: Sequence[Mapping[str, Any]], metric: str) -> list[Any]:
    x = [point["requests_in_flight"] for point in drawn]
    y = [_value(point, metric) for point in drawn]
    low = [_bound(point, metric, "low") for point in drawn]
    high = [_bound(point, metric, "high") for point in drawn]
    stated = [point for point in drawn if point.get("stated")]
    hover = _("%(count)s in flight") % {"count": "%{x:.0f}"} + "<br>%{y:.1f} ms<extra></extra>"
    return [
        scatter(x=x, y=low, mode="lines", line={"width": 0}, hoverinfo="skip"),
        scatter(
            x=x,
            y=high,
            mode="lines",
            line={"width": 0},
            fill="tonexty",
            fillcolor=BAND,
            hoverinfo="skip",
        ),
        scatter(x=x, y=y, mode="lines", line={"color": ACCENT, "width": 2}, hovertemplate=hover),
        scatter(
            x=[point["requests_in_flight"] for point in stated],
            y=[_value(point, metric) for point in stated],
            mode="markers",
            marker={"size": 11, "color": ACCENT, "symbol": "circle"},
            hovertemplate=_("Your load") + "<br>" + hover,
        ),
    ]


def _load_layout(drawn: Sequence[Mapping[str, Any]], metric: str, target: float | None) -> dict[str, Any]:
    """Requests on a logarithmic axis from one; the target as a dashed line, the knee as a dotted one."""
    top = max([_bound(point, metric, "high") or 0 for point in drawn] + [float(target or 0)]) * 1.1
    shapes, notes = [], []
    if target:
        line = {"color": INK_2, "width": 1.5, "dash": "6px,4px"}
        shapes.append({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": target, "y1": target, "line": line})
        notes.append(note(_("Target"), x=0, y=target, xref="paper", anchor=("left", "bottom")))
    knee = next((point for point in drawn if point.get("knee")), None)
    if knee is not None:
        line = {"color": AXIS, "width": 1.5, "dash": "2px,3px"}
        at = knee["requests_in_flight"]
        shapes.append({"type": "line", "yref": "paper", "x0": at, "x1": at, "y0": 0, "y1": 1, "line": line})
        notes.append(note(_("Knee"), x=log10(at), y=1, yref="paper", anchor=("right", "top")))
    return layout(
        xaxis={
            "title": axis_title(_("requests in flight, logarithmic")),
            "type": "log",
            "showgrid": False,
            "dtick": "D2",
            "tickformat": ",~g",
        },
        yaxis={"range": [0, top], "nticks": 6, "tickformat": ",~g"},
        shapes=shapes,
        annotations=notes,
    )


def _load_row(point: Mapping[str, Any], metric: str) -> list[dict[str, Any]]:
    marks = [
        word
        for key, word in (("stated", _("your load")), ("knee", _("knee")), ("saturated", _("saturated")))
        if point.get(key)
    ]
    name = figures.number(point["requests_in_flight"]) + (f" ({', '.join(marks)})" if marks else "")
    values = [_value(point, metric), _bound(point, metric, "low"), _bound(point, metric, "high")]
    rate = (point.get("output_tokens_per_s") or {}).get("value")
    return [{"text": name}] + [cell(value) for value in (*values, rate)]


def roofline_chart(option: OptionView) -> Chart:
    """What limits me: compute or bandwidth? Roofs of the formats, decode and prefill as points under them."""
    data = option.data.get("roofline") or {}
    points, roofs = list(data.get("points") or []), list(data.get("roofs") or [])
    known = bool(points and roofs and data.get("bandwidth_gb_s"))
    figure = None
    if known:
        bandwidth = float(data["bandwidth_gb_s"])
        ends = _intensities(points, roofs)
        used = {point["format"] for point in points}
        traces = [_roof_trace(roof, bandwidth, ends, bold=roof["format"] in used) for roof in roofs]
        figure = plotly_figure([*traces, _operating_trace(points)], _roof_layout(points, roofs, bandwidth, ends))
    return Chart(
        title=_roof_title(points) if known else _("The roofline cannot be drawn"),
        subtitle=_("One accelerator at the stated load; rates of data sheets are no comparison of throughput"),
        y_title=_("TFLOP/s, logarithmic"),
        figure=figure,
        head=[
            {"label": _("Step")},
            {"label": _("FLOP per byte"), "num": True},
            {"label": _("Reached, TFLOP/s"), "num": True},
            {"label": _("Roof there, TFLOP/s"), "num": True},
            {"label": _("Reached, GB/s"), "num": True},
            {"label": _("Format")},
        ],
        rows=[*map(_roof_row, points), *map(_peak_row, roofs)] if known else [],
        empty="" if known else _("The result holds no operating point for this option."),
    )


def phase_words(phase: str) -> str:
    return {"decode": _("Decode"), "prefill": _("Prefill")}.get(phase, phase)


def _roof_title(points: Sequence[Mapping[str, Any]]) -> str:
    parts = []
    for point in points:
        roof = float(point["attainable_tflops"]) or 1.0
        words = (
            _("%(phase)s is limited by bandwidth: %(share)s of the roof")
            if point["memory_bound"]
            else _("%(phase)s is limited by compute: %(share)s of the roof")
        )
        share = figures.percent(min(1.0, float(point["tflops"]) / roof))
        parts.append(words % {"phase": phase_words(point["phase"]), "share": share})
    return "; ".join(parts)


def _intensities(points: Sequence[Mapping[str, Any]], roofs: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    found = [float(point["flop_per_byte"]) for point in points]
    found += [float(roof["ridge_flop_per_byte"]) for roof in roofs]
    return min(found) / 4, max(found) * 4


def _roof_trace(roof: Mapping[str, Any], bandwidth_gb_s: float, ends: tuple[float, float], *, bold: bool) -> Any:
    ridge = float(roof["ridge_flop_per_byte"])
    x = [ends[0], ridge, ends[1]]
    y = [each * bandwidth_gb_s / 1000 if each < ridge else float(roof["tflops"]) for each in x]
    line = {"color": INK if bold else AXIS, "width": 2 if bold else 1}
    return scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def _operating_trace(points: Sequence[Mapping[str, Any]]) -> Any:
    return scatter(
        x=[point["flop_per_byte"] for point in points],
        y=[point["tflops"] for point in points],
        mode="markers+text",
        text=[phase_words(point["phase"]) for point in points],
        textposition="bottom center",
        textfont={"color": INK},
        marker={
            "size": 11,
            "color": ACCENT,
            "symbol": ["circle" if p["phase"] == "decode" else "square" for p in points],
        },
        hovertemplate="%{text}<br>%{x:.1f} FLOP/B<br>%{y:.1f} TFLOP/s<extra></extra>",
        cliponaxis=False,
    )


def _roof_layout(
    points: Sequence[Mapping[str, Any]],
    roofs: Sequence[Mapping[str, Any]],
    bandwidth_gb_s: float,
    ends: tuple[float, float],
) -> dict[str, Any]:
    reached = [float(point["tflops"]) for point in points] + [ends[0] * bandwidth_gb_s / 1000]
    low, high = log10(min(reached)) - 0.3, log10(max(float(roof["tflops"]) for roof in roofs)) + 0.3
    return layout(
        xaxis={
            "title": axis_title(_("FLOP per byte, logarithmic")),
            "type": "log",
            "showgrid": False,
            "range": [log10(ends[0]), log10(ends[1])],
            "dtick": 1,
            "tickformat": ",~g",
        },
        yaxis={"type": "log", "range": [low, high], "dtick": 1, "tickformat": ",~g"},
        annotations=_roof_names([roof for roof in roofs if roof["format"] in {p["format"] for p in points}], ends),
    )


def _roof_names(roofs: Sequence[Mapping[str, Any]], ends: tuple[float, float]) -> list[dict[str, Any]]:
    """One name for each height, at the right end; formats of one height share it."""
    heights: dict[float, list[str]] = {}
    for roof in roofs:
        heights.setdefault(round(log10(float(roof["tflops"])), 2), []).append(str(roof["format"]).upper())
    return [
        note(" = ".join(names), x=log10(ends[1]), y=height, anchor=("right", "bottom"))
        for height, names in heights.items()
    ]


def _roof_row(point: Mapping[str, Any]) -> list[dict[str, Any]]:
    keys = ("flop_per_byte", "tflops", "attainable_tflops", "gb_per_s")
    return [
        {"text": phase_words(point["phase"])},
        *(cell(point[key]) for key in keys),
        {"text": str(point["format"]).upper()},
    ]


def _peak_row(roof: Mapping[str, Any]) -> list[dict[str, Any]]:
    """A roof of the data sheet: its ridge point and its dense peak."""
    none = {"text": "", "num": True}
    return [
        {"text": _("Ridge point")},
        cell(roof["ridge_flop_per_byte"]),
        none,
        cell(roof["tflops"]),
        none,
        {"text": str(roof["format"]).upper()},
    ]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _value(point: Mapping[str, Any], metric: str) -> float | None:
    return _bound(point, metric, "value")


def _bound(point: Mapping[str, Any], metric: str, key: str) -> float | None:
    stated = point.get(f"{metric}_ms") or {}
    value = stated.get(key)
    return float(value) if value is not None else (float(stated["value"]) if stated.get("value") is not None else None)
