"""The seller's logo leads the document; a picture that cannot be printed is left out."""

import io
import struct
import zlib

import pytest
from pypdf import PdfReader

from config.accounts.models import Organisation, User
from config.accounts.services import store_file
from quotes.content import content_of
from quotes.document import document_of
from quotes.exports.pdf import pdf
from quotes.models import Quote
from tests.quotes.test_life import current


def png(size: int = 8) -> bytes:
    """A black square."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\x00" + b"\x00" * size) * size)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


@pytest.mark.parametrize(("content", "shown"), [(png(), 1), (b"GIF89a", 0)])
def test_the_logo_is_printed_where_it_can_be(
    organisation: Organisation, quote: Quote, planner: User, content: bytes, shown: int
) -> None:
    organisation.logo = store_file(
        organisation=organisation, name="logo.png", content=content, content_type="image/png", actor=planner
    )
    organisation.save(update_fields=["logo"])
    document = document_of(current(quote))
    assert content_of(current(quote))["seller"]["logo_sha256"] == organisation.logo.sha256
    pages = PdfReader(io.BytesIO(pdf(document))).pages
    assert len(pages[0].images) == shown
