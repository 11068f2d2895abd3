"""The seller's logo on documents: the stored picture that the content names by its hash."""

from collections.abc import Mapping
from typing import Any

from config.accounts.models import Organisation, StoredFile
from config.accounts.services import read_file

MAX_BYTES = 500_000
# First bytes of what the typesetter reads; anything else is left out.
_SIGNATURES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"<svg", b"<?xml")


def logo_of(content: Mapping[str, Any], organisation: Organisation) -> bytes:
    """The picture's bytes; empty where there is none, or none that can be printed."""
    digest = content["seller"].get("logo_sha256")
    if not digest:
        return b""
    stored = StoredFile.objects.filter(organisation=organisation, sha256=digest).first()
    if stored is None or stored.size_bytes > MAX_BYTES:
        return b""
    picture = read_file(stored)
    return picture if picture.startswith(_SIGNATURES) else b""
