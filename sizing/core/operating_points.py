"""Where decoding and prefill of an option stand under the roofs of its accelerator."""

import numpy as np

from sizing.core.assemble import Chosen, at_row
from sizing.core.candidate import OperatingPoint, Roof, Roofline
from sizing.core.hardware import Accelerator
from sizing.core.placing import placement_of
from sizing.core.points import Column, Placement
from sizing.core.precision import Rate
from sizing.core.request import WeightChoice
from sizing.core.roofline import step
from sizing.core.units import GB, MS_PER_S, TFLOP
from sizing.core.utilisation import compute_s, reads_s

NO_TOKENS = np.zeros(1)
ROOFS = (Rate.FP4, Rate.INT4, Rate.FP8, Rate.INT8, Rate.BF16, Rate.FP16, Rate.TF32, Rate.FP32)
"""Order of the roofs: narrow formats first."""


def roofline(one: Chosen) -> Roofline:
    """The roofs of the sheet, and a decode and a prefill step at the stated load.

    Figures are of one accelerator. Intensity counts the arithmetic and the bytes that the step model
    counts; rates are these over the step's time. `one` holds a single row.
    """
    accelerator = one.grid.accelerators[int(one.grid.accelerator[0])]
    at = placement_of(one.grid, one.coefficients)
    roofs = tuple(_roof(accelerator, rate) for rate in ROOFS if accelerator.flops_per_s.get(rate))
    rate = _main_rate(accelerator, one.combination(0).weights, experts=bool(one.grid.request.model.experts))
    return Roofline(
        bandwidth_gb_s=accelerator.bandwidth_bytes_per_s / GB,
        roofs=roofs,
        points=(_decode(one, at, rate), _prefill(one, at, rate)),
    )


def _roof(accelerator: Accelerator, rate: Rate) -> Roof:
    peak = accelerator.flops_per_s[rate]
    return Roof(format=rate.value, tflops=peak / TFLOP, ridge_flop_per_byte=peak / accelerator.bandwidth_bytes_per_s)


def _main_rate(accelerator: Accelerator, choice: WeightChoice, *, experts: bool) -> Rate:
    """The rate of most products: that of the weights where the device has it, else the 16-bit one."""
    wanted = choice.weights.experts_rate if experts else choice.weights.dense_rate
    for rate in (wanted, Rate.BF16, Rate.FP16, Rate.TF32):
        if accelerator.flops_per_s.get(rate):
            return rate
    return Rate.FP32


def _decode(one: Chosen, at: Placement, rate: Rate) -> OperatingPoint:
    decoding = one.state.decoding / (one.points.pipeline * one.load.decode_instances)
    seconds = at_row(one.state.decode_step_s, 0)
    return _operating(one, at, rate, phase="decode", seconds=seconds, decoding=decoding, prefill=NO_TOKENS)


def _prefill(one: Chosen, at: Placement, rate: Rate) -> OperatingPoint:
    """A step that carries prompt tokens alone, as many as the engine puts into one."""
    load, points = one.load, one.points
    tokens = np.asarray(np.minimum(load.budget_tokens, np.maximum(one.state.prefill_tokens, 1.0)))
    alone = step(
        points,
        one.coefficients.step,
        decoding=NO_TOKENS,
        verified_tokens=load.verified_tokens,
        context_tokens=load.cached_tokens + load.input_tokens,
        prefill_tokens=tokens,
        prefill_context=load.cached_tokens + load.input_tokens / 2.0,
    )
    seconds = at_row(alone.total_s, 0)
    return _operating(one, at, rate, phase="prefill", seconds=seconds, decoding=NO_TOKENS, prefill=tokens)


def _operating(
    one: Chosen,
    at: Placement,
    rate: Rate,
    *,
    phase: str,
    seconds: float,
    decoding: Column,
    prefill: Column,
) -> OperatingPoint:
    accelerator = one.grid.accelerators[int(one.grid.accelerator[0])]
    peak = accelerator.flops_per_s.get(rate) or float("nan")
    tokens = decoding * one.load.verified_tokens + prefill
    moved_s = at_row(reads_s(one.points, one.load, one.coefficients.step, decoding=decoding, tokens=tokens), 0)
    moved = moved_s * at_row(at.bandwidth, 0)
    flops = _flops(one, at, decoding=decoding, prefill=prefill)
    intensity = flops / moved
    roof = min(peak, intensity * accelerator.bandwidth_bytes_per_s)
    return OperatingPoint(
        phase=phase,
        format=rate.value,
        tokens_per_step=at_row(tokens, 0),
        step_ms=seconds * MS_PER_S,
        flop_per_byte=intensity,
        tflops=flops / seconds / TFLOP,
        gb_per_s=moved / seconds / GB,
        attainable_tflops=roof / TFLOP,
        memory_bound=intensity * accelerator.bandwidth_bytes_per_s < peak,
    )


def _flops(one: Chosen, at: Placement, *, decoding: Column, prefill: Column) -> float:
    """Floating-point operations of a step on one accelerator: products with weights, and attention."""
    model = one.grid.request.model
    weights = model.attention_parameters + model.dense_parameters
    weights += model.moe_layers * model.expert_parameters * model.experts_per_token
    tokens = at_row(decoding * one.load.verified_tokens + prefill, 0)
    products = 2.0 * weights * tokens / at_row(at.tensor * at.data, 0)
    whole_s = at_row(compute_s(one.points, one.load, decoding, prefill), 0)
    products_s = tokens * at_row(one.points.dense_compute_s + one.points.expert_compute_s, 0)
    return products + (whole_s - products_s) * at_row(at.bf16_flops, 0)
