"""Limits of board, room and rack: lanes, power of the site, cooling, units."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import sqrt

from quotes.configure.cpu import CpuChoice
from quotes.configure.edge import edge_verdicts
from quotes.configure.facts import Chassis, MountKind
from quotes.configure.fit import Fit
from quotes.configure.power import NodePower, SupplyCheck
from quotes.configure.request import Problem
from quotes.configure.work import Work
from sizing.core.values import Message, Param, State, Verdict
from sizing.core.workload import Site

ORDER = (State.FAIL, State.UNKNOWN, State.CAUTION, State.OK)
FAST_ADAPTER_GBIT_S = 100
W_PER_KW = 1000
THREE_PHASE_FROM_V = 346.0  # 346 V between phases are 200 V to neutral; no single-phase feed of a room is that high
SITE_EDGE_SHARE = 0.10  # a margin below this is a caution: the stored supply edge of 90 % seen from the other side


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    """The gravest verdict: fail, unknown, caution, ok; among equals the smallest margin, then the first."""
    return min(verdicts, key=lambda v: (ORDER.index(v.state), v.margin if v.margin is not None else float("inf")))


def check_lanes(
    work: Work, fit: Fit, cpu: CpuChoice, *, adapters: int, drives: int
) -> tuple[Problem | None, Message | None]:
    """PCIe lanes of cards, adapters and drives against those of the processors.

    A board without switches that falls short is refused; one whose switching nobody states gets a
    warning. Modules on a baseboard hang on its own switches and take no slot lanes.
    """
    part, rules = work.request.accelerator, work.rules
    if part.mount is not MountKind.PCIE or cpu.part is None or cpu.sockets is None or cpu.part.pcie_lanes is None:
        return None, None
    card_lanes = (part.pcie_lanes or 16) * work.layout.accelerators_per_node
    needed = card_lanes + adapters * rules.number("nic_lanes") + drives * rules.number("drive_lanes")
    given = float(cpu.part.pcie_lanes * cpu.sockets)
    if cpu.sockets == 2 and cpu.part.socket == "SP5":
        given = min(given, rules.number("lanes_two_sockets_sp5"))
    if needed <= given or work.chassis.pcie_switched:
        return None, None
    params: dict[str, Param] = {
        "chassis": work.chassis.model,
        "lanes_needed": int(needed),
        "lanes_given": int(given),
        "accelerators": work.layout.accelerators_per_node,
        "fewer": max(int((given - (needed - card_lanes)) // (part.pcie_lanes or 16)), 0),
    }
    if work.chassis.pcie_switched is False:
        message, remedy = Message("bom_lanes_short", params), Message("bom_switched_board", params)
        return Problem(message=message, remedy=remedy, rule="nic_lanes"), None
    return None, Message("bom_lanes_need_switch" if fit.listed or fit.seen else "bom_lanes_unlisted", params)


def power_verdict(work: Work, power: NodePower | None, supplies: SupplyCheck) -> Verdict:
    """Supplies of the server, their input and the power of the site together."""
    inputs = list(_inputs(work.request.site, work.chassis))
    if power is None:
        unknown = Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_power_unknown", {}))
        return worst([unknown, *inputs])
    return worst([supplies.verdict, *inputs, *_site_power(work, power.max_w * work.layout.servers)])


def _inputs(site: Site, chassis: Chassis) -> Iterator[Verdict]:
    """Voltage of the site against what the supplies take. A server on the rack's bus bar has none of its own."""
    if chassis.psu_count == 0:
        return
    for volts, current in ((site.volts, "AC"), (site.dc_input_v, "DC")):
        phase_v = volts / sqrt(3) if volts is not None and current == "AC" and volts >= THREE_PHASE_FROM_V else volts
        if volts is None or phase_v is None:
            continue
        params: dict[str, Param] = {"chassis": chassis.model, "volts": volts, "stated": chassis.input_voltage or None}
        if not chassis.voltages:
            # Server supplies for the mains are the rule; whether one takes direct current has to be known.
            if current == "DC":
                yield Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_input_unknown", params))
        elif not any(
            item.current == current and (item.takes(volts) or item.takes(phase_v)) for item in chassis.voltages
        ):
            yield Verdict(state=State.FAIL, margin=None, message=Message("bom_input_wrong", params))


def _circuit(work: Work, volts: float, amps: float) -> tuple[float, float]:
    """Watts that one feed carries for hours, and the share of its breaker that they are.

    Three phases carry sqrt(3) x volts between them x amps. At North American voltages the breaker may carry
    only a stored share for three hours and more. Source: docs/method.md#node-power.
    """
    rules = work.rules
    full_w = volts * amps * (sqrt(3) if volts >= THREE_PHASE_FROM_V else 1)
    if volts in rules.numbers("circuit_continuous_volts"):
        share = rules.number("circuit_continuous_share")
        return full_w * share, share
    return full_w, 1.0


def _site_power(work: Work, total_w: float) -> Iterator[Verdict]:
    site, circuit_w = work.request.site, None
    if site.volts is not None and site.amps is not None:
        # With two feeds or more one may fail and the others must carry everything.
        carrying = max((site.feeds or 1) - 1, 1)
        one_w, share = _circuit(work, site.volts, site.amps)
        circuit_w, ending = one_w * carrying, "_continuous" if share < 1 else ""
        verdict = _against(total_w, circuit_w, f"bom_feed_ok{ending}", f"bom_feed_short{ending}")
        params = {**verdict.message.params, **({"share_pct": round(100 * share)} if ending else {})}
        yield replace(verdict, message=Message(verdict.message.code, params))
    if site.max_power_w is not None:
        yield _against(total_w, site.max_power_w, "bom_site_power_ok", "bom_site_power_short")
    if circuit_w is None and site.max_power_w is None:
        message = Message("bom_site_power_not_stated", {"total_w": round(total_w)})
        yield Verdict(state=State.UNKNOWN, margin=None, message=message)


def _against(needed: float, limit: float, ok_code: str, fail_code: str) -> Verdict:
    params = {"needed": round(needed), "limit": round(limit)}
    margin = (limit - needed) / limit if limit else -1.0
    if margin < 0:
        return Verdict(state=State.FAIL, margin=margin, message=Message(fail_code, params))
    state = State.CAUTION if margin < SITE_EDGE_SHARE else State.OK
    return Verdict(state=state, margin=margin, message=Message(ok_code, params))


def rack_verdict(work: Work, power: NodePower | None) -> Verdict:
    """Mounting, ports, units, weight, watts per unit and kilowatts per rack against what the site states."""
    site, units = work.request.site, work.chassis.rack_units
    verdicts = list(edge_verdicts(site, work.chassis))
    if site.rack_units is None:
        verdicts.append(_rack_unknown("bom_rack_not_stated"))
    elif units is None:
        verdicts.append(_rack_unknown("bom_height_unknown"))
    else:
        verdicts.append(_against(units * work.layout.servers, site.rack_units, "bom_rack_ok", "bom_rack_short"))
    if site.max_w_per_rack_unit is not None:
        if units is None or power is None:
            verdicts.append(_rack_unknown("bom_density_unknown"))
        else:
            verdicts.append(
                _against(power.max_w / units, site.max_w_per_rack_unit, "bom_density_ok", "bom_density_high")
            )
    if site.max_kw_per_rack is not None:
        if power is None:
            verdicts.append(_rack_unknown("bom_density_unknown"))
        else:
            verdicts.append(
                _against(power.max_w, site.max_kw_per_rack * W_PER_KW, "bom_per_rack_ok", "bom_per_rack_high")
            )
    if site.noise_db is not None:
        verdicts.append(_rack_unknown("bom_noise_unknown"))
    if site.max_weight_kg is not None:
        verdicts.append(_weight(work, site.max_weight_kg))
    return worst(verdicts)


def _weight(work: Work, limit_kg: float) -> Verdict:
    each = work.chassis.weight_kg
    if each is None:
        return _rack_unknown("bom_weight_unknown")
    return _against(each * work.layout.servers, limit_kg, "bom_weight_ok", "bom_weight_high")


def _rack_unknown(code: str) -> Verdict:
    return Verdict(state=State.UNKNOWN, margin=None, message=Message(code, {}))


def cooling_verdict(work: Work, fit: Fit, power: NodePower | None, *, adapter_gbit_s: float) -> Verdict:
    """Airflow or liquid for the accelerator, the room's cooling, its capacity and its ambient temperature."""
    return worst([_airflow(work, fit), _room(work), *_heat(work, power), *_ambient(work, adapter_gbit_s)])


def _heat(work: Work, power: NodePower | None) -> Iterator[Verdict]:
    """Heat of all servers against what the room's cooling takes; everything drawn becomes heat."""
    limit_kw = work.request.site.cooling_kw
    if limit_kw is None:
        return
    if power is None:
        yield Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_power_unknown", {}))
        return
    btu = work.rules.number("btu_per_h_per_w")
    heat_w = power.max_w * work.layout.servers
    verdict = _against(heat_w, limit_kw * W_PER_KW, "bom_heat_ok", "bom_heat_high")
    params = {**verdict.message.params, "btu_per_h": round(heat_w * btu)}
    yield replace(verdict, message=Message(verdict.message.code, params))


def _airflow(work: Work, fit: Fit) -> Verdict:
    kinds, part = work.chassis.cooling, work.request.accelerator
    params = {"chassis": work.chassis.model, "part": part.name}
    qualified = fit.listed or fit.seen >= work.layout.accelerators_per_node
    if not kinds:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_cooling_unknown", params))
    if part.cooling == "liquid" and "liquid" not in kinds:
        return Verdict(state=State.FAIL, margin=None, message=Message("bom_needs_liquid", params))
    if not qualified and part.cooling != "active":
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_airflow_unqualified", params))
    if not qualified:
        return Verdict(state=State.CAUTION, margin=None, message=Message("bom_active_card_unlisted", params))
    return Verdict(state=State.OK, margin=None, message=Message("bom_cooling_ok", params))


def _room(work: Work) -> Verdict:
    kinds, site_cooling = work.chassis.cooling, work.request.site.cooling
    params = {"chassis": work.chassis.model, "cooling": ", ".join(kinds)}
    if site_cooling is None:
        return Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_room_not_stated", params))
    if "air" in kinds or "fanless" in kinds or site_cooling != "air":
        return Verdict(state=State.OK, margin=None, message=Message("bom_cooling_ok", params))
    state = State.FAIL if kinds else State.UNKNOWN
    return Verdict(state=state, margin=None, message=Message("bom_room_needs_liquid", params))


def _ambient(work: Work, adapter_gbit_s: float) -> Iterator[Verdict]:
    yield from _coldest(work.request.site, work.chassis)
    stated, limit = work.request.site.max_ambient_c, work.chassis.max_ambient_c
    if stated is None:
        return
    params: dict[str, Param] = {"chassis": work.chassis.model, "ambient_c": stated, "limit_c": limit}
    optics_c = work.rules.number("optics_ambient_c")
    if adapter_gbit_s >= FAST_ADAPTER_GBIT_S and stated >= optics_c:
        message = Message("bom_ambient_optics", {**params, "limit_c": round(optics_c)})
        yield Verdict(state=State.CAUTION, margin=None, message=message)
    if limit is None:
        yield Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_ambient_unknown", params))
        return
    margin = (limit - stated) / limit if limit else None
    if stated > limit:
        yield Verdict(state=State.FAIL, margin=margin, message=Message("bom_ambient_high", params))
    else:
        state = State.OK if stated < limit else State.CAUTION
        yield Verdict(state=state, margin=margin, message=Message("bom_ambient_ok", params))


def _coldest(site: Site, chassis: Chassis) -> Iterator[Verdict]:
    stated, limit = site.min_ambient_c, chassis.min_ambient_c
    if stated is None:
        return
    params: dict[str, Param] = {"chassis": chassis.model, "ambient_c": stated, "limit_c": limit}
    if limit is None:
        yield Verdict(state=State.UNKNOWN, margin=None, message=Message("bom_ambient_low_unknown", params))
    elif stated < limit:
        yield Verdict(state=State.FAIL, margin=None, message=Message("bom_ambient_low", params))
    else:
        yield Verdict(state=State.OK, margin=None, message=Message("bom_ambient_low_ok", params))


REMEDIES = {
    "bom_input_wrong": "bom_remedy_input",
    "bom_feed_short": "bom_remedy_feed",
    "bom_feed_short_continuous": "bom_remedy_feed",
    "bom_site_power_short": "bom_remedy_power",
    "bom_rack_short": "bom_remedy_rack",
    "bom_weight_high": "bom_remedy_weight",
    "bom_density_high": "bom_remedy_density",
    "bom_per_rack_high": "bom_remedy_density",
    "bom_edge_missing": "bom_remedy_edge",
    "bom_needs_liquid": "bom_remedy_liquid",
    "bom_room_needs_liquid": "bom_remedy_liquid",
    "bom_heat_high": "bom_remedy_heat",
    "bom_ambient_high": "bom_remedy_ambient",
    "bom_ambient_low": "bom_remedy_ambient",
}


def broken_limits(verdicts: Sequence[Verdict]) -> tuple[Problem, ...]:
    """Each failed limit of the place as an error with what would mend it."""
    failed = [verdict.message for verdict in verdicts if verdict.state is State.FAIL]
    return tuple(
        Problem(message=message, remedy=Message(REMEDIES[message.code], message.params))
        for message in failed
        if message.code in REMEDIES
    )
