"""Words of the configurator's rules: what each is called, what its unit means, and how the page groups them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from catalog.models import BomRule

GROUPS: tuple[tuple[str | Promise, dict[str, str | Promise]], ...] = (
    (
        _("Power"),
        {
            "dimm_power_w": _("Power of a memory module"),
            "drive_power_w": _("Power of an NVMe drive"),
            "boot_drive_power_w": _("Power of a boot drive"),
            "nic_power_w": _("Power of a network adapter"),
            "nic_800g_power_w": _("Power of an 800G adapter"),
            "board_power_w": _("Power of a server board"),
            "baseboard_power_w": _("Power of a baseboard for eight modules"),
            "small_board_power_w": _("Power of a desktop or edge board"),
            "conversion_share": _("Fans and conversion"),
            "supply_efficiency": _("Efficiency of the power supplies"),
            "supply_overload": _("Load at which supplies are refused"),
            "supply_edge": _("Load from which supplies are near their limit"),
            "supply_derated_below_v": _("Voltage below which large supplies give less"),
            "supply_derated_share": _("Output of large supplies at that voltage"),
            "supply_derated_from_w": _("Size from which supplies give less"),
            "high_line_from_w": _("Largest supply that runs below 200 V"),
            "c19_from_w": _("Size from which a supply needs a C19 cord"),
            "slot_power_w": _("Power that a card takes from its slot"),
            "circuit_continuous_share": _("Lasting load that a breaker may carry"),
            "circuit_continuous_volts": _("Voltages with that limit on lasting load"),
            "pdu_outlets": _("Outlets of a power distribution unit"),
            "idle_share_accelerator": _("Idle power of an accelerator"),
            "idle_share_host": _("Idle power of the host"),
            "typical_share_accelerator": _("Power of an accelerator under load"),
            "typical_share_host": _("Power of the host under load"),
            "low_slot_w": _("Power of a slot without a cable"),
            "power_curve_load": _("Power curve: load"),
            "power_curve_share": _("Power curve: share of the way from idle to full load"),
        },
    ),
    (
        _("Cooling"),
        {
            "btu_per_h_per_w": _("Heat of one watt"),
            "cooling_unit_kw": _("Heat that one liquid cooling unit takes"),
            "optics_ambient_c": _("Warmest air with fast adapters"),
        },
    ),
    (
        _("Processors and memory"),
        {
            "cores_per_accelerator": _("Cores for each accelerator"),
            "cores_per_accelerator_least": _("Fewest cores for each accelerator"),
            "host_memory_twice": _("Host memory, lower rule of vendors"),
            "host_memory_thrice": _("Host memory, upper rule of vendors"),
            "host_memory_lowest_built": _("Host memory, lowest published"),
            "host_memory_highest_built": _("Host memory, highest published"),
            "host_memory_system_gb": _("Memory of operating system and engine"),
            "host_memory_per_accelerator_gb": _("Memory for each accelerator"),
            "module_sizes_gb": _("Sizes of memory modules"),
            "channels_least_share": _("Fewest memory channels filled"),
        },
    ),
    (
        _("Network and storage"),
        {
            "nic_speeds_gbit_s": _("Port speeds"),
            "nic_load_share": _("Load that a port may carry"),
            "nic_front_end_least_gbit_s": _("Slowest front-end port"),
            "nic_load_s": _("Time to bring the weights over the network"),
            "nic_lanes": _("PCIe lanes of an adapter"),
            "drive_lanes": _("PCIe lanes of a drive"),
            "lanes_two_sockets_sp5": _("PCIe lanes of two EPYC processors"),
            "fabric_gbit_s": _("Fabric between servers, for each accelerator"),
            "drive_set_factor": _("Room on the model drives"),
            "boot_drives": _("Boot drives"),
            "boot_drives_small": _("Boot drives of a desktop or edge unit"),
            "nic_wire_share": _("Data rate of a port"),
            "nic_on_board_gbit_s": _("Port that a desktop or edge board brings along"),
            "desktops_linked": _("Desktop units that may be linked"),
        },
    ),
    (
        _("Licences and spare parts"),
        {
            "ai_enterprise_included": _("Accelerators with an AI Enterprise licence"),
            "ai_enterprise_engines": _("Serving software that needs AI Enterprise"),
            "node_management_licences": _("Licences for remote management"),
            "fleet_management_licences": _("Licences for managing all servers"),
            "fleet_from_servers": _("Servers from which one console is offered"),
            "spare_fleet_share": _("Spare parts on site"),
        },
    ),
    (
        _("Delivery and cost"),
        {
            "lead_half_life_days": _("Age at which a lead time counts half"),
            "lead_widens_after_days": _("Age from which a lead time becomes less certain"),
            "lead_point_spread": _("Spread of a lead time printed as one figure"),
            "sensitivity_share": _("Change of an input in the sensitivity"),
            "requests_per_day_rule_of_thumb": _("Rule of thumb for buying"),
        },
    ),
)

UNITS = (
    gettext_noop("W per module"),
    gettext_noop("W per NVMe drive"),
    gettext_noop("W per M.2 drive"),
    gettext_noop("W per adapter"),
    gettext_noop("W per server board"),
    gettext_noop("W per 8-module baseboard"),
    gettext_noop("W per desktop or edge board"),
    gettext_noop("share of the sum"),
    gettext_noop("share"),
    gettext_noop("share of the output left after the allowed failures"),
    gettext_noop("V"),
    gettext_noop("V at which that share counts"),
    gettext_noop("W that a slot gives a card without a cable"),
    gettext_noop("share of the breaker under load for three hours or more"),
    gettext_noop("share of the port rate left for data"),
    gettext_noop("share of rating (2,900 of 3,200 W)"),
    gettext_noop("W"),
    gettext_noop("W rating above which a supply needs 200 V or more"),
    gettext_noop("share of the power limit"),
    gettext_noop("share of the host's worst case"),
    gettext_noop("share of the power limit under inference load"),
    gettext_noop("share of the host's worst case under inference load"),
    gettext_noop("BTU/h per W"),
    gettext_noop("physical cores"),
    gettext_noop("host memory / accelerator memory"),
    gettext_noop("GB per node"),
    gettext_noop("GB"),
    gettext_noop("share of the memory channels with a module"),
    gettext_noop("Gbit/s"),
    gettext_noop("share of the port at peak"),
    gettext_noop("s to bring the weights over the network"),
    gettext_noop("PCIe lanes per adapter"),
    gettext_noop("PCIe lanes per NVMe drive"),
    gettext_noop("PCIe lanes of a two-socket EPYC server"),
    gettext_noop("desktop or edge units that one replica may span"),
    gettext_noop("Gbit/s per accelerator"),
    gettext_noop("times the sum of the model variants"),
    gettext_noop("mirrored drives"),
    gettext_noop("pieces"),
    gettext_noop("accelerators"),
    gettext_noop("engines"),
    gettext_noop("W that a slot gives without a cable"),
    gettext_noop("degrees C with adapters of 100 GbE and more"),
    gettext_noop("days"),
    gettext_noop("share of the weeks where only one figure is printed"),
    gettext_noop("utilisation"),
    gettext_noop("share of the way from idle to loaded power"),
    gettext_noop("share by which an input is moved"),
    gettext_noop("requests per day"),
    gettext_noop("outlets per rack power distribution unit"),
    gettext_noop("kW of heat that one liquid cooling unit in the rack takes"),
    gettext_noop("maker and licence"),
    gettext_noop("servers from which one console for all is offered"),
    gettext_noop("share of the power supplies and drives kept as spare parts, at least one of each"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleGroup:
    """Rules that belong together, in their order on the page."""

    title: str
    rules: list[tuple[str, str, BomRule]]  # label, unit in words, row


def rule_label(slug: str) -> str:
    """What a rule is called; its id where it has no words."""
    return next((str(labels[slug]) for _title, labels in GROUPS if slug in labels), slug)


def unit_words(unit: str) -> str:
    """A shipped unit in the reader's language; another one as it is."""
    return gettext(unit) if unit in UNITS else unit


def rule_groups(rows: Iterable[BomRule]) -> list[RuleGroup]:
    """The stored rules by topic; rules without words follow under their id."""
    left = {row.slug: row for row in rows}
    groups = [
        RuleGroup(
            title=str(title),
            rules=[
                (str(label), unit_words(row.unit), row)
                for slug, label in labels.items()
                if (row := left.pop(slug, None)) is not None
            ],
        )
        for title, labels in GROUPS
    ]
    others = [(slug, unit_words(row.unit), row) for slug, row in sorted(left.items())]
    return [group for group in [*groups, RuleGroup(title=gettext("Other"), rules=others)] if group.rules]
