"""What every kind of workload tells the search: its demand, its limit, and what one device makes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.fitted import KindCoefficients
from sizing.core.precision import StorageFormat
from sizing.core.units import GB
from sizing.core.values import Estimate, Message, Param
from sizing.core.workload import Site

RUNTIME_BYTES = round(1.0 * GB)
"""Context, kernels and allocator of a serving process on an accelerator (assumption, as for language engines)."""

DEVICE_SHARE = 0.92  # of the usable memory that a server may plan with
TIGHT_MEMORY = 0.05  # margin below which little is left for updates


@dataclass(frozen=True, slots=True, kw_only=True)
class KindMemory:
    """Bytes on one accelerator. Only language models keep something between requests: `kv_pool_bytes`."""

    usable_bytes: int
    weight_bytes: int
    activation_bytes: int
    runtime_bytes: int
    kv_pool_bytes: int = 0

    @property
    def used_bytes(self) -> int:
        return self.weight_bytes + self.activation_bytes + self.runtime_bytes

    @property
    def margin(self) -> float:
        """Share of what may be planned with that is free; negative where it does not fit."""
        budget = self.usable_bytes * DEVICE_SHARE
        return (budget - self.used_bytes) / budget


def memory_of(device: Accelerator, *, weight_bytes: float, activation_bytes: float) -> KindMemory:
    runtime = 0 if device.kind is DeviceKind.CPU else RUNTIME_BYTES
    return KindMemory(
        usable_bytes=device.usable_memory_bytes,
        weight_bytes=round(weight_bytes),
        activation_bytes=round(activation_bytes),
        runtime_bytes=runtime,
    )


def batches_that_fit(
    batches: Sequence[int], device: Accelerator, *, weight_bytes: float, activation_bytes_per_item: float
) -> list[int]:
    """Those of `batches` that leave room on the device, in their order; the smallest where none does."""
    roomy = [
        batch
        for batch in batches
        if memory_of(device, weight_bytes=weight_bytes, activation_bytes=batch * activation_bytes_per_item).margin
        >= TIGHT_MEMORY
    ]
    return roomy or [min(batches)]


def over_site_power(device: Accelerator, devices: int, site: Site) -> Message | None:
    """Why the devices alone draw more than the place gives, without a server around them; None where they do not."""
    if site.max_power_w is None or device.tdp_w is None:
        return None
    total_w = device.tdp_w * (1 if device.kind is DeviceKind.CPU else devices)
    if total_w <= site.max_power_w:
        return None
    params: dict[str, Param] = {"power_w": total_w, "limit_w": site.max_power_w}
    if devices == 1:
        return Message("device_over_site_power", params)
    return Message("devices_over_site_power", {**params, "devices": devices})


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchTime:
    """Time of one batch of this size."""

    batch: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """What one replica (`devices` accelerators) makes of a task in one format under one engine."""

    items_per_s: float  # offline, at this batch
    batch: int
    batch_s: float  # time of one batch
    memory: KindMemory
    bottleneck: Bottleneck
    devices: int = 1
    compute_share: float = 0.0  # of the dense peak in use at full load
    response_s: float | None = None  # what a limit is about, where that is not the time of a batch
    host_bytes: float = 0.0  # tables and caches in the memory of the server
    times: Sequence[BatchTime] = ()  # of every batch that fits, where single requests can be gathered

    @property
    def latency_s(self) -> float:
        """Time from the start of service to the answer."""
        return self.batch_s if self.response_s is None else self.response_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Host:
    """What the task asks of the server around the accelerators; None where not known."""

    cores: float | None = None
    payload_bytes_per_item: float = 0.0


class Task(Protocol):
    """One workload of a kind. `family` names its fit, `network` the model as measured points may name it."""

    @property
    def family(self) -> str: ...
    @property
    def network(self) -> str: ...
    @property
    def demand_per_s(self) -> float: ...
    @property
    def limit_p95_s(self) -> float | None: ...
    @property
    def random_arrivals(self) -> bool: ...
    @property
    def weight_parameters(self) -> float: ...
    @property
    def host(self) -> Host: ...

    def served(
        self,
        device: Accelerator,
        weights: StorageFormat,
        engine: str,
        coefficients: KindCoefficients,
    ) -> "Served | Message":
        """The best batch on this device, or why the device cannot do it at all."""

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        """The figures that the kind promises, with interval and source."""


def compute_bound(computing_s: float, reading_s: float) -> Bottleneck:
    return Bottleneck.COMPUTE if computing_s >= reading_s else Bottleneck.MEMORY_BANDWIDTH
