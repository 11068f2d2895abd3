"""From a predicted number to an estimate with a 90 % interval that fits the evidence for it."""

from dataclasses import dataclass, replace
from math import exp, log, sqrt

from sizing.core.coefficients import Band, Coefficients, DeviceProfile
from sizing.core.hardware import Accelerator
from sizing.core.layouts import Reach
from sizing.core.model.features import ModelFeatures
from sizing.core.values import Basis, Estimate

TAIL_WIDENING = {"mean": 1.0, "p50": 1.0, "p95": 1.15, "p99": 1.3}
"""Factor on the logarithm of a band: percentiles were never measured, only simulated (assumption)."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What calibration knows of a point: which band holds and how the figures came about."""

    kind: str  # "same", "accelerator", "model", "both"
    band: Band
    basis: Basis
    source: str


def model_signature(model: ModelFeatures) -> str:
    """A name for the architecture that survives renaming: family, layers and width."""
    return f"{model.family}/{model.layers}/{model.hidden_size}"


def evidence_of(
    model: ModelFeatures, accelerator: Accelerator, engine: str, profile: DeviceProfile, at: Coefficients
) -> Evidence:
    """The evidence class of a point; a device profile can widen the band but never narrow it."""
    signature = model_signature(model)
    if (signature, accelerator.slug, engine) in at.calibrated_triples:
        kind = "same"
    elif signature in at.calibrated_models:
        kind = "accelerator"
    elif accelerator.slug in at.calibrated_accelerators:
        kind = "model"
    else:
        kind = "both"
    band = at.bands[kind]
    if profile.band > 1.0:
        band = Band(
            tpot=max(band.tpot, profile.band),
            throughput=max(band.throughput, profile.band),
            ttft=max(band.ttft, profile.band, _combined(band.ttft, profile.band)),
        )
    basis = Basis.CALIBRATED if profile.slug == "calibrated" else Basis.FORMULA
    return Evidence(kind, band, basis, profile.source or f"calibration {at.version}")


BEYOND_FABRIC = {Reach.NODE: 1.35, Reach.NETWORK: 1.6}
"""Band of a stage whose collectives leave the fabric: no measured point has one (assumption)."""


def beyond_fabric(evidence: Evidence, reach: Reach) -> Evidence:
    """The evidence with wider intervals where a stage runs over PCIe or the network; as it is inside a fabric."""
    factor = BEYOND_FABRIC.get(reach)
    if factor is None:
        return evidence
    ttft = _combined(evidence.band.ttft, factor)
    return replace(evidence, band=replace(_slower(evidence.band, factor), ttft=ttft), basis=Basis.FORMULA)


def with_drafts(evidence: Evidence, factor: float) -> Evidence:
    """The evidence with wider intervals of decoding where tokens per step are only known within a factor."""
    return replace(evidence, band=_slower(evidence.band, factor)) if factor > 1.0 else evidence


def _slower(band: Band, factor: float) -> Band:
    return replace(band, tpot=_combined(band.tpot, factor), throughput=_combined(band.throughput, factor))


def _combined(first: float, second: float) -> float:
    """Two independent log-symmetric bands as one: root of the sum of squares of the logarithms."""
    return exp(sqrt(log(first) ** 2 + log(second) ** 2))


def banded(
    value: float, factor: float, unit: str, evidence: Evidence, *, explain: str, statistic: str = "mean"
) -> Estimate:
    """`value` with the interval value / f .. value x f, widened for percentiles."""
    wide = exp(log(factor) * TAIL_WIDENING[statistic])
    return Estimate(
        value=value,
        low=value / wide,
        high=value * wide,
        unit=unit,
        basis=evidence.basis,
        source=evidence.source,
        explain=explain,
    )
