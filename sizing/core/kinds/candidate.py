"""A deployment of a kind besides language models, in the terms that pricing, ranking and pages share."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sizing.core.candidate import Bottleneck, Deployment, NearestPoint, Neighbour, Utilisation
from sizing.core.kinds.batching import BatchPoint
from sizing.core.kinds.task import KindMemory
from sizing.core.values import Estimate, Message, Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What an option is asked for, for cost and parts. `unit` names an item ("image", "audio_second")."""

    items_per_s: float | None  # mean over the day; None where no rate is stated
    capacity_items_per_s: float | None  # the whole option at full load
    unit: str
    payload_bytes_per_item: float
    host_cores: float | None
    host_bytes: float
    weight_bytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class KindPerformance:
    """The figures that the kind promises, by name; `batch` is the batch that they assume."""

    figures: Mapping[str, Estimate]
    batch: int
    batching: Sequence[BatchPoint] = ()  # delay against batch, where single requests come at random


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCandidate:
    """One way to serve the workload, judged."""

    deployment: Deployment
    memory: KindMemory
    performance: KindPerformance
    demand: Demand
    memory_verdict: Verdict
    speed_verdict: Verdict
    software_verdict: Verdict
    bottleneck: Bottleneck
    power_w: Estimate
    utilisation: Utilisation
    headroom: float
    evidence: str  # what calibration never saw: "same" nothing, "accelerator", "model", "both"
    energy_kwh_per_million_tokens: Estimate = field(default_factory=lambda: Estimate.unknown("kWh/Mtok"))
    kv_tokens_per_replica: int | None = None
    max_concurrent_requests_per_replica: int | None = None
    nearest: Sequence[NearestPoint] = field(default=())
    neighbours: Sequence[Neighbour] = field(default=())
    sensitivity: Mapping[str, float] = field(default_factory=dict)
    warnings: Sequence[Message] = field(default=())

    @property
    def feasible(self) -> bool:
        states = {v.state.value for v in (self.memory_verdict, self.speed_verdict, self.software_verdict)}
        return "fail" not in states
