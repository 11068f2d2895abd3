"""Result -> Plotly figure as a plain dict, plus the same numbers as a table.

Colours are names of CSS variables; `static/js/charts.js` puts in the values of the theme that is shown.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from math import log10
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sizing import figures
from sizing.presentation import OptionView

INK, INK_2, GRID, AXIS = "var(--kv-ink)", "var(--kv-ink-3)", "var(--kv-chart-grid)", "var(--kv-chart-axis)"
SURFACE, ACCENT = "var(--kv-surface)", "var(--kv-accent)"
FONT = "'Source Sans 3', system-ui, sans-serif"
ZERO = Decimal(0)
LINEAR_RATIO = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A finding, the figure that shows it, and its numbers as a table (first column names the row).

    `figure` is None where there is nothing to draw; `empty` then says why.
    """

    title: str
    subtitle: str
    y_title: str
    figure: dict[str, Any] | None
    head: list[dict[str, Any]]
    rows: list[list[dict[str, Any]]]
    empty: str = ""
    legend: list[tuple[str, str]] = field(default_factory=list)  # key of a memory part, its word


def layout(**changes: Any) -> dict[str, Any]:
    """The frame of every figure: no title inside, horizontal grid, text of 14 pixels."""
    axis = {"gridcolor": GRID, "linecolor": AXIS, "zeroline": False, "fixedrange": True, "automargin": True}
    base: dict[str, Any] = {
        "font": {"family": FONT, "size": 14, "color": INK_2},
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "margin": {"l": 48, "r": 16, "t": 12, "b": 44},
        "hovermode": "closest",
        "showlegend": False,
        "separators": ",." if figures.locale() == "de" else ".,",
        "hoverlabel": {
            "bgcolor": "var(--kv-raised)",
            "bordercolor": AXIS,
            "font": {"family": FONT, "size": 14, "color": INK},
        },
    }
    axes = {name: axis | changes.pop(name, {}) for name in ("xaxis", "yaxis")}
    return base | axes | changes


def axis_title(text: str) -> dict[str, Any]:
    return {"text": text, "standoff": 8, "font": {"size": 14}}


def scatter(**properties: Any) -> dict[str, Any]:
    """A trace of points and lines, in the properties of Plotly; tests hold every figure against its validators."""
    return {"type": "scatter"} | properties


def bar(**properties: Any) -> dict[str, Any]:
    return {"type": "bar"} | properties


def plotly_figure(traces: Sequence[dict[str, Any]], frame: dict[str, Any]) -> dict[str, Any]:
    """A figure as the page's script reads it."""
    return {"data": list(traces), "layout": frame}


def on_frontier(options: Sequence[OptionView]) -> list[OptionView]:
    """Options that no other beats in both price and weeks, soonest first. Both must be known."""
    known = [
        option for option in options if option.at_most is not None and option.delivery.get("weeks_p50") is not None
    ]
    ordered = sorted(known, key=lambda option: (option.delivery["weeks_p50"], option.at_most, option.rank))
    frontier: list[OptionView] = []
    for option in ordered:
        if not frontier or (option.at_most or 0) < (frontier[-1].at_most or 0):
            frontier.append(option)
    return frontier


def frontier_chart(options: Sequence[OptionView], *, budget: float | None = None) -> Chart:
    """What does it cost to get it sooner? Weeks from order against net price."""
    known = [
        option for option in options if option.at_most is not None and option.delivery.get("weeks_p50") is not None
    ]
    best = on_frontier(options)
    currency = str(known[0].price.get("currency")) if known else ""
    figure = None
    if known:
        drawn = [option for option in known if option not in best] + best  # what is drawn last lies on top
        traces = [_step_line(best), _points(drawn, best, currency)]
        figure = plotly_figure(traces, _frontier_layout(known, best, budget))
    return Chart(
        title=_frontier_title(best, currency),
        subtitle=_("Net price, open lines at the highest price known, against weeks from order; whiskers to p90"),
        y_title=_y_title(currency, logarithmic=_spans_decades(known)),
        figure=figure,
        head=[
            {"label": _("Hardware")},
            {"label": _("Net price"), "num": True},
            {"label": _("At most"), "num": True},
            {"label": _("Weeks p50"), "num": True},
            {"label": _("Weeks p90"), "num": True},
        ],
        rows=[_frontier_row(option) for option in options],
        empty="" if known else _("No option has both a price and a lead time yet."),
    )


def _spans_decades(known: Sequence[OptionView]) -> bool:
    """Whether prices differ so much that the cheap ones would lie on the axis of a linear plot."""
    amounts = [float(option.at_most or 0) for option in known]
    return bool(amounts) and max(amounts) > LINEAR_RATIO * min(amounts) > 0


def _y_title(currency: str, *, logarithmic: bool) -> str:
    words = _("thousand %(currency)s, net, logarithmic") if logarithmic else _("thousand %(currency)s, net")
    return words % {"currency": currency}


def _frontier_title(best: Sequence[OptionView], currency: str) -> str:
    if not best:
        return _("Cost against delivery cannot be drawn yet")
    soonest, cheapest = best[0], best[-1]
    if soonest is cheapest:
        return _("%(hardware)s is both the cheapest and the soonest with a known price and date") % {
            "hardware": cheapest.hardware
        }
    weeks = cheapest.delivery["weeks_p50"] - soonest.delivery["weeks_p50"]
    more = (soonest.at_most or ZERO) - (cheapest.at_most or ZERO)
    if soonest.price_complete and cheapest.price_complete:
        words = ngettext("%(weeks)s sooner costs %(money)s more", "%(weeks)s sooner cost %(money)s more", round(weeks))
    else:
        words = _("%(weeks)s sooner cost about %(money)s more, open lines at the highest price known")
    return words % {"weeks": figures.weeks(weeks), "money": figures.amount(more, currency)}


def _step_line(best: Sequence[OptionView]) -> Any:
    return scatter(
        x=[option.delivery["weeks_p50"] for option in best],
        y=[float(option.at_most or 0) / 1000 for option in best],
        mode="lines",
        line={"color": ACCENT, "width": 2, "shape": "hv"},
        hoverinfo="skip",
    )


def _points(known: Sequence[OptionView], best: Sequence[OptionView], currency: str) -> Any:
    ranks = {option.rank for option in best}
    return scatter(
        x=[option.delivery["weeks_p50"] for option in known],
        y=[float(option.at_most or 0) / 1000 for option in known],
        mode="markers",
        marker={
            "size": 10,
            "color": [ACCENT if option.rank in ranks else SURFACE for option in known],
            "line": {"width": 2, "color": [ACCENT if option.rank in ranks else AXIS for option in known]},
        },
        error_x={
            "type": "data",
            "symmetric": False,
            "array": [_whisker_weeks(option) if option.rank in ranks else 0 for option in known],
            "arrayminus": [0] * len(known),
            "color": AXIS,
            "thickness": 1.5,
            "width": 3,
        },
        customdata=[[option.hardware, figures.amount(option.at_most or ZERO, currency)] for option in known],
        hovertemplate="%{customdata[0]}<br>%{customdata[1]}<br>"
        + _("%(weeks)s weeks from order") % {"weeks": "%{x}"}
        + "<extra></extra>",
        cliponaxis=False,
    )


def _whisker_weeks(option: OptionView) -> float:
    """From the middle date to the careful one; only the frontier shows it, else whiskers hide the points."""
    early = option.delivery["weeks_p50"]
    return float((option.delivery.get("weeks_p90") or early) - early)


def _labels(known: Sequence[OptionView], best: Sequence[OptionView], *, logarithmic: bool) -> list[dict[str, Any]]:
    """Names of the soonest and the cheapest option on a patch of the surface, so that points do not cross them."""
    reach = max((option.delivery.get("weeks_p90") or option.delivery["weeks_p50"] for option in known), default=0)
    notes = []
    for option in dict.fromkeys([best[0].rank, best[-1].rank]):
        named = next(each for each in best if each.rank == option)
        weeks, level = named.delivery["weeks_p50"], float(named.at_most or ZERO) / 1000
        above = named is best[0] and named is not best[-1]
        notes.append(
            {
                "text": named.hardware,
                "x": weeks,
                "y": log10(level) if logarithmic else level,
                "xanchor": "left" if weeks < reach / 2 else "right",
                "yanchor": "bottom" if above else "top",
                "yshift": 10 if above else -10,
                "showarrow": False,
                "bgcolor": SURFACE,
                "opacity": 0.92,
                "borderpad": 2,
                "font": {"color": INK, "size": 14},
            }
        )
    return notes


def _frontier_layout(known: Sequence[OptionView], best: Sequence[OptionView], budget: float | None) -> dict[str, Any]:
    """Axes and the line of the budget. Plotly wants logarithms for ranges and notes, plain values for shapes."""
    logarithmic = _spans_decades(known)
    amounts = [float(option.at_most or 0) / 1000 for option in known] + ([budget / 1000] if budget else [])
    yaxis: dict[str, Any] = {"range": [0, max(amounts) * 1.15], "nticks": 6}
    if logarithmic:
        ends = [log10(min(amounts)) - 0.5, log10(max(amounts)) + 0.25]
        yaxis = {"type": "log", "range": ends, "tickformat": ",~g", "dtick": 1 if ends[1] - ends[0] > 2 else "D1"}
    shapes, notes = [], []
    if budget:
        line = {"color": INK_2, "width": 1.5, "dash": "6px,4px"}
        level = budget / 1000
        shapes.append({"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": level, "y1": level, "line": line})
        note = {"text": _("Budget"), "showarrow": False, "xref": "paper", "x": 0, "xanchor": "left"}
        at = log10(level) if logarithmic else level
        notes.append(note | {"y": at, "yanchor": "bottom", "font": {"color": INK_2, "size": 14}})
    notes += _labels(known, best, logarithmic=logarithmic)
    return layout(
        xaxis={"title": axis_title(_("weeks from order")), "showgrid": False, "rangemode": "tozero"},
        yaxis=yaxis,
        shapes=shapes,
        annotations=notes,
    )


def _frontier_row(option: OptionView) -> list[dict[str, Any]]:
    known = option.amount is not None
    price = figures.amount(option.amount or ZERO, str(option.price.get("currency"))) if known else _("price open")
    currency = str(option.price.get("currency") or "")
    most = figures.amount(option.at_most, currency) if option.at_most is not None else _("unknown")
    early, late = option.delivery.get("weeks_p50"), option.delivery.get("weeks_p90")
    return [
        {"text": f"{option.rank}. {option.hardware}"},
        {"text": price, "num": True, "open": not known},
        {"text": most, "num": True, "open": option.at_most is None},
        {"text": _("unknown") if early is None else figures.number(early), "num": True, "open": early is None},
        {"text": _("unknown") if late is None else figures.number(late), "num": True, "open": late is None},
    ]


MEMORY_PARTS = (
    ("weights", "weight_bytes", "var(--kv-mem-weights)"),
    ("kv", "kv_pool_bytes", "var(--kv-mem-kv)"),
    ("activation", "activation_bytes", "var(--kv-mem-act)"),
    ("runtime", "runtime_bytes", "var(--kv-mem-run)"),
)


def part_words() -> dict[str, str]:
    return {
        "weights": _("Weights"),
        "kv": _("KV cache"),
        "activation": _("Activations"),
        "runtime": _("Runtime"),
        "free": _("Free"),
    }


def memory_parts(option: OptionView) -> dict[str, float]:
    """Gigabytes of one accelerator by part, `kv` split into what the stated load fills and `free`.

    The share of the pool that the load fills is the utilisation of the KV cache; where it is not
    known, the whole pool counts as KV cache.
    """
    memory = option.data.get("memory_per_accelerator") or {}
    parts = {key: float(memory.get(source) or 0) / 1e9 for key, source, _colour in MEMORY_PARTS}
    share = ((option.data.get("utilisation") or {}).get("kv") or {}).get("value")
    filled = parts["kv"] * min(1.0, float(share)) if share is not None else parts["kv"]
    usable = float(memory.get("usable_bytes") or 0) / 1e9
    parts["kv"] = filled
    parts["free"] = max(0.0, usable - sum(parts.values()))
    return parts


def memory_chart(options: Sequence[OptionView]) -> Chart:
    """Does it fit, and what fills it? One bar per option, one accelerator each."""
    words = part_words()
    parts = [(option, memory_parts(option)) for option in options]
    drawn = [(option, split) for option, split in parts if sum(split.values()) > 0]
    figure = None
    if drawn:
        labels = [f"{option.rank}. {option.hardware}" for option, _split in drawn]
        traces = [_memory_trace(key, colour, drawn, labels, words[key]) for key, _source, colour in MEMORY_PARTS]
        traces.append(_free_trace(drawn, labels, words["free"]))
        figure = plotly_figure(traces, _memory_layout(labels))
    return Chart(
        title=_memory_title(drawn, words),
        subtitle=_("Memory of one device at the stated load, GB"),
        y_title="",
        figure=figure,
        head=[{"label": _("Hardware")}] + [{"label": f"{word}, GB", "num": True} for word in words.values()],
        rows=[
            [{"text": f"{option.rank}. {option.hardware}"}]
            + [{"text": figures.number(split[key], 1), "num": True} for key in words]
            for option, split in drawn
        ],
        empty="" if drawn else _("The result says nothing about memory."),
        legend=list(words.items()),
    )


def _memory_title(drawn: Sequence[tuple[OptionView, dict[str, float]]], words: dict[str, str]) -> str:
    if not drawn:
        return _("Memory is not known")
    _option, split = drawn[0]
    total = sum(split.values())
    largest = max((key for key in split if key != "free"), key=lambda key: split[key])
    return _("%(part)s: %(share)s of the memory, %(free)s stay free") % {
        "part": words[largest],
        "share": figures.percent(split[largest] / total),
        "free": figures.gigabytes(split["free"] * 1e9),
    }


def _memory_trace(
    key: str, colour: str, drawn: Sequence[tuple[OptionView, dict[str, float]]], labels: list[str], word: str
) -> Any:
    return bar(
        y=labels,
        x=[split[key] for _option, split in drawn],
        orientation="h",
        name=word,
        marker={"color": colour, "line": {"color": SURFACE, "width": 1}},
        hovertemplate=f"{word}: %{{x:.1f}} GB<extra></extra>",
    )


def _free_trace(drawn: Sequence[tuple[OptionView, dict[str, float]]], labels: list[str], word: str) -> Any:
    return bar(
        y=labels,
        x=[split["free"] for _option, split in drawn],
        orientation="h",
        name=word,
        marker={
            "color": SURFACE,
            "line": {"color": AXIS, "width": 1},
            "pattern": {"shape": "/", "fgcolor": AXIS, "bgcolor": SURFACE, "size": 6, "solidity": 0.2},
        },
        hovertemplate=f"{word}: %{{x:.1f}} GB<extra></extra>",
    )


def _memory_layout(labels: Sequence[str]) -> dict[str, Any]:
    return named_bars(labels, row_height=68, barmode="stack", xaxis={"title": axis_title("GB"), "rangemode": "tozero"})


def named_bars(labels: Sequence[str], *, row_height: int, **changes: Any) -> dict[str, Any]:
    """The frame of horizontal bars whose names stand above them, so that long ones leave the bars their width."""
    names = [
        {"text": label, "x": 0, "xref": "paper", "y": label, "xanchor": "left", "yanchor": "bottom"}
        | {"yshift": row_height / 5, "showarrow": False, "font": {"color": INK, "size": 14}, "bgcolor": SURFACE}
        for label in labels
    ]
    return layout(
        bargap=0.6,
        height=70 + row_height * len(labels),
        yaxis={"autorange": "reversed", "showgrid": False, "showline": False, "showticklabels": False, "ticks": ""},
        annotations=names,
        margin={"l": 8, "r": 16, "t": 16, "b": 44},
        **changes,
    )
