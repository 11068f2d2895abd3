"""Every page, signed in: one heading, a title of its own, a way back, and in German nothing left in English."""

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import resolve
from lxml.html import document_fromstring
from pytest_django import DjangoDbBlocker

from sizing.choices import Kind
from tests.sizing.test_german import fragments, translated
from tests.world import World, build_world, example_addresses

pytestmark = pytest.mark.django_db

# What stays as it is written: code, part numbers, what people typed, texts marked as English such as sources.
LEFT_ALONE = (
    "//script | //style | //pre | //code | //datalist | //textarea | //kbd | //option | //*[@lang='en'] | "
    "//*[contains(@class, 'kv-mono')] | //*[contains(@class, 'kv-formula')] | //*[contains(@class, 'kv-symbols')]/dt"
)
# A value of the program in place of its word: small letters joined by an underscore.
CODE_NAME = re.compile(r"(?<![\w./-])[a-z]+_[a-z_]+(?![\w./(-])")
NAMES_OF_SETTINGS = {"time_s", "input_tokens", "kv_cache_free_gpu_memory_fraction", "lm_eval", "perf_analyzer"}
ENGLISH_NUMBER = re.compile(
    r"(?<![\w.,-])\d{1,3},\d{3}(?:,\d{3})*(?:\.\d+)?(?![\d,])(?= (?:€|EUR|USD|Token|W\b|kW|GB))"
)
ISO_DATE = re.compile(r"(?<![\w-])20\d\d-\d\d-\d\d(?![\w-])")
# Words of the program that German pages never need. Sources and names of products are English and stay so.
ENGLISH = re.compile(
    r"(?<![\w-])(unknown|none yet|price open|published|queued|running|failed|cancelled|draft|not judged|show all|"
    r"sign in|sign out|tokens per|create \w+|update \w+|delete \w+|Yes|No|None|True|False)(?![\w-])"
)
# Pages of figures whose notes and citations stand in the words of their sources.
IN_WORDS_OF_SOURCES = ("catalog", "help:method", "quotes:screening_lists")
LIST_VERSION = re.compile(r"\b(CSL|SAM) 20\d\d-\d\d-\d\d [0-9a-f]{8}\b")  # the name of a loaded list
OWN_TEXTS = ("Chat assistant for 200 users", "Listed for the buyer.", "Later")  # what people of this world typed


@pytest.fixture(scope="module")
def world(shipped: object, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with django_db_blocker.unblock():
        yield build_world()


@pytest.fixture(scope="module")
def pages(world: World, django_db_blocker: DjangoDbBlocker) -> dict[str, dict[str, str]]:
    """Language -> name -> the page, of those addresses that answer with one."""
    found: dict[str, dict[str, str]] = {"en": {}, "de": {}}
    with django_db_blocker.unblock():
        client = world.client()
        for language, texts in found.items():
            for name, address in world.pages.items():
                answer = client.get(address, headers={"accept-language": language})
                if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
                    text = answer.content.decode()
                    if "<html" in text:
                        texts[name] = text
    return found


def shown(page: str) -> str:
    """The words of a page outside of what stays as it is written."""
    main = document_fromstring(page).xpath("//main")[0]
    for element in main.xpath(LEFT_ALONE.replace("//", ".//")):
        element.drop_tree()
    text = LIST_VERSION.sub(r"\1", " ".join(" ".join(main.itertext()).split()))
    for typed in OWN_TEXTS:
        text = text.replace(typed, "")
    return text


def _own_words(pages: dict[str, dict[str, str]]) -> Iterator[tuple[str, str]]:
    yield from ((name, page) for name, page in pages["de"].items() if not name.startswith(IN_WORDS_OF_SOURCES))


def test_no_page_is_missing_from_the_walk(world: World) -> None:
    """Every route that answers a reader is walked: a new page without its rows in the world fails here."""
    walked = {resolve(urlsplit(address).path).view_name for address in world.pages.values()}
    client = world.client()
    missing = {name: address for name, address in example_addresses() if name not in walked}
    assert [name for name, address in missing.items() if client.get(address).status_code != 405] == []


def test_the_walk_reaches_every_part(pages: dict[str, dict[str, str]]) -> None:
    assert len(pages["en"]) >= 80
    assert pages["en"].keys() == pages["de"].keys()
    assert {f"kind {kind}" for kind in Kind.values if kind != Kind.LLM_SERVING} <= pages["en"].keys()


def test_every_page_has_one_heading_a_title_and_a_way_back(pages: dict[str, dict[str, str]]) -> None:
    wrong: dict[str, object] = {}
    for name, page in pages["en"].items():
        title = re.search(r"<title>(.*?) · Kvote</title>", page, re.DOTALL)
        back = re.search(r'<a[^>]+href="/"|class="kv-crumb">\s*<a', page)
        if page.count("<h1") != 1 or title is None or not title[1].strip() or back is None:
            wrong[name] = (page.count("<h1"), title and title[1], bool(back))
    assert wrong == {}


def test_no_sentence_with_a_translation_is_left_in_english(pages: dict[str, dict[str, str]]) -> None:
    pieces = [(english, piece) for english in translated() for piece in fragments(english)]
    left = {}
    for name, page in _own_words(pages):
        text = shown(page)
        if found := [english for english, piece in pieces if piece in text]:
            left[name] = found[:5]
    assert left == {}, "\n".join(f"{name}: {found}" for name, found in left.items())


def test_german_pages_show_no_codes_and_no_english_numbers_or_days(pages: dict[str, dict[str, str]]) -> None:
    left = {}
    for name, page in _own_words(pages):
        text = shown(page)
        found = [match[0] for rule in (CODE_NAME, ENGLISH_NUMBER, ISO_DATE) for match in rule.finditer(text)]
        if found := set(found) - NAMES_OF_SETTINGS:
            left[name] = sorted(found)[:8]
    assert left == {}, "\n".join(f"{name}: {found}" for name, found in left.items())


def test_german_pages_hold_no_english_words(pages: dict[str, dict[str, str]]) -> None:
    left = {}
    for name, page in _own_words(pages):
        text = shown(page)
        if found := [text[max(0, m.start() - 30) : m.end() + 30] for m in ENGLISH.finditer(text)]:
            left[name] = found[:4]
    assert left == {}, "\n".join(f"{name}: {found}" for name, found in left.items())


@pytest.mark.parametrize("address", ["/nowhere", "/quotes/00000000-0000-0000-0000-000000000000/"])
def test_an_error_page_says_what_to_do_next(client: Client, world: World, address: str) -> None:
    page = world.client().get(address).content.decode()
    assert page.count("<h1") == 1
    assert 'href="/"' in page[page.index("<main") :]
