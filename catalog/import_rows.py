"""What the import page shows: the reading, the one open question, and rows with the raw cell beside the value."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from catalog import cells
from catalog.choices import StockState
from catalog.import_reading import KINDS, MATCHES, shown
from catalog.imports.answers import ROLES as ROLE_NAMES
from catalog.imports.tiers import TIER
from catalog.messages_import_pages import CHOICES, NUMBER_STYLES, choice_words, exact, role_words
from catalog.models import ImportBatch

SHOWN_AT_ONCE = 50
COMMON_CURRENCIES = ("EUR", "USD", "CHF", "GBP", "PLN", "CZK", "SEK", "DKK", "NOK")


def reading_view(batch: ImportBatch) -> dict[str, Any]:
    """The batch's reading in the reader's words: facts, settings, columns, questions, warnings."""
    head = shown(batch.reading.get("head") or {})
    questions = [_question(each) for each in head.get("questions", ())]
    blocking = [each for each in questions if each["blocks"] and each["choices"]]
    blocking += [each for each in questions if each["blocks"] and not each["choices"]]
    return {
        "head": head,
        "facts": _facts(head),
        "settings": _settings(batch, head),
        "columns": _columns(head, batch),
        "question": blocking[0] if blocking else None,
        "more_questions": max(0, len(blocking) - 1),
        "hints": [each for each in questions if not each["blocks"]],
        "warnings": [each["reason"] for each in head.get("warnings", ())],
        "profile_differs": batch.reading.get("profile_note") == "columns_differ",
        "supplier": batch.reading.get("supplier") or "",
        "needs_supplier": not batch.reading.get("supplier") and not batch.reading.get("has_suppliers"),
    }


def tabs(batch: ImportBatch, chosen: str) -> list[dict[str, Any]]:
    """Kinds of rows with their counts; kinds without rows are left out."""
    totals = batch.reading.get("totals") or {}
    words = kind_words()
    return [
        {"key": kind, "label": words[kind], "count": totals[kind], "here": kind == chosen}
        for kind in KINDS
        if totals.get(kind)
    ]


def first_kind(batch: ImportBatch, wanted: str) -> str:
    """The kind to show: the wanted one, else the first that has rows; what needs a person comes first."""
    totals = batch.reading.get("totals") or {}
    if wanted in KINDS and totals.get(wanted):
        return wanted
    return next((kind for kind in KINDS if totals.get(kind)), "new")


def kind_words() -> dict[str, str]:
    return {
        "question": _("to decide"),
        "changed": _("changed"),
        "new": _("new"),
        "same": _("as on file"),
        "held": _("held back"),
        "rejected": _("rejected"),
        "skipped": _("left out"),
    }


def row_page(batch: ImportBatch, kind: str, number: str | None) -> "Page[Any]":
    """A page of rows of one kind, each with raw cells beside what was understood, its match and what happens to it."""
    columns = {each["role"]: each["at"] - 1 for each in (batch.reading.get("head") or {}).get("columns", ())}
    page = Paginator((batch.reading.get("rows") or {}).get(kind, []), SHOWN_AT_ONCE).get_page(number)
    page.object_list = [_row(shown(row), columns) for row in page.object_list]
    return page


def write_count(batch: ImportBatch) -> int:
    """How many rows a commit would store."""
    totals = batch.reading.get("totals") or {}
    return sum(int(totals.get(kind, 0)) for kind in ("question", "changed", "new"))


def _question(stated: Mapping[str, Any]) -> dict[str, Any]:
    key = str(stated["key"])
    choices = [
        each
        | {
            "words": choice_words(key, str(each["value"]), str(each["label"])),
            "examples": [one | {"shown": _example(str(one["value"]))} for one in each["examples"]],
        }
        for each in stated["choices"]
    ]
    return dict(stated) | {"choices": choices}


def _example(value: str) -> str:
    """The value of a worked example as the reader writes numbers and dates."""
    if re.fullmatch(r"-?\d+(\.\d+)?", value):
        return exact(value)
    return cells.day(value).text if value else ""


def _facts(head: Mapping[str, Any]) -> list[str]:
    """The reading in a line: encoding, delimiter, header, number style, currency, tax, date."""
    if not head:
        return []
    container = _("Excel, sheet “%(sheet)s”") % {"sheet": head["sheet"]} if head["container"] == "xlsx" else ""
    delimiter = head["delimiter"]
    found = [
        container or _encoding(head["encoding"]),
        "" if container else (choice_words("delimiter", delimiter) if delimiter else _("fixed columns")),
        _("header in line %(line)s") % {"line": head["header_row"]} if head["header_row"] else _("no header"),
        NUMBER_STYLES.get(str(head["number_style"]), _("numbers without separators")),
        head["currency"] or "",
        choice_words("tax_basis", head["tax_basis"]) if head["tax_basis"] else "",
        _("prices of %(day)s") % {"day": cells.day(head["price_date"]).text} if head["price_date"] else "",
    ]
    if head["number_style"] == "AMBIGUOUS":
        found[3] = _("numbers: two readings")
    return [each for each in found if each]


def _encoding(name: str) -> str:
    known = {"cp1252": "Windows-1252", "cp850": "DOS (850)", "mac_roman": "Macintosh"}
    return known.get(name) or name.upper().removesuffix("-LE").removesuffix("-BE")


def _settings(batch: ImportBatch, head: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What can be set by hand, each with its choices and the present one ("" follows the file)."""
    labels = {
        "encoding": _("Encoding"),
        "delimiter": _("Delimiter"),
        "number_style": _("Numbers"),
        "date_order": _("Dates"),
        "tax_basis": _("Tax basis"),
        "lead_time_unit": _("Bare lead times"),
        "price_kind": _("Kind of price"),
    }
    if head.get("container") == "xlsx":
        labels = {key: label for key, label in labels.items() if key not in ("encoding", "delimiter")}
    choices: dict[str, dict[str, Any]] = {key: dict(value) for key, value in CHOICES.items()}
    choices["number_style"] = dict(NUMBER_STYLES)
    return [
        {
            "key": key,
            "label": label,
            "choices": [(value, str(words)) for value, words in choices[key].items()],
            "chosen": str(batch.answers.get(key) or ""),
        }
        for key, label in labels.items()
    ]


def _columns(head: Mapping[str, Any], batch: ImportBatch) -> list[dict[str, Any]]:
    """Each column with its header, its role, the roles to choose from and a cell of the first rows."""
    names = {*ROLE_NAMES, *(str(each["role"]) for each in head.get("columns") or ())} - {""}
    roles = sorted(((key, role_words(key)) for key in names), key=lambda each: each[1].casefold())
    sample = _sample(batch.reading.get("rows") or {})
    columns = head.get("columns") or ()
    if not columns:
        columns = [{"at": at, "header": "", "role": ""} for at in range(1, len(sample) + 1)]
    return [
        dict(each) | {"roles": roles, "sample": sample[each["at"] - 1] if each["at"] <= len(sample) else ""}
        for each in columns
    ]


def _sample(rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> list[str]:
    for kind in ("changed", "new", "same", "question", "held", "rejected"):
        if rows.get(kind):
            return [str(cell) for cell in rows[kind][0]["raw"]]
    return []


def _row(row: Mapping[str, Any], columns: Mapping[str, int]) -> dict[str, Any]:
    match = row["match"]
    return {
        "line": row["line"],
        "mpn": row["mpn"] or row["sku"] or "",
        "maker": row["manufacturer"] or "",
        "description": row["description"] or "",
        "pairs": [
            pair
            for pair in (_price(row, columns), *_tiers(row, columns), _list_price(row, columns), _lead(row, columns))
            if pair
        ],
        "match": match,
        "match_words": _(MATCHES[match["how"]]) if match["how"] else "",
        "sure": match["how"] in ("exact", "alias"),
        "guessed": match["how"] in ("normalised", "recognised"),
        "action": row["action"],
        "reason": row["reason"],
        "warnings": [each["reason"] for each in row["warnings"] if each["code"] != "row_match_open"],
        "can_confirm": row["code"] in ("row_outlier", "row_tier_off"),
        "raw": " | ".join(visible(cell) for cell in row["raw"] if cell.strip()),
    }


def visible(cell: str) -> str:
    """A raw cell in quotation marks, with its spaces to be seen."""
    return f'"{cell}"'.replace("\u00a0", "⍽").replace(" ", "·").replace("\t", "→")


def _raw(row: Mapping[str, Any], columns: Mapping[str, int], role: str) -> str:
    at = columns.get(role)
    return visible(row["raw"][at]) if at is not None and at < len(row["raw"]) and row["raw"][at] else ""


def _price(row: Mapping[str, Any], columns: Mapping[str, int]) -> dict[str, Any] | None:
    raw = _raw(row, columns, "price")
    if not raw and row["price"] is None:
        return None
    return {"label": _("Price"), "raw": raw, "value": _money(row["price"], row)}


def _tiers(row: Mapping[str, Any], columns: Mapping[str, int]) -> list[dict[str, Any]]:
    """Prices by quantity beside the price."""
    return [
        {
            "label": role_words(f"{TIER}{tier['min_qty']}"),
            "raw": _raw(row, columns, f"{TIER}{tier['min_qty']}"),
            "value": _money(tier["price"], row),
        }
        for tier in row.get("tiers") or ()
    ]


def _list_price(row: Mapping[str, Any], columns: Mapping[str, int]) -> dict[str, Any] | None:
    raw = _raw(row, columns, "list")
    return {"label": _("List price"), "raw": raw, "value": _money(row["list"], row)} if raw else None


def _money(amount: str | None, row: Mapping[str, Any]) -> str:
    """The amount with every decimal that was read, its currency and tax basis; "" where none was understood."""
    if amount is None:
        return ""
    text = exact(amount)
    basis = choice_words("tax_basis", row["tax_basis"]) if row["tax_basis"] else ""
    return " ".join(each for each in (text, row["currency"] or "", basis) if each)


def _lead(row: Mapping[str, Any], columns: Mapping[str, int]) -> dict[str, Any] | None:
    raw = _raw(row, columns, "lead_time")
    if not raw:
        return None
    return {"label": _("Lead time"), "raw": raw, "value": lead_words(row)}


def lead_words(row: Mapping[str, Any]) -> str:
    """A delivery statement as understood; "" where it says no time."""
    low, high = row["lead_min_days"], row["lead_max_days"]
    if row.get("promised_on"):
        return _("promised for %(day)s") % {"day": cells.day(row["promised_on"]).text}
    if low is not None and high is not None and high > 0:
        return _span(int(low), int(high), working=row["lead_unit"] == "working_days")
    state = row["lead_state"]
    if state in StockState.values and state != StockState.UNKNOWN:
        return str(StockState(state).label)
    return ""


def _span(low_days: int, high_days: int, *, working: bool) -> str:
    if not working and low_days % 7 == 0 and high_days % 7 == 0:
        low, high = low_days // 7, high_days // 7
        words = ngettext("%(span)s week", "%(span)s weeks", high)
    else:
        low, high = low_days, high_days
        words = (
            ngettext("%(span)s working day", "%(span)s working days", high)
            if working
            else ngettext("%(span)s day", "%(span)s days", high)
        )
    return words % {"span": str(low) if low == high else f"{low}–{high}"}
