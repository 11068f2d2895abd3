"""Which formats there are: name, maker, content type, file name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from quotes.document import QuoteDocument
from quotes.exports import csv, json, opentrans, pdf, ubl, xlsx


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    make: Callable[[QuoteDocument], bytes]
    content_type: str
    extension: str

    def file_name(self, document: QuoteDocument) -> str:
        if self.make is csv.csv:
            return csv.file_name(document)
        return f"{document.file_stem}.{self.extension}"


FORMATS: Mapping[str, Format] = {
    "pdf": Format(make=pdf.pdf, content_type=pdf.CONTENT_TYPE, extension="pdf"),
    "xlsx": Format(make=xlsx.xlsx, content_type=xlsx.CONTENT_TYPE, extension="xlsx"),
    "csv": Format(make=csv.csv, content_type=csv.CONTENT_TYPE, extension="csv"),
    "json": Format(make=json.json, content_type=json.CONTENT_TYPE, extension="json"),
    "opentrans": Format(make=opentrans.opentrans, content_type=opentrans.CONTENT_TYPE, extension="opentrans.xml"),
    "ubl": Format(make=ubl.ubl, content_type=ubl.CONTENT_TYPE, extension="ubl.xml"),
}
