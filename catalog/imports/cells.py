"""What a file is made of once its container is opened: records of cells with their line numbers."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

EXACT_DIGITS = 15


class NumberCell(str):
    """A cell that the file itself stores as a number; its text is for show, `number` is exact.

    `currency` is the one of the format in which the sheet shows it, "" for none.
    """

    __slots__ = ("currency", "number")
    number: Decimal
    currency: str

    def __new__(cls, text: str, number: Decimal, currency: str = "") -> "NumberCell":
        cell = super().__new__(cls, text)
        cell.number, cell.currency = number, currency
        return cell

    @property
    def lost_digits(self) -> bool:
        """Whether it is longer than the fifteen digits that a spreadsheet keeps."""
        return len(self.partition(".")[0].lstrip("-")) > EXACT_DIGITS


class DateCell(str):
    """A cell that the file itself stores as a date."""

    __slots__ = ("day",)
    day: date

    def __new__(cls, text: str, day: date) -> "DateCell":
        cell = super().__new__(cls, text)
        cell.day = day
        return cell


class FormulaCell(str):
    """A cell that the file computes; its text is the last value that the sender's program saw."""

    __slots__ = ()


class FormulaNumber(NumberCell):
    """A computed cell whose last value is a number."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One line or row. `line` counts from 1 in the file; `fault` names what is wrong with its form."""

    line: int
    cells: tuple[str, ...]
    hidden: bool = False
    fault: str = ""

    @property
    def is_blank(self) -> bool:
        return not any(cell.strip() for cell in self.cells)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A file as records. `delimiter` is "" for fixed width and for workbooks."""

    container: str  # "text" or "xlsx"
    encoding: str
    delimiter: str
    records: tuple[Record, ...]
    sheet: str = ""
    other_sheets: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    merged_rows: frozenset[int] = frozenset()


class UnreadableFile(ValueError):
    """The file is refused; `code` and `params` say why, worded by `catalog.messages_import`."""

    def __init__(self, code: str, **params: str | int | float | None) -> None:
        self.code = code
        self.params = params
        super().__init__(f"{code} {params}" if params else code)
