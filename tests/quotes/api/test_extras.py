"""What stands around a quote, through the API: files, comments, e-mails, evidence, lists of parties."""

from collections.abc import Callable

from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import Organisation, User
from quotes import evidence_reading, mailing, party_reading
from quotes.models import EvidenceFeed, PartyList, Quote, SentDocument
from tests.quotes.conftest import make_user
from tests.quotes.test_evidence import PDF, make_part
from tests.quotes.test_life import current, locked
from tests.quotes.test_party_lists import csl_file


def test_a_file_for_the_buyer_is_kept_frozen_and_given_back(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    client, address = signed_in(planner), f"/api/v1/quotes/{quote.public_id}/attachments"
    made = client.post(address, {"file": SimpleUploadedFile("scope of work.pdf", PDF), "for_buyer": "true"})
    assert made.status_code == 201, made.content
    row = made.json()
    assert (row["name"], row["size_bytes"], row["for_buyer"]) == ("scope_of_work.pdf", len(PDF), True)
    revision = locked(quote, planner, approver)
    assert revision.content["attachments"] == [
        {"name": "scope_of_work.pdf", "sha256": row["sha256"], "size_bytes": len(PDF)}
    ]
    kept = client.get(f"{address}/{row['id']}")
    assert (kept.content, kept["X-Content-Type-Options"]) == (PDF, "nosniff")
    late = client.post(address, {"file": SimpleUploadedFile("late.pdf", PDF + b"2"), "for_buyer": "true"})
    assert (late.status_code, late.json()["state"]) == (409, "locked")
    own = client.post(address, {"file": SimpleUploadedFile("order.pdf", PDF + b"3")})
    assert own.status_code == 201
    assert client.delete(f"{address}/{own.json()['id']}").status_code == 409
    assert [each["name"] for each in client.get(address).json()["results"]] == ["scope_of_work.pdf", "order.pdf"]


def test_comments_are_listed_and_an_empty_one_is_refused(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    client, address = signed_in(planner), f"/api/v1/quotes/{quote.public_id}/comments"
    assert client.post(address, {"text": "Ask for a letter."}, "application/json").status_code == 201
    assert client.post(address, {"text": " "}, "application/json").status_code in (400, 422)
    assert [each["text"] for each in client.get(address).json()["results"]] == ["Ask for a letter."]


def test_the_document_of_a_locked_revision_goes_out_by_e_mail(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    client, address = signed_in(planner), f"/api/v1/quotes/{quote.public_id}/emails"
    body = {"recipient": "buyer@office.example"}
    assert client.post(address, body, "application/json").status_code == 422
    locked(quote, planner, approver)
    asked = client.post(address, body, "application/json")
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    mailing.deliver(SentDocument.objects.get().pk)
    assert mail.outbox[0].to == ["buyer@office.example"]
    assert client.get(address).json()["results"][0]["state"] == "sent"


def test_evidence_is_recorded_and_taken_into_the_quote(
    signed_in: Callable[[User], Client], organisation: Organisation, quote: Quote
) -> None:
    make_part()
    client = signed_in(make_user("bea", organisation, Role.BUYER))
    stated = {
        "mpn": "CR-290-41803",
        "text": "Taiwan",
        "evidence_type": "manufacturer_letter",
        "stated_by": "Corvidra",
        "stated_on": timezone.localdate().isoformat(),
        "file": SimpleUploadedFile("letter.pdf", PDF, content_type="application/pdf"),
    }
    made = client.post("/api/v1/evidence", stated)
    assert (made.status_code, made.json()["country_code"], made.json()["grade"]) == (201, "TW", "A")
    assert client.get("/api/v1/evidence?q=41803").json()["results"][0]["sha256"] == made.json()["sha256"]
    again = client.post(f"/api/v1/quotes/{quote.public_id}/rescreen", headers={"if-match": "*"})
    assert again.json() == {"lines": ["1.5"]}
    assert current(quote).lines.get(number="1.5").origin_code == "TW"


def test_a_feed_is_read_by_the_worker_and_its_outcome_shown(
    signed_in: Callable[[User], Client], organisation: Organisation
) -> None:
    make_part()
    client = signed_in(make_user("bea", organisation, Role.BUYER))
    day = timezone.localdate().isoformat()
    feed = f"mpn,country,date\nCR-290-41803,Taiwan,{day}\nX-1,Japan,{day}\n".encode()
    asked = client.post("/api/v1/evidence-feeds", {"stated_by": "Distri", "file": SimpleUploadedFile("f.csv", feed)})
    assert (asked.status_code, asked.json()["state"]) == (202, "waiting")
    evidence_reading.run(EvidenceFeed.objects.get().pk)
    shown = client.get(f"/api/v1/evidence-feeds/{asked.json()['id']}").json()
    assert (shown["state"], shown["recorded"], shown["unknown"], shown["unknown_parts"]) == ("done", 1, 1, ["X-1"])


def test_a_list_of_parties_is_loaded_and_activated(
    signed_in: Callable[[User], Client], organisation: Organisation, approver: User
) -> None:
    client = signed_in(approver)
    sent = {"kind": "csl", "published_on": timezone.localdate().isoformat()}
    made = client.post(
        "/api/v1/party-lists", {**sent, "file": SimpleUploadedFile("c.csv", csl_file("Norvane Trading"))}
    )
    assert (made.status_code, made.json()["state"]) == (202, "reading")
    party_reading.read(PartyList.objects.get().pk)
    address = f"/api/v1/party-lists/{made.json()['id']}"
    assert (client.get(address).json()["firms_count"], client.get(address).json()["state"]) == (1, "staged")
    assert client.post(f"{address}/activate").json()["state"] == "active"
    assert client.post(f"{address}/retire").status_code == 422
    assert client.post(f"{address}/retire", {"note": "Old."}, "application/json").json()["state"] == "replaced"
