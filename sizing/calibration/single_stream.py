"""One request at a time: measured decode rates of dense models, a check that the fit never sees."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sizing.calibration.measured import DATA
from sizing.core.coefficients import Coefficients
from sizing.core.devices import profile_of
from sizing.core.hardware import Accelerator
from sizing.core.model.features import ModelFeatures
from sizing.core.points import Column, Placement, Points, points_of
from sizing.core.precision import Rate
from sizing.core.simulate.clock import clock_of

BYTES_PER_WEIGHT = {"bf16": 2.0, "q4_k_m": 0.6055}
"""Q4_K_M: 4.844 bits a weight over a whole model. Source: llama.cpp quantisation table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SingleStream:
    """One measured point: seconds of a whole request, or of one decoded token."""

    reference: str
    model: str  # name of the config file
    accelerator: str  # slug
    engine: str
    weights_format: str
    tensor_parallel: int
    input_tokens: int
    output_tokens: int
    whole_request: bool
    measured_s: float


def single_stream_points() -> list[SingleStream]:
    """The packaged points, in file order."""
    with (DATA / "single_stream.csv").open(newline="", encoding="utf-8") as file:
        return [
            SingleStream(
                reference=row["id"],
                model=row["model"],
                accelerator=row["accelerator"],
                engine=row["engine"],
                weights_format=row["weights_format"],
                tensor_parallel=int(row["tensor_parallel"]),
                input_tokens=int(row["input_tokens"]),
                output_tokens=int(row["output_tokens"]),
                whole_request=row["metric"] == "whole_request_s",
                measured_s=float(row["value_s"]),
            )
            for row in csv.DictReader(file)
        ]


def log_errors(
    points: Sequence[SingleStream],
    models: Mapping[str, ModelFeatures],
    accelerators: Mapping[str, Accelerator],
    coefficients: Coefficients,
) -> Column:
    """ln(predicted / measured) of every point: decode steps, and the prefill where the request is whole."""
    return np.array(
        [
            np.log(_predicted_s(p, models[p.model], accelerators[p.accelerator], coefficients) / p.measured_s)
            for p in points
        ]
    )


def _predicted_s(point: SingleStream, model: ModelFeatures, device: Accelerator, at: Coefficients) -> float:
    clock = clock_of(_points(point, model, device, at), at.step)
    context = point.input_tokens + point.output_tokens / 2.0
    token_s = clock.step_s(1.0, context, 0.0, 0.0)
    if not point.whole_request:
        return token_s
    prefill_s = clock.step_s(0.0, 0.0, float(point.input_tokens), point.input_tokens / 2.0)
    return prefill_s + (point.output_tokens - 1) * token_s


def _points(point: SingleStream, model: ModelFeatures, device: Accelerator, at: Coefficients) -> Points:
    profile = profile_of(device, point.engine, at)
    one = np.ones(1)
    flops = float(device.rate(Rate.BF16) or np.nan) * profile.compute_factor * one
    link = (device.scale_up_bytes_per_s or device.pcie_bytes_per_s or 25e9) * one
    stored = BYTES_PER_WEIGHT[point.weights_format] * one
    return points_of(
        model,
        Placement(
            bandwidth=device.bandwidth_bytes_per_s * profile.bandwidth_factor * one,
            attention_flops=flops,
            dense_flops=flops,
            experts_flops=flops,
            bf16_flops=flops,
            link=link,
            stage_link=link,
            tensor=point.tensor_parallel * one,
            pipeline=one,
            data=one,
            attention_bytes=stored,
            dense_bytes=stored,
            experts_bytes=stored,
            embedding_bytes=stored,
            kv_bytes=2.0 * one,
            block_scaled=0.0 * one,
            overhead_factor=profile.overhead_factor * one,
            step_factor=profile.step_factor * at.engine_factors.get(point.engine, 1.0) * one,
            collective_latency_s=np.nan * one,
        ),
    )
