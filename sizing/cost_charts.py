"""What owning costs beside renting and an API over time, and which input moves the speed most."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.chart_parts import signed
from sizing.charts import AXIS, INK, Chart, axis_title, bar, layout, named_bars, plotly_figure, scatter
from sizing.presentation import OptionView, known_money

MONTHS = 36
FEWEST_BARS = 3  # of a chart that compares inputs
SWING_ROW_PX = 52  # of a bar with its name above it
SWING = 0.1  # the relative change of an input that the sensitivity chart shows
LINES = {"own": "var(--kv-c1)", "rent": "var(--kv-c2)", "api": "var(--kv-c7)"}
DASHES = {"own": "solid", "rent": "8px,4px", "api": "2px,4px"}


@dataclass(frozen=True, slots=True, kw_only=True)
class CostLine:
    """One way to pay: at the start, and per year. `at_least` while prices of it are open."""

    kind: str
    name: str
    first: float
    per_year: float
    at_least: bool
    break_even_months: float | None = None

    def at(self, month: float) -> float:
        return self.first + self.per_year * month / 12


def cost_chart(option: OptionView) -> Chart:
    """Own, rent or API? Money spent by month; owning starts with the purchase."""
    lines, currency = cost_lines(option)
    own = next((line for line in lines if line.kind == "own"), None)
    others = [line for line in lines if line.kind != "own"]
    drawn = own is not None and bool(others)
    return Chart(
        title=_cost_title(own, others, currency),
        subtitle=_("Money spent since the start, net, at the stated load"),
        y_title=_("thousand %(currency)s, net") % {"currency": currency},
        figure=plotly_figure(_cost_traces(lines, currency), _cost_layout()) if drawn else None,
        head=[{"label": _("Way to pay")}]
        + [{"label": _("after %(months)s months") % {"months": month}, "num": True} for month in (12, 24, MONTHS)],
        rows=[_cost_row(line, currency) for line in lines],
        empty="" if drawn else _cost_empty(own, others),
    )


def cost_lines(option: OptionView) -> tuple[list[CostLine], str]:
    """Owning first, then the cheapest rental and the cheapest API that have a price."""
    cost = option.data.get("cost") or {}
    price = known_money(cost.get("purchase"))
    lines = []
    if price.get("amount") is not None:
        running = (cost.get("running_per_year") or {}).get("amount")
        at_least = not (cost.get("complete") and cost.get("running_complete"))
        lines.append(
            CostLine(
                kind="own",
                name=_("Own"),
                first=float(price["amount"]),
                per_year=float(running or 0),
                at_least=at_least,
            )
        )
    for kind, word in (("rent", _("Rent")), ("api", "API")):
        priced = [
            each
            for each in cost.get("against") or []
            if each.get("kind") == kind and (each.get("per_year") or {}).get("amount") is not None
        ]
        if priced:
            best = min(priced, key=lambda each: Decimal(str(each["per_year"]["amount"])))
            lines.append(
                CostLine(
                    kind=kind,
                    name=f"{word}: {best['name']}",
                    first=0.0,
                    per_year=float(best["per_year"]["amount"]),
                    at_least=False,
                    break_even_months=best.get("break_even_months"),
                )
            )
    return lines, str(price.get("currency") or (cost.get("purchase") or {}).get("currency") or "")


def _cost_title(own: CostLine | None, others: Sequence[CostLine], currency: str) -> str:
    if own is None or not others:
        return _("Owning, renting and an API cannot be compared yet")
    cheapest = min(others, key=lambda line: line.at(MONTHS))
    if own.at_least:
        words = _(
            "Owning costs at least %(money)s in %(months)s months; some prices are open, so no break-even is known"
        )
        money = figures.amount(Decimal(str(round(own.at(MONTHS), 2))), currency)
        return words % {"money": money, "months": MONTHS}
    months = [line.break_even_months for line in others]
    known = [each for each in months if each is not None]
    if len(known) < len(others) or max(known) > MONTHS:
        return _("%(name)s stays cheaper for %(months)s months: do not buy for cost alone") % {
            "name": cheapest.name,
            "months": MONTHS,
        }
    return _("Owning is cheaper after %(months)s months") % {"months": figures.figure(max(known))}


def _cost_empty(own: CostLine | None, others: Sequence[CostLine]) -> str:
    if own is None:
        return _("No price of the purchase is known. Import a price list.")
    return "" if others else _("No rental and no API price for this hardware or model is on file.")


def _cost_traces(lines: Sequence[CostLine], currency: str) -> list[Any]:
    """Names stand where a rising line leaves room: owning at its start, the dearer other above, the cheaper below."""
    months = list(range(0, MONTHS + 1, 3))
    dearest = max((line.at(MONTHS) for line in lines if line.kind != "own"), default=0.0)
    traces = []
    for line in lines:
        above = line.at(MONTHS) == dearest
        at, place = (
            (0, "top right") if line.kind == "own" else (len(months) - 1, "top left") if above else (8, "bottom right")
        )
        traces.append(
            scatter(
                x=months,
                y=[line.at(month) / 1000 for month in months],
                mode="lines+text",
                text=[_cost_label(line) if each == at else "" for each in range(len(months))],
                meta={"short": [_cost_label(line, short=True) if each == at else "" for each in range(len(months))]},
                textposition=place,
                textfont={"color": INK},
                line={"color": LINES[line.kind], "width": 2.5, "dash": DASHES[line.kind]},
                hovertemplate=f"{line.name}<br>%{{x}}: %{{y:.1f}}<extra></extra>",
                cliponaxis=False,
            )
        )
    return traces


def _cost_label(line: CostLine, *, short: bool = False) -> str:
    word = line.name.partition(":")[0]
    if short:
        return f"≥{figures.NBSP}{word}" if line.at_least else word
    return _("%(way)s, at least") % {"way": word} if line.at_least else word


def _cost_layout() -> dict[str, Any]:
    return layout(
        xaxis={"title": axis_title(_("months")), "showgrid": False, "dtick": 6, "range": [0, MONTHS + 0.5]},
        yaxis={"rangemode": "tozero", "nticks": 6},
    )


def _cost_row(line: CostLine, currency: str) -> list[dict[str, Any]]:
    name = _("%(way)s, at least") % {"way": line.name} if line.at_least else line.name
    sums = [Decimal(str(round(line.at(month), 2))) for month in (12, 24, MONTHS)]
    return [{"text": name}] + [{"text": figures.amount(each, currency), "num": True} for each in sums]


def input_words(name: str) -> str:
    words = {
        "bandwidth": _("Memory bandwidth"),
        "compute": _("Compute"),
        "link": _("Link between accelerators"),
        "overhead": _("Overhead of the serving software"),
        "weight_bytes": _("Bytes per weight"),
        "cache_bytes": _("Bytes per cached token"),
        "memory": _("Memory for the KV cache"),
        "budget_tokens": _("Tokens per prefill step"),
        "shared_prefix": _("Shared prefix"),
        "accepted_tokens": _("Accepted draft tokens"),
        "requests_per_s": _("Requests per second"),
        "concurrent": _("Requests in flight"),
        "input_tokens": _("Input length"),
        "output_tokens": _("Output length"),
    }
    return words.get(name, name)


def sensitivity_chart(option: OptionView) -> Chart:
    """Which input moves the time per output token? Its change where one input is a tenth higher."""
    effects = {name: float(value) for name, value in (option.data.get("sensitivity") or {}).items() if value}
    ordered = sorted(effects.items(), key=lambda each: (-abs(each[1]), each[0]))
    enough = len(ordered) >= FEWEST_BARS
    figure = plotly_figure([_swing_trace(ordered)], _swing_layout(ordered)) if enough else None
    if ordered:
        name, effect = ordered[0]
        title = _("%(input)s moves the time per output token most: a tenth more changes it by %(change)s") % {
            "input": input_words(name),
            "change": signed(effect * SWING),
        }
    else:
        title = _("What moves the time per output token is not known")
    return Chart(
        title=title,
        subtitle=_("Change of the mean time per output token where one input grows by a tenth, the others stay"),
        y_title="",
        figure=figure,
        head=[
            {"label": _("Input")},
            {"label": _("a tenth more"), "num": True},
            {"label": _("a tenth less"), "num": True},
        ],
        rows=[
            [
                {"text": input_words(name)},
                {"text": signed(effect * SWING), "num": True},
                {"text": signed(-effect * SWING), "num": True},
            ]
            for name, effect in ordered
        ],
        empty="" if enough else _("Fewer than three inputs move it, or the result does not say."),
    )


def _swing_trace(ordered: Sequence[tuple[str, float]]) -> Any:
    return bar(
        y=[input_words(name) for name, _effect in ordered],
        x=[effect * SWING * 100 for _name, effect in ordered],
        orientation="h",
        marker={"color": ["var(--kv-div-1)" if effect > 0 else "var(--kv-div-7)" for _name, effect in ordered]},
        text=[signed(effect * SWING) for _name, effect in ordered],
        textposition="outside",
        textfont={"color": INK},
        hovertemplate="%{y}: %{text}<extra></extra>",
        cliponaxis=False,
    )


def _swing_layout(ordered: Sequence[tuple[str, float]]) -> dict[str, Any]:
    reach = max(abs(effect) for _name, effect in ordered) * SWING * 100 * 2.2
    return named_bars(
        [input_words(name) for name, _effect in ordered],
        row_height=SWING_ROW_PX,
        xaxis={"title": axis_title("%"), "range": [-reach, reach], "zeroline": True, "zerolinecolor": AXIS},
    )


def cost_swing_chart(option: OptionView) -> Chart:
    """Which input moves the yearly cost of owning most? Each alone at both of its ends, widest first."""
    swings = option.data.get("cost_sensitivity") or []
    cost = option.data.get("cost") or {}
    year = cost.get("per_year") or {}
    currency, middle = str(year.get("currency") or ""), year.get("amount")
    known = bool(swings) and middle is not None
    drawn = known and len(swings) >= FEWEST_BARS
    centre = float(middle) if middle is not None else 0.0
    return Chart(
        title=_swing_title(swings) if known else _("What moves the cost of owning is not known"),
        subtitle=_("Cost of owning in a year; each input alone at both of its ends, the others stay"),
        y_title="",
        figure=plotly_figure(_cost_swing_traces(swings, centre), _cost_swing_frame(swings, currency, centre))
        if drawn
        else None,
        head=[
            {"label": _("Input")},
            {"label": _("at the cheap end"), "num": True},
            {"label": _("at the dear end"), "num": True},
        ],
        rows=[
            [
                {"text": str(swing["input"])},
                {"text": figures.amount(swing["low_per_year"], currency), "num": True},
                {"text": figures.amount(swing["high_per_year"], currency), "num": True},
            ]
            for swing in swings
        ],
        empty="" if drawn else _no_swings(known=known),
    )


def _no_swings(*, known: bool) -> str:
    if known:
        return _("Fewer than three inputs move it, or the result does not say.")
    return _("No price of the purchase is known. Import a price list.")


def _swing_title(swings: Sequence[Mapping[str, Any]]) -> str:
    return _("%(input)s: moves the yearly cost of owning most") % {"input": swings[0]["input"]}


def _cost_swing_traces(swings: Sequence[Mapping[str, Any]], middle: float) -> list[Any]:
    """Two bars for each input, from the stated cost to either end."""
    ends = (("low_per_year", "var(--kv-div-7)"), ("high_per_year", "var(--kv-div-1)"))
    return [
        bar(
            y=[str(swing["input"]) for swing in swings],
            x=[(float(swing[key]) - middle) / 1000 for swing in swings],
            base=middle / 1000,
            orientation="h",
            marker={"color": colour},
            hovertemplate="%{y}<extra></extra>",
        )
        for key, colour in ends
    ]


def _cost_swing_frame(swings: Sequence[Mapping[str, Any]], currency: str, middle: float) -> dict[str, Any]:
    values = [float(swing[key]) / 1000 for swing in swings for key in ("low_per_year", "high_per_year")]
    reach = (max(values) - min(values)) * 0.1 or middle / 10_000
    return named_bars(
        [str(swing["input"]) for swing in swings],
        row_height=SWING_ROW_PX,
        barmode="overlay",
        xaxis={
            "title": axis_title(_("thousand %(currency)s a year") % {"currency": currency}),
            "range": [min(values) - reach, max(values) + reach],
            "nticks": 5,
        },
    )
