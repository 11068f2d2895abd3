"""Checking a document: is this the content that was locked?"""

import json
from dataclasses import dataclass
from typing import Any

from quotes.content import check_value
from quotes.models import QuoteRevision
from quotes.selectors import revision_by_check_value

MAX_FILE_BYTES = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """`outcome` is match, changed, unknown or unreadable; `revision` is the locked one that was found."""

    outcome: str
    value: str
    revision: QuoteRevision | None = None


def verify_value(value: str) -> Verification:
    """Whether a locked revision has this check value (or begins with these twelve digits or more)."""
    digits = "".join(value.split()).lower()
    revision = revision_by_check_value(digits)
    return Verification(outcome="match" if revision else "unknown", value=digits, revision=revision)


def verify_file(content: bytes) -> Verification:
    """Recompute the check value of an exported JSON file: one changed byte of its content is found."""
    try:
        body: Any = json.loads(content)
        value = check_value(body["content"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return Verification(outcome="unreadable", value="")
    revision = revision_by_check_value(value)
    if revision is not None:
        return Verification(outcome="match", value=value, revision=revision)
    stated = str(body.get("check_value") or "")
    return Verification(outcome="changed" if revision_by_check_value(stated) else "unknown", value=value)
