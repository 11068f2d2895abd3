"""Section 889 statements of makers and suppliers: recorded with their letter, taken by lines, ageing."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from quotes import evidence, telecom_statements
from quotes.content import content_of
from quotes.document import document_of
from quotes.errors import NotAllowed, QuoteError
from quotes.models import Quote, TelecomStatement
from quotes.proofs import Upload
from quotes.services import create_quote, edit_line
from quotes.telecom_statements import Said
from tests.quotes.conftest import make_option, make_user
from tests.quotes.test_evidence import feed
from tests.quotes.test_life import current

LETTER = Upload(name="letter.pdf", content=b"%PDF-1.7 no covered equipment")


@pytest.fixture
def buyer(organisation: Organisation) -> User:
    return make_user("bo", organisation, Role.BUYER)


def record(
    organisation: Organisation, user: User, upload: Upload | None = LETTER, **fields: object
) -> TelecomStatement:
    values = {
        "firm": "Castellan Inc.",
        "says": "none",
        "stated_on": timezone.localdate(),
        "stated_by": "J. Doe, compliance",
        "clause": "FAR 52.204-26",
        **fields,
    }
    said = Said(**values)  # type: ignore[arg-type]
    return telecom_statements.record_statement(organisation=organisation, said=said, user=user, upload=upload)


def finding(quote: Quote, number: str = "1.2") -> tuple[str, str]:
    row = current(quote).findings.get(line__number=number, regime="S889")
    return row.flag, row.reason["code"]


def test_a_makers_letter_turns_unknown_into_pass_with_its_proof(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    assert finding(quote) == ("unknown", "S889-009")
    made = record(organisation, buyer)
    assert finding(quote) == ("unknown", "S889-009")  # nothing changes before the quote is screened again
    assert evidence.rescreen(quote=quote, user=planner) == ["1.2"]
    assert finding(quote) == ("pass", "S889-007.statement")
    row = current(quote).findings.get(line__number="1.2", regime="S889")
    assert row.details["evidence"]["sha256"] == made.file.sha256
    stated = next(line for line in content_of(current(quote))["lines"] if line["number"] == "1.2")["s889"]
    assert (stated["stated_by"], stated["says"]) == ("J. Doe, compliance", "none")
    tables = document_of(current(quote), language="en").screening.tables
    cells = [cell for table in tables for line in table.rows for cell in line.findings if cell[0] == "pass"]
    assert any(cell[2].startswith("maker's statement of") for cell in cells)
    assert evidence.rescreen(quote=quote, user=planner) == []
    assert AuditEvent.objects.filter(action="telecom_statement.record", actor=buyer).count() == 1


def test_a_new_quote_takes_the_letters_that_are_on_file(organisation: Organisation, planner: User, buyer: User) -> None:
    record(organisation, buyer)
    made = create_quote(option=make_option(organisation), user=planner, organisation=organisation)
    assert finding(made) == ("pass", "S889-007.statement")


@pytest.mark.parametrize(
    ("fields", "upload", "code"),
    [
        ({}, None, "evidence_letter_missing"),
        ({"firm": "n/a"}, LETTER, "statement_without_firm"),
        ({"says": "unclear"}, LETTER, "statement_says_neither"),
        ({"stated_on": date(2999, 1, 1)}, LETTER, "evidence_date_ahead"),
        ({}, Upload(name="x", content=b"MZ"), "evidence_file_kind"),
    ],
)
def test_a_statement_that_proves_nothing_is_refused(
    organisation: Organisation, buyer: User, fields: dict[str, object], upload: Upload | None, code: str
) -> None:
    with pytest.raises(QuoteError, match=code):
        record(organisation, buyer, upload, **fields)
    assert not TelecomStatement.objects.exists()


def test_only_roles_that_edit_prices_record_statements(organisation: Organisation, planner: User) -> None:
    with pytest.raises(NotAllowed):
        record(organisation, planner)


@pytest.mark.parametrize(
    "fields",
    [{"stated_on": timezone.localdate() - timedelta(days=366)}, {"firm": "Castellan Trading"}, {"mpn": "OTHER-1"}],
)
def test_an_old_letter_and_one_of_another_firm_or_article_leave_it_unknown(
    quote: Quote, organisation: Organisation, planner: User, buyer: User, fields: dict[str, object]
) -> None:
    record(organisation, buyer, **fields)
    evidence.rescreen(quote=quote, user=planner)
    assert finding(quote) == ("unknown", "S889-009")


def test_a_letter_that_names_covered_equipment_is_never_a_pass(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    record(organisation, buyer)
    record(organisation, buyer, says="some", mpn="CP-4U8-2S-X13")
    evidence.rescreen(quote=quote, user=planner)
    assert finding(quote) == ("fail", "S889-012")
    # The maker's newer word on the article lifts it, but not by one person alone.
    record(organisation, make_user("al", organisation, Role.ADMINISTRATOR), mpn="CP-4U8-2S-X13")
    with pytest.raises(NotAllowed, match="quote_fail_to_pass_alone"):
        evidence.rescreen(quote=quote, user=User.objects.get(username="al"))
    evidence.rescreen(quote=quote, user=planner)
    assert finding(quote) == ("pass", "S889-007.statement")
    record(organisation, buyer, says="some")
    evidence.rescreen(quote=quote, user=planner)
    assert finding(quote) == ("review", "S889-012.maker")


def test_another_maker_or_article_loses_the_statement(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    record(organisation, buyer)
    evidence.rescreen(quote=quote, user=planner)
    line = current(quote).lines.get(number="1.2")
    edit_line(line=line, changes={"manufacturer": "Corvidra"}, user=planner, version=line.version)
    assert current(quote).lines.get(number="1.2").s889_evidence == ""
    assert finding(quote) == ("unknown", "S889-009")


def test_a_feeds_word_is_kept_as_received_and_proves_nothing(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    today = timezone.localdate().isoformat()
    text = f"mpn;manufacturer;date;s889\nCP-4U8-2S-X13;Castellan;{today};Yes\nX-1;;{today};Yes\n"
    result = evidence.import_feed(organisation=organisation, upload=feed(text), stated_by="Disti", user=buyer)
    assert (result.statements, result.recorded, result.unknown) == (1, 0, ())
    again = evidence.import_feed(organisation=organisation, upload=feed(text), stated_by="Disti", user=buyer)
    assert again.statements == 0
    kept = TelecomStatement.objects.get()
    assert (kept.says, kept.text, kept.stated_by) == ("unclear", "Yes", "Disti")
    evidence.rescreen(quote=quote, user=planner)
    assert finding(quote) == ("unknown", "S889-009")
    notes = current(quote).findings.get(line__number="1.2", regime="S889").details["notes"]
    assert [note["code"] for note in notes] == ["S889-NOTE-FEED"]
    changed = text.replace("Yes", "No")
    evidence.import_feed(organisation=organisation, upload=feed(changed), stated_by="Disti", user=buyer)
    assert TelecomStatement.objects.filter(superseded_by=None).get().text == "No"


def test_a_feed_without_origins_or_statements_is_refused(organisation: Organisation, buyer: User) -> None:
    bare = feed("mpn,date\nX-1,2026-11-30\n")
    with pytest.raises(QuoteError, match="evidence_feed_column_missing"):
        evidence.import_feed(organisation=organisation, upload=bare, stated_by="Disti", user=buyer)


def test_the_page_records_shows_age_and_hands_out_the_letter(
    organisation: Organisation, buyer: User, planner: User, signed_in: Callable[[User], Client]
) -> None:
    client = signed_in(buyer)
    values = {"firm": "Castellan", "says": "none", "stated_by": "J. Doe", "stated_on": timezone.localdate().isoformat()}
    file = SimpleUploadedFile("letter.pdf", LETTER.content)
    made = client.post(reverse("quotes:statement_record"), {**values, "file": file})
    assert made.status_code == 302
    record(organisation, buyer, firm="Vantrel", stated_on=timezone.localdate() - timedelta(days=400))
    page = client.get(reverse("quotes:statements")).content.decode()
    assert "older than a year" in page
    assert "400 days" in page
    assert "Vantrel" not in client.get(reverse("quotes:statements"), {"q": "castellan"}).content.decode()
    letter = client.get(
        reverse("quotes:statement_file", args=[TelecomStatement.objects.get(firm="Castellan").public_id])
    )
    assert letter.content == LETTER.content
    assert client.post(reverse("quotes:statement_record"), {**values, "stated_on": ""}).status_code == 422
    assert signed_in(planner).post(reverse("quotes:statement_record"), values).status_code == 403
