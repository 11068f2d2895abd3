"""Pages over the shipped catalogue: what they show, filter and sort, in how many queries."""

from datetime import date
from decimal import Decimal
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from catalog import export, tables, views
from catalog.models import Accelerator
from catalog.seed.report import SeedReport
from tests.catalog.rows import make_organisation, make_part, make_price

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fixed_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "today", lambda: date(2026, 11, 30))


def text_of(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200, response.content[:500]
    return response.content.decode()


@pytest.mark.parametrize("table", tables.TABLES, ids=lambda table: table.name)
def test_every_list_answers_with_rows_sources_and_a_count(
    seeded: SeedReport, client: Client, table: tables.Table
) -> None:
    page = text_of(client, table.url)
    assert f"of {table.rows(None).count():,}" in page
    assert page.count("<tr>") > 10
    assert "Source" in page


def test_a_filter_narrows_and_says_how_much(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:accelerators") + "?vendor=AMD&memory=200")
    assert "MI325X" in page
    assert "MI300X" not in page
    assert "clear filter" in page
    assert "(announced)" in page


def test_search_in_a_list_finds_a_slip_of_the_pen(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:servers") + "?q=PowerEgde+XE9680")
    assert "PowerEdge XE9680" in page


def test_sorting_is_a_link_and_tells_assistive_software(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:accelerators") + "?sort=-memory_gb")
    assert 'aria-sort="descending"' in page
    assert page.index("AI200") < page.index("MI455X") < page.index("MI325X")


@pytest.mark.parametrize("query", ["?sort=password", "?page=999", "?memory=abc", "?vendor=Nobody", "?q=%00"])
def test_odd_queries_are_answered_and_never_fail(seeded: SeedReport, client: Client, query: str) -> None:
    text_of(client, reverse("catalog:accelerators") + query)


def test_a_figure_stands_with_its_source_and_date(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:accelerator", args=["nvidia-h100-sxm5-80gb"]))
    assert "3,350" in page
    assert "1,978.9" in page
    assert page.count(Accelerator.objects.get(slug="nvidia-h100-sxm5-80gb").source_title) > 20
    assert "Usable memory, as drivers report it" in page
    assert "cross-checked: two sources agree on the main facts" in page


def test_an_unknown_figure_is_a_word_and_an_unknown_price_says_why(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:accelerator", args=["nvidia-vr200-nvl72"]))
    assert '<span class="kv-open">unknown</span>' in page
    assert "not published, or not confirmed" in page
    assert "price open" in page
    assert "No price is on file." in page
    assert "Announced only" in page


def test_prices_on_file_show_age_and_why_they_do_not_count(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:accelerator", args=["nvidia-b200-hgx-180gb"]))
    assert "press estimate" in page
    assert "days old" in page
    assert "Indicative only, never quoted" in page


def test_filings_that_disagree_stand_on_the_page_of_the_server(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:server", args=["dell-poweredge-xe9680"]))
    assert "a100-sxm4-80gb not in the catalogue" in page


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("processor", "amd-epyc-9755"),
        ("component", "nvidia-connectx-8-c8240"),
        ("part", "pny-nvh100tcgpu-kit"),
        ("software", "vllm"),
    ],
)
def test_every_kind_of_thing_has_a_page(seeded: SeedReport, client: Client, name: str, key: str) -> None:
    assert "Source" in text_of(client, reverse(f"catalog:{name}", args=[key]))


def test_a_model_shows_its_config(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:model", args=["01-ai/Yi-34B"]))
    assert "num_hidden_layers" in page
    assert "34.388917248" in page


def test_a_question_that_makes_no_sense_is_not_unknown(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:accelerator", args=["amd-mi300x"]))
    assert page.count("does not apply") == 3  # slots, power connector, MIG


def test_a_list_is_downloaded_as_it_is_filtered(seeded: SeedReport, client: Client) -> None:
    response = client.get(reverse("catalog:accelerators") + "?vendor=AMD&sort=-memory_gb&format=csv")
    lines = response.content.decode("utf-8-sig").splitlines()
    assert response["Content-Disposition"] == 'attachment; filename="kvote-accelerators-2026-11-30.csv"'
    assert lines[0].startswith("Name,Memory (GB),Bandwidth (GB/s)")
    assert len(lines) == 1 + Accelerator.objects.filter(vendor="AMD").count()
    assert "price open" in lines[1]
    card = next(line for line in lines if line.startswith("AMD Instinct MI300X"))
    assert ",192,5300," in card  # figures without separators, to reckon with
    assert "Net price (USD)" in lines[0]


def test_figures_of_a_file_are_whole() -> None:
    assert [export.plain(each) for each in (2000.0, 0.25, 1e-7, Decimal("9259.20"))] == [
        "2000", "0.25", "0.0000001", "9259.20",
    ]  # fmt: skip
    book = load_workbook(BytesIO(export.xlsx_bytes("x", ["A"], [[5300.0], ["=1+1"]])))
    assert [cell.value for cell in book.active["A"]] == ["A", 5300, "=1+1"]  # type: ignore[index]


def test_a_list_that_is_too_long_is_refused_with_the_way_out(
    seeded: SeedReport, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export, "MOST_ROWS", 10)
    response = client.get(reverse("catalog:accelerators") + "?format=csv")
    assert response.status_code == 422
    assert "Narrow the filter" in response.content.decode()


@pytest.mark.parametrize("cell", ["=1+1", "+49", "-5", "@cmd", "\tx", "\rx"])
def test_a_cell_that_begins_like_a_formula_is_harmless(cell: str) -> None:
    assert export.harmless(cell) == "'" + cell
    assert export.harmless("900-21010") == "900-21010"


def test_six_accelerators_side_by_side_and_differences_only(seeded: SeedReport, client: Client) -> None:
    slugs = ["nvidia-h100-sxm5-80gb", "nvidia-h200-sxm5-141gb", "amd-mi300x"]
    url = reverse("catalog:compare") + "?" + "&".join(f"slug={slug}" for slug in slugs)
    page = text_of(client, url)
    assert "Launch year" in page
    assert "ECC" in page
    assert ">ECC<" not in text_of(client, url + "&differences=1")


def test_an_unknown_accelerator_in_a_comparison_is_an_error(seeded: SeedReport, client: Client) -> None:
    assert client.get(reverse("catalog:compare") + "?slug=nvidia-h101").status_code == 404


def test_a_seventh_accelerator_is_named_as_left_out(seeded: SeedReport, client: Client) -> None:
    slugs = ["nvidia-l4", "nvidia-l40", "nvidia-l40s", "nvidia-t4", "nvidia-a2", "nvidia-a10", "nvidia-a16"]
    page = text_of(client, reverse("catalog:compare") + "?" + "&".join(f"slug={slug}" for slug in slugs))
    assert "Left out: nvidia-a16" in page


def test_search_over_everything(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:search") + "?q=MI300X")
    assert reverse("catalog:accelerator", args=["amd-mi300x"]) in page


def test_the_start_counts_tables_and_shows_what_is_stale(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:start"))
    assert "Catalogue version 1-" in page
    assert "How old it is" in page


def test_text_is_escaped(seeded: SeedReport, client: Client) -> None:
    page = text_of(client, reverse("catalog:search") + "?q=%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in page


def test_a_part_of_another_organisation_does_not_exist(client: Client) -> None:
    make_part("secret", mpn="SECRET-1", organisation=make_organisation())
    assert client.get(reverse("catalog:part", args=["secret"])).status_code == 404
    assert "SECRET-1" not in text_of(client, reverse("catalog:parts"))


def test_a_visitor_sees_no_price_of_an_organisation(client: Client) -> None:
    part = make_part("h100")
    make_price(part, organisation=make_organisation(), unit_price="12345.00")
    assert "12,345" not in text_of(client, reverse("catalog:part", args=["h100"]))


def test_a_list_takes_the_same_queries_for_one_row_and_for_fifty(client: Client) -> None:
    url = reverse("catalog:parts")
    make_price(make_part("part-0"))
    with CaptureQueriesContext(connection) as few:
        text_of(client, url)
    for number in range(1, 50):
        make_price(make_part(f"part-{number}"))
    with CaptureQueriesContext(connection) as many:
        text_of(client, url)
    assert len(many) == len(few) <= 12


def test_pages_of_the_catalogue_speak_german(seeded: SeedReport, client: Client) -> None:
    page = client.get(reverse("catalog:accelerators"), headers={"accept-language": "de"}).content.decode()
    assert "3.350" in page
    assert "Beschleuniger" in page
    assert "Preis offen" in page
