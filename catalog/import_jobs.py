"""Imports step by step: upload, answers, decisions on matches, commit, undo. Large files are left to the worker."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from catalog import tasks
from catalog.choices import ImportState
from catalog.errors import CatalogError
from catalog.import_execute import RESEND_AFTER, commit_now, file_bytes, headers_of, is_draft, read_fitting, today
from catalog.import_reading import SENT, SENT_BY, is_large, read_batch, supplier_name
from catalog.imports.answers import read_answers
from catalog.imports.apply import undo_import
from catalog.models import Accelerator, ImportBatch, Part, PartAlias, Supplier, SupplierProfile
from catalog.part_numbers import alias_text
from catalog.selectors import product_part
from config.accounts.models import Organisation, User
from config.accounts.services import record_event, store_file

CONTENT_TYPE = "application/octet-stream"


def start_import(
    *,
    organisation: Organisation,
    actor: User,
    name: str,
    data: bytes,
    supplier: str = "",
    profile: SupplierProfile | None = None,
) -> ImportBatch:
    """A batch for an uploaded file: small files are read at once, large ones by the worker.

    Raises UnreadableFile for a file that is refused; nothing of it is kept then.
    """
    batch = ImportBatch(organisation=organisation, created_by=actor, file_name=name[:255], profile=profile)
    batch.reading = {"supplier": supplier or (profile.supplier.name if profile else "")}
    batch.answers = dict(profile.answers) if profile else {}
    large = is_large(len(data), name)
    if not large:
        read_fitting(batch, data)
    with transaction.atomic():
        stored = store_file(organisation=organisation, name=name, content=data, content_type=CONTENT_TYPE, actor=actor)
        batch.file, batch.file_sha256 = stored, stored.sha256
        batch.save()
        if large:
            _send(batch, "read")
    return batch


def answer(batch: ImportBatch, answers: Mapping[str, Any]) -> ImportBatch:
    """Read the file again with other answers. Raises BadAnswers, UnreadableFile or CatalogError (no open draft)."""
    _require_draft(batch)
    read_answers(answers)
    batch.answers = dict(answers)
    return _reread(batch)


def map_file(batch: ImportBatch, *, answers: Mapping[str, Any] | None, supplier: str | None) -> ImportBatch:
    """Read the file again with other answers, another supplier, or both; None leaves one as it is."""
    _require_draft(batch)
    if supplier is not None:
        batch.reading = batch.reading | {"supplier": supplier.strip()[:100]}
    return _reread(batch) if answers is None else answer(batch, answers)


def name_supplier(batch: ImportBatch, name: str) -> ImportBatch:
    """State who sent the file, where its rows do not say."""
    return map_file(batch, answers=None, supplier=name)


@transaction.atomic
def decide_match(batch: ImportBatch, *, mpn: str, accelerator: str, actor: User) -> PartAlias:
    """Keep what a supplier's line means: an accelerator by its slug, or "" for none of our parts.

    Raises CatalogError for an unknown accelerator or where no supplier is named yet.
    """
    _require_draft(batch)
    name = supplier_name(batch)
    if not name:
        raise CatalogError("import_no_supplier")
    part = _product(accelerator, batch.organisation) if accelerator else None
    supplier = _supplier(name, batch.organisation)
    alias, _is_new = PartAlias.objects.update_or_create(
        organisation=batch.organisation,
        supplier=supplier,
        text_normalised=alias_text(mpn),
        defaults={"text": mpn[:500], "part": part, "is_no_part": part is None, "decided_by": actor},
    )
    record_event(
        action="decide_match",
        object_kind="partalias",
        object_id=str(alias.pk),
        actor=actor,
        organisation=batch.organisation,
        after={"text": alias.text, "part": part.slug if part else None},
    )
    return alias


@transaction.atomic
def forget_match(alias: PartAlias, *, actor: User) -> None:
    """Take back what a supplier's number was decided to mean: the next file asks again; prices stay where they are."""
    record_event(
        action="forget_match",
        object_kind="partalias",
        object_id=str(alias.pk),
        actor=actor,
        organisation=alias.organisation,
        before={"text": alias.text, "part": alias.part.slug if alias.part else None},
    )
    alias.delete()


def reread(batch: ImportBatch) -> ImportBatch:
    """Compare the file with the catalogue as it is now."""
    _require_draft(batch)
    return _reread(batch)


@transaction.atomic
def save_profile(batch: ImportBatch, *, name: str, actor: User) -> SupplierProfile:
    """Keep how this supplier's files are read. Raises CatalogError without a supplier's name."""
    supplier = supplier_name(batch)
    if not supplier:
        raise CatalogError("import_no_supplier")
    assert batch.organisation is not None  # noqa: S101 - pages act for an organisation
    head = batch.reading.get("head") or {}
    kept = {key: value for key, value in batch.answers.items() if key not in ("confirmed_lines", "sheet")}
    profile, _is_new = SupplierProfile.objects.update_or_create(
        organisation=batch.organisation,
        name=name[:100],
        defaults={
            "supplier": _supplier(supplier, batch.organisation),
            "answers": kept,
            "reading": {"headers": headers_of(head)} | {key: head.get(key) for key in ("encoding", "delimiter")},
        },
    )
    batch.profile = profile
    batch.save(update_fields=["profile"])
    record_event(
        action="save_profile",
        object_kind="supplierprofile",
        object_id=str(profile.public_id),
        actor=actor,
        organisation=batch.organisation,
        after={"name": profile.name, "supplier": supplier},
    )
    return profile


def commit(batch: ImportBatch, *, actor: User) -> ImportBatch:
    """Store what the preview shows: small files at once, large ones by the worker. Raises CatalogError."""
    _require_draft(batch)
    blocking = [
        question["key"] for question in (batch.reading.get("head") or {}).get("questions", ()) if question["blocks"]
    ]
    if blocking:
        raise CatalogError("import_open_questions", keys=", ".join(sorted(set(blocking))))
    if not supplier_name(batch) and not batch.reading.get("has_suppliers"):
        raise CatalogError("import_no_supplier")
    batch.created_by = actor
    if _is_large(batch):
        with transaction.atomic():
            _send(batch, "commit")
        return batch
    commit_now(batch)
    return batch


def undo(batch: ImportBatch, *, actor: User) -> ImportBatch:
    """Take a stored import back: a small one at once, a large one by the worker. Raises CatalogError."""
    if batch.state != ImportState.DONE:
        raise CatalogError("import_not_open")
    if not _is_large(batch):
        return undo_import(batch, actor=actor)
    with transaction.atomic():
        stored = ImportBatch.objects.select_for_update(no_key=True, of=("self",)).get(pk=batch.pk)
        if stored.undone_at is not None:
            raise CatalogError("import_undone_already")
        if stored.state != ImportState.DONE:
            raise CatalogError("import_not_open")
        stored.reading = stored.reading | {SENT_BY: actor.pk}
        _send(stored, "undo")
    return stored


def discard(batch: ImportBatch) -> ImportBatch:
    """Close a draft without storing anything."""
    _require_draft(batch)
    batch.state = ImportState.CANCELLED
    batch.save(update_fields=["state"])
    return batch


def reopen(batch: ImportBatch) -> ImportBatch:
    """Take a failed import up again with a fresh reading."""
    if batch.state != ImportState.FAILED or batch.file is None:
        raise CatalogError("import_not_open")
    batch.state, batch.message = ImportState.QUEUED, {}
    batch.reading = {key: value for key, value in batch.reading.items() if key != SENT}
    batch.save()
    return _reread(batch)


def _require_draft(batch: ImportBatch) -> None:
    if not is_draft(batch):
        raise CatalogError("import_not_open")


def _is_large(batch: ImportBatch) -> bool:
    return batch.file is not None and is_large(batch.file.size_bytes, batch.file_name)


def _reread(batch: ImportBatch) -> ImportBatch:
    if _is_large(batch):
        with transaction.atomic():
            _send(batch, "read")
        return batch
    read_batch(batch, file_bytes(batch), today=today())
    batch.save(update_fields=["reading", "answers"])
    return batch


def _send(batch: ImportBatch, what: str) -> None:
    """Hand the batch to the worker after the commit; `lease_expires_at` is when it counts as lost."""
    batch.reading = batch.reading | {SENT: what}
    batch.state, batch.progress, batch.message = ImportState.QUEUED, 0, {}
    batch.lease_expires_at = timezone.now() + RESEND_AFTER
    batch.save()
    transaction.on_commit(partial(tasks.apply_import.delay, batch.pk))


def _product(slug: str, organisation: Organisation | None) -> Part:
    accelerator = Accelerator.objects.filter(slug=slug).first()
    part = product_part(accelerator, organisation) if accelerator else None
    if part is None:
        raise CatalogError("import_unknown_accelerator", slug=slug[:100])
    return part


def _supplier(name: str, organisation: Organisation | None) -> Supplier:
    """The visible supplier of that name, else a new one of the organisation."""
    known = Supplier.objects.filter(Q(organisation=organisation) | Q(organisation=None), name__iexact=name)
    found = known.order_by("organisation_id").first()
    return found or Supplier.objects.create(name=name[:100], organisation=organisation)
