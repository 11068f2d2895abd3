"""UBL and openTRANS: order of elements as their schemas ask, the same totals, nothing counted as zero.

The lists here hold the order of elements that UBL-Quotation-2.1.xsd and opentrans_2_1.xsd ask for, so that a moved
element is named; the documents are validated against the schemas themselves as well.
"""

from datetime import date
from decimal import Decimal
from itertools import pairwise
from typing import Any

import pytest
from defusedxml import ElementTree as Tree

from quotes.document import QuoteDocument, build_document
from quotes.exports.opentrans import opentrans
from quotes.exports.ubl import ubl
from quotes.offline import content_from_option
from tests.quotes import schemas
from tests.quotes.test_documents import content, frozen

UBL = {
    "": "urn:oasis:names:specification:ubl:schema:xsd:Quotation-2",
    "cac": "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
    "cbc": "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
}
OPENTRANS = {"": "http://www.opentrans.org/XMLSchema/2.1", "bm": "http://www.bmecat.org/bmecat/2005"}

ORDER = {
    "Quotation": (
        "UBLVersionID", "ID", "IssueDate", "Note", "PricingCurrencyCode", "LineCountNumeric", "ValidityPeriod",
        "RequestForQuotationDocumentReference", "SellerSupplierParty", "BuyerCustomerParty", "DeliveryTerms",
        "TransactionConditions", "TaxTotal", "QuotedMonetaryTotal", "QuotationLine",
    ),
    "QuotationLine": ("ID", "Note", "LineExtensionAmount", "LineItem", "AlternativeLineItem"),
    "LineItem": ("ID", "Quantity", "LineExtensionAmount", "WarrantyInformation", "Delivery", "Price", "Item"),
    "Item": (
        "Description", "PackSizeNumeric", "Name", "SellersItemIdentification", "ManufacturersItemIdentification",
        "StandardItemIdentification", "OriginCountry", "ClassifiedTaxCategory", "ManufacturerParty",
    ),
    "QUOTATION": ("QUOTATION_HEADER", "QUOTATION_ITEM_LIST", "QUOTATION_SUMMARY"),
    "QUOTATION_INFO": (
        "QUOTATION_ID", "QUOTATION_DATE", "VALID_START_DATE", "VALID_END_DATE", "LANGUAGE", "PARTIES",
        "ORDER_PARTIES_REFERENCE", "CURRENCY", "PAYMENT", "REMARKS",
    ),
    "QUOTATION_ITEM": (
        "LINE_ITEM_ID", "PRODUCT_ID", "QUANTITY", "ORDER_UNIT", "PRODUCT_PRICE_FIX", "PRICE_LINE_AMOUNT", "REMARKS",
    ),
    "PRODUCT_ID": ("SUPPLIER_PID", "INTERNATIONAL_PID", "DESCRIPTION_SHORT", "MANUFACTURER_INFO"),
    "QUOTATION_SUMMARY": ("TOTAL_ITEM_NUM", "TOTAL_AMOUNT"),
}  # fmt: skip


def local(element: Any) -> str:
    return str(element.tag).rsplit("}", 1)[-1]


@pytest.mark.parametrize("make", [ubl, opentrans])
@pytest.mark.parametrize("language", ["en", "de"])
def test_elements_stand_in_the_order_of_the_schema(make: Any, language: str) -> None:
    seen = set()
    for element in Tree.fromstring(make(frozen(language))).iter():
        name = local(element)
        if name not in ORDER:
            continue
        seen.add(name)
        places = [ORDER[name].index(local(child)) for child in element]
        assert all(before <= after for before, after in pairwise(places)), name
    assert len(seen) >= 4


SCHEMAS = [(ubl, schemas.UBL), (opentrans, schemas.OPENTRANS)]


@pytest.mark.parametrize(("make", "name"), SCHEMAS)
@pytest.mark.parametrize("language", ["en", "de"])
def test_documents_are_valid_against_the_published_schema(make: Any, name: str, language: str) -> None:
    assert schemas.faults(make(frozen(language)), name) == []
    assert schemas.faults(make(with_early_payment(language)), name) == []
    wrong = make(frozen(language)).replace(b"QuotedMonetaryTotal", b"Total").replace(b"QUOTATION_SUMMARY", b"SUMMARY")
    assert schemas.faults(wrong, name) != []


def with_early_payment(language: str = "de") -> QuoteDocument:
    made = content(language)
    made["terms"] |= {"payment_days": 30, "early_payment_days": 10, "early_payment_pct": "2.5"}
    made["quote"] |= {"locked_at": "2026-11-30T21:42:00+00:00"}
    return build_document(made, state="locked")


def test_the_early_payment_discount_is_structured() -> None:
    document = with_early_payment()
    described = Tree.fromstring(ubl(document)).findtext("cac:TransactionConditions/cbc:Description", namespaces=UBL)
    assert described == "#SKONTO#TAGE=10#PROZENT=2.50#"
    space = f"{{{OPENTRANS['']}}}"
    times = Tree.fromstring(opentrans(document)).iter(f"{space}TIME_FOR_PAYMENT")
    stated = [(time.findtext(f"{space}DAYS"), time.findtext(f"{space}DISCOUNT_FACTOR")) for time in times]
    assert stated == [("10", "0.025"), ("30", None)]


@pytest.mark.parametrize(("language", "word"), [("en", "open and is not counted"), ("de", "offen und nicht")])
def test_a_total_with_an_open_line_says_so_beside_it(language: str, word: str) -> None:
    for make in (ubl, opentrans):
        texts = [element.text or "" for element in Tree.fromstring(make(frozen(language))).iter()]
        assert any(word in text for text in texts), make.__name__


@pytest.mark.parametrize("language", ["en", "de"])
def test_ubl_totals_are_those_of_the_document(language: str) -> None:
    document = frozen(language)
    root, sums = Tree.fromstring(ubl(document)), document.content["totals"]
    total = root.find("cac:QuotedMonetaryTotal", UBL)
    assert total.findtext("cbc:TaxExclusiveAmount", namespaces=UBL) == sums["net"]
    assert total.findtext("cbc:PayableAmount", namespaces=UBL) == (sums["gross"] or sums["net"])
    lines = root.findall("cac:QuotationLine/cbc:LineExtensionAmount", UBL)
    assert sum(Decimal(line.text) for line in lines) == Decimal(sums["net"])
    taxed = root.findtext("cac:TaxTotal/cbc:TaxAmount", namespaces=UBL)
    assert taxed == (sums["taxes"][0]["amount"] if sums["taxes"] else None)


def test_opentrans_amounts_add_up_to_its_total() -> None:
    root = Tree.fromstring(opentrans(frozen("de")))
    amounts = [Decimal(item.text) for item in root.iter(f"{{{OPENTRANS['']}}}PRICE_LINE_AMOUNT")]
    total = root.find(f".//{{{OPENTRANS['']}}}TOTAL_AMOUNT").text
    assert sum(amounts) == Decimal(total) == Decimal("145827.36")


def test_an_open_price_is_absent_and_said_in_both() -> None:
    document = frozen()
    lines = Tree.fromstring(ubl(document)).findall("cac:QuotationLine", UBL)
    open_line = next(line for line in lines if line.findtext("cbc:ID", namespaces=UBL) == "1.5")
    assert open_line.find("cac:LineItem/cac:Price", UBL) is None
    assert open_line.findtext("cbc:Note", namespaces=UBL) == "The price of this line is open."
    items = list(Tree.fromstring(opentrans(document)).iter(f"{{{OPENTRANS['']}}}QUOTATION_ITEM"))
    assert items[4].find(f"{{{OPENTRANS['']}}}PRODUCT_PRICE_FIX") is None


def test_an_alternative_stands_inside_the_line_it_replaces() -> None:
    lines = Tree.fromstring(ubl(frozen())).findall("cac:QuotationLine", UBL)
    replaced = next(line for line in lines if line.findtext("cbc:ID", namespaces=UBL) == "1.4")
    assert replaced.findtext("cac:AlternativeLineItem/cbc:ID", namespaces=UBL) == "1.7"


@pytest.mark.parametrize("make", [ubl, opentrans])
def test_signs_that_xml_forbids_are_dropped_and_markup_is_inert(make: Any) -> None:
    bill = [{"line": "1", "description": "a\x0bb <x>&amp;", "mpn": "]]>", "manufacturer": "\x00M", "quantity": 1}]
    document: QuoteDocument = build_document(content_from_option(bill, language="de", today=date(2026, 11, 30)))
    root = Tree.fromstring(make(document))
    assert "ab <x>&amp;" in {element.text for element in root.iter()}
