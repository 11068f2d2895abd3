"""The reading of a file as plain JSON data: what the command, the API and the preview page show."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any

from catalog.imports.check import Understanding
from catalog.imports.duplicates import product_key
from catalog.imports.rows import Choice, ImportRow, Question
from sizing.core.values import Message

type Words = Callable[[Message], str]

SKIPPED_KINDS = ("blank", "summary", "text", "identical", "hidden")


def as_json(found: Understanding, *, words: Words) -> dict[str, Any]:
    """The body of a dry run. `words` renders a message in the reader's language."""
    return head_json(found, words=words) | {"rows": [row_json(row, words=words) for row in found.rows]}


def head_json(found: Understanding, *, words: Words) -> dict[str, Any]:
    """Everything but the rows, of which a file may have many."""
    layout, styles, table = found.layout, found.styles, found.table
    body: dict[str, Any] = {
        "encoding": table.encoding,
        "delimiter": table.delimiter,
        "container": table.container,
        "sheet": table.sheet,
        "header_row": layout.header_line if layout else None,
        "number_style": styles.shown if styles else None,
        "currency": found.currency or None,
        "tax_basis": found.preamble.tax_basis or None,
        "price_date": found.preamble.price_date.isoformat() if found.preamble.price_date else None,
        **found.counts,
        "records": len(found.rows),
        **{f"skipped_{kind}": found.skipped_kinds.get(kind, 0) for kind in SKIPPED_KINDS},
        "products": len({product_key(row) for row in found.rows if row.is_accepted}),
        "columns": _columns(found),
        "questions": [_question(question, words) for question in found.questions],
        "warnings": [_message(message, words) for message in found.warnings],
        "notes": list(table.notes),
    }
    return body | _extras(found)


def shown_amount(value: Decimal | None) -> str | None:
    """A decimal as text with at least two decimals and all it has."""
    if value is None:
        return None
    text = format(value, "f")
    decimals = len(text.partition(".")[2])
    return text if decimals >= 2 else format(value.quantize(Decimal("0.01")), "f")


def shown_number(value: Decimal | None) -> int | str | None:
    """A quantity: a whole number where it is one, else its text."""
    if value is None:
        return None
    return int(value) if value == value.to_integral_value() else format(value, "f")


def _columns(found: Understanding) -> list[dict[str, Any]]:
    columns = found.layout.columns if found.layout else ()
    styles = found.styles.numbers if found.styles else {}
    return [
        {"at": column.at + 1, "header": column.header, "role": column.role, "number_style": styles.get(column.at)}
        for column in columns
    ]


def _extras(found: Understanding) -> dict[str, Any]:
    """Totals, feed and hierarchy, where the file has them."""
    extras: dict[str, Any] = {}
    if found.totals:
        extras["check_total_net"] = shown_amount(found.totals.net)
        extras["check_vat"] = shown_amount(found.totals.vat)
        extras["check_total_gross"] = shown_amount(found.totals.gross)
        extras["rows_total_net"] = shown_amount(found.totals.rows_net)
        extras["totals_agree"] = found.totals.agrees
    if found.feed:
        extras["trailer_count"] = found.feed.trailer_count
        extras["record_types"] = ["HDR", "DTL", "TRL"]
    if found.hierarchy:
        nested = found.hierarchy
        extras["totals"] = {"base_known": shown_amount(nested.base_known), "complete": nested.complete}
        extras["alternative_delta"] = shown_amount(nested.alternative_delta)
        extras["option_total"] = shown_amount(nested.option_total)
        extras["expanded_qty"] = {mpn: shown_number(qty) for mpn, qty in nested.expanded_qty.items()}
        extras["critical_path"] = {
            "part": nested.critical_part or None,
            "max_days": nested.critical_max_days,
            "complete": nested.lead_complete,
        }
    return extras


def row_json(row: ImportRow, *, words: Words) -> dict[str, Any]:
    """One row: its raw cells, what was understood, the action and its reason."""
    body: dict[str, Any] = {
        "line": row.line,
        "raw": list(row.raw),
        "pos": int(row.pos) if row.pos.isdecimal() and not row.parent and "." not in row.pos else row.pos or None,
        "parent": row.parent or None,
        "mpn": row.mpn or None,
        "manufacturer": row.manufacturer or None,
        "supplier": row.supplier or None,
        "sku": row.sku or None,
        "gtin": row.gtin or None,
        "description": row.description or None,
        "price": shown_amount(row.price),
        "cost": shown_amount(row.price),
        "list": shown_amount(row.list_price),
        "ext_price": shown_amount(row.ext_price),
        **{f"price_{number}": shown_amount(price) for number, price in enumerate(row.prices, start=1)},
        "currency": row.currency or None,
        "tax_basis": row.tax_basis or None,
        "qty": shown_number(row.qty) if row.qty is not None else row.stock,
        "qty_basis": row.qty_basis or None,
        "min_qty": row.min_qty,
        "tiers": [{"min_qty": least, "price": shown_amount(amount)} for least, amount in row.tiers],
        "pack": row.pack,
        "stock": row.stock,
        "valid_from": row.valid_from.isoformat() if row.valid_from else None,
        "valid_until": row.valid_until.isoformat() if row.valid_until else None,
        "price_date": row.price_date.isoformat() if row.price_date else None,
        "type": row.line_type or None,
        "status": row.status or None,
        "active": row.active,
        "part": row.part or None,
    }
    return (
        body
        | _lead(row)
        | {
            "action": row.action.value,
            "code": row.reason.code,
            "reason": words(row.reason),
            "warnings": [_message(message, words) for message in row.warnings],
        }
    )


def _lead(row: ImportRow) -> dict[str, Any]:
    if row.lead is None:
        return {"lead_state": None, "lead_min_days": None, "lead_max_days": None, "lead_unit": None}
    return {
        "lead_state": row.lead.state,
        "lead_min_days": row.lead.min_days,
        "lead_max_days": row.lead.max_days,
        "lead_unit": row.lead.unit if row.lead.min_days is not None else None,
        "promised_on": row.lead.promised_on.isoformat() if row.lead.promised_on else None,
    }


def _question(question: Question, words: Words) -> dict[str, Any]:
    return {
        "key": question.key,
        "code": question.message.code,
        "text": words(question.message),
        "choices": [_choice(choice) for choice in question.choices],
        "suggestion": question.suggestion or None,
        "blocks": question.blocks or None,
    }


def _choice(choice: Choice) -> Mapping[str, Any]:
    examples = [{"line": one.line, "raw": one.raw, "value": one.value} for one in choice.examples]
    return {"value": choice.value, "label": choice.label or choice.value, "examples": examples}


def _message(message: Message, words: Words) -> dict[str, Any]:
    return {"code": message.code, "reason": words(message)}
