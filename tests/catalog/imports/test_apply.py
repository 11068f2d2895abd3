"""Writing imports: one transaction, nothing stored twice, and undo leaves the data as it was."""

import json
from decimal import Decimal
from typing import Any

import pytest
from django.core.management import call_command
from django.db import models

from catalog.choices import PriceKind, StockState
from catalog.errors import CatalogError
from catalog.imports import apply
from catalog.imports.apply import commit_import, undo_import
from catalog.imports.check import Understanding
from catalog.imports.plan import make_plan
from catalog.models import ImportBatch, LeadTimeObservation, OriginClaim, Part, PartAlias, PriceObservation, Supplier
from tests.catalog.imports.build import DATA, TODAY, read, sample
from tests.catalog.rows import make_organisation, make_part, make_supplier

pytestmark = pytest.mark.django_db

TABLES: tuple[type[models.Model], ...] = (Part, Supplier, PriceObservation, LeadTimeObservation, PartAlias)
GERMAN = "01_german_semicolon_decimal_comma.csv"


def commit(found: Understanding, **options: Any) -> ImportBatch:
    values = {"organisation": None, "supplier": "Rechenwerk", "actor": None, "today": TODAY, **options}
    return commit_import(found, batch=ImportBatch(file_name="x.csv"), **values)


def imported() -> models.QuerySet[PriceObservation]:
    return PriceObservation.objects.exclude(import_batch=None)


def contents() -> dict[str, list[dict[str, Any]]]:
    return {table.__name__: list(table._default_manager.order_by("pk").values()) for table in TABLES}


def test_an_import_stores_parts_prices_and_lead_times_with_their_source() -> None:
    batch = commit(sample(GERMAN))
    price = PriceObservation.objects.get(part__mpn="NW-CHS-4U8-R2", kind=PriceKind.OFFER)
    assert (price.unit_price, price.currency, price.tax_basis) == (Decimal(12500), "EUR", "excl_vat")
    assert (price.import_batch, price.import_line, price.observed_on) == (batch, 3, TODAY)
    lead = LeadTimeObservation.objects.get(part__mpn="NW-ACC-96-P")
    assert (lead.state, lead.weeks_low, lead.weeks_high) == (StockState.LEAD_TIME, Decimal(6), Decimal(8))
    assert imported().filter(kind=PriceKind.LIST).count() == 4


def test_dry_run_equals_commit() -> None:
    planned, committed = sample(GERMAN), sample(GERMAN)
    before = contents()
    make_plan(planned, organisation=None, supplier="Rechenwerk", today=TODAY)
    assert contents() == before
    commit(committed)
    assert [(row.action, row.reason) for row in planned.rows] == [(row.action, row.reason) for row in committed.rows]


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        (GERMAN, {}),
        ("04_cp1252_ambiguous_thousands.csv", {"number_style": "de"}),
        ("06_swiss_apostrophe_duplicate_header.csv", {"price_column": "price_1"}),
        ("08_duplicate_mpn.csv", {}),
        ("10_tilde_record_feed.txt", {}),
        ("12_hierarchical_quote_lines.csv", {"currency": "USD"}),
    ],
)
def test_import_then_undo_leaves_the_data_equal(name: str, answers: dict[str, str]) -> None:
    make_part("known", mpn="NW-ACC-96-P", manufacturer="Nordwerk")
    commit(read(b"mpn;manufacturer;price;currency\nNW-ACC-96-P;Nordwerk;27.000,00;EUR\n"))
    before = contents()
    batch = commit(sample(name, **answers))
    assert contents() != before
    undo_import(batch, actor=None)
    assert contents() == before


def test_the_same_file_twice_changes_nothing() -> None:
    commit(sample(GERMAN))
    before = contents()
    again = sample(GERMAN)
    commit(again)
    assert {row.action.value for row in again.rows} == {"unchanged"}
    assert contents() == before


def test_a_changed_price_closes_the_older_one() -> None:
    commit(read(b"mpn;price;currency\nA-1;100,00;EUR\n"))
    found = read(b"mpn;price;currency\nA-1;110,00;EUR\n")
    commit(found)
    old, new = imported().order_by("pk")
    assert found.rows[0].action.value == "update"
    assert (old.superseded_by, old.unit_price, new.unit_price) == (new, Decimal(100), Decimal(110))


def test_another_suppliers_price_stays_beside_it() -> None:
    commit(read(b"mpn;price;currency\nA-1;100,00;EUR\n"))
    commit(read(b"mpn;price;currency\nA-1;110,00;EUR\n"), supplier="Andere")
    assert imported().filter(superseded_by=None).count() == 2
    assert Part.objects.filter(mpn="A-1").count() == 1


def test_a_number_is_matched_in_another_spelling_but_not_to_another_maker() -> None:
    part = make_part("known", mpn="NW-ACC-96-P", manufacturer="Nordwerk")
    found = read(
        b"mpn;manufacturer;price;currency\nnw acc 96p;NORDWERK GmbH;1,50;EUR\nNW-ACC-96-P;Kupfer AG;2,50;EUR\n"
    )
    commit(found)
    assert [row.part for row in found.rows] == [part.slug, ""]
    assert Part.objects.filter(mpn_normalised="NWACC96P").count() == 2


def test_a_decided_alias_is_kept_for_its_supplier() -> None:
    supplier, part = make_supplier(), make_part("known", mpn="NW-1", manufacturer="Nordwerk")
    PartAlias.objects.create(supplier=supplier, text="Karte X", text_normalised="karte x", part=part)
    PartAlias.objects.create(supplier=supplier, text="Regal", text_normalised="regal", is_no_part=True)
    found = read(b"mpn;price;currency\nKarte X;1,50;EUR\nRegal;2,50;EUR\n")
    commit(found)
    assert [(row.part, row.action.value) for row in found.rows] == [("known", "create"), ("", "skipped")]


def test_open_questions_stop_the_whole_import() -> None:
    before = contents()
    with pytest.raises(CatalogError, match="import_open_questions"):
        commit(sample("12_hierarchical_quote_lines.csv"))
    assert contents() == before


def test_a_file_without_a_supplier_is_refused() -> None:
    with pytest.raises(CatalogError, match="import_no_supplier"):
        commit(sample(GERMAN), supplier="")


def test_a_failure_on_the_way_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise RuntimeError("connection lost")

    before = contents()
    monkeypatch.setattr(apply, "_store_lead_times", fail)
    with pytest.raises(RuntimeError):
        commit(sample(GERMAN))
    assert contents() == before
    assert not ImportBatch.objects.exists()


def test_an_organisations_import_is_its_own() -> None:
    ours = make_organisation()
    commit(sample(GERMAN), organisation=ours)
    assert set(imported().values_list("organisation", flat=True)) == {ours.pk}
    assert set(Part.objects.filter(prices__in=imported()).values_list("organisation", flat=True)) == {ours.pk}


def test_undo_twice_is_refused() -> None:
    batch = undo_import(commit(sample(GERMAN)), actor=None)
    with pytest.raises(CatalogError, match="import_undone_already"):
        undo_import(batch, actor=None)


def test_undo_is_refused_where_a_later_import_builds_on_it() -> None:
    first = commit(read(b"mpn;price;currency\nA-1;100,00;EUR\n"))
    commit(read(b"mpn;price;currency\nA-1;110,00;EUR\n"))
    with pytest.raises(CatalogError, match="import_has_later") as refused:
        undo_import(first, actor=None)
    assert refused.value.message.params["files"] == ImportBatch.objects.latest("pk").file_name


def test_undo_is_refused_where_a_claim_stands_on_its_part_and_takes_decided_words_along() -> None:
    batch = commit(read(b"mpn;price;currency\nA-1;100,00;EUR\n"))
    part = Part.objects.get(mpn="A-1")
    PartAlias.objects.create(text="A one", text_normalised="a one", part=part)
    claim = OriginClaim.objects.create(part=part, text="Made in Mexico", stated_by="X")
    before = contents()

    with pytest.raises(CatalogError, match="import_not_undoable") as refused:
        undo_import(batch, actor=None)

    assert refused.value.message.params["detail"] == "origin claim"
    assert contents() == before
    claim.delete()
    undo_import(batch, actor=None)
    assert not Part.objects.filter(mpn="A-1").exists()
    assert not PartAlias.objects.exists()


def test_the_command_commits_and_answers_with_its_batch(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("import_prices", str(DATA / GERMAN), supplier="Rechenwerk", as_of="2026-11-30")
    body = json.loads(capsys.readouterr().out)
    assert (body["accepted"], body["rows"][0]["action"]) == (4, "create")
    assert ImportBatch.objects.get().public_id.hex == body["batch"].replace("-", "")


def test_the_command_refuses_open_questions_with_a_problem(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call_command("import_prices", str(DATA / "12_hierarchical_quote_lines.csv"), supplier="Rechenwerk")
    assert stopped.value.code == 2
    assert json.loads(capsys.readouterr().err)["errors"][0]["code"] == "import_open_questions"


@pytest.mark.parametrize(
    "answers", ["{", "[]", '{"numbr": "de"}', '{"number_style": "xx"}', '{"columns": ["nonsense"]}']
)
def test_the_command_names_bad_answers(answers: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call_command("import_prices", str(DATA / GERMAN), dry_run=True, answers=answers)
    assert stopped.value.code == 2
    assert json.loads(capsys.readouterr().err)["errors"][0]["pointer"] == "/answers"
