"""The quote as openTRANS 2.1 QUOTATION (Fraunhofer IAO and University of Duisburg-Essen, 2009).

Options and alternatives are items without a line amount and with a remark; an open price has neither
price nor amount. The total of the summary is that of the lines that count.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree as Tree

from django.utils import translation

from quotes.choices import LineKind
from quotes.document import QuoteDocument
from quotes.exports.ubl import line_notes
from quotes.exports.xml import add, add_stated, unit_code, written
from quotes.printing.words import description

CONTENT_TYPE = "application/xml"
_OT = "http://www.opentrans.org/XMLSchema/2.1"
_BM = "http://www.bmecat.org/bmecat/2005"
_NAMESPACES = {"": _OT, "bmecat": _BM}
_SELLER, _BUYER = "seller", "buyer"
_LANGUAGES = {"de": "deu", "en": "eng"}
_PARTY_ID_CHARACTERS = 250

type Content = Mapping[str, Any]


def opentrans(document: QuoteDocument) -> bytes:
    """The XML bytes, in the order of elements that the schema asks for."""
    with translation.override(document.reader.language):
        root = Tree.Element(f"{{{_OT}}}QUOTATION", {"version": "2.1"})
        _header(root, document)
        items = _ot(root, "QUOTATION_ITEM_LIST")
        for line in document.content["lines"]:
            _item(items, line, document.content)
        summary = _ot(root, "QUOTATION_SUMMARY")
        _ot(summary, "TOTAL_ITEM_NUM", len(document.content["lines"]))
        _ot(summary, "TOTAL_AMOUNT", document.content["totals"]["net"])
        return written(root, _NAMESPACES)


def _ot(parent: Tree.Element, name: str, text: object = None, **attributes: str) -> Tree.Element:
    return add(parent, f"{{{_OT}}}{name}", text, **attributes)


def _bm(parent: Tree.Element, name: str, text: object, *, limit: int | None = None, **attributes: str) -> None:
    """A BMEcat element, cut to the length that the schema allows."""
    shown = str(text)[:limit] if text is not None and limit else text
    add_stated(parent, f"{{{_BM}}}{name}", shown, **attributes)


def _header(root: Tree.Element, document: QuoteDocument) -> None:
    content, quote = document.content, document.content["quote"]
    header = _ot(root, "QUOTATION_HEADER")
    control = _ot(header, "CONTROL_INFO")
    if document.is_draft:
        _ot(control, "STOP_AUTOMATIC_PROCESSING", document.draft_words)
    _ot(control, "GENERATOR_INFO", "Kvote")
    _ot(control, "GENERATION_DATE", document.made_at.isoformat())
    info = _ot(header, "QUOTATION_INFO")
    _ot(info, "QUOTATION_ID", f"{quote['number']}-R{quote['revision']}")
    _ot(info, "QUOTATION_DATE", quote["issued_on"])
    _bm(info, "VALID_START_DATE", quote["issued_on"])
    _bm(info, "VALID_END_DATE", content["terms"]["valid_until"])
    _bm(info, "LANGUAGE", _LANGUAGES[document.reader.language])
    _parties(info, content)
    order = _ot(info, "ORDER_PARTIES_REFERENCE")
    _bm(order, "BUYER_IDREF", _BUYER, type="party_specific")
    _bm(order, "SUPPLIER_IDREF", _SELLER, type="party_specific")
    _bm(info, "CURRENCY", quote["currency"])
    _payment(info, content["terms"])
    for words in (document.draft_words, document.incomplete, document.outside, *_terms(document)):
        add_stated(info, f"{{{_OT}}}REMARKS", words, type="quotation")


def _payment(info: Tree.Element, terms: Content) -> None:
    """Days and early-payment discount. The schema asks for a way of payment; what is stated is only: not in cash."""
    early = terms["early_payment_pct"] and terms["early_payment_days"]
    if terms["payment_days"] is None and not early:
        return
    payment = _ot(info, "PAYMENT")
    _ot(payment, "CASH", "false")
    stated = _ot(payment, "PAYMENT_TERMS")
    if early:
        time = _ot(stated, "TIME_FOR_PAYMENT")
        _ot(time, "DAYS", terms["early_payment_days"])
        _ot(time, "DISCOUNT_FACTOR", format(Decimal(terms["early_payment_pct"]) / 100, "f"))
    if terms["payment_days"] is not None:
        _ot(_ot(stated, "TIME_FOR_PAYMENT"), "DAYS", terms["payment_days"])


def _terms(document: QuoteDocument) -> list[str]:
    stated = [f"{fact.label}: {fact.value}" for fact in document.terms]
    return [*stated, f"SHA-256 {document.check_value}"] if document.check_value else stated


def _parties(info: Tree.Element, content: Content) -> None:
    parties = _ot(info, "PARTIES")
    _party(parties, _SELLER, "supplier", content["seller"])
    _party(parties, _BUYER, "buyer", content["buyer"])
    makers = dict.fromkeys(line["manufacturer"] for line in content["lines"] if line["manufacturer"] and line["mpn"])
    for maker in makers:
        party = _ot(parties, "PARTY")
        _bm(party, "PARTY_ID", maker, limit=_PARTY_ID_CHARACTERS, type="party_specific")
        _ot(party, "PARTY_ROLE", "manufacturer")


def _party(parties: Tree.Element, identity: str, role: str, stated: Content) -> None:
    party = _ot(parties, "PARTY")
    _bm(party, "PARTY_ID", identity, type="party_specific")
    _ot(party, "PARTY_ROLE", role)
    address = _ot(party, "ADDRESS")
    name = stated.get("legal_name") or stated["name"]
    _bm(address, "NAME", name, limit=50)
    if stated["contact"]:
        contact = _ot(address, "CONTACT_DETAILS")
        _bm(contact, "CONTACT_NAME", stated["contact"], limit=50)
    _bm(address, "STREET", stated["street"], limit=50)
    _bm(address, "ZIP", stated["postal_code"], limit=20)
    _bm(address, "CITY", stated["city"], limit=50)
    _bm(address, "COUNTRY_CODED", stated["country"])
    _bm(address, "VAT_ID", stated["vat_id"], limit=50)
    _bm(address, "PHONE", stated.get("phone"), limit=30)
    _bm(address, "EMAIL", stated.get("email"), limit=255)
    if len(address) == 0:
        party.remove(address)


def _item(items: Tree.Element, line: Content, content: Content) -> None:
    item = _ot(items, "QUOTATION_ITEM")
    _ot(item, "LINE_ITEM_ID", line["number"])
    product = _ot(item, "PRODUCT_ID")
    _bm(product, "SUPPLIER_PID", line["seller_pn"] or line["mpn"], limit=32, type="supplier_specific")
    _bm(product, "INTERNATIONAL_PID", line["gtin"], type="gtin")
    _bm(product, "DESCRIPTION_SHORT", description(line), limit=150)
    if line["manufacturer"] and line["mpn"]:
        maker = _ot(product, "MANUFACTURER_INFO")
        _bm(maker, "MANUFACTURER_IDREF", line["manufacturer"], limit=_PARTY_ID_CHARACTERS, type="party_specific")
        _bm(maker, "MANUFACTURER_PID", line["mpn"], limit=50)
    _ot(item, "QUANTITY", line["quantity"])
    _bm(item, "ORDER_UNIT", unit_code(line))
    if line["unit_net"] is not None and not line["open"] and line["kind"] != LineKind.INCLUDED:
        price = _ot(item, "PRODUCT_PRICE_FIX")
        _bm(price, "PRICE_AMOUNT", line["unit_net"])
        if line["tax_rate_pct"] is not None:
            tax = _ot(price, "TAX_DETAILS_FIX")
            _bm(tax, "TAX_TYPE", "vat")
            _bm(tax, "TAX", format(float(line["tax_rate_pct"]) / 100, ".4g"))
    if line["counts"] and line["extended"] is not None:
        _ot(item, "PRICE_LINE_AMOUNT", line["extended"])
    for words in line_notes(line):
        add_stated(item, f"{{{_OT}}}REMARKS", words, type="quotation")
