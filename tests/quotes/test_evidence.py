"""The evidence register: claims with proof, feeds, and what a screening takes from them."""

from datetime import date, timedelta

import pytest
from django.utils import timezone

from catalog.models import OriginClaim, Part
from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from config.accounts.services import read_file
from quotes import evidence
from quotes.errors import NotAllowed, QuoteError
from quotes.evidence_feed import read_feed
from quotes.models import Quote, QuoteLine
from quotes.services import add_line, edit_line
from tests.quotes.conftest import make_user
from tests.quotes.test_life import current

PDF = b"%PDF-1.7 letter of the maker"
TODAY = date(2026, 11, 30)


@pytest.fixture
def buyer(organisation: Organisation) -> User:
    return make_user("bo", organisation, Role.BUYER)


def make_part(mpn: str = "CR-290-41803", manufacturer: str = "Corvidra", **fields: object) -> Part:
    return Part.objects.create(slug=f"{manufacturer}-{mpn}".lower(), manufacturer=manufacturer, mpn=mpn, **fields)


def said(mpn: str = "CR-290-41803", text: str = "Taiwan", **fields: object) -> evidence.Statement:
    values = {
        "mpn": mpn,
        "text": text,
        "evidence_type": "manufacturer_letter",
        "stated_by": "Corvidra",
        "stated_on": timezone.localdate(),
        **fields,
    }
    return evidence.Statement(**values)  # type: ignore[arg-type]


def letter(name: str = "letter.pdf", content: bytes = PDF) -> evidence.Upload:
    return evidence.Upload(name=name, content=content)


def feed(text: str) -> evidence.Upload:
    return evidence.Upload(name="feed.csv", content=text.encode())


def line_of(quote: Quote, number: str = "1.5") -> QuoteLine:
    return current(quote).lines.get(number=number)


def flag_of(quote: Quote, number: str = "1.5") -> str:
    return current(quote).findings.get(line__number=number, regime="TAA").flag


def test_a_letter_is_kept_with_its_hash_and_makes_a_claim_of_grade_a(organisation: Organisation, buyer: User) -> None:
    make_part()
    claim = evidence.record_claim(organisation=organisation, statement=said(), user=buyer, upload=letter())
    assert (claim.grade, claim.country_code, claim.file is not None) == ("A", "TW", True)
    assert claim.file is not None
    assert read_file(claim.file) == PDF
    assert len(claim.file.sha256) == 64
    assert AuditEvent.objects.filter(action="record_origin_claim", actor=buyer).count() == 1


@pytest.mark.parametrize(
    ("statement", "upload", "code"),
    [
        (said(), None, "evidence_letter_missing"),
        (said(mpn="NONE-1"), letter(), "evidence_part_unknown"),
        (said(), letter(content=b"MZ program"), "evidence_file_kind"),
        (said(stated_on=date(2999, 1, 1)), letter(), "evidence_date_ahead"),
    ],
)
def test_a_claim_that_proves_nothing_is_refused(
    organisation: Organisation,
    buyer: User,
    statement: evidence.Statement,
    upload: evidence.Upload | None,
    code: str,
) -> None:
    make_part()
    with pytest.raises(QuoteError, match=code):
        evidence.record_claim(organisation=organisation, statement=statement, user=buyer, upload=upload)
    assert not OriginClaim.objects.exists()


def test_a_number_of_two_makers_asks_for_the_maker(organisation: Organisation, buyer: User) -> None:
    make_part()
    make_part(manufacturer="Other")
    with pytest.raises(QuoteError, match="evidence_part_ambiguous"):
        evidence.record_claim(organisation=organisation, statement=said(), user=buyer, upload=letter())
    named = evidence.record_claim(
        organisation=organisation, statement=said(manufacturer="corvidra"), user=buyer, upload=letter()
    )
    assert named.part.manufacturer == "Corvidra"


def test_only_roles_that_edit_prices_record_evidence(organisation: Organisation, planner: User) -> None:
    make_part()
    with pytest.raises(NotAllowed):
        evidence.record_claim(organisation=organisation, statement=said(), user=planner, upload=letter())
    with pytest.raises(NotAllowed):
        evidence.import_feed(organisation=organisation, upload=feed("mpn,country,date"), stated_by="X", user=planner)


def test_claims_of_another_organisation_are_neither_shown_nor_used(quote: Quote, planner: User) -> None:
    make_part()
    other = Organisation.objects.create(name="Other")
    spy = make_user("eve", other, Role.BUYER)
    evidence.record_claim(organisation=other, statement=said(), user=spy, upload=letter())
    assert not evidence.claims_for(quote.organisation).exists()
    assert evidence.rescreen(quote=quote, user=planner) == []
    assert flag_of(quote) == "unknown"


def test_unknown_stays_unknown_until_there_is_evidence_and_then_passes(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    make_part()
    assert evidence.rescreen(quote=quote, user=planner) == []
    assert flag_of(quote) == "unknown"
    claim = evidence.record_claim(organisation=organisation, statement=said(), user=buyer, upload=letter())
    assert evidence.rescreen(quote=quote, user=planner) == ["1.5"]
    line = line_of(quote)
    assert claim.file is not None
    assert (line.origin_raw, line.evidence_grade, line.origin_evidence_sha256) == ("Taiwan", "A", claim.file.sha256)
    assert flag_of(quote) == "pass"
    finding = current(quote).findings.get(line__number="1.5", regime="TAA")
    assert finding.details["evidence"]["sha256"] == claim.file.sha256
    assert evidence.rescreen(quote=quote, user=planner) == []


def test_a_claim_without_proof_or_an_old_letter_does_not_make_a_pass(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    make_part()
    bare = said(evidence_type="unknown", stated_by="phone call")
    evidence.record_claim(organisation=organisation, statement=bare, user=buyer)
    old = said(stated_on=timezone.localdate() - timedelta(days=366))
    evidence.record_claim(organisation=organisation, statement=old, user=buyer, upload=letter())
    evidence.rescreen(quote=quote, user=planner)
    assert flag_of(quote) in ("unknown", "review")


def test_a_weaker_claim_leaves_the_better_proof_of_the_line(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    line = line_of(quote, "1.7")
    make_part(line.mpn, line.manufacturer)
    weak = said(mpn=line.mpn, text="China", evidence_type="datasheet", stated_by="web page")
    evidence.record_claim(organisation=organisation, statement=weak, user=buyer)
    assert evidence.rescreen(quote=quote, user=planner) == []
    assert line_of(quote, "1.7").origin_raw == "Japan"


def test_equally_good_claims_that_contradict_each_other_never_pass(
    quote: Quote, organisation: Organisation, planner: User, buyer: User
) -> None:
    make_part()
    for text, who in (("Taiwan", "Corvidra"), ("China", "Corvidra Europe")):
        evidence.record_claim(
            organisation=organisation, statement=said(text=text, stated_by=who), user=buyer, upload=letter()
        )
    evidence.rescreen(quote=quote, user=planner)
    assert line_of(quote).origin_raw == "China; Taiwan"
    assert flag_of(quote) != "pass"


def test_typed_proof_is_refused_and_a_new_text_has_none(quote: Quote, planner: User) -> None:
    line = line_of(quote, "1.7")
    with pytest.raises(QuoteError, match="quote_evidence_by_register"):
        edit_line(line=line, changes={"origin_evidence": "cbp_ruling"}, user=planner, version=line.version)
    fields = {"description": "Part", "quantity": 1, "origin_raw": "US", "origin_evidence": "cbp_ruling"}
    with pytest.raises(QuoteError, match="quote_evidence_by_register"):
        add_line(revision=current(quote), fields=fields, user=planner)
    assert flag_of(quote, "1.7") == "pass"
    edit_line(line=line, changes={"origin_raw": "Taiwan"}, user=planner, version=line.version)
    changed = line_of(quote, "1.7")
    assert (changed.origin_evidence, changed.evidence_grade, changed.origin_evidence_date) == ("", "", None)
    assert flag_of(quote, "1.7") != "pass"


def test_proof_does_not_move_to_another_article(quote: Quote, planner: User) -> None:
    line = line_of(quote, "1.7")
    edit_line(line=line, changes={"mpn": "OTHER-1"}, user=planner, version=line.version)
    assert line_of(quote, "1.7").origin_evidence == ""
    assert flag_of(quote, "1.7") != "pass"


def test_a_fail_goes_by_new_proof_only_with_a_second_person(
    quote: Quote, organisation: Organisation, planner: User
) -> None:
    line = line_of(quote, "2.1")
    assert flag_of(quote, "2.1") == "fail"
    make_part(line.mpn, line.manufacturer)
    editor = make_user("kit", organisation, Role.CATALOGUE_EDITOR)
    statement = said(mpn=line.mpn, stated_by="Vantrel")
    evidence.record_claim(organisation=organisation, statement=statement, user=editor, upload=letter())
    with pytest.raises(NotAllowed, match="quote_fail_to_pass_alone"):
        evidence.rescreen(quote=quote, user=editor)
    assert flag_of(quote, "2.1") == "fail"
    evidence.rescreen(quote=quote, user=planner)
    assert flag_of(quote, "2.1") == "pass"


def test_a_feed_becomes_claims_of_grade_b_and_a_repeat_adds_none(organisation: Organisation, buyer: User) -> None:
    make_part()
    make_part("A-2", "Other")
    text = (
        "Part Number;Country of Origin;As of\nCR-290-41803;TW;2026-11-01\nA-2;Germany;2026-11-02\nZZ-9;US;2026-11-02\n"
    )
    first = evidence.import_feed(organisation=organisation, upload=feed(text), stated_by="Distri", user=buyer)
    again = evidence.import_feed(organisation=organisation, upload=feed(text), stated_by="Distri", user=buyer)
    assert (first.recorded, first.repeated, first.unknown) == (2, 0, ("ZZ-9",))
    assert (again.recorded, again.repeated) == (0, 2)
    claims = {claim.part.mpn: claim for claim in OriginClaim.objects.all()}
    assert {mpn: (claim.grade, claim.country_code) for mpn, claim in claims.items()} == {
        "CR-290-41803": ("B", "TW"),
        "A-2": ("B", "DE"),
    }
    assert all(claim.file is not None for claim in claims.values())


def test_a_newer_feed_replaces_the_older_claim_of_the_same_distributor(organisation: Organisation, buyer: User) -> None:
    part = make_part()
    for day, country in (("2026-11-01", "TW"), ("2026-11-20", "CN")):
        text = f"mpn,country,date\nCR-290-41803,{country},{day}\n"
        evidence.import_feed(organisation=organisation, upload=feed(text), stated_by="Distri", user=buyer)
    standing = OriginClaim.objects.get(part=part, superseded_by=None)
    assert standing.country_code == "CN"
    assert OriginClaim.objects.filter(part=part).count() == 2


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "evidence_feed_column_missing"),
        (b"mpn,country\nA,TW\n", "evidence_feed_column_missing"),
        (b"mpn,country,date\n", "evidence_feed_empty"),
        (b"mpn,country,date\nA,TW,01.11.2026\n", "evidence_feed_date"),
        (b"mpn,country,date\nA,TW,2026-12-01\n", "evidence_feed_date_ahead"),
        (b"mpn,country,date\n,TW,2026-11-01\n", "evidence_feed_row_without_part"),
        (b"mpn,coo,origin,date\nA,TW,TW,2026-11-01\n", "evidence_feed_column_twice"),
        (b"mpn,country,date\nA,\xff,2026-11-01\n", "evidence_feed_not_utf8"),
    ],
)
def test_a_wrong_feed_is_refused_by_name(content: bytes, code: str) -> None:
    with pytest.raises(QuoteError, match=code):
        read_feed(content, today=TODAY)


def test_a_wrong_row_records_nothing(organisation: Organisation, buyer: User) -> None:
    make_part()
    text = "mpn,country,date\nCR-290-41803,TW,2026-11-01\nCR-290-41803,TW,soon\n"
    with pytest.raises(QuoteError, match="evidence_feed_date"):
        evidence.import_feed(organisation=organisation, upload=feed(text), stated_by="Distri", user=buyer)
    assert not OriginClaim.objects.exists()
