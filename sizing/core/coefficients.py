"""The fitted numbers of the step model, as one frozen value. Loading them is `sizing/calibration/load.py`'s job."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCoefficients:
    """Efficiencies and overheads of one engine step. Symbols in brackets are those of docs/method.md."""

    weight_read_efficiency: float  # [e_w] share of the printed bandwidth that weight reads reach
    cache_read_efficiency: float  # [e_kv]
    overlap_exponent: float  # of the smooth maximum of reading and computing
    compute_efficiency: float  # [e_c] of dense peak at many tokens
    half_efficiency_tokens: float  # [m0]
    half_efficiency_expert_tokens: float  # [x0]
    half_efficiency_expert_width: float  # [i0]
    attention_efficiency: float  # [e_pa]
    layer_overhead_s: float  # [t_L]
    moe_layer_overhead_s: float  # [t_M]
    mla_layer_overhead_s: float  # [t_mla]
    block_scale_overhead_s: float  # [t_q] per MoE layer with block-scaled FP8
    all_reduce_latency_s: float  # [t_ar]
    link_efficiency: float  # [e_net]
    sequence_overhead_s: float  # [t_seq]
    activation_passes: float  # [n_act]
    expert_activation_passes: float  # [n_mact]


@dataclass(frozen=True, slots=True, kw_only=True)
class LatencyCoefficients:
    """What stands between the arrival of a request and its first token, besides the prefill itself."""

    front_end_s: float  # [tau0]
    prefill_launch_s: float  # [a_L] per layer
    token_handling_s: float  # [a_tok] per prompt token
    pipeline_steps: float  # [c_step] half of it is waited for
    stream_interval_share: float  # [k_si]


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """Factors of a log-symmetric 90 % interval: true value within predicted / f .. predicted x f."""

    tpot: float
    throughput: float
    ttft: float


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceProfile:
    """How a class of devices departs from the calibrated one, with the source of each number."""

    slug: str
    bandwidth_factor: float = 1.0
    compute_factor: float = 1.0
    overhead_factor: float = 1.0
    step_factor: float = 1.0
    collective_latency_s: float | None = None  # None: as fitted
    joined_share: float = 1.0  # of the sum of two, that both reach together (sockets of one server)
    half_efficiency_factor: float = 1.0  # on the tokens at which arithmetic reaches half of its efficiency
    band: float = 1.0  # the TPOT band is at least this wide
    source: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredPoint:
    """A published serving measurement, in the terms that decide how near an option is to it."""

    reference: str
    family: str
    signature: str  # estimates.model_signature
    accelerator: str  # slug
    compute_capability: str
    engine: str
    engine_version: str
    weights_format: str
    accelerators: int
    concurrent: float
    input_tokens: float
    output_tokens: float
    active_parameters: float
    total_parameters: float
    tpot_s: float
    ttft_s: float | None
    measured_on: str

    @property
    def sizes(self) -> tuple[float, ...]:
        """What has a size of its own: parameters, accelerators, load and lengths."""
        return (
            self.active_parameters,
            self.total_parameters,
            float(self.accelerators),
            self.concurrent,
            self.input_tokens,
            self.output_tokens,
        )

    @property
    def kinds(self) -> tuple[str, str, str, str]:
        """What is the same or is not: architecture, accelerator, engine, format."""
        return self.signature, self.accelerator, self.engine, self.weights_format


@dataclass(frozen=True, slots=True)
class MeasuredTable:
    """Measured points as columns, in the order of their references."""

    points: Sequence[MeasuredPoint]
    doublings: NDArray[np.float64]  # base-2 logarithm of MeasuredPoint.sizes, shape (n, 6)
    kinds: Sequence[NDArray[np.str_]]  # one column for each of MeasuredPoint.kinds


@dataclass(frozen=True, kw_only=True)
class Coefficients:
    """A version of everything fitted. `calibrated_*` name what the fit has seen."""

    version: str
    step: StepCoefficients
    latency: LatencyCoefficients
    bands: Mapping[str, Band]  # "same", "accelerator", "model", "both"
    devices: Mapping[str, DeviceProfile]
    engine_factors: Mapping[str, float] = field(default_factory=dict)  # on the step; 1 where an engine is not named
    calibrated_models: frozenset[str] = field(default=frozenset())  # signatures, see estimates.model_signature
    calibrated_accelerators: frozenset[str] = field(default=frozenset())
    calibrated_triples: frozenset[tuple[str, str, str]] = field(default=frozenset())
    """(model signature, accelerator slug, engine slug) with at least one measured point."""
    measured: Sequence[MeasuredPoint] = field(default=())

    @cached_property
    def measured_table(self) -> MeasuredTable:
        points = sorted(self.measured, key=lambda point: point.reference)
        sizes = np.array([point.sizes for point in points], dtype=float).reshape(len(points), -1)
        kinds = tuple(np.array(column) for column in zip(*(point.kinds for point in points), strict=True))
        return MeasuredTable(points, np.log2(np.maximum(sizes, 1e-9)), kinds)

    @cached_property
    def runs(self) -> Mapping[str, Mapping[tuple[str, str, str], str]]:
        """By architecture, the first published run by engine, compute capability and class of format."""
        found: dict[str, dict[tuple[str, str, str], str]] = {}
        for point in self.measured:
            own = found.setdefault(point.signature, {})
            own.setdefault((point.engine, point.compute_capability, point.weights_format), point.reference)
        return found
