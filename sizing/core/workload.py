"""What must be served, as plain values: lengths, load, targets, site."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sizing.core.parallelism import Phases


@dataclass(frozen=True, slots=True, kw_only=True)
class LengthMix:
    """Tokens of prompt or answer. Percentile and bounds are None where only the mean is known."""

    mean: float
    p95: float | None = None
    minimum: float | None = None
    maximum: float | None = None


type TraceRow = tuple[float, int, int]
"""A recorded request: seconds, input tokens, output tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traffic:
    """The load: exactly one of `concurrent_requests` (closed loop) and `requests_per_s` (open loop).

    With a `trace` the rate is that of its rows, and the simulation replays them.
    """

    input_tokens: LengthMix
    output_tokens: LengthMix
    max_context_tokens: int
    concurrent_requests: float | None = None
    requests_per_s: float | None = None
    burstiness: float = 1.0
    prompts_per_slot: int | None = None
    shared_prefix_tokens: int = 0
    load_profile: tuple[float, ...] = ()
    trace: tuple[TraceRow, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An upper limit on one latency at one percentile, in seconds."""

    metric: str  # "ttft", "tpot", "e2e"
    percentile: str  # "mean", "p50", "p95", "p99"
    limit_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Targets:
    limits: Sequence[Target] = field(default=())
    output_tokens_per_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """Limits of the place; None means not stated, so the verdict is unknown, never ok."""

    max_power_w: float | None = None
    rack_units: float | None = None
    cooling: str | None = None
    max_ambient_c: float | None = None
    form_factors: tuple[str, ...] = ()
    electricity_price_per_kwh: float | None = None
    pue: float | None = None
    spare_replicas: int = 0
    feeds: int | None = None
    volts: float | None = None
    amps: float | None = None
    dc_input_v: float | None = None
    noise_db: float | None = None
    max_w_per_rack_unit: float | None = None
    max_kw_per_rack: float | None = None
    network: str | None = None  # between servers, a key of links.NETWORK_LATENCY_S
    network_gbit_s_per_accelerator: float | None = None
    min_ambient_c: float | None = None
    cooling_kw: float | None = None
    max_weight_kg: float | None = None
    mounting: str | None = None
    ports: tuple[str, ...] = ()
    environment: tuple[str, ...] = ()
    device_classes: tuple[str, ...] = ()  # values of hardware.DeviceClass; empty allows every one


@dataclass(frozen=True, slots=True, kw_only=True)
class Pinned:
    """A deployment that the request fixes; None means chosen by the search."""

    accelerator: str | None = None
    accelerators: tuple[tuple[str, int], ...] = ()  # slug and count, where one replica mixes several
    count: int | None = None
    tensor_parallel: int | None = None
    pipeline_parallel: int | None = None
    expert_parallel: int | None = None
    data_parallel: int | None = None
    engine: str | None = None
    engine_version: str | None = None
    memory_utilisation: float | None = None
    max_batched_tokens: int | None = None
    max_sequences: int | None = None
    stream_interval: int | None = None
    prefix_caching: bool | None = None
    speculative: dict[str, float] | None = None
    phases: Phases | None = None  # prefill and decode on accelerators of their own
