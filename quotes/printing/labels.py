"""Heads and fixed words of the printed page, in the active language."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from quotes.choices import FEDERAL_BUYERS
from quotes.printing.locale import Reader
from sizing.choices import BuyerType


def labels(content: Mapping[str, Any], reader: Reader) -> dict[str, str]:
    """Every fixed word that the page template prints, by name."""
    federal = content["quote"]["buyer_type"] in FEDERAL_BUYERS
    return {
        **_table_words(reader),
        **_block_words(),
        **_end_words(reader, federal=federal),
        "commercial": "1" if content["quote"]["buyer_type"] != BuyerType.US_GSA_MAS else "",
    }


def _table_words(reader: Reader) -> dict[str, str]:
    return {
        "items": _("Items and prices"),
        "line": pgettext("column", "Line"),
        "item": _("Item, maker, part number"),
        "schedule": pgettext("document", "Schedule"),
        "quantity": pgettext("document", "Qty"),
        "unit_net": _("Unit net, %(currency)s") % {"currency": reader.symbol},
        "extended": _("Extended, %(currency)s") % {"currency": reader.symbol},
        "lead": _("Days ARO") if reader.lead_in_days else _("Lead time from order"),
        "price_open": _("price open"),
        "open": pgettext("document", "open"),
        "unknown": pgettext("document", "unknown"),
        "included": pgettext("document", "included"),
        "incomplete": pgettext("document", "Incomplete:"),
    }


def _block_words() -> dict[str, str]:
    return {
        "delivery": pgettext("heading", "Delivery"),
        "base_line": _("Base line, slowest first"),
        "source_and_date": _("Source and date"),
        "sizing": _("Sizing summary"),
        "figure": pgettext("document", "Figure"),
        "value": pgettext("document", "Value"),
        "interval": pgettext("document", "Interval"),
        "target": pgettext("document", "Target"),
        "basis": pgettext("document", "Basis"),
        "screening": pgettext("document", "Screening"),
        "evidence_grade": _("Evidence grade"),
        "grade_a": _("customs ruling, or letter for this part"),
        "grade_b": _("distributor feed"),
        "grade_c": _("data sheet"),
        "grade_d": pgettext("document", "none"),
        "decisions": _("Recorded decisions"),
        "decision_line": _("Line, rule"),
        "decision_reason": _("Decision and reason"),
        "decision_by": _("By, date"),
        "assumptions": pgettext("document", "Assumptions"),
        "terms": pgettext("document", "Terms"),
        "sources": pgettext("document", "Sources"),
        "source_id": pgettext("document", "Id"),
        "source_kind": _("Kind of price source"),
        "source_date": pgettext("document", "Date"),
        "source_lines": pgettext("document", "Lines"),
    }


def _end_words(reader: Reader, *, federal: bool) -> dict[str, str]:
    return {
        "award": pgettext("document", "Award") if federal or reader.is_us else pgettext("buyer orders", "Order"),
        "award_choice": _("Choose what you order beside the total:"),
        "award_none": _("There are no options or alternatives."),
        "not_signed": _("Not signed: draft"),
        "signature_seller": _("Offeror: name, title, date, signature")
        if federal
        else _("Seller: released electronically"),
        "signature_buyer": _("Contracting officer: name, date, signature") if federal else _("Buyer: date, signature"),
        "check_value": _("Check value"),
        "check_value_note": _("SHA-256 of the locked content"),
        "verify_at": _("verify at"),
        "no_check_value": _("Draft: no check value. Figures may change."),
        "page": _("Page %(page)s of %(pages)s"),
    }
