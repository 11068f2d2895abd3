"""The words of the import pages beside those of files, rows and questions."""

import re
from decimal import Decimal
from typing import Any

from babel.numbers import format_decimal
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from catalog import cells, messages_import
from catalog.imports.tiers import BREAK, STEP, TIER
from sizing.core.values import Message

AMOUNTS = frozenset({"price", "old", "discount_pct", "new", "usual", "stated", "rows", "list_price"})
DAYS = frozenset({"valid_until"})

TEXTS = {
    "import_not_open": gettext_noop("This import waits for nothing: it is stored, cancelled or in work."),
    "import_unknown_accelerator": gettext_noop("There is no accelerator “%(slug)s” that a line could be matched to."),
    "import_no_file": gettext_noop("Choose a file."),
    "import_no_profile_name": gettext_noop("Give the profile a name."),
    "import_stage_read": gettext_noop("Reading the file"),
    "import_stage_write": gettext_noop("Storing prices and lead times"),
    "import_stage_undo": gettext_noop("Taking prices and lead times back"),
}

ROLES: dict[str, Promise | str] = {
    "mpn": _("Manufacturer's number"),
    "sku": _("Supplier's number"),
    "manufacturer": _("Manufacturer"),
    "supplier": _("Supplier"),
    "gtin": "GTIN",
    "description": _("Description"),
    "price": _("Price (your cost)"),
    "list": _("List price"),
    "ext_price": _("Line total"),
    "currency": _("Currency"),
    "vat": _("Tax rate"),
    "lead_time": _("Lead time"),
    "valid_until": _("Valid until"),
    "valid_from": _("Valid from"),
    "price_date": _("Price date"),
    "min_qty": _("From quantity"),
    "pack": _("Pack size"),
    "price_unit": _("Price stands for (pieces)"),
    "remark": _("Remark"),
    "stock": _("Stock"),
    "qty": _("Quantity"),
    "qty_basis": _("Basis of the quantity"),
    "unit": _("Unit"),
    "pos": _("Position"),
    "parent": _("Parent position"),
    "type": _("Kind of line"),
    "status": _("Life-cycle state"),
    "condition": _("Condition"),
    "category": _("Product group"),
    "discount": _("Discount"),
    "origin": _("Country of origin"),
    "eccn": "ECCN",
    "hts": "HTS",
}

NUMBER_STYLES = {"de": "1.234,56", "en": "1,234.56", "de-CH": "1'234.56"}
CHOICES: dict[str, dict[str, Promise | str]] = {
    "date_order": {"dmy": _("31.12.2026 (day first)"), "mdy": _("12/31/2026 (month first)")},
    "hidden_rows": {"include": _("count them"), "skip": _("leave them out")},
    "tax_basis": {
        "excl_vat": _("net of VAT"),
        "incl_vat": _("including VAT"),
        "excl_sales_tax": _("net of sales tax"),
        "unstated": _("not stated"),
    },
    "lead_time_unit": {"day": _("days"), "week": _("weeks"), "month": _("months"), "working": _("working days")},
    "price_kind": {
        "offer": _("the supplier's offer"),
        "own": _("our own price list"),
        "contract": _("prices agreed with us"),
        "list": _("list prices"),
    },
    "implied_decimals": {"0": _("none"), "2": _("the last two"), "3": _("the last three"), "4": _("the last four")},
    "delimiter": {
        ";": _("semicolon ;"),
        ",": _("comma ,"),
        "\t": _("tabulator"),
        "|": _("bar |"),
        "~": _("tilde ~"),
        "^": "^",
    },
    "encoding": {
        "utf-8": "UTF-8",
        "utf-16-le": "UTF-16",
        "cp1252": "Windows-1252",
        "cp850": "DOS (850)",
        "mac_roman": "Macintosh",
    },
}


def render(message: Message) -> str:
    """The sentence of a message of an import in the active language."""
    if message.code in TEXTS:
        return gettext(TEXTS[message.code]) % dict(message.params)
    params = {key: _understood(key, value) for key, value in message.params.items()}
    return messages_import.render(Message(message.code, params))


def _understood(key: str, value: Any) -> Any:
    """An understood amount or day as the reader writes it; raw cells stay as they are in the file."""
    if not isinstance(value, str):
        return value
    if key == "detail":
        return gettext(value) if value else value
    if key in AMOUNTS and re.fullmatch(r"-?\d+(\.\d+)?", value):
        return exact(value)
    return cells.day(value).text if key in DAYS and value else value


def exact(amount: str) -> str:
    """An amount with every decimal that it has, in the reader's way of writing numbers."""
    places = len(amount.partition(".")[2])
    pattern = "#,##0" + ("." + "0" * places if places else "")
    return str(format_decimal(Decimal(amount), pattern, locale=cells.locale()))


def words_of(stored: Any) -> str:
    """The sentence of a batch's `message`; "" where there is none."""
    return render(Message(stored["code"], stored.get("params") or {})) if stored else ""


def choice_words(key: str, value: str, label: str = "") -> str:
    """How an answer to a question reads."""
    if key == "number_style":
        return NUMBER_STYLES.get(value, value)
    return str(CHOICES.get(key, {}).get(value, label or value))


def role_words(role: str) -> str:
    """What a column means, in words; a price by quantity names it."""
    if role.startswith(TIER):
        return gettext("Price from %(quantity)s pieces") % {"quantity": role.removeprefix(TIER)}
    for prefix, words in (
        (BREAK, gettext("Quantity of price %(number)s")),
        (STEP, gettext("Price %(number)s by quantity")),
    ):
        if role.startswith(prefix):
            return words % {"number": role.removeprefix(prefix)}
    return str(ROLES.get(role, role))
