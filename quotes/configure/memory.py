"""The memory modules of one server and the need that they answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from quotes.configure.cpu import CpuChoice
from quotes.configure.facts import Chassis, ComponentPart, PartClass
from quotes.configure.prepare import SYSTEM_VENDORS, Prepared
from quotes.configure.work import Work
from sizing.core.units import GB
from sizing.core.values import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChoice:
    """Memory of one server: `modules` identical ones of `module_gb`; `part` None where no order code is known."""

    part: ComponentPart | None
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
            return _memory(work, need, enough, modules=modules, channels=channels * cpu.sockets)
    return _memory(work, need, [max(sizes)], modules=sets, channels=channels * cpu.sockets)


def _memory(work: Work, need: MemoryNeed, enough: Sequence[float], *, modules: int, channels: int) -> MemoryChoice:
    known = modules_for(work.chassis, work.prepared)
    with_code = [size for size in enough if any(part.capacity_gb == size for part in known)]
    smallest = min(enough)
    # A size with a known order code is taken up to twice the smallest one: bigger steps waste more than they help.
    size = min(with_code) if with_code and min(with_code) <= 2 * smallest else smallest
    return MemoryChoice(
        part=next((part for part in known if part.capacity_gb == size), None),
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
        warnings=tuple(_memory_warnings(work, need, total_gb=modules * size, modules=modules, channels=channels)),
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
        known = tuple(sorted(pool, key=lambda part: (-_speed_mts(part), part.slug)))
        prepared.memo.modules[chassis.vendor] = known
    return known


def _speed_mts(part: ComponentPart) -> int:
    return next((speed for speed in (6400, 5600, 4800) if str(speed) in f"{part.specs} {part.model}"), 0)
