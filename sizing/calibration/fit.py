"""Least squares on the logarithm of predicted over measured, with log-normal priors on every coefficient."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from sizing.calibration.measured import Measured
from sizing.core.closed_loop import Load, SteadyState, steady_state
from sizing.core.coefficients import Coefficients, LatencyCoefficients, StepCoefficients
from sizing.core.points import Column

PRIOR_WEIGHT = 0.25
SOFT_SCALE = 0.12
TTFT_WEIGHT = 0.5
EFFICIENCY_CAP = 0.95

FIXED: Mapping[str, float] = {
    "weight_read_efficiency": 0.90,
    "cache_read_efficiency": 0.85,
    "overlap_exponent": 3.0,
    "all_reduce_latency_s": 2e-6,  # 3.7 us between two H100 (sglang pull 2904), less the launch that a layer counts
    "moe_layer_overhead_s": 15e-6,
    "block_scale_overhead_s": 20e-6,
    "expert_activation_passes": 4.0,
}
"""Constants that the points do not determine; set before the fit."""

PRIORS: Mapping[str, float] = {
    "compute_efficiency": 0.75,
    "half_efficiency_tokens": 30.0,
    "half_efficiency_expert_tokens": 8.0,
    "half_efficiency_expert_width": 5000.0,
    "attention_efficiency": 0.45,
    "layer_overhead_s": 45e-6,
    "mla_layer_overhead_s": 25e-6,
    "link_efficiency": 0.5,
    "sequence_overhead_s": 15e-6,
    "activation_passes": 8.0,
    "front_end_s": 20e-3,
    "prefill_launch_s": 0.3e-3,
    "token_handling_s": 2e-6,
    "pipeline_steps": 1.0,
    "stream_interval_share": 0.7,
}
"""Centre of each prior: physical expectation before any point was seen."""

CORPUS: Mapping[str, float] = {
    "burst_tensorrt-llm": 0.05,
    "burst_sglang": 0.05,
    "burst_vllm": 0.05,
    "extra_in_flight": 1.0,
}
"""How NVIDIA loaded its servers, which nobody wrote down: descriptors of the points, not of the product."""

ENGINE_PREFIX = "engine_"
ENGINE_FACTORS: Mapping[str, float] = {ENGINE_PREFIX + engine: 1.0 for engine in ("sglang", "tensorrt-llm", "vllm")}
ENGINE_PRIOR_WEIGHT = 6.0
"""A factor on the whole step, held close to 1: in any corpus of this size engine is confounded with model and date."""

CAPPED = frozenset({"compute_efficiency", "attention_efficiency", "link_efficiency", "stream_interval_share"})
LATENCY = frozenset(LatencyCoefficients.__dataclass_fields__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Fitted coefficients, the corpus descriptors and the values of the free parameters by name."""

    coefficients: Coefficients
    corpus: Mapping[str, float]
    values: Mapping[str, float]
    cost: float


def fit(points: Measured, *, version: str = "fit") -> Fit:
    """Fit every free coefficient and the corpus descriptors to `points`. Deterministic."""
    names = [*PRIORS, *CORPUS, *ENGINE_FACTORS]
    centre = np.log(np.array([*PRIORS.values(), *CORPUS.values(), *ENGINE_FACTORS.values()]))
    held = np.array([ENGINE_PRIOR_WEIGHT if name in ENGINE_FACTORS else PRIOR_WEIGHT for name in names])
    upper = np.array([np.log(EFFICIENCY_CAP) if name in CAPPED else np.inf for name in names])
    counts = np.bincount(points.groups)
    weight = np.sqrt(counts[points.groups] ** -0.25)

    def residuals(logs: NDArray[np.float64]) -> NDArray[np.float64]:
        state = predict(points, dict(zip(names, np.exp(logs).tolist(), strict=True)))
        tpot = np.log(state.tpot_s / points.tpot_s)
        ttft = np.log(state.ttft_s / points.ttft_s)[points.ttft_usable]
        parts = (weight * _soft(tpot), TTFT_WEIGHT**0.5 * weight[points.ttft_usable] * _soft(ttft))
        return np.concatenate([*parts, held * (logs - centre)])

    start = np.minimum(centre, upper - 0.05)
    result = least_squares(residuals, start, bounds=(-np.inf * np.ones(len(names)), upper), x_scale=0.3)
    values = dict(zip(names, np.exp(result.x).tolist(), strict=True))
    return Fit(
        coefficients=coefficients_of(values, version=version),
        corpus={name: values[name] for name in CORPUS},
        values=values,
        cost=float(result.cost),
    )


def _soft(error: Column) -> Column:
    """A residual whose square is soft-L1: near zero the error itself, far out its square root."""
    ratio = (error / SOFT_SCALE) ** 2
    return np.sign(error) * SOFT_SCALE * np.sqrt(2.0 * (np.sqrt(1.0 + ratio) - 1.0))


def predict(points: Measured, values: Mapping[str, float]) -> SteadyState:
    """The steady state of every point under the parameter `values`, corpus descriptors included."""
    factor = np.array([values[ENGINE_PREFIX + engine] for engine in points.engines])
    placed = replace(points.points, step_factor=points.points.step_factor * factor)
    return steady_state(placed, corpus_load(points, values), coefficients_of(values))


def corpus_load(points: Measured, corpus: Mapping[str, float]) -> Load:
    """The load with the descriptors of the undocumented rows filled in."""
    burst = np.array([corpus[f"burst_{engine}"] for engine in points.engines])
    extra = points.nvidia & (points.families == "llama-3.1-8b")
    columns = {name: getattr(points.load, name) for name in Load.__dataclass_fields__}
    columns["burst_share"] = np.where(points.nvidia, burst, points.load.burst_share)
    columns["extra_in_flight"] = np.where(extra, corpus["extra_in_flight"], 0.0)
    return Load(**columns)


def coefficients_of(values: Mapping[str, float], *, version: str = "") -> Coefficients:
    """Coefficients from parameter values by name; fixed constants where `values` does not name one."""
    known = {**FIXED, **values}
    step = {name: known[name] for name in StepCoefficients.__dataclass_fields__}
    latency = {name: known[name] for name in LATENCY}
    return Coefficients(
        version=version,
        step=StepCoefficients(**step),
        latency=LatencyCoefficients(**latency),
        bands={},
        devices={},
        engine_factors={name.removeprefix(ENGINE_PREFIX): values[name] for name in ENGINE_FACTORS if name in values},
    )


def values_of(coefficients: Coefficients) -> dict[str, float]:
    """The inverse of `coefficients_of` without the corpus."""
    return {**asdict(coefficients.step), **asdict(coefficients.latency)}
