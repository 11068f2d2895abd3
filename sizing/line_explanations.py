"""What stands behind one line of a bill, its price and its lead time, and behind the delivery of the whole."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from catalog.choices import PriceKind
from sizing import figures
from sizing.explanation_parts import Explanation, SumRow
from sizing.line_observations import Seen, seen_lead_times, seen_price
from sizing.models import SizingRun
from sizing.presentation import OptionView, words_of


def line_explanation(option: OptionView, run: SizingRun | None, key: str) -> Explanation | None:
    """The explanation of `price-1.1`, `lead-1.1` or `weeks`; None where the option has no such line."""
    if key == "weeks":
        return delivery(option)
    what, _dash, number = key.partition("-")
    line = next((line for line in option.data.get("bom") or [] if str(line.get("line")) == number), None)
    build = LINES.get(what)
    return build(option, line, run) if build and line is not None else None


def line_name(line: Mapping[str, Any]) -> str:
    return f"{line.get('line')} {line.get('description') or line.get('mpn') or ''}".strip()


def price(option: OptionView, line: Mapping[str, Any], run: SizingRun | None) -> Explanation:
    """The price that counts for a line, or the weak one that does not; where it was seen, by which rules it won."""
    firm, weak = line.get("unit_price") or {}, line.get("indicative_price") or {}
    known = firm.get("amount") is not None
    money = firm if known else weak
    seen = seen_price(line, money, run) if run is not None and not line.get("included") else Seen()
    notes = [] if known or money.get("amount") is None else [_("Indicative only: it enters no total and no quote.")]
    if line.get("included"):
        notes.append(_("Included in the price of another line."))
    return Explanation(
        key=f"price-{line.get('line')}",
        title=_("Unit price, net: %(line)s") % {"line": line_name(line)},
        text=_amount(money) if money.get("amount") is not None else _("price open"),
        is_open=money.get("amount") is None,
        rule=_("The price that counts by the order of sources; the newest of each source, never an expired one."),
        rows=_extended(line, firm) if known else [],
        total=figures.amount(Decimal(str(firm["amount"])) * line["quantity"], str(firm["currency"]), exact=True)
        if known
        else "",
        facts=[*_price_facts(money), *seen.facts] if money.get("amount") is not None else [],
        notes=[*notes, *seen.notes, words_of(line.get("reason"))],
        link=seen.link,
        source=str(money.get("source") or ""),
    )


def _amount(money: Mapping[str, Any]) -> str:
    return figures.amount(str(money["amount"]), str(money["currency"]), exact=True)


def _extended(line: Mapping[str, Any], money: Mapping[str, Any]) -> list[SumRow]:
    return [
        SumRow(label=_("Quantity"), value=figures.number(line["quantity"])),
        SumRow(label=_("Unit price, net"), term="×", value=_amount(money)),
    ]


def _price_facts(money: Mapping[str, Any]) -> list[tuple[str, str]]:
    low, high = money.get("low"), money.get("high")
    currency = str(money.get("currency") or "")
    span = ""
    if low is not None and high is not None and low != high:
        span = f"{figures.amount(str(low), currency, exact=True)} – {figures.amount(str(high), currency, exact=True)}"
    rows = [
        (_("Kind of price"), kind_words(str(money.get("basis") or ""))),
        (_("Supplier or source"), str(money.get("source") or "")),
        (_("Seen on"), figures.day(money.get("as_of"))),
        (_("Currency"), currency),
        (_("Range"), span),
    ]
    return [(label, text) for label, text in rows if text]


def kind_words(basis: str) -> str:
    """The kind of a price in words; a conversion behind it stays as it was noted."""
    kind, _blank, rest = basis.partition(" ")
    words = {str(value): str(label) for value, label in PriceKind.choices}
    return " ".join(part for part in (words.get(kind, kind), rest) if part)


def lead(option: OptionView, line: Mapping[str, Any], run: SizingRun | None) -> Explanation:
    """The lead time of a line: range, the statement that weighs most, and every statement on file."""
    weeks = line.get("lead_weeks") or {}
    known = weeks.get("typical") is not None
    seen = seen_lead_times(line, run) if run is not None and known else Seen()
    notes = []
    if weeks.get("for_class"):
        notes.append(_("Only statements about the whole class of parts exist, none about this part."))
    if weeks.get("at_least"):
        notes.append(_("A statement has no upper end: at least so long."))
    if not known:
        notes.append(_("No statement on delivery is on file. Ask suppliers, or import lead times."))
    return Explanation(
        key=f"lead-{line.get('line')}",
        title=_("Lead time: %(line)s") % {"line": line_name(line)},
        text=weeks_words(weeks["typical"]) if known else _("unknown"),
        is_open=not known,
        rule=_("Mean of the statements on file, a newer one weighing more; old ones widen the range."),
        facts=[*_lead_facts(weeks), *seen.facts] if known else [],
        notes=[*notes, *seen.notes],
        link=seen.link,
        source=str(weeks.get("source") or ""),
    )


def _lead_facts(weeks: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = [
        (_("Early, p10"), weeks_words(weeks.get("low"))),
        (_("Likely, p50"), weeks_words(weeks.get("typical"))),
        (_("Careful, p90"), weeks_words(weeks.get("high"))),
        (_("Statement that weighs most"), str(weeks.get("source") or "")),
        (_("Stated on"), figures.day(weeks.get("as_of"))),
    ]
    return [(label, text) for label, text in rows if text]


def weeks_words(value: float | None) -> str:
    """Weeks to a tenth where they are no whole number."""
    if value is None:
        return ""
    return figures.with_unit(figures.number(value, 0 if float(value).is_integer() else 1), _("wk"))


def delivery(option: OptionView) -> Explanation:
    """The longest line, then integration and shipping: a maximum, not a sum over the lines."""
    facts, lines = option.delivery, {str(line.get("line")): line for line in option.data.get("bom") or []}
    after = facts.get("after_parts_weeks")
    known = facts.get("weeks_p50") is not None
    rows, total = [], ""
    for field, key, part, label in (
        ("weeks_p50", "deciding_line", "typical", _("Likely, p50")),
        ("weeks_p90", "deciding_line_p90", "high", _("Careful, p90")),
    ):
        line = lines.get(str(facts.get(key) or facts.get("deciding_line") or ""))
        if line is None or facts.get(field) is None:
            continue
        rows += _path(option, line, label=label, part=part, after=after, weeks=float(facts[field]))
        total = _delivery_total(facts)
    return Explanation(
        key="weeks",
        title=_("Delivery"),
        text=option.delivery_words or _("unknown"),
        is_open=not known,
        rule=_("the longest lead time of all lines + integration and validation + shipping"),
        rows=rows,
        total=total,
        facts=_dates(facts),
        notes=_delivery_notes(facts, lines),
        source=_("The dated statements of each line; open a line to see them."),
    )


def _path(
    option: OptionView, line: Mapping[str, Any], *, label: str, part: str, after: float | None, weeks: float
) -> list[SumRow]:
    own = (line.get("lead_weeks") or {}).get(part)
    after = weeks - float(own) if after is None and own is not None else after
    url = f"{option.url}?why=lead-{line.get('line')}"
    rows = [SumRow(label=f"{label}: {line_name(line)}", value=weeks_words(own), url=url)]
    if after is not None:
        rows.append(
            SumRow(label=_("Integration, validation and shipping"), term="+", value=weeks_words(round(after, 1)))
        )
    return rows


def _delivery_total(facts: Mapping[str, Any]) -> str:
    early, late = facts.get("weeks_p50"), facts.get("weeks_p90")
    words = _("at least %(early)s likely, at least %(late)s in one case of ten")
    if facts.get("complete"):
        words = _("%(early)s likely, %(late)s in one case of ten")
    return words % {"early": weeks_words(early), "late": weeks_words(late)}


def _dates(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    rows = [
        (_("Delivered, p50"), figures.day(facts.get("date_p50"))),
        (_("Delivered, p90"), figures.day(facts.get("date_p90"))),
    ]
    return [(label, text) for label, text in rows if text]


def _delivery_notes(facts: Mapping[str, Any], lines: Mapping[str, Mapping[str, Any]]) -> list[str]:
    unknown = [line_name(lines[number]) for number in facts.get("unknown_lines") or [] if number in lines]
    notes = [words_of(facts.get("message"))]
    if unknown:
        notes.append(_("No lead time is on file for: %(lines)s.") % {"lines": ", ".join(unknown)})
    return [note for note in notes if note]


LINES: dict[str, Callable[[OptionView, Mapping[str, Any], SizingRun | None], Explanation]] = {
    "price": price,
    "lead": lead,
}
