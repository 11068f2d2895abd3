"""A worked-out server -> numbered lines with price, delivery, origin and the reason for each."""

from collections.abc import Iterator

from quotes.configure.facts import MountKind, PartClass
from quotes.configure.leads import lead_time_of
from quotes.configure.lines_power import card_power, licences, power_items
from quotes.configure.lines_shared import service_lines, shared_lines
from quotes.configure.node import Node
from quotes.configure.prices import price_of
from quotes.configure.request import BomLine
from quotes.configure.work import Work
from quotes.configure.writer import Item, describe, in_system_price, named
from sizing.core.values import Message

HARDWARE_LEAD = frozenset(
    {
        PartClass.SYSTEM,
        PartClass.ACCELERATOR,
        PartClass.CPU,
        PartClass.RAM,
        PartClass.STORAGE,
        PartClass.NIC,
        PartClass.SWITCH,
        PartClass.TRANSCEIVER,
        PartClass.BRIDGE,
    }
)
WORKSTATION_PROCESSORS = "Xeon W"
CHASSIS_LINE = "1.1"
RACK_SERVERS = frozenset({"rackmount", "rack_scale", ""})


def write_lines(work: Work, node: Node) -> tuple[BomLine, ...]:
    """The lines of all sections, numbered "1.1" and on."""
    lines = []
    for section, items in enumerate(items_of(work, node), start=1):
        lines += [_line(work, f"{section}.{number}", item) for number, item in enumerate(items, start=1)]
    return tuple(lines)


def items_of(work: Work, node: Node) -> tuple[list[Item], ...]:
    """Positions by section: the servers, what they share, services. Empty sections are left out."""
    sections = (list(_server_items(work, node)), list(shared_lines(work, node)), list(service_lines(work, node)))
    return tuple(section for section in sections if section)


def _line(work: Work, number: str, item: Item) -> BomLine:
    currency, as_of = work.request.procurement.currency, work.request.as_of
    price = indicative = lead = None
    if item.slug and not item.included:
        price, indicative = price_of(item.slug, item.part_class, currency=currency, as_of=as_of, prepared=work.prepared)
    # The maker of a complete system waits for its accelerators like everybody else.
    waits = item.part_class is PartClass.ACCELERATOR or not (item.included or work.chassis.complete_system)
    if item.part_class in HARDWARE_LEAD and (waits or item.part_class is PartClass.SYSTEM):
        lead = lead_time_of(
            item.slug,
            item.part_class,
            vendor=item.manufacturer,
            as_of=as_of,
            prepared=work.prepared,
            rules=work.rules,
            own_only=not _class_speaks_for(work, item),
        )
    return BomLine(
        line=number,
        kind=item.kind,
        part_class=item.part_class,
        manufacturer=item.manufacturer,
        mpn=item.mpn,
        part=item.slug,
        name=item.name,
        description=describe(item),
        quantity=item.quantity,
        reason=item.reason,
        included=item.included,
        part_known=bool(item.slug) or item.kind == "service",
        ships_with=CHASSIS_LINE if item.with_chassis and number != CHASSIS_LINE else "",
        unit_price=price,
        indicative_price=indicative,
        lead=lead,
        origin=work.prepared.origins.get(item.slug),
        power_w=item.power_w,
    )


def _class_speaks_for(work: Work, item: Item) -> bool:
    """Statements on accelerators speak of data-centre cards, on systems and processors of servers, others of all."""
    if item.part_class is PartClass.CPU:
        part = work.prepared.processors_by_slug.get(item.slug)
        return part is None or not part.generation.startswith(WORKSTATION_PROCESSORS)
    if item.part_class is PartClass.SYSTEM:
        return work.chassis.category in RACK_SERVERS
    if item.part_class is not PartClass.ACCELERATOR:
        return True
    card = work.request.accelerator
    return card.mount in {MountKind.BOARD, MountKind.OAM} or "passive" in card.cooling


def _server_items(work: Work, node: Node) -> Iterator[Item]:
    yield _chassis(work)
    if not work.request.accelerator.is_processor:
        yield _accelerators(work)
        yield from card_power(work)
    yield _processors(work, node)
    yield _memory(work, node)
    yield from _drives(work, node)
    yield from _network(work, node)
    if node.bridges is not None:
        yield _bridges(work, node)
    yield from power_items(work, node)
    yield from licences(work)


def _chassis(work: Work) -> Item:
    chassis, layout = work.chassis, work.layout
    counted = "bom_reason_chassis_processors" if work.request.accelerator.is_processor else "bom_reason_chassis"
    code = "bom_reason_system" if chassis.complete_system else counted
    params = {
        "servers": layout.servers,
        "replicas": layout.replicas_per_node,
        "accelerators": layout.accelerators_per_node,
    }
    return Item(
        part_class=PartClass.SYSTEM,
        manufacturer=chassis.vendor,
        slug=chassis.slug,
        name=f"{chassis.vendor} {chassis.model}",
        quantity=layout.servers,
        reason=Message(code, params),
    )


def _accelerators(work: Work) -> Item:
    part, layout, chassis = work.request.accelerator, work.layout, work.chassis
    numbers = work.prepared.part_numbers.get(part.slug, ())
    own = next((n for n in numbers if n.oem == chassis.vendor and n.oem_part_number), None)
    maker = next((n for n in numbers if n.mpn), None)
    spare = work.request.cards_total - work.request.replicas * work.request.accelerators_per_replica
    params = {
        "replicas": work.request.replicas,
        "per_replica": work.request.accelerators_per_replica,
        "spare": max(spare, 0),
        "idle": layout.accelerators_bought - work.request.cards_total,
    }
    code = "bom_reason_accelerators_board" if params["idle"] else "bom_reason_accelerators"
    return Item(
        part_class=PartClass.ACCELERATOR,
        manufacturer=own.oem if own else maker.manufacturer if maker else part.vendor,
        mpn=own.oem_part_number if own else maker.mpn if maker else "",
        slug=part.slug,
        name=part.name,
        quantity=layout.accelerators_bought,
        reason=Message(code, params),
        included=in_system_price(work),
        power_w=part.tdp_w,
    )


def _processors(work: Work, node: Node) -> Item:
    cpu, chassis = node.cpu, work.chassis
    if chassis.complete_system:
        return _by_maker(work, PartClass.CPU, chassis.cpu_text, each=cpu.sockets or 1)
    return Item(
        part_class=PartClass.CPU,
        manufacturer=cpu.part.vendor if cpu.part else "",
        mpn=cpu.part.mpn if cpu.part else "",
        slug=cpu.part.slug if cpu.part else "",
        name=f"{cpu.part.vendor} {cpu.part.name}" if cpu.part else chassis.cpu_text,
        quantity=(cpu.sockets or 1) * work.layout.servers,
        reason=cpu.reason,
        power_w=cpu.worst_case_w,
    )


def _memory(work: Work, node: Node) -> Item:
    memory, chassis, servers = node.memory, work.chassis, work.layout.servers
    fixed = chassis.complete_system
    if memory is None or fixed:
        says_how_much = any(unit in chassis.ram_type for unit in (" GB", " TB", " TiB"))
        most = f"{chassis.max_ram_gb:.0f} GB " if chassis.max_ram_gb and not says_how_much else ""
        name = f"{most}{chassis.ram_type}"
        code = "bom_reason_memory_fixed" if fixed else "bom_reason_memory_open"
        return Item(
            part_class=PartClass.RAM,
            slug="",
            name=name,
            quantity=servers,
            reason=Message(code, {"chassis": chassis.model}),
            included=in_system_price(work),
        )
    part = memory.part
    return Item(
        part_class=PartClass.RAM,
        manufacturer=part.vendor if part else "",
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=f"{part.vendor} {part.model}" if part else f"{memory.module_gb:.0f} GB {memory.kind}",
        quantity=memory.modules * servers,
        reason=memory.reason,
        power_w=work.rules.number("dimm_power_w"),
    )


def _drives(work: Work, node: Node) -> Iterator[Item]:
    if work.chassis.complete_system:
        yield _by_maker(work, PartClass.STORAGE, work.chassis.drive_bays)
        return
    plan = ((node.boot, "M.2 NVMe", "boot_drive_power_w"), (node.drives, "NVMe", "drive_power_w"))
    for drive, generic, power_rule in plan:
        yield Item(
            part_class=PartClass.STORAGE,
            manufacturer=drive.part.vendor if drive.part else "",
            mpn=drive.part.mpn if drive.part else "",
            slug=drive.part.slug if drive.part else "",
            name=named(drive.part, generic),
            quantity=drive.count * work.layout.servers,
            reason=drive.reason,
            power_w=work.rules.number(power_rule),
        )


def _by_maker(work: Work, part_class: PartClass, name: str, *, each: int = 1) -> Item:
    """A part that the maker of a complete system fits and prices with it; open while that price is."""
    included = in_system_price(work)
    code = "bom_reason_by_maker" if included else "bom_reason_by_maker_open"
    return Item(
        part_class=part_class,
        manufacturer=work.chassis.vendor,
        slug="",
        name=name,
        quantity=each * work.layout.servers,
        reason=Message(code, {"chassis": work.chassis.model}),
        included=included,
        with_chassis=True,
    )


def _network(work: Work, node: Node) -> Iterator[Item]:
    nic = node.nic.part
    if work.chassis.complete_system:
        yield _by_maker(work, PartClass.NIC, work.chassis.nic_slots)
    else:
        yield Item(
            part_class=PartClass.NIC,
            manufacturer=nic.vendor if nic else "",
            mpn=nic.mpn if nic else "",
            slug=nic.slug if nic else "",
            name=named(nic, f"{node.nic.gbit_s:.0f} GbE"),
            quantity=work.layout.servers,
            reason=node.nic.reason,
            included=node.nic.on_board,
            power_w=None if node.nic.on_board else work.rules.number("nic_power_w"),
        )
    form = nic.form if nic and not work.chassis.complete_system else ""
    yield Item(
        part_class=PartClass.CABLE,
        slug="",
        name=form or f"{node.nic.gbit_s:.0f} GbE",
        quantity=(nic.ports or 1 if nic and form else 1) * work.layout.servers,
        reason=Message("bom_reason_uplink", {"form": form}) if form else Message("bom_reason_uplink_open", {}),
        with_chassis=True,
    )
    if work.chassis.category in RACK_SERVERS:
        yield Item(
            part_class=PartClass.CABLE,
            slug="",
            name="1 GbE",
            quantity=work.layout.servers,
            reason=Message("bom_reason_out_of_band", {"servers": work.layout.servers}),
            with_chassis=True,
        )


def _bridges(work: Work, node: Node) -> Item:
    bridges = node.bridges
    assert bridges is not None  # noqa: S101 - the caller asks only where bridges exist
    part = bridges.part
    return Item(
        part_class=PartClass.BRIDGE,
        manufacturer=part.vendor if part else "",
        mpn=part.mpn if part else "",
        slug=part.slug if part else "",
        name=named(part, f"{bridges.size}-way, {work.request.accelerator.name}"),
        quantity=bridges.per_node * work.layout.servers,
        reason=Message(
            "bom_reason_bridge", {"size": bridges.size, "per_replica": work.request.accelerators_per_replica}
        ),
    )
