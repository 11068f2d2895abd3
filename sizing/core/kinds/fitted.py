"""Fitted numbers of the kinds besides language models, as frozen values; `sizing/kinds/load.py` reads them."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import exp, log, sqrt

from sizing.core.errors import InvalidWorkload
from sizing.core.hardware import Accelerator, DeviceKind, Vendor
from sizing.core.values import Basis, Estimate

DATAFLOW = frozenset({"hailo-8", "hailo-10h", "axelera-metis"})
"""Modules that keep a network on the chip and stream the rest from the host; they run vision networks alone."""

TURING = 8.0  # NVIDIA devices below this compute capability are the "old" class


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """Efficiencies of one family of networks. Symbols in brackets are those of docs/method.md.

    `energy_j_per_8bit_operation` is what one multiply or add of 8 bits costs while power limits the clock;
    16-bit operations cost twice as much, 4-bit ones half.
    """

    compute_efficiency: float  # [e] share of the dense peak at large batch
    energy_j_per_8bit_operation: float  # [E]
    processor_efficiency: float  # [e_cpu] of the matrix units of a processor
    memory_efficiency: float  # [e_b] share of the printed bandwidth that reads reach
    single_share: float  # [h] of the large-batch rate that one item alone reaches
    launch_s: float  # [t_l] per layer (vision) or per step (autoregressive)
    server_share: float  # [s] of the offline rate that Poisson arrivals under a latency limit leave
    processor_server_share: float
    uncompiled_factor: float  # [u] time of an open pipeline over a compiled engine
    old_factor: float  # [o] time on Volta and Turing over what the formula says
    band: float  # factor of the 90 % interval where the device was measured
    band_unseen: float  # where it was not
    band_model: float  # where the device was measured, the network was not
    measured_devices: frozenset[str]
    measured_models: frozenset[str]  # ids of the catalogue
    source: str
    open_item_s: float = 0.0  # [t_o] per item in an open pipeline, on the host: the device does not shorten it


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceFactor:
    """How a class of devices departs from the measured ones: factor on time, width of the interval, source."""

    time: float
    band: float
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCoefficients:
    """Everything fitted for the kinds: one Fit per family, one factor per class of devices."""

    version: str
    fits: Mapping[str, Fit]  # "vision", "embedding", "diffusion", "asr", "tts"
    devices: Mapping[str, DeviceFactor]  # by `device_class`

    def fit(self, family: str) -> Fit:
        """Raises InvalidWorkload for a family that was never fitted."""
        if family not in self.fits:
            raise InvalidWorkload("kind_without_fit", value=family)
        return self.fits[family]

    def factor(self, device: Accelerator) -> DeviceFactor:
        return self.devices[device_class(device)]

    def band(self, device: Accelerator, family: str, model: str) -> float:
        """Factor of the 90 % interval. Where neither device nor network was measured, what each adds is added.

        Bands are those of independent errors: the squares of their logarithms add up.
        """
        fit = self.fit(family)
        of_device = fit.band
        if device.slug not in fit.measured_devices:
            of_device = max(fit.band_unseen, self.factor(device).band)
        if model in fit.measured_models:
            return of_device
        more = max(log(fit.band_model) ** 2 - log(fit.band) ** 2, 0.0)
        return exp(sqrt(log(of_device) ** 2 + more))

    def time_factor(self, device: Accelerator, family: str) -> float:
        """What time is multiplied by on this class of devices."""
        old = self.fit(family).old_factor if device_class(device) == "nvidia-old" else 1.0
        return self.factor(device).time * old


def device_class(device: Accelerator) -> str:
    """The class of devices by explicit rules: processors, then makers, then age."""
    if device.kind is DeviceKind.CPU:
        return "cpu"
    if device.vendor is Vendor.NVIDIA:
        if _capability(device) < TURING:
            return "nvidia-old"
        return "edge" if device.kind is DeviceKind.EDGE else "nvidia"
    if device.slug in DATAFLOW:
        return "dataflow"
    if device.vendor is Vendor.INTEL and device.memory_type.upper().startswith("GDDR"):
        return "intel-gddr"
    return {Vendor.AMD: "amd", Vendor.INTEL: "intel"}.get(device.vendor, "other")


def _capability(device: Accelerator) -> float:
    try:
        return float(device.compute_capability)
    except ValueError:
        return TURING


def banded(  # noqa: PLR0917 (a figure, and what it is of)
    value: float,
    unit: str,
    device: Accelerator,
    family: str,
    model: str,
    coefficients: KindCoefficients,
    *,
    explain: str,
) -> Estimate:
    """`value` with the interval that the evidence for this family on this device and network allows."""
    fit, factor = coefficients.fit(family), coefficients.factor(device)
    measured = device.slug in fit.measured_devices
    wide = coefficients.band(device, family, model)
    return Estimate(
        value=value,
        low=value / wide,
        high=value * wide,
        unit=unit,
        basis=Basis.CALIBRATED if measured and model in fit.measured_models else Basis.FORMULA,
        source=fit.source if measured else f"{fit.source}; {factor.source}",
        explain=explain,
    )
