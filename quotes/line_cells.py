"""The cells of the editing table: what is stored, what was typed, and what somebody else saved meanwhile."""

from typing import Any

from quotes.forms import LineForm
from quotes.models import QuoteRevision
from quotes.pages import page_language
from quotes.printing.locale import Reader
from quotes.printing.words import description
from sizing.choices import BuyerType


def edit_table(revision: QuoteRevision, actions: frozenset[str], data: Any = None) -> list[dict[str, Any]]:
    """One form per line, filled with what is stored, or with what was typed and sent. Cost only for who may see it."""
    reader = Reader(language=page_language(), region=revision.quote.region, currency=revision.quote.currency)
    hidden = set() if "edit_prices" in actions else {"unit_cost"}
    if revision.quote.buyer_type != BuyerType.US_GSA_MAS:
        hidden.add("schedule")
    rows = []
    for line in revision.lines.all():
        initial = {
            "version": line.version,
            "quantity": shown(line.quantity, reader),
            "list_price": shown(line.list_price, reader),
            "discount_pct": shown(line.discount_pct, reader),
            "unit_net": shown(line.unit_net, reader),
            "lead_typical_weeks": shown(line.lead_typical_weeks, reader),
            "origin_raw": line.origin_raw,
            "unit_cost": shown(line.unit_cost, reader),
            "schedule": line.schedule,
        }
        form = LineForm(data, line=line, initial=initial, hidden=frozenset(hidden))
        if not form.is_sent:
            form = LineForm(line=line, initial=initial, hidden=frozenset(hidden))
        cells = [{"field": field, "now": ""} for field in form.visible_fields()]
        rows.append({"line": line, "form": form, "cells": cells, "description": description(line.__dict__)})
    return rows


def with_present_values(rows: list[dict[str, Any]]) -> None:
    """Show beside each typed cell of a line that somebody else saved meanwhile what is stored now.

    The row takes the present version, so that saving it again is a choice made in knowledge of both.
    """
    for row in rows:
        form = row["form"]
        if not form.is_sent or not form.is_valid() or not form.is_stale:
            continue
        different = form.changes()
        form.data = {**form.data.dict(), form.add_prefix("version"): str(row["line"].version)}
        for cell in row["cells"]:
            if cell["field"].name in different:
                cell["now"] = form.initial[cell["field"].name] or "–"


def shown(value: Any, reader: Reader) -> str:
    """A stored number without trailing zeros, with the reader's decimal sign and no grouping."""
    if value is None:
        return ""
    text = format(value.normalize(), "f")
    return text.replace(".", ",") if reader.language == "de" and reader.region != "ch" else text
