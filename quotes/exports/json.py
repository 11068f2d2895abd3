"""The canonical content as JSON, with its check value: what the verify page can check again."""

import json as encoder

from quotes.document import QuoteDocument

CONTENT_TYPE = "application/json"


def json(document: QuoteDocument) -> bytes:
    """`{"state", "check_value", "content"}`; amounts are strings, so that no digit is lost."""
    body = {
        "state": "draft" if document.is_draft else "locked",
        "check_value": document.check_value or None,
        "content": document.content,
    }
    return (encoder.dumps(body, ensure_ascii=False, sort_keys=True, indent=2) + "\n").encode()
