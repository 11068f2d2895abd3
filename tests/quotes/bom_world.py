"""The shipped catalogue and rules for the configurator's tests, read once; and short factories."""

import csv
import json
from functools import cache
from pathlib import Path

from quotes.bom import (
    BomRequest,
    BomResult,
    HardwareCatalogue,
    Prepared,
    Procurement,
    Rules,
    catalogue_from_rows,
    configure,
    prepare,
    rules_from_records,
)
from quotes.cost import ApiRate, RentalRate, api_rate_from_row, rental_rate_from_row
from sizing.core.workload import Site

ROOT = Path(__file__).resolve().parents[2]
FILES = ("accelerators", "servers", "servers_more", "cpus", "components", "part_numbers", "prices", "lead_times")
AS_OF = "2026-11-30"
SITE = Site(max_power_w=200_000, rack_units=84, cooling="air", volts=230)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def catalogue() -> HardwareCatalogue:
    return catalogue_from_rows({name: rows(ROOT / "catalog" / "data" / f"{name}.csv") for name in FILES})


@cache
def shipped() -> Prepared:
    return prepare(catalogue())


@cache
def rules() -> Rules:
    return rules_from_records(json.loads((ROOT / "catalog" / "data" / "bom_rules.json").read_text())["rules"])


@cache
def rental_rates() -> tuple[RentalRate, ...]:
    return tuple(rate for row in _cloud() if (rate := rental_rate_from_row(row)))


@cache
def api_rates() -> tuple[ApiRate, ...]:
    return tuple(rate for row in _cloud() if (rate := api_rate_from_row(row)))


def _cloud() -> list[dict[str, str]]:
    return rows(ROOT / "catalog" / "data" / "cloud_rates.csv")


def request(slug: str, per_replica: int = 1, replicas: int = 1, **changes) -> BomRequest:
    """A request on the shipped catalogue; `chassis` pins the server."""
    chassis = changes.pop("chassis", None)
    values = {
        "accelerator": shipped().accelerators[slug],
        "accelerators_per_replica": per_replica,
        "replicas": replicas,
        "site": SITE,
        "procurement": Procurement(currency="USD", chassis=chassis),
        "as_of": AS_OF,
        "model_bytes": 70e9,
        "requests_per_s": 5.0,
        "payload_bytes_per_request": 20_000.0,
        "engine": "vllm",
    }
    return BomRequest(**(values | changes))


def configured(accelerator: str, per_replica: int = 1, replicas: int = 1, **changes) -> BomResult:
    return configure(request(accelerator, per_replica, replicas, **changes), shipped(), rules())


def quantity(result: BomResult, part_class: str) -> int:
    """Pieces of one class over all base lines."""
    return sum(line.quantity for line in result.lines if line.part_class == part_class and line.kind == "base")
