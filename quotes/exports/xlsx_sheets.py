"""The side sheets of the workbook: delivery, sizing, screening, assumptions, sources."""

from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from quotes.document import QuoteDocument
from quotes.exports.table import Value
from quotes.printing.delivery import lead_source_words
from quotes.printing.sizing import assumption_rows
from quotes.printing.words import description, evidence_words, reason_words


@dataclass(frozen=True, slots=True, kw_only=True)
class SideSheet:
    name: str
    columns: tuple[str, ...]
    rows: list[tuple[Value, ...]]


def side_sheets(document: QuoteDocument) -> list[SideSheet]:
    """All side sheets in the order of the document; one without rows keeps its head."""
    sheets = [_delivery(document), _sizing(document), _screening(document), _assumptions(document), _sources(document)]
    return [*sheets, _changes(document)] if document.changes is not None else sheets


def _changes(document: QuoteDocument) -> SideSheet:
    """Raw amounts, so that they can be added up."""
    stored = document.content["changes"]
    rows: list[tuple[Value, ...]] = [
        (change["line"], change["kind"], change["before"], change["after"], _number(change["amount"]))
        for change in stored["lines"]
    ]
    rows += [
        ("", f"{entry['block']}.{entry['field']}", entry["before"], entry["after"], None) for entry in stored["blocks"]
    ]
    return SideSheet(name="Changes", columns=("line", "kind", "before", "after", "difference"), rows=rows)


def _delivery(document: QuoteDocument) -> SideSheet:
    decides = str(document.content["delivery"].get("deciding_line") or "")
    rows: list[tuple[Value, ...]] = []
    for line in document.content["lines"]:
        if line["kind"] != "base":
            continue
        lead = line["lead"] or {}
        values = [Decimal(lead[key]) if lead.get(key) else None for key in ("low", "typical", "high")]
        rows.append(
            (
                line["number"],
                description(line),
                *values,
                "weeks" if lead else "unknown",
                lead_source_words(lead["source"]) if lead else "",
                _day(lead.get("date")),
                "yes" if line["number"] == decides else "no",
            )
        )
    columns = ("line", "base line", "low", "p50", "p90", "unit", "source", "date", "decides")
    return SideSheet(name="Delivery", columns=columns, rows=rows)


def _sizing(document: QuoteDocument) -> SideSheet:
    columns = ("figure", "value", "low", "high", "unit", "target", "state", "basis", "source")
    rows: list[tuple[Value, ...]] = []
    printed = {} if document.sizing is None else {row.figure: row for row in document.sizing.rows}
    for figure, row in zip(document.content["sizing"].get("figures") or (), printed.values(), strict=False):
        numbers = [_number(figure.get(key)) for key in ("value", "low", "high")]
        rows.append(
            (
                row.figure,
                *numbers,
                figure.get("unit") or "",
                row.target,
                row.caution or ("unknown" if row.value_unknown else ""),
                row.basis,
                str(figure.get("source") or ""),
            )
        )
    if document.sizing is not None:
        limits = (*document.sizing.caveats, *document.sizing.memory_caveats)
        rows += [(text, *[""] * (len(columns) - 1)) for text in limits]
    return SideSheet(name="Sizing", columns=columns, rows=rows)


def _screening(document: QuoteDocument) -> SideSheet:
    columns = (
        "line", "regime", "applicability", "applicability_rule", "flag", "rule", "reason", "citation", "origin_raw",
        "origin_code", "evidence_type", "evidence_grade", "evidence_date", "list", "engine_version", "decision",
        "decided_by", "decided_on",
    )  # fmt: skip
    content = document.content
    lines = {line["number"]: line for line in content["lines"]}
    decided = {(entry["line"], entry["rule"]): entry for entry in content["decisions"] if entry["about"] == "finding"}
    rows: list[tuple[Value, ...]] = []
    for finding in content["screening"]["findings"]:
        line = lines.get(finding["line"], {})
        origin = line.get("origin") or {}
        proof = line.get("s889") or {} if finding["regime"] == "S889" else origin
        decision = decided.get((finding["line"], finding["rule"]), {})
        rows.append(
            (
                finding["line"],
                finding["regime"],
                finding["applicability"],
                finding["applicability_rule"],
                finding["flag"],
                finding["rule"],
                reason_words(finding["reason"]),
                finding["citation"],
                origin.get("raw", ""),
                finding["origin_code"],
                evidence_words(proof.get("evidence", "")),
                finding["evidence_grade"],
                _day(proof.get("date")),
                finding["lists"],
                finding["engine_version"],
                decision.get("reason", ""),
                decision.get("by", ""),
                _day(decision.get("at")),
            )
        )
    return SideSheet(name="Screening", columns=columns, rows=rows)


def _assumptions(document: QuoteDocument) -> SideSheet:
    found = assumption_rows(document.content, document.reader)
    rows: list[tuple[Value, ...]] = [
        (index, row.field, row.value, row.reason) for index, row in enumerate(found, start=1)
    ]
    return SideSheet(name="Assumptions", columns=("no", "field", "value", "reason"), rows=rows)


def _sources(document: QuoteDocument) -> SideSheet:
    rows: list[tuple[Value, ...]] = [row.cells for row in document.sources]
    return SideSheet(name="Sources", columns=("id", "kind", "date", "lines"), rows=rows)


def _number(value: object) -> Decimal | None:
    return None if value is None else Decimal(str(value))


def _day(value: str | None) -> date | None:
    return date.fromisoformat(value[:10]) if value else None
