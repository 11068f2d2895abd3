"""Orderable parts of the shipped data: products as such, manufacturers' numbers, and what only a price names."""

from dataclasses import dataclass, field
from pathlib import Path

from django.utils.text import slugify

from catalog.choices import PartKind
from catalog.models import Accelerator, Component, Part, Processor, Server
from catalog.part_numbers import normalise_mpn
from catalog.seed.files import SeedLine, Values, read
from catalog.seed.report import SeedReport, UnknownName
from catalog.seed.sync import sync

NO_PARTS = frozenset({"electricity", "fx"})
"""Categories of the price file that are tariffs and rates, not goods."""

KIND_OF_CATEGORY = {
    "cpu": PartKind.PROCESSOR,
    "ram": PartKind.RAM,
    "storage": PartKind.STORAGE,
    "nic": PartKind.NIC,
    "switch": PartKind.SWITCH,
    "transceiver": PartKind.TRANSCEIVER,
    "psu": PartKind.PSU,
    "power_cord": PartKind.CABLE,
    "nvlink_bridge": PartKind.ACCESSORY,
    "gpu_order_code": PartKind.ACCELERATOR,
    "software": PartKind.SOFTWARE,
    "gpu": PartKind.ACCELERATOR,
    "system": PartKind.SERVER,
    "rack": PartKind.SERVER,
    "compact": PartKind.SERVER,
    "workstation": PartKind.SERVER,
    "edge": PartKind.SERVER,
}
"""Kind of a part by the category of components and prices."""

KIND_BY_WORD = (
    ("baseboard", PartKind.BASEBOARD),
    ("bridge", PartKind.ACCESSORY),
    ("cable", PartKind.CABLE),
    ("cord", PartKind.CABLE),
    ("rdimm", PartKind.RAM),
    ("nvme", PartKind.STORAGE),
    ("switch", PartKind.SWITCH),
    ("sr8", PartKind.TRANSCEIVER),
    ("connectx", PartKind.NIC),
)
"""Kind of a numbered part that has no row of its own, by the first word that its description holds."""

RACK_CATEGORIES = frozenset({"rack", "system"})
SYSTEM_SUFFIX = "-system"


@dataclass(slots=True)
class Catalogue:
    """The rows that an offer may be about, by slug."""

    accelerators: dict[str, Accelerator]
    processors: dict[str, Processor]
    servers: dict[str, Server]
    components: dict[str, Component]
    parts: dict[str, Part] = field(default_factory=dict)
    parts_by_number: dict[str, Part] = field(default_factory=dict)

    def keep_parts(self, parts: dict[str, Part]) -> None:
        self.parts = parts
        self.parts_by_number = {part.mpn: part for part in parts.values() if part.mpn}

    def part_of(self, slug: str, mpn: str = "", category: str = "") -> Part | None:
        """The part that a record means: by number, else the whole system for a rack, else by slug."""
        if mpn in self.parts_by_number:
            return self.parts_by_number[mpn]
        if category in RACK_CATEGORIES and f"{slug}{SYSTEM_SUFFIX}" in self.parts:
            return self.parts[f"{slug}{SYSTEM_SUFFIX}"]
        return self.parts.get(slug)


def load_parts(data_dir: Path, report: SeedReport, catalogue: Catalogue) -> None:
    """One part for each product as such, one for each manufacturer's number, and those that prices name."""
    rows: dict[str, Values] = {}
    _product_parts(catalogue, rows)
    by_number = {(row["manufacturer"], row["mpn"]): row for row in rows.values() if row["mpn"]}
    for line in read("part_numbers", data_dir):
        _numbered_part(line, catalogue, rows, by_number, report)
    for line in read("prices", data_dir):
        if line["category"] not in NO_PARTS:
            _priced_part(line, rows, report)
    for line in read("lead_times", data_dir):
        if line["item_slug"] and line["item_slug"] not in rows:
            _unknown_part(line, rows, report, name=line["item"], category=line["class"])
    for row in rows.values():
        row["mpn_normalised"] = normalise_mpn(str(row["mpn"]))
    catalogue.keep_parts(sync(Part, rows.values(), report))


def _product_parts(catalogue: Catalogue, rows: dict[str, Values]) -> None:
    for accelerator in catalogue.accelerators.values():
        if accelerator.availability != "cloud-only":
            row = _part(accelerator.slug, PartKind.ACCELERATOR, accelerator.vendor, str(accelerator))
            rows[accelerator.slug] = {**row, "accelerator_id": accelerator.pk, "accelerators_in_part": 1}
    for processor in catalogue.processors.values():
        row = _part(processor.slug, PartKind.PROCESSOR, processor.vendor, str(processor))
        rows[processor.slug] = {**row, "processor_id": processor.pk}
    for component in catalogue.components.values():
        if component.category == "gpu_order_code" and not component.mpn:
            continue
        row = rows.get(component.slug) or _part(
            component.slug, KIND_OF_CATEGORY[component.category], component.vendor, str(component)
        )
        rows[component.slug] = {**row, "component_id": component.pk, "mpn": component.mpn, **_source(component)}
    for server in catalogue.servers.values():
        slug = f"{server.slug}{SYSTEM_SUFFIX}" if server.slug in rows else server.slug
        rows[slug] = {**_part(slug, PartKind.SERVER, server.vendor, str(server)), "server_id": server.pk}


def _part(slug: str, kind: PartKind, manufacturer: str, description: str) -> Values:
    return {
        "seed_key": slug,
        "slug": slug,
        "kind": kind,
        "manufacturer": manufacturer,
        "mpn": "",
        "oem": "",
        "oem_part_number": "",
        "description": description,
        "accelerator_id": None,
        "processor_id": None,
        "server_id": None,
        "component_id": None,
        "accelerators_in_part": None,
        "confidence": "",
        "source_title": "",
        "source_url": "",
        "source_date": "",
    }


def _source(row: Component | SeedLine) -> Values:
    names = ("source_title", "source_url", "source_date", "confidence")
    if isinstance(row, SeedLine):
        return {name: row[name] for name in names}
    return {name: getattr(row, name) for name in names}


def _numbered_part(
    line: SeedLine,
    catalogue: Catalogue,
    rows: dict[str, Values],
    by_number: dict[tuple[object, object], Values],
    report: SeedReport,
) -> None:
    target = line["slug"]
    accelerator = catalogue.accelerators.get(target)
    processor = catalogue.processors.get(target)
    component = catalogue.components.get(target)
    server = catalogue.servers.get(target) if accelerator is None else None
    if target and not (accelerator or processor or component or server):
        report.unknown.append(UnknownName(line.file, line.number, "slug", target))
    known = by_number.get((line["manufacturer"], line["mpn"])) if line["mpn"] else None
    if known is None:
        number = f"{line['manufacturer']} {line['mpn']}" if line["mpn"] else f"{line['oem']} {line['oem_part_number']}"
        slug = slugify(number)
        known = _part(slug, _kind(line, target, rows), line["manufacturer"], line["description"])
        if slug in rows:
            report.errors.append(f"{line.file} line {line.number}: the number {number!r} occurs twice")
            return
        rows[slug] = known
    known.update(
        mpn=line["mpn"],
        oem=line["oem"],
        oem_part_number=line["oem_part_number"],
        accelerator_id=accelerator.pk if accelerator else known["accelerator_id"],
        processor_id=processor.pk if processor else known["processor_id"],
        component_id=component.pk if component else known["component_id"],
        server_id=server.pk if server else known["server_id"],
        accelerators_in_part=1 if accelerator else None,
        **_source(line),
    )


def _kind(line: SeedLine, target: str, rows: dict[str, Values]) -> PartKind:
    if target in rows:
        return PartKind(str(rows[target]["kind"]))
    words = line["description"].lower()
    if "(not in the catalogue)" in words or "price list only" in words:
        return PartKind.ACCELERATOR
    return next((kind for word, kind in KIND_BY_WORD if word in words), PartKind.OTHER)


def _priced_part(line: SeedLine, rows: dict[str, Values], report: SeedReport) -> None:
    slug, mpn = line["item_slug"], line["mpn"]
    known_number = mpn and any(row["mpn"] == mpn for row in rows.values())
    if slug not in rows and not known_number:
        _unknown_part(line, rows, report, name=line["item_name"], category=line["category"])
    elif slug not in rows:
        report.unknown.append(UnknownName(line.file, line.number, "item_slug", slug))


def _unknown_part(line: SeedLine, rows: dict[str, Values], report: SeedReport, *, name: str, category: str) -> None:
    report.unknown.append(UnknownName(line.file, line.number, "item_slug", line["item_slug"]))
    kind = KIND_OF_CATEGORY.get(category, PartKind.OTHER)
    rows[line["item_slug"]] = {**_part(line["item_slug"], kind, "", name), **_source(line)}
