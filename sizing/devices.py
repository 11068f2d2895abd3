"""Catalogue rows as the core's accelerators: vendor units end here."""

from catalog.models import Accelerator as AcceleratorRow
from catalog.models import DeviceMemory
from catalog.models import Processor as ProcessorRow
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.memory import engine_visible_bytes
from sizing.core.precision import Rate
from sizing.core.units import GB, MIB, TFLOP

SMALLEST_USABLE_SHARE = 0.997
"""Of 56 devices with a driver's report the one with least shows 0.997 x 10^9 bytes per printed GB (Jetson
Orin Nano, shared memory); most show about 2^30. So this share of the decimal figure never promises too much.
Source: device memory table of the catalogue, 2026-11-30."""

PCIE_BYTES_PER_S_PER_LANE = {3: 0.985e9, 4: 1.969e9, 5: 3.938e9, 6: 7.563e9}
"""One direction after line coding. Source: PCI Express base specifications, as in the interconnects table."""

AMX_BF16_FLOPS_PER_CYCLE = 1024
"""One 16x16x32 tile product (8,192 multiply-adds, two operations each) in 16 cycles; INT8 is twice that.
Source: Intel architecture optimisation manual, AMX chapter."""

AVX512_BF16_FLOPS_PER_CYCLE = 128
"""Two 512-bit units, 32 BF16 pairs each (VDPBF16PS). Source: Intel and AMD instruction references."""

AVX512_FP32_FLOPS_PER_CYCLE = 64
AVX2_FP32_FLOPS_PER_CYCLE = 32

READ_BYTES_PER_S_PER_CORE = 20e9
"""Of the printed bandwidth that one core can draw: 13 GB/s at a reach of 0.65 (assumption). 19 GB/s a core were reached
where every core has a die of its own: llama.cpp issue 11744, two EPYC 9175F, 2025-02."""

DEFAULT_PCIE_LANES = 16


def accelerator(row: AcceleratorRow) -> Accelerator | None:
    """The row in base units; None where memory or bandwidth is not published (it cannot be sized).

    `row.device_memory` should be prefetched. Links and rates that no sheet prints stay None.
    """
    if not row.memory_gb or not row.memory_bandwidth_gb_s:
        return None
    rates = {
        Rate.FP32: row.fp32_dense_tflops,
        Rate.TF32: row.tf32_dense_tflops,
        Rate.FP16: row.fp16_dense_tflops,
        Rate.BF16: row.bf16_dense_tflops,
        Rate.FP8: row.fp8_dense_tflops,
        Rate.FP4: row.fp4_dense_tflops,
        Rate.INT8: row.int8_dense_tops,
        Rate.INT4: row.int4_dense_tops,
    }
    # Software sees each logical device alone: its memory, bandwidth and rates are a share of the row.
    devices = row.logical_devices
    usable_bytes, usable_source = usable_memory(row)
    return Accelerator(
        slug=row.slug,
        name=str(row),
        vendor=_vendor(row.vendor),
        kind=DeviceKind(row.kind),
        memory_bytes=round(row.memory_gb * GB / devices),
        usable_memory_bytes=usable_bytes,
        bandwidth_bytes_per_s=row.memory_bandwidth_gb_s * GB / devices,
        flops_per_s={rate: value * TFLOP / devices for rate, value in rates.items() if value},
        compute_capability=row.compute_capability,
        architecture=row.architecture,
        form_factor=row.form_factor,
        memory_type=row.memory_type,
        tdp_w=row.tdp_w / devices if row.tdp_w else None,
        scale_up_bytes_per_s=row.scale_up_gb_s_bidirectional * GB / 2 if row.scale_up_gb_s_bidirectional else None,
        scale_up_domain=row.scale_up_domain_size or 1,
        pcie_bytes_per_s=_pcie_bytes_per_s(row.pcie_gen, row.pcie_lanes),
        logical_devices=devices,
        status=row.status,
        mig_max_instances=row.mig_max_instances,
        usable_memory_source=usable_source,
        source=row.source_title,
        as_of=row.source_date,
    )


def usable_memory(row: AcceleratorRow) -> tuple[int, str]:
    """Bytes that an application may use on one device, and who says so.

    The smallest of the reports for one device counts; a report for a part of a device (a tile) is scaled
    up only where the unit says how many there are. Without a report the stated rule applies.
    """
    reports = [report for report in row.device_memory.all() if not _is_part_of_device(report)]
    if reports:
        report = min(reports, key=lambda each: (_visible_bytes(each), each.pk))
        return _visible_bytes(report), f"{report.reported_by}: {report.source_title}"
    return round((row.memory_gb or 0) * GB * SMALLEST_USABLE_SHARE / row.logical_devices), "usable_memory_rule"


def _visible_bytes(report: DeviceMemory) -> int:
    """What an engine sees: the driver's total less its own reserve, else the runtime's figure, else the total."""
    reserved = report.driver_reserved_mib
    return engine_visible_bytes(
        memory_bytes=0,
        driver_total_bytes=report.usable_bytes,
        driver_reserved_bytes=round(reserved * MIB) if reserved is not None else None,
        runtime_bytes=report.runtime_bytes,
    )


def _is_part_of_device(report: DeviceMemory) -> bool:
    """True for a tile of a package that software addresses as one device in our rows."""
    return "tile" in report.per


def processor(row: ProcessorRow, *, sockets: int = 1) -> Accelerator | None:
    """A processor as a device for inference on CPU, memory aside: capacity comes with the modules chosen.

    Rates follow from cores, base clock and instruction set; None where clock or bandwidth is unknown.
    """
    if not row.memory_bandwidth_gb_s or not row.base_ghz or not row.memory_channels:
        return None
    per_cycle = AVX512_BF16_FLOPS_PER_CYCLE if row.bf16_isa else AVX2_FP32_FLOPS_PER_CYCLE
    cycles_per_s = row.cores * row.base_ghz * 1e9 * sockets
    rates = {Rate.FP32: cycles_per_s * (AVX512_FP32_FLOPS_PER_CYCLE if row.avx512 else AVX2_FP32_FLOPS_PER_CYCLE)}
    rates[Rate.BF16] = cycles_per_s * (AMX_BF16_FLOPS_PER_CYCLE if row.amx else per_cycle)
    if row.vnni:
        rates[Rate.INT8] = 2 * rates[Rate.BF16]
    memory_bytes = row.memory_channels * sockets * 64 * GB  # one 64 GB module a channel: the usual server fit
    return Accelerator(
        slug=row.slug,
        name=str(row),
        vendor=_vendor(row.vendor),
        kind=DeviceKind.CPU,
        memory_bytes=memory_bytes,
        usable_memory_bytes=round(memory_bytes * 0.9),
        bandwidth_bytes_per_s=row.memory_bandwidth_gb_s * GB * sockets,
        flops_per_s=rates,
        architecture=row.architecture,
        form_factor="cpu",
        memory_type=row.memory_type,
        tdp_w=row.tdp_w * sockets if row.tdp_w else None,
        status=row.status,
        usable_memory_source="processor_memory_rule",
        source=row.source_title,
        as_of=row.source_date,
    )


def _vendor(name: str) -> Vendor:
    lowered = name.lower()
    return next((vendor for vendor in Vendor if vendor.value == lowered), Vendor.OTHER)


def _pcie_bytes_per_s(generation: int | None, lanes: int | None) -> float | None:
    if generation not in PCIE_BYTES_PER_S_PER_LANE:
        return None
    return PCIE_BYTES_PER_S_PER_LANE[generation] * (lanes or DEFAULT_PCIE_LANES)
