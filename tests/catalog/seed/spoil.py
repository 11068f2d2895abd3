"""Change a copy of the shipped files."""

from pathlib import Path


def replace(path: Path, old: str, new: str) -> None:
    """Replace the first occurrence; a text that is not there is a mistake of the test."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
