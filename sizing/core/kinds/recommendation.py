"""Recommendation models: embedding tables in device memory, spread over devices, or in host memory; samples/s.

    gather = rows x dimension x bytes / (e_r bandwidth)    dense = F / (e peak)    t(b) = launch + b (gather + dense)
Tables spread over n devices gather 1/n each and exchange the rest over the fabric; tables in host memory
come over PCIe. No measured point is packaged for this kind: efficiencies are assumptions, intervals wide.
Source: docs/method.md#recommendation.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.fitted import KindCoefficients, banded
from sizing.core.kinds.task import DEVICE_SHARE, Host, Served, memory_of
from sizing.core.kinds.work import operation_s, peak_flops, served_share
from sizing.core.precision import StorageFormat
from sizing.core.units import MS_PER_S
from sizing.core.values import Estimate, Message

FAMILY = "embedding"  # the dense part is small matrix products, as in an encoder
GATHER_EFFICIENCY = 0.3  # random rows of a few hundred bytes reach about a third of the printed bandwidth (assumption)
PCIE_EFFICIENCY = 0.5
FABRIC_EFFICIENCY = 0.45  # as fitted for collectives of language models
SHARDS = (1, 2, 4, 8)
LAUNCH_S = 3e-4  # a handful of kernels a batch (assumption)
BATCHES = (8192, 4096, 2048, 1024, 512, 256, 128, 64, 32)
FREE_FOR_DENSE_BYTES = 2e9


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendationTask:
    """Queries of `samples_per_query` candidates; each gathers `lookups` rows of `dimension` values."""

    table_parameters: float
    dense_parameters: float
    dense_flops: float  # per sample
    lookups: float
    dimension: float
    samples_per_query: float
    queries_per_s: float
    limit_p95_s: float | None
    placement: str = "auto"  # "device", "sharded", "host"
    random_arrivals: bool = True
    family: str = FAMILY
    network: str = ""  # no point of such networks is packaged

    @property
    def demand_per_s(self) -> float:
        return self.queries_per_s * self.samples_per_query

    @property
    def weight_parameters(self) -> float:
        return self.table_parameters + self.dense_parameters

    @property
    def host(self) -> Host:
        return Host(payload_bytes_per_item=self.lookups * 8)

    def row_bytes(self, weights: StorageFormat) -> float:
        """Bytes that one sample gathers."""
        return self.lookups * self.dimension * weights.bytes_per_value

    def served(
        self, device: Accelerator, weights: StorageFormat, engine: str, coefficients: KindCoefficients
    ) -> Served | Message:
        if peak_flops(device, weights.compute) is None:
            return Message("kind_rates_unknown", {"accelerator": device.slug})
        table_bytes = self.table_parameters * weights.bytes_per_value
        devices = shards(self, device, table_bytes)
        in_host = device.kind is not DeviceKind.CPU and devices is None
        if in_host and self.placement not in ("auto", "host"):
            return Message("tables_do_not_fit", {"table_gb": table_bytes / 1e9, "accelerator": device.slug})
        if in_host and device.pcie_bytes_per_s is None:
            return Message("tables_do_not_fit", {"table_gb": table_bytes / 1e9, "accelerator": device.slug})
        count = devices or 1
        gather = self._gather_s(device, weights, count, in_host=in_host)
        dense = operation_s(self.dense_flops, device, weights.compute, coefficients.fit(FAMILY)) or 0.0
        sample = (gather + dense / count) * coefficients.time_factor(device, FAMILY)
        batch, seconds = self._batch(sample)
        return Served(
            items_per_s=batch / seconds,
            batch=batch,
            batch_s=seconds,
            memory=memory_of(
                device,
                weight_bytes=(0.0 if in_host else table_bytes / count)
                + self.dense_parameters * weights.bytes_per_value,
                activation_bytes=batch * self.row_bytes(weights) * 2,
            ),
            bottleneck=Bottleneck.HOST
            if in_host
            else (Bottleneck.MEMORY_BANDWIDTH if gather >= dense else Bottleneck.COMPUTE),
            devices=count,
            compute_share=min(dense / sample, 1.0),
            host_bytes=table_bytes if in_host else 0.0,
        )

    def _gather_s(self, device: Accelerator, weights: StorageFormat, count: int, *, in_host: bool) -> float:
        own = self.row_bytes(weights)
        if in_host:
            return own / (PCIE_EFFICIENCY * (device.pcie_bytes_per_s or 1.0))
        seconds = own / count / (GATHER_EFFICIENCY * device.bandwidth_bytes_per_s)
        link = device.scale_up_bytes_per_s or device.pcie_bytes_per_s
        if count > 1 and link:
            seconds += own * (count - 1) / count / count / (FABRIC_EFFICIENCY * link)
        return seconds

    def _batch(self, sample_s: float) -> tuple[int, float]:
        limit = self.limit_p95_s
        for batch in BATCHES:
            seconds = LAUNCH_S + batch * sample_s
            if limit is None or 2.0 * seconds <= limit:
                return batch, seconds
        return BATCHES[-1], LAUNCH_S + BATCHES[-1] * sample_s

    def figures(
        self, served: Served, device: Accelerator, replicas: int, coefficients: KindCoefficients
    ) -> Mapping[str, Estimate]:
        sustained = served.items_per_s * served_share(device, self.family, coefficients)

        def made(value: float, unit: str, explain: str) -> Estimate:
            return banded(value, unit, device, "recommendation", self.network, coefficients, explain=explain)

        return {
            "samples_per_s": made(sustained * replicas, "samples/s", "recommendation_rate"),
            "queries_per_s": made(sustained * replicas / self.samples_per_query, "queries/s", "recommendation_rate"),
            "device_ms": made(served.batch_s * MS_PER_S, "ms", "recommendation_batch"),
            "table_gb_per_device": Estimate.exact(served.memory.weight_bytes / 1e9, "GB", explain="table_memory"),
            "table_gb_in_host": Estimate.exact(served.host_bytes / 1e9, "GB", explain="table_memory"),
        }


def shards(task: RecommendationTask, device: Accelerator, table_bytes: float) -> int | None:
    """Devices that hold the tables between them; None where they go to host memory."""
    if task.placement == "host" and device.kind is not DeviceKind.CPU:
        return None
    room = device.usable_memory_bytes * DEVICE_SHARE - FREE_FOR_DENSE_BYTES
    allowed = SHARDS[:1] if task.placement == "device" or device.kind is DeviceKind.CPU else SHARDS
    return next((count for count in allowed if table_bytes / count <= room), None)
