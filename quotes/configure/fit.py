"""Does an accelerator go into a chassis, how many, and how do the replicas lie on servers?"""

from dataclasses import dataclass

from quotes.configure.facts import AcceleratorPart, Chassis, MountKind, MountOption
from quotes.configure.request import BomRequest, NodeLayout, Problem
from quotes.configure.rules import Rules
from sizing.core.values import Message

WHOLE_UNITS = frozenset({MountKind.BOARD, MountKind.OAM, MountKind.INTEGRATED})
DESKTOPS = frozenset({"compact", "workstation", "tower", "industrial_edge"})
AT_DESKS = frozenset({"compact", "workstation", "tower"})
NOT_ORDERABLE = frozenset({"announced", "withdrawn"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """An accelerator in a chassis: places of one server, and how good the evidence is.

    `whole_units` is True where the server is only sold with every place filled.
    """

    chassis: Chassis
    capacity: int
    whole_units: bool
    listed: bool
    seen: int
    warnings: tuple[Message, ...] = ()


def fit_chassis(chassis: Chassis, part: AcceleratorPart, *, pinned: bool) -> Fit | Problem:
    """Places for `part` in `chassis`, or the constraint that keeps it out.

    An accelerator that neither the maker's list nor a published build names goes in where slot width and
    slot power allow it (cards) or, for modules, only where the buyer pinned the chassis; the result
    then says so.
    """
    listed, seen = part.slug in chassis.compatible, chassis.seen_count(part.slug)
    options = [option for option in chassis.mounts if option.kind is part.mount]
    if misfit := _misfit(chassis, part, options, pinned=pinned, proven=listed or seen > 0):
        return misfit
    suitable = [option for option in options if _suits(option, part)]
    if options and not suitable and not seen:
        return _slot_problem(chassis, part, options)
    capacity = _capacity(chassis, part, suitable, seen)
    if capacity < 1:
        return _problem("bom_capacity_unknown", "bom_ask_maker", chassis=chassis.model, part=part.name)
    return Fit(
        chassis=chassis,
        capacity=capacity,
        whole_units=part.mount in WHOLE_UNITS,
        listed=listed,
        seen=seen,
        warnings=_warnings(chassis, part, listed=listed, seen=seen, suitable=suitable),
    )


def is_foreign(chassis: Chassis, part: AcceleratorPart) -> bool:
    """True where nothing speaks for the pair: no list, no build, no place of its kind. Most pairs are such."""
    return not (
        part.is_processor
        or part.slug in chassis.compatible
        or chassis.status in NOT_ORDERABLE
        or part.mount in {option.kind for option in chassis.mounts}
        or chassis.seen_count(part.slug)
    )


def _misfit(
    chassis: Chassis, part: AcceleratorPart, options: list[MountOption], *, pinned: bool, proven: bool
) -> Problem | None:
    """What rules the chassis out before slots are looked at."""
    params = {"chassis": chassis.model, "part": part.name, "status": chassis.status}
    kinds = {option.kind for option in chassis.mounts}
    no_draught = chassis.category in AT_DESKS and part.mount is MountKind.PCIE and part.cooling == "passive"
    rack_only = part.availability == "rack-scale" and part.slug not in chassis.compatible
    reasons = (
        (chassis.status in NOT_ORDERABLE and not pinned, "bom_not_orderable", "bom_choose_other_chassis"),
        (chassis.category == "cloud" and not pinned, "bom_cloud_chassis", "bom_choose_other_chassis"),
        (rack_only and not pinned, "bom_not_listed", "bom_choose_listed"),
        (not proven and kinds <= {MountKind.UNKNOWN}, "bom_capacity_unknown", "bom_ask_maker"),
        (not proven and not options, "bom_mount_mismatch", "bom_choose_other_chassis"),
        (not (proven or pinned or part.mount is MountKind.PCIE), "bom_not_listed", "bom_choose_listed"),
        (no_draught and not (proven or pinned), "bom_passive_at_desk", "bom_choose_listed"),
    )
    for applies, code, remedy in reasons:
        if applies:
            return _problem(code, remedy, **params)
    return None


def _suits(option: MountOption, part: AcceleratorPart) -> bool:
    if option.kind is not MountKind.PCIE:
        return True
    if option.slot_width is not None and part.slot_width is not None and part.slot_width > option.slot_width:
        return False
    if option.low_profile and " LP " not in f" {part.form_factor} ":
        return False
    return option.max_w is None or part.tdp_w is None or part.tdp_w <= option.max_w


def _capacity(chassis: Chassis, part: AcceleratorPart, suitable: list[MountOption], seen: int) -> int:
    places = max((option.count for option in suitable if option.count is not None), default=0)
    if not places and not suitable:
        places = seen
    elif not places:
        places = chassis.max_accelerators or 0
    limit = dict(chassis.card_limits).get(part.slug)
    if limit is not None:
        places = min(places, limit)
    if part.mount in WHOLE_UNITS:
        return places or seen
    return max(places, seen)


def _slot_problem(chassis: Chassis, part: AcceleratorPart, options: list[MountOption]) -> Problem:
    widths = [option.slot_width for option in options if option.slot_width is not None]
    widest, needed = max(widths, default=None), part.slot_width
    if widest is not None and needed is not None and needed > widest:
        return _problem(
            "bom_slot_too_narrow",
            "bom_choose_wider_slots",
            chassis=chassis.model,
            part=part.name,
            slots_needed=needed,
            slots_given=widest,
        )
    limits = [option.max_w for option in options if option.max_w is not None]
    if limits and part.tdp_w is not None and part.tdp_w > max(limits):
        return _problem(
            "bom_slot_power",
            "bom_choose_power_slots",
            rule="low_slot_w",
            chassis=chassis.model,
            part=part.name,
            needed_w=part.tdp_w,
            given_w=max(limits),
        )
    return _problem("bom_low_profile_only", "bom_choose_other_chassis", chassis=chassis.model, part=part.name)


def _warnings(
    chassis: Chassis, part: AcceleratorPart, *, listed: bool, seen: int, suitable: list[MountOption]
) -> tuple[Message, ...]:
    found = []
    if not listed and seen:
        found.append(Message("bom_seen_not_listed", {"chassis": chassis.model, "part": part.name, "count": seen}))
    elif not listed:
        found.append(Message("bom_unlisted", {"chassis": chassis.model, "part": part.name}))
    places = max((option.count or 0 for option in suitable), default=0)
    if seen > places > 0:
        found.append(Message("bom_built_above_list", {"chassis": chassis.model, "built": seen, "listed": places}))
    if chassis.status not in {"current", ""}:
        found.append(Message("bom_status", {"chassis": chassis.model, "status": chassis.status}))
    return tuple(found)


def layout_of(request: BomRequest, fit: Fit, rules: Rules) -> NodeLayout | Problem:
    """Servers for all replicas: a replica stays whole on one server wherever one holds it.

    Servers are filled evenly. Desktops and edge boxes are linked only as far as their makers state.
    Boards and integrated systems are bought with every place filled.
    """
    per_replica = request.accelerators_per_replica
    replicas = -(-request.cards_total // per_replica)
    if request.replica_spans_nodes is False and per_replica > fit.capacity:
        return _problem(
            "bom_replica_too_large",
            "bom_choose_larger_node",
            chassis=fit.chassis.model,
            needed=per_replica,
            places=fit.capacity,
        )
    if per_replica > fit.capacity or request.replica_spans_nodes:
        return _spanning(per_replica, replicas, fit, rules.number("desktops_linked"))
    per_node = fit.capacity // per_replica
    servers = -(-replicas // per_node)
    fullest = -(-replicas // servers)
    return NodeLayout(
        servers=servers,
        accelerators_per_node=fit.capacity if fit.whole_units else fullest * per_replica,
        replicas_per_node=fullest,
        spans_nodes=False,
        accelerators_bought=servers * fit.capacity if fit.whole_units else request.cards_total,
        lost_with_one_node=fullest,
    )


def _spanning(per_replica: int, replicas: int, fit: Fit, desktops_linked: float) -> NodeLayout | Problem:
    nodes_per_replica = max(-(-per_replica // fit.capacity), 1)
    if fit.chassis.category in DESKTOPS and nodes_per_replica > desktops_linked:
        return _problem(
            "bom_desktops_linked",
            "bom_choose_larger_node",
            rule="desktops_linked",
            chassis=fit.chassis.model,
            needed=nodes_per_replica,
            limit=round(desktops_linked),
        )
    servers = replicas * nodes_per_replica
    cards = -(-per_replica // nodes_per_replica)
    return NodeLayout(
        servers=servers,
        accelerators_per_node=fit.capacity if fit.whole_units else cards,
        replicas_per_node=1,
        spans_nodes=nodes_per_replica > 1,
        accelerators_bought=servers * fit.capacity if fit.whole_units else replicas * per_replica,
        lost_with_one_node=1,
    )


def _problem(code: str, remedy: str, *, rule: str = "", **params: str | int | float | None) -> Problem:
    return Problem(message=Message(code, params), remedy=Message(remedy, params), rule=rule)
