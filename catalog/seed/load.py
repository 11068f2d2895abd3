"""Load everything that Kvote ships into the catalogue; safe to run again at any time."""

from pathlib import Path

from django.db import transaction

from catalog import plausibility, versions
from catalog.messages import render
from catalog.models import Accelerator, DeviceMemory, Processor, Server
from catalog.seed import facts, offers, rules
from catalog.seed.files import DATA_DIR
from catalog.seed.parts import Catalogue, load_parts
from catalog.seed.report import SeedReport

SEED_VERSION = "2026-11-30"
"""The day the shipped files were compiled."""


class SeedFailed(Exception):
    """The files hold something unreadable; nothing was loaded. `report.errors` names each place."""

    def __init__(self, report: SeedReport) -> None:
        self.report = report
        super().__init__("; ".join(report.errors))


def load_seed(data_dir: Path = DATA_DIR) -> SeedReport:
    """Load all files in one transaction and raise the catalogue's version if anything changed.

    Unknown names are kept with their rows and listed in the report. Raises SeedFailed, with
    nothing written, where a cell cannot be read or a key occurs twice.
    """
    report = SeedReport(version=SEED_VERSION)
    with transaction.atomic():
        versions.lock()
        _load(data_dir, report)
        if report.errors:
            raise SeedFailed(report)
        if report.changed:
            versions.raise_version(reason=f"seed {SEED_VERSION}")
    return report


def _load(data_dir: Path, report: SeedReport) -> None:
    accelerators = facts.load_accelerators(data_dir, report)
    processors = facts.load_processors(data_dir, report)
    components = facts.load_components(data_dir, report, processors)
    servers = facts.load_servers(data_dir, report, accelerators)
    facts.load_interconnects(data_dir, report)
    facts.load_formats(data_dir, report)
    facts.load_software(data_dir, report)
    facts.load_models(data_dir, report)
    rules.load_rules(data_dir, report)
    catalogue = Catalogue(accelerators, processors, servers, components)
    load_parts(data_dir, report, catalogue)
    offers.load_prices(data_dir, report, catalogue)
    offers.load_lead_times(data_dir, report, catalogue)
    offers.load_cloud_rates(data_dir, report, catalogue)
    _check(accelerators, processors, servers, report)


def _check(
    accelerators: dict[str, Accelerator],
    processors: dict[str, Processor],
    servers: dict[str, Server],
    report: SeedReport,
) -> None:
    rows: list[Accelerator | Processor | Server] = [*accelerators.values(), *processors.values(), *servers.values()]
    for row in rows:
        for doubt in plausibility.doubts_about(row):
            report.implausible.append(f"{row.slug}: {render(doubt.message)}")
    for memory in DeviceMemory.objects.select_related("accelerator").exclude(accelerator__memory_gb=None):
        for doubt in plausibility.usable_memory_doubts(
            memory_gb=memory.accelerator.memory_gb or 0.0,
            usable_bytes=memory.usable_bytes,
            devices=memory.units_per_accelerator,
        ):
            report.implausible.append(f"{memory.accelerator.slug}: {render(doubt.message)}")
