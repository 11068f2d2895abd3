"""What goes into the configurator and what comes out of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from quotes.configure.facts import AcceleratorPart, LeadTimeFact, OriginFact, PartClass, SupplyScheme
from sizing.core.values import Estimate, Message, Money, Verdict
from sizing.core.workload import Site


@dataclass(frozen=True, slots=True, kw_only=True)
class Procurement:
    """Whom to buy from and in which currency.

    Empty `allowed_vendors` allows every maker; `excluded_vendors` wins over it. `chassis` pins the
    server by its slug. `ai_enterprise` None leaves the licence to the engine: demanded where the engine
    needs it, offered as an option elsewhere.
    """

    currency: str
    allowed_vendors: tuple[str, ...] = ()
    excluded_vendors: tuple[str, ...] = ()
    chassis: str | None = None
    support_years: int = 3
    ai_enterprise: bool | None = None
    uninterruptible_supply: bool = False
    management_licence: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class SupplyChoice:
    """Power supplies that the buyer pins: size of one in watts and how many may fail."""

    rated_w: float
    scheme: SupplyScheme


@dataclass(frozen=True, slots=True, kw_only=True)
class BomRequest:
    """One option of a sizing run as hardware.

    `replicas` carry the load, `spare_replicas` stand by; `accelerators_total` None means
    (replicas + spare_replicas) x accelerators_per_replica. `replica_spans_nodes` None lets the
    configurator decide: a replica is split only where no chassis holds it whole.
    `model_bytes` are the weights as stored, of all models served; `kept_variants` how many such sets lie on
    local drives. `payload_bytes_per_request` counts both directions. `cpu_cores_needed` is the need of
    pre- and post-processing over the whole option, None where unknown. `host_offload_bytes` is key-value
    cache or weights moved to host memory, per node. `as_of` is the ISO date that ages are counted from.
    """

    accelerator: AcceleratorPart
    accelerators_per_replica: int
    replicas: int
    site: Site
    procurement: Procurement
    as_of: str
    spare_replicas: int = 0
    accelerators_total: int | None = None
    replica_spans_nodes: bool | None = None
    model_bytes: float = 0.0
    kept_variants: int = 1
    requests_per_s: float | None = None
    payload_bytes_per_request: float | None = None
    precision: str = ""
    engine: str = ""
    cpu_cores_needed: float | None = None
    host_offload_bytes: float = 0.0
    nvlink_bridge: bool | None = None
    supplies: SupplyChoice | None = None
    supply_voltage_v: float | None = None  # None: site.volts

    @property
    def cards_total(self) -> int:
        """Accelerators that the option uses, spare replicas included."""
        if self.accelerators_total is not None:
            return self.accelerators_total
        return (self.replicas + self.spare_replicas) * self.accelerators_per_replica


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadTime:
    """Delivery time of a line in weeks: p10, p50 and p90 of its observations.

    `as_of` and `source` are those of the observation that counts most. `for_class` is True where only
    statements on the whole class exist; `at_least` where an observation has no upper end.
    """

    low: float
    typical: float
    high: float
    source: str
    as_of: str
    for_class: bool = False
    at_least: bool = False
    observations: tuple[LeadTimeFact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BomLine:
    """One line. `quantity` counts over the whole option.

    `unit_price` None is an open price, unless `included` says that another line carries it.
    `indicative_price` is a press estimate or a weak figure: shown, never summed.
    `power_w` is the worst case of one piece; None where unknown, 0 where it draws nothing itself.
    """

    line: str
    kind: str  # base, option, service, licence
    part_class: PartClass
    manufacturer: str
    mpn: str
    part: str
    description: Message
    quantity: int
    reason: Message
    name: str = ""
    included: bool = False
    part_known: bool = True
    ships_with: str = ""  # number of the line whose delivery this one follows
    unit_price: Money | None = None
    indicative_price: Money | None = None
    lead: LeadTime | None = None
    origin: OriginFact | None = None
    power_w: float | None = None

    @property
    def in_total(self) -> bool:
        """True where the line belongs to the total: every kind but options."""
        return self.kind != "option"

    @property
    def is_open(self) -> bool:
        """True where the line belongs to the total and its price is not known."""
        return self.in_total and not self.included and (self.unit_price is None or self.unit_price.amount is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """A broken constraint with what would mend it; `rule` is the id of the stored rule."""

    message: Message
    remedy: Message
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeLayout:
    """How the replicas lie on servers; `accelerators_per_node` is that of the fullest one."""

    servers: int
    accelerators_per_node: int
    replicas_per_node: int
    spans_nodes: bool
    accelerators_bought: int
    lost_with_one_node: int = 0  # replicas that stop when one server fails


@dataclass(frozen=True, slots=True, kw_only=True)
class BomResult:
    """A configuration, or the reasons why none exists (`chassis` None and `problems`)."""

    chassis: str | None
    chassis_name: str
    servers: int
    layout: NodeLayout | None
    lines: tuple[BomLine, ...]
    problems: tuple[Problem, ...]
    warnings: tuple[Message, ...]
    power_typical_w: Estimate
    power_max_w: Estimate
    power_idle_w: Estimate
    heat_btu_per_h: Estimate
    rack_units: float | None
    weight_kg: float | None
    power: Verdict
    rack: Verdict
    cooling: Verdict
    alternatives: tuple[str, ...] = ()  # chassis that were weaker, best first
    unknowns: tuple[Message, ...] = field(default=())
    broken_limits: tuple[Problem, ...] = ()  # limits of the place that this chassis does not keep

    @property
    def open_lines(self) -> tuple[BomLine, ...]:
        return tuple(line for line in self.lines if line.is_open)

    @property
    def buildable(self) -> bool:
        """True where no constraint is broken. Unknown facts do not count as broken; see `verdicts`."""
        return self.chassis is not None and not self.problems

    @property
    def verdicts(self) -> Mapping[str, Verdict]:
        return {"power": self.power, "rack": self.rack, "cooling": self.cooling}
