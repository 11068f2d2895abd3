"""Import pages: upload, reading, the one question, matches, commit in one go, undo; who may, what is refused."""

import zipfile
from datetime import timedelta
from decimal import Decimal
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from catalog import import_execute, tasks
from catalog.choices import ImportState
from catalog.models import Accelerator, ImportBatch, Part, PartAlias, PriceObservation, Supplier, SupplierProfile
from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Membership, Organisation, StoredFile
from tests.catalog.imports.build import DATA
from tests.catalog.rows import make_accelerator, make_organisation, make_part, make_user

pytestmark = pytest.mark.django_db

GERMAN = "01_german_semicolon_decimal_comma.csv"
AMBIGUOUS = "04_cp1252_ambiguous_thousands.csv"
LIST = "Herstellernummer;Bezeichnung;Preis;Lieferzeit\n"


@pytest.fixture
def organisation() -> Organisation:
    return make_organisation()


@pytest.fixture
def buyer(client: Client, organisation: Organisation) -> Client:
    return signed_in(client, organisation, Role.BUYER)


def signed_in(client: Client, organisation: Organisation, role: str) -> Client:
    user = make_user(f"{role}{organisation.pk}")
    Membership.objects.create(organisation=organisation, user=user, role=role)
    client.force_login(user)
    return client


def upload(client: Client, data: bytes, *, name: str = "list.csv", supplier: str = "Rechenwerk", **more: Any) -> Any:
    fields = {"file": SimpleUploadedFile(name, data), "supplier": supplier, **more}
    return client.post(reverse("catalog:imports"), fields)


def sample(name: str) -> bytes:
    return (DATA / name).read_bytes()


def batch() -> ImportBatch:
    return ImportBatch.objects.get()


def page(client: Client, **query: str) -> str:
    return client.get(reverse("catalog:import", args=[batch().public_id]), query).content.decode()


def step(client: Client, what: str, **fields: Any) -> Any:
    return client.post(reverse(f"catalog:import_{what}", args=[batch().public_id]), fields, follow=True)


def two_cards() -> Accelerator:
    """Two accelerators that "H100 80GB" may mean; the first is returned."""
    facts = {"vendor": "NVIDIA", "name": "H100", "memory_gb": 80}
    make_accelerator(slug="maker-h100-sxm", variant="SXM5 80GB", form_factor="SXM5", **facts)
    return make_accelerator(slug="maker-h100-pcie", variant="PCIe 80GB", form_factor="PCIe", **facts)


def large_list(rows: int = 9_000) -> bytes:
    lines = [f"NW-{number:05d};Teil {number};{number + 1},50 EUR;6-8 Wochen" for number in range(rows)]
    return (LIST + "\n".join(lines)).encode()


def test_an_upload_shows_its_reading_and_stores_nothing(buyer: Client) -> None:
    response = upload(buyer, sample(GERMAN), name="preise.csv")
    assert response.status_code == 302
    text = page(buyer)
    assert "semicolon ; · header in line 1 · 1.234,56 · EUR" in text
    assert "<code>&quot;28.499,00&quot;</code> → <b>28,499.00 EUR net of VAT</b>" in text
    assert "<code>&quot;6-8·Wochen&quot;</code> → <b>6–8 weeks</b>" in text
    assert "Store 4 rows" in text
    assert not PriceObservation.objects.exists()
    assert not Part.objects.exists()


def test_a_commit_stores_the_rows_and_undo_takes_them_back(buyer: Client, organisation: Organisation) -> None:
    upload(buyer, sample(GERMAN))
    assert "The import is stored." in step(buyer, "commit").content.decode()
    found = PriceObservation.objects.filter(kind="offer")
    assert {row.organisation for row in found} == {organisation}
    assert found.get(part__mpn="NW-ACC-96-P").unit_price == Decimal("28499.00")
    assert batch().state == ImportState.DONE
    assert AuditEvent.objects.filter(action="commit_import", organisation=organisation).exists()
    assert "4 rows accepted" in page(buyer)
    assert "The import is undone." in step(buyer, "undo").content.decode()
    assert not PriceObservation.objects.exists()
    assert not Part.objects.exists()


def test_a_second_click_on_commit_stores_nothing_twice(buyer: Client) -> None:
    upload(buyer, sample(GERMAN))
    step(buyer, "commit")
    before = PriceObservation.objects.count()
    assert "This import waits for nothing" in step(buyer, "commit").content.decode()
    assert PriceObservation.objects.count() == before
    assert batch().result["made_parts"]


def test_an_ambiguous_number_asks_with_two_worked_examples(buyer: Client) -> None:
    upload(buyer, sample(AMBIGUOUS))
    text = page(buyer)
    assert "One question" in text
    assert text.count('type="radio" name="number_style"') == 2
    assert "<code>1.299 €</code> → <b>1,299</b>" in text
    assert "<code>1.299 €</code> → <b>1.299</b>" in text
    assert "Store" not in text
    refused = step(buyer, "commit").content.decode()
    assert "Answer first: number_style" in refused
    assert not PriceObservation.objects.exists()
    step(buyer, "answer", number_style="de")
    assert "One question" not in page(buyer)
    step(buyer, "commit")
    assert PriceObservation.objects.exists()


def test_columns_are_mapped_by_hand_where_the_file_has_no_header(buyer: Client) -> None:
    upload(buyer, b"AB-1234;Karte;1.000,50 EUR\nAB-1235;Kabel;9,90 EUR\n")
    assert "The file has no header." in page(buyer)
    step(buyer, "answer", column=["mpn", "description", "price"])
    assert "Store 2 rows" in page(buyer)
    step(buyer, "commit")
    assert PriceObservation.objects.get(part__mpn="AB-1234").unit_price == Decimal("1000.50")


def test_the_supplier_is_asked_for_where_nobody_named_one(buyer: Client) -> None:
    upload(buyer, sample(GERMAN), supplier="")
    assert "Who sent this file?" in page(buyer)
    step(buyer, "commit")
    assert not PriceObservation.objects.exists()
    step(buyer, "supplier", supplier="Nordhandel")
    step(buyer, "commit")
    assert Supplier.objects.get().name == "Nordhandel"


def test_a_saved_profile_reads_the_next_file(buyer: Client, organisation: Organisation) -> None:
    data = b"AB-1234;Karte;1.000,50 EUR\n"
    upload(buyer, data)
    step(buyer, "answer", column=["mpn", "description", "price"])
    assert "The profile “Rechenwerk” is saved." in step(buyer, "profile", name="Rechenwerk").content.decode()
    profile = SupplierProfile.objects.get(organisation=organisation)
    batch().delete()
    upload(buyer, b"AB-9999;Karte;2.000,50 EUR\n", supplier="", profile=profile.pk)
    text = page(buyer)
    assert "Store 1 row" in text
    assert "2,000.50 EUR" in text


def test_a_profile_for_other_columns_is_not_forced_on_a_file(buyer: Client) -> None:
    upload(buyer, b"AB-1234;Karte;1.000,50 EUR\n")
    step(buyer, "answer", column=["mpn", "description", "price"])
    step(buyer, "profile", name="Rechenwerk")
    batch().delete()
    upload(buyer, sample(GERMAN), supplier="", profile=SupplierProfile.objects.get().pk)
    assert "The columns are not those of the saved profile." in page(buyer)
    assert "28,499.00 EUR" in page(buyer)


def test_a_decision_on_a_match_is_kept_for_the_supplier(buyer: Client, organisation: Organisation) -> None:
    pcie = two_cards()
    make_part(slug="h100-pcie", accelerator=pcie)
    upload(buyer, (LIST + "HND-H100;NVIDIA H100 80GB;29.000,00 EUR;8 Wochen\n").encode())
    text = page(buyer)
    assert 'name="match:2"' in text
    assert "a part of its own" in text
    assert "1 decision is kept." in step(buyer, "match", **{"match:2": "maker-h100-pcie"}).content.decode()
    alias = PartAlias.objects.get()
    assert (alias.organisation, alias.part, alias.text) == (
        organisation,
        Part.objects.get(slug="h100-pcie"),
        "HND-H100",
    )
    assert "decided earlier" in page(buyer)
    step(buyer, "commit")
    assert PriceObservation.objects.get().part.slug == "h100-pcie"


def test_a_line_that_is_no_part_of_ours_is_left_out(buyer: Client) -> None:
    two_cards()
    upload(buyer, (LIST + "HND-H100;NVIDIA H100 80GB;29.000,00 EUR;8 Wochen\n").encode())
    step(buyer, "match", **{"match:2": "-"})
    assert PartAlias.objects.get().is_no_part
    assert "Decided earlier: this line is none of our parts." in page(buyer)


def test_a_large_file_is_left_to_the_worker(
    buyer: Client, django_capture_on_commit_callbacks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.apply_import, "delay", sent.append)
    with django_capture_on_commit_callbacks(execute=True):
        upload(buyer, large_list())
    assert sent == [batch().pk]
    assert "Waiting for a free worker." in page(buyer)
    tasks.apply_import(batch().pk)
    assert "Store 9,000 rows" in page(buyer)
    assert "The first 500 of 9,000." in page(buyer)
    assert "Page 1 of 10" in page(buyer)
    with django_capture_on_commit_callbacks(execute=True):
        step(buyer, "commit")
    assert "Prices and lead times stored, all or none" in page(buyer)
    assert not PriceObservation.objects.exists()
    tasks.apply_import(batch().pk)
    tasks.apply_import(batch().pk)  # delivered twice
    assert batch().state == ImportState.DONE
    assert PriceObservation.objects.count() == 9_000
    assert len(batch().result["made_parts"]) == 9_000


def test_an_import_whose_worker_was_lost_is_sent_again(buyer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[int] = []
    monkeypatch.setattr(tasks.apply_import, "delay", sent.append)
    upload(buyer, large_list())
    late = timezone.now() - timedelta(seconds=1)
    ImportBatch.objects.update(state=ImportState.RUNNING, lease_expires_at=late)
    tasks.sweep_imports()
    assert sent == [batch().pk]
    tasks.sweep_imports()
    assert sent == [batch().pk]
    import_execute.execute_import(batch().pk)
    assert "Store 9,000 rows" in page(buyer)


def test_a_faulty_large_file_fails_with_its_reason(buyer: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks.apply_import, "delay", lambda key: None)
    upload(buyer, large_list() + b"\x00")
    tasks.apply_import(batch().pk)
    assert batch().state == ImportState.FAILED
    assert "The file holds a null byte at position" in page(buyer)


def test_hostile_files_are_refused_with_the_reason_and_not_kept(buyer: Client) -> None:
    bomb = BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("xl/workbook.xml", "<workbook/>")
        archive.writestr("xl/worksheets/sheet1.xml", b"0" * 20_000_000)
    for name, data, reason in (
        ("bomb.xlsx", bomb.getvalue(), "unpacks to far more"),
        ("null.csv", b"a;b\x00;c\n1;2;3\n", "null byte"),
        ("old.xls", b"\xd0\xcf\x11\xe0" + b"0" * 100, "old Excel file"),
        ("scan.pdf", b"%PDF-1.7 ...", "This is a PDF file"),
        ("empty.csv", b" \n", "The file is empty."),
    ):
        response = upload(buyer, data, name=name)
        assert response.status_code == 422, name
        assert reason in response.content.decode(), name
    assert not ImportBatch.objects.exists()
    assert not StoredFile.objects.exists()


@pytest.mark.parametrize(
    ("role", "status"),
    [
        (Role.VIEWER, 403),
        (Role.PLANNER, 403),
        (Role.APPROVER, 403),
        (Role.BUYER, 200),
        (Role.CATALOGUE_EDITOR, 200),
        (Role.ADMINISTRATOR, 200),
    ],
)
def test_only_those_who_may_edit_prices_import(
    client: Client, organisation: Organisation, role: str, status: int
) -> None:
    assert signed_in(client, organisation, role).get(reverse("catalog:imports")).status_code == status


def test_a_visitor_is_asked_to_sign_in(client: Client) -> None:
    assert client.get(reverse("catalog:imports")).status_code == 302


def test_another_organisation_sees_nothing_of_an_import(buyer: Client) -> None:
    upload(buyer, sample(GERMAN))
    other = signed_in(Client(), make_organisation("Other"), Role.BUYER)
    for name in ("", "_progress"):
        url = reverse(f"catalog:import{name}", args=[batch().public_id])
        assert other.get(url).status_code == 404
    for name in ("answer", "supplier", "match", "profile", "commit", "undo", "discard", "reopen"):
        assert other.post(reverse(f"catalog:import_{name}", args=[batch().public_id])).status_code == 404
    assert "preise" not in other.get(reverse("catalog:imports")).content.decode()
    assert batch().state == ImportState.QUEUED


def test_a_discarded_import_stores_nothing(buyer: Client) -> None:
    upload(buyer, sample(GERMAN))
    assert "Nothing was stored." in step(buyer, "discard").content.decode()
    assert "This import waits for nothing" in step(buyer, "commit").content.decode()
    assert not PriceObservation.objects.exists()


def test_pages_need_few_queries_whatever_the_size(
    buyer: Client, monkeypatch: pytest.MonkeyPatch, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    monkeypatch.setattr(tasks.apply_import, "delay", lambda key: None)
    upload(buyer, sample(GERMAN))
    url = reverse("catalog:import", args=[batch().public_id])
    with CaptureQueriesContext(connection) as small:
        buyer.get(url)
    most = len(small)
    batch().delete()
    upload(buyer, large_list())
    tasks.apply_import(batch().pk)
    url = reverse("catalog:import", args=[batch().public_id])
    with django_assert_max_num_queries(most):
        buyer.get(url)
    with django_assert_max_num_queries(10):
        buyer.get(reverse("catalog:imports"))


def test_the_page_speaks_german(buyer: Client) -> None:
    upload(buyer, sample(AMBIGUOUS))
    url = reverse("catalog:import", args=[batch().public_id])
    text = buyer.get(url, headers={"accept-language": "de"}).content.decode()
    assert "So haben wir die Datei gelesen" in text
    assert "Eine Frage" in text
    assert "Lesart bestätigen" in text


def test_reasons_write_days_and_amounts_as_the_reader_does(buyer: Client) -> None:
    upload(buyer, sample("08_duplicate_mpn.csv"))
    url = reverse("catalog:import", args=[batch().public_id])
    text = buyer.get(url, {"show": "new"}, headers={"accept-language": "de"}).content.decode()
    assert "31.10.2026" in text
    assert "28.499,00" in text
    assert "2026-10-31;" not in text


def test_rows_come_in_pages_and_what_is_held_as_a_file(buyer: Client) -> None:
    lines = "".join(f"H-{number};auf Anfrage;EUR\n" for number in range(1, 121))
    upload(buyer, f"MPN;Preis;Curr\nA-1;1,50;EUR\n{lines}".encode())
    address = reverse("catalog:import", args=[batch().public_id])
    last = buyer.get(f"{address}?show=held&page=3").content.decode()
    assert "H-120" in last
    assert "H-100<" not in last
    assert "Page 3 of 3" in last
    file = buyer.get(reverse("catalog:import_errors", args=[batch().public_id])).content.decode("utf-8-sig")
    assert len(file.splitlines()) == 121
    assert "row_unknown_price" in file
