"""Which layouts a search tries, by number of accelerators in one replica."""

from collections.abc import Iterator

from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.model.features import ModelFeatures
from sizing.core.parallelism import Layout, layout_problems
from sizing.core.workload import Pinned

NODE_ACCELERATORS = 8
"""Accelerators of one server where no larger scale-up fabric joins them (8-GPU boards and PCIe servers)."""

FEW = {DeviceKind.CPU: 2, DeviceKind.EDGE: 1}
"""Sockets of a server; edge modules are not joined."""


def node_size(accelerator: Accelerator) -> int:
    """Accelerators that share a node: within it collectives use its fabric or PCIe, beyond it the network."""
    return FEW.get(accelerator.kind, max(accelerator.scale_up_domain, NODE_ACCELERATORS))


def layouts(model: ModelFeatures, counts: tuple[int, ...], pinned: Pinned | None = None) -> list[Layout]:
    """Every split of every count that the model allows: tensor x pipeline x data, experts spread or not.

    Attention data parallelism inside a replica only for mixtures of experts (dense models gain the
    same from independent replicas). Ascending by count, then pipeline, data, expert. With `pinned`
    only those that agree with it.
    """
    found = []
    for count in sorted(set(counts)):
        for layout in _splits(model, count):
            if (pinned is None or _agrees(layout, pinned)) and not layout_problems(model, layout):
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


def pinned_layouts(model: ModelFeatures, pinned: Pinned, counts: tuple[int, ...]) -> list[Layout]:
    """The layouts that agree with everything that the request fixes.

    `pinned.count` is the number of accelerators in all: a layout that takes a part of them stands
    for several replicas. A layout that is fixed as a whole is returned even if the model cannot be
    split so: the answer then says why not.
    """
    limit = pinned.count
    allowed = counts if limit is None else tuple(n for n in range(1, limit + 1) if limit % n == 0)
    found = layouts(model, allowed, pinned)
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


def layout_on(accelerator: Accelerator, layout: Layout) -> bool:
    """Whether the stages of a layout lie inside one node and fabric of this accelerator."""
    stage = layout.tensor * layout.data
    node = node_size(accelerator)
    if stage > node:
        return False
    if accelerator.scale_up_domain > 1 and layout.tensor > accelerator.scale_up_domain:
        return False
    return accelerator.kind in (DeviceKind.GPU, DeviceKind.ASIC) or layout.accelerators <= node
