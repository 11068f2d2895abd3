"""Bring a table in line with its seed rows; rows that a person edited stay as they are."""

from collections.abc import Iterable
from typing import Any

from django.db import models

from catalog.seed.files import Values
from catalog.seed.report import SeedReport

BATCH = 500


def sync(
    model: type[models.Model], rows: Iterable[Values], report: SeedReport, *, delete_left: bool = False
) -> dict[str, Any]:
    """Create and update by `seed_key`; returns every row of the seed by its key.

    A row that left the files stays, because a quote may point at it; only with `delete_left`
    (rows that nothing points at) it goes, unless a person edited it. A key that occurs twice is
    an error of the report and its first row wins.
    """
    label = model._meta.model_name or ""
    wanted = _by_key(rows, report, label)
    manager: Any = model._default_manager
    existing = {row.seed_key: row for row in manager.filter(seed_key__in=wanted)}
    created: list[Any] = []
    changed: list[Any] = []
    for key, values in wanted.items():
        row = existing.get(key)
        if row is None:
            created.append(model(seed_key=key, seed_version=report.version, **values))
        elif row.edited_at is not None:
            report.kept_edited[label] += 1
        elif _apply(row, values):
            row.seed_version = report.version
            changed.append(row)
        else:
            report.unchanged[label] += 1
    manager.bulk_create(created, batch_size=BATCH)
    if changed:
        names = sorted({name for values in wanted.values() for name in values} | {"seed_version"})
        manager.bulk_update(changed, names, batch_size=BATCH)
    report.created[label] += len(created)
    report.updated[label] += len(changed)
    if delete_left:
        left = manager.filter(seed_key__isnull=False, edited_at__isnull=True).exclude(seed_key__in=wanted)
        report.closed[label] += left.delete()[0]
    return existing | {row.seed_key: row for row in created}


def append(model: type[models.Model], rows: Iterable[Values], report: SeedReport) -> None:
    """Add the observations that are not there yet; those that left the files are closed.

    An observation is never changed: its key is the hash of its record, so a corrected record is
    a new observation. Closing means that it ends on the day it was made.
    """
    label = model._meta.model_name or ""
    wanted = _by_key(rows, report, label)
    manager = model._default_manager
    seeded = manager.filter(seed_key__isnull=False)
    known = set(seeded.values_list("seed_key", flat=True))
    fresh = [
        model(seed_key=key, seed_version=report.version, **values) for key, values in wanted.items() if key not in known
    ]
    manager.bulk_create(fresh, batch_size=BATCH)
    report.created[label] += len(fresh)
    report.unchanged[label] += len(wanted) - len(fresh)
    left = seeded.exclude(seed_key__in=wanted).filter(valid_to__isnull=True)
    report.closed[label] += left.update(valid_to=models.F("observed_on"))


def _by_key(rows: Iterable[Values], report: SeedReport, label: str) -> dict[str, Values]:
    wanted: dict[str, Values] = {}
    for values in rows:
        key = str(values.pop("seed_key"))
        if key in wanted:
            report.errors.append(f"{label}: {key} occurs twice")
            continue
        wanted[key] = values
    return wanted


def _apply(row: models.Model, values: Values) -> bool:
    changed = False
    for name, value in values.items():
        if not _same(getattr(row, name), value):
            setattr(row, name, value)
            changed = True
    return changed


def _same(stored: object, wanted: object) -> bool:
    """Whether two values are equal; jsonb gives 1e308 back as a whole number, which is the same figure."""
    if isinstance(stored, dict) and isinstance(wanted, dict):
        return stored.keys() == wanted.keys() and all(_same(stored[key], wanted[key]) for key in wanted)
    if isinstance(stored, list) and isinstance(wanted, list):
        return len(stored) == len(wanted) and all(map(_same, stored, wanted))
    if isinstance(wanted, float) and isinstance(stored, int):
        return float(stored) == wanted
    return stored == wanted
