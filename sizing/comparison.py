"""Options side by side: one row per figure, each difference to the first option, what is equal marked."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from sizing import figures, presentation
from sizing.charts import memory_parts
from sizing.messages import localised
from sizing.models import SizingOption, SizingRun
from sizing.names import device_names
from sizing.pages import input_name, taken_value
from sizing.presentation import OptionView
from sizing.templatetags.kvote import money_text
from sizing.verdict_words import LABELS

MOST_COMPARED = 4
Build = Callable[[Sequence["Column"]], "Row"]  # makes one row of all columns


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """An option with the run that it answers."""

    run: SizingRun
    row: SizingOption


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One figure of one option. `state` is that of a verdict; `delta` the difference to the reference, or empty.

    `why` is the address of the figure's explanation; empty for words that explain themselves. `estimate` is the
    figure itself, where it has an interval and a basis.
    """

    text: str
    state: str = ""
    delta: str = ""
    is_open: bool = False
    why: str = ""
    estimate: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One figure of all options; `same` where they do not differ."""

    label: str
    cells: list[Cell]
    numeric: bool = False

    @property
    def same(self) -> bool:
        return len({(cell.text, cell.state) for cell in self.cells}) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """An option as the head of its column; `key` is its part of the address."""

    key: str
    option: OptionView
    run: SizingRun
    quote_option: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    columns: list[Column]
    sections: list[tuple[str, list[Row]]]
    conditions: list[Row] = field(default_factory=list)  # inputs in which the runs differ
    only_differences: bool = False


def comparison(found: Sequence[Compared], *, only_differences: bool = False) -> Comparison:
    """The first option is the reference. With `only_differences` rows without one are left out."""
    names = device_names([each.row.accelerator for each in found])
    columns = [_column(each, names) for each in found]
    if len(columns) < 2:
        return Comparison(columns=columns, sections=[], only_differences=only_differences)
    sections = [(title, [row(columns) for row in rows]) for title, rows in _plan(columns)]
    if only_differences:
        sections = [(title, [row for row in rows if not row.same]) for title, rows in sections]
    shown = [(str(title), rows) for title, rows in sections if rows]
    return Comparison(columns=columns, sections=shown, conditions=_conditions(found), only_differences=only_differences)


def _column(each: Compared, names: Mapping[str, tuple[str, str]]) -> Column:
    option = presentation.option_view(
        localised(each.row.data), each.run.request, names=names, run_url=each.run.get_absolute_url()
    )
    key = f"{each.run.key}.{each.row.rank}"
    return Column(key=key, option=option, run=each.run, quote_option=str(each.row.public_id))


def _plan(columns: Sequence[Column]) -> list[tuple[str | Promise, list[Build]]]:
    of_tokens = not any(column.option.kind_figures for column in columns)
    speed = _speed_rows() if of_tokens else _kind_rows(columns)
    return [
        (gettext_lazy("Verdicts"), [_verdict_row(key) for key in LABELS]),
        (gettext_lazy("Money and delivery"), [*_money_rows(), *_delivery_rows()]),
        (gettext_lazy("Speed"), speed),
        (gettext_lazy("Hardware"), _hardware_rows()),
    ]


def _why(column: Column, key: str) -> str:
    """The address that opens the figure of that key; empty without one."""
    return f"{column.option.url}?why={key}" if key else ""


def _verdict_row(key: str) -> Build:
    def row(columns: Sequence[Column]) -> Row:
        views = [next(view for view in column.option.verdicts if view.key == key) for column in columns]
        cells = [
            Cell(text=view.value, state=view.state, why=_why(column, key))
            for view, column in zip(views, columns, strict=True)
        ]
        return Row(label=str(LABELS[key]), cells=cells)

    return row


def _figure_row(label: Any, key: str, find: Callable[[OptionView], Mapping[str, Any] | None]) -> Build:
    """A row of estimates, each with its interval and its difference to the reference; `key` opens them."""

    def row(columns: Sequence[Column]) -> Row:
        values = [find(column.option) or {} for column in columns]
        cells = [
            _estimate_cell(value, values[0], why=_why(column, key))
            for value, column in zip(values, columns, strict=True)
        ]
        return Row(label=str(label), cells=cells, numeric=True)

    return row


def _estimate_cell(value: Mapping[str, Any], reference: Mapping[str, Any], *, why: str) -> Cell:
    text, interval = figures.estimate_texts(dict(value)) if value else ("", "")
    if not text:
        return Cell(text=_("unknown"), is_open=True, why=why if value else "")
    delta = ""
    if value is not reference and reference.get("value") and value.get("value") is not None:
        share = value["value"] / reference["value"] - 1
        delta = (
            ""
            if not round(share, 3)
            else figures.signed(share, figures.percent(abs(share), 0 if abs(share) >= 0.1 else 1))
        )
    return Cell(text=f"{text} [{interval}]" if interval else text, delta=delta, why=why, estimate=value)


def _speed_rows() -> list[Build]:
    return [
        _figure_row(gettext_lazy("Time to first token, p95"), "ttft", lambda option: option.ttft),
        _figure_row(gettext_lazy("Time per output token, p95"), "tpot", lambda option: option.tpot),
        _figure_row(gettext_lazy("End-to-end time, p95"), "e2e", lambda option: option.estimate("e2e_ms")),
        _figure_row(gettext_lazy("Output in total"), "throughput", lambda option: option.throughput),
        _text_row(
            gettext_lazy("Requests held at once, in total"), lambda option: _count(option.capacity), key="capacity"
        ),
        _text_row(gettext_lazy("Limited by"), lambda option: presentation.bottleneck_words(option.data)),
    ]


def _kind_rows(columns: Sequence[Column]) -> list[Build]:
    labels = {row.label: row.name for column in columns for row in column.option.kind_figures}

    def finder(label: str) -> Callable[[OptionView], Mapping[str, Any] | None]:
        return lambda option: next((row.estimate for row in option.kind_figures if row.label == label), None)

    return [_figure_row(label, f"kind-{name}", finder(label)) for label, name in labels.items()]


def _text_row(label: Any, words: Callable[[OptionView], str], *, numeric: bool = False, key: str = "") -> Build:
    def row(columns: Sequence[Column]) -> Row:
        texts = [words(column.option) for column in columns]
        cells = [
            Cell(text=text or _("unknown"), is_open=not text, why=_why(column, key) if text else "")
            for text, column in zip(texts, columns, strict=True)
        ]
        return Row(label=str(label), cells=cells, numeric=numeric)

    return row


def _count(value: int | None) -> str:
    return "" if value is None else figures.number(value)


def _money_rows() -> list[Build]:
    def purchase(columns: Sequence[Column]) -> Row:
        reference, cells = columns[0].option, []
        for column in columns:
            option = column.option
            delta = "" if option is reference else presentation.deltas_between(reference, option)[0]["text"]
            text = money_text(option.price, exact=False) if option.amount is not None else _("price open")
            text += f" {option.open_lines}" if option.open_lines else ""
            cells.append(Cell(text=text, delta=delta, is_open=option.amount is None, why=_why(column, "price")))
        return Row(label=_("Purchase, net"), cells=cells, numeric=True)

    def cost(key: str, label: Any) -> Build:
        def words(option: OptionView) -> str:
            money = presentation.known_money((option.data.get("cost") or {}).get(key))
            if money.get("amount") is None:
                return ""
            text = money_text(money, exact=key != "per_year")
            return _("at least %(money)s") % {"money": text} if money.get("basis") == presentation.AT_LEAST else text

        return _text_row(label, words, numeric=True, key=key)

    return [
        purchase,
        cost("per_year", gettext_lazy("Per year")),
        cost("per_million_tokens", gettext_lazy("Per million tokens")),
    ]


def _delivery_rows() -> list[Build]:
    def weeks(columns: Sequence[Column]) -> Row:
        reference, cells = columns[0].option, []
        for column in columns:
            option = column.option
            delta = "" if option is reference else presentation.deltas_between(reference, option)[1]["text"]
            text, why = option.delivery_words or _("unknown"), _why(column, "weeks")
            cells.append(Cell(text=text, delta=delta, is_open=not option.delivery_words, why=why))
        return Row(label=_("Delivery, p50"), cells=cells, numeric=True)

    late = _text_row(gettext_lazy("Delivery, p90"), _late_words, numeric=True, key="weeks")
    return [weeks, late]


def _late_words(option: OptionView) -> str:
    """The careful delivery, a lower bound while lead times are open; empty where nothing is known."""
    late = option.delivery.get("weeks_p90")
    if late is None:
        return ""
    words = figures.weeks(late)
    return words if option.delivery.get("complete") else _("at least %(weeks)s") % {"weeks": words}


def _hardware_rows() -> list[Build]:
    def free(option: OptionView) -> str:
        if not (option.data.get("memory_per_accelerator") or {}).get("usable_bytes"):
            return ""
        return figures.gigabytes(memory_parts(option)["free"] * 1e9)

    return [
        _text_row(gettext_lazy("Layout"), lambda option: option.layout),
        _text_row(gettext_lazy("Server"), lambda option: str(option.data.get("server_name") or "")),
        _text_row(gettext_lazy("Weight format"), lambda option: str(option.data.get("weights_format") or "")),
        _text_row(gettext_lazy("KV cache format"), lambda option: str(option.data.get("kv_format") or "")),
        _text_row(gettext_lazy("Memory free per accelerator"), free, numeric=True, key="mem-free"),
        _figure_row(gettext_lazy("Power draw"), "draw", lambda option: option.power),
    ]


def _conditions(found: Sequence[Compared]) -> list[Row]:
    """The inputs in which the runs differ; a comparison holds only where there are none."""
    flat = [_flat(each.run.request) for each in found]
    paths = sorted({path for one in flat for path in one} - {"name", "as_of"})
    rows = []
    for path in paths:
        texts = [taken_value(one.get(path)) or _("not stated") for one in flat]
        if len(set(texts)) > 1:
            rows.append(Row(label=input_name(path), cells=[Cell(text=text) for text in texts]))
    return rows


def _flat(request: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """The request as paths such as `traffic.users`; lists as text, empty values left out."""
    found: dict[str, Any] = {}
    for key, value in request.items():
        path = f"{before}{key}"
        if isinstance(value, Mapping):
            found |= {path: _("own model")} if path == "model.config" else _flat(value, f"{path}.")
        elif isinstance(value, list):
            found |= {path: ", ".join(map(str, value))} if value else {}
        elif value is not None:
            found[path] = value
    return found
