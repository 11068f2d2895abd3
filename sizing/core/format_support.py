"""Whether an accelerator can run a storage format: natively, weights only, or not at all.

Source: compute capabilities of the vendors' data sheets; vLLM's quantisation table and release
notes for the weight-only paths (FP8 Marlin since 0.5.4, NVFP4 Marlin since 0.8.5, MXFP4 since 0.10.1).
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.precision import Rate, StorageFormat
from sizing.core.values import Message


class Support(StrEnum):
    """How a format runs."""

    NATIVE = "native"  # computes in the format
    WEIGHT_ONLY = "weight_only"  # stored in the format, computed in 16 bits
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormatSupport:
    """Support and its reason."""

    support: Support
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Smallest NVIDIA compute capability, and AMD architectures, for each way."""

    native: float
    weight_only: float | None = None
    weight_only_since: str = ""  # first vLLM release with the fallback
    native_gfx: tuple[str, ...] = ()
    weight_only_gfx: tuple[str, ...] = ()


MATRIX_GFX = ("gfx90a", "gfx942", "gfx950", "gfx11", "gfx12")
RULES = {
    Rate.BF16: Rule(native=8.0, native_gfx=MATRIX_GFX),
    Rate.FP16: Rule(native=7.0, native_gfx=MATRIX_GFX),
    Rate.INT8: Rule(native=7.5, native_gfx=MATRIX_GFX),
    Rate.FP8: Rule(native=8.9, weight_only=7.5, weight_only_since="0.5.4", native_gfx=("gfx942", "gfx950", "gfx12")),
    Rate.FP4: Rule(
        native=10.0,
        weight_only=8.0,
        weight_only_since="0.8.5",
        native_gfx=("gfx950",),
        weight_only_gfx=("gfx942",),
    ),
}
MXFP4_SINCE = "0.10.1"
WEIGHT_ONLY_CAPABILITY = 7.5  # INT4 kernels
ENGINES_WITH_WEIGHT_ONLY = ("vllm", "sglang", "tgi", "lmdeploy", "nim", "dynamo")


def format_support(
    storage: StorageFormat, device: Accelerator, *, engine: str = "vllm", engine_version: str = ""
) -> FormatSupport:
    """How `storage` runs on `device`. An empty version means a current release."""
    params = {"format": storage.slug, "device": device.name, "capability": device.compute_capability or "?"}
    rule = RULES.get(storage.compute)
    if engine in ("llama-cpp", "openvino", "onnxruntime") or rule is None:
        return FormatSupport(support=Support.WEIGHT_ONLY, message=Message("format_support_weight_only", params))
    if storage.weight_only:
        return _stored_only(device, params)
    if device.vendor is Vendor.NVIDIA and device.kind is not DeviceKind.CPU:
        return _nvidia(rule, storage, device, params, release=(engine, engine_version))
    if device.vendor is Vendor.AMD and device.compute_capability.startswith("gfx"):
        return _amd(rule, device, params)
    if storage.compute in device.flops_per_s or (storage.compute in {Rate.BF16, Rate.FP16} and device.flops_per_s):
        return FormatSupport(support=Support.NATIVE, message=Message("format_support_native", params))
    return FormatSupport(support=Support.UNKNOWN, message=Message("format_support_unknown", params))


def _capability(device: Accelerator) -> float | None:
    found = re.match(r"\d+\.\d+", device.compute_capability)
    return float(found[0]) if found else None


def _stored_only(device: Accelerator, params: dict[str, str]) -> FormatSupport:
    capability = _capability(device)
    if device.vendor is Vendor.NVIDIA and capability is not None and capability < WEIGHT_ONLY_CAPABILITY:
        needed = params | {"needed": str(WEIGHT_ONLY_CAPABILITY)}
        return FormatSupport(support=Support.REFUSED, message=Message("format_support_refused", needed))
    return FormatSupport(support=Support.WEIGHT_ONLY, message=Message("format_support_weight_only", params))


def _nvidia(
    rule: Rule, storage: StorageFormat, device: Accelerator, params: dict[str, str], *, release: tuple[str, str]
) -> FormatSupport:
    engine, version = release
    capability = _capability(device)
    if capability is None:
        return FormatSupport(support=Support.UNKNOWN, message=Message("format_support_unknown", params))
    if capability >= rule.native:
        return FormatSupport(support=Support.NATIVE, message=Message("format_support_native", params))
    needed = params | {"needed": str(rule.native)}
    if rule.weight_only is None or capability < rule.weight_only or engine not in ENGINES_WITH_WEIGHT_ONLY:
        return FormatSupport(support=Support.REFUSED, message=Message("format_support_refused", needed))
    since = MXFP4_SINCE if storage.slug.startswith("mxfp4") else rule.weight_only_since
    if engine == "vllm" and version and _release(version) < _release(since):
        old = needed | {"version": version, "since": since}
        return FormatSupport(support=Support.REFUSED, message=Message("format_support_version", old))
    return FormatSupport(support=Support.WEIGHT_ONLY, message=Message("format_support_weight_only", needed))


def _amd(rule: Rule, device: Accelerator, params: dict[str, str]) -> FormatSupport:
    if device.compute_capability.startswith(rule.native_gfx):
        return FormatSupport(support=Support.NATIVE, message=Message("format_support_native", params))
    if rule.weight_only_gfx and device.compute_capability.startswith(rule.weight_only_gfx):
        return FormatSupport(support=Support.WEIGHT_ONLY, message=Message("format_support_weight_only", params))
    needed = params | {"needed": ", ".join(rule.native_gfx)}
    return FormatSupport(support=Support.REFUSED, message=Message("format_support_refused", needed))


def _release(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])
