"""Every device, format and engine for one task: what fits, how many devices, which verdicts, why not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from sizing.core.candidate import Assumption, Deployment, Rejection, Utilisation
from sizing.core.errors import InvalidHardware
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.additions import fewest_first, with_additions
from sizing.core.kinds.batching import BatchPoint, batch_points
from sizing.core.kinds.candidate import Demand, KindCandidate, KindPerformance
from sizing.core.kinds.fitted import KindCoefficients
from sizing.core.kinds.queue import MOST_BUSY, replicas_for, wait_p95_s
from sizing.core.kinds.task import TIGHT_MEMORY, KindMemory, Served, Task, over_site_power
from sizing.core.kinds.work import served_share
from sizing.core.makers import allowed_devices
from sizing.core.parallelism import Layout
from sizing.core.power import accelerator_power_w
from sizing.core.precision import StorageFormat
from sizing.core.units import GB, MS_PER_S
from sizing.core.values import Basis, Estimate, Message, State, Verdict
from sizing.core.workload import Site

MOST_REPLICAS = 4096
type SupportRule = Callable[[Accelerator, StorageFormat], Verdict]
type Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class KindEngine:
    """One release of a serving software, and what the sources say of it."""

    slug: str
    version: str
    support: SupportRule


@dataclass(frozen=True, slots=True, kw_only=True)
class KindQuestion:
    """A task, what it may run on and how. `weights` in order of preference; pins narrow the search."""

    task: Task
    unit: str
    weights: Sequence[StorageFormat]
    devices: Sequence[Accelerator]
    engines: Sequence[KindEngine]
    site: Site
    accelerator: str | None = None
    count: int | None = None
    mean_share: float = 1.0  # mean load over the day by its peak
    excluded_vendors: Sequence[str] = ()  # makers of devices, in any case
    processors_first: bool = False  # kinds that a processor usually carries
    small: frozenset[str] = frozenset()  # devices of small computers, where the place is a server's

    @property
    def pinned(self) -> bool:
        """True where the request fixes the device or its number: exactly one entry answers it."""
        return self.accelerator is not None or self.count is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRecommendation:
    """Feasible options, fewest devices first, and one rejection for every other device."""

    options: Sequence[KindCandidate]
    rejected: Sequence[Rejection]
    assumptions: Sequence[Assumption] = ()
    warnings: Sequence[Message] = ()
    points_evaluated: int = 0
    coefficients_version: str = ""


def recommend_kind(
    question: KindQuestion, coefficients: KindCoefficients, *, progress: Progress | None = None
) -> KindRecommendation:
    """The best option of every device, or why it has none.

    Order: processors where they come first, then devices in total, power, slug. Of one device the option
    with the fewest devices wins, then the better software verdict, then the order of formats and engines. A
    pinned device yields exactly one entry. Raises InvalidHardware for a pinned device that is not offered.
    """
    devices = [d for d in question.devices if question.accelerator in (None, d.slug)]
    if question.accelerator is not None and not devices:
        raise InvalidHardware("accelerator_not_offered", "/deployment/accelerator", value=question.accelerator)
    options: list[KindCandidate] = []
    devices, rejected = allowed_devices(devices, question.excluded_vendors, question.site.device_classes)
    evaluated = 0
    for number, device in enumerate(devices):
        if progress is not None:
            progress("speed", number, len(devices))
        found = list(_attempts(device, question, coefficients))
        evaluated += len(found)
        candidates = [each for each in found if isinstance(each, KindCandidate)]
        feasible = [each for each in candidates if each.feasible]
        if feasible:
            options.append(min(feasible, key=_better))
        elif question.accelerator is not None and candidates:
            options.append(min(candidates, key=_better))
        else:
            rejected.append(_rejection(device, found))
    return KindRecommendation(
        options=sorted(with_additions(options), key=partial(_place, processors_first=question.processors_first)),
        rejected=sorted(rejected, key=lambda each: each.accelerator),
        points_evaluated=evaluated,
        coefficients_version=coefficients.version,
    )


STATE_ORDER = {State.OK: 0, State.CAUTION: 1, State.UNKNOWN: 2, State.FAIL: 3}


def _better(candidate: KindCandidate) -> tuple[int, int, int]:
    return (
        int(not candidate.feasible),
        candidate.deployment.accelerators_total,
        STATE_ORDER[candidate.software_verdict.state],
    )


def _place(candidate: KindCandidate, *, processors_first: bool) -> tuple[bool, int, float, str]:
    processor = candidate.deployment.accelerator.kind is DeviceKind.CPU
    return (processors_first and not processor, *fewest_first(candidate))


def _attempts(
    device: Accelerator, question: KindQuestion, coefficients: KindCoefficients
) -> Iterator[KindCandidate | Message]:
    if device.slug in question.small:
        yield SMALL_COMPUTER
        return
    if (over := over_site_power(device, 1, question.site)) is not None:
        yield over
        return
    for weights in question.weights:
        for engine in question.engines:
            software = engine.support(device, weights)
            if software.state is State.FAIL and question.accelerator is None:
                yield software.message
                continue
            served = question.task.served(device, weights, engine.slug, coefficients)
            if isinstance(served, Message):
                yield served
                continue
            yield _candidate(served, device, weights, engine, software, question, coefficients)


def _candidate(  # noqa: PLR0917 (one attempt in all its parts)
    served: Served,
    device: Accelerator,
    weights: StorageFormat,
    engine: KindEngine,
    software: Verdict,
    question: KindQuestion,
    coefficients: KindCoefficients,
) -> KindCandidate | Message:
    task = question.task
    if served.memory.margin < 0:
        short = -served.memory.margin * served.memory.usable_bytes / GB
        return Message("kind_does_not_fit", {"short_gb": short, "needed_gb": served.memory.used_bytes / GB})
    sustained = served.items_per_s
    if task.random_arrivals:
        sustained *= served_share(device, task.family, coefficients)
    needed = _replicas(served, sustained, task)
    pinned = question.count is not None
    if needed is None and not pinned:
        return _too_slow(served, task)
    replicas = (
        max(question.count // (served.devices * pieces(device)), 1) if question.count is not None else needed or 1
    )
    over = over_site_power(device, served.devices * replicas, question.site)
    if over is not None:
        return over
    busy = min(task.demand_per_s / (sustained * replicas), 1.0)
    batching = _batching(served, sustained / served.items_per_s, replicas, task)
    deployment = _deployment(served, device, weights, engine, replicas, question.site.spare_replicas)
    return KindCandidate(
        deployment=deployment,
        memory=_per_piece(served.memory, pieces(device)),
        performance=KindPerformance(
            figures=dict(task.figures(served, device, replicas, coefficients)),
            batch=served.batch,
            batching=batching,
        ),
        demand=_demand(served, sustained * replicas, weights, question),
        memory_verdict=_memory_verdict(served),
        speed_verdict=speed_verdict(served, sustained, replicas, device, task, coefficients, batching=batching),
        software_verdict=software,
        bottleneck=served.bottleneck,
        power_w=_power(device, served, busy, deployment.accelerators_total),
        utilisation=_utilisation(served, busy, coefficients.fit(task.family).source),
        headroom=sustained * replicas / task.demand_per_s - 1.0,
        evidence=_evidence(device, task, coefficients),
    )


def _evidence(device: Accelerator, task: Task, coefficients: KindCoefficients) -> str:
    """What calibration never saw: "same" nothing, "accelerator", "model", or "both"."""
    fit = coefficients.fit(task.family)
    if task.network in fit.measured_models:
        return "same" if device.slug in fit.measured_devices else "accelerator"
    return "model" if device.slug in fit.measured_devices else "both"


def _batching(served: Served, sustained_share: float, replicas: int, task: Task) -> tuple[BatchPoint, ...]:
    """Delay against batch at each replica's share of the load; a job with a deadline waits for nobody."""
    if not task.random_arrivals:
        return ()
    return batch_points(
        served.times,
        load_per_s=task.demand_per_s,
        replicas=replicas,
        sustained_share=sustained_share,
        limit_p95_s=task.limit_p95_s,
    )


def _deployment(  # noqa: PLR0917 (one attempt in all its parts)
    served: Served,
    device: Accelerator,
    weights: StorageFormat,
    engine: KindEngine,
    replicas: int,
    spare_replicas: int,
) -> Deployment:
    return Deployment(
        accelerator=device,
        layout=Layout(tensor=served.devices * pieces(device)),
        replicas=replicas,
        engine=engine.slug,
        engine_version=engine.version,
        weights_format=weights.slug,
        kv_format="",
        max_batched_tokens=0,
        memory_utilisation=0.0,
        max_sequences=served.batch,
        spare_replicas=spare_replicas,
    )


def pieces(device: Accelerator) -> int:
    """Parts that one device stands for: a server's processors work as one, an accelerator is one part."""
    return device.scale_up_domain if device.kind is DeviceKind.CPU else 1


def _per_piece(memory: KindMemory, parts: int) -> KindMemory:
    return KindMemory(
        usable_bytes=memory.usable_bytes // parts,
        weight_bytes=memory.weight_bytes // parts,
        activation_bytes=memory.activation_bytes // parts,
        runtime_bytes=memory.runtime_bytes // parts,
    )


def _replicas(served: Served, sustained: float, task: Task) -> int | None:
    limit = task.limit_p95_s if task.random_arrivals else None
    return replicas_for(task.demand_per_s, sustained, served.latency_s, limit_p95_s=limit, most=MOST_REPLICAS)


def _too_slow(served: Served, task: Task) -> Message:
    if task.limit_p95_s is not None and served.latency_s > task.limit_p95_s:
        params = {"value_ms": served.latency_s * MS_PER_S, "limit_ms": task.limit_p95_s * MS_PER_S}
        return Message("kind_item_too_slow", params)
    return Message("kind_load_too_high", {"most": MOST_REPLICAS})


def _demand(served: Served, capacity: float, weights: StorageFormat, question: KindQuestion) -> Demand:
    task, host = question.task, question.task.host
    return Demand(
        items_per_s=task.demand_per_s * question.mean_share,
        capacity_items_per_s=capacity,
        unit=question.unit,
        payload_bytes_per_item=host.payload_bytes_per_item,
        host_cores=host.cores,
        host_bytes=served.host_bytes,
        weight_bytes=task.weight_parameters * weights.bytes_per_value,
    )


def _memory_verdict(served: Served) -> Verdict:
    memory = served.memory
    params = {"used_gb": memory.used_bytes / GB, "usable_gb": memory.usable_bytes / GB}
    if memory.margin < TIGHT_MEMORY:
        return Verdict(state=State.CAUTION, margin=memory.margin, message=Message("kind_memory_tight", params))
    return Verdict(state=State.OK, margin=memory.margin, message=Message("kind_memory_fits", params))


def speed_verdict(  # noqa: PLR0917 (what was reached, where, and for which task)
    served: Served,
    sustained: float,
    replicas: int,
    device: Accelerator,
    task: Task,
    coefficients: KindCoefficients,
    *,
    batching: Sequence[BatchPoint] = (),
) -> Verdict:
    """Load and latency together: the tighter margin. Caution where only the middle of the interval keeps both."""
    band = coefficients.band(device, task.family, task.network)
    capacity = sustained * replicas
    busy = task.demand_per_s / capacity
    params: dict[str, str | int | float | None] = {"load_pct": busy * 100, "replicas": replicas}
    if busy > 1.0:
        return Verdict(state=State.FAIL, margin=1.0 / busy - 1.0, message=Message("kind_load_missed", params))
    margin = 1.0 - busy
    sure = busy * band <= 1.0
    if task.limit_p95_s is not None:
        latency = _latency_s(served, busy, replicas, task, batching)
        params |= {"value_ms": latency * MS_PER_S, "limit_ms": task.limit_p95_s * MS_PER_S}
        if latency > task.limit_p95_s:
            over = 1.0 - latency / task.limit_p95_s
            return Verdict(state=State.FAIL, margin=over, message=Message("kind_latency_missed", params))
        margin = min(margin, 1.0 - latency / task.limit_p95_s)
        sure = sure and latency * band <= task.limit_p95_s
    code = "kind_latency_kept" if task.limit_p95_s is not None else "kind_load_kept"
    if sure:
        return Verdict(state=State.OK, margin=margin, message=Message(code, params))
    return Verdict(state=State.CAUTION, margin=margin, message=Message(f"{code}_not_surely", params))


def _latency_s(served: Served, busy: float, replicas: int, task: Task, batching: Sequence[BatchPoint]) -> float:
    """p95 from request to answer: at once in the largest batch, or with the wait for a batch where that is quicker."""
    wait = wait_p95_s(served.latency_s, busy, replicas) if task.random_arrivals else 0.0
    waited = [point.p95_s for point in batching if point.chosen and point.p95_s is not None]
    return min([served.latency_s + wait, *waited])


def _power(device: Accelerator, served: Served, busy: float, devices: int) -> Estimate:
    """All devices of the option; a processor's draw is part of its server and not counted here."""
    if device.kind is DeviceKind.CPU:
        return Estimate.unknown("W")
    one = accelerator_power_w(device.tdp_w, busy=busy, compute=served.compute_share)
    if one.value is None or one.low is None or one.high is None:
        return one
    return Estimate(
        value=one.value * devices,
        low=one.low * devices,
        high=one.high * devices,
        unit="W",
        basis=one.basis,
        explain=one.explain,
    )


def _utilisation(served: Served, busy: float, source: str) -> Utilisation:
    def share(value: float) -> Estimate:
        capped = min(max(value, 0.0), 1.0)
        return Estimate(
            value=capped, low=capped * 0.8, high=min(capped * 1.25, 1.0), unit="share", basis=Basis.FORMULA,
            source=source, explain="kind_utilisation",
        )  # fmt: skip

    unknown = Estimate.unknown("share")
    return Utilisation(
        compute=share(busy * served.compute_share),
        bandwidth=unknown,
        kv=unknown,
        device=share(busy),
        compute_peak=share(served.compute_share),
        bandwidth_peak=unknown,
        kv_peak=unknown,
        device_peak=share(MOST_BUSY),
    )


def _rejection(device: Accelerator, found: Sequence[KindCandidate | Message]) -> Rejection:
    """The reason that stands for all: a limit before a missing format, memory before speed."""
    messages = [each for each in found if isinstance(each, Message)]
    for code in REASONS:
        named = [message for message in messages if message.code == code]
        if named:
            chosen = min(named, key=lambda message: float(message.params.get("short_gb") or 0))
            return Rejection(accelerator=device.slug, message=chosen, cheapest_fix=FIXES.get(code))
    message = messages[0] if messages else Message("kind_no_engine", {"accelerator": device.slug})
    return Rejection(accelerator=device.slug, message=message, cheapest_fix=None)


SMALL_COMPUTER = Message("kind_small_computer", {})
REASONS = (
    "kind_small_computer",
    "device_over_site_power",
    "devices_over_site_power",
    "kind_item_too_slow",
    "kind_stream_too_slow",
    "kind_load_too_high",
    "kind_does_not_fit",
    "tables_do_not_fit",
    "kind_rates_unknown",
)
FIXES = {
    "kind_small_computer": Message("kind_fix_small_computer"),
    "kind_does_not_fit": Message("kind_fix_memory"),
    "kind_item_too_slow": Message("kind_fix_latency"),
    "kind_stream_too_slow": Message("kind_fix_latency"),
    "kind_load_too_high": Message("kind_fix_load"),
    "tables_do_not_fit": Message("kind_fix_tables"),
    "device_over_site_power": Message("kind_fix_power"),
    "devices_over_site_power": Message("kind_fix_power"),
}
