"""Names that are other firms than listed ones: two people, one article, one year, one list row."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from quotes import clearances, rescreening
from quotes.document import document_of
from quotes.errors import NotAllowed, QuoteError
from quotes.models import NameClearance, PartyName, Quote, Rescreening
from quotes.proofs import Upload
from quotes.services import edit_line
from tests.quotes.conftest import make_user
from tests.quotes.test_life import current
from tests.quotes.test_party_lists import csl_file, in_use, name_buyer

PDF = Upload(name="register.pdf", content=b"%PDF-1.7 register extract")


@pytest.fixture
def doubtful(quote: Quote, planner: User) -> Quote:
    """A quote whose switch comes from a firm that is one letter away from a listed one."""
    name_maker(quote, planner, "Hikvison GmbH")
    return quote


def name_maker(quote: Quote, user: User, name: str, number: str = "2.1") -> None:
    line = current(quote).lines.get(number=number)
    edit_line(line=line, changes={"manufacturer": name, "mpn": "VT-3200C-F"}, user=user, version=line.version)


def finding(quote: Quote, regime: str = "S889", number: str = "2.1") -> tuple[str, str]:
    row = current(quote).findings.get(line__number=number, regime=regime)
    return row.flag, row.rule


def proposed(quote: Quote, user: User, **fields: object) -> NameClearance:
    values = {"line": "2.1", "regime": "S889", "reason": "A maker of lenses in Jena, register HRB 1234.", **fields}
    return clearances.propose(quote=quote, user=user, **values)  # type: ignore[arg-type]


def test_a_doubtful_name_passes_on_when_a_second_person_confirms_it(
    doubtful: Quote, planner: User, approver: User
) -> None:
    assert finding(doubtful) == ("review", "S889-005")
    made = proposed(doubtful, planner, upload=PDF)
    assert (made.subject, made.list_version != "", len(made.list_sha256)) == ("VT-3200C-F", True, 64)
    assert finding(doubtful) == ("review", "S889-005")  # one person alone changes nothing
    clearances.confirm(clearance=made, user=approver)
    # The name is out of the way; the article still wants its part list or a statement.
    assert finding(doubtful) == ("unknown", "S889-009")
    notes = current(doubtful).findings.get(line__number="2.1", regime="S889").details["notes"]
    assert [note["code"] for note in notes] == ["NAME-CLEARED"]
    shown = document_of(current(doubtful), language="en").screening
    assert any("Two people found" in cell[2] for table in shown.tables for row in table.rows for cell in row.findings)
    actions = AuditEvent.objects.filter(object_kind="nameclearance").order_by("pk").values_list("action", "actor")
    assert list(actions) == [("name_clearance.propose", planner.pk), ("name_clearance.confirm", approver.pk)]


def test_nobody_confirms_alone_and_only_approvers_do(doubtful: Quote, planner: User, approver: User) -> None:
    made = proposed(doubtful, approver)
    with pytest.raises(NotAllowed, match="clearance_own"):
        clearances.confirm(clearance=made, user=approver)
    with pytest.raises(NotAllowed, match="quote_role_missing"):
        clearances.confirm(clearance=made, user=planner)
    with pytest.raises(IntegrityError, match="clearance_takes_two_people"), transaction.atomic():
        NameClearance.objects.filter(pk=made.pk).update(
            state="confirmed", confirmed_by=approver, confirmed_at=timezone.now()
        )
    assert finding(doubtful) == ("review", "S889-005")


def test_a_name_of_the_listed_firm_itself_is_never_cleared(quote: Quote, planner: User) -> None:
    name_maker(quote, planner, "Hikvision")
    assert finding(quote)[0] == "fail"
    with pytest.raises(QuoteError, match="clearance_listed_itself"):
        proposed(quote, planner, upload=PDF)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"reason": " "}, "quote_reason_missing"),
        ({"line": "1.1"}, "clearance_no_match"),
        ({"upload": Upload(name="x.exe", content=b"MZ")}, "evidence_file_kind"),
    ],
)
def test_a_clearance_without_ground_is_refused(
    doubtful: Quote, planner: User, fields: dict[str, object], code: str
) -> None:
    with pytest.raises(QuoteError, match=code):
        proposed(doubtful, planner, **fields)
    assert not NameClearance.objects.exists()


def test_the_same_pair_is_proposed_once_and_again_after_a_refusal(
    doubtful: Quote, planner: User, approver: User
) -> None:
    made = proposed(doubtful, planner)
    with pytest.raises(QuoteError, match="clearance_known"):
        proposed(doubtful, planner)
    with pytest.raises(QuoteError, match="quote_reason_missing"):
        clearances.close(clearance=made, user=approver, reason="")
    assert clearances.close(clearance=made, user=approver, reason="No proof at all.").state == "refused"
    with pytest.raises(QuoteError, match="clearance_not_waiting"):
        clearances.confirm(clearance=made, user=approver)
    assert proposed(doubtful, planner).state == "proposed"


def test_a_clearance_holds_for_its_article_alone(doubtful: Quote, planner: User, approver: User) -> None:
    clearances.confirm(clearance=proposed(doubtful, planner), user=approver)
    line = current(doubtful).lines.get(number="2.1")
    edit_line(line=line, changes={"mpn": "OTHER-1"}, user=planner, version=line.version)
    assert finding(doubtful) == ("review", "S889-005")


def test_a_withdrawn_an_old_and_an_outdated_clearance_count_no_more(
    doubtful: Quote, planner: User, approver: User
) -> None:
    made = clearances.confirm(clearance=proposed(doubtful, planner), user=approver)
    for changes in ({"confirmed_at": timezone.now() - timedelta(days=366)}, {"row_hash": "0" * 64}):
        with transaction.atomic():
            kept = {name: getattr(made, name) for name in changes}
            NameClearance.objects.filter(pk=made.pk).update(**changes)
            name_maker(doubtful, planner, "Vantrel")
            name_maker(doubtful, planner, "Hikvison GmbH")
            assert finding(doubtful) == ("review", "S889-005")
            NameClearance.objects.filter(pk=made.pk).update(**kept)
    clearances.close(clearance=made, user=approver, reason="The register extract was forged.")
    assert finding(doubtful) == ("review", "S889-005")


def test_open_quotes_are_screened_again_when_a_clearance_begins_and_ends(
    doubtful: Quote, planner: User, approver: User
) -> None:
    rescreening.rescreen_open_quotes()
    before = Rescreening.objects.count()
    made = clearances.confirm(clearance=proposed(doubtful, planner), user=approver)
    rescreening.rescreen_open_quotes()
    assert Rescreening.objects.count() == before + 1
    # A year later the review is back, as a task on the quote.
    NameClearance.objects.filter(pk=made.pk).update(confirmed_at=timezone.now() - timedelta(days=366))
    assert rescreening.rescreen_open_quotes() > 0
    changes = rescreening.open_tasks().get().changes
    assert {"line": "2.1", "regime": "S889", "before": "unknown", "after": "review"} in changes


def test_an_equal_name_on_a_list_of_parties_takes_a_proof_and_dies_with_its_row(
    organisation: Organisation, quote: Quote, planner: User, approver: User
) -> None:
    in_use(organisation, approver, csl_file("Norvane Trading"))
    name_buyer(quote, planner, "Norvane Trading GmbH")
    where = {"line": "", "regime": "PARTIES"}
    with pytest.raises(QuoteError, match="clearance_needs_proof"):
        proposed(quote, planner, **where)
    made = clearances.confirm(clearance=proposed(quote, planner, upload=PDF, **where), user=approver)
    assert made.subject == "Norvane Trading GmbH"
    whole = current(quote).findings.get(line=None, regime="PARTIES")
    assert (whole.flag, [note["code"] for note in whole.details["notes"]]) == ("pass", ["NAME-CLEARED"])
    PartyName.objects.update(source="Denied Persons List (DPL)")
    assert rescreening.rescreen_open_quotes() > 0


def test_pages_lead_from_the_quote_to_the_confirmed_clearance(
    doubtful: Quote, planner: User, approver: User, signed_in: Callable[[User], Client]
) -> None:
    page = signed_in(planner).get(doubtful.get_absolute_url()).content.decode()
    address = reverse("quotes:clear_name_line", args=[doubtful.public_id, "S889", "2.1"])
    assert address in page
    client = signed_in(planner)
    assert "Hikvison GmbH" in client.get(address).content.decode()
    assert client.post(address, {"reason": ""}).status_code == 422
    assert client.post(address, {"reason": "A maker of lenses."}).status_code == 302
    made = NameClearance.objects.get()
    listed = client.get(reverse("quotes:clearances")).content.decode()
    act = reverse("quotes:clearance_act", args=[made.public_id, "confirm"])
    assert "waits for a second person" in listed
    assert act not in listed
    client.post(act)
    assert NameClearance.objects.get().state == "proposed"
    client = signed_in(approver)
    assert act in client.get(reverse("quotes:clearances")).content.decode()
    client.post(act)
    assert NameClearance.objects.get().state == "confirmed"
    assert address not in client.get(doubtful.get_absolute_url()).content.decode()


def test_another_organisation_sees_and_changes_nothing(
    doubtful: Quote, planner: User, signed_in: Callable[[User], Client]
) -> None:
    made = proposed(doubtful, planner, upload=PDF)
    stranger = make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR)
    client = signed_in(stranger)
    assert "Hikvison" not in client.get(reverse("quotes:clearances")).content.decode()
    assert client.post(reverse("quotes:clearance_act", args=[made.public_id, "confirm"])).status_code == 404
    assert client.get(reverse("quotes:clearance_file", args=[made.public_id])).status_code == 404
