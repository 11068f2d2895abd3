"""The screening table of `manage.py screen`: CSV text in, rows and findings out, bad input named field by field.

Columns as in the header of `COLUMNS`; `expected_*` and `why` may stand in the file and are not read.
"""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from enum import StrEnum

from quotes.compliance.screen import ScreeningLists, roll_up, screen_line
from quotes.compliance.types import (
    SHIPPED,
    Applicability,
    BuyerType,
    Component,
    Evidence,
    Flag,
    LineType,
    Regime,
    ScreeningContext,
    ScreeningLine,
)
from sizing.core.values import Message

COLUMNS = (
    "case_id", "scope", "regime", "buyer_type", "taa_by_contract", "set_aside", "est_value_usd", "quote_date",
    "contract_start", "line_type", "category", "manufacturer", "brand", "supplier", "components", "bom_complete",
    "origin_text", "origin_evidence", "origin_evidence_date", "transformation_note", "s889_evidence",
    "s889_evidence_date", "destination", "eccn", "lines",
)  # fmt: skip
NOT_READ = ("expected_applicability", "expected_flag", "expected_rule_id", "expected_origin", "why")
ANSWER_COLUMNS = ("case_id", "applicability", "flag", "rule_id", "origin", "reason")

FILE_BYTES_MAX = 50_000_000
CELL_LETTERS_MAX = 20_000
ROWS_MAX = 200_000
ERRORS_SHOWN_MAX = 100
COMPONENTS_MAX = 2_000
VALUE_DIGITS_MAX = 18

_YES_NO = {
    "": False,
    "no": False,
    "n": False,
    "false": False,
    "0": False,
    "yes": True,
    "y": True,
    "true": True,
    "1": True,
}
_EVIDENCE_WORDS = {
    "": Evidence.NONE,
    "none": Evidence.NONE,
    "customs_ruling": Evidence.RULING,
    "final_determination": Evidence.RULING,
    "cbp_final_determination": Evidence.RULING,
    "ruling": Evidence.RULING,
    "maker_letter": Evidence.LETTER,
    "maker_statement": Evidence.LETTER,
    "manufacturer_statement": Evidence.LETTER,
    "publisher_statement": Evidence.LETTER,
    "provider_statement": Evidence.LETTER,
    "supplier_statement": Evidence.LETTER,
    "letter": Evidence.LETTER,
    "statement": Evidence.LETTER,
    "feed": Evidence.FEED,
    "web_page": Evidence.DATASHEET,
    "webpage": Evidence.DATASHEET,
    "website": Evidence.DATASHEET,
    "brand_site": Evidence.DATASHEET,
    "data_sheet": Evidence.DATASHEET,
}


@dataclass(frozen=True, slots=True)
class InputError:
    """One fault: a JSON pointer into the table (row numbers count from 0) and the reason."""

    pointer: str
    message: Message


class BadTable(ValueError):
    """The table cannot be screened; `errors` names every fault, up to ERRORS_SHOWN_MAX."""

    def __init__(self, errors: list[InputError]) -> None:
        super().__init__(f"{len(errors)} errors, first at {errors[0].pointer}: {errors[0].message.code}")
        self.errors = errors


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    case_id: str
    applicability: Applicability
    flag: Flag | None
    rule_id: str
    origin: str
    reason: Message


@dataclass(slots=True)
class _Faults:
    errors: list[InputError] = field(default_factory=list)

    def add(self, pointer: str, code: str, **params: str | int | None) -> None:
        self.errors.append(InputError(pointer, Message(code, params)))
        if len(self.errors) >= ERRORS_SHOWN_MAX:
            raise BadTable(self.errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One row of the table, understood."""

    case_id: str
    regime: Regime | None  # None: a roll-up of stated line results
    context: ScreeningContext
    line: ScreeningLine
    results: tuple[tuple[Applicability, Flag | None], ...] = ()


def read_cases(data: bytes) -> list[Case]:
    """The rows of a table. Raises BadTable, which names each bad field."""
    faults = _Faults()
    text = _decoded(data, faults)
    cases = [_case(number, row, faults) for number, row in _records(text, faults)]
    if faults.errors:
        raise BadTable(faults.errors)
    return [case for case in cases if case is not None]


def answer(case: Case, lists: ScreeningLists) -> Answer:
    """The finding that a row asks for."""
    if case.regime is None:
        total = roll_up(case.results)
        return Answer(
            case_id=case.case_id,
            applicability=total.applicability,
            flag=total.flag,
            rule_id=total.rule_id,
            origin="",
            reason=Message(total.rule_id, dict(total.counts)),
        )
    found = next(one for one in screen_line(case.line, case.context, lists) if one.regime is case.regime)
    return Answer(
        case_id=case.case_id,
        applicability=found.applicability,
        flag=found.flag,
        rule_id=found.rule_id,
        origin=found.origin,
        reason=found.reason,
    )


def _decoded(data: bytes, faults: _Faults) -> str:
    if len(data) > FILE_BYTES_MAX:
        faults.add("", "screen_file_too_large", limit_bytes=FILE_BYTES_MAX)
        raise BadTable(faults.errors)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        faults.add("", "screen_not_utf8", position=error.start)
        raise BadTable(faults.errors) from error
    if "\x00" in text:
        faults.add("", "screen_null_byte", position=text.index("\x00"))
        raise BadTable(faults.errors)
    return text


def _records(text: str, faults: _Faults) -> Iterator[tuple[int, dict[str, str]]]:
    csv.field_size_limit(CELL_LETTERS_MAX)
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _check_header(header, faults)
        for number, cells in enumerate(row for row in reader if any(cell.strip() for cell in row)):
            if number >= ROWS_MAX:
                faults.add(f"/{number}", "screen_too_many_rows", limit=ROWS_MAX)
                raise BadTable(faults.errors)
            if len(cells) != len(header):
                faults.add(f"/{number}", "screen_row_width", cells=len(cells), columns=len(header))
                continue
            yield number, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        faults.add("", "screen_not_csv", row=reader.line_num, detail=str(error))
        raise BadTable(faults.errors) from error


def _check_header(header: list[str], faults: _Faults) -> None:
    for name in header:
        if name not in (*COLUMNS, *NOT_READ):
            faults.add(f"/header/{name[:50]}", "screen_unknown_column", column=name[:50])
    for name in {name for name in header if header.count(name) > 1}:
        faults.add(f"/header/{name[:50]}", "screen_double_column", column=name[:50])
    for name in ("case_id", "regime"):
        if name not in header:
            faults.add(f"/header/{name}", "screen_missing_column", column=name)
    if faults.errors:
        raise BadTable(faults.errors)


def _case(number: int, row: Mapping[str, str], faults: _Faults) -> Case | None:
    cell = _Cells(number, row, faults)
    before = len(faults.errors)
    regime = cell.text("regime").upper()
    is_roll_up = regime == "QUOTE" or cell.text("scope").lower() == "quote"
    if not is_roll_up and regime not in SHIPPED:
        cell.fault("regime", "screen_unknown_value", value=regime[:50], allowed=", ".join((*SHIPPED, "QUOTE")))
    quote_date = cell.day("quote_date")
    if quote_date is None and not is_roll_up and len(faults.errors) == before:
        cell.fault("quote_date", "screen_missing_value")
    results = cell.results() if is_roll_up else ()
    context = _context(cell, quote_date or date.min)
    line = _line(cell)
    if len(faults.errors) > before:
        return None
    return Case(
        case_id=row["case_id"],
        regime=None if is_roll_up else Regime(regime),
        context=context,
        line=line,
        results=results,
    )


def _context(cell: "_Cells", quote_date: date) -> ScreeningContext:
    return ScreeningContext(
        quote_date=quote_date,
        buyer_type=cell.choice("buyer_type", BuyerType, BuyerType.UNKNOWN),
        acquisition_value_usd=cell.amount("est_value_usd"),
        contract_start=cell.day("contract_start"),
        set_aside=cell.yes("set_aside"),
        taa_by_contract=cell.yes("taa_by_contract"),
        destination=cell.text("destination"),
    )


def _line(cell: "_Cells") -> ScreeningLine:
    return ScreeningLine(
        line_id=cell.text("case_id"),
        line_type=cell.choice("line_type", LineType, LineType.GOODS),
        category=cell.text("category"),
        manufacturer=cell.text("manufacturer"),
        brand=cell.text("brand"),
        supplier=cell.text("supplier"),
        components=cell.components(),
        components_complete=cell.yes("bom_complete"),
        origin_text=cell.row.get("origin_text", ""),
        origin_evidence=cell.evidence("origin_evidence"),
        origin_evidence_date=cell.day("origin_evidence_date"),
        transformation_note=cell.text("transformation_note"),
        s889_evidence=cell.evidence("s889_evidence"),
        s889_evidence_date=cell.day("s889_evidence_date"),
        eccn=cell.text("eccn"),
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells of one row, each read by its kind; a bad one adds a fault and reads as absent."""

    number: int
    row: Mapping[str, str]
    faults: _Faults

    def fault(self, column: str, code: str, **params: str | int | None) -> None:
        self.faults.add(f"/{self.number}/{column}", code, column=column, **params)

    def text(self, column: str) -> str:
        return self.row.get(column, "").strip()

    def yes(self, column: str) -> bool:
        word = self.text(column).lower()
        if word not in _YES_NO:
            self.fault(column, "screen_unknown_value", value=word[:50], allowed="yes, no")
        return _YES_NO.get(word, False)

    def day(self, column: str) -> date | None:
        word = self.text(column)
        if not word:
            return None
        try:
            if len(word) == len("2026-11-30"):
                return date.fromisoformat(word)
        except ValueError:
            pass
        self.fault(column, "screen_bad_date", value=word[:50])
        return None

    def amount(self, column: str) -> Decimal | None:
        word = self.text(column)
        if not word:
            return None
        try:
            value = Decimal(word) if word.isascii() and "_" not in word else None
        except InvalidOperation:
            value = None
        if value is None or not value.is_finite() or value < 0 or value.adjusted() > VALUE_DIGITS_MAX:
            self.fault(column, "screen_bad_amount", value=word[:50])
            return None
        return value

    def choice[T: StrEnum](self, column: str, kind: type[T], absent: T) -> T:
        word = self.text(column).lower()
        try:
            return kind(word) if word else absent
        except ValueError:
            self.fault(column, "screen_unknown_value", value=word[:50], allowed=", ".join(kind))
            return absent

    def evidence(self, column: str) -> Evidence:
        word = self.text(column).lower().replace(" ", "_").replace("-", "_")
        if word in _EVIDENCE_WORDS:
            return _EVIDENCE_WORDS[word]
        return self.choice(column, Evidence, Evidence.NONE) if word not in set(Evidence) else Evidence(word)

    def components(self) -> tuple[Component, ...]:
        parts = [part for part in self.text("components").split(";") if part.strip()]
        if len(parts) > COMPONENTS_MAX:
            self.fault("components", "screen_too_many_components", limit=COMPONENTS_MAX)
            return ()
        read = []
        for part in parts:
            pieces = [piece.strip() for piece in part.split("|")]
            if len(pieces) > 3:
                self.fault("components", "screen_bad_component", value=part.strip()[:50])
                continue
            maker, part_class, origin = (*pieces, "", "")[:3]
            read.append(Component(maker=maker, part_class=part_class, origin=origin))
        return tuple(read)

    def results(self) -> tuple[tuple[Applicability, Flag | None], ...]:
        read: list[tuple[Applicability, Flag | None]] = []
        for part in filter(None, (piece.strip() for piece in self.text("lines").split(";"))):
            scope, _slash, flag = part.partition("=")[2].strip().partition("/")
            try:
                read.append((Applicability(scope.strip()), Flag(flag.strip()) if flag.strip() else None))
            except ValueError:
                self.fault("lines", "screen_bad_result", value=part[:50])
        return tuple(read)
