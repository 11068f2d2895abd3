"""Lines on power, mounting and licences of the servers."""

from collections.abc import Iterator

from quotes.configure.facts import ComponentPart, PartClass
from quotes.configure.node import Node
from quotes.configure.work import Work
from quotes.configure.writer import Item, in_system_price, named
from sizing.core.values import Message

RACKED = frozenset({"rackmount", ""})
MOUNTED = RACKED | {"industrial_edge"}
MANAGED_VENDORS = frozenset({"Dell", "HPE", "Lenovo", "Supermicro", "Cisco"})


def power_items(work: Work, node: Node) -> Iterator[Item]:
    """Supplies, one cord for each, and rails. A server without supplies of its own hangs on the rack's bus bar."""
    chassis = work.chassis
    if chassis.psu_count != 0:
        count = (node.supplies.count or 1) * work.layout.servers
        yield _supplies(work, node, count)
        yield _cords(work, node, count)
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


def _cords(work: Work, node: Node, count: int) -> Item:
    rated = node.supplies.rated_w
    large = rated is not None and rated >= work.rules.number("c19_from_w")
    plug = ("C19-C20" if large else "C13-C14") if rated is not None else ""
    part = _own(work, PartClass.POWER_CORD, plug=plug) if plug else None
    return Item(
        part_class=PartClass.POWER_CORD,
        manufacturer=part.vendor if part else "",
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=named(part, plug),
        quantity=count,
        reason=Message("bom_reason_cords", {"outlets": count}),
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
    """Remote management as an option, and NVIDIA AI Enterprise: included, needed, or an option."""
    request, chassis = work.request, work.chassis
    if request.procurement.management_licence and chassis.vendor in MANAGED_VENDORS:
        yield Item(
            kind="option",
            part_class=PartClass.SOFTWARE,
            manufacturer=chassis.vendor,
            slug="",
            name=chassis.model,
            quantity=work.layout.servers,
            reason=Message("bom_reason_management", {}),
        )
    if request.accelerator.vendor.lower() != "nvidia" or request.procurement.ai_enterprise is False:
        return
    yield _ai_enterprise(work)


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
