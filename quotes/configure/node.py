"""One server worked out: host parts, fabric, bridges, power and supplies, before lines are written."""

from dataclasses import dataclass

from quotes.configure.cpu import CpuChoice, choose_cpu
from quotes.configure.facts import ComponentPart, MountKind, PartClass
from quotes.configure.fit import Fit
from quotes.configure.limits import check_lanes
from quotes.configure.memory import MemoryChoice, choose_memory
from quotes.configure.power import NodePower, PowerParts, SupplyCheck, check_supplies, choose_supplies, node_power
from quotes.configure.request import Problem
from quotes.configure.storage_network import (
    DriveChoice,
    NicChoice,
    adapter_for,
    choose_boot,
    choose_drives,
    choose_nic,
)
from quotes.configure.work import Work
from sizing.core.values import Message, State, Verdict

FULL_BOARD = 8
EMBEDDED_FABRIC = ("CX-8", "CX-7", "ConnectX-8", "ConnectX-7", "cluster NICs")
LARGE_BOARDS = frozenset({"rackmount", "rack_scale", ""})


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridges:
    """Link bridges of one server: each joins `size` cards."""

    size: int
    per_node: int
    part: ComponentPart | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Everything decided about one server."""

    fit: Fit
    cpu: CpuChoice
    memory: MemoryChoice | None
    boot: DriveChoice
    drives: DriveChoice
    nic: NicChoice
    fabric_adapters: int
    fabric_part: ComponentPart | None
    fabric_embedded: bool
    bridges: Bridges | None
    power: NodePower | None
    supplies: SupplyCheck
    problems: tuple[Problem, ...]
    warnings: tuple[Message, ...]


def work_out(work: Work, fit: Fit) -> Node:
    """Choose the parts of one server and check them against each other."""
    cpu = choose_cpu(work)
    memory = choose_memory(work, cpu)
    drives, nic = choose_drives(work), choose_nic(work)
    embedded = any(word in work.chassis.nic_slots for word in EMBEDDED_FABRIC)
    fabric = work.layout.accelerators_per_node if work.layout.spans_nodes else 0
    bought = 0 if embedded else fabric
    cards = bought + (0 if nic.on_board else 1)
    bridges, bridge_problem, bridge_warning = choose_bridges(work)
    lane_problem, lane_warning = check_lanes(work, fit, cpu, adapters=cards, drives=drives.count)
    power = _power(work, cpu, memory, drives, adapters=cards)
    supplies = _supplies(work, power)
    voltage_open = _voltage(work) is None and supplies.verdict.state in {State.OK, State.CAUTION}
    notes = [
        *fit.warnings,
        *(() if work.chassis.complete_system else cpu.warnings),
        *(memory.warnings if memory is not None else ()),
        *([lane_warning] if lane_warning else []),
        *([bridge_warning] if bridge_warning else []),
        *([supplies.verdict.message] if supplies.verdict.state is State.CAUTION else []),
        *([Message("bom_voltage_not_stated", {})] if voltage_open else []),
    ]
    return Node(
        fit=fit,
        cpu=cpu,
        memory=memory,
        boot=choose_boot(work),
        drives=drives,
        nic=nic,
        fabric_adapters=fabric,
        fabric_part=adapter_for(work.chassis, work.rules.number("fabric_gbit_s"), work.prepared) if bought else None,
        fabric_embedded=embedded,
        bridges=bridges,
        power=power,
        supplies=supplies,
        problems=tuple(p for p in (cpu.problem, lane_problem, bridge_problem, supplies.problem) if p is not None),
        warnings=tuple(notes),
    )


def choose_bridges(work: Work) -> tuple[Bridges | None, Problem | None, Message | None]:
    """Bridges for cards that take them: in groups of the replica's size, same model, within one server.

    A bridge asked for on a card without the connector is an error. None are added where each replica
    is one card, unless the buyer asks.
    """
    part, layout, wanted = work.request.accelerator, work.layout, work.request.nvlink_bridge
    params = {"part": part.name}
    if part.bridge_size < 2:
        if wanted and part.mount is MountKind.PCIE:
            message, remedy = Message("bom_no_bridge", params), Message("bom_drop_bridge", params)
            return None, Problem(message=message, remedy=remedy, rule="nvlink_bridge"), None
        return None, None, None
    per_replica = work.request.accelerators_per_replica
    if wanted is False or (wanted is None and per_replica < 2):
        return None, None, None
    size = 4 if part.bridge_size >= 4 and per_replica >= 4 else 2
    per_node, left = divmod(layout.accelerators_per_node, size)
    warning = Message("bom_bridge_leftover", {**params, "left": left, "size": size}) if left else None
    return Bridges(size=size, per_node=per_node, part=_bridge_part(work, size)), None, warning


def _bridge_part(work: Work, size: int) -> ComponentPart | None:
    name = work.request.accelerator.name
    model = next((word for word in ("H200 NVL", "H100 NVL", "H100", "A100") if word in name), name)
    return next(
        (
            part
            for part in work.prepared.components.get(PartClass.BRIDGE, ())
            if f"{size}-way" in part.model and model in part.model and part.vendor == work.chassis.vendor
        ),
        None,
    )


def _power(
    work: Work, cpu: CpuChoice, memory: MemoryChoice | None, drives: DriveChoice, *, adapters: int
) -> NodePower | None:
    part, rules, chassis = work.request.accelerator, work.rules, work.chassis
    count = 0 if part.is_processor else work.layout.accelerators_per_node
    if count and part.tdp_w is None and not chassis.complete_system:
        return None
    accelerators_w = (part.tdp_w or 0.0) * count
    if chassis.complete_system:
        return _system_power(work, accelerators_w)
    if cpu.worst_case_w is None:
        return None
    sockets = cpu.sockets or (2 if chassis.category in LARGE_BOARDS else 1)
    modules = memory.modules if memory is not None else chassis.dimm_slots or 16
    parts = PowerParts(
        accelerators_w=accelerators_w,
        processors_w=cpu.worst_case_w * sockets,
        memory_w=modules * rules.number("dimm_power_w"),
        drives_w=drives.count * rules.number("drive_power_w")
        + rules.number("boot_drives") * rules.number("boot_drive_power_w"),
        adapters_w=_adapters_w(work, adapters),
        board_w=_board_w(work),
    )
    return node_power(parts, rules)


def _adapters_w(work: Work, adapters: int) -> float:
    """Bought adapters and those that the chassis carries on its board anyway (one per module)."""
    embedded = FULL_BOARD if "CX-8" in work.chassis.nic_slots else 0
    return adapters * work.rules.number("nic_power_w") + embedded * work.rules.number("nic_800g_power_w")


def _board_w(work: Work) -> float:
    if work.chassis.category not in LARGE_BOARDS:
        return work.rules.number("small_board_power_w")
    on_board = work.request.accelerator.mount in {MountKind.BOARD, MountKind.OAM}
    share = work.layout.accelerators_per_node / FULL_BOARD if on_board else 0.0
    return work.rules.number("board_power_w") + share * work.rules.number("baseboard_power_w")


def _system_power(work: Work, accelerators_w: float) -> NodePower | None:
    """Power of a system sold as one unit: the maker's maximum at the wall, split for typical and idle."""
    maximum = work.chassis.max_system_power_w
    if maximum is None:
        return None
    rules = work.rules
    parts_w = maximum * rules.number("supply_efficiency") / (1 + rules.number("conversion_share"))
    cards_w = min(accelerators_w, parts_w)
    return node_power(PowerParts(accelerators_w=cards_w, processors_w=parts_w - cards_w), rules)


def _supplies(work: Work, power: NodePower | None) -> SupplyCheck:
    chassis, pinned = work.chassis, work.request.supplies
    if chassis.complete_system:
        message = Message("bom_supply_by_maker", {"chassis": chassis.model})
        verdict = Verdict(state=State.OK, margin=None, message=message)
        rated_w = chassis.psu_sizes_w[0] if len(chassis.psu_sizes_w) == 1 else None
        return SupplyCheck(verdict=verdict, rated_w=rated_w, count=chassis.psu_count)
    if power is None:
        message = Message("bom_power_unknown", {})
        return SupplyCheck(verdict=Verdict(state=State.UNKNOWN, margin=None, message=message))
    if pinned is not None:
        return check_supplies(
            power.dc_max_w,
            rated_w=pinned.rated_w,
            scheme=pinned.scheme,
            voltage_v=_voltage(work),
            rules=work.rules,
        )
    return choose_supplies(
        power.dc_max_w,
        sizes_w=chassis.psu_sizes_w,
        count=chassis.psu_count,
        scheme=chassis.psu_scheme,
        voltage_v=_voltage(work),
        rules=work.rules,
    )


def _voltage(work: Work) -> float | None:
    stated = work.request.supply_voltage_v
    return stated if stated is not None else work.request.site.volts
