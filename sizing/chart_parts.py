"""Pieces that several charts share: cells of their tables, notes on their plots, signed shares."""

from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.charts import INK_2


def signed(share: float) -> str:
    text = figures.percent(share, 1)
    return f"+{text}" if share > 0 else text


def cell(value: float | None) -> dict[str, Any]:
    return {"text": _("unknown") if value is None else figures.figure(value), "num": True, "open": value is None}


def note(text: str, *, x: float, y: float, anchor: tuple[str, str], xref: str = "x", yref: str = "y") -> dict[str, Any]:
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": xref,
        "yref": yref,
        "xanchor": anchor[0],
        "yanchor": anchor[1],
        "showarrow": False,
        "font": {"color": INK_2, "size": 14},
    }
