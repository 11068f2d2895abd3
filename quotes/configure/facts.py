"""What the configurator knows about hardware: frozen records, one per catalogue row.

None and "" mean that no source states the figure; they never mean zero or no. Powers are in watts,
memory in GB (10^9 bytes), dates are ISO texts, prices Decimal with their currency.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from functools import cache


class MountKind(StrEnum):
    """How an accelerator sits in a chassis."""

    PCIE = "pcie"
    BOARD = "board"  # SXM modules on an HGX board
    OAM = "oam"
    INTEGRATED = "integrated"  # soldered or sold as one unit
    UNKNOWN = "unknown"


BUILT_IN = frozenset({MountKind.BOARD, MountKind.OAM, MountKind.INTEGRATED})


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceleratorPart:
    """An accelerator as a part: what decides which chassis takes it."""

    slug: str
    name: str
    vendor: str
    form_factor: str = ""  # "PCIe FHFL dual", "SXM5", "OAM", "module", "cpu"
    slot_width: int | None = None
    memory_gb: float | None = None
    tdp_w: float | None = None
    cooling: str = ""  # "passive", "active", "liquid", "passive|liquid"
    pcie_lanes: int | None = None
    scale_up_link: str = ""
    scale_up_domain: int = 1
    availability: str = ""
    status: str = ""

    @property
    def mount(self) -> MountKind:
        return mount_of(self.form_factor)

    @property
    def is_processor(self) -> bool:
        """True where the "accelerator" is the host processor itself (inference on CPU)."""
        return self.form_factor == "cpu"

    @property
    def bridge_size(self) -> int:
        """Cards that one link bridge joins; 1 where the card takes none."""
        return self.scale_up_domain if "bridge" in self.scale_up_link and self.mount is MountKind.PCIE else 1


@cache
def mount_of(form_factor: str) -> MountKind:
    """The mount that a form factor of the catalogue needs."""
    lowered = form_factor.lower()
    if lowered.startswith("pcie"):
        return MountKind.PCIE
    if lowered.startswith("sxm"):
        return MountKind.BOARD
    if lowered.startswith("oam"):
        return MountKind.OAM
    if any(word in lowered for word in ("module", "desktop", "system", "superchip", "rack", "tray", "apu")):
        return MountKind.INTEGRATED
    return MountKind.UNKNOWN


@dataclass(frozen=True, slots=True, kw_only=True)
class MountOption:
    """One way to fit accelerators: `count` places for cards of up to `slot_width` slots and `max_w` watts each."""

    kind: MountKind
    count: int | None = None
    slot_width: int | None = None
    max_w: float | None = None
    low_profile: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyScheme:
    """`carrying` supplies hold the load while `spare` may fail."""

    carrying: int
    spare: int


@dataclass(frozen=True, slots=True, kw_only=True)
class VoltageRange:
    """An input that the supplies take, in volts; `current` is "AC" or "DC"."""

    low_v: float
    high_v: float
    current: str

    def takes(self, volts: float) -> bool:
        return self.low_v <= volts <= self.high_v


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBuild:
    """A build of this chassis that somebody filed or published."""

    accelerator: str
    count: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Chassis:
    """One orderable server, rack or edge box."""

    slug: str
    vendor: str
    model: str
    category: str = ""  # rackmount, rack_scale, workstation, tower, compact, industrial_edge
    status: str = ""
    rack_units: float | None = None
    mounts: tuple[MountOption, ...] = ()
    max_accelerators: int | None = None
    compatible: frozenset[str] = frozenset()
    card_limits: tuple[tuple[str, int], ...] = ()  # the maker's own maximum for single accelerators
    seen: tuple[SeenBuild, ...] = ()
    complete_system: bool = False  # sold with accelerators, processors, memory and drives in one price
    cpu_sockets: int | None = None
    cpu_text: str = ""
    cpu_generations: tuple[str, ...] = ()
    cpu_models: tuple[str, ...] = ()
    cpu_max_w: float | None = None
    cpu_max_cores: int | None = None
    dimm_slots: int | None = None
    max_ram_gb: float | None = None
    ram_type: str = ""
    drive_bays: str = ""
    nic_slots: str = ""
    pcie_switched: bool | None = None
    psu_count: int | None = None
    psu_sizes_w: tuple[float, ...] = ()
    psu_scheme: SupplyScheme | None = None
    input_voltage: str = ""
    voltages: tuple[VoltageRange, ...] = ()
    cooling: tuple[str, ...] = ()  # "air", "liquid", "fanless"
    max_ambient_c: float | None = None
    min_ambient_c: float | None = None
    traits: frozenset[str] = frozenset()  # what it is known to have: "wall", "poe", "can" ...
    lacks: frozenset[str] = frozenset()  # what it is known not to have
    weight_kg: float | None = None
    max_system_power_w: float | None = None
    confidence: str = ""
    source: str = ""
    as_of: str = ""

    @property
    def carries_accelerators(self) -> bool:
        """True where every way to fit accelerators is a board of them, which is never left out."""
        return bool(self.mounts) and all(mount.kind in BUILT_IN for mount in self.mounts)

    def seen_count(self, accelerator: str) -> int:
        """Largest count of this accelerator in a published build; 0 where none is known."""
        return max((build.count for build in self.seen if build.accelerator == accelerator), default=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuPart:
    """One host processor."""

    slug: str
    vendor: str
    name: str
    generation: str = ""
    socket: str = ""
    max_sockets: int | None = None
    cores: int | None = None
    memory_channels: int | None = None
    memory_type: str = ""
    memory_speed_mts: int | None = None
    pcie_lanes: int | None = None
    tdp_w: float | None = None
    status: str = ""
    mpn: str = ""
    source: str = ""
    as_of: str = ""


class PartClass(StrEnum):
    """Classes of components; the lead times of a class stand in where an item has none."""

    SYSTEM = "system"
    ACCELERATOR = "gpu"
    CPU = "cpu"
    RAM = "ram"
    STORAGE = "storage"
    NIC = "nic"
    SWITCH = "switch"
    TRANSCEIVER = "transceiver"
    PSU = "psu"
    POWER_CORD = "power_cord"
    BRIDGE = "nvlink_bridge"
    SOFTWARE = "software"
    RAILS = "rails"
    CABLE = "cable"
    SERVICE = "service"
    UPS = "ups"
    PDU = "pdu"
    COOLING_UNIT = "cooling_unit"
    SPARES = "spares"


@dataclass(frozen=True, slots=True, kw_only=True)
class ComponentPart:
    """A memory module, drive, adapter, switch, optic, supply, cord, bridge or licence."""

    slug: str
    part_class: PartClass
    vendor: str
    model: str
    mpn: str = ""
    oem_part_numbers: str = ""
    specs: str = ""
    capacity_gb: float | None = None  # memory and drives
    form: str = ""  # "U.2", "M.2", "E1.S", "E3.S", "OCP", "OSFP", "QSFP112" ...
    ports: int | None = None
    port_gbit_s: float | None = None
    rated_w: float | None = None  # output of a supply
    typical_power_w: float | None = None
    confidence: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartNumber:
    """An order code of the maker or of a server vendor for one accelerator."""

    slug: str
    manufacturer: str = ""
    mpn: str = ""
    oem: str = ""
    oem_part_number: str = ""
    confidence: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceFact:
    """One price seen in one place on one date. `confidence` A to D as in the catalogue."""

    slug: str
    amount: Decimal
    currency: str
    kind: str  # msrp, list, street, government_list, contract, quote, estimate_press
    high: Decimal | None = None
    confidence: str = ""
    unit: str = "each"
    part_class: PartClass | None = None  # an accelerator and a rack may share a slug; None prices either
    seller: str = ""
    region: str = ""
    used: bool = False
    valid_to: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadTimeFact:
    """One statement on delivery time in weeks. `slug` "" speaks for a whole class.

    `vendor` narrows a class statement ("Intel", "AMD"); `open_end` says that the upper end is not bounded.
    """

    part_class: PartClass
    slug: str = ""
    vendor: str = ""
    weeks_low: float | None = None
    weeks_typical: float | None = None
    weeks_high: float | None = None
    open_end: bool = False
    region: str = ""
    confidence: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OriginFact:
    """Where a part is made, who says so and how good the evidence is."""

    slug: str
    country: str
    grade: str = ""
    evidence: str = ""
    claimed_by: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExchangeRate:
    """One unit of `base` costs `rate` units of `quote`."""

    base: str
    quote: str
    rate: Decimal
    source: str
    as_of: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HardwareCatalogue:
    """Everything that the configurator may choose from, as plain sequences.

    `exchange_rates` may be empty: a price in a foreign currency is then unknown, never converted
    silently. Order does not matter; `prepare` sorts.
    """

    accelerators: tuple[AcceleratorPart, ...] = ()
    chassis: tuple[Chassis, ...] = ()
    processors: tuple[CpuPart, ...] = ()
    components: tuple[ComponentPart, ...] = ()
    part_numbers: tuple[PartNumber, ...] = ()
    prices: tuple[PriceFact, ...] = ()
    lead_times: tuple[LeadTimeFact, ...] = ()
    origins: Mapping[str, OriginFact] | None = None
    exchange_rates: tuple[ExchangeRate, ...] = ()
