"""Lines that several servers share: fabric, liquid cooling, uninterruptible supply, spare parts, services."""

from collections.abc import Iterator

from quotes.configure.facts import PartClass
from quotes.configure.lines_fabric import fabric_lines
from quotes.configure.node import Node
from quotes.configure.work import Work
from quotes.configure.writer import Item
from sizing.core.values import Message, Param

W_PER_KW = 1000


def shared_lines(work: Work, node: Node) -> Iterator[Item]:
    """What stands beside the servers: fabric, cooling unit, supply that bridges a failure of the mains."""
    yield from fabric_lines(work, node)
    if "liquid" in work.chassis.cooling and "air" not in work.chassis.cooling:
        yield _cooling_unit(work, node)
    if work.request.procurement.uninterruptible_supply:
        yield Item(
            part_class=PartClass.UPS,
            slug="",
            name="",
            quantity=1,
            reason=Message("bom_reason_ups", {"load_w": _all_w(work, node)}),
        )


def _all_w(work: Work, node: Node) -> int | None:
    """Worst case of all servers at the wall."""
    return round(node.power.max_w * work.layout.servers) if node.power else None


def _cooling_unit(work: Work, node: Node) -> Item:
    """The unit between the servers' water and that of the building; an option where the site has liquid cooling."""
    each_kw, heat_w = work.rules.number("cooling_unit_kw"), _all_w(work, node)
    heat_kw = None if heat_w is None else round(heat_w / W_PER_KW, 1)
    present = work.request.site.cooling == "liquid"
    params: dict[str, Param] = {"heat_kw": heat_kw, "each_kw": round(each_kw)}
    return Item(
        kind="option" if present else "base",
        part_class=PartClass.COOLING_UNIT,
        slug="",
        name="",
        quantity=max(int(-(-(heat_kw or 0) // each_kw)), 1),
        reason=Message("bom_reason_cooling_unit_there" if present else "bom_reason_cooling_unit", params),
    )


def service_lines(work: Work, node: Node) -> Iterator[Item]:
    """Integration with validation, and support: no public price exists, so both stay open until quoted."""
    servers, years = work.layout.servers, work.request.procurement.support_years
    yield _spares(work, node)
    yield Item(
        kind="service",
        part_class=PartClass.SERVICE,
        slug="",
        name=f"{work.chassis.vendor} {work.chassis.model}",
        quantity=servers,
        reason=Message("bom_reason_integration", {"servers": servers}),
    )
    yield Item(
        kind="service",
        part_class=PartClass.SERVICE,
        manufacturer=work.chassis.vendor,
        slug="",
        name=f"{work.chassis.vendor} {work.chassis.model}",
        quantity=servers,
        reason=Message("bom_reason_support", {"years": years}),
    )


def _spares(work: Work, node: Node) -> Item:
    """Parts on the shelf as an option: the stored share of supplies and drives, at least one of each."""
    request, servers, share = work.request, work.layout.servers, work.rules.number("spare_fleet_share")
    supplies = (node.supplies.count or 0) * servers
    drives = node.drives.count * servers
    in_reserve = request.cards_total - request.replicas * request.accelerators_per_replica
    params: dict[str, Param] = {
        "supplies": _share_of(supplies, share) if supplies else None,
        "drives": _share_of(drives, share),
        "accelerators": max(in_reserve, 0),
    }
    return Item(
        kind="option",
        part_class=PartClass.SPARES,
        manufacturer=work.chassis.vendor,
        slug="",
        name="",
        quantity=1,
        reason=Message("bom_reason_spares_plain" if request.accelerator.is_processor else "bom_reason_spares", params),
    )


def _share_of(count: int, share: float) -> int:
    return max(int(-(-count * share // 1)), 1)
