"""The quote as UBL 2.1 Quotation (OASIS, 2013): lines, validity, tax, totals.

Options are lines without an extended amount and with a note; alternatives stand inside the line they
replace. An open price has no price element, and a note says so: nothing is counted as zero.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any
from xml.etree import ElementTree as Tree

from django.utils import translation
from django.utils.translation import gettext as _

from quotes.choices import LineKind
from quotes.document import QuoteDocument
from quotes.exports.xml import add, add_stated, unit_code, written
from quotes.printing.locale import DAYS_PER_WEEK
from quotes.printing.words import description

CONTENT_TYPE = "application/xml"
_ROOT = "urn:oasis:names:specification:ubl:schema:xsd:Quotation-2"
_CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2"
_CBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"
_NAMESPACES = {"": _ROOT, "cac": _CAC, "cbc": _CBC}

type Content = Mapping[str, Any]


def ubl(document: QuoteDocument) -> bytes:
    """The XML bytes, in the order of elements that the schema asks for."""
    with translation.override(document.reader.language):
        root = Tree.Element(f"{{{_ROOT}}}Quotation")
        _header(root, document)
        _parties(root, document.content)
        _tax(root, document.content)
        _total(root, document.content)
        alternatives: dict[str, list[Content]] = {}
        for line in document.content["lines"]:
            if line["kind"] == LineKind.ALTERNATIVE:
                alternatives.setdefault(line["alternative_to"], []).append(line)
        for line in document.content["lines"]:
            if line["kind"] != LineKind.ALTERNATIVE:
                _quotation_line(root, line, alternatives.get(line["number"], ()), document)
        return written(root, _NAMESPACES)


def _cac(parent: Tree.Element, name: str) -> Tree.Element:
    return add(parent, f"{{{_CAC}}}{name}")


def _cbc(parent: Tree.Element, name: str, text: object, **attributes: str) -> None:
    add_stated(parent, f"{{{_CBC}}}{name}", text, **attributes)


def _header(root: Tree.Element, document: QuoteDocument) -> None:
    content, quote = document.content, document.content["quote"]
    _cbc(root, "UBLVersionID", "2.1")
    _cbc(root, "ID", f"{quote['number']}-R{quote['revision']}")
    _cbc(root, "IssueDate", quote["issued_on"])
    stated = [f"{fact.label}: {fact.value}" for fact in document.terms]
    notes = (document.watermark and document.draft_words, document.incomplete, document.outside, *stated)
    for note in (*notes, _check(document)):
        _cbc(root, "Note", note)
    _cbc(root, "PricingCurrencyCode", quote["currency"])
    _cbc(root, "LineCountNumeric", len(content["lines"]))
    if content["terms"]["valid_until"]:
        period = _cac(root, "ValidityPeriod")
        _cbc(period, "StartDate", quote["issued_on"])
        _cbc(period, "EndDate", content["terms"]["valid_until"])
    if content["reference"]["request_number"]:
        _cbc(_cac(root, "RequestForQuotationDocumentReference"), "ID", content["reference"]["request_number"])


def _check(document: QuoteDocument) -> str:
    return f"{_('Check value')} {document.check_value}" if document.check_value else ""


def _parties(root: Tree.Element, content: Content) -> None:
    seller = _cac(root, "SellerSupplierParty")
    _party(seller, content["seller"], content["seller"])
    buyer = _cac(root, "BuyerCustomerParty")
    _cbc(buyer, "SupplierAssignedAccountID", content["reference"]["customer_number"])
    _party(buyer, content["buyer"], {"contact": content["buyer"]["contact"]})
    if content["terms"]["delivery_terms"]:
        _cbc(_cac(root, "DeliveryTerms"), "SpecialTerms", content["terms"]["delivery_terms"])
    _early_payment(root, content["terms"])


def _early_payment(root: Tree.Element, terms: Content) -> None:
    """A Quotation of UBL 2.1 has no PaymentTerms: its conditions name the discount as XRechnung does (BR-DE-18)."""
    if not (terms["early_payment_pct"] and terms["early_payment_days"]):
        return
    conditions = _cac(root, "TransactionConditions")
    percent = format(Decimal(terms["early_payment_pct"]), ".2f")
    _cbc(conditions, "ID", "SKONTO")
    _cbc(conditions, "Description", f"#SKONTO#TAGE={terms['early_payment_days']}#PROZENT={percent}#")


def _party(parent: Tree.Element, stated: Content, contact: Content) -> None:
    party = _cac(parent, "Party")
    name = stated.get("legal_name") or stated["name"]
    if name:
        _cbc(_cac(party, "PartyName"), "Name", name)
    address = _cac(party, "PostalAddress")
    _cbc(address, "StreetName", stated["street"])
    _cbc(address, "CityName", stated["city"])
    _cbc(address, "PostalZone", stated["postal_code"])
    if stated["country"]:
        _cbc(_cac(address, "Country"), "IdentificationCode", stated["country"])
    if len(address) == 0:
        party.remove(address)
    if stated["vat_id"]:
        scheme = _cac(party, "PartyTaxScheme")
        _cbc(scheme, "CompanyID", stated["vat_id"])
        _cbc(_cac(scheme, "TaxScheme"), "ID", "VAT")
    if contact.get("contact") or contact.get("email") or contact.get("phone"):
        person = _cac(party, "Contact")
        _cbc(person, "Name", contact.get("contact"))
        _cbc(person, "Telephone", contact.get("phone"))
        _cbc(person, "ElectronicMail", contact.get("email"))


def _tax(root: Tree.Element, content: Content) -> None:
    taxes, currency = content["totals"]["taxes"], content["quote"]["currency"]
    if not taxes:
        return
    total = _cac(root, "TaxTotal")
    _cbc(total, "TaxAmount", _sum(tax["amount"] for tax in taxes), currencyID=currency)
    for tax in taxes:
        part = _cac(total, "TaxSubtotal")
        _cbc(part, "TaxableAmount", tax["base"], currencyID=currency)
        _cbc(part, "TaxAmount", tax["amount"], currencyID=currency)
        _cbc(part, "Percent", tax["rate_pct"])
        category = _cac(part, "TaxCategory")
        _cbc(category, "ID", "S")
        _cbc(category, "Percent", tax["rate_pct"])
        _cbc(_cac(category, "TaxScheme"), "ID", "VAT")


def _sum(amounts: Any) -> str:
    return format(sum((Decimal(amount) for amount in amounts), Decimal(0)), "f")


def _total(root: Tree.Element, content: Content) -> None:
    sums, currency = content["totals"], content["quote"]["currency"]
    total = _cac(root, "QuotedMonetaryTotal")
    _cbc(total, "LineExtensionAmount", sums["net"], currencyID=currency)
    _cbc(total, "TaxExclusiveAmount", sums["net"], currencyID=currency)
    if sums["gross"] is not None:
        _cbc(total, "TaxInclusiveAmount", sums["gross"], currencyID=currency)
    _cbc(total, "PayableAmount", sums["gross"] or sums["net"], currencyID=currency)


def _quotation_line(
    root: Tree.Element, line: Content, alternatives: Sequence[Content], document: QuoteDocument
) -> None:
    content = document.content
    outer = _cac(root, "QuotationLine")
    _cbc(outer, "ID", line["number"])
    for note in line_notes(line):
        _cbc(outer, "Note", note)
    if line["counts"] and line["extended"] is not None:
        _cbc(outer, "LineExtensionAmount", line["extended"], currencyID=content["quote"]["currency"])
    _line_item(outer, "LineItem", line, document)
    for other in alternatives:
        _line_item(outer, "AlternativeLineItem", other, document)


def line_notes(line: Content) -> Sequence[str]:
    """What stands outside the total, and what is open."""
    notes = []
    if line["kind"] == LineKind.OPTION:
        notes.append(_("option, outside the total"))
    if line["kind"] == LineKind.ALTERNATIVE:
        notes.append(_("alternative to line %(line)s, outside the total") % {"line": line["alternative_to"]})
    if line["kind"] == LineKind.INCLUDED:
        notes.append(_("included in the price of other lines"))
    if line["open"]:
        notes.append(_("The price of this line is open."))
    if line.get("price_tiers"):
        breaks = "; ".join(f"{tier['from']}: {tier['price']}" for tier in line["price_tiers"])
        notes.append(_("quantity breaks, list price: %(breaks)s") % {"breaks": breaks})
    return notes


def _line_item(parent: Tree.Element, name: str, line: Content, document: QuoteDocument) -> None:
    item_line = _cac(parent, name)
    currency = document.content["quote"]["currency"]
    _cbc(item_line, "ID", line["number"])
    _cbc(item_line, "Quantity", line["quantity"], unitCode=unit_code(line))
    if line["extended"] is not None:
        _cbc(item_line, "LineExtensionAmount", line["extended"], currencyID=currency)
    _cbc(item_line, "WarrantyInformation", line["warranty"])
    if line["lead"]:
        weeks = Decimal(line["lead"]["high"] or line["lead"]["typical"])
        days = -(-weeks * DAYS_PER_WEEK // 1)
        period = _cac(_cac(item_line, "Delivery"), "EstimatedDeliveryPeriod")
        _cbc(period, "DurationMeasure", days, unitCode="DAY")
    if line["unit_net"] is not None and not line["open"] and line["kind"] != LineKind.INCLUDED:
        _cbc(_cac(item_line, "Price"), "PriceAmount", line["unit_net"], currencyID=currency)
    _item(item_line, line)


def _item(parent: Tree.Element, line: Content) -> None:
    item = _cac(parent, "Item")
    _cbc(item, "Description", description(line))
    if line["pack_size"] > 1:
        _cbc(item, "PackSizeNumeric", line["pack_size"])
    _cbc(item, "Name", description(line)[:100])
    for name, value in (
        ("SellersItemIdentification", line["seller_pn"]),
        ("ManufacturersItemIdentification", line["mpn"]),
        ("StandardItemIdentification", line["gtin"]),
    ):
        if value:
            _cbc(_cac(item, name), "ID", value)
    code = line["origin"]["code"]
    if len(code) == 2:
        _cbc(_cac(item, "OriginCountry"), "IdentificationCode", code)
    if line["tax_rate_pct"] is not None:
        category = _cac(item, "ClassifiedTaxCategory")
        _cbc(category, "ID", "S")
        _cbc(category, "Percent", line["tax_rate_pct"])
        _cbc(_cac(category, "TaxScheme"), "ID", "VAT")
    if line["manufacturer"]:
        _cbc(_cac(_cac(item, "ManufacturerParty"), "PartyName"), "Name", line["manufacturer"])
