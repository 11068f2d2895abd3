"""Columns of the table of options: which may be left out, and the whole table as a file."""

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from catalog.export import csv_bytes
from sizing import figures
from sizing.presentation import OptionView

# The hardware always stands: it names the row.
COLUMNS: dict[str, str | Promise] = {
    "layout": gettext_lazy("Layout"),
    "price": gettext_lazy("Net"),
    "weeks": gettext_lazy("Weeks p50 / p90"),
    "speed": gettext_lazy("Speed"),
    "power": gettext_lazy("Power"),
    "efficiency": gettext_lazy("Output per W / per U"),
    "decides": gettext_lazy("Decides"),
}


def options_csv(options: Sequence[OptionView]) -> bytes:
    """Every option as a row with plain numbers: a point as decimal sign, empty where unknown."""
    kinds = [row.label for row in options[0].kind_headline] if options else []
    return csv_bytes(_head(kinds), [_row(option) for option in options])


def _head(kinds: Sequence[str]) -> list[str]:
    speed = list(kinds) or [
        _("Time to first token, p95 (ms)"),
        _("Time per output token, p95 (ms)"),
        _("Output, tokens/s"),
    ]
    return [
        _("Rank"), _("Maker"), _("Hardware"), _("Layout"), _("Roles"), _("Net price"), _("Currency"), _("Complete"),
        _("Open lines"), _("Weeks p50"), _("Weeks p90"), *speed, _("Power (W)"), _("Output per watt"),
        _("Output per rack unit"), _("Decides"),
    ]  # fmt: skip


def _row(option: OptionView) -> list[str]:
    kinds = [plain((row.estimate or {}).get("value")) for row in option.kind_headline]
    speed = kinds or [plain((each or {}).get("value")) for each in (option.ttft, option.tpot, option.throughput)]
    worst, cost = option.deciding, option.data.get("cost") or {}
    return [
        str(option.rank), option.maker, option.hardware.replace(figures.NBSP, " "),
        option.layout.replace(figures.NBSP, " "), option.role_words,
        "" if option.amount is None else str(option.amount), str(option.price.get("currency") or ""),
        _("yes") if option.price_complete else _("no"), str(cost.get("open_lines") or 0),
        plain(option.delivery.get("weeks_p50")), plain(option.delivery.get("weeks_p90")), *speed,
        plain((option.power or {}).get("value")), plain(option.efficiency.get("per_w")),
        plain(option.efficiency.get("per_rack_unit")),
        f"{worst.label}: {worst.value}" if worst else "",
    ]  # fmt: skip


def plain(value: float | None) -> str:
    """A number for a spreadsheet, to six digits; empty where unknown."""
    return "" if value is None else f"{value:.6g}"
