"""One run per item in batches: the largest batch whose p95 latency a limit allows, and what a batch waits for.

A server that gathers single requests starts a batch when it is full or when its oldest request has waited for D.
At l requests a second on a replica, with t(b) the time of a batch, w the p95 wait for a busy device (`queue`):
    D(b) = (b - 1) / l        busy = l t(b) / b        p95 = 0.95 D(b) + w / b + t(b)
Batches of b requests come b times as evenly as single ones, and wait as much less.
Source: docs/method.md#batching.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sizing.core.candidate import Bottleneck
from sizing.core.hardware import Accelerator
from sizing.core.kinds.fitted import KindCoefficients
from sizing.core.kinds.queue import MOST_BUSY, wait_p95_s
from sizing.core.kinds.task import TIGHT_MEMORY, BatchTime, Served, memory_of
from sizing.core.kinds.work import Run, operation_s, peak_flops, run_s
from sizing.core.values import Message

BATCHES = (128, 64, 32, 16, 8, 4, 2, 1)
BATCHES_IN_LATENCY = 2.0
"""A request that just missed a batch waits for it and then runs in its own: two batch times."""

P95_OF_WAIT = 0.95
"""Requests come at any moment of the wait alike, so that the 95th percentile is this share of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchPoint:
    """What waiting for a batch of this size costs and gives on one replica, at its share of the stated load."""

    batch: int
    delay_s: float  # longest wait of a request until the batch is full
    batch_s: float
    p95_s: float | None  # None where batches of this size do not carry the load: the queue grows
    busy: float  # share of the time in which the device works
    items_per_s: float  # at most, with full batches
    kept: bool | None  # the limit; None without one
    chosen: bool = False  # the quickest answer among batches that carry the load with room


def batch_points(
    times: Sequence[BatchTime],
    *,
    load_per_s: float,
    replicas: int,
    sustained_share: float,
    limit_p95_s: float | None,
) -> tuple[BatchPoint, ...]:
    """Delay against batch, smallest batch first; nothing without times.

    `load_per_s` is that of all replicas, `sustained_share` what random arrivals leave of the offline rate.
    """
    ordered = sorted(times, key=lambda each: each.batch)
    points = [_point(each, load_per_s / replicas, replicas, sustained_share, limit_p95_s) for each in ordered]
    carrying = [point for point in points if point.p95_s is not None and point.busy <= MOST_BUSY * (1 + 1e-9)]
    best = min(carrying, key=lambda point: point.p95_s or 0.0, default=None)
    return tuple(replace(point, chosen=True) if point is best else point for point in points)


def _point(
    each: BatchTime, load_per_s: float, replicas: int, sustained_share: float, limit_p95_s: float | None
) -> BatchPoint:
    rate = each.batch / each.seconds * sustained_share
    delay_s, busy = (each.batch - 1) / load_per_s, load_per_s / rate
    p95_s = None
    if busy < 1.0:
        p95_s = P95_OF_WAIT * delay_s + wait_p95_s(each.seconds, busy, replicas) / each.batch + each.seconds
    return BatchPoint(
        batch=each.batch,
        delay_s=delay_s,
        batch_s=each.seconds,
        p95_s=p95_s,
        busy=busy,
        items_per_s=rate,
        kept=None if limit_p95_s is None else p95_s is not None and p95_s <= limit_p95_s,
    )


def batched(  # noqa: PLR0917 (a run, and where and how it runs)
    run: Run,
    device: Accelerator,
    family: str,
    coefficients: KindCoefficients,
    engine: str,
    limit_p95_s: float | None,
    *,
    activation_bytes_per_item: float,
) -> Served | Message:
    """What one device makes of `run`, offline, at the largest batch that fits with room and keeps the limit; else 1.

    A message where the device prints no rate for any format.
    """
    times: list[BatchTime] = []
    for batch in BATCHES:
        seconds = run_s(run, device, family, coefficients, batch=batch, engine=engine)
        if seconds is None:
            return Message("kind_rates_unknown", {"accelerator": device.slug})
        memory = memory_of(device, weight_bytes=run.weight_bytes, activation_bytes=batch * activation_bytes_per_item)
        if memory.margin >= TIGHT_MEMORY or batch == 1:
            times.append(BatchTime(batch=batch, seconds=seconds))
    quick = (each for each in times if limit_p95_s is None or BATCHES_IN_LATENCY * each.seconds <= limit_p95_s)
    best = next(quick, times[-1])
    batch, seconds = best.batch, best.seconds
    memory = memory_of(device, weight_bytes=run.weight_bytes, activation_bytes=batch * activation_bytes_per_item)
    computing = (operation_s(run.flops, device, run.rate, coefficients.fit(family), batch=batch) or 0.0) * batch
    peak = peak_flops(device, run.rate) or 1.0
    return Served(
        items_per_s=batch / seconds,
        batch=batch,
        batch_s=seconds,
        memory=memory,
        bottleneck=Bottleneck.COMPUTE if computing >= seconds / 2 else Bottleneck.MEMORY_BANDWIDTH,
        compute_share=min(run.flops * batch / seconds / peak, 1.0),
        times=tuple(times),
    )
