"""What joins the accelerators of a replica: speed and latency of its collectives and of its pipeline hops."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sizing.core.hardware import Accelerator
from sizing.core.layouts import Reach, reach_of
from sizing.core.parallelism import Layout
from sizing.core.points import Column
from sizing.core.units import GBIT_BYTES
from sizing.core.workload import Site

NETWORK_BYTES_PER_S = 50e9
"""One direction per accelerator between servers: 400 Gbit/s, the usual port of 8-GPU systems (assumption)."""

NETWORK_LATENCY_S = {"infiniband": 30e-6, "ethernet": 50e-6}
"""All-reduce of a small message between two servers: 30 to 50 us over InfiniBand or RoCE (assumption)."""

UNSTATED_LATENCY_S = 40e-6  # the middle of both

PCIE_LATENCY_S = 17e-6
"""All-reduce without a scale-up fabric: 15 to 20 us (assumption, docs/method.md#devices)."""

PCIE_DEFAULT_BYTES_PER_S = 25e9  # Gen4 x16 in practice, where the sheet names no PCIe generation

type Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """What joins servers: one direction per accelerator, and the latency of a small all-reduce."""

    bytes_per_s: float = NETWORK_BYTES_PER_S
    latency_s: float = UNSTATED_LATENCY_S


def network_of(site: Site) -> Network:
    """The network that a request states, assumptions in place of what it leaves open."""
    stated = site.network_gbit_s_per_accelerator
    return Network(
        bytes_per_s=stated * GBIT_BYTES if stated is not None else NETWORK_BYTES_PER_S,
        latency_s=NETWORK_LATENCY_S.get(site.network or "", UNSTATED_LATENCY_S),
    )


def links(
    devices: Sequence[Accelerator],
    splits: Sequence[Layout],
    stated_s: Column,
    *,
    accelerator: Index,
    combination: Index,
    network: Network,
) -> tuple[Column, Column, Column]:
    """Bytes/s between ranks of a stage and between stages, and the latency of a collective (NaN: as fitted).

    A stage beyond its fabric runs over PCIe, beyond its node over the network. `accelerator` and
    `combination` index `devices` and `splits`; `stated_s` are latencies of device profiles, NaN where none.
    """
    a, c = accelerator, combination
    speeds = np.array([_speeds(device, network) for device in devices])[a]
    stage = _reaches(devices, [s.tensor * s.data for s in splits])[c, a]
    whole = _reaches(devices, [s.accelerators for s in splits])[c, a]
    fabric = np.array([bool(device.scale_up_bytes_per_s) for device in devices])[a]
    floor = np.where(stage == Reach.NETWORK, network.latency_s, PCIE_LATENCY_S)
    joined = np.where(stage == Reach.FABRIC, stated_s, np.fmax(stated_s, floor))
    bare = np.where(np.isnan(stated_s), PCIE_LATENCY_S, stated_s)
    bare = np.where(stage == Reach.NETWORK, np.maximum(bare, network.latency_s), bare)
    rows = np.arange(len(a))
    return speeds[rows, stage], speeds[rows, whole], np.where(fabric, joined, bare)


def handover_bytes_per_s(device: Accelerator, members: int, network: Network) -> float:
    """Rate at which one accelerator hands its part of a cache to another of a group of `members`, one way."""
    return _speeds(device, network)[reach_of(device, members)]


def _speeds(device: Accelerator, network: Network) -> tuple[float, float, float]:
    """Bytes/s of one accelerator by reach: its fabric (else PCIe), PCIe, the network."""
    pcie = device.pcie_bytes_per_s or PCIE_DEFAULT_BYTES_PER_S
    fabric = device.scale_up_bytes_per_s or pcie
    return fabric, min(pcie, fabric), min(fabric, network.bytes_per_s)


def _reaches(devices: Sequence[Accelerator], members: Sequence[int]) -> Index:
    """Reach of groups of so many accelerators as numbers of `Reach`, shape (groups, devices)."""
    known = {n: [reach_of(device, n) for device in devices] for n in set(members)}
    return np.array([known[n] for n in members], dtype=np.intp).reshape(len(members), len(devices))
