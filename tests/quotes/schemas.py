"""The schemas of UBL 2.1 and openTRANS 2.1, read once from the archive beside the tests (see its NOTICE.txt)."""

import io
import zipfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from lxml import etree

ARCHIVE = Path(__file__).parent / "data" / "schemas.zip"
UBL, OPENTRANS = "ubl/maindoc/UBL-Quotation-2.1.xsd", "ot/opentrans_2_1.xsd"


class _Archive(etree.Resolver):
    """Imports of a schema from the archive alone: nothing is read from elsewhere."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        super().__init__()
        self.archive = archive
        self.names = {name.rsplit("/", 1)[-1]: name for name in archive.namelist()}

    def resolve(self, url: str, _public_id: str, context: Any) -> Any:
        name = self.names.get(url.rsplit("/", 1)[-1])
        return self.resolve_string(self.archive.read(name) if name else b"", context, base_url=url)


@lru_cache(maxsize=2)
def schema(name: str) -> etree.XMLSchema:
    with zipfile.ZipFile(ARCHIVE) as archive:
        parser = etree.XMLParser(no_network=True, load_dtd=False, resolve_entities=False)
        parser.resolvers.add(_Archive(archive))
        return etree.XMLSchema(etree.parse(io.BytesIO(archive.read(name)), parser, base_url=f"archive:{name}"))


def faults(document: bytes, name: str) -> list[str]:
    """What the schema says against the document; empty where it is valid."""
    found = schema(name)
    found.validate(etree.fromstring(document))
    return [f"line {entry.line}: {entry.message}" for entry in found.error_log]
