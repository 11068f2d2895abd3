"""Writes an import: all of it in one transaction, or none. Observations are added and close older ones."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError
from django.utils import timezone
from django.utils.text import slugify

from catalog import versions
from catalog.choices import DateKind, ImportState, PartKind, PriceKind, StockState, TaxBasis
from catalog.errors import CatalogError
from catalog.imports.bulk import insert_rows
from catalog.imports.check import Understanding
from catalog.imports.duplicates import maker_key
from catalog.imports.plan import (
    PartRef,
    Plan,
    PriceRef,
    is_same_price,
    lead_changes,
    lead_weeks,
    make_plan,
    price_key,
    price_kinds,
)
from catalog.imports.rows import Action, ImportRow
from catalog.models import ImportBatch, LeadTimeObservation, Part, PriceObservation, Supplier
from catalog.part_numbers import normalise_mpn
from config.accounts.models import Organisation, User
from config.accounts.services import record_event

BATCH = 2_000
CHUNK = 5_000

type ProductKey = tuple[str, str]


@dataclass(slots=True)
class _Done:
    """What an import has written so far, for its undo."""

    made_suppliers: list[int]
    made_parts: list[int] = field(default_factory=list)
    closed_prices: list[list[Any]] = field(default_factory=list)
    closed_lead_times: list[list[Any]] = field(default_factory=list)
    timed: set[tuple[int, int]] = field(default_factory=set)


@transaction.atomic
def commit_import(
    found: Understanding,
    *,
    batch: ImportBatch,
    organisation: Organisation | None,
    supplier: str,
    actor: User | None,
    today: date,
) -> ImportBatch:
    """Store every accepted row of a reading as observations of one batch.

    A price that the file repeats unchanged is not stored again; a changed one closes the older.
    Raises CatalogError while a question is open or a row has no supplier; then nothing is written.
    """
    versions.lock()
    open_keys = [question.key for question in found.blocking]
    if open_keys:
        raise CatalogError("import_open_questions", keys=", ".join(sorted(set(open_keys))))
    plan = make_plan(found, organisation=organisation, supplier=supplier, today=today)
    rows = [row for row in found.rows if row.action in (Action.CREATE, Action.UPDATE)]
    if any(not plan.supplier_name(row) for row in rows):
        raise CatalogError("import_no_supplier")
    batch.organisation, batch.created_by, batch.state = organisation, actor, ImportState.DONE
    batch.committed_at = timezone.now()
    batch.save()
    done = _Done([row.pk for row in _make_suppliers(plan, rows)])
    new_parts: dict[ProductKey, PartRef] = {}
    for start in range(0, len(rows), CHUNK):
        chunk = rows[start : start + CHUNK]
        done.made_parts += _make_parts(plan, chunk, new_parts)
        done.closed_prices += _store_prices(plan, chunk, batch, today=today)
        done.closed_lead_times += _store_lead_times(plan, chunk, batch, done.timed, today=today)
    batch.result = {
        "counts": found.counts,
        "made_suppliers": done.made_suppliers,
        "made_parts": done.made_parts,
        "closed_prices": done.closed_prices,
        "closed_lead_times": done.closed_lead_times,
    }
    batch.save(update_fields=["result"])
    _record("commit_import", batch, actor, after={"file": batch.file_name, **found.counts})
    if rows:
        versions.raise_version(reason="import")
    return batch


@transaction.atomic
def undo_import(batch: ImportBatch, *, actor: User | None) -> ImportBatch:
    """Take an import back: its rows go, and what it closed is as it was.

    Raises CatalogError where it was undone already, or where a later import or a quote builds on it.
    """
    versions.lock()
    batch = ImportBatch.objects.select_for_update().get(pk=batch.pk)
    if batch.undone_at is not None:
        raise CatalogError("import_undone_already")
    prices = PriceObservation.objects.filter(import_batch=batch)
    leads = LeadTimeObservation.objects.filter(import_batch=batch)
    if prices.exclude(superseded_by=None).exclude(superseded_by__import_batch=batch).exists():
        raise CatalogError("import_not_undoable", detail="price")
    if leads.exclude(superseded_by=None).exclude(superseded_by__import_batch=batch).exists():
        raise CatalogError("import_not_undoable", detail="lead time")
    _reopen(PriceObservation, batch.result["closed_prices"])
    _reopen(LeadTimeObservation, batch.result["closed_lead_times"])
    try:
        prices.delete()
        leads.delete()
        Part.objects.filter(pk__in=batch.result["made_parts"]).delete()
        Supplier.objects.filter(pk__in=batch.result["made_suppliers"]).delete()
    except ProtectedError as error:
        used_by = next(iter(error.protected_objects))
        raise CatalogError("import_not_undoable", detail=str(used_by._meta.verbose_name)) from error
    batch.undone_at = timezone.now()
    batch.save(update_fields=["undone_at"])
    _record("undo_import", batch, actor, after={"file": batch.file_name})
    versions.raise_version(reason="import undone")
    return batch


def _make_suppliers(plan: Plan, rows: Sequence[ImportRow]) -> list[Supplier]:
    names: dict[str, str] = {}
    for row in rows:
        name = plan.supplier_name(row)[:100]
        if name.casefold() not in plan.suppliers:
            names.setdefault(name.casefold(), name)
    made = [Supplier.objects.create(name=name, organisation=plan.organisation) for name in names.values()]
    plan.suppliers |= {row.name.casefold(): row for row in made}
    return made


def _make_parts(plan: Plan, rows: Sequence[ImportRow], known: dict[ProductKey, PartRef]) -> list[int]:
    """A part of its own for each maker and number that is not on file; their keys."""
    new: dict[ProductKey, Part] = {}
    keys = {row.line: (maker_key(row.manufacturer), normalise_mpn(row.mpn)) for row in rows}
    missing = [row for row in rows if plan.parts.get(row.line) is None]
    for row in missing:
        if keys[row.line] not in known and keys[row.line] not in new:
            new[keys[row.line]] = _new_part(plan.organisation, row, plan.accelerators.get(row.line))
    insert_rows(Part, new.values())
    known |= {key: PartRef(part.pk, part.slug, part.manufacturer, part.mpn) for key, part in new.items()}
    for row in missing:
        plan.parts[row.line] = known[keys[row.line]]
    return [part.pk for part in new.values()]


def _new_part(organisation: Organisation | None, row: ImportRow, accelerator_id: int | None) -> Part:
    owner = str(organisation.pk) if organisation else ""
    identity = "\x1f".join((owner, maker_key(row.manufacturer), row.mpn))
    digest = hashlib.sha256(identity.encode()).hexdigest()[:8]
    return Part(
        organisation=organisation,
        kind=PartKind.ACCELERATOR if accelerator_id else PartKind.OTHER,
        accelerator_id=accelerator_id,
        accelerators_in_part=1 if accelerator_id else None,
        slug=f"{slugify(f'{row.manufacturer} {row.mpn}')[:130]}-{digest}",
        manufacturer=row.manufacturer,
        mpn=row.mpn,
        mpn_normalised=normalise_mpn(row.mpn),
        description=row.description,
        gtin=row.gtin,
        eccn=row.eccn,
        hts=row.hts[:13],
    )


def _store_prices(plan: Plan, rows: Sequence[ImportRow], batch: ImportBatch, *, today: date) -> list[list[Any]]:
    new: list[PriceObservation] = []
    closing: dict[int, tuple[PriceRef, PriceObservation]] = {}
    for row in rows:
        part, supplier = _subjects(plan, row)
        for kind, value in price_kinds(row):
            present = plan.prices.get(price_key(part.pk, supplier.pk, row, kind), [])
            if any(is_same_price(price, row, value) for price in present):
                continue
            price = _price(row, part, supplier, batch, kind=kind, today=today)
            price.unit_price = value
            new.append(price)
            closing |= {old.pk: (old, price) for old in present if old.observed_on <= price.observed_on}
    insert_rows(PriceObservation, new)
    ended = []
    for old, price in closing.values():
        last_day = price.valid_from - timedelta(days=1)
        end = min(old.valid_to, last_day) if old.valid_to else last_day
        ended.append(PriceObservation(pk=old.pk, valid_to=end, superseded_by=price))
    PriceObservation.objects.bulk_update(ended, ["valid_to", "superseded_by"], batch_size=BATCH)
    return [[old.pk, _iso(old.valid_to)] for old, _price in closing.values()]


def _price(
    row: ImportRow, part: PartRef, supplier: Supplier, batch: ImportBatch, *, kind: PriceKind, today: date
) -> PriceObservation:
    seen = min(row.price_date or today, today)
    return PriceObservation(
        organisation=batch.organisation,
        part_id=part.pk,
        supplier=supplier,
        supplier_sku=row.sku,
        item_name=row.description,
        currency=row.currency,
        price_unit=(row.unit or "each")[:30],
        tax_basis=TaxBasis(row.tax_basis or TaxBasis.UNSTATED),
        kind=kind,
        min_quantity=row.min_qty or 1,
        pack_size=row.pack or 1,
        observed_on=seen,
        date_kind=DateKind.PUBLISHED if row.price_date else DateKind.OBSERVED,
        valid_from=min(row.valid_from or seen, row.valid_until or row.valid_from or seen),
        valid_to=row.valid_until,
        import_batch=batch,
        import_line=row.line,
        source_title=batch.file_name[:300],
    )


def _store_lead_times(
    plan: Plan, rows: Sequence[ImportRow], batch: ImportBatch, timed: set[tuple[int, int]], *, today: date
) -> list[list[Any]]:
    """One statement per part and supplier, the first of the file; `timed` remembers which have one."""
    new: dict[tuple[int, int], LeadTimeObservation] = {}
    for row in rows:
        if row.lead is None or row.lead.state == "none":
            continue
        part, supplier = _subjects(plan, row)
        key = (part.pk, supplier.pk)
        if key not in timed and lead_changes(plan, row, part, supplier):
            new[key] = _lead_time(row, part, supplier, batch, today=today)
            timed.add(key)
    insert_rows(LeadTimeObservation, new.values())
    closing = [
        (old, lead)
        for key, lead in new.items()
        for old in plan.lead_times.get(key, [])
        if old.observed_on <= lead.observed_on
    ]
    ended = [
        LeadTimeObservation(pk=old.pk, valid_to=lead.observed_on - timedelta(days=1), superseded_by=lead)
        for old, lead in closing
    ]
    LeadTimeObservation.objects.bulk_update(ended, ["valid_to", "superseded_by"], batch_size=BATCH)
    return [[old.pk, _iso(old.valid_to)] for old, _lead in closing]


def _lead_time(
    row: ImportRow, part: PartRef, supplier: Supplier, batch: ImportBatch, *, today: date
) -> LeadTimeObservation:
    low, high = lead_weeks(row)
    lead = row.lead
    seen = min(row.price_date or today, today)
    return LeadTimeObservation(
        organisation=batch.organisation,
        part_id=part.pk,
        supplier=supplier,
        item=row.description,
        state=StockState(lead.state if lead else StockState.UNKNOWN),
        weeks_low=low,
        weeks_high=high,
        original_unit=lead.unit if lead and lead.min_days is not None else "",
        stock_count=lead.stock_count if lead else None,
        promised_on=lead.promised_on if lead else None,
        observed_on=seen,
        import_batch=batch,
        import_line=row.line,
        source_title=batch.file_name[:300],
    )


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _subjects(plan: Plan, row: ImportRow) -> tuple[PartRef, Supplier]:
    part = plan.parts[row.line]
    if part is None:
        raise AssertionError(f"line {row.line} has no part")
    return part, plan.suppliers[plan.supplier_name(row)[:100].casefold()]


def _reopen[T: (PriceObservation, LeadTimeObservation)](model: type[T], closed: Iterable[Sequence[Any]]) -> None:
    ends = {pk: date.fromisoformat(end) if end else None for pk, end in closed}
    rows: list[T] = list(model._default_manager.filter(pk__in=list(ends)))
    for row in rows:
        row.valid_to, row.superseded_by = ends[row.pk], None
    model._default_manager.bulk_update(rows, ["valid_to", "superseded_by"], batch_size=BATCH)


def _record(action: str, batch: ImportBatch, actor: User | None, *, after: dict[str, Any]) -> None:
    record_event(
        action=action,
        object_kind="importbatch",
        object_id=str(batch.public_id),
        actor=actor,
        organisation=batch.organisation,
        after=after,
    )
