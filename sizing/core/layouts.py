"""Which layouts a search tries, by number of accelerators in one replica."""

from collections.abc import Iterator
from enum import IntEnum

from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.model.features import ModelFeatures
from sizing.core.parallelism import Layout, instances_of, layout_problems
from sizing.core.workload import Pinned

NODE_ACCELERATORS = 8
"""Accelerators of one server where no larger scale-up fabric joins them (8-GPU boards and PCIe servers)."""

SOCKETS = 2
"""Processors of a server at most; `scale_up_domain` says how many its maker joins."""


def node_size(accelerator: Accelerator) -> int:
    """Accelerators that share a node: within it collectives use its fabric or PCIe, beyond it the network.

    Edge modules are not joined.
    """
    if accelerator.kind is DeviceKind.EDGE:
        return 1
    if accelerator.kind is DeviceKind.CPU:
        return min(max(accelerator.scale_up_domain, 1), SOCKETS)
    return max(accelerator.scale_up_domain, NODE_ACCELERATORS)


class Reach(IntEnum):
    """What joins a group of accelerators: one fabric, the PCIe of one server, or the network between servers."""

    FABRIC = 0
    NODE = 1
    NETWORK = 2


def reach_of(accelerator: Accelerator, members: int) -> Reach:
    """The widest link that a group of `members` accelerators uses."""
    fabric = accelerator.scale_up_domain if accelerator.scale_up_bytes_per_s else 1
    if members <= max(fabric, 1):
        return Reach.FABRIC
    return Reach.NODE if members <= node_size(accelerator) else Reach.NETWORK


def left_fabric(accelerator: Accelerator, layout: Layout) -> Reach:
    """Where a stage runs that leaves its fabric; FABRIC where it does not, or where PCIe is all that there is."""
    reach = reach_of(accelerator, layout.tensor * layout.data)
    joined = accelerator.scale_up_bytes_per_s is not None and accelerator.scale_up_domain > 1
    return reach if joined or reach is Reach.NETWORK else Reach.FABRIC


def layouts(
    model: ModelFeatures, counts: tuple[int, ...], pinned: Pinned | None = None, *, weight_block: int = 0
) -> list[Layout]:
    """Every split of every count that the model allows: tensor x pipeline x data, experts spread or not.

    Attention data parallelism inside a replica only for mixtures of experts (dense models gain the
    same from independent replicas). Ascending by count, then pipeline, data, expert. With `pinned`
    only those that agree with it. `weight_block` is the side of block-scaled weights, 0 without.
    """
    found = []
    for count in sorted(set(counts)):
        for layout in _splits(model, count):
            agrees = pinned is None or _agrees(layout, pinned)
            if agrees and not layout_problems(model, layout, weight_block=weight_block):
                found.append(layout)
    return found


def _splits(model: ModelFeatures, count: int) -> Iterator[Layout]:
    powers = [d for d in range(1, count + 1) if count % d == 0]
    for pipeline in powers:
        if pipeline > NODE_ACCELERATORS:
            continue
        for data in powers:
            if count % (pipeline * data) or (data > 1 and not model.experts):
                continue
            tensor = count // (pipeline * data)
            yield Layout(tensor=tensor, pipeline=pipeline, data=data)
            if model.experts and tensor * data > 1:
                yield Layout(tensor=tensor, pipeline=pipeline, data=data, expert=tensor * data)


def pinned_layouts(
    model: ModelFeatures, pinned: Pinned, counts: tuple[int, ...], *, weight_block: int = 0
) -> list[Layout]:
    """The layouts that agree with everything that the request fixes.

    `pinned.count` is the number of accelerators in all: a layout that takes a part of them stands
    for several replicas. A layout that is fixed as a whole is returned even if the model cannot be
    split so: the answer then says why not.
    """
    limit = pinned.count // instances_of(pinned.phases) if pinned.count is not None else None
    allowed = counts if limit is None else tuple(n for n in range(1, limit + 1) if limit % n == 0)
    found = layouts(model, allowed, pinned, weight_block=weight_block)
    if found or (pinned.tensor_parallel or pinned.pipeline_parallel or pinned.data_parallel) is None:
        return found
    fixed = Layout(
        tensor=pinned.tensor_parallel or 1,
        pipeline=pinned.pipeline_parallel or 1,
        data=pinned.data_parallel or 1,
        expert=pinned.expert_parallel or 1,
    )
    return [fixed]


def _agrees(layout: Layout, pinned: Pinned) -> bool:
    pairs = (
        (layout.tensor, pinned.tensor_parallel),
        (layout.pipeline, pinned.pipeline_parallel),
        (layout.data, pinned.data_parallel),
        (layout.expert, pinned.expert_parallel),
    )
    return all(wanted is None or wanted == value for value, wanted in pairs)


def stage_is_fixed(pinned: Pinned | None) -> bool:
    """Whether the request itself says over how many accelerators a stage is spread."""
    return pinned is not None and any((pinned.tensor_parallel, pinned.data_parallel, pinned.expert_parallel))


def layout_on(accelerator: Accelerator, layout: Layout, *, over_network: bool = False) -> bool:
    """Whether a layout may be tried on this accelerator.

    A stage lies inside one node, over PCIe where no fabric joins all of it; `over_network` also lets it
    leave the node, as a fixed layout may. Processors and edge modules form no replica beyond their node;
    the sockets of a server read their halves of the weights at the same time and never one after the other.
    """
    node = node_size(accelerator)
    if accelerator.kind is DeviceKind.CPU and layout.tensor != layout.accelerators:
        return False
    if accelerator.kind not in (DeviceKind.GPU, DeviceKind.ASIC):
        return layout.accelerators <= node
    return over_network or layout.tensor * layout.data <= node
