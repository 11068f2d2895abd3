"""Words of the configurator: one template per message code, those of delivery and cost with them."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from quotes.messages_cost import COMPARED, COST, DELIVERY

PARTS: dict[str, str | Promise] = {
    "bom_part_system": _("Server: %(name)s"),
    "bom_part_gpu": _("Accelerator: %(name)s"),
    "bom_part_cpu": _("Processor: %(name)s"),
    "bom_part_cpu_open": _("Processor, model open"),
    "bom_part_ram": _("Memory: %(name)s"),
    "bom_part_ram_open": _("Memory, modules open"),
    "bom_part_storage": _("Drive: %(name)s"),
    "bom_part_storage_open": _("Drives, model open"),
    "bom_part_nic": _("Network adapter: %(name)s"),
    "bom_part_nic_open": _("Network adapter, model open"),
    "bom_part_switch": _("Switch: %(name)s"),
    "bom_part_switch_open": _("Switch, model open"),
    "bom_part_transceiver": _("Optic: %(name)s"),
    "bom_part_transceiver_open": _("Optic, model open"),
    "bom_part_psu": _("Power supply: %(name)s"),
    "bom_part_psu_open": _("Power supplies, size and count open"),
    "bom_part_power_cord": _("Power cord: %(name)s"),
    "bom_part_power_cord_open": _("Power cord, plug open"),
    "bom_part_nvlink_bridge": _("NVLink bridge: %(name)s"),
    "bom_part_nvlink_bridge_open": _("NVLink bridge, model open"),
    "bom_part_software": _("Licence: %(name)s"),
    "bom_part_software_open": _("Licence, edition open"),
    "bom_part_rails": _("Rails or mounting kit for %(name)s"),
    "bom_part_rails_open": _("Rails or mounting kit, model open"),
    "bom_part_cable": _("Cable or optic: %(name)s"),
    "bom_part_cable_open": _("Cables, length open"),
    "bom_part_ups": _("Uninterruptible power supply: %(name)s"),
    "bom_part_ups_open": _("Uninterruptible power supply, model open"),
    "bom_part_pdu": _("Power distribution unit: %(name)s"),
    "bom_part_pdu_open": _("Power distribution unit, model open"),
    "bom_part_cooling_unit": _("Liquid cooling unit: %(name)s"),
    "bom_part_cooling_unit_open": _("Liquid cooling unit, model open"),
    "bom_part_spares": _("Spare parts: %(name)s"),
    "bom_part_spares_open": _("Spare parts on site"),
}

REASONS: dict[str, str | Promise] = {
    "bom_reason_chassis": _("Per server: accelerators %(accelerators)s, replicas %(replicas)s."),
    "bom_reason_chassis_processors": _("Per server: processors %(accelerators)s, replicas %(replicas)s."),
    "bom_reason_cpu_runs": _("The model runs on this processor."),
    "bom_reason_system": _("Complete system: accelerators, processors, memory and drives are in its price."),
    "bom_reason_accelerators": _(
        "Replicas: %(replicas)s, accelerators for each: %(per_replica)s, accelerators in reserve: %(spare)s."
    ),
    "bom_reason_accelerators_board": _(
        "Replicas: %(replicas)s, accelerators for each: %(per_replica)s, in reserve: "
        "%(spare)s; the board is sold full, free: %(idle)s."
    ),
    "bom_reason_cpu": _(
        "%(cores_needed)s cores needed: at least %(cores_per_accelerator)s for each of %(accelerators)s accelerators, "
        "more where pre- and post-processing asks for it."
    ),
    "bom_reason_direct_link": _(
        "Joins the two units of a replica (%(chassis)s) without a switch. Plug and length follow the maker's list."
    ),
    "bom_reason_memory": _(
        "Computed need %(computed_gb)s GB, leanest published builds %(floor_gb)s GB; one identical module on every "
        "channel gives %(modules)s x %(module_gb)s GB."
    ),
    "bom_reason_memory_fixed": _("Memory is fixed by the maker of %(chassis)s."),
    "bom_reason_memory_open": _("The memory channels of %(chassis)s are not known, so the modules stay open."),
    "bom_reason_by_maker": _("Fitted by the maker of %(chassis)s and part of its price."),
    "bom_reason_by_maker_open": _("Fitted by the maker of %(chassis)s; the price of the system is open."),
    "bom_reason_boot": _("%(count)s mirrored boot drives apart from the model drives."),
    "bom_reason_drives": _(
        "%(needed_gb)s GB: all sets of weights (%(variants)s), times %(factor)s for the "
        "next version, raised to the next drive size."
    ),
    "bom_reason_nic": _(
        "The load and a reload of the weights within %(load_s)s s need %(needed_gbit_s)s Gbit/s; next port speed "
        "%(speed_gbit_s)s Gbit/s."
    ),
    "bom_reason_nic_on_board": _(
        "The load and a reload of the weights within %(load_s)s s need %(needed_gbit_s)s Gbit/s, which the port on the "
        "board carries (%(speed_gbit_s)s Gbit/s), so no adapter is bought."
    ),
    "bom_reason_nic_load_unknown": _(
        "Request size not stated; a reload of the weights within %(load_s)s s needs %(needed_gbit_s)s Gbit/s; next "
        "port speed %(speed_gbit_s)s Gbit/s."
    ),
    "bom_reason_uplink": _("Connects the adapter to your switch; its cage is %(form)s. Length and switch are open."),
    "bom_reason_uplink_open": _("Connects the system to your switch. Plug, length and switch are open."),
    "bom_reason_bridge": _("A replica uses %(per_replica)s cards; each bridge joins %(size)s."),
    "bom_reason_cords": _("One cord per power supply, half on each feed: %(outlets)s outlets."),
    "bom_reason_cords_feeds": _("One cord per power supply, shared among %(feeds)s feeds: %(outlets)s outlets."),
    "bom_reason_cords_wall": _(
        "One cord per power supply for a wall outlet, whose form follows the country: %(outlets)s outlets. Some makers "
        "enclose it."
    ),
    "bom_reason_rack_feeds": _(
        "The power shelves of the rack are wired to the feeds of the site; count, plug and rating follow the maker's "
        "plan."
    ),
    "bom_reason_dc_lead": _(
        "Joins the server to the direct current of the place (%(volts)s V). Plug, fuse and length follow the maker's "
        "list."
    ),
    "bom_reason_card_power": _(
        "Each card draws up to %(tdp_w)s W, its slot gives %(slot_w)s W: one power cable for each. Plug and riser "
        "follow the list of the server's maker; some enclose both."
    ),
    "bom_reason_cords_open": _("One cord per power supply; how many there are is open."),
    "bom_reason_outlets_open": _("One outlet per power supply; how many there are is open."),
    "bom_reason_rails": _("Rails belong to the chassis and are often not included: to be confirmed."),
    "bom_reason_mounting": _("A mounting kit for the place of use is not known: to be confirmed."),
    "bom_reason_management": _("Remote console and virtual media need this licence of the maker."),
    "bom_reason_management_open": _("Which licence this maker asks for remote management is not known."),
    "bom_reason_fleet": _("One console for %(servers)s servers: firmware, alarms and inventory in one place."),
    "bom_reason_fleet_open": _("Which console this maker offers for %(servers)s servers is not known."),
    "bom_reason_out_of_band": _(
        "One cable from the management port of each server (%(servers)s) to your management network. Length and "
        "switch are open."
    ),
    "bom_reason_outlets": _(
        "%(outlets)s cords need %(outlets)s outlets (%(plug)s), %(per_feed)s on each of %(feeds)s feeds. Only where "
        "the rack has too few free."
    ),
    "bom_reason_cooling_unit": _(
        "The servers give %(heat_kw)s kW of heat to water; one unit takes %(each_kw)s kW. Water at the site is not "
        "stated."
    ),
    "bom_reason_cooling_unit_there": _(
        "The servers give %(heat_kw)s kW of heat to water; one unit takes %(each_kw)s kW. Only where the liquid "
        "cooling of the site has too little left."
    ),
    "bom_reason_spares": _(
        "So that a failure does not wait for the maker: power supplies %(supplies)s, drives %(drives)s. Accelerators "
        "in reserve: %(accelerators)s."
    ),
    "bom_reason_spares_plain": _(
        "So that a failure does not wait for the maker: power supplies %(supplies)s, drives %(drives)s."
    ),
    "bom_reason_licence": _("One licence for each of %(cards)s accelerators for %(years)s years."),
    "bom_reason_licence_included": _("A licence for 5 years comes with each of the %(cards)s accelerators."),
    "bom_reason_licence_option": _("Not needed for the serving software %(engine)s; adds support by NVIDIA."),
    "bom_reason_fabric": _("A replica spans servers: one port of %(gbit_s)s Gbit/s per accelerator, %(links)s in all."),
    "bom_reason_switch": _("%(links)s ports of the fabric fit on one switch with %(ports)s ports."),
    "bom_reason_switch_leaves": _(
        "%(links)s ports of the fabric need more than one switch with %(ports)s ports: leaf switches with %(down)s "
        "ports down and as many up."
    ),
    "bom_reason_switch_spines": _(
        "Second tier: %(uplinks)s links join the leaf switches (%(leaves)s) without a bottleneck."
    ),
    "bom_reason_switch_beyond": _(
        "%(links)s ports of the fabric are more than two tiers of switches with %(ports)s ports carry (%(limit)s): "
        "a network planner has to lay it out."
    ),
    "bom_reason_optics_uplinks": _("Optics at both ends of %(links)s links between switches; cage %(form)s."),
    "bom_reason_optics": _("Optics for %(links)s links; cage %(form)s."),
    "bom_reason_fabric_cables": _("One cable for each of %(links)s links."),
    "bom_reason_ups": _("Bridges a failure of the mains for a load of %(load_w)s W."),
    "bom_reason_integration": _("Assembly, burn-in and validation; servers: %(servers)s."),
    "bom_reason_support": _("Support by the maker for %(years)s years."),
}

POWER: dict[str, str | Promise] = {
    "bom_supply_ok": _("%(load_w)s W on %(left_w)s W left after the allowed failures: %(used_pct)s %%."),
    "bom_supply_edge": _(
        "Power supplies near their limit: %(load_w)s W on %(left_w)s W left after the allowed failures, "
        "%(used_pct)s %%."
    ),
    "bom_supply_overload": _(
        "%(load_w)s W exceed the %(left_w)s W that %(carrying)s supplies of %(rated_w)s W give with %(spare)s failed."
    ),
    "bom_larger_supply": _(
        "Choose larger or more power supplies, a lower power limit of the cards, or fewer cards per server."
    ),
    "bom_supply_voltage": _("Supplies of %(rated_w)s W do not run on %(voltage_v)s V."),
    "bom_use_high_line": _("Provide a feed of 200 to 240 V or choose smaller supplies."),
    "bom_supply_unknown": _("Size or count of the power supplies is not known; the load is %(load_w)s W."),
    "bom_supply_by_maker": _("Power supplies are dimensioned by the maker of %(chassis)s."),
    "bom_redundancy_unknown": _(
        "How many of the %(count)s supplies may fail is not known; the load of %(load_w)s W needs %(needed)s of them."
    ),
    "bom_voltage_not_stated": _("The voltage at the site is not stated; the rated power of the supplies was assumed."),
    "bom_power_unknown": _("The power of this server is not known."),
    "bom_input_unknown": _("Whether %(chassis)s takes %(volts)s V direct current is not known."),
    "bom_input_wrong": _("%(chassis)s does not take the %(volts)s V of the site (stated: %(stated)s)."),
    "bom_feed_ok": _("%(needed)s W on feeds that carry %(limit)s W after the allowed failure."),
    "bom_feed_short": _("%(needed)s W exceed the %(limit)s W that the feeds carry after the allowed failure."),
    "bom_feed_ok_continuous": _(
        "%(needed)s W on feeds that carry %(limit)s W for hours (%(share_pct)s %% of the breaker) after the allowed "
        "failure."
    ),
    "bom_feed_short_continuous": _(
        "%(needed)s W exceed the %(limit)s W that the feeds carry for hours (%(share_pct)s %% of the breaker) after "
        "the allowed failure."
    ),
    "bom_site_power_ok": _("%(needed)s W of %(limit)s W at the site."),
    "bom_site_power_short": _("%(needed)s W exceed the %(limit)s W of the site."),
    "bom_site_power_not_stated": _("The power at the site is not stated; %(total_w)s W are needed."),
}

PLACE: dict[str, str | Promise] = {
    "bom_rack_not_stated": _("The space at the site is not stated."),
    "bom_height_unknown": _("The height of this server is not known."),
    "bom_rack_ok": _("%(needed)s of %(limit)s rack units."),
    "bom_rack_short": _("%(needed)s rack units needed, %(limit)s there."),
    "bom_density_ok": _("%(needed)s W per rack unit of %(limit)s W allowed."),
    "bom_density_high": _("%(needed)s W per rack unit exceed the %(limit)s W allowed."),
    "bom_density_unknown": _("The power per rack unit cannot be judged: height or power is not known."),
    "bom_per_rack_ok": _("One server draws %(needed)s W of the %(limit)s W allowed per rack."),
    "bom_per_rack_high": _("One server draws %(needed)s W, above the %(limit)s W allowed per rack."),
    "bom_noise_unknown": _("The noise of this server is not known."),
    "bom_ambient_optics": _(
        "%(ambient_c)s °C at the site: with adapters of 100 Gbit/s and more some makers allow only %(limit_c)s °C."
    ),
    "bom_cooling_ok": _("Cooling of %(chassis)s fits."),
    "bom_cooling_unknown": _("The cooling of %(chassis)s is not known."),
    "bom_needs_liquid": _("%(part)s needs liquid cooling; %(chassis)s has none."),
    "bom_airflow_unqualified": _(
        "%(part)s has no fan of its own, and the airflow of %(chassis)s is not qualified for it."
    ),
    "bom_active_card_unlisted": _("%(part)s has its own fan but is not on the list of %(chassis)s."),
    "bom_room_not_stated": _("The cooling at the site is not stated."),
    "bom_room_needs_liquid": _("%(chassis)s needs liquid cooling at the site."),
    "bom_ambient_unknown": _("The highest inlet temperature of %(chassis)s is not known."),
    "bom_ambient_high": _("%(ambient_c)s °C at the site, %(chassis)s allows %(limit_c)s °C."),
    "bom_ambient_ok": _("%(ambient_c)s °C at the site, %(chassis)s allows %(limit_c)s °C."),
}

PLACE |= {
    "bom_edge_there": _("%(chassis)s offers what the place asks for: %(feature)s."),
    "bom_edge_missing": _("The place asks for: %(feature)s. %(chassis)s does not have it."),
    "bom_edge_unknown": _("The place asks for: %(feature)s. Whether %(chassis)s has it is not known."),
    "bom_weight_ok": _("%(needed)s of %(limit)s kg."),
    "bom_weight_high": _("%(needed)s kg are heavier than the %(limit)s kg that the place carries."),
    "bom_weight_unknown": _("The weight of this server is not known."),
    "bom_heat_ok": _("%(needed)s W of heat (%(btu_per_h)s BTU/h) of the %(limit)s W that the room takes away."),
    "bom_heat_high": _(
        "%(needed)s W of heat (%(btu_per_h)s BTU/h) exceed the %(limit)s W that the cooling of the room takes away."
    ),
    "bom_ambient_low": _("%(ambient_c)s °C at the site, %(chassis)s works from %(limit_c)s °C."),
    "bom_ambient_low_ok": _("%(ambient_c)s °C at the site, %(chassis)s works from %(limit_c)s °C."),
    "bom_ambient_low_unknown": _("The lowest temperature at which %(chassis)s works is not known."),
    "bom_remedy_input": _("Provide a feed that this server takes, or choose a server with another input."),
    "bom_remedy_feed": _("Provide more or stronger feeds, lower the power limit of the cards, or choose fewer cards."),
    "bom_remedy_power": _("Provide more power, lower the power limit of the cards, or choose fewer cards."),
    "bom_remedy_rack": _("Provide more rack units or choose denser servers."),
    "bom_remedy_weight": _("Choose a lighter server or a place that carries more."),
    "bom_remedy_density": _("Spread the servers over more racks, or choose servers with fewer cards."),
    "bom_remedy_edge": _("Choose a server that offers it, or drop the limit."),
    "bom_remedy_liquid": _("Provide liquid cooling or choose air-cooled hardware."),
    "bom_remedy_heat": _("Provide more cooling, lower the power limit of the cards, or choose fewer cards."),
    "bom_remedy_ambient": _("Cool or heat the place, or choose a server for this temperature."),
}

FEATURES: dict[str, str | Promise] = {
    "fanless": _("no fan"),
    "poe": _("PoE ports"),
    "can": _("CAN bus"),
    "serial": _("serial port"),
    "cellular": _("mobile network"),
    "wall": _("wall mount"),
    "din_rail": _("DIN rail mount"),
    "rack": _("rack mount"),
    "desk": _("place on a desk"),
    "dust": _("protection against dust"),
    "shock": _("protection against shock"),
    "vibration": _("protection against vibration"),
    "mil_std_810": "MIL-STD-810",
}

CHECKS: dict[str, str | Promise] = {
    "bom_no_configuration": _("No configuration."),
    "bom_no_chassis": _("No server of the catalogue takes %(part)s under these limits."),
    "bom_widen_choice": _("Allow further makers or form factors, or add the server to the catalogue."),
    "bom_not_for_sale": _("%(part)s is not sold for your own site."),
    "bom_choose_other_accelerator": _("Choose another accelerator, or rent this one."),
    "bom_cloud_chassis": _("%(chassis)s is a rented machine; nobody sells it."),
    "bom_not_orderable": _("%(chassis)s cannot be ordered: %(status)s."),
    "bom_status": _("%(chassis)s: %(status)s. Ask the maker until when it can be ordered."),
    "bom_choose_other_chassis": _("Choose another server."),
    "bom_mount_mismatch": _("%(part)s does not fit the mounts of %(chassis)s."),
    "bom_not_listed": _("%(part)s is not on the list of %(chassis)s."),
    "bom_choose_listed": _("Choose a server whose maker lists this accelerator."),
    "bom_unlisted": _("%(part)s fits %(chassis)s mechanically but is not on the maker's list: to be confirmed."),
    "bom_seen_not_listed": _(
        "%(part)s is not on the list of %(chassis)s; a published build has %(count)s of them: to be confirmed."
    ),
    "bom_built_above_list": _(
        "A published build of %(chassis)s has %(built)s cards, the list allows %(listed)s: to be confirmed."
    ),
    "bom_slot_too_narrow": _("%(part)s takes %(slots_needed)s slots, %(chassis)s offers %(slots_given)s."),
    "bom_choose_wider_slots": _("Choose a server with wider places."),
    "bom_slot_power": _("%(part)s needs %(needed_w)s W, a place of %(chassis)s gives %(given_w)s W."),
    "bom_choose_power_slots": _("Choose a server with stronger places or a card with a lower limit."),
    "bom_low_profile_only": _("%(chassis)s takes only low-profile cards; %(part)s is full height."),
    "bom_capacity_unknown": _("How many %(part)s %(chassis)s takes is not known."),
    "bom_ask_maker": _("Ask the maker and store the answer in the catalogue."),
    "bom_replica_too_large": _("A replica needs %(needed)s accelerators, %(chassis)s has places for %(places)s."),
    "bom_desktops_linked": _(
        "A replica needs %(needed)s units of %(chassis)s; their makers state a link of %(limit)s."
    ),
    "bom_choose_larger_node": _("Choose a larger server or let a replica span servers."),
    "bom_cpu_unlisted": _(
        "%(chassis)s was filed with %(stated)s; %(part)s is of the same generation and asks less of the board: to be "
        "confirmed."
    ),
    "bom_passive_at_desk": _(
        "%(part)s has no fan of its own, and %(chassis)s does not push air through cards as a rack server does."
    ),
    "bom_cpu_open": _("%(chassis)s: the processor is not settled (stated: %(stated)s), so its power is not known."),
    "bom_cpu_open_assumed": _(
        "%(chassis)s: the processor is not settled (stated: %(stated)s); %(assumed_w)s W each were assumed."
    ),
    "bom_few_cores": _("%(chassis)s offers at most %(cores)s cores, %(cores_needed)s are needed."),
    "bom_memory_rule": _(
        "Host memory is %(ratio)s times the accelerator memory. Vendors ask for %(twice)s to %(thrice)s times, "
        "published systems run at %(lowest)s to %(highest)s times."
    ),
    "bom_memory_short": _("%(total_gb)s GB of memory fit, %(needed_gb)s GB are needed."),
    "bom_memory_slower": _(
        "%(module)s runs at %(module_mts)s MT/s, the processors take up to %(cpu_mts)s MT/s; no faster module of a "
        "fitting size has a known order code. Ask the seller for one, or accept the lower host bandwidth."
    ),
    "bom_memory_unfilled": _("%(slots)s memory slots do not fill %(channels)s channels; bandwidth is lower."),
    "bom_lanes_short": _(
        "%(lanes_needed)s PCIe lanes needed, the processors of %(chassis)s have %(lanes_given)s and the board has no "
        "switches."
    ),
    "bom_switched_board": _("Choose a board with PCIe switches, narrower adapters, or at most %(fewer)s cards."),
    "bom_lanes_need_switch": _(
        "%(lanes_needed)s PCIe lanes needed, the processors have %(lanes_given)s: %(chassis)s must have switches, as "
        "its list of %(accelerators)s cards implies. To be confirmed."
    ),
    "bom_lanes_unlisted": _(
        "%(lanes_needed)s PCIe lanes needed, the processors of %(chassis)s have %(lanes_given)s; whether the board has "
        "switches is not known."
    ),
    "bom_no_bridge": _("%(part)s has no connector for a bridge."),
    "bom_drop_bridge": _("Leave the bridge out or choose a card that takes one."),
    "bom_bridge_leftover": _("%(left)s cards stay without a bridge: bridges join %(size)s."),
    "bom_build_capacity": _("%(modules)s modules of %(module_gb)s GB make %(made_gb)s GB, not %(stated_gb)s GB."),
    "bom_build_mixed_modules": _("Modules of %(smallest_gb)s and %(largest_gb)s GB are mixed; all must be identical."),
    "bom_build_sockets": _("%(sockets)s processors stated, %(chassis)s has %(limit)s sockets."),
    "bom_build_slots": _("%(modules)s modules stated, the catalogue knows %(limit)s slots of %(chassis)s."),
    "bom_build_no_link": _("A direct link between cards is stated; %(part)s has none."),
    "bom_build_cores": _("%(cores)s cores stated, the processor has %(limit)s."),
    "bom_build_count": _("%(count)s accelerators stated, %(chassis)s has places for %(limit)s."),
    "bom_build_channels": _("%(modules)s modules fill %(share_pct)s %% of %(channels)s memory channels."),
    "bom_correct_statement": _("Check the statement with who made it."),
}

SINGULAR: Mapping[str, tuple[str, str | Promise]] = {
    "bom_reason_boot": ("count", _("One boot drive apart from the model drives.")),
    "bom_reason_cpu": (
        "accelerators",
        _(
            "%(cores_needed)s cores needed: at least %(cores_per_accelerator)s for one accelerator, more where pre- "
            "and post-processing asks for it."
        ),
    ),
    "bom_reason_cords": ("outlets", _("One cord for the power supply: one outlet.")),
    "bom_reason_cords_feeds": ("outlets", _("One cord for the power supply: one outlet.")),
    "bom_reason_cords_wall": (
        "outlets",
        _("One cord for a wall outlet, whose form follows the country. Some makers enclose it."),
    ),
    "bom_reason_outlets": ("outlets", _("One cord needs one outlet (%(plug)s). Only where none is free.")),
    "bom_reason_out_of_band": (
        "servers",
        _("One cable from the management port of the server to your management network. Length and switch are open."),
    ),
    "bom_reason_licence": ("cards", _("One licence for one accelerator for %(years)s years.")),
    "bom_reason_licence_included": ("cards", _("A licence for 5 years comes with the accelerator.")),
    "bom_reason_support": ("years", _("Support by the maker for one year.")),
    "bom_bridge_leftover": ("left", _("One card stays without a bridge: bridges join %(size)s.")),
    "bom_seen_not_listed": (
        "count",
        _("%(part)s is not on the list of %(chassis)s; a published build has one of them: to be confirmed."),
    ),
    "delivery_at_least": (
        "unknown",
        _(
            "At least %(weeks_p50)s weeks from order, decided by line %(line)s (%(name)s); one line has no known lead "
            "time."
        ),
    ),
    "cost_undecided_incomplete": (
        "open_lines",
        _(
            "Not decided: one price is open. Owning pays off at %(break_even_requests_per_day)s requests per day at "
            "the earliest; the stated load is %(requests_per_day)s."
        ),
    ),
    "cost_undecided_no_prices": (
        "open_lines",
        _(
            "Not decided: one price is open, so nobody can say from how many requests per day owning pays off; the "
            "stated load is %(requests_per_day)s."
        ),
    ),
}

WORDS: Mapping[str, str | Promise] = {
    **PARTS,
    **REASONS,
    **POWER,
    **PLACE,
    **CHECKS,
    **DELIVERY,
    **COST,
    **COMPARED,
}
