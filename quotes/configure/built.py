"""Does a stated build hold together? For systems that somebody filed, offered or typed in."""

from collections.abc import Iterator
from dataclasses import dataclass

from quotes.configure.facts import AcceleratorPart, Chassis, CpuPart, MountKind, SupplyScheme
from quotes.configure.fit import Fit, fit_chassis
from quotes.configure.power import PowerParts, check_supplies, node_power
from quotes.configure.request import Problem
from quotes.configure.rules import Rules
from sizing.core.values import Message, Param, State

CAPACITY_TOLERANCE = 0.035  # a TB of 1000 beside one of 1024 GB is a way of writing, not a contradiction


@dataclass(frozen=True, slots=True, kw_only=True)
class Build:
    """One server as somebody states it; None where nothing is stated.

    `accelerator` None with `count` > 0: a card that the catalogue does not know. `linked` True: the
    statement names a direct link between cards.
    """

    chassis: Chassis | None
    accelerator: AcceleratorPart | None
    count: int
    sockets: int | None = None
    processor: CpuPart | None = None
    processor_w: float | None = None  # of one processor, at least; for a model that the catalogue does not know
    cores_per_socket: int | None = None
    cores_stated: int | None = None
    channels_per_socket: int | None = None
    memory_modules: int | None = None
    module_sizes_gb: tuple[float, ...] = ()
    memory_stated_gb: float | None = None
    linked: bool = False
    supply_rated_w: float | None = None
    supply_scheme: SupplyScheme | None = None


def check_build(build: Build, rules: Rules) -> tuple[tuple[Problem, ...], tuple[Message, ...]]:
    """Contradictions of a build, and what to confirm. A build without problems is accepted."""
    problems = [
        *_sockets(build),
        *_cores(build),
        *_capacity(build),
        *_channels(build, rules),
        *_link(build),
        *_supplies(build, rules),
    ]
    warnings = [*_slots(build)]
    if build.chassis is not None and build.accelerator is not None and build.count:
        fit = fit_chassis(build.chassis, build.accelerator, pinned=True)
        if isinstance(fit, Problem) and fit.message.code == "bom_capacity_unknown":
            warnings.append(fit.message)
        elif isinstance(fit, Problem):
            problems.append(fit)
        else:
            problems += _places(build, fit)
            warnings += fit.warnings
    return tuple(problems), tuple(warnings)


def _problem(code: str, rule: str, params: dict[str, Param]) -> Problem:
    return Problem(message=Message(code, params), remedy=Message("bom_correct_statement", {}), rule=rule)


def _sockets(build: Build) -> Iterator[Problem]:
    limit = build.chassis.cpu_sockets if build.chassis is not None else None
    if limit is None and build.processor is not None:
        limit = build.processor.max_sockets
    if limit is not None and build.sockets is not None and build.sockets > limit:
        name = build.chassis.model if build.chassis is not None else ""
        yield _problem("bom_build_sockets", "sockets", {"sockets": build.sockets, "limit": limit, "chassis": name})


def _cores(build: Build) -> Iterator[Problem]:
    known, stated = build.cores_per_socket, build.cores_stated
    if known is not None and stated is not None and known != stated:
        yield _problem("bom_build_cores", "cores", {"cores": stated, "limit": known})


def _capacity(build: Build) -> Iterator[Problem]:
    """One identical module everywhere, and as many as make the stated capacity."""
    modules, sizes, stated = build.memory_modules, build.module_sizes_gb, build.memory_stated_gb
    if len(sizes) > 1:
        yield _problem(
            "bom_build_mixed_modules", "module_sizes_gb", {"smallest_gb": min(sizes), "largest_gb": max(sizes)}
        )
    if not modules or len(sizes) != 1 or not stated:
        return
    made = modules * sizes[0]
    if abs(made - stated) > CAPACITY_TOLERANCE * stated:
        params: dict[str, Param] = {"modules": modules, "module_gb": sizes[0], "made_gb": made, "stated_gb": stated}
        yield _problem("bom_build_capacity", "module_sizes_gb", params)


def _channels(build: Build, rules: Rules) -> Iterator[Problem]:
    """Fewer modules than the stored share of all channels starve the processors."""
    if not build.channels_per_socket or not build.sockets or not build.memory_modules:
        return
    channels = build.channels_per_socket * build.sockets
    share = build.memory_modules / channels
    if share < rules.number("channels_least_share"):
        params: dict[str, Param] = {
            "modules": build.memory_modules,
            "channels": channels,
            "share_pct": round(100 * share),
        }
        yield _problem("bom_build_channels", "channels_least_share", params)


def _link(build: Build) -> Iterator[Problem]:
    part = build.accelerator
    if build.linked and part is not None and part.mount is MountKind.PCIE and part.scale_up_link in {"", "none"}:
        yield _problem("bom_build_no_link", "nvlink_bridge", {"part": part.name})


def _supplies(build: Build, rules: Rules) -> Iterator[Problem]:
    """Cards and processors alone against the stated supplies: what else the server holds comes on top."""
    part = build.accelerator
    if part is None or part.tdp_w is None or build.supply_rated_w is None or build.supply_scheme is None:
        return
    known_w = build.processor.tdp_w if build.processor is not None else build.processor_w
    cpu_w = known_w or 0.0
    parts = PowerParts(accelerators_w=part.tdp_w * build.count, processors_w=cpu_w * (build.sockets or 1))
    check = check_supplies(
        node_power(parts, rules).dc_max_w,
        rated_w=build.supply_rated_w,
        scheme=build.supply_scheme,
        voltage_v=None,
        rules=rules,
    )
    if check.problem is not None:
        yield check.problem
    elif check.verdict.state is State.CAUTION:
        yield Problem(message=check.verdict.message, remedy=Message("bom_larger_supply", {}), rule="supply_edge")


def _slots(build: Build) -> Iterator[Message]:
    limit = build.chassis.dimm_slots if build.chassis is not None else None
    if limit is not None and build.memory_modules is not None and build.memory_modules > limit:
        name = build.chassis.model if build.chassis is not None else ""
        yield Message("bom_build_slots", {"modules": build.memory_modules, "limit": limit, "chassis": name})


def _places(build: Build, fit: Fit) -> Iterator[Problem]:
    if build.count > fit.capacity:
        params: dict[str, Param] = {
            "count": build.count,
            "limit": fit.capacity,
            "chassis": fit.chassis.model,
        }
        yield _problem("bom_build_count", "places", params)
