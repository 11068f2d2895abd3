"""Message catalogues: every PO file of a language, merged and compiled with Babel.

Sources are `locale/<language>/LC_MESSAGES/*.po` and `locale/<language>/parts/*.po`; the result,
`LC_MESSAGES/django.mo`, is made when Kvote starts and not kept in version control.
"""

import os
import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LOCALES = Path(__file__).resolve().parent / "locale"


class Contradiction(ValueError):
    """Two files translate the same message differently."""


def compile_catalogues(locales: Path = LOCALES) -> list[Path]:
    """Compile what has changed; returns the files written. Raises Contradiction."""
    written = []
    for folder in sorted(path for path in locales.iterdir() if path.is_dir()):
        sources = sorted([*folder.glob("LC_MESSAGES/*.po"), *folder.glob("parts/*.po")])
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
    """One catalogue of all sources; a message may occur twice as long as its translation is the same."""
    whole = Catalog(locale=language, charset="utf-8", fuzzy=False)
    origin: dict[object, Path] = {}
    for source in sources:
        with source.open("rb") as file:
            part = read_po(file, locale=language, charset="utf-8")
        for message in part:
            if not message.id or not message.string or message.fuzzy:
                continue
            known = whole.get(message.id, context=message.context)
            if known is not None and known.string != message.string:
                first = origin[message.id, message.context].name
                raise Contradiction(
                    f"{message.id!r} is {known.string!r} in {first}, {message.string!r} in {source.name}"
                )
            whole.add(message.id, message.string, flags=message.flags, context=message.context)
            origin[message.id, message.context] = source
    return whole


def _write(catalogue: Catalog, target: Path) -> None:
    """In one step, so that another process never reads half a file."""
    target.parent.mkdir(parents=True, exist_ok=True)
    fresh = target.with_suffix(f".{os.getpid()}")
    with fresh.open("wb") as file:
        write_mo(file, catalogue)
    fresh.replace(target)


if __name__ == "__main__":
    for made in compile_catalogues():
        sys.stdout.write(f"{made}\n")
