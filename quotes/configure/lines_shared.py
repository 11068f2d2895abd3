"""Lines that several servers share: fabric, uninterruptible supply, services."""

from collections.abc import Iterator

from quotes.configure.facts import ComponentPart, PartClass
from quotes.configure.node import Node
from quotes.configure.work import Work
from quotes.configure.writer import Item
from sizing.core.values import Message


def fabric_lines(work: Work, node: Node) -> Iterator[Item]:
    """Adapters, switches, optics and cables of the scale-out fabric, only where a replica spans servers."""
    if node.fabric_adapters:
        links = node.fabric_adapters * work.layout.servers
        yield _adapters(work, node, links)
        switch = _switch(work)
        yield _switches(switch, links)
        yield from _optics(work, node, switch, links)
        yield Item(
            part_class=PartClass.CABLE,
            slug="",
            name="",
            quantity=links,
            reason=Message("bom_reason_fabric_cables", {"links": links}),
        )
    if work.request.procurement.uninterruptible_supply:
        yield Item(
            part_class=PartClass.UPS,
            slug="",
            name="",
            quantity=1,
            reason=Message(
                "bom_reason_ups", {"load_w": round(node.power.max_w * work.layout.servers) if node.power else None}
            ),
        )


def _adapters(work: Work, node: Node, links: int) -> Item:
    part = node.fabric_part
    return Item(
        part_class=PartClass.NIC,
        manufacturer=part.vendor if part else "",
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=f"{part.vendor} {part.model}" if part else work.chassis.nic_slots,
        quantity=links,
        reason=Message("bom_reason_fabric", {"links": links, "gbit_s": int(work.rules.number("fabric_gbit_s"))}),
        included=node.fabric_embedded,
        power_w=work.rules.number("nic_power_w"),
    )


def _switch(work: Work) -> ComponentPart | None:
    needed = work.rules.number("fabric_gbit_s")
    fit = [
        part
        for part in work.prepared.components.get(PartClass.SWITCH, ())
        if (part.port_gbit_s or 0) >= needed and (part.ports or 0) > 1
    ]
    key = lambda part: (part.port_gbit_s or 0, part.slug not in work.prepared.prices, part.slug)  # noqa: E731
    return min(fit, key=key) if fit else None


def _switches(switch: ComponentPart | None, links: int) -> Item:
    ports = switch.ports if switch is not None and switch.ports else 64
    return Item(
        part_class=PartClass.SWITCH,
        manufacturer=switch.vendor if switch else "",
        mpn=switch.mpn if switch else "",
        slug=switch.slug if switch else "",
        name=f"{switch.vendor} {switch.model}" if switch else "",
        quantity=-(-links // ports),
        reason=Message(
            "bom_reason_switch" if links <= ports else "bom_reason_switch_tiers", {"links": links, "ports": ports}
        ),
        power_w=switch.typical_power_w if switch else None,
    )


def _optics(work: Work, node: Node, switch: ComponentPart | None, links: int) -> Iterator[Item]:
    """One optic per link at the adapter, twin-port ones at the switch where its cages take them."""
    adapter_form = node.fabric_part.form if node.fabric_part else "OSFP"
    ends = ((adapter_form, 1, links), (switch.form if switch else "", 2, -(-links // 2)))
    for form, ports, quantity in ends:
        part = next(
            (
                item
                for item in work.prepared.components.get(PartClass.TRANSCEIVER, ())
                if form
                and item.form == form
                and item.ports == ports
                and item.port_gbit_s == work.rules.number("fabric_gbit_s")
            ),
            None,
        )
        yield Item(
            part_class=PartClass.TRANSCEIVER,
            manufacturer=part.vendor if part else "",
            mpn=part.mpn if part else "",
            slug=part.slug if part else "",
            name=f"{part.vendor} {part.model}" if part else form,
            quantity=quantity if part or ports == 1 else links,
            reason=Message("bom_reason_optics", {"links": links, "form": form}),
            power_w=part.typical_power_w if part else None,
        )


def service_lines(work: Work) -> Iterator[Item]:
    """Integration with validation, and support: no public price exists, so both stay open until quoted."""
    servers, years = work.layout.servers, work.request.procurement.support_years
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
