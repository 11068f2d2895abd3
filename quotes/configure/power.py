"""Power of one server by parts, and whether its supplies carry it after the failures they allow."""

from dataclasses import dataclass

from quotes.configure.facts import SupplyScheme
from quotes.configure.request import Problem
from quotes.configure.rules import Rules
from sizing.core.values import Message, State, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class PowerParts:
    """Worst case of the parts of one server in watts, before fans and conversion."""

    accelerators_w: float
    processors_w: float
    memory_w: float = 0.0
    drives_w: float = 0.0
    adapters_w: float = 0.0
    board_w: float = 0.0

    @property
    def host_w(self) -> float:
        """Everything but the accelerators."""
        return self.processors_w + self.memory_w + self.drives_w + self.adapters_w + self.board_w

    @property
    def sum_w(self) -> float:
        return self.accelerators_w + self.host_w


@dataclass(frozen=True, slots=True, kw_only=True)
class NodePower:
    """Power of one server: what the supplies must give (DC) and what the wall sees (AC), in watts."""

    dc_max_w: float
    max_w: float
    typical_w: float
    idle_w: float


def node_power(parts: PowerParts, rules: Rules) -> NodePower:
    """DC = sum x (1 + share for fans and conversion); AC = DC / efficiency.

    Typical and idle take the stored shares of accelerators and host apart.
    Source: OEM power models; docs/method.md#node-power.
    """
    to_dc = 1 + rules.number("conversion_share")
    to_ac = to_dc / rules.number("supply_efficiency")
    typical = parts.accelerators_w * rules.number("typical_share_accelerator") + parts.host_w * rules.number(
        "typical_share_host"
    )
    idle = parts.accelerators_w * rules.number("idle_share_accelerator") + parts.host_w * rules.number(
        "idle_share_host"
    )
    return NodePower(
        dc_max_w=parts.sum_w * to_dc, max_w=parts.sum_w * to_ac, typical_w=typical * to_ac, idle_w=idle * to_ac
    )


def supply_output_w(rated_w: float, voltage_v: float | None, rules: Rules) -> float | None:
    """Output of one supply at the site's voltage; None where it cannot run on it.

    Units from `high_line_from_w` need 200 V or more; large ones give less below `supply_derated_below_v`.
    An unknown voltage takes the rating; the caller says so.
    """
    if voltage_v is None:
        return rated_w
    if voltage_v < 200:
        return None if rated_w > rules.number("high_line_from_w") else rated_w
    if voltage_v < rules.number("supply_derated_below_v") and rated_w >= rules.number("supply_derated_from_w"):
        return rated_w * rules.number("supply_derated_share")
    return rated_w


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyCheck:
    """Verdict on the supplies of one server, the size it holds for and the broken constraint, if any."""

    verdict: Verdict
    rated_w: float | None = None
    count: int | None = None
    problem: Problem | None = None


def check_supplies(
    dc_max_w: float, *, rated_w: float, scheme: SupplyScheme, voltage_v: float | None, rules: Rules
) -> SupplyCheck:
    """Compare the load with the output left after the allowed failures.

    Above it: fail. Above the stored edge: caution. Margin is (output - load) / output.
    """
    count = scheme.carrying + scheme.spare
    output_w = supply_output_w(rated_w, voltage_v, rules)
    if output_w is None:
        params = {"rated_w": round(rated_w), "voltage_v": voltage_v}
        return _failed(Message("bom_supply_voltage", params), Message("bom_use_high_line", params), rated_w, count)
    left_w = output_w * scheme.carrying
    params = {
        "load_w": round(dc_max_w),
        "left_w": round(left_w),
        "carrying": scheme.carrying,
        "spare": scheme.spare,
        "rated_w": round(rated_w),
        "used_pct": round(100 * dc_max_w / left_w, 1),
    }
    if dc_max_w > left_w * rules.number("supply_overload"):
        return _failed(Message("bom_supply_overload", params), Message("bom_larger_supply", params), rated_w, count)
    near = dc_max_w > left_w * rules.number("supply_edge")
    verdict = Verdict(
        state=State.CAUTION if near else State.OK,
        margin=(left_w - dc_max_w) / left_w,
        message=Message("bom_supply_edge" if near else "bom_supply_ok", params),
    )
    return SupplyCheck(verdict=verdict, rated_w=rated_w, count=count)


def _failed(message: Message, remedy: Message, rated_w: float, count: int) -> SupplyCheck:
    return SupplyCheck(
        verdict=Verdict(state=State.FAIL, margin=None, message=message),
        rated_w=rated_w,
        count=count,
        problem=Problem(message=message, remedy=remedy, rule="supply_overload"),
    )


def choose_supplies(
    dc_max_w: float,
    *,
    sizes_w: tuple[float, ...],
    count: int | None,
    scheme: SupplyScheme | None,
    voltage_v: float | None,
    rules: Rules,
) -> SupplyCheck:
    """Smallest size on offer that carries the load without warning, else with one, else the largest and its failure.

    A missing count, size or redundancy stays unknown, except where even all supplies together carry too little.
    """
    if not sizes_w or not count:
        return SupplyCheck(verdict=_unknown(Message("bom_supply_unknown", {"load_w": round(dc_max_w)})), count=count)
    if scheme is None:
        return _without_scheme(dc_max_w, max(sizes_w), count, voltage_v, rules)
    checks = [
        check_supplies(dc_max_w, rated_w=size, scheme=scheme, voltage_v=voltage_v, rules=rules)
        for size in sorted(sizes_w)
    ]
    for state in (State.OK, State.CAUTION):
        for check in checks:
            if check.verdict.state is state:
                return check
    return checks[-1]


def _without_scheme(dc_max_w: float, rated_w: float, count: int, voltage_v: float | None, rules: Rules) -> SupplyCheck:
    every = check_supplies(
        dc_max_w, rated_w=rated_w, scheme=SupplyScheme(carrying=count, spare=0), voltage_v=voltage_v, rules=rules
    )
    if every.verdict.state is State.FAIL:
        return every
    output_w = supply_output_w(rated_w, voltage_v, rules) or rated_w
    params = {
        "load_w": round(dc_max_w),
        "count": count,
        "rated_w": round(rated_w),
        "needed": int(-(-dc_max_w // output_w)),
    }
    return SupplyCheck(verdict=_unknown(Message("bom_redundancy_unknown", params)), rated_w=rated_w, count=count)


def _unknown(message: Message) -> Verdict:
    return Verdict(state=State.UNKNOWN, margin=None, message=message)
