"""The work on an import: reading the file, storing it, and who holds the batch meanwhile."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from catalog import versions
from catalog.choices import ImportState
from catalog.errors import CatalogError
from catalog.import_errors import keep_errors
from catalog.import_reading import SENT, SENT_BY, answers_of, read_batch, supplier_name
from catalog.imports.answers import BadAnswers, read_answers
from catalog.imports.apply import commit_import, undo_import
from catalog.imports.cells import UnreadableFile
from catalog.imports.check import Understanding, understand
from catalog.imports.news import report_import
from catalog.models import ImportBatch
from config.accounts.models import User
from config.accounts.services import read_file
from config.webhooks.choices import EventType

LEASE = timedelta(seconds=30)
HEARTBEAT_S = 8
RESEND_AFTER = timedelta(seconds=60)


def is_draft(batch: ImportBatch) -> bool:
    """Read and waiting for a person."""
    return batch.state == ImportState.QUEUED and not batch.reading.get(SENT)


def is_busy(batch: ImportBatch) -> bool:
    """In the worker's hands, or on the way there."""
    return batch.state == ImportState.RUNNING or (batch.state == ImportState.QUEUED and bool(batch.reading.get(SENT)))


def execute_import(batch_id: int) -> None:
    """What the worker does with a batch. A finished batch, or one in other hands, is left alone."""
    batch = _acquire(batch_id)
    if batch is None:
        return
    try:
        with _heartbeat(batch.pk):
            if batch.reading.get(SENT) == "commit":
                commit_now(batch)
            elif batch.reading.get(SENT) == "undo":
                _undo_stored(batch)
            else:
                _read_stored(batch)
    except (UnreadableFile, BadAnswers) as error:
        _fail(batch, error.code, error.params)
    except CatalogError as error:
        _fail(batch, error.message.code, dict(error.message.params))


def due_imports() -> list[int]:
    """Batches whose worker was lost, or whose message never arrived; they count as sent again from now on.

    A batch whose row is locked is being committed: neither lost nor waited for.
    """
    now = timezone.now()
    due = ImportBatch.objects.filter(state__in=(ImportState.RUNNING, ImportState.QUEUED), lease_expires_at__lt=now)
    with transaction.atomic():
        free = due.order_by("pk").select_for_update(no_key=True, skip_locked=True)
        found = list(free.values_list("pk", flat=True)[:50])
        ImportBatch.objects.filter(pk__in=found).update(state=ImportState.QUEUED, lease_expires_at=now + RESEND_AFTER)
    return found


def today() -> date:
    return timezone.now().date()


def file_bytes(batch: ImportBatch) -> bytes:
    """The uploaded bytes. Raises CatalogError where the batch came from the command line and kept none."""
    if batch.file is None:
        raise CatalogError("import_not_open")
    return read_file(batch.file)


def read_fitting(batch: ImportBatch, data: bytes) -> Understanding:
    """Read; where the columns are not those of the chosen profile, its mapping is left out and the page says so."""
    profile = batch.profile
    if profile is not None and profile.answers.get("columns") == batch.answers.get("columns") is not None:
        plain = {key: value for key, value in batch.answers.items() if key not in ("columns", "header_row")}
        layout = understand(data, answers=read_answers(plain), today=today()).layout
        found = [column.header for column in layout.columns if column.header] if layout else []
        if found != profile.reading.get("headers"):
            batch.answers = plain
            batch.reading = batch.reading | {"profile_note": "columns_differ"}
    return read_batch(batch, data, today=today())


def _acquire(batch_id: int) -> ImportBatch | None:
    with transaction.atomic():
        rows = ImportBatch.objects.select_for_update(no_key=True, of=("self",), skip_locked=True)
        batch = rows.filter(pk=batch_id).first()
        if batch is None or not is_busy(batch):
            return None
        now = timezone.now()
        if batch.state == ImportState.RUNNING and batch.lease_expires_at and batch.lease_expires_at > now:
            return None
        batch.state, batch.lease_expires_at = ImportState.RUNNING, now + LEASE
        batch.save(update_fields=["state", "lease_expires_at"])
    return ImportBatch.objects.select_related("organisation", "created_by", "file", "profile").get(pk=batch_id)


@contextmanager
def _heartbeat(batch_id: int) -> Iterator[None]:
    """Keep the lease alive while the body works."""
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(HEARTBEAT_S):
            ImportBatch.objects.filter(pk=batch_id, state=ImportState.RUNNING).update(
                lease_expires_at=timezone.now() + LEASE
            )
        connection.close()

    thread = threading.Thread(target=beat, name=f"import-{batch_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _stage(batch: ImportBatch, code: str, progress: float) -> None:
    batch.message, batch.progress = {"code": code, "params": {}}, progress
    batch.save(update_fields=["message", "progress"])


def _read_stored(batch: ImportBatch) -> None:
    _stage(batch, "import_stage_read", 0.1)
    found = read_fitting(batch, file_bytes(batch))
    keep_errors(batch, found)
    batch.reading = {key: value for key, value in batch.reading.items() if key != SENT}
    batch.state, batch.progress, batch.lease_expires_at, batch.message = ImportState.QUEUED, 1, None, {}
    batch.save()


def commit_now(batch: ImportBatch) -> None:
    """Read again and store in one transaction; the batch is done in the same one."""
    in_worker = batch.state == ImportState.RUNNING
    if in_worker:
        _stage(batch, "import_stage_read", 0.1)
    found = understand(file_bytes(batch), answers=answers_of(batch), today=today())
    if in_worker:
        _stage(batch, "import_stage_write", 0.5)
    with transaction.atomic():
        versions.lock()
        if ImportBatch.objects.select_for_update(no_key=True, of=("self",)).get(pk=batch.pk).state == ImportState.DONE:
            return  # another worker, or a second click, was first
        batch.reading = {key: value for key, value in batch.reading.items() if key != SENT}
        batch.lease_expires_at, batch.progress, batch.message = None, 1, {}
        commit_import(
            found,
            batch=batch,
            organisation=batch.organisation,
            supplier=supplier_name(batch),
            actor=batch.created_by,
            today=today(),
        )


def _undo_stored(batch: ImportBatch) -> None:
    """Take the import back in one transaction; the batch stands as stored and undone in the same one."""
    _stage(batch, "import_stage_undo", 0.1)
    with transaction.atomic():
        versions.lock()
        if ImportBatch.objects.select_for_update(no_key=True, of=("self",)).get(pk=batch.pk).undone_at is not None:
            return  # another worker was first
        actor = User.objects.filter(pk=batch.reading.get(SENT_BY)).first()
        undo_import(batch, actor=actor)
        _stand_as_stored(batch, {})


def _stand_as_stored(batch: ImportBatch, message: Mapping[str, Any]) -> None:
    batch.reading = {key: value for key, value in batch.reading.items() if key not in (SENT, SENT_BY)}
    batch.state, batch.lease_expires_at, batch.progress, batch.message = ImportState.DONE, None, 1, dict(message)
    batch.save(update_fields=["reading", "state", "lease_expires_at", "progress", "message"])


@transaction.atomic
def _fail(batch: ImportBatch, code: str, params: Mapping[str, Any]) -> None:
    """Say why nothing was stored; an import that cannot be undone stays stored."""
    if batch.reading.get(SENT) == "undo":
        _stand_as_stored(batch, {"code": code, "params": dict(params)})
        return
    failed = ImportBatch.objects.filter(pk=batch.pk, state=ImportState.RUNNING).update(
        state=ImportState.FAILED, lease_expires_at=None, message={"code": code, "params": dict(params)}
    )
    if failed:
        batch.state = ImportState.FAILED
        report_import(EventType.IMPORT_FAILED, batch)


def headers_of(head: Mapping[str, Any]) -> list[str]:
    """The header words of a reading from the left, without empty ones."""
    return [str(column["header"]) for column in head.get("columns") or () if column["header"]]
