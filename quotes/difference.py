"""What changed between two revisions, read from their contents: lines first, then everything else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

Content = Mapping[str, Any]

# What is compared on a line, and as which kind of change it is shown.
_LINE_KEYS = (
    ("price", ("unit_net",)),
    ("quantity", ("quantity", "unit", "pack_size")),
    ("part", ("manufacturer", "mpn")),
    ("lead_time", ("lead",)),
    ("finding", ()),
    ("text", ("description", "kind", "origin", "eccn", "hts", "schedule", "warranty", "tax_rate_pct", "s889")),
)
_BLOCKS = ("buyer", "reference", "terms", "tax", "exchange_rates", "configuration_validated")
_COUNTED = frozenset({"base", "service", "licence", "discount"})


@dataclass(frozen=True, slots=True, kw_only=True)
class LineChange:
    """One change of one line. `before` and `after` are raw; `amount` is what it moves the net total by, if known."""

    line: str
    kind: str  # price, quantity, part, lead_time, finding, text, new, removed
    before: str
    after: str
    amount: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockChange:
    block: str
    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """All changes. The amounts of the lines add up to `net_after` less `net_before`."""

    lines: tuple[LineChange, ...]
    blocks: tuple[BlockChange, ...]
    net_before: Decimal
    net_after: Decimal
    lines_changed: int
    lines_unchanged: int

    @property
    def net_change(self) -> Decimal:
        return self.net_after - self.net_before


def difference(old: Content, new: Content) -> Difference:
    """From `old` to `new`, lines in the order of the new revision, removed ones last."""
    changes = tuple(_line_changes(old, new))
    numbers = {line["number"] for line in (*old["lines"], *new["lines"])}
    changed = {change.line for change in changes}
    return Difference(
        lines=changes,
        blocks=tuple(_block_changes(old, new)),
        net_before=Decimal(old["totals"]["net"]),
        net_after=Decimal(new["totals"]["net"]),
        lines_changed=len(changed),
        lines_unchanged=len(numbers - changed),
    )


def _line_changes(old: Content, new: Content) -> Iterator[LineChange]:
    before = {line["number"]: line for line in old["lines"]}
    after = {line["number"]: line for line in new["lines"]}
    for number, line in after.items():
        if number not in before:
            yield LineChange(line=number, kind="new", before="", after=_name(line), amount=_counted(line))
        else:
            yield from _changes_of(before[number], line, old, new)
    for number, line in before.items():
        if number not in after:
            yield LineChange(line=number, kind="removed", before=_name(line), after="", amount=-_counted(line))


def _changes_of(before: Content, after: Content, old: Content, new: Content) -> Iterator[LineChange]:
    moved = _counted(after) - _counted(before)
    for kind, keys in _LINE_KEYS:
        if kind == "finding":
            pair = (_findings(old, before["number"]), _findings(new, after["number"]))
        else:
            pair = (_shown(before, keys), _shown(after, keys))
        if pair[0] != pair[1]:
            # The first change of a line that moves money carries all of it, so that the column adds up.
            yield LineChange(
                line=after["number"], kind=kind, before=pair[0], after=pair[1], amount=moved if moved else None
            )
            moved = Decimal(0)


def _counted(line: Content) -> Decimal:
    """What the line adds to the net total: nothing while its price is open or it stands outside."""
    if line["kind"] not in _COUNTED or line["extended"] is None:
        return Decimal(0)
    return Decimal(line["extended"])


def _shown(line: Content, keys: tuple[str, ...]) -> str:
    parts = []
    for key in keys:
        value = line.get(key)
        if key == "lead" and value:
            value = "–".join(str(value[end]) for end in ("low", "typical", "high") if value[end] is not None)
        elif key == "origin" and value:
            value = " ".join(str(part) for part in (value["raw"], value["code"], value["grade"]) if part)
        elif key == "s889" and value:
            value = f"889 {value['stated_by']} {value['date'] or ''}".strip()
        elif key == "pack_size" and value == 1:
            value = None
        parts.append("" if value is None else str(value))
    return " ".join(part for part in parts if part)


def _findings(content: Content, number: str) -> str:
    flags = [
        f"{finding['regime']} {finding['flag']}"
        for finding in content["screening"]["findings"]
        if finding["line"] == number and finding["applicability"] != "not_applicable"
    ]
    return ", ".join(sorted(flags))


def _name(line: Content) -> str:
    return " ".join(part for part in (line["quantity"], "×", line["mpn"], line["description"]) if part)


def _block_changes(old: Content, new: Content) -> Iterator[BlockChange]:
    for block in _BLOCKS:
        before, after = old[block] or {}, new[block] or {}
        for field in sorted({*before, *after}):
            pair = ["" if side.get(field) is None else str(side.get(field)) for side in (before, after)]
            if pair[0] != pair[1]:
                yield BlockChange(block=block, field=field, before=pair[0], after=pair[1])
    pair = [", ".join(entry["version"] for entry in side["screening"]["lists"]) for side in (old, new)]
    if pair[0] != pair[1]:
        yield BlockChange(block="screening", field="lists", before=pair[0], after=pair[1])
    pair = ["; ".join(entry["reason"] for entry in side["decisions"]) for side in (old, new)]
    if pair[0] != pair[1]:
        yield BlockChange(block="decisions", field="reason", before=pair[0], after=pair[1])
