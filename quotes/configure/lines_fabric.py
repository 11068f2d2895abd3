"""The scale-out fabric: adapters, switches of one or two tiers, optics and cables."""

from collections.abc import Iterator
from dataclasses import dataclass

from quotes.configure.facts import ComponentPart, PartClass
from quotes.configure.fit import DESKTOPS
from quotes.configure.node import Node
from quotes.configure.work import Work
from quotes.configure.writer import Item, named
from sizing.core.values import Message

USUAL_PORTS = 64  # where no switch of the catalogue is fast enough: the size that current switches have


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """Switches of a fabric without oversubscription. `uplinks` join leaves and spines; 0 with one switch.

    `leaves` 0: more links than two tiers of this switch carry.
    """

    ports: int
    leaves: int
    spines: int
    uplinks: int


def tiers_of(links: int, ports: int) -> Tiers:
    """One switch up to its ports; beyond that leaves with half of their ports upwards and spines above.

    Leaves = links / (ports / 2), uplinks = leaves x ports / 2, spines = uplinks / ports, each rounded up.
    Two tiers carry ports x ports / 2 links.
    """
    if links <= ports:
        return Tiers(ports=ports, leaves=1, spines=0, uplinks=0)
    half = max(ports // 2, 1)
    leaves = -(-links // half)
    if leaves > ports:
        return Tiers(ports=ports, leaves=0, spines=0, uplinks=0)
    uplinks = leaves * half
    return Tiers(ports=ports, leaves=leaves, spines=-(-uplinks // ports), uplinks=uplinks)


def fabric_lines(work: Work, node: Node) -> Iterator[Item]:
    """Lines of the fabric; none where every replica stays on one server."""
    if not node.fabric_adapters:
        return
    if work.chassis.category in DESKTOPS and node.fabric_embedded:
        yield _direct_link(work)
        return
    links = node.fabric_adapters * work.layout.servers
    switch = _switch(work)
    tiers = tiers_of(links, switch.ports if switch is not None and switch.ports else USUAL_PORTS)
    yield _adapters(work, node, links)
    yield from _switches(switch, tiers, links)
    yield from _optics(work, node, switch, links)
    if tiers.uplinks:
        yield _optic(work, switch.form if switch else "", 2, tiers.uplinks, code="bom_reason_optics_uplinks")
    yield Item(
        part_class=PartClass.CABLE,
        slug="",
        name="",
        quantity=links + tiers.uplinks,
        reason=Message("bom_reason_fabric_cables", {"links": links + tiers.uplinks}),
    )


def _direct_link(work: Work) -> Item:
    """Two desktops with a fast port each are joined by a cable; nothing larger is built of them (`layout_of`)."""
    return Item(
        part_class=PartClass.CABLE,
        slug="",
        name="",
        quantity=work.request.replicas,
        reason=Message("bom_reason_direct_link", {"chassis": work.chassis.model}),
    )


def _adapters(work: Work, node: Node, links: int) -> Item:
    part = node.fabric_part
    return Item(
        part_class=PartClass.NIC,
        manufacturer=part.vendor if part else "",
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=named(part, work.chassis.nic_slots),
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


def _switches(switch: ComponentPart | None, tiers: Tiers, links: int) -> Iterator[Item]:
    if tiers.uplinks:
        yield _switch_item(
            switch,
            tiers.leaves,
            Message("bom_reason_switch_leaves", {"links": links, "ports": tiers.ports, "down": tiers.ports // 2}),
        )
        yield _switch_item(
            switch,
            tiers.spines,
            Message("bom_reason_switch_spines", {"uplinks": tiers.uplinks, "leaves": tiers.leaves}),
        )
    elif tiers.leaves:
        yield _switch_item(switch, 1, Message("bom_reason_switch", {"links": links, "ports": tiers.ports}))
    else:
        # Three tiers and more are a network of their own, so its switches stay open.
        params = {"links": links, "ports": tiers.ports, "limit": tiers.ports * tiers.ports // 2}
        yield _switch_item(None, 1, Message("bom_reason_switch_beyond", params))


def _switch_item(switch: ComponentPart | None, quantity: int, reason: Message) -> Item:
    return Item(
        part_class=PartClass.SWITCH,
        manufacturer=switch.vendor if switch else "",
        mpn=switch.mpn if switch else "",
        slug=switch.slug if switch else "",
        name=named(switch, ""),
        quantity=quantity,
        reason=reason,
        power_w=switch.typical_power_w if switch else None,
    )


def _optics(work: Work, node: Node, switch: ComponentPart | None, links: int) -> Iterator[Item]:
    """One optic per link at the adapter, twin-port ones at the switch where its cages take them."""
    yield _optic(work, node.fabric_part.form if node.fabric_part else "OSFP", 1, links)
    yield _optic(work, switch.form if switch else "", 2, links)


def _optic(work: Work, form: str, ports: int, links: int, *, code: str = "bom_reason_optics") -> Item:
    """Optics for `links` ends in cages of this form. Twin-port ones carry two; where none fits, one is counted each.

    Links between switches have two ends.
    """
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
    ends = links * (2 if code == "bom_reason_optics_uplinks" else 1)
    return Item(
        part_class=PartClass.TRANSCEIVER,
        manufacturer=part.vendor if part else "",
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=named(part, form),
        quantity=-(-ends // ports) if part else ends,
        reason=Message(code, {"links": links, "form": form}),
        power_w=part.typical_power_w if part else None,
    )
