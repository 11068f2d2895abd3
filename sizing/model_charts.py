"""Memory of one accelerator against context and concurrency: what fits, drawn and as a table."""

from math import log10
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from sizing import figures
from sizing.chart_parts import note
from sizing.charts import INK, INK_2, Chart, axis_title, layout, plotly_figure, scatter
from sizing.core.fixes import Deployment
from sizing.core.memory import MemoryPlan, max_sequences_of_length, sequence_bytes

FIRST_CONTEXT = 1024
LONGEST_DRAWN = 1_048_576
CONCURRENCIES = (1, 4, 16, 64)
COLOURS = ("var(--kv-c1)", "var(--kv-c2)", "var(--kv-c7)", "var(--kv-c4)")
DASHES = ("solid", "6px,3px", "2px,3px", "9px,3px,2px,3px")
SYMBOLS = ("circle", "square", "triangle-up", "diamond")
HEADROOM = 1.6  # of the usable memory: lines beyond it are cut by the frame


def contexts(deployment: Deployment) -> list[int]:
    """Doubling lengths up to the model's own limit, which is the last one."""
    limit = min(deployment.features.max_context_tokens or 131_072, LONGEST_DRAWN)
    lengths = []
    tokens = min(FIRST_CONTEXT, limit)
    while tokens < limit:
        lengths.append(tokens)
        tokens *= 2
    return [*lengths, limit]


def memory_chart(deployment: Deployment, plan: MemoryPlan) -> Chart:
    """Gigabytes of one accelerator for 1, 4, 16 and 64 requests of each length, and what the engine may use."""
    lengths = contexts(deployment)
    counts = sorted({*CONCURRENCIES[: len(COLOURS) - 1], max(deployment.sequences, CONCURRENCIES[-1])})
    limit = held_bytes(plan) / 1e9
    traces = [_line(plan, lengths, count, place) for place, count in enumerate(counts[: len(COLOURS)])]
    return Chart(
        title=_title(plan),
        subtitle=_("Memory of one accelerator against the length of each request; dashed: what the engine may use"),
        y_title=_("GB per accelerator"),
        figure=plotly_figure(traces, _layout(lengths, limit, plan)),
        head=[
            {"label": _("Tokens per request")},
            *({"label": _requests(count), "num": True} for count in counts),
            {"label": _("Fit at once"), "num": True},
        ],
        rows=[_row(plan, tokens, counts) for tokens in lengths],
    )


def fixed_bytes(plan: MemoryPlan) -> int:
    """What is taken whatever the load."""
    return plan.weight_bytes + plan.activation_bytes + plan.runtime_bytes


def held_bytes(plan: MemoryPlan) -> int:
    """What weights, reserves and cache may take together: the fixed part and the pool."""
    return fixed_bytes(plan) + plan.kv_pool_bytes if plan.kv_pool_bytes else plan.budget_bytes


def needed_bytes(plan: MemoryPlan, tokens: int, count: int) -> float:
    """Memory of one accelerator with `count` requests of this length in the replica."""
    per_rank = -(-count // plan.kv_ranks)
    return fixed_bytes(plan) + per_rank * sequence_bytes(plan, tokens)


def _requests(count: int) -> str:
    return ngettext("%(count)s request", "%(count)s requests", count) % {"count": figures.number(count)}


def _title(plan: MemoryPlan) -> str:
    held = max_sequences_of_length(plan, plan.max_context_tokens)
    if not held:
        return _("Not even one request of %(tokens)s tokens fits") % {"tokens": figures.number(plan.max_context_tokens)}
    words = ngettext(
        "%(count)s request of %(tokens)s tokens fits at once",
        "%(count)s requests of %(tokens)s tokens fit at once",
        held,
    )
    return words % {"count": figures.number(held), "tokens": figures.number(plan.max_context_tokens)}


def _line(plan: MemoryPlan, lengths: list[int], count: int, place: int) -> Any:
    return scatter(
        x=lengths,
        y=[needed_bytes(plan, tokens, count) / 1e9 for tokens in lengths],
        name=_requests(count),
        mode="lines+markers",
        line={"color": COLOURS[place], "width": 2, "dash": DASHES[place]},
        marker={"size": 7, "color": COLOURS[place], "symbol": SYMBOLS[place]},
        hovertemplate="%{x:,} " + _("tokens") + "<br>%{y:.1f} GB<extra>" + _requests(count) + "</extra>",
    )


def _layout(lengths: list[int], limit: float, plan: MemoryPlan) -> dict[str, Any]:
    top = max(plan.usable_bytes / 1e9 * HEADROOM, fixed_bytes(plan) / 1e9 * 1.2)
    line = {"color": INK_2, "width": 1.5, "dash": "6px,4px"}
    marked = lengths[:: max(1, len(lengths) // 5)]
    return layout(
        xaxis={
            "title": axis_title(_("tokens per request, logarithmic")),
            "type": "log",
            "range": [log10(lengths[0]) - 0.05, log10(lengths[-1]) + 0.05],
            "tickvals": marked,
            "ticktext": [figures.number(tokens) for tokens in marked],
            "showgrid": False,
        },
        yaxis={"range": [0, top], "nticks": 7},
        showlegend=True,
        legend={"orientation": "h", "x": 0, "y": 1.02, "yanchor": "bottom", "font": {"color": INK, "size": 14}},
        height=380,
        margin={"l": 48, "r": 16, "t": 48, "b": 48},
        shapes=[{"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": limit, "y1": limit, "line": line}],
        annotations=[
            note(_("usable"), x=0, y=limit, xref="paper", anchor=("left", "bottom")),
        ],
    )


def _row(plan: MemoryPlan, tokens: int, counts: list[int]) -> list[dict[str, Any]]:
    held = max_sequences_of_length(plan, tokens)
    sizes = [{"text": figures.number(needed_bytes(plan, tokens, count) / 1e9, 1), "num": True} for count in counts]
    return [{"text": figures.number(tokens)}, *sizes, {"text": figures.number(held), "num": True}]
