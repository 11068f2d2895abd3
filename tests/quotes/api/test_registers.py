"""Names that are other firms and statements on Section 889, through the API."""

from collections.abc import Callable

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from config.accounts.choices import Role
from config.accounts.models import Organisation, User
from quotes.models import Quote
from quotes.services import edit_line
from tests.quotes.conftest import make_user
from tests.quotes.test_evidence import PDF
from tests.quotes.test_life import current

NAMES = "/api/v1/name-clearances"


def flags(quote: Quote, number: str) -> str:
    return str(current(quote).findings.get(line__number=number, regime="S889").flag)


def test_a_name_is_cleared_by_two_callers(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    line = current(quote).lines.get(number="2.1")
    edit_line(line=line, changes={"manufacturer": "Hikvison GmbH"}, user=planner, version=line.version)
    body = {"quote": str(quote.public_id), "line": "2.1", "regime": "S889", "reason": "A maker of optics."}
    client = signed_in(planner)
    wrong = client.post(NAMES, {**body, "line": "1.1"}, "application/json")
    assert (wrong.status_code, wrong.json()["detail"]) == (422, "No name of this line meets a list row.")
    made = client.post(NAMES, body, "application/json")
    assert made.status_code == 201, made.content
    row = made.json()
    assert (row["state"], row["listed_name"], row["subject"]) == ("proposed", "Hikvision", "VT-3200C-F")
    assert client.post(NAMES, body, "application/json").status_code == 422
    assert client.post(f"{NAMES}/{row['id']}/confirm").status_code == 403
    client = signed_in(approver)
    confirmed = client.post(f"{NAMES}/{row['id']}/confirm").json()
    assert (confirmed["state"], confirmed["proposed_by"], confirmed["confirmed_by"]) == (
        "confirmed", str(planner), str(approver),
    )  # fmt: skip
    assert flags(quote, "2.1") == "unknown"
    assert client.post(f"{NAMES}/{row['id']}/close", {"reason": "Bought up."}, "application/json").status_code == 200
    assert flags(quote, "2.1") == "review"
    assert [each["state"] for each in client.get(NAMES).json()["results"]] == ["withdrawn"]


def test_a_statement_is_recorded_and_taken_into_the_quote(
    signed_in: Callable[[User], Client], organisation: Organisation, quote: Quote
) -> None:
    client = signed_in(make_user("bea", organisation, Role.BUYER))
    said = {
        "firm": "Castellan",
        "says": "none",
        "clause": "FAR 52.204-26",
        "stated_by": "J. Doe",
        "stated_on": timezone.localdate().isoformat(),
    }
    address = "/api/v1/section-889-statements"
    assert client.post(address, said, "application/json").status_code in (400, 422)
    made = client.post(address, {**said, "file": SimpleUploadedFile("letter.pdf", PDF)})
    assert (made.status_code, made.json()["scope"], made.json()["superseded"]) == (201, "maker", False)
    assert client.get(f"{address}?q=castel").json()["results"][0]["sha256"] == made.json()["sha256"]
    assert client.get(f"{address}?q=nobody").json()["results"] == []
    again = client.post(f"/api/v1/quotes/{quote.public_id}/rescreen", headers={"if-match": "*"})
    assert again.json() == {"lines": ["1.2"]}
    assert flags(quote, "1.2") == "pass"
