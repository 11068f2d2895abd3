"""Terms in running text: which are marked, once each, in the words and endings of both languages."""

from django.template import Context, Template
from django.test import RequestFactory

from config.help.glossary import terms_by_key
from config.help.marking import MARKED, pieces


def marked(text: str, language: str = "en", taken: set[str] | None = None) -> list[tuple[str, str]]:
    found = pieces(text, language, taken=set() if taken is None else taken)
    return [(piece.text, piece.term.key) for piece in found if piece.term is not None]


def test_names_and_abbreviations_are_found_once_and_the_text_stays_whole() -> None:
    text = "The KV cache grows with requests in flight; the KV cache and TTFT follow (TPOT too)."
    assert marked(text) == [
        ("KV cache", "kv_cache"), ("requests in flight", "concurrent_requests"), ("TTFT", "ttft"), ("TPOT", "tpot"),
    ]  # fmt: skip
    assert "".join(piece.text for piece in pieces(text, "en", taken=set())) == text
    assert marked("KV cache", taken={"kv_cache"}) == []


def test_german_endings_belong_to_the_word_and_parts_of_words_do_not() -> None:
    assert marked("Die Auslastung des KV-Caches und der Repliken", "de") == [
        ("Auslastung", "utilisation"), ("KV-Caches", "kv_cache"), ("Repliken", "replica"),
    ]  # fmt: skip
    assert marked("Speicherbandbreitentest, decoder, prefilled", "de") == []


def test_every_marked_term_is_in_the_glossary() -> None:
    assert set(MARKED) <= terms_by_key().keys()


def test_the_tag_escapes_its_text_and_explains_a_term_once_on_a_page() -> None:
    page = Template("{% load terms %}{% with_terms text %}|{% with_terms text %}|{% with_terms text 'why' %}")
    shown = page.render(Context({"text": "<b>PUE</b>", "request": RequestFactory().get("/")}))
    first, second, third = shown.split("|")
    assert first.startswith("&lt;b&gt;<span class=")
    assert 'id="in-pue"' in first
    assert second == "&lt;b&gt;PUE&lt;/b&gt;"
    assert 'id="why-pue"' in third
