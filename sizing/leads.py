"""Lead times of an option's lines as bars on one scale of weeks."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures

LINES_IN_VIEW = 8
TICKS = ("25", "50", "75", "100")


def lead_lines(option: Mapping[str, Any]) -> dict[str, Any] | None:
    """Title, bars and the reach of the axis in weeks; None for an option without lines.

    The longest lines come first, unknown ones are never left out.
    """
    lines = [
        line for line in option.get("bom") or [] if line.get("kind") in (None, "base") and not line.get("included")
    ]
    if not lines:
        return None
    reach = max((_weeks(line, "high") or 0 for line in lines), default=0) or 1
    axis = -(-int(reach) // 4) * 4 or 4
    deciding = (option.get("delivery") or {}).get("deciding_line")
    known = sorted((line for line in lines if _weeks(line, "typical") is not None), key=_longest_first)
    unknown = [line for line in lines if _weeks(line, "typical") is None]
    shown = known[: max(0, LINES_IN_VIEW - len(unknown))] + unknown
    return {
        "title": _title(option, lines, deciding),
        "lines": [_bar(line, axis, deciding=line.get("line") == deciding) for line in shown],
        "hidden": len(lines) - len(shown),
        "ticks": TICKS,
        "axis": figures.weeks(axis),
    }


def _weeks(line: Mapping[str, Any], key: str) -> float | None:
    value = (line.get("lead_weeks") or {}).get(key)
    return None if value is None else float(value)


def _longest_first(line: Mapping[str, Any]) -> tuple[float, str]:
    return -(_weeks(line, "high") or _weeks(line, "typical") or 0), str(line.get("line") or "")


def _bar(line: Mapping[str, Any], axis: int, *, deciding: bool) -> dict[str, Any]:
    typical = _weeks(line, "typical")
    low, high = _weeks(line, "low"), _weeks(line, "high")
    low, high = (typical if low is None else low), (typical if high is None else high)
    return {
        "name": str(line.get("description") or line.get("mpn") or line.get("part") or ""),
        "known": typical is not None,
        "p50": f"{(typical or 0) / axis * 100:.1f}",
        "p90": f"{(high or 0) / axis * 100:.1f}",
        "text": "" if low is None or high is None else figures.weeks_span(low, high),
        "deciding": deciding,
    }


def _title(option: Mapping[str, Any], lines: list[Mapping[str, Any]], deciding: object) -> str:
    delivery = option.get("delivery") or {}
    early, late = delivery.get("weeks_p50"), delivery.get("weeks_p90")
    if early is None:
        return _("No lead times yet: ask suppliers or import them")
    name = next((str(line.get("description") or "") for line in lines if line.get("line") == deciding), "")
    values = {"line": name, "early": figures.weeks(early), "late": figures.number(late or early)}
    if not delivery.get("complete"):
        return _("At least %(early)s: not every line has a lead time") % values
    if not name:
        return _("%(early)s from order, %(late)s in one case of ten") % values
    return _("%(line)s decides: %(early)s, %(late)s in one case of ten") % values
