"""A device and coefficients with round numbers, so that worked examples can be followed by hand."""

from typing import Any

from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.kinds.fitted import DeviceFactor, Fit, KindCoefficients
from sizing.core.precision import Rate

ROUND_FIT = Fit(
    compute_efficiency=0.5,
    energy_j_per_8bit_operation=0.0,
    processor_efficiency=0.25,
    memory_efficiency=0.8,
    single_share=1.0,
    launch_s=0.0,
    server_share=0.8,
    processor_server_share=0.5,
    uncompiled_factor=2.0,
    old_factor=1.5,
    band=1.25,
    band_unseen=1.5,
    band_model=1.4,
    measured_devices=frozenset({"round"}),
    measured_models=frozenset({"known"}),
    source="round numbers",
)


def coefficients(**changes: Any) -> KindCoefficients:
    """Every family with ROUND_FIT, changed as asked; every class of devices at factor 1."""
    values: dict[str, Any] = {name: getattr(ROUND_FIT, name) for name in ROUND_FIT.__dataclass_fields__}
    fit = Fit(**{**values, **changes})
    families = ("vision", "embedding", "diffusion", "asr", "tts", "recommendation", "tabular")
    factor = DeviceFactor(time=1.0, band=1.2, source="round numbers")
    classes = ("nvidia", "nvidia-old", "edge", "cpu", "amd", "intel", "intel-gddr", "dataflow", "other")
    return KindCoefficients(version="round", fits=dict.fromkeys(families, fit), devices=dict.fromkeys(classes, factor))


def device(**changes: Any) -> Accelerator:
    """100 TFLOP/s in 16 bits, 200 in 8, 1 TB/s, 80 GB, 500 W."""
    values: dict[str, Any] = {
        "slug": "round",
        "name": "Round",
        "vendor": Vendor.NVIDIA,
        "kind": DeviceKind.GPU,
        "memory_bytes": 80 * 10**9,
        "usable_memory_bytes": 80 * 10**9,
        "bandwidth_bytes_per_s": 1e12,
        "flops_per_s": {Rate.FP16: 1e14, Rate.BF16: 1e14, Rate.FP8: 2e14, Rate.INT8: 2e14, Rate.FP32: 1e13},
        "compute_capability": "9.0",
        "memory_type": "HBM3",
        "tdp_w": 500.0,
        "pcie_bytes_per_s": 5e10,
    }
    return Accelerator(**{**values, **changes})
