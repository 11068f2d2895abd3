"""The memory modules of one server and the need that they answer."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quotes.configure.cpu import CpuChoice
from quotes.configure.facts import Chassis, ComponentPart, CpuPart, PartClass
from quotes.configure.prepare import SYSTEM_VENDORS, Prepared
from quotes.configure.work import Work
from sizing.core.units import GB
from sizing.core.values import Message, Param

_RATE = re.compile(r"DDR\d-(\d{4})")


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChoice:
    """Memory of one server: `modules` identical ones of `module_gb`; `part` None where no order code is known.

    `kind` is what to ask for then: generation, rate in MT/s and form, for instance "DDR5-6400 RDIMM".
    """

    part: ComponentPart | None
    kind: str
    module_gb: float
    modules: int
    needed_gb: float
    reason: Message
    warnings: tuple[Message, ...] = ()

    @property
    def total_gb(self) -> float:
        return self.modules * self.module_gb


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryNeed:
    """Host memory of one node in GB: computed from the load, and the floor that published builds set."""

    computed_gb: float
    floor_gb: float

    @property
    def needed_gb(self) -> float:
        return max(self.computed_gb, self.floor_gb)


def memory_need(work: Work) -> MemoryNeed:
    """Computed: system + page cache of the weights + buffers per accelerator + what is moved to the host.

    Source: docs/method.md#host-memory.
    """
    request, rules, accelerators = work.request, work.rules, work.layout.accelerators_per_node
    computed = (
        rules.number("host_memory_system_gb")
        + request.model_bytes / GB
        + rules.number("host_memory_per_accelerator_gb") * accelerators
        + request.host_offload_bytes / GB
    )
    own_gb = 0.0 if request.accelerator.is_processor else request.accelerator.memory_gb or 0.0
    floor = rules.number("host_memory_lowest_built") * own_gb * accelerators
    return MemoryNeed(computed_gb=computed, floor_gb=floor)


def choose_memory(work: Work, cpu: CpuChoice) -> MemoryChoice | None:
    """One identical module per channel on every socket; two per channel only where no module is large enough.

    None where sockets or channels are not known.
    """
    channels = cpu.part.memory_channels if cpu.part is not None else None
    if cpu.sockets is None or channels is None:
        return None
    need = memory_need(work)
    sets = channels * cpu.sockets
    slots = work.chassis.dimm_slots
    if slots is not None and slots < sets:
        sets = slots
    sizes = work.rules.numbers("module_sizes_gb")
    for per_channel in (1, 2):
        modules = sets * per_channel
        if per_channel == 2 and (slots is None or slots < modules):
            break
        enough = [size for size in sizes if size * modules >= need.needed_gb]
        if enough:
            return _memory(work, cpu.part, need, enough, modules=modules, channels=channels * cpu.sockets)
    return _memory(work, cpu.part, need, [max(sizes)], modules=sets, channels=channels * cpu.sockets)


def _memory(
    work: Work, cpu: CpuPart | None, need: MemoryNeed, enough: Sequence[float], *, modules: int, channels: int
) -> MemoryChoice:
    known = [part for part in modules_for(work.chassis, work.prepared) if _suits(part, work.chassis, cpu)]
    rate_mts = (cpu.memory_speed_mts if cpu is not None else None) or 0
    smallest = min(enough)
    # A size with a known order code is taken up to twice the smallest one: bigger steps waste more than they help.
    near = [part for part in known if part.capacity_gb in enough and (part.capacity_gb or 0) <= 2 * smallest]
    full_rate = [part for part in near if not 0 < speed_mts(part) < rate_mts]
    part = min(full_rate or near, key=lambda each: each.capacity_gb or 0, default=None)  # of one size the fastest
    size = part.capacity_gb or smallest if part is not None else smallest
    slower = [_slower(part, rate_mts)] if part is not None and part not in full_rate else []
    return MemoryChoice(
        part=part,
        kind=_kind(work.chassis, cpu),
        module_gb=size,
        modules=modules,
        needed_gb=need.needed_gb,
        reason=Message(
            "bom_reason_memory",
            {
                "computed_gb": round(need.computed_gb),
                "floor_gb": round(need.floor_gb),
                "modules": modules,
                "module_gb": int(size),
            },
        ),
        warnings=(*slower, *_memory_warnings(work, need, total_gb=modules * size, modules=modules, channels=channels)),
    )


def _memory_warnings(
    work: Work, need: MemoryNeed, *, total_gb: float, modules: int, channels: int
) -> Iterator[Message]:
    accelerator_gb = (work.request.accelerator.memory_gb or 0) * work.layout.accelerators_per_node
    rules = work.rules
    if accelerator_gb and total_gb / accelerator_gb < rules.number("host_memory_twice"):
        yield Message(
            "bom_memory_rule",
            {
                "ratio": round(total_gb / accelerator_gb, 2),
                "twice": int(rules.number("host_memory_twice")),
                "thrice": int(rules.number("host_memory_thrice")),
                "lowest": rules.number("host_memory_lowest_built"),
                "highest": rules.number("host_memory_highest_built"),
            },
        )
    if modules < channels:
        yield Message("bom_memory_unfilled", {"slots": modules, "channels": channels})
    if total_gb < need.needed_gb:
        yield Message("bom_memory_short", {"total_gb": round(total_gb), "needed_gb": round(need.needed_gb)})


def modules_for(chassis: Chassis, prepared: Prepared) -> tuple[ComponentPart, ...]:
    """Modules that may go into the chassis: the vendor's own, else those of memory makers; fastest first."""
    known = prepared.memo.modules.get(chassis.vendor)
    if known is None:
        parts = prepared.components.get(PartClass.RAM, ())
        own = [part for part in parts if part.vendor == chassis.vendor]
        pool = own or [part for part in parts if part.vendor not in SYSTEM_VENDORS]
        known = tuple(sorted(pool, key=lambda part: (-speed_mts(part), part.slug)))
        prepared.memo.modules[chassis.vendor] = known
    return known


def speed_mts(part: ComponentPart) -> int:
    """The rate that a module is made for, in MT/s; 0 where its maker does not state it."""
    found = _RATE.search(f"{part.specs} {part.model}")
    return int(found[1]) if found else 0


def _suits(part: ComponentPart, chassis: Chassis, cpu: CpuPart | None) -> bool:
    """Of the generation that the processor takes, and of the form that the maker of the chassis states."""
    words = f"{part.specs} {part.model}"
    generation = cpu.memory_type if cpu is not None else ""
    return generation in words and _form(chassis) in words


def _form(chassis: Chassis) -> str:
    return next((form for form in ("SO-DIMM", "UDIMM") if form in chassis.ram_type), "RDIMM")


def _kind(chassis: Chassis, cpu: CpuPart | None) -> str:
    rate = f"-{cpu.memory_speed_mts}" if cpu is not None and cpu.memory_speed_mts else ""
    generation = cpu.memory_type if cpu is not None else ""
    return f"{generation}{rate} {_form(chassis)}".strip()


def _slower(part: ComponentPart, rate_mts: int) -> Message:
    params: dict[str, Param] = {"module": part.model, "module_mts": speed_mts(part), "cpu_mts": rate_mts}
    return Message("bom_memory_slower", params)
