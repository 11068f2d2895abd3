"""Rows of one product: identical repeats, conflicting prices, outliers, expired offers."""

import re
from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache

from catalog.imports.rows import Action, ImportRow
from catalog.part_numbers import normalise_mpn

OUTLIER_FACTOR = Decimal("2.5")  # a price this many times above or below its product's first one is held
_SIGNS = re.compile(r"[^0-9a-z\u00c0-\uffff]")
_LEGAL_FORM = re.compile(
    r"\b(?:gmbh(?: & co\.? kg)?|ag|kg|se|inc|corp(?:oration)?|co|ltd|llc|limited|s\.?a\.?|b\.?v\.?|oy|ab|plc|company)\b"
    r"\.?",
    re.IGNORECASE,
)


@lru_cache(maxsize=20_000)
def maker_key(name: str) -> str:
    """A maker's name for comparison: no case, no legal form, no signs."""
    return _SIGNS.sub("", _LEGAL_FORM.sub("", name.casefold()))


def product_key(row: ImportRow) -> tuple[str, str]:
    """What makes two rows one product: maker and number, both normalised."""
    return maker_key(row.manufacturer), normalise_mpn(row.mpn)


def compare_rows(rows: Sequence[ImportRow], *, today: date, confirmed_lines: frozenset[int]) -> list[tuple[int, int]]:
    """Skip identical repeats, hold outliers, mark expired rows; the line pairs whose prices conflict."""
    _skip_repeats(rows)
    products: dict[tuple[str, str, str], list[ImportRow]] = {}
    firsts: dict[tuple[str, str, str], ImportRow] = {}
    spellings: dict[tuple[str, str], str] = {}
    for row in rows:
        if not row.is_accepted:
            continue
        product = product_key(row)
        row.mpn = spellings.setdefault(product, row.mpn)
        if row.valid_until is not None and row.valid_until < today:
            row.status = row.status or "expired"
            row.warn("row_expired", valid_until=row.valid_until.isoformat())
        if row.tiers:
            _hold_odd_tiers(row, confirmed_lines)
        if row.price:
            key = (*product, row.currency)
            first = firsts.setdefault(key, row)
            if first is not row:
                products.setdefault(key, [first]).append(row)
    conflicts: list[tuple[int, int]] = []
    for group in products.values():
        _hold_outliers(group, confirmed_lines)
        conflicts += _conflicts([row for row in group if row.is_accepted])
    return conflicts


def _skip_repeats(rows: Sequence[ImportRow]) -> None:
    """Rows with the same cells as an earlier one. The keys are hashes: a long file's cells are not held twice."""
    seen: dict[int, ImportRow] = {}
    for row in rows:
        if row.action is Action.REJECTED or row.pos:
            continue
        cells = _stripped(row)
        first = seen.setdefault(hash(cells), row)
        if first is not row and _stripped(first) == cells:
            row.action = Action.CREATE
            row.set_aside(Action.SKIPPED, "row_identical", first_line=first.line)


def _stripped(row: ImportRow) -> tuple[str, ...]:
    return tuple(map(str.strip, row.raw))


def _hold_outliers(group: list[ImportRow], confirmed_lines: frozenset[int]) -> None:
    """Compare each with the middle price of the others of the smallest quantity."""
    smallest = min(row.min_qty or 1 for row in group)
    base = sorted(row.price for row in group if row.price and (row.min_qty or 1) == smallest)
    middle = base[(len(base) - 1) // 2]
    for row in group:
        price = row.price or middle
        if row.line in confirmed_lines or middle / OUTLIER_FACTOR <= price <= middle * OUTLIER_FACTOR:
            continue
        change_pct = round(float((price - middle) / middle * 100), 1)
        row.set_aside(
            Action.HELD,
            "row_outlier",
            price=format(price, "f"),
            usual=format(middle, "f"),
            change_pct=change_pct,
            min_qty=row.min_qty or 1,
        )


def _hold_odd_tiers(row: ImportRow, confirmed_lines: frozenset[int]) -> None:
    """Larger quantities cost no more apiece, and not a fraction of it."""
    before = row.price
    for least, amount in row.tiers:
        if before is not None and not before / OUTLIER_FACTOR <= amount <= before and row.line not in confirmed_lines:
            usual = format(before, "f")
            row.set_aside(Action.HELD, "row_tier_off", price=format(amount, "f"), usual=usual, min_qty=least)
            return
        before = amount


def _conflicts(group: list[ImportRow]) -> list[tuple[int, int]]:
    """Rows that say two prices for one offer: same supplier, supplier's number and quantity."""
    first: dict[tuple[str, str, int], ImportRow] = {}
    found = []
    for row in group:
        if row.line_type in ("option", "alternative") or row.pos:
            continue
        offer = (row.supplier.casefold(), row.sku, row.min_qty or 1)
        earlier = first.setdefault(offer, row)
        if earlier is not row and earlier.price != row.price:
            row.status = row.status or "conflict"
            row.warn("row_conflict", first_line=earlier.line, price=str(earlier.price))
            found.append((earlier.line, row.line))
    return found
