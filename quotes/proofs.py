"""Files that prove something: letters and rulings as PDF, PNG or JPEG, kept by their content."""

from dataclasses import dataclass

from config.accounts.models import Organisation, StoredFile, User
from config.accounts.services import store_file
from quotes.errors import QuoteError

FILE_BYTES_MAX = 10_000_000
# First bytes of the kinds of file that a letter comes as.
_SIGNATURES = {b"%PDF-": "application/pdf", b"\x89PNG\r\n\x1a\n": "image/png", b"\xff\xd8\xff": "image/jpeg"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Upload:
    name: str
    content: bytes


def stored_proof(organisation: Organisation, upload: Upload, user: User) -> StoredFile:
    """Keep a letter or a ruling. Raises QuoteError for a file that is too large or of another kind."""
    if len(upload.content) > FILE_BYTES_MAX:
        raise QuoteError("evidence_file_too_large", limit=FILE_BYTES_MAX // 1_000_000)
    kind = next((kind for head, kind in _SIGNATURES.items() if upload.content.startswith(head)), "")
    if not kind:
        raise QuoteError("evidence_file_kind")
    return store_file(
        organisation=organisation, name=upload.name, content=upload.content, content_type=kind, actor=user
    )
