"""How each column of a file is to be read, decided once, and what must be asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from catalog.imports.answers import Answers
from catalog.imports.cells import Record
from catalog.imports.columns import Layout
from catalog.imports.dates import ORDERS, order_of, read_date
from catalog.imports.lead_times import stated_day
from catalog.imports.numbers import STYLES, ColumnStyle, distinct_readings, style_of
from catalog.imports.rows import Choice, Example, Question
from catalog.imports.tiers import BREAK
from sizing.core.values import Message

NUMBER_ROLES = ("price", "list", "ext_price", "qty", "min_qty", "pack", "stock", "discount")
DATE_ROLES = ("valid_until", "valid_from", "price_date")
EXAMPLES = 2
PLAIN = "plain"
AMBIGUOUS = "AMBIGUOUS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Styles:
    """Style by column place; a place that is missing waits for an answer. `shown` is the file's style."""

    numbers: dict[int, str]
    dates: dict[int, str]
    shown: str
    questions: tuple[Question, ...]


def decide(records: Sequence[Record], layout: Layout, answers: Answers, *, german: bool) -> Styles:
    """The styles of all columns of numbers and dates. `german` only chooses what the question suggests."""
    numbers, shown, number_question = _numbers(records, layout, answers, german=german)
    dates, date_question = _dates(records, layout, answers, german=german)
    return Styles(
        numbers=numbers, dates=dates, shown=shown, questions=tuple(filter(None, (number_question, date_question)))
    )


def _numbers(
    records: Sequence[Record], layout: Layout, answers: Answers, *, german: bool
) -> tuple[dict[int, str], str, Question | None]:
    """A column that decides itself is read so; one that cannot takes the style that others of the file prove."""
    places = [
        column.at
        for column in layout.columns
        if column.role in NUMBER_ROLES or column.is_money or column.role.startswith(BREAK)
    ]
    places += [at for group in layout.doubled for at in group if at not in places]
    found = {at: style_of(_cells(records, at)) for at in places}
    proved = {column.style for column in found.values() if column.style and len(column.possible) < len(STYLES)}
    numbers = {at: column.style for at, column in found.items() if column.style}
    open_at = [at for at, column in found.items() if column.style is None]
    common = next(iter(proved)) if len(proved) == 1 else ""
    for at in list(open_at):
        style = answers.number_style or ("" if found[at].is_mixed else common)
        if style and (style in found[at].possible or found[at].is_mixed):
            numbers[at] = style
            open_at.remove(at)
    shown = _shown(layout, found, numbers)
    question = _number_question(records, found, open_at, german=german) if open_at else None
    return numbers, shown, question


def _shown(layout: Layout, found: dict[int, ColumnStyle], numbers: dict[int, str]) -> str:
    money = [column.at for column in layout.columns if column.is_money and column.at in found]
    money += [at for group in layout.doubled for at in group]
    if any(at not in numbers for at in money):
        return AMBIGUOUS
    proved = [numbers[at] for at in money if len(found[at].possible) < len(STYLES) or found[at].style is None]
    return proved[0] if proved else PLAIN


def _number_question(
    records: Sequence[Record], found: dict[int, ColumnStyle], open_at: list[int], *, german: bool
) -> Question:
    at = open_at[0]
    samples = _samples(records, at, lambda cell: len(distinct_readings(cell, STYLES)) > 1)
    values = list(distinct_readings(samples[0][1], found[at].possible)) if samples else ["de", "en"]
    choices = tuple(
        Choice(value=style, label=style, examples=tuple(_number_example(line, cell, style) for line, cell in samples))
        for style in values
    )
    suggestion = "de" if german and "de" in values else "en"
    code = "ask_number_style_mixed" if found[at].is_mixed else "ask_number_style"
    message = Message(code, {"example": samples[0][1].strip() if samples else found[at].example.strip()})
    return Question(key="number_style", message=message, choices=choices, suggestion=suggestion, blocks="rows")


def _number_example(line: int, cell: str, style: str) -> Example:
    value = distinct_readings(cell, (style,)).get(style)
    return Example(line=line, raw=cell.strip(), value="" if value is None else format(value, "f"))


def _dates(
    records: Sequence[Record], layout: Layout, answers: Answers, *, german: bool
) -> tuple[dict[int, str], Question | None]:
    places = [column.at for column in layout.columns if column.role in DATE_ROLES]
    promised = [column.at for column in layout.columns if column.role == "lead_time"]  # dates among words: never asked
    found = {at: order_of(_cells(records, at)) for at in places}
    for at in promised:
        if stated := [day for cell in _cells(records, at) if (day := stated_day(cell))]:
            found[at] = order_of(stated)
    dates = {at: order.order for at, order in found.items() if order.order}
    open_at = [at for at in places if at not in dates]
    if answers.date_order:
        dates |= dict.fromkeys(open_at, answers.date_order)
        return dates, None
    if not open_at:
        return dates, None
    at = open_at[0]
    samples = _samples(records, at, lambda cell: read_date(cell, "dmy") != read_date(cell, "mdy"))
    choices = tuple(
        Choice(value=order, label=order, examples=tuple(_date_example(line, cell, order) for line, cell in samples))
        for order in ORDERS
    )
    message = Message("ask_date_order", {"example": found[at].example})
    suggestion = "dmy" if german else "mdy"
    return dates, Question(key="date_order", message=message, choices=choices, suggestion=suggestion, blocks="rows")


def _date_example(line: int, cell: str, order: str) -> Example:
    day = read_date(cell, order)
    return Example(line=line, raw=cell.strip(), value=day.isoformat() if day else "")


def _cells(records: Sequence[Record], at: int) -> list[str]:
    return [record.cells[at] for record in records if at < len(record.cells) and record.cells[at].strip()]


def _samples(records: Sequence[Record], at: int, wanted: Callable[[str], bool]) -> list[tuple[int, str]]:
    """Two different cells that the choice would read differently."""
    found: list[tuple[int, str]] = []
    for record in records:
        cell = record.cells[at] if at < len(record.cells) else ""
        if cell.strip() and cell not in [old for _line, old in found] and wanted(cell):
            found.append((record.line, cell))
        if len(found) == EXAMPLES:
            break
    return found
