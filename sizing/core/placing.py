"""Hardware, formats and step-model columns of the candidates of a grid."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sizing.core.coefficients import Coefficients, DeviceProfile
from sizing.core.drafting import drafting_model
from sizing.core.grid import Combination, Grid, Index, drafts, used
from sizing.core.hardware import Accelerator
from sizing.core.links import links, network_of
from sizing.core.points import Column, Placement, Points, points_of
from sizing.core.precision import Rate
from sizing.core.request import WeightChoice


def points_at(grid: Grid, coefficients: Coefficients) -> Points:
    """The step model's columns of every candidate, those of a draft model included."""
    points = points_of(grid.request.model, placement_of(grid, coefficients))
    draft = drafting_model(grid.request)
    count, _ = drafts(grid.request)
    if draft is None or not count:
        return points
    features, weights = draft
    beside = points_of(features, placement_of(grid, coefficients, weights=weights))
    return replace(points, draft=beside, draft_passes=np.asarray(count))


def placement_of(grid: Grid, coefficients: Coefficients, *, weights: WeightChoice | None = None) -> Placement:
    """Hardware and format columns of every candidate, worked out once for each that occurs.

    `weights` are those of another model on the same accelerators; None: those of the candidates.
    """
    used_devices, a = used(grid.accelerator)
    used_combinations, c = used(grid.combination)
    devices = [grid.accelerators[i] for i in used_devices]
    combos = [grid.combinations[i] for i in used_combinations]
    if weights is not None:
        combos = [replace(x, weights=weights) for x in combos]
    profiles = _profile_columns([grid.profiles[i] for i in used_combinations], used_devices, a, c)

    def by_combination(values: Sequence[float]) -> Column:
        return np.array(values, dtype=float)[c]

    inside, between, latency = links(
        devices,
        [x.layout for x in combos],
        profiles["collective_latency_s"],
        accelerator=a,
        combination=c,
        network=network_of(grid.request.site),
    )
    tensor = by_combination([x.layout.tensor for x in combos])
    together = np.where(tensor > 1.0, profiles["joined_share"], 1.0)
    compute = profiles["compute_factor"] * together
    attention, dense, experts, bf16 = _rates(devices, combos, a, c)
    engine = by_combination([coefficients.engine_factors.get(x.engine.slug, 1.0) for x in combos])
    bandwidth = np.array([x.bandwidth_bytes_per_s for x in devices], dtype=float)[a]
    return Placement(
        bandwidth=bandwidth * profiles["bandwidth_factor"] * together,
        attention_flops=attention * compute,
        dense_flops=dense * compute,
        experts_flops=experts * compute,
        bf16_flops=bf16 * compute,
        link=inside,
        stage_link=between,
        tensor=tensor,
        pipeline=by_combination([x.layout.pipeline for x in combos]),
        data=by_combination([x.layout.data for x in combos]),
        attention_bytes=by_combination([x.weights.weights.attention for x in combos]),
        dense_bytes=by_combination([x.weights.weights.dense for x in combos]),
        experts_bytes=by_combination([x.weights.weights.experts for x in combos]),
        embedding_bytes=by_combination([x.weights.weights.embedding for x in combos]),
        kv_bytes=by_combination([x.cache.storage.bytes_per_value for x in combos]),
        block_scaled=by_combination([float(_block_scaled(x.weights)) for x in combos]),
        overhead_factor=profiles["overhead_factor"],
        step_factor=profiles["step_factor"] * engine,
        collective_latency_s=latency,
        experts_whole=by_combination([float(x.layout.expert > 1) for x in combos]),
        half_efficiency_factor=profiles["half_efficiency_factor"],
    )


PROFILED = (
    "bandwidth_factor",
    "compute_factor",
    "overhead_factor",
    "step_factor",
    "collective_latency_s",
    "joined_share",
    "half_efficiency_factor",
)


def _profile_columns(
    profiles: Sequence[Sequence[DeviceProfile]], devices: Sequence[int], a: Index, c: Index
) -> dict[str, Column]:
    """Factors of the device profiles; combinations of one engine share their row of profiles."""
    distinct = list({id(row): row for row in profiles}.values())
    number = {id(row): i for i, row in enumerate(distinct)}
    row = np.array([number[id(each)] for each in profiles], dtype=np.intp)[c]
    return {
        name: np.array([[getattr(each[d], name) for d in devices] for each in distinct], dtype=float)[row, a]
        for name in PROFILED
    }


def _rates(
    devices: Sequence[Accelerator], combos: Sequence[Combination], a: Index, c: Index
) -> tuple[Column, Column, Column, Column]:
    """Dense flop/s per group of weights: the format's rate where the device has it, else its 16-bit rate."""
    choices = list({id(x.weights): x.weights for x in combos}.values())
    number = {id(choice): i for i, choice in enumerate(choices)}
    row = np.array([number[id(x.weights)] for x in combos], dtype=np.intp)[c]

    def table(kind: str) -> Column:
        rates = [[_flops(choice, kind, device) for device in devices] for choice in choices]
        return np.asarray(np.array(rates)[row, a])

    bf16 = np.array([float(device.rate(Rate.BF16) or np.nan) for device in devices])[a]
    return table("attention_rate"), table("dense_rate"), table("experts_rate"), bf16


def _block_scaled(choice: WeightChoice) -> bool:
    """FP8 experts are taken as block-scaled: every published FP8 mixture in the calibration is."""
    return choice.block_scaled or choice.weights.experts_rate is Rate.FP8


def _flops(choice: WeightChoice, kind: str, device: Accelerator) -> float:
    """Dense flop/s of one group of weights; NaN where the sheet prints no rate at all.

    MXFP4 computes at the FP8 rate of devices with FP4 units and at the 16-bit rate of others.
    Source: docs/method.md#inputs.
    """
    rate: Rate = getattr(choice.weights, kind)
    if rate is Rate.FP4 and choice.storage.slug.startswith("mxfp4"):
        rate = Rate.FP8 if device.flops_per_s.get(Rate.FP4) else Rate.BF16
    return float(device.rate(rate) or np.nan)
