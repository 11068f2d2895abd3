"""The host processors of one server and the need that they answer."""

from dataclasses import dataclass
from math import inf

from quotes.configure.facts import Chassis, CpuPart
from quotes.configure.prepare import Prepared
from quotes.configure.request import Problem
from quotes.configure.work import Work
from sizing.core.values import Message, Param

RACKED = frozenset({"rackmount", "rack_scale", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class CpuChoice:
    """Processor of one server; `part` None where the catalogue does not settle the model."""

    part: CpuPart | None
    sockets: int | None
    cores_needed: int
    worst_case_w: float | None  # of one processor; an upper bound or None where the model is open
    reason: Message
    warnings: tuple[Message, ...] = ()
    problem: Problem | None = None


def choose_cpu(work: Work) -> CpuChoice:
    """Smallest processor with the cores that the node needs.

    Need: the larger of cores for pre- and post-processing and the stored minimum per accelerator.
    Among processors that fit: fewest cores, then lowest power, then slug. Where none reaches the need
    the one with most cores is taken and a warning says so.
    """
    chassis, layout, prepared = work.chassis, work.layout, work.prepared
    per_card = work.rules.number("cores_per_accelerator")
    computed = (work.request.cpu_cores_needed or 0) / layout.servers
    needed = int(-(-max(per_card * layout.accelerators_per_node, computed) // 1))
    params: dict[str, Param] = {
        "cores_needed": needed,
        "accelerators": layout.accelerators_per_node,
        "cores_per_accelerator": int(per_card),
    }
    runs_model = work.request.accelerator.is_processor
    reason = Message("bom_reason_cpu_runs", {}) if runs_model else Message("bom_reason_cpu", params)
    pool = _pool(work)
    if not pool or chassis.cpu_sockets is None:
        return _open_cpu(work, pool, needed, reason)
    enough = [cpu for cpu in pool if (cpu.cores or 0) * chassis.cpu_sockets >= needed]
    part = min(enough, key=_small_first) if enough else min(pool, key=_large_first)
    short = Message(
        "bom_few_cores",
        {"chassis": chassis.model, "cores": (part.cores or 0) * chassis.cpu_sockets, "cores_needed": needed},
    )
    return CpuChoice(
        part=part,
        sockets=chassis.cpu_sockets,
        cores_needed=needed,
        worst_case_w=part.tdp_w or chassis.cpu_max_w or prepared.highest_cpu_w,
        reason=reason,
        warnings=(*(() if enough else (short,)), *_unnamed(work, part)),
        problem=_too_few(work, (part.cores or 0) * chassis.cpu_sockets, short),
    )


def _unnamed(work: Work, part: CpuPart) -> tuple[Message, ...]:
    """A processor that stands on no list of the chassis has to be confirmed."""
    if work.request.accelerator.is_processor or accepts_cpu(work.chassis, part):
        return ()
    params: dict[str, Param] = {"chassis": work.chassis.model, "part": part.name, "stated": work.chassis.cpu_text}
    return (Message("bom_cpu_unlisted", params),)


def _too_few(work: Work, cores: int, short: Message) -> Problem | None:
    """Below the least that any published host guide accepts the server is refused."""
    least = work.rules.number("cores_per_accelerator_least") * work.layout.accelerators_per_node
    if work.request.accelerator.is_processor or cores >= least:
        return None
    return Problem(message=short, remedy=Message("bom_choose_larger_node", {}), rule="cores_per_accelerator_least")


def _open_cpu(work: Work, pool: tuple[CpuPart, ...], needed: int, reason: Message) -> CpuChoice:
    """Model or socket count not settled: a rack server is planned with the hungriest processor known."""
    chassis = work.chassis
    part = pool[0] if len(pool) == 1 else None
    ceiling = chassis.cpu_max_w
    if ceiling is None and chassis.category in RACKED:
        ceiling = work.prepared.highest_cpu_w
    params: dict[str, Param] = {"chassis": chassis.model, "stated": chassis.cpu_text or None}
    warning = Message("bom_cpu_open", params)
    if ceiling is not None:
        warning = Message("bom_cpu_open_assumed", {**params, "assumed_w": round(ceiling)})
    return CpuChoice(
        part=part,
        sockets=chassis.cpu_sockets,
        cores_needed=needed,
        worst_case_w=part.tdp_w if part is not None and part.tdp_w is not None else ceiling,
        reason=reason,
        warnings=(warning,),
    )


def _pool(work: Work) -> tuple[CpuPart, ...]:
    if work.request.accelerator.is_processor:
        fixed = work.prepared.processors_by_slug.get(work.request.accelerator.slug)
        return (fixed,) if fixed is not None else ()
    return processors_for(work.chassis, work.prepared)


def processors_for(chassis: Chassis, prepared: Prepared) -> tuple[CpuPart, ...]:
    """Processors of the catalogue that the chassis takes, by generation or by model name."""
    known = prepared.memo.processors.get(chassis.slug)
    if known is None:
        named = tuple(cpu for cpu in prepared.processors if accepts_cpu(chassis, cpu))
        lighter = () if chassis.cpu_generations or chassis.carries_accelerators else _lighter(chassis, named, prepared)
        known = prepared.memo.processors[chassis.slug] = named + lighter
    return known


def _lighter(chassis: Chassis, named: tuple[CpuPart, ...], prepared: Prepared) -> tuple[CpuPart, ...]:
    """Processors that ask less of the board than one that a filing names: same generation, no more cores or watts.

    A filing names the model that was measured, not the maker's list. Boards of accelerators keep theirs.
    """
    return tuple(
        cpu
        for cpu in prepared.processors
        if cpu not in named and cpu.status != "eol" and any(_asks_less(cpu, other, chassis) for other in named)
    )


def _asks_less(cpu: CpuPart, named: CpuPart, chassis: Chassis) -> bool:
    alike = (cpu.generation, cpu.socket, cpu.memory_channels) == (named.generation, named.socket, named.memory_channels)
    sockets = chassis.cpu_sockets is not None and (cpu.max_sockets or 1) >= chassis.cpu_sockets
    return alike and sockets and (cpu.cores or 0) <= (named.cores or 0) and (cpu.tdp_w or inf) <= (named.tdp_w or 0)


def accepts_cpu(chassis: Chassis, cpu: CpuPart) -> bool:
    """True where the maker's text allows this processor: generation or model, sockets, cores and power."""
    named = cpu.generation in chassis.cpu_generations or any(cpu.name.endswith(m) for m in chassis.cpu_models)
    if not named or cpu.status == "eol":
        return False
    if chassis.cpu_sockets is not None and cpu.max_sockets is not None and chassis.cpu_sockets > cpu.max_sockets:
        return False
    if chassis.cpu_max_cores is not None and cpu.cores is not None and cpu.cores > chassis.cpu_max_cores:
        return False
    return chassis.cpu_max_w is None or cpu.tdp_w is None or cpu.tdp_w <= chassis.cpu_max_w


def _small_first(cpu: CpuPart) -> tuple[int, float, str]:
    return (cpu.cores or 0, cpu.tdp_w or float("inf"), cpu.slug)


def _large_first(cpu: CpuPart) -> tuple[int, float, str]:
    return (-(cpu.cores or 0), cpu.tdp_w or float("inf"), cpu.slug)
