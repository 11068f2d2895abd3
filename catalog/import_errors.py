"""The error file of an import: every row that is not stored, as it stood in the file, with its reason beside it."""

import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from catalog.errors import CatalogError
from catalog.export import csv_bytes
from catalog.import_reading import answers_of
from catalog.imports.check import Understanding, understand
from catalog.imports.rows import Action
from catalog.messages_import_pages import render
from catalog.models import ImportBatch
from config.accounts.models import StoredFile
from config.accounts.services import read_file, store_file
from sizing.core.values import Message

KEPT_OUT = (Action.HELD, Action.REJECTED)
ERROR_FILE = "error_file"  # key of `ImportBatch.reading`: the file in which the worker kept the lines

type ErrorLine = tuple[int, str, str, dict[str, Any], list[str]]


def error_file(batch: ImportBatch) -> bytes:
    """CSV with line, action, code, reason and the raw cells, formula-safe. Raises CatalogError without a file.

    Of a large file the worker kept the lines when it read it; a small one is read again.
    """
    kept = StoredFile.objects.filter(pk=batch.reading.get(ERROR_FILE)).first()
    if kept is not None:
        lines: Iterable[ErrorLine] = json.loads(zlib.decompress(read_file(kept)))
    elif batch.file is None:
        raise CatalogError("import_not_open")
    else:
        found = understand(read_file(batch.file), answers=answers_of(batch), today=timezone.now().date())
        lines = _lines(found)
    return _csv(list(lines))


def keep_errors(batch: ImportBatch, found: Understanding) -> None:
    """Keep the lines of a long file beside it, so that a download need not read the file again (batch unsaved)."""
    content = zlib.compress(json.dumps(list(_lines(found)), default=str).encode())
    name = f"{batch.public_id}-errors"
    stored = store_file(
        organisation=batch.organisation, name=name, content=content, content_type="application/octet-stream"
    )
    batch.reading = batch.reading | {ERROR_FILE: stored.pk}


def _lines(found: Understanding) -> Iterator[ErrorLine]:
    for row in found.rows:
        if row.action in KEPT_OUT:
            yield row.line, row.action.value, row.reason.code, dict(row.reason.params), list(row.raw)


def _csv(lines: list[ErrorLine]) -> bytes:
    width = max((len(raw) for *_rest, raw in lines), default=0)
    head = [_("Line of the file"), _("What happens"), _("Code"), _("Reason")]
    head += [_("Column %(number)s") % {"number": at} for at in range(1, width + 1)]
    rows = ([str(line), action, code, render(Message(code, params)), *raw] for line, action, code, params, raw in lines)
    return csv_bytes(head, rows)
