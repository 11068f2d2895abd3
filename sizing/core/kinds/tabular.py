"""Tables, time series and sensor signals: tree ensembles, small networks, radar and LiDAR; processors first.

    t(b) = launch + b (visits / v + F / (e peak) + row / link) + model / (e_b bandwidth)
`visits` are nodes of trees that one row walks through, F the operations of a network or of Fourier transforms.
No measured point is packaged for this kind: rates are assumptions with their sources below, intervals wide.
Source: docs/method.md#tabular.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp2, log2

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.fitted import KindCoefficients, banded
from sizing.core.kinds.task import Host, Served, batches_that_fit, memory_of
from sizing.core.kinds.work import operation_s, peak_flops, served_share
from sizing.core.precision import Rate, StorageFormat
from sizing.core.units import MS_PER_S
from sizing.core.values import Estimate, Message

FAMILY = "tabular"
FP32_PER_CYCLE = 64.0  # peak operations of a core per cycle that the processor's FP32 rate was made with
CYCLES_PER_VISIT = 14.0
"""One node of a tree on one core: a compare and a load that misses the first cache (second-level latency of
14 cycles: Intel optimisation manual, Ice Lake and later). Assumption; batch evaluation hides a part of it."""

VISITS_PER_BYTE = 0.19
"""Nodes that an accelerator visits per byte of its bandwidth. A V100 (900 GB/s) evaluates up to 35 times what
40 cores do (RAPIDS Forest Inference Library, 2019): 35 x 40 cores x 2.5e8 = 3.5e11 visits/s, 0.39 per byte; half
of that published best case is planned."""

NODE_BYTES = 8.0  # threshold and packed child index, as the forest libraries store them
LAUNCH_S = 5e-5  # a batch on an accelerator: copy in, kernel, copy out (assumption)
PROCESSOR_LAUNCH_S = 2e-6  # a call of a library on a processor (assumption)
LINK_EFFICIENCY = 0.5
BATCHES = (65_536, 8192, 1024, 256, 64, 16, 4, 1)
BYTES_PER_VALUE_ON_THE_WIRE = 8.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TabularTask:
    """Rows (or windows, frames of a sensor) to score. `visits` is 0 without trees, `flops` 0 without a network."""

    name: str
    values_per_row: float
    visits: float
    flops: float
    parameters: float  # values of a network
    nodes: float  # of all trees
    demand_per_s: float
    limit_p95_s: float | None
    random_arrivals: bool = True
    sensors: int = 0
    family: str = FAMILY
    network: str = ""  # no point of such networks is packaged

    @property
    def weight_parameters(self) -> float:
        """In values of the weight format; nodes of trees count as two of four bytes."""
        return self.parameters + 2.0 * self.nodes

    @property
    def host(self) -> Host:
        return Host(payload_bytes_per_item=self.values_per_row * BYTES_PER_VALUE_ON_THE_WIRE)

    def served(
        self, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
    ) -> Served | Message:
        parts = self._row_s(device, weights, coefficients)
        if parts is None:
            return Message("kind_rates_unknown", {"accelerator": device.slug})
        walking, computing, moving = parts
        fit = coefficients.fit(self.family)
        model_bytes = self.parameters * weights.bytes_per_value + self.nodes * NODE_BYTES
        row = (walking + computing + moving) * coefficients.time_factor(device, self.family)
        once = _launch_s(device) + model_bytes / (fit.memory_efficiency * device.bandwidth_bytes_per_s)
        row_bytes = self.values_per_row * weights.bytes_per_value
        fitting = batches_that_fit(BATCHES, device, weight_bytes=model_bytes, activation_bytes_per_item=row_bytes)
        batch, seconds = _batch(fitting, row, once, self.limit_p95_s)
        return Served(
            items_per_s=batch / seconds,
            batch=batch,
            batch_s=seconds,
            memory=memory_of(device, weight_bytes=model_bytes, activation_bytes=batch * row_bytes),
            bottleneck=_bottleneck(walking, computing, moving),
            compute_share=min(computing / row, 1.0) if row else 0.0,
        )

    def _row_s(
        self, device: Accelerator, weights: StorageFormat, coefficients: KindCoefficients
    ) -> tuple[float, float, float] | None:
        """Seconds of one row: through trees, through products, over the link; None where no rate is printed."""
        visits_per_s = node_visits_per_s(device)
        computing = operation_s(self.flops, device, weights.compute, coefficients.fit(self.family))
        if computing is None or (self.visits and visits_per_s is None):
            return None
        walking = self.visits / visits_per_s if self.visits and visits_per_s else 0.0
        return walking, computing, self._moving_s(device)

    def _moving_s(self, device: Accelerator) -> float:
        """A row over the host link; a processor has it already."""
        if device.kind is DeviceKind.CPU or device.pcie_bytes_per_s is None:
            return 0.0
        return self.values_per_row * 4.0 / (LINK_EFFICIENCY * device.pcie_bytes_per_s)

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        sustained = served.items_per_s
        if self.random_arrivals:
            sustained *= served_share(device, self.family, coefficients)

        def made(value: float, unit: str, explain: str) -> Estimate:
            return banded(value, unit, device, self.family, self.network, coefficients, explain=explain)

        found = {
            "rows_per_s": made(sustained * replicas, "rows/s", "tabular_rate"),
            "rows_per_s_per_replica": made(sustained, "rows/s", "tabular_rate"),
            "device_ms": made(served.batch_s * MS_PER_S, "ms", "tabular_batch"),
        }
        if self.sensors:
            each = self.demand_per_s / self.sensors
            found["sensors_per_device"] = made(sustained / each, "sensors", "sensors_per_device")
        return found


def node_visits_per_s(device: Accelerator) -> float | None:
    """Nodes of trees per second: cycles of all cores over those of a visit, or bandwidth on an accelerator."""
    if device.kind is not DeviceKind.CPU:
        return VISITS_PER_BYTE * device.bandwidth_bytes_per_s
    peak = peak_flops(device, Rate.FP32)
    return None if peak is None else peak / FP32_PER_CYCLE / CYCLES_PER_VISIT


def radar_flops(samples: float, chirps: float, antennas: float) -> float:
    """Operations of range and Doppler transforms of one frame: 5 N log2 N for each complex transform of N points.

    `samples` transforms over `chirps`, then `chirps` over `samples`, for each antenna. Source: operation count of
    the radix-2 algorithm (Cooley and Tukey 1965).
    """
    over_range = chirps * antennas * 5.0 * samples * log2(max(samples, 2.0))
    over_chirps = samples * antennas * 5.0 * chirps * log2(max(chirps, 2.0))
    return over_range + over_chirps


def tree_nodes(trees: float, depth: float) -> float:
    """Nodes of full binary trees: trees x (2^(depth + 1) - 1)."""
    return trees * (exp2(depth + 1.0) - 1.0)


def _launch_s(device: Accelerator) -> float:
    return PROCESSOR_LAUNCH_S if device.kind is DeviceKind.CPU else LAUNCH_S


def _batch(batches: Sequence[int], row_s: float, once_s: float, limit_s: float | None) -> tuple[int, float]:
    """The largest batch that waits for another and then runs within the limit; one row where none does."""
    for batch in batches:
        seconds = once_s + batch * row_s
        if limit_s is None or 2.0 * seconds <= limit_s:
            return batch, seconds
    return 1, once_s + row_s


def _bottleneck(walking: float, computing: float, moving: float) -> Bottleneck:
    if moving > max(walking, computing):
        return Bottleneck.HOST
    return Bottleneck.COMPUTE if computing >= walking else Bottleneck.MEMORY_BANDWIDTH
