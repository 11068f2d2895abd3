"""Message catalogues are merged, compiled and complete."""

import gettext
import os
import re
from pathlib import Path

from babel.messages.pofile import read_po

from config.catalogues import LOCALES, compile_catalogues, contradictions, merged, sources_of

PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|%\d*[sd]|\{\w*\}")


def write(folder: Path, name: str, *pairs: tuple[str, str]) -> None:
    path = folder / "de" / "parts" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n\n".join(f'msgid "{one}"\nmsgstr "{other}"' for one, other in pairs), encoding="utf-8")


def lookup(folder: Path) -> gettext.GNUTranslations:
    with (folder / "de" / "LC_MESSAGES" / "django.mo").open("rb") as file:
        return gettext.GNUTranslations(file)


def test_parts_become_one_catalogue(tmp_path: Path) -> None:
    write(tmp_path, "one.po", ("Quote", "Angebot"), ("Empty", ""))
    write(tmp_path, "two.po", ("Option", "Variante"), ("Quote", "Angebot"))

    compile_catalogues(tmp_path)

    found = lookup(tmp_path)
    assert (found.gettext("Quote"), found.gettext("Option"), found.gettext("Empty")) == ("Angebot", "Variante", "Empty")


def test_two_translations_of_one_message_are_found_and_the_first_counts(tmp_path: Path) -> None:
    write(tmp_path, "one.po", ("Quote", "Angebot"))
    write(tmp_path, "two.po", ("Quote", "Offerte"))
    compile_catalogues(tmp_path)

    assert lookup(tmp_path).gettext("Quote") == "Angebot"
    assert contradictions(sources_of(tmp_path / "de")) == ["'Quote' is 'Angebot' in one.po, 'Offerte' in two.po"]


def test_only_what_has_changed_is_compiled(tmp_path: Path) -> None:
    write(tmp_path, "one.po", ("Quote", "Angebot"))
    assert len(compile_catalogues(tmp_path)) == 1
    assert compile_catalogues(tmp_path) == []

    target = tmp_path / "de" / "LC_MESSAGES" / "django.mo"
    write(tmp_path, "two.po", ("Line", "Position"))
    later = target.stat().st_mtime + 5
    os.utime(tmp_path / "de" / "parts" / "two.po", (later, later))
    assert compile_catalogues(tmp_path) == [target]
    assert lookup(tmp_path).gettext("Line") == "Position"


def test_no_message_has_two_german_translations() -> None:
    assert contradictions(sources_of(LOCALES / "de")) == []


def test_every_translation_keeps_the_placeholders() -> None:
    for message in merged(sources_of(LOCALES / "de"), "de"):
        one = message.id if isinstance(message.id, str) else message.id[-1]
        other = message.string if isinstance(message.string, str) else message.string[-1]
        assert sorted(PLACEHOLDER.findall(one)) == sorted(PLACEHOLDER.findall(other)), one


def test_no_part_leaves_a_message_untranslated() -> None:
    for source in (LOCALES / "de" / "parts").glob("*.po"):
        with source.open("rb") as file:
            empty = [message.id for message in read_po(file) if message.id and not message.string]
        assert empty == [], source.name
