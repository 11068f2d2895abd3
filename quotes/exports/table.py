"""The flat table of lines that XLSX and CSV share: raw values in the order of the columns."""

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Any

from quotes.document import QuoteDocument
from quotes.printing.delivery import lead_source_words
from quotes.printing.lines import source_ids
from quotes.printing.locale import DAYS_PER_WEEK
from quotes.printing.words import description, price_kind_words, unit_words
from sizing.choices import BuyerType

COLUMNS = (
    "line", "section", "type", "alternative_to", "manufacturer", "mpn", "seller_pn", "description", "qty", "unit",
    "pack_size", "list_price", "discount", "unit_net", "extended", "delta", "counts_in_total", "currency",
    "price_state", "price_source", "price_kind", "price_date", "lead_low", "lead_typical", "lead_high", "lead_unit",
    "lead_from", "lead_source", "lead_date", "warranty", "schedule", "contract", "schedule_price", "tax_rate",
    "origin_raw", "origin_code", "evidence_grade", "eccn", "hts", "unspsc", "eclass", "gtin", "minimum_order",
    "order_multiple", "price_tiers",
)  # fmt: skip
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")

type Value = str | int | Decimal | date | None


def rows(document: QuoteDocument) -> list[dict[str, Value]]:
    """One row per line, every column; an open price is None, never 0."""
    content = document.content
    sources = source_ids(content)
    return [_row(line, document, sources) for line in content["lines"]]


def _row(line: Mapping[str, Any], document: QuoteDocument, sources: Mapping[tuple[str, str], str]) -> dict[str, Value]:
    content, reader = document.content, document.reader
    on_schedule = content["quote"]["buyer_type"] == BuyerType.US_GSA_MAS
    return {
        "line": line["number"],
        "section": line["section"],
        "type": line["kind"],
        "alternative_to": line["alternative_to"],
        "manufacturer": line["manufacturer"],
        "mpn": line["mpn"],
        "seller_pn": line["seller_pn"],
        "description": description(line),
        "qty": Decimal(line["quantity"]),
        "unit": unit_words(line["unit"], line["pack_size"]),
        "pack_size": line["pack_size"],
        "list_price": _decimal(line["list_price"]),
        "discount": None if line["discount_pct"] is None else Decimal(line["discount_pct"]) / 100,
        "unit_net": _decimal(line["unit_net"]),
        "extended": _decimal(line["extended"]),
        "delta": _decimal(line["delta"]),
        "counts_in_total": "yes" if line["counts"] else "no",
        "currency": content["quote"]["currency"],
        **_price_cells(line, sources),
        **_lead_cells(line["lead"] or {}, in_days=reader.lead_in_days),
        "warranty": line["warranty"],
        "schedule": line["schedule"] or ("" if on_schedule else "none"),
        "contract": content["reference"]["contract_vehicle"],
        "schedule_price": _decimal(line["schedule_price"]),
        "tax_rate": None if line["tax_rate_pct"] is None else Decimal(line["tax_rate_pct"]) / 100,
        "origin_raw": line["origin"]["raw"],
        "origin_code": line["origin"]["code"],
        "evidence_grade": line["origin"]["grade"],
        **{key: line[key] for key in ("eccn", "hts", "unspsc", "eclass", "gtin")},
        "minimum_order": line.get("minimum_units"),
        "order_multiple": line.get("order_multiple"),
        "price_tiers": "; ".join(f"{tier['from']}: {tier['price']}" for tier in line.get("price_tiers") or ()),
    }


def _price_cells(line: Mapping[str, Any], sources: Mapping[tuple[str, str], str]) -> dict[str, Value]:
    return {
        "price_state": "included" if line["kind"] == "included" else line["price_state"],
        "price_source": "" if line["open"] else sources.get((line["price_kind"], line["price_date"] or ""), ""),
        "price_kind": "" if line["open"] else price_kind_words(line["price_kind"]),
        "price_date": _date(line["price_date"]),
    }


def _lead_cells(lead: Mapping[str, Any], *, in_days: bool) -> dict[str, Value]:
    per_unit = DAYS_PER_WEEK if in_days else 1
    return {
        "lead_low": _lead(lead.get("low"), per_unit),
        "lead_typical": _lead(lead.get("typical"), per_unit),
        "lead_high": _lead(lead.get("high"), per_unit),
        "lead_unit": ("days" if in_days else "weeks") if lead else "",
        "lead_from": "receipt of order" if lead else "",
        "lead_source": lead_source_words(lead["source"]) if lead else "",
        "lead_date": _date(lead.get("date")),
    }


def inert(text: str) -> str:
    """Text that no spreadsheet takes for a formula: an apostrophe before a dangerous first sign.

    Leading blanks do not hide one: some programs trim cells before they look.
    """
    bare = text.lstrip(" \u00a0")
    return f"'{text}" if text.startswith(DANGEROUS) or bare.startswith(DANGEROUS) else text


def _lead(weeks: str | None, per_unit: int) -> Decimal | None:
    if weeks is None:
        return None
    value = Decimal(weeks) * per_unit
    return -(-value // 1) if per_unit > 1 else value


def _decimal(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def _date(value: str | None) -> date | None:
    return date.fromisoformat(value) if value else None
