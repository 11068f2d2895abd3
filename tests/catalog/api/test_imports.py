"""Imports over the API, step by step: each call does what its page does, and the outcome is that of the dry run."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from catalog import import_jobs
from catalog.import_execute import execute_import
from catalog.models import Accelerator, ImportBatch, Part, PartAlias, PriceObservation
from config.accounts.choices import Role
from tests.catalog.rows import make_accelerator, make_part
from tests.config.api.calls import Caller, caller

pytestmark = pytest.mark.django_db

GOOD = (
    b"Hersteller;MPN;Bezeichnung;EK netto;Waehrung\nNordwerk;NW-1;Karte;28.499,00;EUR\nNordwerk;NW-2;Kabel;a.A.;EUR\n"
)
AMBIGUOUS = "Artikel;Preis\nNW-1;1.299 €\nNW-2;2.450 €\n".encode()


@pytest.fixture
def buyer() -> Caller:
    return caller(Role.BUYER)


def upload(buyer: Caller, data: bytes, name: str = "list.csv", **fields: str) -> Any:
    headers = {"Authorization": f"Bearer {buyer.key}"}
    body = {"file": SimpleUploadedFile(name, data), **fields}
    return Client(raise_request_exception=False).post("/api/v1/imports", body, headers=headers)


def started(buyer: Caller, data: bytes, **fields: str) -> dict[str, Any]:
    answer = upload(buyer, data, **fields)
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_an_upload_is_read_and_stores_nothing(buyer: Caller) -> None:
    answer = upload(buyer, GOOD, supplier="Rechenwerk")
    body = answer.json()
    assert answer["Location"].endswith(f"/api/v1/imports/{body['id']}")
    assert (body["state"], body["busy"], body["supplier"]) == ("queued", False, "Rechenwerk")
    reading = body["reading"]
    assert reading["accepted"] + reading["held"] + reading["rejected"] + reading["skipped"] == reading["records"] == 2
    assert not PriceObservation.objects.exists()


def test_the_dry_run_equals_the_commit_and_undo_takes_it_back(buyer: Caller) -> None:
    body = started(buyer, GOOD, supplier="Rechenwerk")
    address = f"imports/{body['id']}"
    dry = buyer.post(f"{address}/dry-run").json()
    done = buyer.post(f"{address}/commit", {"dry_run": dry["dry_run"]})
    assert done.status_code == 200
    assert done.json()["state"] == "done"
    assert done.json()["stored"] == {name: dry["reading"][name] for name in ("accepted", "rejected", "held", "skipped")}
    assert PriceObservation.objects.count() == dry["totals"]["new"] == 1
    assert buyer.post(f"{address}/commit", {"dry_run": dry["dry_run"]}).status_code == 409
    undone = buyer.post(f"{address}/undo")
    assert undone.json()["undone_at"]
    assert not PriceObservation.objects.exists()
    assert not Part.objects.exists()


def test_a_question_is_answered_by_patch_and_stops_the_commit_until_then(buyer: Caller) -> None:
    body = started(buyer, AMBIGUOUS, supplier="Rechenwerk")
    address = f"imports/{body['id']}"
    assert [question["key"] for question in body["reading"]["questions"]] == ["number_style"]
    refused = buyer.post(f"{address}/commit", {"dry_run": body["dry_run"]})
    assert refused.status_code == 409
    assert refused.json()["errors"][0]["code"] == "import_open_questions"
    answered = buyer.patch(address, {"answers": {"number_style": "de"}}).json()
    assert answered["reading"]["accepted"] == 2
    assert buyer.post(f"{address}/commit", {"dry_run": body["dry_run"]}).status_code == 409  # an older dry run
    assert buyer.post(f"{address}/commit", {"dry_run": answered["dry_run"]}).status_code == 200
    prices = PriceObservation.objects.order_by("pk").values_list("unit_price", flat=True)
    assert [f"{price:.2f}" for price in prices] == ["1299.00", "2450.00"]


def test_a_wrong_answer_is_refused_by_its_name(buyer: Caller) -> None:
    body = started(buyer, AMBIGUOUS)
    answer = buyer.patch(f"imports/{body['id']}", {"answers": {"number_style": "martian"}})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "import_bad_answer"


def test_rows_come_in_pages_and_what_is_not_stored_as_a_file(buyer: Caller) -> None:
    text = "MPN;Preis;Curr\n" + "".join(f"A-{n};{n},50;EUR\n" for n in range(1, 131)) + "=1+1;5,50;EUR\n"
    body = started(buyer, text.encode(), supplier="S")
    address = f"imports/{body['id']}"
    first = buyer.get(f"{address}/rows?kind=new").json()
    second = buyer.get(f"{address}/rows?kind=new&offset=100").json()
    assert (first["total"], len(first["results"]), len(second["results"])) == (130, 100, 30)
    assert second["results"][0]["mpn"] == "A-101"
    assert buyer.get(f"{address}/rows?kind=nonsense").status_code == 400
    lines = buyer.get(f"{address}/errors").content.decode("utf-8-sig").splitlines()
    assert len(lines) == 2
    assert lines[1].startswith("132,rejected,row_formula_text,")
    assert ",'=1+1," in lines[1]  # safe in a spreadsheet program


def test_a_large_file_goes_to_the_worker_which_keeps_the_errors(buyer: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(import_jobs, "is_large", lambda size, name: True)
    monkeypatch.setattr(import_jobs.tasks.apply_import, "delay", lambda pk: None)
    answer = upload(buyer, GOOD, supplier="S")
    assert (answer.status_code, answer.json()["busy"]) == (202, True)
    address = f"imports/{answer.json()['id']}"
    batch = ImportBatch.objects.get()
    assert buyer.get(address)["Retry-After"] == "1"
    assert buyer.patch(address, {"supplier": "T"}).status_code == 409
    execute_import(batch.pk)
    body = buyer.get(address).json()
    assert body["reading"]["held"] == 1
    assert b"row_unknown_price" in buyer.get(f"{address}/errors").content
    assert buyer.post(f"{address}/commit", {"dry_run": body["dry_run"]}).status_code == 202
    execute_import(batch.pk)
    assert buyer.get(address).json()["state"] == "done"
    undo = buyer.post(f"{address}/undo")
    assert (undo.status_code, undo.json()["busy"], undo.json()["undone_at"]) == (202, True, None)
    assert buyer.post(f"{address}/undo").status_code == 409
    execute_import(batch.pk)
    body = buyer.get(address).json()
    assert (body["state"], body["busy"], body["message"]) == ("done", False, "")
    assert body["undone_at"]
    assert not PriceObservation.objects.exists()


def test_a_large_import_that_others_build_on_stays_stored_and_says_so(
    buyer: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = started(buyer, GOOD, supplier="S")
    address = f"imports/{body['id']}"
    buyer.post(f"{address}/commit", {"dry_run": body["dry_run"]})
    later = started(buyer, GOOD.replace(b"28.499", b"29.499"), supplier="S")
    buyer.post(f"imports/{later['id']}/commit", {"dry_run": later["dry_run"]})
    monkeypatch.setattr(import_jobs, "is_large", lambda size, name: True)
    assert buyer.post(f"{address}/undo").status_code == 202
    execute_import(ImportBatch.objects.get(public_id=body["id"]).pk)
    body = buyer.get(address).json()
    assert (body["state"], body["busy"], body["undone_at"]) == ("done", False, None)
    assert "Undo them first: list.csv" in body["message"]
    assert PriceObservation.objects.count() == 2


def test_an_open_match_is_decided_once_and_kept(buyer: Caller) -> None:
    for variant in ("40GB", "80GB"):
        card = make_accelerator(slug=f"nvidia-a100-pcie-{variant.lower()}", vendor="NVIDIA", name="A100 PCIe",
                                variant=variant, form_factor="PCIe", memory_gb=float(variant[:2]))  # fmt: skip
        make_part(card.slug, accelerator=card, accelerators_in_part=1)
    body = started(buyer, b"MPN;Description;Price;Curr\nX-1;NVIDIA A100 PCIe GPU;9000.50;EUR\n", supplier="S")
    address = f"imports/{body['id']}"
    assert body["totals"]["question"] == 1
    decided = buyer.post(f"{address}/matches", {"matches": [{"mpn": "X-1", "accelerator": "nvidia-a100-pcie-80gb"}]})
    assert decided.json()["totals"]["question"] == 0
    assert PartAlias.objects.get().part.accelerator == Accelerator.objects.get(slug="nvidia-a100-pcie-80gb")
    unknown = buyer.post(f"{address}/matches", {"matches": [{"mpn": "X-1", "accelerator": "martian"}]})
    assert unknown.status_code == 422


def test_a_hostile_file_is_refused_with_its_reason_and_not_kept(buyer: Caller) -> None:
    answer = upload(buyer, b"mpn;price\n=cmd|'/C calc'!A0;1\n")
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["code"] == "import_dangerous_formula"
    assert not ImportBatch.objects.exists()


def test_a_discarded_import_takes_no_further_step(buyer: Caller) -> None:
    body = started(buyer, GOOD)
    assert buyer.delete(f"imports/{body['id']}").json()["state"] == "cancelled"
    assert buyer.post(f"imports/{body['id']}/dry-run").status_code == 409


def test_the_same_upload_with_one_key_is_one_import(buyer: Caller) -> None:
    def send() -> Any:
        headers = {"Authorization": f"Bearer {buyer.key}", "Idempotency-Key": "once"}
        content = (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' + GOOD + b"\r\n--x--\r\n"
        )
        kind = "multipart/form-data; boundary=x"
        return Client().generic("POST", "/api/v1/imports", content, content_type=kind, headers=headers)

    first, second = send(), send()
    assert (first.status_code, second.status_code) == (201, 201)
    assert json.loads(first.content)["id"] == json.loads(second.content)["id"]
    assert ImportBatch.objects.count() == 1


def test_another_organisation_finds_nothing(buyer: Caller) -> None:
    body = started(buyer, GOOD)
    assert caller(Role.BUYER).get(f"imports/{body['id']}").status_code == 404
