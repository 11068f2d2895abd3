"""Help: every term in both languages, a search that finds, the register in full, sources with dates."""

import csv

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.html import escape
from pytest_django import DjangoAssertNumQueries

from catalog.seed.report import SeedReport
from config.help import glossary, markdown
from quotes.compliance.lists import load_lists
from sizing.core.explain import REGISTER
from sizing.formulas import FORMULAS

PAGES = ("start", "glossary", "method", "sources", "guide")


def text_of(client: Client, name: str, language: str = "en", **query: str) -> str:
    response = client.get(reverse(f"help:{name}"), query, headers={"accept-language": language})
    assert response.status_code == 200
    return response.content.decode()


def test_the_glossary_has_every_term_in_both_languages() -> None:
    with glossary.FILE.open(encoding="utf-8", newline="") as file:
        keys = [row["key"] for row in csv.DictReader(file)]
    assert len(keys) == len(set(keys)) == 195
    assert [term.key for term in glossary.terms()] == keys
    for term in glossary.terms():
        assert all(term.names.values()), term.key
        assert all(term.definitions.values()), term.key


@pytest.mark.parametrize(
    ("query", "language", "first"),
    [
        ("weights", "en", "weights"),
        ("gewichte", "de", "weights"),
        ("Weights", "de", "weights"),
        ("mixture of experts", "en", "mixture_of_experts"),
        ("aktive parameter", "de", "active_parameters"),
        ("prafix", "de", "shared_prefix"),
    ],
)
def test_a_term_is_found_in_either_language(query: str, language: str, first: str) -> None:
    assert first in [term.key for term in glossary.find_terms(query, language)][:2]


def test_a_term_that_is_named_stands_before_one_that_mentions_it() -> None:
    found = [term.key for term in glossary.find_terms("model", "en")]
    assert found[0] == "model"
    assert len(found) > 5


@pytest.mark.django_db
def test_search_finds_terms_and_formulas_and_says_where_it_finds_none(client: Client) -> None:
    found = text_of(client, "start", q="saturation")
    assert reverse("help:method") + "#saturation" in found
    assert "No term and no formula holds all of these words." in text_of(client, "start", q="zzz qqq")
    part = client.get(reverse("help:start"), {"q": "weights"}, headers={"HX-Target": "hits"}).content.decode()
    assert part.lstrip().startswith("<div")
    assert "<html" not in part


@pytest.mark.django_db
def test_the_method_page_prints_the_whole_register(client: Client) -> None:
    page = text_of(client, "method")
    for name, entry in REGISTER.items():
        assert f'id="{name}"' in page
        assert escape(entry.text) in page
        assert escape(entry.source) in page
    for formula in FORMULAS.values():
        assert escape(formula.text) in page
    assert "What is weak" in page
    assert "<!--" not in page.split("<main", 1)[1].split("</main", 1)[0]


@pytest.mark.django_db
def test_a_german_reader_gets_german_terms_and_formulas_in_words(client: Client) -> None:
    page = text_of(client, "glossary", "de")
    assert "Das Ausführen eines fertig trainierten Modells" in page
    assert "195 Begriffe" in page
    with translation.override("de"):
        sentence = str(FORMULAS["tpot_closed_form"].sentence)
    assert sentence.startswith("Der mittlere Schritt")
    assert escape(sentence) in text_of(client, "method", "de")


@pytest.mark.django_db
def test_sources_name_rows_and_dates(client: Client, seeded: SeedReport) -> None:
    page = text_of(client, "sources")
    assert "Accelerators" in page
    for version in load_lists().versions.values():
        assert version.version in page
    assert "1,297 published points" in page


@pytest.mark.django_db
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_for_everybody_and_need_few_queries(
    client: Client, name: str, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_max_num_queries(16):
        page = text_of(client, name, "de")
    assert page.count("<h1") == 1
    assert 'aria-current="page"' in page


def test_markdown_keeps_text_as_text() -> None:
    found = markdown.blocks(
        "# One\n\nA `code` and **strong** <b>x</b>\n\n- first\n- second\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    )
    assert [block.kind for block in found] == ["heading", "text", "list", "table"]
    assert [span.kind for span in found[1].lines[0]] == ["text", "code", "text", "strong", "text"]
    assert found[1].lines[0][-1].text == " <b>x</b>"
    assert [len(row) for row in found[3].rows] == [2, 2]
