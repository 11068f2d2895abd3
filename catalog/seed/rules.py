"""The shipped rules of the configurator -> rows; what a person edited stays."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from catalog.models import BomRule
from catalog.seed.files import DATA_DIR, Values
from catalog.seed.report import SeedReport
from catalog.seed.sync import sync

FILE = "bom_rules.json"


def shipped_rules(data_dir: Path = DATA_DIR) -> list[dict[str, Any]]:
    """The records of the file (id, value, unit, kind, source, date, least, most); an absent file has none."""
    path = data_dir / FILE
    if not path.exists():
        return []
    records: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["rules"]
    return records


def load_rules(data_dir: Path, report: SeedReport) -> None:
    """Create and update the rules by their id."""
    sync(BomRule, _rows(data_dir), report)


def _rows(data_dir: Path) -> Iterator[Values]:
    for record in shipped_rules(data_dir):
        yield {
            "seed_key": f"rule:{record['id']}",
            "slug": record["id"],
            "value": record["value"],
            "unit": record["unit"],
            "kind": record["kind"],
            "least": record["least"],
            "most": record["most"],
            "source_title": record["source"],
            "source_date": record["date"],
        }
