"""Every code that the screening can say has words in English and German, and no word promises too much."""

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from quotes.compliance.lists import load_lists
from quotes.messages_screening import APPLICABILITY_WORDS, FAULT_WORDS, WORDS

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [path.read_text(encoding="utf-8") for path in (ROOT / "quotes" / "compliance").glob("*.py")]
GERMAN_FILE = ROOT / "config" / "locale" / "de" / "parts" / "compliance.po"
RULE_IDS = sorted(
    {rule for text in SOURCES for rule in re.findall(r'"((?:TAA|SRC|S889|S5949|S1260H|EXP|Q)-\d{3})"', text)}
)
APP_IDS = sorted({rule for text in SOURCES for rule in re.findall(r'"((?:[A-Z0-9]+-)?APP-\d{2})"', text)})
PLACEHOLDER = re.compile(r"%\((\w+)\)s")


@pytest.mark.parametrize("rule_id", RULE_IDS)
def test_every_rule_has_a_reason(rule_id: str) -> None:
    assert any(code.split(".")[0] == rule_id for code in WORDS)


@pytest.mark.parametrize("test_id", APP_IDS)
def test_every_applicability_test_has_a_reason(test_id: str) -> None:
    assert test_id in APPLICABILITY_WORDS


def test_every_fault_has_words() -> None:
    used = {code for text in SOURCES for code in re.findall(r'"(screen_\w+)"', text)}
    assert used - {"screen_line", "screen_quote"} <= set(FAULT_WORDS)


def test_every_rule_has_a_citation() -> None:
    lists = load_lists()
    day = next(iter(lists.versions.values())).published_on
    assert day is not None
    assert [rule for rule in RULE_IDS if not rule.startswith("Q-") and not lists.citation(rule, day)] == []


def test_german_is_complete_and_keeps_the_placeholders() -> None:
    with GERMAN_FILE.open("rb") as file:
        german = {entry.id: entry.string for entry in read_po(file) if entry.id}
    for code, text in WORDS.items():
        english = str(text)
        assert german.get(english), code
        assert set(PLACEHOLDER.findall(english)) == set(PLACEHOLDER.findall(str(german[english]))), code


def test_no_word_claims_compliance() -> None:
    for text in WORDS.values():
        assert "complian" not in str(text).lower()
