"""The parts of a printed document: frozen, every text final, raw numbers only for lengths of bars."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A label with its value; `state` is "" or "unknown" (dashed, never blank)."""

    label: str
    value: str
    state: str = ""
    mono: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class FactBlock:
    heading: str
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyFigure:
    """One of the four figures of page 1. `note_state` puts a shape before the note."""

    label: str
    value: str
    note: str = ""
    note_state: str = ""
    note_lead: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """A shape with words: state is pass, review, fail or unknown."""

    state: str
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRow:
    """One line of the price table, as printed."""

    number: str
    kind: str
    type_words: str
    title: str
    maker: str
    mpn: str
    seller_pn: str
    flags: tuple[Flagged, ...]
    detail: str
    schedule: str
    open_market: bool
    schedule_open: bool
    quantity: str
    unit: str
    unit_net: str
    extended: str
    extended_note: str
    price_open: bool
    included: bool
    outside: bool
    lead: str
    lead_unit: str
    lead_note: str
    lead_unknown: bool
    decides: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    number: str
    title: str
    rows: tuple[LineRow, ...]
    subtotal_words: str
    subtotal: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TotalRow:
    """One row under the lines. `strength` 2 is a total under a strong rule, 1 a sum, 0 a part."""

    label: str
    amount: str
    strength: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadBar:
    """One row of the delivery table; shares are of the scale, 0..1, None where unknown."""

    number: str
    title: str
    figures: str
    source: str
    p50_share: float | None
    p90_share: float | None
    decides: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    sentence: str
    head_lead: str
    head_scale: str
    bars: tuple[LeadBar, ...]
    more: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SizingRow:
    figure: str
    value: str
    value_unknown: bool
    interval: str
    target: str
    target_unknown: bool
    basis: str
    caution: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryPart:
    """A segment of the memory bar: fixed part, share of the usable memory, words with GB."""

    part: str
    share: float
    words: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizing:
    sentence: str
    rows: tuple[SizingRow, ...]
    memory: tuple[MemoryPart, ...]
    caveats: tuple[str, ...]  # what limits the figures
    memory_caveats: tuple[str, ...]  # what limits the memory bar


@dataclass(frozen=True, slots=True, kw_only=True)
class RegimeFact:
    """Applicability of one regime and all its counts, in the order fail, review, unknown, pass."""

    regime: str
    words: str
    counts: tuple[Flagged, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningRow:
    number: str
    origin: str
    origin_code: str
    origin_state: str
    grade: str
    evidence: str
    eccn: str
    hts: str
    findings: tuple[tuple[str, str, str, str], ...]  # state, word, reason, rule


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningTable:
    """One table of the screening block; `layout` is "federal" or "export"."""

    layout: str
    heads: tuple[str, ...]
    rows: tuple[ScreeningRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AssumptionRow:
    field: str
    value: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Screening:
    regimes: tuple[RegimeFact, ...]
    tables: tuple[ScreeningTable, ...]
    disclaimer: str
    not_run: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TextRow:
    """Three texts in a row: decisions (what, reason, by) and sources."""

    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeRow:
    line: str
    title: str
    kind: str
    before: str
    after: str
    amount: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What changed against the revision before; the amounts of `rows` add up to `total`."""

    heading: str
    sentence: str
    heads: tuple[str, ...]
    rows: tuple[ChangeRow, ...]
    total_words: str
    total: str
    blocks: tuple[ChangeRow, ...]
    outside: str
