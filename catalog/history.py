"""How prices and lead times of a thing moved: figures for the plots of its page.

The numbers stand in the page's tables of prices and lead times. Each source is a line of steps: what it said holds
until it says something else. Colours are names of CSS variables; `static/js/charts.js` puts in the theme's values.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.utils.translation import gettext

from catalog import cells
from catalog.choices import StockState
from catalog.details import said_by
from catalog.models import LeadTimeObservation, PriceObservation

COLOURS = ("var(--kv-c1)", "var(--kv-c2)", "var(--kv-c3)", "var(--kv-c4)")
SYMBOLS = ("circle", "square", "triangle-up", "diamond")
DASHES = ("solid", "6px,3px", "2px,3px", "9px,3px,2px,3px")
MOST_SERIES = 4  # the sources with the most statements; the table has them all
FEWEST_POINTS = 2
FONT = "'Source Sans 3', system-ui, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """A figure with its title, what its axis shows, and the names of its series with their marks."""

    name: str
    title: str
    y_title: str
    figure: dict[str, Any]


def plots(
    prices: Sequence[PriceObservation], lead_times: Sequence[LeadTimeObservation], *, currency: str
) -> list[Plot]:
    """The plots that have something to show: at least two days.

    Prices are those in the currency asked for; where these show nothing, those in the currency with the most prices.
    """
    others = Counter(each.currency for each in prices if each.currency != currency)
    tried = (_price_plot(prices, each) for each in (currency, *(name for name, _count in others.most_common())))
    found = [next((plot for plot in tried if plot is not None), None), _lead_time_plot(lead_times)]
    return [plot for plot in found if plot is not None]


def _price_plot(prices: Sequence[PriceObservation], currency: str) -> Plot | None:
    """Prices for the smallest quantity, by source and kind; outliers stay in the table."""
    rows = [each for each in prices if each.currency == currency and each.min_quantity == 1 and not each.is_outlier]
    series: dict[str, list[tuple[date, float, str]]] = defaultdict(list)
    for each in rows:
        name = f"{said_by(each, rows)} · {each.get_kind_display()}"
        series[name].append((each.observed_on, float(each.unit_price), cells.money_text(each.unit_price, currency)))
    figure = _figure(series, from_zero=False)
    title = gettext("Prices over time")
    return figure and Plot(
        name="prices", title=title, y_title=gettext("Unit price (%(currency)s)") % {"currency": currency}, figure=figure
    )


def _lead_time_plot(lead_times: Sequence[LeadTimeObservation]) -> Plot | None:
    """Typical or longest weeks by source; stock is zero weeks, a statement without weeks stays in the table."""
    series: dict[str, list[tuple[date, float, str]]] = defaultdict(list)
    for each in lead_times:
        weeks = _weeks(each)
        if weeks is None or each.is_outlier:
            continue
        source = said_by(each, lead_times)
        words = gettext("in stock") if weeks == 0 else cells.weeks_text(weeks, weeks)
        series[source].append((each.observed_on, weeks, words))
    figure = _figure(series, from_zero=True)
    title = gettext("Lead times over time")
    return figure and Plot(name="lead-times", title=title, y_title=gettext("Weeks"), figure=figure)


def _weeks(each: LeadTimeObservation) -> float | None:
    if each.state == StockState.IN_STOCK and each.weeks_typical is None:
        return 0.0
    known = next((value for value in (each.weeks_typical, each.weeks_high, each.weeks_low) if value is not None), None)
    if known is None and each.promised_on is not None:
        return round(max(0, (each.promised_on - each.observed_on).days) / 7, 1)
    return None if known is None else float(known)


def _figure(series: dict[str, list[tuple[date, float, str]]], *, from_zero: bool) -> Any:
    """The lines as a Plotly figure; None where no two days are known."""
    days = {day for points in series.values() for day, _value, _words in points}
    if len(days) < FEWEST_POINTS:
        return None
    names = sorted(series, key=lambda name: (-len(series[name]), name))[:MOST_SERIES]
    data = [_line(name, sorted(series[name]), at) for at, name in enumerate(names)]
    axis = {
        "gridcolor": "var(--kv-chart-grid)",
        "linecolor": "var(--kv-chart-axis)",
        "fixedrange": True,
        "automargin": True,
        "zeroline": False,
    }
    day_format = "%d.%m.%y" if cells.locale() == "de" else "%d %b %y"
    return {
        "data": data,
        "layout": {
            "font": {"family": FONT, "size": 14, "color": "var(--kv-ink-3)"},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "margin": {"l": 56, "r": 16, "t": 12, "b": 44},
            "height": 280,
            "hovermode": "closest",
            "separators": ",." if cells.locale() == "de" else ".,",
            "showlegend": True,
            "legend": {"orientation": "h", "y": -0.2},
            "hoverlabel": {"bgcolor": "var(--kv-raised)", "font": {"family": FONT, "color": "var(--kv-ink)"}},
            "xaxis": axis | {"type": "date", "tickformat": day_format, "nticks": 6, "showgrid": False},
            "yaxis": axis | {"tickformat": ",", "rangemode": "tozero" if from_zero else "normal"},
        },
    }


def _line(name: str, points: Sequence[tuple[date, float, str]], at: int) -> dict[str, Any]:
    colour = COLOURS[at % len(COLOURS)]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": name,
        "x": [day.isoformat() for day, _value, _words in points],
        "y": [value for _day, value, _words in points],
        "text": [f"{words}, {cells.day(day).text}" for day, _value, words in points],
        "hovertemplate": "%{text}<extra>%{fullData.name}</extra>",
        "line": {"shape": "hv", "color": colour, "width": 2, "dash": DASHES[at % len(DASHES)]},
        "marker": {"symbol": SYMBOLS[at % len(SYMBOLS)], "size": 8, "color": colour},
    }
