"""The table of all options: which filters there are, what they leave, in which order."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from sizing.presentation import OptionView

SORTS: dict[str, str | Promise] = {
    "rank": gettext_lazy("suggested order"),
    "price": gettext_lazy("net price"),
    "weeks": gettext_lazy("delivery"),
    "tpot": gettext_lazy("time per token"),
    "-throughput": gettext_lazy("output in total"),
    "power": gettext_lazy("power"),
    "-per_w": gettext_lazy("output per watt"),
    "-per_rack_unit": gettext_lazy("output per rack unit"),
    "-headroom": gettext_lazy("most headroom"),
}

ROWS_IN_VIEW = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionTable:
    """What the table shows and what its controls offer."""

    rows: list[OptionView]
    total: int
    makers: list[str]
    engines: list[str]
    maker: str
    engine: str
    sort: str
    descending: bool
    asked: str = "rank"  # the sort as the query names it, with its sign
    hidden: int = 0

    @property
    def matching(self) -> int:
        """Options that pass the filter, in view or not."""
        return len(self.rows) + self.hidden

    @property
    def direction(self) -> str:
        """For `aria-sort`."""
        return "descending" if self.descending else "ascending"

    @property
    def filtered(self) -> bool:
        return bool(self.maker or self.engine)


def option_table(options: Sequence[OptionView], query: Mapping[str, str]) -> OptionTable:
    """`query` may name `maker`, `engine`, `sort` (a minus before it turns the order round) and `all`.

    Without `all` the table ends after ROWS_IN_VIEW rows and says how many follow.
    """
    maker, engine, sort = query.get("maker", ""), query.get("engine", ""), query.get("sort", "rank")
    descending, column = sort.startswith("-"), sort.removeprefix("-")
    if column not in KEYS:
        column, descending = "rank", False
    rows = [option for option in options if maker in ("", option.maker) and engine in ("", option.engine)]
    ordered = in_order(rows, column, descending=descending)
    kept = ordered if query.get("all") else ordered[:ROWS_IN_VIEW]
    return OptionTable(
        rows=kept,
        hidden=len(ordered) - len(kept),
        total=len(options),
        makers=sorted({option.maker for option in options if option.maker}),
        engines=sorted({option.engine for option in options if option.engine}),
        maker=maker,
        engine=engine,
        sort=column,
        descending=descending,
        asked=f"-{column}" if descending else column,
    )


def in_order(rows: Sequence[OptionView], column: str, *, descending: bool) -> list[OptionView]:
    """Known values in the asked order, unknown ones last in both directions; equal ones by rank."""
    key = KEYS[column]
    by_rank = sorted(rows, key=lambda row: row.rank)
    known = sorted((row for row in by_rank if key(row) is not None), key=key, reverse=descending)
    return known + [row for row in by_rank if key(row) is None]


def _value(estimate: Mapping[str, Any] | None) -> Any:
    return (estimate or {}).get("value")


KEYS: dict[str, Callable[[OptionView], Any]] = {
    "rank": lambda option: option.rank,
    "price": lambda option: option.amount,
    "weeks": lambda option: option.delivery.get("weeks_p50"),
    "tpot": lambda option: _value(option.tpot),
    "throughput": lambda option: _value(option.throughput),
    "power": lambda option: _value(option.power),
    "per_w": lambda option: option.efficiency.get("per_w"),
    "per_rack_unit": lambda option: option.efficiency.get("per_rack_unit"),
    "headroom": lambda option: option.efficiency.get("headroom"),
}
