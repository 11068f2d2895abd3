"""The evidence register, the list status and the task of changed flags, through the client."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from catalog.models import OriginClaim
from config.accounts.choices import Role
from config.accounts.models import Organisation, User
from quotes import rescreening
from quotes.models import Quote, Rescreening
from tests.quotes.conftest import make_user
from tests.quotes.test_evidence import PDF, buyer, flag_of, make_part  # noqa: F401 - buyer is a fixture
from tests.quotes.test_rescreening import LATE


def claim_data(**fields: object) -> dict[str, object]:
    return {
        "mpn": "CR-290-41803",
        "text": "Taiwan",
        "evidence_type": "manufacturer_letter",
        "stated_by": "Corvidra",
        "stated_on": timezone.localdate().isoformat(),
        "file": SimpleUploadedFile("letter.pdf", PDF, content_type="application/pdf"),
        **fields,
    }


def test_a_claim_is_recorded_listed_and_its_letter_comes_back(client: Client, buyer: User) -> None:  # noqa: F811
    make_part()
    client.force_login(buyer)
    answer = client.post(reverse("quotes:evidence_record"), claim_data())
    assert answer["Location"] == reverse("quotes:evidence")
    claim = OriginClaim.objects.get()
    assert claim.file is not None
    page = client.get(reverse("quotes:evidence")).content.decode()
    assert "Taiwan" in page
    assert claim.file.sha256 in page
    assert "0 days" in page
    kept = client.get(reverse("quotes:evidence_file", args=[claim.public_id]))
    assert kept.content == PDF
    assert kept["Content-Disposition"].startswith("attachment")
    assert kept["X-Content-Type-Options"] == "nosniff"


def test_a_refused_claim_keeps_what_was_typed(client: Client, buyer: User) -> None:  # noqa: F811
    client.force_login(buyer)
    answer = client.post(reverse("quotes:evidence_record"), claim_data())
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "The catalogue has no part with the number CR-290-41803." in page
    assert 'value="Corvidra"' in page


def test_a_letter_of_another_organisation_is_not_found(client: Client, buyer: User) -> None:  # noqa: F811
    make_part()
    client.force_login(buyer)
    client.post(reverse("quotes:evidence_record"), claim_data())
    claim = OriginClaim.objects.get()
    stranger = make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR)
    client.force_login(stranger)
    assert client.get(reverse("quotes:evidence_file", args=[claim.public_id])).status_code == 404
    assert "Corvidra" not in client.get(reverse("quotes:evidence")).content.decode()


def test_a_planner_reads_the_register_and_a_visitor_signs_in(client: Client, planner: User) -> None:
    assert client.get(reverse("quotes:evidence")).status_code == 302
    client.force_login(planner)
    page = client.get(reverse("quotes:evidence"))
    assert page.status_code == 200
    assert "Record the claim" not in page.content.decode()
    assert client.post(reverse("quotes:evidence_record"), claim_data()).status_code == 403
    assert client.post(reverse("quotes:evidence_feed"), {"stated_by": "X"}).status_code == 403


def test_a_feed_says_what_it_brought(client: Client, buyer: User) -> None:  # noqa: F811
    make_part()
    client.force_login(buyer)
    content = b"mpn,country,date\nCR-290-41803,TW,2026-11-01\nZZ-9,US,2026-11-01\n"
    data = {"stated_by": "Distri", "file": SimpleUploadedFile("feed.csv", content)}
    page = client.post(reverse("quotes:evidence_feed"), data, follow=True).content.decode()
    assert "1 claim recorded." in page
    assert "names no part of the catalogue, or several: ZZ-9" in page
    wrong = {"stated_by": "Distri", "file": SimpleUploadedFile("feed.csv", b"mpn\nA\n")}
    refused = client.post(reverse("quotes:evidence_feed"), wrong)
    assert refused.status_code == 422
    assert "The feed has no column country." in refused.content.decode()


def test_a_draft_is_screened_again_by_one_post(
    client: Client,
    quote: Quote,
    planner: User,
    buyer: User,  # noqa: F811
) -> None:
    make_part()
    client.force_login(buyer)
    client.post(reverse("quotes:evidence_record"), claim_data())
    client.force_login(planner)
    address = reverse("quotes:rescreen", args=[quote.public_id])
    assert address in client.get(quote.get_absolute_url()).content.decode()
    page = client.post(address, follow=True).content.decode()
    assert "New proof of origin on lines 1.5." in page
    assert flag_of(quote) == "pass"


def test_a_stranger_and_a_viewer_cannot_screen_again(client: Client, quote: Quote, organisation: Organisation) -> None:
    address = reverse("quotes:rescreen", args=[quote.public_id])
    client.force_login(make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR))
    assert client.post(address).status_code == 404
    client.force_login(make_user("vera", organisation, Role.VIEWER))
    assert client.post(address).status_code == 403


def test_changed_flags_are_told_on_list_quote_and_lists_page_until_settled(
    client: Client, quote: Quote, planner: User
) -> None:
    client.force_login(planner)
    assert "flags changed" not in client.get(reverse("quotes:list")).content.decode()
    rescreening.rescreen_open_quotes(today=LATE)
    assert "flags changed" in client.get(reverse("quotes:list")).content.decode()
    page = client.get(quote.get_absolute_url()).content.decode()
    assert "Line 1.7, TAA: pass before, now review" in page
    assert quote.number in client.get(reverse("quotes:screening_lists")).content.decode()
    address = reverse("quotes:flags_settle", args=[quote.public_id, Rescreening.objects.get().public_id])
    client.force_login(make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR))
    assert client.post(address, {"note": "x"}).status_code == 404
    assert quote.number not in client.get(reverse("quotes:screening_lists")).content.decode()
    client.force_login(planner)
    client.post(address, {"note": "Asked the maker."})
    assert "flags changed" not in client.get(reverse("quotes:list")).content.decode()
    assert "Settle the task" not in client.get(quote.get_absolute_url()).content.decode()


@pytest.mark.parametrize("regime", ["TAA", "S889", "S5949", "S1260H", "EXPORT"])
def test_the_lists_page_names_last_and_next_check(client: Client, planner: User, regime: str) -> None:
    client.force_login(planner)
    page = client.get(reverse("quotes:screening_lists")).content.decode()
    status = next(one for one in rescreening.list_status(timezone.localdate()) if one.regime == regime)
    assert status.version.version in page
    assert status.version.sha256 in page


def test_the_pages_are_german_for_a_german_reader(client: Client, quote: Quote, planner: User) -> None:
    client.force_login(planner)
    rescreening.rescreen_open_quotes(today=LATE)
    german = {"HTTP_ACCEPT_LANGUAGE": "de"}
    register = client.get(reverse("quotes:evidence"), **german).content.decode()  # type: ignore[arg-type]
    assert "Belegverzeichnis" in register
    assert "Noch keine Angabe" in register
    lists_page = client.get(reverse("quotes:screening_lists"), **german).content.decode()  # type: ignore[arg-type]
    assert "Nächste Prüfung fällig" in lists_page
    page = client.get(quote.get_absolute_url(), **german).content.decode()  # type: ignore[arg-type]
    assert "Position 1.7, TAA: vorher" in page
