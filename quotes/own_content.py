"""Parts of the content that only some quotes have: letter, colour, files for the buyer, quantity breaks.

A quote without them has no key for them, so that contents and check values of earlier quotes stay as they are.
"""

from collections.abc import Sequence
from typing import Any

from quotes.choices import LineKind
from quotes.models import Attachment, Quote, QuoteLine, QuotePolicy

FREIGHT = frozenset({"freight", "shipping"})  # kinds of a line that charges the way to the buyer
_CHARGED = frozenset({LineKind.BASE, LineKind.SERVICE})


def own_style(quote: Quote, policy: QuotePolicy, attachments: Sequence[Attachment]) -> dict[str, Any]:
    """Cover letter, colour and files for the buyer; only what there is."""
    made: dict[str, Any] = {}
    if quote.cover_letter.strip():
        made["cover_letter"] = quote.cover_letter.strip()
    if colour := policy.accent_colour:
        made["style"] = {"accent": colour.lower()}
    if attachments:
        made["attachments"] = [
            {"name": row.name, "sha256": row.file.sha256, "size_bytes": row.file.size_bytes} for row in attachments
        ]
    return made


def shipping(quote: Quote, lines: Sequence[QuoteLine]) -> dict[str, str]:
    """What shipping costs: in the quote's words, else the line that charges it; nothing where nobody says it."""
    if quote.shipping.strip():
        return {"shipping": quote.shipping.strip()}
    charged = next((line.number for line in lines if line.category in FREIGHT and line.kind in _CHARGED), "")
    return {"shipping_line": charged} if charged else {}


def telecom_proof(line: QuoteLine) -> dict[str, Any]:
    """The Section 889 statement that the line takes from the register, where there is one."""
    if not line.s889_evidence:
        return {}
    return {
        "s889": {
            "evidence": line.s889_evidence,
            "says": line.s889_says,
            "scope": line.s889_scope,
            "stated_by": line.s889_stated_by,
            "date": line.s889_evidence_date.isoformat() if line.s889_evidence_date else None,
        }
    }


def sold_in(line: QuoteLine) -> dict[str, Any]:
    """Quantity breaks, minimum order and multiple, where the line has any."""
    made: dict[str, Any] = {}
    if line.price_tiers:
        made["price_tiers"] = line.price_tiers
    if line.minimum_units > 1:
        made["minimum_units"] = line.minimum_units
    if line.order_multiple > 1:
        made["order_multiple"] = line.order_multiple
    return made
