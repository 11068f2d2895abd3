"""Lists of parties: loaded, read, taken into use, and what they change on open quotes."""

import io
import zipfile
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from quotes import listed, party_lists, party_reading, rescreening
from quotes.document import document_of
from quotes.errors import NotAllowed, QuoteError
from quotes.models import PartyList, Quote
from quotes.services import edit_quote
from tests.quotes.compliance.test_party_files import CSL_HEAD, csl, row, sam
from tests.quotes.conftest import make_user
from tests.quotes.test_life import current


def csl_file(*names: str) -> bytes:
    return csl(*(row(CSL_HEAD, _id=f"id-{name}", source="Entity List (EL)", name=name) for name in names))


def sam_file(*names: str) -> bytes:
    return sam(
        *(
            {"Classification": "Firm", "Name": name, "Exclusion Type": "Ineligible", "SAM Number": f"S-{name}"}
            for name in names
        )
    )


def loaded(organisation: Organisation, user: User, content: bytes, kind: str = "csl") -> PartyList:
    made = party_lists.load(
        organisation=organisation,
        kind=kind,
        name="list.csv",
        content=content,
        published_on=timezone.localdate(),
        user=user,
    )
    read = party_reading.read(made.pk)
    assert read is not None
    return read


def in_use(organisation: Organisation, user: User, content: bytes, kind: str = "csl") -> PartyList:
    return party_lists.activate(party_list=loaded(organisation, user, content, kind), user=user)


def name_buyer(quote: Quote, user: User, name: str) -> None:
    edit_quote(quote=quote, changes={"buyer_name": name}, user=user, version=current(quote).version)


def test_a_list_is_read_and_changes_nothing_before_it_is_in_use(
    organisation: Organisation, approver: User, quote: Quote
) -> None:
    made = loaded(organisation, approver, csl_file("Norvane Trading", "Castellan Export"))
    assert (made.state, made.firms_count, made.names_count, made.added_count) == ("staged", 2, 2, 2)
    assert made.sources == {"Entity List (EL)": 2}
    assert listed.active_lists(organisation) == []
    assert not current(quote).findings.filter(regime="PARTIES").exists()


def test_a_list_in_use_opens_a_task_on_the_quote_whose_buyer_it_names(
    organisation: Organisation, approver: User, planner: User, quote: Quote
) -> None:
    name_buyer(quote, planner, "Norvane Trading GmbH")
    rescreening.rescreen_open_quotes()
    in_use(organisation, approver, csl_file("Norvane Trading"))
    assert rescreening.rescreen_open_quotes() == 1
    task = rescreening.open_tasks().get()
    assert task.changes == [{"line": "", "regime": "PARTIES", "before": "not_applicable", "after": "review"}]
    assert [entry["version"][:3] for entry in task.lists if entry["regime"] == "PARTIES"] == ["CSL"]
    assert rescreening.rescreen_open_quotes() == 0


def test_another_organisation_does_not_meet_the_list(
    organisation: Organisation, approver: User, planner: User, quote: Quote
) -> None:
    other = Organisation.objects.create(name="Other", country="US")
    theirs = make_user("otto", other, Role.APPROVER)
    in_use(other, theirs, csl_file("Norvane Trading"))
    name_buyer(quote, planner, "Norvane Trading")
    assert not current(quote).findings.filter(regime="PARTIES").exists()
    with pytest.raises(NotAllowed):
        party_lists.activate(party_list=loaded(other, theirs, csl_file("Castellan")), user=approver)


def test_an_excluded_maker_is_found_on_its_line_and_printed(
    organisation: Organisation, approver: User, planner: User, quote: Quote
) -> None:
    in_use(organisation, approver, sam_file("Vantrel, Inc."), "sam")
    name_buyer(quote, planner, "Federal Materials Research Office")
    found = current(quote).findings.get(regime="PARTIES", line__number="2.1")
    assert (found.flag, found.rule, found.details["match"]["step"]) == ("review", "PARTY-002", "equal")
    assert found.citation == "FAR subpart 9.4"
    table = document_of(current(quote)).screening.tables[-1]
    assert table.heads == ("Line", "listed parties finding, rule")
    assert table.rows[0].number == "Parties"
    assert any("Vantrel" in words for shown in table.rows for words in shown.findings[0])
    assert "Listed parties" in [fact.regime for fact in document_of(current(quote)).screening.regimes]


def test_a_fifth_fewer_firms_need_a_note_and_an_empty_list_never_comes_into_use(
    organisation: Organisation, approver: User
) -> None:
    first = in_use(organisation, approver, csl_file(*(f"Norvane {number}" for number in range(10))))
    second = loaded(organisation, approver, csl_file("Norvane 1"))
    assert (second.added_count, second.removed_count) == (0, 9)
    with pytest.raises(QuoteError, match="party_file_row_change"):
        party_lists.activate(party_list=second, user=approver)
    party_lists.activate(party_list=second, user=approver, note="The publisher split the list.")
    first.refresh_from_db()
    assert (first.state, [row.pk for row in listed.active_lists(organisation)]) == ("replaced", [second.pk])
    empty = loaded(organisation, approver, csl_file())
    with pytest.raises(QuoteError, match="party_file_empty"):
        party_lists.activate(party_list=empty, user=approver, note="really")
    assert AuditEvent.objects.filter(action="party_list.activate", actor=approver).count() == 2


def test_a_zip_of_one_csv_is_read_and_another_file_is_named(organisation: Organisation, approver: User) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("SAM_Exclusions_Public_Extract_V2.CSV", sam_file("Vantrel, Inc."))
    assert loaded(organisation, approver, packed.getvalue(), "sam").firms_count == 1
    wrong = loaded(organisation, approver, b"name\nx\n", "sam")
    assert (wrong.state, wrong.fault) == (
        "failed", {"code": "party_file_column_missing", "params": {"column": "Classification"}},
    )  # fmt: skip
    with pytest.raises(QuoteError, match="party_list_not_staged"):
        party_lists.activate(party_list=wrong, user=approver)


def test_an_overdue_list_turns_a_pass_to_review(
    organisation: Organisation, approver: User, planner: User, quote: Quote
) -> None:
    in_use(organisation, approver, csl_file("Castellan Export"))
    name_buyer(quote, planner, "Auental Klinik")
    assert current(quote).findings.get(regime="PARTIES", line=None).flag == "pass"
    rescreening.rescreen_open_quotes(today=timezone.localdate() + timedelta(days=8))
    changes = rescreening.open_tasks().get().changes
    assert {"line": "", "regime": "PARTIES", "before": "pass", "after": "review"} in changes


def test_the_pages_load_show_and_use_a_list(client: Client, organisation: Organisation, approver: User) -> None:
    client.force_login(approver)
    sent = {
        "kind": "csl",
        "published_on": timezone.localdate().isoformat(),
        "file": SimpleUploadedFile("consolidated.csv", csl_file("Norvane Trading")),
    }
    answer = client.post(reverse("quotes:party_list_load"), sent)
    made = PartyList.objects.get()
    assert answer["Location"] == reverse("quotes:party_list", args=[made.public_id])
    assert "being read" in client.get(answer["Location"]).content.decode()
    party_reading.read(made.pk)
    shown = client.get(answer["Location"]).content.decode()
    for words in ("Norvane Trading", made.file.sha256, "1 firms new, 0 no longer listed", "Take into use"):
        assert words in shown
    client.post(reverse("quotes:party_list_act", args=[made.public_id, "activate"]), {"note": ""})
    made.refresh_from_db()
    assert (made.state, made.activated_by) == ("active", approver)
    assert "Consolidated Screening List" in client.get(reverse("quotes:party_lists")).content.decode()
    assert "Listed parties" in client.get(reverse("quotes:screening_lists")).content.decode()
    client.post(reverse("quotes:party_list_act", args=[made.public_id, "retire"]), {"note": "Replaced by our own."})
    assert listed.active_lists(organisation) == []


def test_a_planner_reads_and_cannot_load(client: Client, organisation: Organisation, planner: User) -> None:
    client.force_login(planner)
    page = client.get(reverse("quotes:party_lists"))
    assert page.status_code == 200
    assert "Load the list" not in page.content.decode()
    assert client.post(reverse("quotes:party_list_load")).status_code == 403


def test_a_list_of_another_organisation_is_not_found(
    client: Client, organisation: Organisation, approver: User
) -> None:
    made = loaded(organisation, approver, csl_file("Norvane"))
    client.force_login(make_user("otto", Organisation.objects.create(name="Other"), Role.APPROVER))
    assert client.get(reverse("quotes:party_list", args=[made.public_id])).status_code == 404
