"""The terms of the product in both languages, with what they mean."""

import csv
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).resolve().parent / "data" / "glossary.csv"


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """One term. `folded` is all of its text, prepared for searching."""

    key: str
    names: dict[str, str]
    definitions: dict[str, str]
    article: str
    folded: str

    def name(self, language: str) -> str:
        return self.names.get(language) or self.names["en"]

    def definition(self, language: str) -> str:
        return self.definitions.get(language) or self.definitions["en"]

    def other_name(self, language: str) -> str:
        """The term in the other language; "" where both are one word."""
        other = self.names["en" if language == "de" else "de"]
        return "" if other == self.name(language) else other


@lru_cache(maxsize=1)
def terms() -> tuple[Term, ...]:
    """Every term, in the order of the file."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return tuple(_term(row) for row in csv.DictReader(file))


@lru_cache(maxsize=1)
def terms_by_key() -> dict[str, Term]:
    return {term.key: term for term in terms()}


def sorted_terms(language: str) -> list[Term]:
    """Every term in the alphabet of a language."""
    return sorted(terms(), key=lambda term: fold(term.name(language)))


def find_terms(query: str, language: str) -> list[Term]:
    """Terms that hold every word of the query; names that begin with it first, definitions last."""
    words = fold(query).split()
    if not words:
        return []
    found = [term for term in sorted_terms(language) if all(word in term.folded for word in words)]
    return sorted(found, key=lambda term: _distance(term, words))


def fold(text: str) -> str:
    """Lower case without accents and signs: "Überbuchung" is found by "uberbuchung" and "ueberbuchung" not."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


def _distance(term: Term, words: Sequence[str]) -> int:
    names = [fold(name) for name in term.names.values()] + [term.key.replace("_", " ")]
    query = " ".join(words)
    if query in names:
        return 0
    if any(name.startswith(query) for name in names):
        return 1
    return 2 if any(all(word in name for word in words) for name in names) else 3


def _term(row: dict[str, str]) -> Term:
    names = {"en": row["en"], "de": row["de"]}
    definitions = {"en": row["definition_en"], "de": row["definition_de"]}
    text = " ".join((row["key"].replace("_", " "), *names.values(), row["de_plural"], *definitions.values()))
    return Term(key=row["key"], names=names, definitions=definitions, article=row["article"], folded=fold(text))
