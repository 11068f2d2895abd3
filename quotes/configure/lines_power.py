"""Lines on power, mounting and licences of the servers."""

from collections.abc import Iterator

from quotes.configure.facts import ComponentPart, MountKind, PartClass
from quotes.configure.fit import DESKTOPS
from quotes.configure.node import Node
from quotes.configure.work import Work
from quotes.configure.writer import Item, in_system_price, named
from sizing.core.values import Message, Param

RACKED = frozenset({"rackmount", ""})
MOUNTED = RACKED | {"industrial_edge"}


def power_items(work: Work, node: Node) -> Iterator[Item]:
    """Supplies, one cord for each, their outlets, and rails. A server without supplies hangs on the rack's bus bar."""
    chassis = work.chassis
    if chassis.psu_count != 0:
        count = (node.supplies.count or 1) * work.layout.servers
        yield _supplies(work, node, count)
        yield _cords(work, node, count)
        if chassis.category in RACKED:
            yield _outlets(work, node, count)
    if chassis.category in MOUNTED:
        yield Item(
            part_class=PartClass.RAILS,
            manufacturer=chassis.vendor,
            slug="",
            name=chassis.model,
            quantity=work.layout.servers,
            reason=Message("bom_reason_rails" if chassis.category in RACKED else "bom_reason_mounting", {}),
            with_chassis=True,
        )


def card_power(work: Work) -> Iterator[Item]:
    """One power cable for each card that draws more than its slot gives; a complete system brings them along."""
    part, slot_w = work.request.accelerator, work.rules.number("slot_power_w")
    if part.mount is not MountKind.PCIE or work.chassis.complete_system or (part.tdp_w or 0) <= slot_w:
        return
    yield Item(
        part_class=PartClass.CABLE,
        manufacturer=work.chassis.vendor,
        slug="",
        name="PCIe power",
        quantity=work.layout.accelerators_bought,
        reason=Message("bom_reason_card_power", {"tdp_w": round(part.tdp_w or 0), "slot_w": round(slot_w)}),
        with_chassis=True,
    )


def _supplies(work: Work, node: Node, count: int) -> Item:
    chassis, rated = work.chassis, node.supplies.rated_w
    part = _own(work, PartClass.PSU, rated_w=rated) if rated is not None else None
    return Item(
        part_class=PartClass.PSU,
        manufacturer=chassis.vendor,
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=named(part, f"{rated:.0f} W" if rated else ""),
        quantity=count,
        reason=node.supplies.verdict.message,
        included=in_system_price(work),
        with_chassis=True,
    )


def _plug(work: Work, node: Node) -> str:
    """Plug of the cords by the size of the supplies; "" where that is not known.

    Away from a rack the other end goes into a wall outlet, whose form follows the country; a small complete
    system has an inlet of its own kind.
    """
    rated, desk = node.supplies.rated_w, work.chassis.category in DESKTOPS
    if rated is None or (desk and work.chassis.complete_system):
        return ""
    if desk:
        return "C19" if rated >= work.rules.number("c19_from_w") else "C13"
    return "C19-C20" if rated >= work.rules.number("c19_from_w") else "C13-C14"


def _outlets(work: Work, node: Node, count: int) -> Item:
    """Rack distribution units as an option: a rack may have outlets free, but somebody has to count them.

    Half of the supplies of a redundant server hang on each feed, so each feed has units of its own.
    """
    feeds = _feeds(work)
    per_feed = -(-count // feeds)
    plug = _plug(work, node).partition("-")[0]
    params: dict[str, Param] = {"outlets": count, "feeds": feeds, "per_feed": per_feed, "plug": plug or None}
    counted = node.supplies.count is not None
    return Item(
        kind="option",
        part_class=PartClass.PDU,
        slug="",
        name="",
        quantity=feeds * -(-per_feed // int(work.rules.number("pdu_outlets"))),
        reason=Message("bom_reason_outlets", params) if counted else Message("bom_reason_outlets_open", {}),
    )


def _feeds(work: Work) -> int:
    """Feeds of the place as stated, else two for redundant supplies and one for others."""
    scheme = work.chassis.psu_scheme
    return work.request.site.feeds or (2 if scheme is not None and scheme.spare else 1)


def _cord_reason(work: Work, node: Node, count: int) -> Message:
    feeds = _feeds(work)
    if node.supplies.count is None:
        return Message("bom_reason_cords_open", {})
    if work.chassis.category in DESKTOPS:
        return Message("bom_reason_cords_wall", {"outlets": count})
    if feeds == 2 and count > 1:
        return Message("bom_reason_cords", {"outlets": count})
    return Message("bom_reason_cords_feeds", {"outlets": count, "feeds": feeds})


def _direct_current_lead(work: Work) -> Item:
    params: dict[str, Param] = {"volts": work.request.site.dc_input_v}
    return Item(
        part_class=PartClass.POWER_CORD,
        slug="",
        name=f"{work.request.site.dc_input_v:g} V DC",
        quantity=work.layout.servers,
        reason=Message("bom_reason_dc_lead", params),
        with_chassis=True,
    )


def _cords(work: Work, node: Node, count: int) -> Item:
    chassis, site = work.chassis, work.request.site
    if chassis.category == "industrial_edge" and site.dc_input_v is not None and site.volts is None:
        return _direct_current_lead(work)
    if chassis.category == "rack_scale" and node.supplies.count is None:
        return Item(
            part_class=PartClass.POWER_CORD,
            slug="",
            name="",
            quantity=work.layout.servers,
            reason=Message("bom_reason_rack_feeds", {}),
            with_chassis=True,
        )
    plug = _plug(work, node)
    part = _own(work, PartClass.POWER_CORD, plug=plug) if "-" in plug else None  # makers list cords for racks
    return Item(
        part_class=PartClass.POWER_CORD,
        manufacturer=part.vendor if part else "",
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=named(part, plug),
        quantity=count,
        reason=_cord_reason(work, node, count),
        with_chassis=True,
    )


def _own(work: Work, part_class: PartClass, *, rated_w: float | None = None, plug: str = "") -> ComponentPart | None:
    """The chassis maker's own part of this size or plug."""
    return next(
        (
            part
            for part in work.prepared.components.get(part_class, ())
            if part.vendor == work.chassis.vendor and part.rated_w == rated_w and plug in part.model
        ),
        None,
    )


def licences(work: Work) -> Iterator[Item]:
    """Remote and fleet management as options, and NVIDIA AI Enterprise: included, needed, or an option."""
    request = work.request
    if request.procurement.management_licence and work.chassis.category in RACKED:
        yield from _management(work)
    if request.accelerator.vendor.lower() != "nvidia" or request.procurement.ai_enterprise is False:
        return
    yield _ai_enterprise(work)


def _management(work: Work) -> Iterator[Item]:
    """The maker's licence for its out-of-band controller, and from some servers on the one for all of them."""
    vendor, servers = work.chassis.vendor, work.layout.servers
    plan = [("node_management_licences", "bom_reason_management")]
    if servers >= work.rules.number("fleet_from_servers"):
        plan.append(("fleet_management_licences", "bom_reason_fleet"))
    for rule, reason in plan:
        name = work.rules.pairs(rule).get(vendor, "")
        yield Item(
            kind="option",
            part_class=PartClass.SOFTWARE,
            manufacturer=vendor,
            slug="",
            name=name,
            quantity=servers,
            reason=Message(reason if name else f"{reason}_open", {"servers": servers}),
        )


def _ai_enterprise(work: Work) -> Item:
    request, rules = work.request, work.rules
    cards, years = work.layout.accelerators_bought, request.procurement.support_years
    base = Item(
        kind="licence",
        part_class=PartClass.SOFTWARE,
        manufacturer="NVIDIA",
        slug="nvidia-ai-enterprise-per-gpu-5-years" if years == 5 else "nvidia-ai-enterprise-per-gpu-1-year",
        name="NVIDIA AI Enterprise",
        quantity=cards if years == 5 else cards * years,
        reason=Message("bom_reason_licence", {"cards": cards, "years": years}),
    )
    if request.accelerator.slug in rules.words("ai_enterprise_included"):
        return base.changed(
            quantity=cards, included=True, reason=Message("bom_reason_licence_included", {"cards": cards})
        )
    needed = request.procurement.ai_enterprise or request.engine in rules.words("ai_enterprise_engines")
    if not needed:
        return base.changed(kind="option", reason=Message("bom_reason_licence_option", {"engine": request.engine}))
    return base
