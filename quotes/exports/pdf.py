"""The document as a tagged PDF (PDF/UA-1), typeset by Typst. Equal documents give equal bytes."""

import json
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path

import typst
from django.utils import translation

from quotes.document import QuoteDocument
from quotes.exports.glyphs import missing_signs
from quotes.printing.labels import labels

_HERE = Path(__file__).parent
_TEMPLATE = _HERE / "typst" / "quote.typ"
_FONTS = _HERE / "fonts"
CONTENT_TYPE = "application/pdf"


def pdf(document: QuoteDocument) -> bytes:
    """The PDF's bytes. Fonts are those of the package, the time stamp is that of the document."""
    return _typeset(document, {})


def changes_pdf(document: QuoteDocument) -> bytes:
    """The changes against the revision before, as a document of its own. Raises ValueError where there are none."""
    if document.changes is None:
        raise ValueError("a first revision has no changes")
    return _typeset(document, {"part": "changes"})


def _typeset(document: QuoteDocument, inputs: dict[str, str]) -> bytes:
    compiler = typst.Compiler(
        input=str(_TEMPLATE),
        root=str(_HERE / "typst"),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        sys_inputs={"data": template_data(document), **_accent(document), **inputs},
    )
    made = compiler.compile(format="pdf", pdf_standards=["ua-1"], timestamp=int(document.made_at.timestamp()))
    if not isinstance(made, bytes):
        raise TypeError("one PDF was expected")
    return made


def _accent(document: QuoteDocument) -> dict[str, str]:
    colour = (document.content.get("style") or {}).get("accent")
    return {"accent": str(colour)} if colour else {}


def template_data(document: QuoteDocument) -> str:
    """What the template reads: texts and lengths of bars, nothing of the raw content."""
    data = asdict(document)
    for key in ("content", "reader", "made_at", "logo"):
        del data[key]
    reader = document.reader
    language, _sep, country = reader.tag.partition("-")
    with translation.override(reader.language):
        words = labels(document.content, reader)
    data |= {
        "words": words,
        "language": language,
        "country": country.lower(),
        "paper": reader.paper,
        "din": reader.din_letter,
        "with_schedule": not words["commercial"],
        "logo": list(document.logo),
    }
    return _printed(json.dumps(data, ensure_ascii=False))


def _printed(text: str) -> str:
    """Signs that no font holds as their code points: PDF/UA refuses boxes, and a reader would not know what is lost."""
    for sign in missing_signs(text):
        text = text.replace(sign, f"[U+{ord(sign):04X}]")
    return text


@lru_cache(maxsize=1)
def _fonts() -> typst.Fonts:
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(_FONTS)])
