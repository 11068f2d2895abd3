"""What the core answers: deployments, their performance and verdicts, and why others were rejected."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from sizing.core.hardware import Accelerator
from sizing.core.memory import MemoryPlan
from sizing.core.memory_explained import Figure
from sizing.core.parallelism import Layout, Phases, instances_of
from sizing.core.values import Estimate, Message, Param, Verdict

STATISTICS = ("mean", "p50", "p95", "p99")


class Bottleneck(StrEnum):
    """The resource that more of would help most."""

    MEMORY_BANDWIDTH = "memory_bandwidth"
    COMPUTE = "compute"
    INTERCONNECT = "interconnect"
    MEMORY_CAPACITY = "memory_capacity"
    HOST = "host"
    QUEUEING = "queueing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """One way to serve the model. `layout` is that of one replica; spare replicas are not counted."""

    accelerator: Accelerator
    layout: Layout
    replicas: int
    engine: str
    engine_version: str
    weights_format: str
    kv_format: str
    max_batched_tokens: int
    memory_utilisation: float
    max_sequences: int
    stream_interval: int = 0
    prefix_caching: bool = False
    speculative: Mapping[str, float] | None = None
    spare_replicas: int = 0
    phases: Phases | None = None  # prefill and decode apart: a replica has this many copies of the layout
    beside: int = 0  # accelerators that serve other models of the workload (retrieval before a language model)

    @property
    def accelerators_per_replica(self) -> int:
        return self.layout.accelerators * instances_of(self.phases)

    @property
    def accelerators_total(self) -> int:
        return self.accelerators_per_replica * (self.replicas + self.spare_replicas) + self.beside


@dataclass(frozen=True, slots=True, kw_only=True)
class Performance:
    """Latencies by statistic (`mean`, `p50`, `p95`, `p99`) and token rates.

    Where `saturated`, time to first token and end-to-end time are unknown: the queue grows.
    `simulated` says whether percentiles come from the event simulation or the closed form.
    """

    ttft_ms: Mapping[str, Estimate]
    tpot_ms: Mapping[str, Estimate]
    e2e_ms: Mapping[str, Estimate]
    output_tokens_per_s_per_replica: Estimate
    output_tokens_per_s_total: Estimate
    requests_in_flight_per_replica: float
    saturated: bool
    slot_wait_ms: Estimate  # closed loop: mean wait for a place in the batch; unknown for saturated open arrivals
    simulated: bool = False
    goodput: float | None = None  # share of simulated requests that meet every stated limit
    prefix_hit_share: Estimate | None = None  # of the prompt tokens; None where requests share nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Utilisation:
    """Shares 0..1 of what one accelerator could do, at the stated load and at the highest it carries."""

    compute: Estimate
    bandwidth: Estimate
    kv: Estimate
    device: Estimate
    compute_peak: Estimate
    bandwidth_peak: Estimate
    kv_peak: Estimate
    device_peak: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """What one step to the side of an option would change, relative (0.1 = 10 % more)."""

    kind: str
    """replica_more, replica_less, accelerator_more, accelerator_less, tensor, pipeline, combined, replicas, apart."""
    layout: Layout
    replicas: int
    ttft_change: float | None
    tpot_change: float | None
    throughput_change: float | None
    accelerators_change: int
    message: Message
    capacity_change: float | None = None  # of the load carried within the limits
    reason: Message | None = None  # why the chosen layout stands before this one
    phases: Phases | None = None  # prefill and decode apart


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadPoint:
    """What an option shows at one load: 95th percentiles, and output tokens per second of all replicas."""

    requests_in_flight: float  # over all replicas
    requests_in_flight_per_replica: float
    ttft_ms: Estimate
    tpot_ms: Estimate
    e2e_ms: Estimate
    output_tokens_per_s: Estimate
    saturated: bool = False
    simulated: bool = False
    stated: bool = False  # the load of the request
    knee: bool = False  # more load yields hardly more from here on


@dataclass(frozen=True, slots=True, kw_only=True)
class Roof:
    """Dense peak of a format, and the intensity from which memory no longer binds."""

    format: str
    tflops: float
    ridge_flop_per_byte: float


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatingPoint:
    """A decode or prefill step on one accelerator."""

    phase: str  # "decode", "prefill"
    format: str  # of most products
    tokens_per_step: float
    step_ms: float
    flop_per_byte: float
    tflops: float  # reached
    gb_per_s: float  # reached
    attainable_tflops: float  # the roof at this intensity
    memory_bound: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Roofline:
    """The roofs of one accelerator and the points of an option under them."""

    bandwidth_gb_s: float
    roofs: Sequence[Roof]
    points: Sequence[OperatingPoint]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A deployment with everything that was worked out about it."""

    deployment: Deployment
    memory: MemoryPlan
    performance: Performance
    memory_verdict: Verdict
    speed_verdict: Verdict
    software_verdict: Verdict
    bottleneck: Bottleneck
    kv_tokens_per_replica: int
    max_concurrent_requests_per_replica: int
    power_w: Estimate  # accelerators only, all replicas, at the stated load
    energy_kwh_per_million_tokens: Estimate
    utilisation: Utilisation
    headroom: float  # requests (or requests/s) carried within the limits over those asked for, less one
    evidence: str  # "same", "accelerator", "model", "both": what calibration never saw
    nearest: Sequence["NearestPoint"] = field(default=())
    neighbours: Sequence[Neighbour] = field(default=())
    sensitivity: Mapping[str, float] = field(default_factory=dict)  # elasticity of TPOT per input
    sensitivities: Mapping[str, Mapping[str, float]] = field(default_factory=dict)  # by metric, then input
    claims: Sequence["Claim"] = field(default=())  # what is claimed of serving, computed for this option
    warnings: Sequence[Message] = field(default=())
    load_curve: Sequence[LoadPoint] = field(default=())  # of leading options
    roofline: Roofline | None = None  # same
    memory_figures: Sequence[Figure] = field(default=())

    @property
    def feasible(self) -> bool:
        states = {v.state.value for v in (self.memory_verdict, self.speed_verdict, self.software_verdict)}
        return "fail" not in states


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """`low` to `high` is what is claimed, `value` what the step model gives for this option at its load.

    `value_low` to `value_high` is where it lies with the inputs that texts differ in; None where there are none.
    """

    name: str  # "continuous_batching", "speculative_decoding"
    low: float
    high: float
    value: float
    source: str
    inputs: Mapping[str, Param]
    value_low: float | None = None
    value_high: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NearestPoint:
    """A measured point close to an option, and how far: 0 is the same point, 1 about a doubling away."""

    reference: str
    distance: float
    tpot_ms: float
    ttft_ms: float | None
    description: Mapping[str, str | float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """Why the best attempt on one accelerator does not run, and the cheapest change that would make it run."""

    accelerator: str
    message: Message
    cheapest_fix: Message | None
    deployment: Deployment | None = None
    performance: Performance | None = None
    fixes: Sequence[Message] = field(default=())  # every single change that would help, cheapest first
    memory: MemoryPlan | None = None  # of the attempt, where memory is the reason
    memory_figures: Sequence[Figure] = field(default=())

    @property
    def code(self) -> str:
        return self.message.code


@dataclass(frozen=True, slots=True, kw_only=True)
class Recommendation:
    """Feasible candidates in explicit order, one rejection per other accelerator, and what was assumed."""

    options: Sequence[Candidate]
    rejected: Sequence[Rejection]
    assumptions: Sequence["Assumption"] = field(default=())
    warnings: Sequence[Message] = field(default=())
    points_evaluated: int = 0
    coefficients_version: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Assumption:
    """A value that the request left open."""

    field: str
    value: str | float | int | bool
    message: Message
