"""Time of one run of a network over a batch: operations, reads and launches.

    t(b) = launches + b F u (1 / (e h(b) peak) + E bits / P) + reads / (e_b bandwidth)

The second part of the bracket is the power limit: a device that has few watts for its arithmetic cannot
hold its clock, which is why H100 PCIe (0.23 W per TOPS) reaches a third of its INT8 peak and L40 (0.83)
two thirds. Source: fitted on MLPerf Inference 3.0 to 6.0, docs/method.md#kinds.
"""

from dataclasses import dataclass

from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.kinds.fitted import DATAFLOW, Fit, KindCoefficients
from sizing.core.precision import Rate

ENERGY_OF_RATE = {Rate.FP4: 0.5, Rate.INT4: 0.5, Rate.FP8: 1.0, Rate.INT8: 1.0, Rate.FP16: 2.0, Rate.BF16: 2.0}
"""Energy of an operation relative to eight bits: in proportion to the width of its operands."""

WIDE_ENERGY = 4.0  # TF32 and FP32
COMPILED = frozenset({"tensorrt", "triton", "openvino", "tensorrt-llm", "nim", "vllm"})
"""Engines that fuse kernels for the device; others run at the pace of an open pipeline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One pass of a network over one item: what it computes, what it reads, what it launches.

    `weight_bytes` are read once a batch, `item_bytes` (caches, gathered rows) once an item.
    """

    flops: float
    rate: Rate
    weight_bytes: float
    item_bytes: float = 0.0
    launches: float = 0.0


def peak_flops(device: Accelerator, rate: Rate) -> float | None:
    """Dense rate that products of this format run at; formats without units run at 16 bits.

    Sheets of edge modules print INT8 alone, first words on a coming part FP8: tensor units do half of that in
    16 bits. None where no rate is published.
    """
    if value := device.flops_per_s.get(rate):
        return value
    for wide in (Rate.BF16, Rate.FP16):
        if value := device.flops_per_s.get(wide):
            return value
    for narrow in (Rate.INT8, Rate.FP8):
        if value := device.flops_per_s.get(narrow):
            return value / 2
    return device.flops_per_s.get(Rate.FP32)


def computes_in(device: Accelerator, rate: Rate) -> Rate:
    """The rate that is really used: 16 bits where the device lacks units for `rate`."""
    return rate if device.flops_per_s.get(rate) else Rate.BF16


def operation_s(flops: float, device: Accelerator, rate: Rate, fit: Fit, *, batch: float = 1e9) -> float | None:
    """Seconds of `flops` operations at this batch; None where the device prints no rate."""
    peak = peak_flops(device, rate)
    if peak is None:
        return None
    if device.kind is DeviceKind.CPU:
        return flops / (fit.processor_efficiency * peak)
    share = 1.0 - (1.0 - fit.single_share) / batch
    seconds = flops / (fit.compute_efficiency * share * peak)
    if device.tdp_w is not None:
        bits = ENERGY_OF_RATE.get(computes_in(device, rate), WIDE_ENERGY)
        seconds += flops * fit.energy_j_per_8bit_operation * bits / device.tdp_w
    return seconds


def run_s(
    run: Run, device: Accelerator, family: str, coefficients: KindCoefficients, *, batch: int, engine: str
) -> float | None:
    """Seconds of one run over `batch` items; None where the device prints no rate."""
    fit = coefficients.fit(family)
    computing = operation_s(run.flops, device, run.rate, fit, batch=batch)
    if computing is None:
        return None
    reading = (run.weight_bytes + batch * run.item_bytes) / (fit.memory_efficiency * device.bandwidth_bytes_per_s)
    seconds = run.launches * fit.launch_s + (batch * computing + reading)
    if engine not in COMPILED and device.slug not in DATAFLOW:
        seconds *= fit.uncompiled_factor
    return seconds * coefficients.time_factor(device, family)


def served_share(device: Accelerator, family: str, coefficients: KindCoefficients) -> float:
    """Share of the offline rate that remains with requests coming at random and a latency limit."""
    fit = coefficients.fit(family)
    return fit.processor_server_share if device.kind is DeviceKind.CPU else fit.server_share
