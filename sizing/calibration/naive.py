"""The bound that a data sheet gives without any efficiency: what the step model is compared with."""

from sizing.calibration.errors import LogErrors, errors_of
from sizing.calibration.measured import Measured
from sizing.core.closed_loop import steady_state
from sizing.core.coefficients import Coefficients, LatencyCoefficients, StepCoefficients


def naive_errors(points: Measured) -> LogErrors:
    """Errors of the roofline at full efficiency: no overheads, no queue, no latency before the prefill."""
    return errors_of(points, steady_state(points.points, points.load, _ideal()))


def _ideal() -> Coefficients:
    nothing = 1e-12
    step = StepCoefficients(
        weight_read_efficiency=1.0,
        cache_read_efficiency=1.0,
        overlap_exponent=16.0,
        compute_efficiency=1.0,
        half_efficiency_tokens=nothing,
        half_efficiency_expert_tokens=nothing,
        half_efficiency_expert_width=nothing,
        attention_efficiency=1.0,
        layer_overhead_s=0.0,
        moe_layer_overhead_s=0.0,
        mla_layer_overhead_s=0.0,
        block_scale_overhead_s=0.0,
        all_reduce_latency_s=0.0,
        link_efficiency=1.0,
        sequence_overhead_s=0.0,
        activation_passes=0.0,
        expert_activation_passes=0.0,
    )
    latency = LatencyCoefficients(
        front_end_s=0.0, prefill_launch_s=0.0, token_handling_s=0.0, pipeline_steps=0.0, stream_interval_share=0.0
    )
    return Coefficients(version="naive", step=step, latency=latency, bands={}, devices={})
