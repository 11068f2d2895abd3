"""Message catalogues: every PO file of a language, merged and compiled with Babel.

Sources are `locale/<language>/LC_MESSAGES/*.po` and `locale/<language>/parts/*.po`; the result,
`LC_MESSAGES/django.mo`, is made when Kvote starts and not kept in version control.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).resolve().parent / "locale"


def compile_catalogues(locales: Path = LOCALES) -> list[Path]:
    """Compile what has changed; returns the files written. Of two translations of one message the first counts."""
    written = []
    for folder in sorted(path for path in locales.iterdir() if path.is_dir()):
        sources = sources_of(folder)
        target = folder / "LC_MESSAGES" / "django.mo"
        if sources and not _is_fresh(target, sources):
            _write(merged(sources, folder.name), target)
            written.append(target)
    return written


def _is_fresh(target: Path, sources: list[Path]) -> bool:
    if not target.exists():
        return False
    made = target.stat().st_mtime
    folders = {source.parent for source in sources} - {target.parent}
    return all(path.stat().st_mtime < made for path in [*sources, *folders])


def merged(sources: list[Path], language: str) -> Catalog:
    """One catalogue of all sources, without messages that nobody has translated."""
    whole = Catalog(locale=language, charset="utf-8", fuzzy=False)
    for source in sources:
        for message in translations(source):
            if whole.get(message.id, context=message.context) is None:
                whole.add(message.id, message.string, flags=message.flags, context=message.context)
    return whole


def contradictions(sources: list[Path]) -> list[str]:
    """Each message that two files translate differently, with both translations."""
    first: dict[object, tuple[object, str]] = {}
    found = []
    for source in sources:
        for message in translations(source):
            string, name = first.setdefault((str(message.id), message.context), (message.string, source.name))
            if string != message.string:
                found.append(f"{message.id!r} is {string!r} in {name}, {message.string!r} in {source.name}")
    return found


def translations(source: Path) -> Iterator[Message]:
    """The translated messages of a PO file."""
    with source.open("rb") as file:
        yield from (one for one in read_po(file, charset="utf-8") if one.id and one.string and not one.fuzzy)


def sources_of(folder: Path) -> list[Path]:
    return sorted([*folder.glob("LC_MESSAGES/*.po"), *folder.glob("parts/*.po")])


def _write(catalogue: Catalog, target: Path) -> None:
    """In one step, so that another process never reads half a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(f".{os.getpid()}")
    with fresh.open("wb") as file:
        write_mo(file, catalogue)
    fresh.replace(target)


if __name__ == "__main__":
    compile_catalogues()
    clashes = [clash for folder in LOCALES.iterdir() for clash in contradictions(sources_of(folder))]
    sys.exit("\n".join(clashes) or 0)
