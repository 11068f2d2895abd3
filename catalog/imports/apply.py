"""Writes an import: all of it in one transaction, or none. Observations are added and close older ones."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from django.apps import apps
from django.db import IntegrityError, connection, transaction
from django.db.models import ProtectedError, Q
from django.utils import timezone
from django.utils.text import slugify

from catalog import versions
from catalog.choices import DateKind, ImportState, PartKind, StockState, TaxBasis
from catalog.errors import CatalogError
from catalog.imports.bulk import close_rows, delete_rows, insert_rows, reserve_keys
from catalog.imports.check import Understanding
from catalog.imports.collector import collected_later
from catalog.imports.duplicates import maker_key
from catalog.imports.lead_times import LeadTime
from catalog.imports.news import report_import
from catalog.imports.plan import Ending, PartRef, Plan, StatedPrice, lead_weeks, make_plan, seen_on
from catalog.imports.rows import Action, ImportRow
from catalog.models import ImportBatch, LeadTimeObservation, Part, PartAlias, PriceObservation, Supplier
from catalog.part_numbers import normalise_mpn
from config.accounts.models import Organisation, User
from config.accounts.services import record_event
from config.webhooks.choices import EventType

CHUNK = 5_000
PART_FIELDS = (
    "id", "slug", "kind", "accelerator_id", "accelerators_in_part", "manufacturer", "mpn", "mpn_normalised",
    "description", "gtin", "eccn", "hts",
)  # fmt: skip
PRICE_FIELDS = (
    "id", "part_id", "supplier_id", "kind", "unit_price", "observed_on", "valid_from", "valid_to", "supplier_sku",
    "item_name", "currency", "price_unit", "tax_basis", "min_quantity", "pack_size", "date_kind", "import_line",
)  # fmt: skip
LEAD_FIELDS = (
    "id", "part_id", "supplier_id", "observed_on", "item", "state", "weeks_low", "weeks_high", "original_unit",
    "stock_count", "promised_on", "import_line",
)  # fmt: skip

type ProductKey = tuple[str, str]


@dataclass(slots=True)
class _Done:
    """What an import has written so far, for its undo: what it made, and by its end until then what it closed."""

    made_suppliers: list[int]
    made_parts: list[int] = field(default_factory=list)
    closed: set[int] = field(default_factory=set)  # prices
    prices_by_end: dict[str, list[int]] = field(default_factory=dict)
    lead_times_by_end: dict[str, list[int]] = field(default_factory=dict)
    timed: set[tuple[int, int]] = field(default_factory=set)

    def close_prices(self, ends: Iterable[Ending]) -> None:
        for pk, end in ends:
            self.closed.add(pk)
            self.prices_by_end.setdefault(_iso(end), []).append(pk)

    def close_lead_times(self, ends: Iterable[Ending]) -> None:
        for pk, end in ends:
            self.lead_times_by_end.setdefault(_iso(end), []).append(pk)


@collected_later()
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
        _store_prices(plan, chunk, batch, done, today=today)
        _store_lead_times(plan, chunk, batch, done, today=today)
    batch.result = {
        "counts": found.counts,
        "made_suppliers": done.made_suppliers,
        "made_parts": done.made_parts,
        "closed_prices": done.prices_by_end,
        "closed_lead_times": done.lead_times_by_end,
    }
    batch.save(update_fields=["result"])
    _record("commit_import", batch, actor, after={"file": batch.file_name, **found.counts})
    report_import(EventType.IMPORT_DONE, batch)
    if rows:
        versions.raise_version(reason="import")
    return batch


@transaction.atomic
def undo_import(batch: ImportBatch, *, actor: User | None) -> ImportBatch:
    """Take an import back: its rows go, and what it closed is as it was.

    Raises CatalogError where it was undone already, or where a later import or a quote builds on it.
    """
    versions.lock()
    batch = ImportBatch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if batch.undone_at is not None:
        raise CatalogError("import_undone_already")
    prices = PriceObservation.objects.filter(import_batch=batch)
    leads = LeadTimeObservation.objects.filter(import_batch=batch)
    if prices.exclude(superseded_by=None).exclude(superseded_by__import_batch=batch).exists():
        raise _built_upon(batch, "price")
    if leads.exclude(superseded_by=None).exclude(superseded_by__import_batch=batch).exists():
        raise _built_upon(batch, "lead time")
    _reopen(PriceObservation, batch.result["closed_prices"])
    _reopen(LeadTimeObservation, batch.result["closed_lead_times"])
    _take_out(batch)
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
    new: dict[ProductKey, ImportRow] = {}
    keys: dict[int, ProductKey] = {}
    for row in rows:
        if plan.parts.get(row.line) is None:
            key = keys[row.line] = (maker_key(row.manufacturer), normalise_mpn(row.mpn))
            if key not in known:
                new.setdefault(key, row)
    made = []
    for pk, (key, row) in zip(reserve_keys(Part, len(new)), new.items(), strict=True):
        values = _part_values(plan.organisation, row, plan.accelerators.get(row.line))
        known[key] = PartRef(pk, values[0], row.manufacturer, row.mpn)
        made.append((pk, *values))
    insert_rows(Part, PART_FIELDS, made, same={"organisation_id": plan.organisation.pk if plan.organisation else None})
    for line, key in keys.items():
        plan.parts[line] = known[key]
    return [values[0] for values in made]


def _part_values(organisation: Organisation | None, row: ImportRow, accelerator_id: int | None) -> tuple[Any, ...]:
    """PART_FIELDS after the key, the slug first."""
    owner = str(organisation.pk) if organisation else ""
    identity = "\x1f".join((owner, maker_key(row.manufacturer), row.mpn))
    digest = hashlib.sha256(identity.encode()).hexdigest()[:8]
    return (
        f"{slugify(f'{row.manufacturer} {row.mpn}')[:130]}-{digest}",
        PartKind.ACCELERATOR.value if accelerator_id else PartKind.OTHER.value,
        accelerator_id,
        1 if accelerator_id else None,
        row.manufacturer,
        row.mpn,
        normalise_mpn(row.mpn),
        row.description,
        row.gtin,
        row.eccn,
        row.hts[:13],
    )


def _store_prices(plan: Plan, rows: Sequence[ImportRow], batch: ImportBatch, done: _Done, *, today: date) -> None:
    new: list[tuple[Any, ...]] = []
    replaced: list[tuple[Ending, int]] = []  # prices on file, and which of the new ones follows them
    for row in rows:
        part, supplier = _subjects(plan, row)
        change = plan.change(row)
        for at, price in enumerate(change.prices):
            ends = change.price_ends[at] if change.price_ends else ()
            replaced += [(end, len(new)) for end in ends]
            new.append((part.pk, supplier.pk, price.kind.value, price.amount, *_price_values(row, price, today)))
    keys = reserve_keys(PriceObservation, len(new))
    insert_rows(
        PriceObservation,
        PRICE_FIELDS,
        ((key, *values) for key, values in zip(keys, new, strict=True)),
        same=_same_values(batch),
    )
    closing = {pk: (end, at) for (pk, end), at in replaced if pk not in done.closed}
    starts = PRICE_FIELDS.index("valid_from") - 1
    ends_of_old = []
    for pk, (end, at) in closing.items():
        last_day = new[at][starts] - timedelta(days=1)
        ends_of_old.append((pk, min(end, last_day) if end else last_day, keys[at]))
    close_rows(PriceObservation, ends_of_old)
    done.close_prices((pk, end) for pk, (end, _at) in closing.items())


def _price_values(row: ImportRow, price: StatedPrice, today: date) -> tuple[Any, ...]:
    """PRICE_FIELDS after the price itself."""
    seen = seen_on(row, today)
    return (
        seen,
        min(row.valid_from or seen, row.valid_until or row.valid_from or seen),
        row.valid_until,
        row.sku,
        row.description,
        row.currency,
        (row.unit or "each")[:30],
        TaxBasis(row.tax_basis or TaxBasis.UNSTATED).value,
        price.min_quantity,
        row.pack or 1,
        DateKind.PUBLISHED.value if row.price_date else DateKind.OBSERVED.value,
        row.line,
    )


def _same_values(batch: ImportBatch) -> dict[str, Any]:
    """What every observation of an import shares."""
    return {
        "organisation_id": batch.organisation_id,
        "import_batch_id": batch.pk,
        "source_title": batch.file_name[:300],
    }


def _store_lead_times(plan: Plan, rows: Sequence[ImportRow], batch: ImportBatch, done: _Done, *, today: date) -> None:
    """One statement per part and supplier, the first of the file."""
    new: dict[tuple[int, int], tuple[Any, ...]] = {}
    ends: dict[tuple[int, int], tuple[Ending, ...]] = {}
    for row in rows:
        change = plan.change(row)
        if not change.has_new_lead or row.lead is None:
            continue
        part, supplier = _subjects(plan, row)
        key = (part.pk, supplier.pk)
        if key not in done.timed:
            new[key], ends[key] = _lead_values(row, row.lead, today), change.lead_ends
            done.timed.add(key)
    keys = reserve_keys(LeadTimeObservation, len(new))
    insert_rows(
        LeadTimeObservation,
        LEAD_FIELDS,
        ((pk, *subject, *values) for pk, (subject, values) in zip(keys, new.items(), strict=True)),
        same=_same_values(batch),
    )
    closing = [
        (old, pk, values[0]) for pk, (subject, values) in zip(keys, new.items(), strict=True) for old in ends[subject]
    ]
    close_rows(LeadTimeObservation, [(old[0], seen - timedelta(days=1), pk) for old, pk, seen in closing])
    done.close_lead_times(old for old, _pk, _seen in closing)


def _lead_values(row: ImportRow, lead: LeadTime, today: date) -> tuple[Any, ...]:
    """LEAD_FIELDS after part and supplier, the day first."""
    low, high = lead_weeks(row)
    return (
        seen_on(row, today),
        row.description,
        StockState(lead.state).value,
        low,
        high,
        lead.unit if lead.min_days is not None else "",
        lead.stock_count,
        lead.promised_on,
        row.line,
    )


def _iso(day: date | None) -> str:
    return day.isoformat() if day else ""


def _subjects(plan: Plan, row: ImportRow) -> tuple[PartRef, Supplier]:
    part = plan.parts[row.line]
    if part is None:
        raise AssertionError(f"line {row.line} has no part")
    return part, plan.suppliers[plan.supplier_name(row)[:100].casefold()]


def _take_out(batch: ImportBatch) -> None:
    """Delete what the import made, each long table in one statement. Raises CatalogError where others stand on it."""
    made = batch.result["made_parts"]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            delete_rows(PriceObservation, "import_batch_id", [batch.pk])
            delete_rows(LeadTimeObservation, "import_batch_id", [batch.pk])
            delete_rows(PartAlias, "part_id", made)
            delete_rows(Part, "id", made)
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        Supplier.objects.filter(pk__in=batch.result["made_suppliers"]).delete()
    except IntegrityError as error:
        raise _built_upon(batch, _standing_on_it(error)) from error


def _built_upon(batch: ImportBatch, detail: str) -> CatalogError:
    """Why an import cannot be taken back: the later files to undo first, else what stands on its rows."""
    later: set[str] = set()
    for model in (PriceObservation, LeadTimeObservation):
        newer = model._default_manager.filter(import_batch=batch, superseded_by__isnull=False).values("superseded_by")
        standing = model._default_manager.filter(Q(pk__in=newer) | Q(part__in=batch.result["made_parts"]))
        others = standing.exclude(import_batch=batch).exclude(import_batch=None).order_by()
        later |= set(others.values_list("import_batch__file_name", flat=True).distinct())
    if later:
        return CatalogError("import_has_later", files=", ".join(sorted(later)[:3]))
    return CatalogError("import_not_undoable", detail=detail)


def _standing_on_it(error: IntegrityError) -> str:
    """What the rows are called that lose what they name otherwise."""
    if isinstance(error, ProtectedError):
        return str(next(iter(error.protected_objects))._meta.verbose_name)
    table = getattr(getattr(error.__cause__, "diag", None), "table_name", "")
    found = (model for model in apps.get_models() if model._meta.db_table == table)
    return next((str(model._meta.verbose_name) for model in found), table)


def _reopen(model: type[PriceObservation | LeadTimeObservation], closed: Any) -> None:
    """Give closed observations their end back. `closed` holds keys by end; older batches hold pairs of both."""
    pairs = closed if isinstance(closed, list) else ((pk, end) for end, keys in closed.items() for pk in keys)
    close_rows(model, ((pk, date.fromisoformat(end) if end else None, None) for pk, end in pairs))


def _record(action: str, batch: ImportBatch, actor: User | None, *, after: dict[str, Any]) -> None:
    record_event(
        action=action,
        object_kind="importbatch",
        object_id=str(batch.public_id),
        actor=actor,
        organisation=batch.organisation,
        after=after,
    )
