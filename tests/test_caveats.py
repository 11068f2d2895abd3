"""Each caveat stands beside the figure that it limits: on pages and in documents, in both languages."""

import json as decoder
import re
from io import BytesIO

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape
from openpyxl import load_workbook

from quotes.exports.json import json
from quotes.exports.xlsx import xlsx
from sizing.caveats import CAVEATS
from tests.quotes.test_documents import pdf_text
from tests.quotes.test_golden import reviewed
from tests.sizing.test_views import done_run, text_of

CARDS, MEMORY, HEAD = 'class="kv-opts', 'id="chart-memory"', 'class="kv-panel kv-pad kv-figures"'
FIGURES, SCREENING = 'id="figures"', 'id="screening"'
# Code -> the figure that it limits, by its place in the page
PLACES = {
    "result": {
        "classes": CARDS, "conditions": CARDS, "test": CARDS, "weights": MEMORY, "memory": MEMORY, "precision": MEMORY,
    },
    "option": {
        "rates": FIGURES, "weights": FIGURES, "memory": FIGURES, "precision": FIGURES, "screening": SCREENING,
        "conditions": HEAD, "test": HEAD,
    },
}  # fmt: skip
TERM = re.compile(r'<span class="kv-term"><a [^>]*>([^<]*)</a><span role="tooltip"[^>]*>[^<]*</span></span>')
NEXT_PART = re.compile(r"<h2[^>]*kv-gap-bottom")
DOCUMENT_CODES = ("rates", "conditions", "classes", "test", "weights", "memory", "precision")


def words(code: str, language: str) -> str:
    with translation.override(language):
        return str(CAVEATS[code])


def test_every_caveat_has_its_place() -> None:
    assert {code for places in PLACES.values() for code in places} == set(CAVEATS)


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", ["result", "option"])
def test_a_caveat_follows_the_figure_that_it_limits(client: Client, name: str, language: str) -> None:
    address = done_run().get_absolute_url() + ("options/1/" if name == "option" else "")
    page = TERM.sub(r"\1", text_of(client.get(address, headers={"accept-language": language})))
    for code, place in PLACES[name].items():
        after = page[page.index(place) :]
        sentence = escape(words(code, language))
        assert sentence in after, (code, place)
        assert not NEXT_PART.search(after[: after.index(sentence)]), (code, place)


@pytest.mark.django_db
@pytest.mark.parametrize(("language", "word"), [("en", "KV cache"), ("de", "KV-Cache")])
def test_words_of_a_caveat_are_explained_where_they_stand(client: Client, language: str, word: str) -> None:
    page = text_of(client.get(f"{done_run().get_absolute_url()}options/1/", headers={"accept-language": language}))
    assert f'aria-describedby="caveat-kv_cache">{word}</a>' in page
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de"])
def test_documents_carry_the_caveats_of_the_sizing(language: str) -> None:
    document = reviewed(language)
    printed = " ".join(pdf_text(document).replace("\u00a0", " ").split())
    sheet = load_workbook(BytesIO(xlsx(document)))["Sizing"]
    cells = {str(row[0].value) for row in sheet.iter_rows()}
    exported = {entry["code"]: entry["text"] for entry in decoder.loads(json(document))["caveats"]}
    for code in DOCUMENT_CODES:
        text = words(code, language)
        assert text.replace("\u00a0", " ") in printed, code
        assert text in cells, code
        assert exported[code] == text
