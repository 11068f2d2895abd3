"""A price file understood: rows with actions and reasons, counts that add up, questions. Nothing is written."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal

from catalog.imports.answers import Answers
from catalog.imports.cells import Record, Table
from catalog.imports.collector import collected_later
from catalog.imports.columns import Layout, find_layout, layout_from_roles, normalise_header
from catalog.imports.duplicates import compare_rows
from catalog.imports.feed import Feed, feed_layout, find_feed
from catalog.imports.hierarchy import Hierarchy, hierarchy_of
from catalog.imports.numbers import read_number, split_amount, style_of
from catalog.imports.preamble import Preamble, read_preamble
from catalog.imports.read import read_table
from catalog.imports.rows import Action, Choice, Example, ImportRow, Question
from catalog.imports.styles import Styles, decide
from catalog.imports.summaries import Totals, add_up, kind_of
from catalog.imports.values import Reader
from sizing.core.values import Message

_GERMAN_HEADERS = frozenset(
    {"artikel", "hersteller", "bezeichnung", "preis", "waehrung", "lieferzeit", "menge", "einzelpreis", "marke"}
)


@dataclass(slots=True, kw_only=True)
class Understanding:
    """The whole reading of a file. `skipped_blank` lines are no records and count nowhere."""

    table: Table
    layout: Layout | None
    styles: Styles | None = None
    preamble: Preamble = field(default_factory=Preamble)
    feed: Feed | None = None
    rows: list[ImportRow] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    warnings: list[Message] = field(default_factory=list)
    skipped_kinds: Counter[str] = field(default_factory=Counter)
    totals: Totals | None = None
    hierarchy: Hierarchy | None = None
    price_kind: str = ""  # what the prices are, where a person said so

    @property
    def counts(self) -> dict[str, int]:
        """Accepted, rejected, held and skipped; together the number of records."""
        actions = Counter(row.action for row in self.rows)
        accepted = sum(actions[action] for action in (Action.CREATE, Action.UPDATE, Action.UNCHANGED))
        return {
            "accepted": accepted,
            "rejected": actions[Action.REJECTED],
            "held": actions[Action.HELD],
            "skipped": actions[Action.SKIPPED],
        }

    @property
    def currency(self) -> str:
        """The one currency of the rows; "" where there is none or several."""
        found = {row.currency for row in self.rows if row.currency and row.action is not Action.SKIPPED}
        return next(iter(found)) if len(found) == 1 else ""

    @property
    def blocking(self) -> list[Question]:
        return [question for question in self.questions if question.blocks]


@collected_later()
def understand(data: bytes, *, answers: Answers, today: date) -> Understanding:
    """Read a file as far as it can be read with certainty; the rest becomes questions.

    Raises UnreadableFile for a file that is hostile, damaged or cut short.
    """
    table = read_table(data, delimiter=answers.delimiter, encoding=answers.encoding, sheet=answers.sheet)
    feed = find_feed(table.records) if table.delimiter else None
    if feed is not None:
        layout = layout_from_roles(answers.columns, header_line=0, first=0) if answers.columns else feed_layout(feed)
        records: Sequence[Record] = feed.details
        preamble = Preamble(currency=feed.currency, price_date=feed.price_date)
    else:
        layout = _layout(table, answers)
        records = table.records[layout.first :] if layout else table.records
        preamble = read_preamble(table.records[: _header_index(table, layout)]) if layout else Preamble()
    found = Understanding(table=table, layout=layout, preamble=preamble, feed=feed, price_kind=answers.price_kind)
    if layout is None:
        _hold_all(found, records)
        return found
    layout = _with_price_column(found, layout, answers)
    _read_rows(found, records, layout, answers, today=today)
    _ask_rest(found, layout, answers)
    found.table = replace(table, records=())  # the rows hold their cells; a long file must not stand twice
    return found


def _layout(table: Table, answers: Answers) -> Layout | None:
    if answers.columns:
        first = answers.header_row or 0
        index = next((at for at, record in enumerate(table.records) if record.line > first), len(table.records))
        headers = table.records[index - 1].cells if first and index else ()
        return layout_from_roles(answers.columns, header_line=first, first=index, headers=headers)
    return find_layout(table.records, table.merged_rows)


def _header_index(table: Table, layout: Layout) -> int:
    return next((at for at, record in enumerate(table.records) if record.line >= layout.header_line), 0)


def _hold_all(found: Understanding, records: Sequence[Record]) -> None:
    """Without a header nobody knows what the columns mean: every row waits."""
    for record in records:
        if record.is_blank:
            found.skipped_kinds["blank"] += 1
            continue
        row = ImportRow(line=record.line, raw=record.cells)
        row.set_aside(Action.HELD, "row_waits_for_columns")
        found.rows.append(row)
    width = max((len(record.cells) for record in records), default=0)
    found.questions.append(Question(key="columns", message=Message("ask_columns", {"columns": width}), blocks="rows"))


def _with_price_column(found: Understanding, layout: Layout, answers: Answers) -> Layout:
    """Where two columns are both the price, ask which; with the answer, the other is the list price."""
    if not layout.doubled:
        return layout
    places = layout.doubled[0]
    wanted = answers.price_column.removeprefix("price_")
    chosen = next((at for number, at in enumerate(places, 1) if wanted in (str(number), f"column {at + 1}")), None)
    if chosen is None and answers.price_column.isdecimal():
        chosen = next((at for at in places if str(at + 1) == answers.price_column), None)
    if chosen is None:
        found.questions.append(_price_question(found, layout, places))
        return layout
    others = [at for at in places if at != chosen]
    roles = {chosen: "price", others[0]: "list"}
    columns = tuple(
        replace(column, role=roles.get(column.at, "" if column.role in ("price",) else column.role))
        for column in layout.columns
    )
    return replace(layout, columns=columns, doubled=())


def _price_question(found: Understanding, layout: Layout, places: Sequence[int]) -> Question:
    records = [record for record in found.table.records[layout.first :] if kind_of(record, layout) == "data"][:2]
    choices = []
    for number, at in enumerate(places, start=1):
        examples = tuple(
            _price_example(record, at, style_of(_column_cells(found, layout, at)).style) for record in records
        )
        header = layout.columns[at].header
        choices.append(Choice(value=f"price_{number}", label=f"{header} ({at + 1})", examples=examples))
    header = layout.columns[places[0]].header
    return Question(
        key="price_column",
        message=Message("ask_price_column", {"header": header, "count": len(places)}),
        choices=tuple(choices),
        suggestion="price_1",
    )


def _column_cells(found: Understanding, layout: Layout, at: int) -> list[str]:
    return [record.cells[at] for record in found.table.records[layout.first :] if at < len(record.cells)]


def _price_example(record: Record, at: int, style: str | None) -> Example:
    cell = record.cells[at] if at < len(record.cells) else ""
    amount = split_amount(cell)
    value = read_number(amount, style) if amount and style else None
    return Example(line=record.line, raw=cell.strip(), value="" if value is None else format(value, "f"))


def _read_rows(
    found: Understanding, records: Sequence[Record], layout: Layout, answers: Answers, *, today: date
) -> None:
    kinds = ["data"] * len(records) if found.feed else [kind_of(record, layout) for record in records]
    numbered = [record for record, kind in zip(records, kinds, strict=True) if kind in ("data", "summary")]
    styles = decide(numbered, layout, answers, german=_looks_german(found.table, layout))
    reader = Reader(
        layout=layout,
        styles=styles,
        answers=answers,
        currency=_file_currency(found, layout) or answers.currency,
        tax_basis=found.preamble.tax_basis,
        price_date=found.preamble.price_date,
        valid_until=found.preamble.valid_until,
        today=today,
        is_feed=found.feed is not None,
    )
    found.styles = styles
    found.questions += styles.questions
    summaries: list[tuple[str, Decimal]] = []
    for record, kind in zip(records, kinds, strict=True):
        if kind == "blank":
            found.skipped_kinds["blank"] += 1
            continue
        if kind == "data":
            found.rows.append(reader.row(record))
            continue
        found.rows.append(_skipped(record, kind))
        if kind == "summary" and (said := _stated(record, layout, styles)):
            summaries.append(said)
    articles = [row for row in found.rows if row.action is not Action.SKIPPED]
    conflicts = compare_rows(articles, today=today, confirmed_lines=answers.confirmed_lines)
    for row in found.rows:
        if row.action is Action.SKIPPED:
            found.skipped_kinds[row.reason.code.removeprefix("row_")] += 1
    _ask_conflicts(found, conflicts)
    _check_totals(found, summaries)
    found.hierarchy = hierarchy_of(found.rows)


def _skipped(record: Record, kind: str) -> ImportRow:
    row = ImportRow(line=record.line, raw=record.cells)
    row.set_aside(Action.SKIPPED, "row_summary" if kind == "summary" else "row_text")
    return row


def _stated(record: Record, layout: Layout, styles: Styles) -> tuple[str, Decimal] | None:
    """Label and amount of a total line: the last amount, read in its column's style or the file's."""
    fallback = next((styles.numbers[column.at] for column in layout.columns if column.at in styles.numbers), "")
    label = next((cell.strip() for cell in record.cells if cell.strip() and not cell.strip()[0].isdecimal()), "")
    for at in range(len(record.cells) - 1, -1, -1):
        amount = split_amount(record.cells[at])
        value = read_number(amount, styles.numbers.get(at, fallback) or "en") if amount else None
        if value is not None:
            return label, value
    return None


def _check_totals(found: Understanding, summaries: list[tuple[str, Decimal]]) -> None:
    if not summaries:
        return
    found.totals = add_up(summaries, [row for row in found.rows if row.is_accepted])
    if found.totals.agrees is False:
        params = {"stated": format(found.totals.net or 0, "f"), "rows": format(found.totals.rows_net or 0, "f")}
        found.warnings.append(Message("import_total_differs", params))


def _file_currency(found: Understanding, layout: Layout) -> str:
    headers = {column.currency for column in layout.columns if column.currency and column.is_money}
    return found.preamble.currency or (next(iter(headers)) if len(headers) == 1 else "")


def _looks_german(table: Table, layout: Layout) -> bool:
    words = {word for column in layout.columns for word in normalise_header(column.header).split()}
    return table.delimiter == ";" or bool(words & _GERMAN_HEADERS)


def _ask_conflicts(found: Understanding, conflicts: list[tuple[int, int]]) -> None:
    for first, second in conflicts[:20]:
        message = Message("ask_current_price", {"first_line": first, "second_line": second})
        found.questions.append(Question(key=f"current_price:{first}:{second}", message=message, blocks=""))


def _ask_rest(found: Understanding, layout: Layout, answers: Answers) -> None:
    """Currency, hidden rows, several sheets, bare lead-time numbers."""
    accepted = [row for row in found.rows if row.is_accepted]
    if any(not row.currency for row in accepted):
        found.questions.append(Question(key="currency", message=Message("ask_currency")))
    hidden = sum(1 for row in found.rows if row.reason.code == "row_hidden" and row.action is Action.HELD)
    if hidden:
        ways = (Choice(value="include"), Choice(value="skip"))
        message = Message("ask_hidden_rows", {"rows": hidden})
        found.questions.append(Question(key="hidden_rows", message=message, choices=ways, blocks="rows"))
    if found.table.other_sheets and not answers.sheet:
        names = (found.table.sheet, *found.table.other_sheets)
        message = Message("ask_sheet", {"sheet": found.table.sheet, "count": len(names)})
        found.questions.append(
            Question(key="sheet", message=message, choices=tuple(Choice(value=name) for name in names))
        )
    column = layout.column("lead_time")
    bare = column and not column.unit and not answers.lead_time_unit
    if bare and any(
        row.lead and row.lead.state == "unknown" and _is_bare(row, column.at) for row in accepted if column
    ):
        units = tuple(Choice(value=unit) for unit in ("day", "week", "month", "working"))
        found.questions.append(
            Question(key="lead_time_unit", message=Message("ask_lead_time_unit"), choices=units, blocks="")
        )
    _ask_implied_decimals(found, layout, answers)


def _is_bare(row: ImportRow, at: int) -> bool:
    return at < len(row.raw) and row.raw[at].strip().isdecimal()


def _ask_implied_decimals(found: Understanding, layout: Layout, answers: Answers) -> None:
    """Prices that are all digits with leading zeros have their decimals implied."""
    at = layout.at("price")
    if at is None or answers.implied_decimals:
        return
    cells = [(row, row.raw[at].strip()) for row in found.rows if at < len(row.raw) and row.raw[at].strip()]
    if len(cells) < 2 or not all(cell.isdecimal() and cell[0] == "0" and len(cell) >= 6 for _row, cell in cells):
        return
    samples = cells[:2]
    choices = tuple(
        Choice(value=places, examples=tuple(_implied_example(row, cell, int(places)) for row, cell in samples))
        for places in ("2", "0")
    )
    for row, _cell in cells:
        row.set_aside(Action.HELD, "row_waits_for_implied_decimals")
    message = Message("ask_implied_decimals", {"example": samples[0][1]})
    found.questions.append(
        Question(key="implied_decimals", message=message, choices=choices, suggestion="2", blocks="rows")
    )


def _implied_example(row: ImportRow, cell: str, places: int) -> Example:
    return Example(line=row.line, raw=cell, value=format(Decimal(cell).scaleb(-places), "f"))
