"""Accelerators, links and servers as their data sheets state them, in base units."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from sizing.core.errors import InvalidHardware
from sizing.core.precision import Rate


class DeviceKind(StrEnum):
    GPU = "gpu"
    CPU = "cpu"
    EDGE = "edge"
    ASIC = "asic"


class DeviceClass(StrEnum):
    """What a buyer tells apart: cards for servers, processors alone, and whole small computers."""

    ACCELERATOR = "accelerator"
    PROCESSOR = "processor"
    EDGE = "edge"


DESKTOP = "desktop system"


class Vendor(StrEnum):
    NVIDIA = "nvidia"
    AMD = "amd"
    INTEL = "intel"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerator:
    """One orderable accelerator (or processor, for inference on CPU).

    All rates are dense. `usable_memory_bytes` is what a driver or engine reports, where a log
    or the stated rule gives it; `memory_bytes` is the vendor's printed capacity.
    `scale_up_bytes_per_s` is one direction of the in-node link (NVLink, Infinity Fabric),
    None where the card has none and PCIe carries the traffic. Figures that no sheet prints are
    None and never zero.
    """

    slug: str
    name: str
    vendor: Vendor
    kind: DeviceKind
    memory_bytes: int
    usable_memory_bytes: int
    bandwidth_bytes_per_s: float
    flops_per_s: Mapping[Rate, float]
    compute_capability: str = ""  # "9.0" for NVIDIA, "gfx942" for AMD, "" where none
    architecture: str = ""
    form_factor: str = ""
    memory_type: str = ""
    tdp_w: float | None = None
    scale_up_bytes_per_s: float | None = None
    scale_up_domain: int = 1  # accelerators that one scale-up fabric joins
    pcie_bytes_per_s: float | None = None  # one direction
    logical_devices: int = 1
    status: str = ""
    mig_max_instances: int | None = None
    usable_memory_source: str = ""
    source: str = ""
    as_of: str = ""
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.memory_bytes <= 0:
            raise InvalidHardware("memory_not_positive", name=self.name, memory_bytes=self.memory_bytes)
        if self.bandwidth_bytes_per_s <= 0:
            raise InvalidHardware("bandwidth_not_positive", name=self.name)

    @property
    def device_class(self) -> DeviceClass:
        if self.kind is DeviceKind.CPU:
            return DeviceClass.PROCESSOR
        is_whole = self.kind is DeviceKind.EDGE or self.form_factor == DESKTOP
        return DeviceClass.EDGE if is_whole else DeviceClass.ACCELERATOR

    def made_by(self, makers: Sequence[str]) -> bool:
        """Whether one of these names, in any case, is the maker's: of the vendor, or the first word of the name."""
        own = {self.vendor.value, self.name.split(" ", 1)[0].casefold()}
        return any(maker.strip().casefold() in own for maker in makers)

    def rate(self, wanted: Rate) -> float | None:
        """Dense flop/s for `wanted`; falls back to the 16-bit rate where the unit lacks the format."""
        for rate in (wanted, Rate.BF16, Rate.FP16, Rate.TF32, Rate.FP32):
            if value := self.flops_per_s.get(rate):
                return value
        return None
