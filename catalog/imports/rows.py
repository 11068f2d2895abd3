"""One line of a price file, understood: raw cells beside the values, an action and its reason."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum

from catalog.imports.lead_times import LeadTime
from sizing.core.values import Message


class Action(StrEnum):
    CREATE = "create"
    UPDATE = "update"
    UNCHANGED = "unchanged"
    SKIPPED = "skipped"
    HELD = "held"
    REJECTED = "rejected"


UNDERSTOOD = Message("row_accepted")
ACCEPTED = frozenset({Action.CREATE, Action.UPDATE, Action.UNCHANGED})


@dataclass(slots=True, kw_only=True)
class ImportRow:
    """Values as understood; None or "" where the file says nothing. Prices are per unit, exact.

    `prices` holds the readings of columns that share one header, until a person says which is which.
    """

    line: int
    raw: tuple[str, ...]
    action: Action = Action.CREATE
    reason: Message = UNDERSTOOD
    warnings: tuple[Message, ...] = ()
    pos: str = ""
    parent: str = ""
    mpn: str = ""
    manufacturer: str = ""
    supplier: str = ""
    sku: str = ""
    gtin: str = ""
    description: str = ""
    price: Decimal | None = None
    list_price: Decimal | None = None
    ext_price: Decimal | None = None
    prices: tuple[Decimal | None, ...] = ()
    tiers: tuple[tuple[int, Decimal], ...] = ()  # from which quantity another price holds, ascending
    is_list_only: bool = False  # the price is the list price: the file states no other
    currency: str = ""
    tax_basis: str = ""
    vat: str = ""
    qty: Decimal | None = None
    qty_basis: str = ""
    min_qty: int | None = None
    pack: int | None = None
    stock: int | None = None
    unit: str = ""
    lead: LeadTime | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    price_date: date | None = None
    line_type: str = ""
    status: str = ""
    active: bool | None = None
    origin: str = ""
    eccn: str = ""
    hts: str = ""
    category: str = ""
    part: str = ""  # slug of the catalogue's part, once matched

    @property
    def is_accepted(self) -> bool:
        return self.action in ACCEPTED

    def set_aside(self, action: Action, code: str, **params: str | int | float | None) -> None:
        """Hold, reject or skip the row; the first reason stays."""
        if self.is_accepted:
            self.action = action
            self.reason = Message(code, params)

    def warn(self, code: str, **params: str | int | float | None) -> None:
        self.warnings = (*self.warnings, Message(code, params))


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One worked example of a choice: the raw cell and what it would be."""

    line: int
    raw: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    value: str
    label: str = ""
    examples: tuple[Example, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a person must say. `blocks` is "rows" (rows are held), "commit" or "" (a hint)."""

    key: str
    message: Message
    choices: tuple[Choice, ...] = ()
    suggestion: str = ""
    blocks: str = "commit"
