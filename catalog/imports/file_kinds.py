"""What kind of file the first bytes or the parts of an archive show, for files that are no price lists."""

import re
from collections.abc import Set

_MAGIC = (
    (b"%PDF", "PDF"),
    (b"\x1f\x8b", "gzip"),
    (b"BZh91AY&SY", "bzip2"),
    (b"\xfd7zXZ", "XZ"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"Rar!", "RAR"),
    (b"7z\xbc\xaf", "7-Zip"),
    (b"\x89PNG", "PNG"),
    (b"\xff\xd8\xff", "JPEG"),
    (b"GIF89a", "GIF"),
    (b"MZ", "EXE"),
    (b"\x7fELF", "ELF"),
    (b"{\\rtf", "RTF"),
)
_MARKS = (b"\xef\xbb\xbf",)
_MARKUP = re.compile(rb"<(?:!doctype html|html|head|body|table|meta)\b", re.IGNORECASE)
_JSON = re.compile(rb'(?:\[\s*)?\{\s*"[^"\n]{1,80}"\s*:')
_ARCHIVES = (
    ("xl/workbook.bin", "XLSB"),
    ("content.xml", "OpenDocument"),
    ("word/document.xml", "DOCX"),
    ("ppt/presentation.xml", "PPTX"),
    ("index/document.iwa", "Numbers"),
)


def foreign_kind(data: bytes) -> str:
    """The name of a kind of file that holds no table of text, "" where the bytes may be one."""
    head = data[:4096]
    for mark in _MARKS:
        head = head.removeprefix(mark)
    for magic, kind in _MAGIC:
        if head.startswith(magic) and (len(magic) > 2 or b"\x00" in head or not magic.isalpha()):
            return kind
    plain = head.lstrip()
    if _MARKUP.match(plain):
        return "HTML"
    if plain.startswith(b"<?xml"):
        return "XML"
    return "JSON" if _JSON.match(plain) else ""


def zip_kind(names: Set[str]) -> str:
    """The kind of an archive by its parts in lower case; "ZIP" for one that is nothing more."""
    return next((kind for part, kind in _ARCHIVES if part in names), "ZIP")
