"""What an organisation puts into its documents: letter, colour, files, quantity breaks, names in other scripts."""

import io
import json as reader
from decimal import Decimal
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from pypdf import PdfReader

from config.accounts.models import Organisation, User
from quotes.attachments import attach
from quotes.document import QuoteDocument, build_document, document_of
from quotes.errors import QuoteError
from quotes.exports.csv import csv
from quotes.exports.glyphs import missing_signs
from quotes.exports.json import json
from quotes.exports.pdf import pdf
from quotes.models import Quote, QuotePolicy
from quotes.open_items import open_items_of
from quotes.printing.letter import standard_letter
from quotes.services import create_quote, edit_line, edit_quote
from quotes.transitions import revise
from tests.quotes.conftest import make_option, make_user
from tests.quotes.test_documents import content, frozen, pdf_text
from tests.quotes.test_evidence import PDF
from tests.quotes.test_life import current, locked


def locked_with(**more: object) -> QuoteDocument:
    made = content("en") | more
    made["quote"] |= {"locked_at": "2026-11-30T21:42:00+00:00", "verify_base": "kvote.example/v/"}
    return build_document(made, state="locked")


def test_the_letter_is_the_first_page_with_every_field_filled() -> None:
    document = locked_with(cover_letter=standard_letter())
    pages = PdfReader(io.BytesIO(pdf(document))).pages
    first = pages[0].extract_text().replace("\u00a0", " ")
    assert "Dear Sir or Madam," in first
    assert "incomplete: 1 line open" in first
    assert "$145,827.36" in first
    assert "at least 70 days" in first
    assert "{" not in first
    assert f"Page 1 of {len(pages)}" in first
    assert len(pages) == len(PdfReader(io.BytesIO(pdf(frozen()))).pages) + 1


def test_the_colour_of_the_organisation_is_checked_and_printed() -> None:
    assert pdf(locked_with()) != pdf(locked_with(style={"accent": "#7a1f3d"}))
    for colour in ("red", "#12345", "#ffffff", "#ffe680"):
        with pytest.raises(ValidationError):
            QuotePolicy(accent_colour=colour).clean()
    QuotePolicy(accent_colour="#7a1f3d").clean()


def test_names_in_han_kana_and_hangul_are_printed_and_others_are_named_before_the_lock(
    quote: Quote, planner: User
) -> None:
    assert missing_signs("华为 ひらがな 한국어 Привет Ελληνικά “§ µ ≥ – €”") == ()
    line = current(quote).lines.get(number="1.2")
    edit_line(line=line, changes={"description": "服务器 한국 ไ😀"}, user=planner, version=line.version)
    items = [item for item in open_items_of(current(quote)) if item.rule == "signs"]
    assert [(item.line, item.blocking, item.message.params["signs"]) for item in items] == [
        ("1.2", False, "ไ (U+0E44) 😀 (U+1F600)")
    ]
    text = pdf_text(document_of(current(quote)))
    assert "服务器 한국 [U+0E44][U+1F600]" in text


def test_a_file_for_the_buyer_is_named_in_the_terms_and_comes_along_to_the_next_revision(
    quote: Quote, planner: User, approver: User
) -> None:
    attach(revision=current(quote), user=planner, name="scope.pdf", content=PDF, for_buyer=True)
    attach(revision=current(quote), user=planner, name="own.txt", content=b"for us alone")
    locked(quote, planner, approver)
    text = pdf_text(document_of(current(quote)))
    assert "scope.pdf (SHA-256" in text
    assert "own.txt" not in text
    revise(quote=quote, user=planner)
    assert [row.name for row in current(quote).attachments.all()] == ["scope.pdf"]


def test_a_quantity_takes_its_break_and_the_breaks_are_printed(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="1.3")
    tiers = [{"from": "10", "price": "1900.00"}, {"from": "1", "price": "2180.00"}]
    edit_line(line=line, changes={"price_tiers": tiers}, user=planner, version=line.version)
    line.refresh_from_db()
    assert (line.list_price, [tier["from"] for tier in line.price_tiers]) == (Decimal("2180.0000"), ["1", "10"])
    edit_line(line=line, changes={"quantity": Decimal(12)}, user=planner, version=line.version)
    line.refresh_from_db()
    assert (line.list_price, line.unit_net) == (Decimal("1900.0000"), Decimal("1900.0000"))
    document = document_of(current(quote))
    assert "from 1: 2,180.00, from 10: 1,900.00" in pdf_text(document)
    assert "1: 2180.00; 10: 1900.00" in csv(document).decode()
    stated = next(row for row in reader.loads(json(document))["content"]["lines"] if row["number"] == "1.3")
    assert (stated["extended"], len(stated["price_tiers"])) == ("22800.00", 2)


@pytest.mark.parametrize(
    "tiers", ["1: 2", [{"from": "1"}], [{"from": "x", "price": "1"}], [{"from": "0", "price": "1"}]]
)
def test_breaks_that_are_none_are_refused(quote: Quote, planner: User, tiers: object) -> None:
    line = current(quote).lines.get(number="1.3")
    with pytest.raises(QuoteError, match="quote_tiers_unreadable"):
        edit_line(line=line, changes={"price_tiers": tiers}, user=planner, version=line.version)


def test_a_quantity_that_is_not_sold_names_the_next_one(quote: Quote, planner: User) -> None:
    line = current(quote).lines.get(number="1.3")
    changes = {"minimum_units": 5, "order_multiple": 5, "quantity": Decimal(10)}
    edit_line(line=line, changes=changes, user=planner, version=line.version)
    line.refresh_from_db()
    with pytest.raises(QuoteError, match="quote_quantity_not_sold") as refused:
        edit_line(line=line, changes={"quantity": Decimal(11)}, user=planner, version=line.version)
    assert refused.value.message.params["enough"] == "15"


def test_the_texts_of_the_organisation_stand_in_a_new_quote(organisation: Organisation, quote: Quote) -> None:
    QuotePolicy.objects.create(organisation=organisation, intro_en="Our offer.", cover_letter_en="{salutation}")
    zoe = make_user("zoe", organisation)
    made = create_quote(option=make_option(organisation), user=zoe, organisation=organisation)
    assert (made.intro, made.cover_letter, quote.intro) == ("Our offer.", "{salutation}", "")


def test_the_policy_reaches_the_screening(organisation: Organisation, quote: Quote, planner: User) -> None:
    QuotePolicy.objects.create(organisation=organisation, part_b_represented_on=current(quote).issued_on)
    changes = {"taa_by_contract": True}
    edit_quote(quote=quote, changes=changes, user=planner, version=current(quote).version)
    findings = current(quote).findings
    assert findings.get(line=None, rule="S889-020").flag == "pass"
    assert set(findings.filter(regime="TAA").values_list("applicability_rule", flat=True)) == {"APP-09"}


@pytest.mark.parametrize(
    ("stated", "rule"),
    [(None, "APP-03"), ("173999.99", "APP-02"), ("174000", "APP-01")],  # a price is open: the quote knows no sum
)
def test_the_stated_value_of_the_acquisition_decides_whether_the_trade_act_applies(
    quote: Quote, planner: User, stated: str | None, rule: str
) -> None:
    changes = {
        "buyer_type": "us_federal_civilian",
        "acquisition_value_usd": None if stated is None else Decimal(stated),
    }
    edit_quote(quote=quote, changes=changes, user=planner, version=current(quote).version)
    lines = current(quote).findings.filter(regime="TAA", line__isnull=False)
    assert set(lines.values_list("applicability_rule", flat=True)) == {rule}


def structure(node: object, found: list[str]) -> None:
    """The roles of the structure tree in reading order, read by a library that knows nothing of the typesetter."""
    held: Any = node.get_object() if hasattr(node, "get_object") else node
    if isinstance(held, list):
        for child in held:
            structure(child, found)
    elif isinstance(held, dict):
        if "/S" in held:
            found.append(str(held["/S"]))
        if "/K" in held:
            structure(held["/K"], found)


def test_the_tags_are_read_back_with_headings_tables_and_their_heads() -> None:
    root = PdfReader(io.BytesIO(pdf(locked_with(cover_letter=standard_letter())))).trailer["/Root"]
    roles: list[str] = []
    structure(root["/StructTreeRoot"], roles)
    assert roles.count("/H1") == 1
    assert roles.count("/H2") >= 6
    assert roles.index("/H1") < roles.index("/H2")
    for wanted in ("/Table", "/TR", "/TH", "/TD", "/P"):
        assert wanted in roles, wanted
    assert roles.count("/TR") > 20
    assert b"pdfuaid" in root["/Metadata"].get_object().get_data()
    assert "/Title" in PdfReader(io.BytesIO(pdf(locked_with()))).metadata


def test_the_text_is_extracted_in_reading_order() -> None:
    text = pdf_text(locked_with())
    place = 0
    for block in ("Items and prices", "Subtotal 1", "Subtotal 3", "Total, net, incomplete", "Base line, slowest first",
                  "Sizing summary", "Screening", "Sources", "Award"):  # fmt: skip
        place = text.index(block, place)
