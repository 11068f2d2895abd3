"""Small tools to write XML documents: elements in order, no empty ones, only characters that XML allows."""

import re
from collections.abc import Mapping
from typing import Any
from xml.etree import ElementTree as Tree

# XML 1.0, section 2.2: everything else cannot stand in a document, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

# UN/ECE Recommendation 20 and 21 codes of our units.
UNIT_CODES: Mapping[str, str] = {
    "piece": "C62", "flat": "LS", "licence": "C62", "node": "C62", "gpu": "C62", "month": "MON", "year": "ANN",
    "hour": "HUR",
}  # fmt: skip
PACK_CODE = "PK"


def clean(text: str) -> str:
    """The text without characters that XML 1.0 forbids."""
    return _FORBIDDEN.sub("", text)


def add(parent: Tree.Element, name: str, text: object = None, **attributes: str) -> Tree.Element:
    """A child element, with text where given."""
    child = Tree.SubElement(parent, name, attributes)
    if text is not None:
        child.text = clean(str(text))
    return child


def add_stated(parent: Tree.Element, name: str, text: object, **attributes: str) -> None:
    """A child element where there is a text; nothing where it is empty."""
    words = clean(str(text)).strip() if text is not None else ""
    if words:
        add(parent, name, words, **attributes)


def written(root: Tree.Element, namespaces: Mapping[str, str]) -> bytes:
    """UTF-8 bytes with declaration, indented by one space; the prefixes are those of `namespaces`."""
    for prefix, uri in namespaces.items():
        Tree.register_namespace(prefix, uri)
    Tree.indent(root, " ")
    made: Any = Tree.tostring(root, encoding="utf-8", xml_declaration=True)
    return bytes(made) + b"\n"


def unit_code(line: Mapping[str, Any]) -> str:
    return PACK_CODE if line["pack_size"] > 1 else UNIT_CODES.get(line["unit"], "C62")
