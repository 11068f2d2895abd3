"""German documents and pages hold no English word of ours and no English number."""

import re
from datetime import date
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from quotes.document import build_document
from quotes.offline import content_from_option
from tests.quotes import samples
from tests.quotes.test_documents import pdf_text

CATALOGUE = Path(__file__).resolve().parents[2] / "config/locale/de/parts/quotes.po"
# English words that are the German ones too, or names that stay.
SAME = {"hardware", "section", "text", "schedule", "open", "market", "trade", "agreements", "act"}
LONGEST_WORD_NOT_JUDGED = 4


@pytest.fixture(scope="module")
def german_text() -> str:
    bom = samples.bom("EUR")
    for line in bom:
        line["description"] = f"Bauteil {line['line']}"
        line["manufacturer"] = "Norvane"
        line.pop("section_title", None)
    given = {**samples.option("EUR"), "bom": bom, "request": samples.request("commercial", "EUR")}
    given["request"]["name"] = "Dienst"
    made = content_from_option(given, language="de", today=date(2026, 11, 30))
    return pdf_text(build_document(made))


def english_words() -> set[str]:
    """Words of our English texts that no German translation of ours has."""
    english: set[str] = set()
    german: set[str] = set()
    with CATALOGUE.open("rb") as file:
        for message in read_po(file, locale="de"):
            ids = message.id if isinstance(message.id, tuple) else (message.id,)
            texts = message.string if isinstance(message.string, tuple) else (message.string,)
            for sentence in ids:
                english |= set(re.findall(r"[a-z]+", re.sub(r"%\(\w+\)s", " ", sentence).lower()))
            for sentence in texts:
                german |= set(re.findall(r"[a-zäöüß]+", re.sub(r"%\(\w+\)s", " ", sentence).lower()))
    return {word for word in english - german - SAME if len(word) > LONGEST_WORD_NOT_JUDGED}


def test_a_german_document_holds_no_english_word_of_ours(german_text: str) -> None:
    words = set(re.findall(r"[a-zäöüß]+", german_text.lower()))
    assert sorted(words & english_words()) == []


def test_a_german_document_holds_no_english_number(german_text: str) -> None:
    assert re.findall(r"\b\d{1,3}(?:,\d{3})+\.\d\d\b", german_text) == []
    assert re.findall(r"\d+\.\d\d(?=\s?€)", german_text) == []
    assert re.findall(r"\b\d{4}-\d\d-\d\d\b", german_text) == []
    assert "145.827,36 €" in german_text


def test_every_text_of_ours_has_its_german() -> None:
    with CATALOGUE.open("rb") as file:
        missing = [message.id for message in read_po(file, locale="de") if message.id and not message.string]
    assert missing == []
