"""Seed files: CSV rows as strings, turned into values by the type of the model's field."""

import csv
import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Decimal, InvalidOperation
from pathlib import Path

from django.db import models

from catalog.seed.report import SeedReport

DATA_DIR = Path(__file__).resolve().parent.parent / "data"

type Value = str | int | float | bool | Decimal | date | None
type Values = dict[str, object]

_BOOLEANS = {"yes": True, "no": False, "on": True, "off": False}


@dataclass(frozen=True, slots=True)
class SeedLine:
    """One record of a file with its line number (the header is line 1)."""

    file: str
    number: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def fingerprint(self) -> str:
        """Hash of all cells: the key of a record that has no name of its own."""
        text = "\x1f".join(f"{column}={value}" for column, value in self.cells.items())
        return hashlib.sha256(text.encode()).hexdigest()[:24]


def read(name: str, data_dir: Path = DATA_DIR) -> list[SeedLine]:
    """The records of `<name>.csv`, cells stripped; an absent file has no records."""
    path = data_dir / f"{name}.csv"
    if not path.exists():
        return []
    with path.open(encoding="utf-8-sig", newline="") as handle:
        return [
            SeedLine(path.name, number, {key: (value or "").strip() for key, value in row.items() if key})
            for number, row in enumerate(csv.DictReader(handle), start=2)
        ]


def values_of(
    model: type[models.Model], line: SeedLine, report: SeedReport, *, rename: Mapping[str, str] | None = None
) -> Values:
    """Values for every column that the model has a field for (after `rename`), by the field's type.

    An empty cell becomes None for a figure and "" for a text. A cell that cannot be read is an
    error of the report and becomes None.
    """
    rename = rename or {}
    fields = {field.name: field for field in model._meta.concrete_fields}
    result: Values = {}
    for column, cell in line.cells.items():
        field = fields.get(rename.get(column, column))
        if field is None:
            continue
        try:
            result[field.name] = _value(field, cell)
        except (ValueError, InvalidOperation, KeyError):
            report.errors.append(f"{line.file} line {line.number}: {column} {cell!r} is no {field.get_internal_type()}")
            result[field.name] = None
    return result


def keyed(lines: list[SeedLine], prefix: str) -> Iterator[tuple[str, SeedLine]]:
    """Each line with a key from its content; equal lines get an ordinal, so that both are kept."""
    seen: dict[str, int] = {}
    for line in lines:
        fingerprint = line.fingerprint()
        seen[fingerprint] = seen.get(fingerprint, 0) + 1
        yield f"{prefix}:{fingerprint}:{seen[fingerprint]}", line


def _value(field: "models.Field[object, object]", cell: str) -> Value:  # noqa: PLR0911 - one return a type
    if isinstance(field, models.CharField | models.TextField):
        return cell
    if not cell:
        return None
    if isinstance(field, models.BooleanField):
        return _BOOLEANS[cell.lower()]
    if isinstance(field, models.DecimalField):
        return Decimal(cell)
    if isinstance(field, models.FloatField):
        return float(cell)
    if isinstance(field, models.IntegerField):
        return int(cell)
    if isinstance(field, models.DateField):
        return date.fromisoformat(cell)
    raise KeyError(field.name)
