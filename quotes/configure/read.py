"""Catalogue rows as texts -> records. The one place where a vendor's wording becomes a figure.

Every function takes one row with the column names of the seed files (docs/catalog-format.md); a cell
that says nothing becomes None or "". Wording that is not understood stays unknown.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from quotes.configure.edge import known_traits
from quotes.configure.facts import (
    AcceleratorPart,
    Chassis,
    ComponentPart,
    CpuPart,
    LeadTimeFact,
    MountKind,
    MountOption,
    PartClass,
    PartNumber,
    PriceFact,
    SeenBuild,
)
from quotes.configure.read_text import (
    card_limits,
    component_form,
    cooling_filed,
    cooling_kinds,
    cpu_generations,
    cpu_models,
    first_number,
    mount_options,
    ports_of,
    supply_scheme,
    voltage_ranges,
)

type Row = Mapping[str, str]

COMPLETE_SYSTEM_PREFIXES = ("nvidia-dgx-",)
# Filings on rented machines: the chassis has a name and nobody sells it.
DESK_MODULES = frozenset({"nvidia-dgx-spark-gb10"})  # sold in desktop units alone, whoever builds them
CLOUD_VENDORS = frozenset({"Microsoft Azure", "Oracle", "Sustainable Metal Cloud", "Google", "IBM Cloud", "Crusoe"})


def accelerator_from_row(row: Row) -> AcceleratorPart:
    """One row of the accelerators file."""
    name = " ".join(part for part in (row["vendor"], row["name"], row["variant"]) if part)
    return AcceleratorPart(
        slug=row["slug"],
        name=name,
        vendor=row["vendor"],
        form_factor=row["form_factor"],
        slot_width=_int(row["slot_width"]),
        memory_gb=_float(row["memory_gb"]),
        tdp_w=_float(row["tdp_w"]),
        cooling=row["cooling"],
        pcie_lanes=_int(row["pcie_lanes"]),
        scale_up_link=row["scale_up_link"],
        scale_up_domain=_int(row["scale_up_domain_size"]) or 1,
        availability=row["availability"],
        status=row["status"],
    )


def chassis_from_row(row: Row, seen: Iterable[SeenBuild] = ()) -> Chassis:
    """One row of the servers file; `seen` are published builds of the same chassis."""
    maximum = _int(row["max_accelerators"])
    mounts = mount_options(row["accelerator_mount"], maximum)
    integrated = any(option.kind is MountKind.INTEGRATED for option in mounts)
    compatible = frozenset(part for part in row["compatible_accelerators"].split(";") if part)
    chassis = Chassis(
        slug=row["slug"],
        vendor=row["vendor"],
        model=row["model"],
        category=row["category"],
        status=row["status"],
        rack_units=_float(row["rack_units"]),
        mounts=mounts,
        max_accelerators=maximum,
        card_limits=card_limits(row["notes"], compatible),
        compatible=compatible,
        seen=tuple(seen),
        complete_system=integrated or row["slug"].startswith(COMPLETE_SYSTEM_PREFIXES),
        confidence=row["confidence"],
        source=row["source_title"],
        as_of=row["source_date"],
    )
    return _with_place(_with_host(chassis, row), row)


def _with_host(chassis: Chassis, row: Row) -> Chassis:
    """Processors, memory, drives and slots."""
    families = row["cpu_families"]
    return replace(
        chassis,
        cpu_sockets=_int(row["cpu_sockets"]),
        cpu_text=families,
        cpu_generations=cpu_generations(families),
        cpu_models=cpu_models(families),
        cpu_max_w=first_number(families, r"<=\s*(\d+)\s*W"),
        cpu_max_cores=_int_or_none(first_number(families, r"(?:<=|up to)\s*(\d+)\s*cores")),
        dimm_slots=_int(row["dimm_slots"]),
        max_ram_gb=_float(row["max_ram_gb"]),
        ram_type=row["ram_type"],
        drive_bays=row["drive_bays"],
        nic_slots=row["nic_pcie_slots"],
        pcie_switched=_switched(f"{row['accelerator_mount']} {row['notes']}"),
    )


def _with_place(chassis: Chassis, row: Row) -> Chassis:
    """Supplies, cooling, weight, limits of the place, and what it offers away from a computer room."""
    cooling = cooling_kinds(row["cooling"])
    traits, lacks = known_traits(chassis.category, row.get("edge_features", ""), cooling)
    return replace(
        chassis,
        psu_count=_int(row["psu_count"]),
        psu_sizes_w=tuple(float(size) for size in row["psu_watts"].split("|") if size),
        psu_scheme=supply_scheme(row["psu_redundancy"]),
        input_voltage=row["input_voltage"],
        voltages=voltage_ranges(row["input_voltage"]),
        cooling=cooling,
        max_ambient_c=_float(row["max_ambient_c"]),
        min_ambient_c=first_number(row.get("op_temp_range_c", ""), r"^\s*(-?\d+)"),
        traits=traits,
        lacks=lacks,
        weight_kg=_float(row["weight_kg"]),
        max_system_power_w=_float(row["max_system_power_w"]),
    )


def chassis_from_builds(row: Row) -> Chassis:
    """One `missing_chassis` row of the file of chassis that are known from published builds only."""
    builds = tuple(seen_builds(row))
    kinds = {"hgx": MountKind.BOARD, "sxm4": MountKind.BOARD, "oam": MountKind.OAM, "pcie": MountKind.PCIE}
    categories = set(row["category"].split("|"))
    mounts = tuple(
        MountOption(kind=kind, count=_int(row["max_accelerators_seen"]))
        for name, kind in kinds.items()
        if name in categories
    )
    if not mounts and categories & {"edge", "workstation"} and (filed := _filed_mount(row["accelerators_seen"])):
        mounts = (MountOption(kind=filed, count=_int(row["max_accelerators_seen"])),)
    if categories & {"superchip", "rack_scale"}:
        mounts = (MountOption(kind=MountKind.INTEGRATED, count=_int(row["max_accelerators_seen"])),)
    processors = row["processors_seen"].replace("|", "; ")
    category = "cloud" if row["vendor"] in CLOUD_VENDORS else _category(categories, builds)
    cooling = cooling_filed(row["cooling"])
    traits, lacks = known_traits(category, "", cooling)
    return Chassis(
        slug=row["suggested_slug"],
        vendor=row["vendor"],
        model=row["chassis_model"],
        category=category,
        mounts=mounts,
        max_accelerators=_int(row["max_accelerators_seen"]),
        seen=builds,
        complete_system=any(option.kind is MountKind.INTEGRATED for option in mounts),
        cpu_sockets=_int(row["cpu_sockets"]),
        cpu_text=processors,
        cpu_models=cpu_models(processors),
        cooling=cooling,
        traits=traits,
        lacks=lacks,
        confidence=row["confidence"],
        source=row["source"],
        as_of=row["rounds"].split("|")[-1],
    )


def _filed_mount(text: str) -> MountKind | None:
    """How a small box holds what was filed in it: a Jetson module is part of it, a card needs a slot.

    None for the graphics of a chip, for M.2 sticks and where nothing was filed: no slot is known of such a box.
    """
    if "nvidia-jetson" in text or "Jetson" in text:
        return MountKind.INTEGRATED
    return MountKind.PCIE if re.search(r"x (?:nvidia|amd|intel)-|PCIe", text) else None


def seen_builds(row: Row) -> Iterable[SeenBuild]:
    """Accelerators and counts of one row of the file of published builds ("8x nvidia-l4|4x nvidia-l40s")."""
    for text in row["accelerators_seen"].split("|"):
        match = re.fullmatch(r"(\d+)x (\S+)", text.strip())
        if match:
            yield SeenBuild(accelerator=match[2], count=int(match[1]), source=row["source"])


def cpu_from_row(row: Row) -> CpuPart:
    """One row of the processors file."""
    return CpuPart(
        slug=row["slug"],
        vendor=row["vendor"],
        name=row["name"],
        generation=row["generation"],
        socket=row["socket"],
        max_sockets=_int(row["max_sockets"]),
        cores=_int(row["cores"]),
        memory_channels=_int(row["memory_channels"]),
        memory_type=row["memory_type"],
        memory_speed_mts=_int(row["memory_speed_mts"]),
        pcie_lanes=_int(row["pcie_lanes"]),
        tdp_w=_float(row["tdp_w"]),
        status=row["status"],
        source=row["source_title"],
        as_of=row["source_date"],
    )


PORTED = frozenset({PartClass.NIC, PartClass.SWITCH, PartClass.TRANSCEIVER})


def component_from_row(row: Row) -> ComponentPart | None:
    """One row of the components file; None for rows that other files hold (processors, accelerators)."""
    if row["category"] in {"cpu", "gpu_order_code"}:
        return None
    part_class = PartClass(row["category"])
    specs = f"{row['key_specs']} {row['model']}"
    ports, speed = ports_of(specs) if part_class in PORTED else (None, None)
    rated = first_number(row["key_specs"], r"(\d+) W\b") if part_class is PartClass.PSU else None
    return ComponentPart(
        slug=row["slug"],
        part_class=part_class,
        vendor=row["vendor"],
        model=row["model"],
        mpn=row["mpn"],
        oem_part_numbers=row["oem_part_numbers"],
        specs=row["key_specs"],
        capacity_gb=_capacity_gb(specs) if part_class in {PartClass.RAM, PartClass.STORAGE} else None,
        form=component_form(specs),
        ports=ports,
        port_gbit_s=speed,
        rated_w=rated,
        typical_power_w=_float(row["typical_power_w"]),
        confidence=row["confidence"],
        source=row["source_title"],
        as_of=row["source_date"],
    )


def part_number_from_row(row: Row) -> PartNumber:
    """One row of the part-number file."""
    return PartNumber(
        slug=row["slug"],
        manufacturer=row["manufacturer"],
        mpn=row["mpn"],
        oem=row["oem"],
        oem_part_number=row["oem_part_number"],
        confidence=row["confidence"],
        source=row["source_title"],
        as_of=row["source_date"],
    )


PRICE_CLASSES = {
    "gpu": PartClass.ACCELERATOR,
    "system": PartClass.SYSTEM,
    "rack": PartClass.SYSTEM,
    "compact": PartClass.SYSTEM,
    "workstation": PartClass.SYSTEM,
    "edge": PartClass.SYSTEM,
    "cpu": PartClass.CPU,
}


def price_from_row(row: Row) -> PriceFact | None:
    """One row of the price file; None for tariffs and exchange rates."""
    if row["category"] in {"electricity", "fx"} or not row["price"]:
        return None
    return PriceFact(
        slug=row["item_slug"],
        amount=Decimal(row["price"]),
        high=Decimal(row["price_high"]) if row["price_high"] else None,
        currency=row["currency"],
        kind=row["price_kind"],
        confidence=row["confidence"],
        unit=row["unit"],
        part_class=PRICE_CLASSES.get(row["category"]),
        seller=row["seller"],
        region=row["region"],
        used="used" in f"{row['item_name']} {row['notes']}".lower(),
        source=row["source_title"],
        as_of=row["source_date"],
    )


LEAD_CLASSES = {
    "gpu": PartClass.ACCELERATOR,
    "ram": PartClass.RAM,
    "cpu": PartClass.CPU,
    "server": PartClass.SYSTEM,
    "storage": PartClass.STORAGE,
    "network_switch": PartClass.SWITCH,
    "transceiver": PartClass.TRANSCEIVER,
}


def lead_time_from_row(row: Row) -> LeadTimeFact | None:
    """One row of the lead-time file; None for rows on facilities and power plant, and for past usual figures.

    Rows on whole GPU servers without a chassis speak of past shortages and join the system class.
    """
    part_class = LEAD_CLASSES.get(row["class"])
    if row["class"] == "gpu_server":
        part_class = PartClass.SYSTEM
    if part_class is None or "before" in row["item"]:
        return None
    first_word = row["item"].split()[0]
    return LeadTimeFact(
        part_class=part_class,
        slug=row["item_slug"],
        vendor=first_word if first_word in {"Intel", "AMD", "FS"} else "",
        weeks_low=_float(row["weeks_low"]),
        weeks_typical=_float(row["weeks_typical"]),
        weeks_high=_float(row["weeks_high"]),
        open_end="open" in row["notes"],
        region=row["region"],
        confidence=row["confidence"],
        source=row["source_title"],
        as_of=row["as_of"],
    )


def _category(kinds: set[str], builds: Sequence[SeenBuild]) -> str:
    if builds and all(build.accelerator in DESK_MODULES for build in builds):
        return "compact"
    names = {"edge": "industrial_edge", "workstation": "workstation", "rack_scale": "rack_scale"}
    return next((names[kind] for kind in sorted(kinds) if kind in names), "rackmount")


def _switched(text: str) -> bool | None:
    lowered = text.lower()
    if "cpu direct" in lowered:
        return False
    return True if "pcie switch" in lowered or "switched" in lowered else None


def _capacity_gb(text: str) -> float | None:
    match = re.search(r"([\d.]+)\s*(TB|GB)", text)
    if match is None:
        return None
    return float(match[1]) * (1000 if match[2] == "TB" else 1)


def _int(text: str) -> int | None:
    return int(float(text)) if text else None


def _int_or_none(number: float | None) -> int | None:
    return None if number is None else int(number)


def _float(text: str) -> float | None:
    return float(text) if text else None
