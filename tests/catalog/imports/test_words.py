"""Every code that an import can say has words, in English and German."""

import re
from pathlib import Path

from babel.messages.pofile import read_po

from catalog.messages_import import TEXTS

ROOT = Path(__file__).resolve().parents[3]
SOURCES = [
    path.read_text(encoding="utf-8")
    for path in (*(ROOT / "catalog" / "imports").glob("*.py"), ROOT / "catalog/management/commands/import_prices.py")
]
CODE = re.compile(r'"((?:row|import|ask)_[a-z0-9_]+)"')
PLACEHOLDER = re.compile(r"%\((\w+)\)s")
NO_CODES = {"import_batch", "import_batch__file_name", "import_batch_id", "import_line", "import_prices", "row_"}


def test_every_code_has_words() -> None:
    used = {code for text in SOURCES for code in CODE.findall(text)}
    assert used - NO_CODES - set(TEXTS) == set()


def test_german_is_complete_and_keeps_the_placeholders() -> None:
    german: dict[object, object] = {}
    for path in (ROOT / "config/locale/de/parts").glob("*.po"):
        with path.open("rb") as file:
            german |= {entry.id: entry.string for entry in read_po(file) if entry.id}
    for code, english in TEXTS.items():
        assert german.get(english), code
        assert set(PLACEHOLDER.findall(english)) == set(PLACEHOLDER.findall(str(german[english]))), code
