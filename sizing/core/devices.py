"""Which departure from the calibrated device class an accelerator takes."""

from sizing.core.coefficients import Coefficients, DeviceProfile
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.precision import Rate

AMPERE = 8.0  # compute capability from which NVIDIA data-centre cards behave like the calibrated ones
DATA_CENTRE_MEMORY = ("hbm",)
LLAMA_CPP = "llama-cpp"
MATRIX_RATIO = 8.0  # 16-bit over 32-bit rate from which a processor has matrix units


def profile_of(accelerator: Accelerator, engine: str, coefficients: Coefficients) -> DeviceProfile:
    """The device profile of `accelerator` under `engine`, by explicit rules in this order.

    Slugs name entries of the coefficients file, where each number has its source. Devices that
    calibration saw take the neutral profile "calibrated".
    """
    return coefficients.devices[profile_slug(accelerator, engine, coefficients)]


def profile_slug(accelerator: Accelerator, engine: str, coefficients: Coefficients) -> str:
    """The name of the profile; raises nothing and always names one of PROFILE_SLUGS."""
    if accelerator.kind is DeviceKind.CPU:
        return _processor(accelerator, engine)
    if accelerator.kind is DeviceKind.EDGE:
        return "edge"
    if engine == LLAMA_CPP:
        return "llama-cpp-hbm" if _has_stacked_memory(accelerator) else "llama-cpp"
    if accelerator.slug in coefficients.calibrated_accelerators:
        return "calibrated"
    return BY_VENDOR.get(accelerator.vendor, _other)(accelerator)


def _processor(accelerator: Accelerator, engine: str) -> str:
    """By matrix units (AMX computes 16 times as many 16-bit as 32-bit products a cycle) and by engine."""
    wide, plain = accelerator.flops_per_s.get(Rate.BF16, 0.0), accelerator.flops_per_s.get(Rate.FP32, 0.0)
    slug = "cpu-amx" if wide >= MATRIX_RATIO * plain > 0.0 else "cpu"
    return f"{slug}-llama-cpp" if engine == LLAMA_CPP else slug


def _amd(accelerator: Accelerator) -> str:
    return "amd-cdna3" if accelerator.compute_capability in ("gfx942", "gfx950") else "amd-other"


def _intel(accelerator: Accelerator) -> str:
    if "gaudi" in accelerator.slug:
        return "intel-gaudi"
    return "intel-gpu" if _has_stacked_memory(accelerator) else "intel-gddr"


def _other(accelerator: Accelerator) -> str:
    return "other"


def _nvidia(accelerator: Accelerator) -> str:
    if _has_stacked_memory(accelerator):
        return "nvidia-unseen" if _capability(accelerator) >= AMPERE else "nvidia-old"
    return "nvidia-gddr"


def _has_stacked_memory(accelerator: Accelerator) -> bool:
    return accelerator.memory_type.lower().startswith(DATA_CENTRE_MEMORY)


def _capability(accelerator: Accelerator) -> float:
    try:
        return float(accelerator.compute_capability)
    except ValueError:
        return 0.0


BY_VENDOR = {Vendor.AMD: _amd, Vendor.INTEL: _intel, Vendor.NVIDIA: _nvidia}

PROFILE_SLUGS = (
    "calibrated",
    "nvidia-unseen",
    "nvidia-gddr",
    "nvidia-old",
    "llama-cpp",
    "llama-cpp-hbm",
    "amd-cdna3",
    "amd-other",
    "intel-gaudi",
    "intel-gpu",
    "intel-gddr",
    "cpu",
    "cpu-llama-cpp",
    "cpu-amx",
    "cpu-amx-llama-cpp",
    "edge",
    "other",
)
