"""Short words of a document that several of its parts use."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from quotes.choices import PriceKind
from quotes.printing.locale import EN_DASH
from sizing.messages import render

_SHORTEST_RANGE = 3
REGIMES = {"TAA": "TAA", "S889": "889", "S5949": "5949", "S1260H": "1260H"}
# Words are looked up once for each cell of long tables, so that only the one that is needed is translated.
_FLAGS: dict[str, Promise] = {
    "pass": pgettext_lazy("screening", "pass"),
    "review": pgettext_lazy("screening", "review"),
    "fail": pgettext_lazy("screening", "fail"),
    "unknown": pgettext_lazy("screening", "unknown"),
}
_EVIDENCE: dict[str, Promise] = {
    "cbp_ruling": gettext_lazy("customs ruling"),
    "manufacturer_letter": gettext_lazy("maker letter"),
    "distributor_feed": gettext_lazy("distributor feed"),
    "datasheet": gettext_lazy("data sheet"),
}
_UNITS: dict[str, str | Promise] = {
    "piece": pgettext_lazy("unit", "ea"),
    "flat": pgettext_lazy("unit", "lot"),
    "licence": pgettext_lazy("unit", "lic."),
    "node": pgettext_lazy("unit", "node"),
    "gpu": "GPU",
    "month": pgettext_lazy("unit", "mo."),
    "year": pgettext_lazy("unit", "yr"),
    "hour": pgettext_lazy("unit", "h"),
}
_FIELDS: dict[str, str | Promise] = {
    "seller.name": gettext_lazy("seller: name"),
    "seller.street": gettext_lazy("seller: street"),
    "seller.city": gettext_lazy("seller: city"),
    "seller.email": gettext_lazy("seller: e-mail"),
    "seller.phone": gettext_lazy("seller: phone"),
    "seller.cage_code": "CAGE",
    "seller.uei": "UEI",
    "seller.legal_form": gettext_lazy("seller: legal form"),
    "seller.register_number": gettext_lazy("seller: register number"),
    "seller.managing_directors": gettext_lazy("seller: managing directors"),
    "seller.vat_id": gettext_lazy("seller: VAT id"),
    "buyer.name": gettext_lazy("buyer: name"),
    "buyer.street": gettext_lazy("buyer: street"),
    "buyer.city": gettext_lazy("buyer: city"),
    "reference.request_number": gettext_lazy("request or solicitation number"),
    "reference.contract_vehicle": gettext_lazy("contract vehicle and number"),
    "reference.special_item_numbers": gettext_lazy("special item numbers"),
    "terms.payment_days": gettext_lazy("payment within (days)"),
    "terms.delivery_terms": gettext_lazy("delivery terms"),
    "terms.warranty": pgettext_lazy("document", "warranty"),
    "terms.terms_acceptance": gettext_lazy("statement on the buyer's terms"),
    "terms.section_889_statement": gettext_lazy("the offeror's Section 889 statement"),
    "terms.jurisdiction": pgettext_lazy("document", "jurisdiction"),
    "terms.place_of_performance": gettext_lazy("place of performance"),
    "terms.valid_until": gettext_lazy("valid until"),
    "terms.valid_days": gettext_lazy("valid for (days)"),
    "terms.binding": gettext_lazy("binding"),
    "terms.early_payment_pct": gettext_lazy("discount for early payment (%)"),
    "terms.early_payment_days": gettext_lazy("if paid within (days)"),
    "terms.shipping": gettext_lazy("shipping costs"),
    "terms.shipping_line": gettext_lazy("line that charges the shipping"),
    "terms.intro": gettext_lazy("opening words"),
    "terms.notes": gettext_lazy("notes for the buyer"),
    "buyer.contact": gettext_lazy("contact"),
    "buyer.salutation": gettext_lazy("salutation"),
    "buyer.postal_code": gettext_lazy("postal code"),
    "buyer.country": gettext_lazy("country"),
    "buyer.vat_id": gettext_lazy("VAT id of the buyer"),
    "buyer.deliver_to": gettext_lazy("deliver to"),
    "reference.request_date": gettext_lazy("date of the request"),
    "reference.customer_number": gettext_lazy("customer number"),
    "tax.treatment": gettext_lazy("tax"),
    "screening.lists": gettext_lazy("lists of the screening"),
    "decisions.reason": gettext_lazy("recorded decisions"),
}


def regime_short(regime: str) -> str:
    if regime == "PARTIES":
        return pgettext("document", "listed parties")
    return REGIMES.get(regime) or pgettext("document", "export")


def regime_long(regime: str) -> str:
    names = {
        "TAA": _("Trade Agreements Act"),
        "S889": _("Section 889"),
        "S5949": _("Section 5949"),
        "S1260H": _("Section 1260H"),
        "EXPORT": _("Export control"),
        "PARTIES": _("Listed parties"),
    }
    return names.get(regime, regime)


def flag_words(flag: str) -> str:
    """The finding as a word; nothing here ever promises conformity."""
    return str(_FLAGS[flag]) if flag in _FLAGS else _("no flag")


def evidence_words(kind: str) -> str:
    return str(_EVIDENCE[kind]) if kind in _EVIDENCE else pgettext("document", "none")


def price_kind_words(kind: str) -> str:
    """The kind of a price source; "not named" where none is stored."""
    return str(PriceKind(kind).label) if kind in PriceKind.values and kind else _("not named")


def unit_words(unit: str, pack_size: int = 1) -> str:
    if pack_size > 1:
        return pgettext("unit", "pack")
    return str(_UNITS.get(unit, unit))


def reason_words(message: Mapping[str, Any]) -> str:
    """The sentence of a finding; several countries as words, not as they are stored."""
    params = dict(message.get("params") or {})
    origin = params.get("origin")
    if isinstance(origin, str) and "|" in origin:
        params["origin"] = country_codes(origin)
    return render({"code": message["code"], "params": params})


def country_codes(code: str) -> str:
    """ "KR|KP" as "KR or KP"."""
    return (" " + pgettext("document", "or") + " ").join(part for part in code.replace(",", "|").split("|") if part)


def description(line: Mapping[str, Any]) -> str:
    """The description in the document's language: worded from its message where the quote still has one."""
    message = line.get("description_message")
    if message:
        text = render(message)
        if text != message.get("code"):
            return text
    return str(line["description"])


def field_words(path: str) -> str:
    """The label of a content field."""
    return str(_FIELDS.get(path, path))


def ranges(numbers: Sequence[str], order: Mapping[str, int]) -> str:
    """Line numbers as read in the document, three or more neighbours as a range: "1.1–1.4, 2.1"."""
    places = [order[number] for number in numbers]
    parts: list[str] = []
    start = 0
    for end in range(1, len(places) + 1):
        if end < len(places) and places[end] == places[end - 1] + 1:
            continue
        run = numbers[start:end]
        parts += [f"{run[0]}{EN_DASH}{run[-1]}"] if len(run) >= _SHORTEST_RANGE else run
        start = end
    return ", ".join(parts)
