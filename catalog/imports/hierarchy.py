"""Quotes with nested lines: quantities per parent, options and alternatives outside the sum."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from catalog.imports.rows import Action, ImportRow

DEPTH_MAX = 20
OUTSIDE = frozenset({"alternative", "option"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Hierarchy:
    """Sums of a nested quote. `complete` is false while a base line has no price."""

    base_known: Decimal
    complete: bool
    alternative_delta: Decimal
    option_total: Decimal
    expanded_qty: dict[str, Decimal]
    critical_part: str
    critical_max_days: int | None
    lead_complete: bool


def hierarchy_of(rows: Sequence[ImportRow]) -> Hierarchy | None:
    """The sums over nested lines, or None where the file has neither parents nor line types."""
    if not any(row.parent or row.line_type for row in rows):
        return None
    lines = [row for row in rows if row.action not in (Action.SKIPPED, Action.REJECTED)]
    by_pos = {row.pos: row for row in lines if row.pos}
    base = [row for row in lines if row.line_type not in OUTSIDE]
    priced = [row for row in base if row.price is not None]
    waits = [row for row in base if row.lead is not None and row.lead.max_days is not None]
    longest = max(waits, key=lambda row: (row.lead.max_days or 0) if row.lead else 0, default=None)
    return Hierarchy(
        base_known=sum((_extended(row, by_pos) for row in priced), Decimal(0)),
        complete=len(priced) == len(base),
        alternative_delta=sum((_delta(row, by_pos) for row in lines if row.line_type == "alternative"), Decimal(0)),
        option_total=sum((_extended(row, by_pos) for row in lines if row.line_type == "option"), Decimal(0)),
        expanded_qty={
            row.mpn: expanded_qty(row, by_pos) for row in lines if row.parent and row.line_type not in OUTSIDE
        },
        critical_part=longest.mpn if longest else "",
        critical_max_days=longest.lead.max_days if longest and longest.lead else None,
        lead_complete=all(row.lead is None or row.lead.state != "unknown" for row in base),
    )


def expanded_qty(row: ImportRow, by_pos: dict[str, ImportRow]) -> Decimal:
    """The quantity in the whole quote: per-parent quantities times the parents' own."""
    total, depth = row.qty if row.qty is not None else Decimal(1), 0
    while row.parent and "parent" in row.qty_basis.casefold() and row.parent in by_pos and depth < DEPTH_MAX:
        row = by_pos[row.parent]
        total *= row.qty if row.qty is not None else Decimal(1)
        depth += 1
    return total


def _extended(row: ImportRow, by_pos: dict[str, ImportRow]) -> Decimal:
    return (row.price or Decimal(0)) * expanded_qty(row, by_pos)


def _delta(row: ImportRow, by_pos: dict[str, ImportRow]) -> Decimal:
    replaced = by_pos.get(row.parent)
    if replaced is None or replaced.price is None or row.price is None:
        return Decimal(0)
    return _extended(row, by_pos) - _extended(replaced, by_pos)
