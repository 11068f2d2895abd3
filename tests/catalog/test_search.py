"""Search: numbers with and without separators, stems of two languages, slips of the pen, and who sees what."""

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalog.models import PartAlias
from catalog.part_numbers import normalise_mpn
from catalog.search import NAMES, search, search_by_kind
from catalog.seed.report import SeedReport
from tests.catalog.rows import make_organisation, make_part

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("H100 SXM5", "accelerator", "NVIDIA H100 SXM5 80GB"),
        ("mi300x", "accelerator", "AMD Instinct MI300X"),
        ("XE9680", "server", "Dell PowerEdge XE9680"),
        ("epyc 9755", "processor", "AMD EPYC 9755"),
        ("vllm", "software", "vLLM"),
        ("PowerEgde XE9680", "server", "Dell PowerEdge XE9680"),
    ],
)
def test_the_first_hit_is_what_was_meant(seeded: SeedReport, text: str, kind: str, name: str) -> None:
    hits = [hit for hit in search(text) if hit.kind == kind]
    assert hits[0].name.startswith(name.split(" OAM", maxsplit=1)[0])
    assert hits[0].url


@pytest.mark.parametrize("text", ["900-21010-0000-000", "9002101000 00000".replace(" ", ""), "900 21010 0000"])
def test_a_part_number_is_found_with_and_without_separators(seeded: SeedReport, text: str) -> None:
    assert any("900-21010-0000-000" in hit.name for hit in search(text))


def test_german_and_english_word_forms_find_the_description() -> None:
    make_part("kabel", mpn="K-1", description="Kabel für Netzteile, vergoldete Stecker")
    make_part("cable", mpn="C-1", description="Cables for power supplies")
    assert any("K-1" in hit.name for hit in search("Netzteil"))
    assert any("C-1" in hit.name for hit in search("supply"))


def test_parts_of_another_organisation_are_not_found() -> None:
    ours, theirs = make_organisation("Ours"), make_organisation("Theirs")
    make_part("secret", mpn="SECRET-4711", organisation=theirs)
    assert search("SECRET-4711") == []
    assert search("SECRET-4711", organisation=ours) == []
    assert len(search("SECRET-4711", organisation=theirs)) == 1


def test_a_suppliers_name_finds_the_part_for_those_who_decided_it() -> None:
    ours, theirs = make_organisation("Ours"), make_organisation("Theirs")
    PartAlias.objects.create(organisation=ours, text="S9X98C", text_normalised="s9x98c", part=make_part("card"))
    assert [hit.kind for hit in search("s9x98c", organisation=ours)] == ["part"]
    assert search("s9x98c", organisation=theirs) == search("s9x98c") == []


def test_the_findings_of_one_kind_stand_beside_the_counts_of_all(seeded: SeedReport, client: Client) -> None:
    every, parts = search_by_kind("h100"), search_by_kind("h100", kind="part")
    assert every.counts == parts.counts
    assert {hit.kind for hit in parts.hits} == {"part"}
    assert len(parts.hits) == every.counts["part"]
    page = client.get("/catalog/search/?q=h100&kind=server").content.decode()
    assert "kind=accelerator" in page
    assert "UCSC-GPU-H100-80" not in page


def test_empty_words_find_nothing() -> None:
    assert search("   ") == []


def test_one_query_ranks_and_one_reads_the_names_of_each_kind(
    seeded: SeedReport, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    kinds = len({hit.kind for hit in search("nvidia")})
    assert 1 < kinds <= len(NAMES) + 1
    with django_assert_num_queries(1 + kinds):
        search("nvidia")


def test_quotes_and_operators_are_only_text(seeded: SeedReport) -> None:
    assert isinstance(search("'); DROP TABLE catalog_part; -- & | ! <-> %_"), list)


def test_numbers_are_compared_without_case_and_separators_but_keep_zeros() -> None:
    assert normalise_mpn(" 900-2g153.0000/000 ") == "9002G1530000000"
    assert normalise_mpn("0012") != normalise_mpn("12")
