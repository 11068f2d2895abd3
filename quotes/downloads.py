"""Exports of a revision as files: a frozen one is made once and kept, a draft is made afresh."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from config.accounts.models import User
from config.accounts.services import read_file, store_file
from quotes.document import QuoteDocument, document_of
from quotes.exports import pdf
from quotes.exports.registry import FORMATS, Format
from quotes.models import QuoteRevision, RevisionFile
from quotes.open_items import open_items_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    name: str
    content_type: str
    content: bytes


class ChangesFormat(Format):
    """The changes against the revision before; a first revision has none."""

    def file_name(self, document: QuoteDocument) -> str:
        quote, stored = document.content["quote"], document.content["changes"]
        return f"{quote['number']}_R{stored['from_revision']}-R{quote['revision']}_changes.{self.extension}"


CHANGES = "changes"
_MAKERS: Mapping[str, Format] = {
    **FORMATS,
    CHANGES: ChangesFormat(make=pdf.changes_pdf, content_type=pdf.CONTENT_TYPE, extension="pdf"),
}


def download(revision: QuoteRevision, format_name: str, *, language: str, user: User | None) -> Download:
    """The export in this format and language. Raises KeyError for a format that does not exist."""
    maker = _MAKERS[format_name]
    if not revision.is_frozen:
        count = sum(1 for item in open_items_of(revision) if item.stops_lock)
        document = document_of(revision, language=language, open_count=count)
        return Download(name=maker.file_name(document), content_type=maker.content_type, content=maker.make(document))
    kept = revision.files.select_related("file").filter(format=format_name, language=language).first()
    if kept is None:
        kept = _keep(revision, format_name, language, user)
    return Download(name=kept.file.name, content_type=maker.content_type, content=read_file(kept.file))


@transaction.atomic
def _keep(revision: QuoteRevision, format_name: str, language: str, user: User | None) -> RevisionFile:
    """Make and store the export; of two that come at once the first one stays."""
    QuoteRevision.objects.select_for_update(no_key=True).get(pk=revision.pk)
    kept = revision.files.select_related("file").filter(format=format_name, language=language).first()
    if kept is not None:
        return kept
    maker = _MAKERS[format_name]
    document = document_of(revision, language=language)
    stored = store_file(
        name=maker.file_name(document),
        content=maker.make(document),
        content_type=maker.content_type,
        organisation=revision.quote.organisation,
        actor=user,
    )
    return RevisionFile.objects.create(revision=revision, format=format_name, language=language, file=stored)
