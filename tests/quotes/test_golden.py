"""Golden files: a changed document is looked at like changed code. KVOTE_GOLDEN=write makes them anew."""

import os
from pathlib import Path
from typing import Any

import pytest

from quotes.document import QuoteDocument, build_document
from quotes.exports.csv import csv
from quotes.exports.json import json
from tests.quotes.test_documents import frozen, pdf_text

FOLDER = Path(__file__).resolve().parents[1] / "golden"
MAKERS: dict[str, Any] = {
    "pdf.txt": lambda document: pdf_text(document).encode(),
    "csv": csv,
    "json": json,
}


# The lists behind the screening have tests and versions of their own.
UNSCREENED: dict[str, Any] = {"screened_at": None, "lists": [], "regimes": [], "findings": []}


def reviewed(language: str) -> QuoteDocument:
    content = {**frozen(language).content, "screening": UNSCREENED}
    return build_document(content, state="locked")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_the_document_is_the_one_that_was_reviewed(kind: str, language: str) -> None:
    made, path = MAKERS[kind](reviewed(language)), FOLDER / f"quote_{language}.{kind}"
    if os.environ.get("KVOTE_GOLDEN") == "write":
        path.write_bytes(made)
    assert made.decode() == path.read_bytes().decode()
