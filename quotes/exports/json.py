"""The canonical content as JSON, with its check value: what the verify page can check again."""

import json as encoder

from quotes.document import QuoteDocument
from quotes.printing.sizing import FIGURE_CAVEATS, MEMORY_CAVEATS

CONTENT_TYPE = "application/json"


def json(document: QuoteDocument) -> bytes:
    """`{"state", "check_value", "content", "caveats"}`; amounts are strings, so that no digit is lost.

    The caveats stand outside the checked content: they are words in the document's language.
    """
    body: dict[str, object] = {
        "state": "draft" if document.is_draft else "locked",
        "check_value": document.check_value or None,
        "content": document.content,
    }
    if document.sizing is not None:
        codes = (*FIGURE_CAVEATS, *MEMORY_CAVEATS)
        sentences = (*document.sizing.caveats, *document.sizing.memory_caveats)
        body["caveats"] = [{"code": code, "text": text} for code, text in zip(codes, sentences, strict=True)]
    return (encoder.dumps(body, ensure_ascii=False, sort_keys=True, indent=2) + "\n").encode()
