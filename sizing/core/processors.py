"""Language models on the processors of a server: how much memory it is bought with, and which of a line is enough."""

from collections.abc import Sequence
from dataclasses import replace
from math import ceil

import numpy as np

from sizing.core.engines import FractionOf
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.memory import memory_plan, sequence_bytes
from sizing.core.parallelism import Layout
from sizing.core.request import CoreCatalogue, CoreRequest
from sizing.core.search import Carried, peak_factor
from sizing.core.units import GB

MODULES_GB = (16, 32, 64, 96, 128)
"""Sizes of one memory module, of which every channel of a socket carries one. Source: the catalogue's modules."""

SYSTEM_BYTES = 72 * GB
"""Of a server's memory for operating system, monitoring and buffers (rules of the bill of materials)."""

USABLE_SHARE = 0.9  # of what is left; the rest stays with page cache and drivers
MOST_SLOTS = 64  # requests at once that memory is planned for where only a rate is stated
COUNTS = (1, 2)  # sockets of one replica

COMFORTABLE = 2.0  # times the load

type Line = tuple[str, str, int, int]


def is_processor(device: Accelerator) -> bool:
    """True where the device is a host processor itself."""
    return device.kind is DeviceKind.CPU


def with_memory(processors: Sequence[Accelerator], request: CoreRequest, catalogue: CoreCatalogue) -> list[Accelerator]:
    """The processors with the smallest modules that hold the model and every request in flight.

    `memory_bytes` of a processor as it comes is its channels x 64 GB.
    """
    needed = needed_bytes(request, catalogue, processors[0]) if processors else 0
    return [_equipped(device, needed) for device in processors]


def needed_bytes(request: CoreRequest, catalogue: CoreCatalogue, sample: Accelerator) -> int:
    """Bytes on one socket for weights, engine and the longest context of each request in flight."""
    traffic = request.traffic
    slots = float(MOST_SLOTS)
    if traffic.concurrent_requests is not None:
        slots = min(ceil(peak_factor(traffic) * traffic.concurrent_requests), MOST_SLOTS)
    most = 0.0
    roomy = replace(sample, memory_bytes=10**13, usable_memory_bytes=10**13)
    for engine in catalogue.engines:
        for weights in request.weights:
            for cache in request.caches:
                plan = memory_plan(
                    request.model,
                    weights.weights,
                    cache.storage,
                    roomy,
                    Layout(),
                    engine.memory,
                    max_context_tokens=traffic.max_context_tokens,
                    extras=request.extras,
                )
                held = plan.weight_bytes + plan.activation_bytes + plan.runtime_bytes
                held += ceil(slots * sequence_bytes(plan, plan.max_context_tokens))
                share = 1.0 if engine.memory.fraction_of is FractionOf.NONE else engine.memory.fraction
                most = max(most, held / share)
    return ceil(most)


def _equipped(device: Accelerator, needed: int) -> Accelerator:
    channels = device.memory_bytes / (64 * GB)
    sizes = [round(channels * size * GB) for size in MODULES_GB]
    enough = [size for size in sizes if _usable(size) >= needed]
    chosen = enough[0] if enough else sizes[-1]
    return replace(
        device,
        memory_bytes=chosen,
        usable_memory_bytes=_usable(chosen),
        usable_memory_source="processor_memory_need",
    )


def _usable(memory_bytes: int) -> int:
    return max(round(USABLE_SHARE * (memory_bytes - SYSTEM_BYTES)), 1)


def enough_of_each_line(result: Carried) -> list[int]:
    """Numbers of the processors that answer for their line, in order of the grid.

    A line is one maker's processors of equal design and memory channels: their price rises with their cores. Of
    each the smallest counts that carries the load twice on the fewest sockets; the largest where none carries it.
    """
    lines: dict[Line, list[int]] = {}
    for number, device in enumerate(result.grid.accelerators):
        lines.setdefault(_line(device), []).append(number)
    return sorted(_enough(numbers, result) for numbers in lines.values())


def _line(device: Accelerator) -> Line:
    return device.vendor.value, device.architecture, device.memory_bytes, device.scale_up_domain


def _enough(numbers: Sequence[int], result: Carried) -> int:
    def size(number: int) -> tuple[float, bool, float, float, str]:
        device = result.grid.accelerators[number]
        rows = result.grid.accelerator == number
        totals = np.where(rows, result.accelerators_total, np.inf)
        row = int(np.argmin(totals)) if len(totals) else -1
        total = float(totals[row]) if row >= 0 else float("inf")
        watts = device.tdp_w if device.tdp_w is not None else float("inf")
        peak = max(device.flops_per_s.values(), default=0.0)
        if not np.isfinite(total):
            return total, True, -peak, -watts, device.slug
        return total, _carried_times(result, row) < COMFORTABLE, watts, peak, device.slug

    return min(numbers, key=size)


def _carried_times(result: Carried, row: int) -> float:
    """What the replicas of a row carry over the busiest hour of the load."""
    traffic = result.grid.request.traffic
    replicas, peak = float(result.replicas[row]), peak_factor(traffic)
    if traffic.concurrent_requests is not None:
        return float(result.concurrent[row]) * replicas / (peak * traffic.concurrent_requests)
    return float(result.requests_per_s[row]) * replicas / (peak * (traffic.requests_per_s or 1.0))
