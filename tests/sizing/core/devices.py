"""Accelerators of the memory tests, as their drivers and server logs report them."""

from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.precision import Rate
from sizing.core.units import GIB, MIB


def accelerator(
    name: str, usable_bytes: float, *, capability: str = "9.0", vendor: Vendor = Vendor.NVIDIA, native_fp8: bool = True
) -> Accelerator:
    rates = {Rate.BF16: 989e12, Rate.FP16: 989e12}
    if native_fp8:
        rates[Rate.FP8] = 1979e12
    return Accelerator(
        slug=name.lower().replace(" ", "-"),
        name=name,
        vendor=vendor,
        kind=DeviceKind.GPU,
        memory_bytes=int(usable_bytes),
        usable_memory_bytes=int(usable_bytes),
        bandwidth_bytes_per_s=3.35e12,
        flops_per_s=rates,
        compute_capability=capability,
        pcie_bytes_per_s=63e9,
        scale_up_domain=8,
    )


H100 = accelerator("H100 SXM 80 GB", 79.18 * GIB)  # vLLM's own count: 81,559 - 479 MiB
H200 = accelerator("H200 SXM 141 GB", (143_771 - 614) * MIB)
A100 = accelerator("A100 SXM 80 GB", 81_920 * MIB - 500 * MIB, capability="8.0", native_fp8=False)
A6000 = accelerator("RTX A6000", 49_140 * MIB, capability="8.6", native_fp8=False)
L40S = accelerator("L40S", (46_068 - 609) * MIB, capability="8.9")
B200 = accelerator("B200", 191_514_017_792, capability="10.0")
MI300X = accelerator("MI300X", 206_141_652_992, capability="gfx942", vendor=Vendor.AMD)
V100 = accelerator("V100", 34_089_205_760, capability="7.0", native_fp8=False)
