"""Fits the coefficients of the kinds on the packaged points. Needs SciPy; not part of sizing a workload.

Least squares on log(predicted / published) with a soft loss, weights 1 / sqrt(points of a group), and a weak
pull towards plausible starting values, so that five or six numbers per family stay physical.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.optimize import least_squares

from sizing.core.kinds.fitted import Fit, KindCoefficients
from sizing.kinds.points import Point, predicted

SOFT_LOSS = 0.15
PULL = 0.15
COVERAGE = 0.9
HIGHEST_EFFICIENCY = 0.95

START = Fit(
    compute_efficiency=0.7,
    energy_j_per_8bit_operation=0.45e-12,
    processor_efficiency=0.35,
    memory_efficiency=0.7,
    single_share=0.7,
    launch_s=2e-5,
    server_share=0.9,
    processor_server_share=0.8,
    uncompiled_factor=1.7,
    old_factor=1.0,
    band=1.5,
    band_unseen=1.8,
    band_model=1.8,
    measured_devices=frozenset(),
    measured_models=frozenset(),
    source="",
)
FREE: dict[str, tuple[str, ...]] = {
    "vision": (
        "compute_efficiency", "energy_j_per_8bit_operation", "processor_efficiency", "single_share", "launch_s",
        "server_share", "processor_server_share",
    ),
    "vision_eager": ("compute_efficiency", "memory_efficiency", "launch_s"),
    "embedding": (
        "compute_efficiency", "energy_j_per_8bit_operation", "processor_efficiency", "server_share",
        "processor_server_share", "old_factor",
    ),
    "diffusion": (
        "compute_efficiency", "energy_j_per_8bit_operation", "server_share", "uncompiled_factor", "old_factor",
    ),
    "asr": (
        "compute_efficiency", "energy_j_per_8bit_operation", "processor_efficiency", "memory_efficiency", "launch_s",
        "uncompiled_factor",
    ),
    "asr_ggml": ("compute_efficiency", "launch_s", "uncompiled_factor", "old_factor"),
    "tts": ("compute_efficiency", "launch_s"),
}  # fmt: skip
FIXED: dict[str, dict[str, float]] = {
    "vision_eager": {"energy_j_per_8bit_operation": 0.0, "single_share": 1.0},
    "embedding": {"single_share": 1.0, "launch_s": 0.0},
    "diffusion": {"single_share": 1.0, "launch_s": 0.0},
    "asr": {"single_share": 1.0, "open_item_s": 0.3},  # 300 windows in 98 s, computing included (insanely-fast-whisper)
    "asr_ggml": {"energy_j_per_8bit_operation": 0.0, "single_share": 1.0},
    "tts": {"energy_j_per_8bit_operation": 0.0, "single_share": 1.0, "uncompiled_factor": 1.0},
}
STARTS: dict[str, dict[str, float]] = {
    "vision_eager": {"compute_efficiency": 0.4, "memory_efficiency": 0.4, "launch_s": 1.1e-4},
    "asr": {"compute_efficiency": 0.6, "launch_s": 5e-3, "memory_efficiency": 0.6, "uncompiled_factor": 2.0},
    "asr_ggml": {"compute_efficiency": 0.5, "launch_s": 5e-5, "uncompiled_factor": 2.0},
    "tts": {"compute_efficiency": 0.25, "launch_s": 1.3e-3},
    "diffusion": {"old_factor": 2.0},
    "embedding": {"old_factor": 2.0},
}
EFFICIENCIES = frozenset({"compute_efficiency", "processor_efficiency", "memory_efficiency", "single_share",
                          "server_share", "processor_server_share"})  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """The fit of one family and its errors: log(predicted / published) per point, in their order."""

    fit: Fit
    errors: np.ndarray


def fit_family(family: str, points: Sequence[Point], base: KindCoefficients) -> Fitted:
    """Free numbers of `family` that suit `points` best. Raises ValueError without points."""
    if not points:
        raise ValueError(f"no points of {family}")
    known: dict[str, Any] = {**FIXED.get(family, {}), **STARTS.get(family, {})}
    start = replace(START, **known)
    names = FREE[family]
    middle = np.log([getattr(start, name) for name in names])
    most = np.log([HIGHEST_EFFICIENCY if name in EFFICIENCIES else 1e3 * getattr(start, name) for name in names])
    groups = Counter(point.group for point in points)
    weights = np.array([groups[point.group] ** -0.5 for point in points])

    def with_values(logs: np.ndarray) -> Fit:
        return replace(start, **dict(zip(names, np.exp(logs).tolist(), strict=True)))

    def residuals(logs: np.ndarray) -> np.ndarray:
        errors = log_errors(points, family, with_values(logs), base)
        return np.concatenate([errors * weights, (logs - middle) * PULL])

    found = least_squares(residuals, np.minimum(middle, most - 0.01), bounds=(middle - 5, most),
                          loss="soft_l1", f_scale=SOFT_LOSS)  # fmt: skip
    fit = with_values(found.x)
    return Fitted(fit=fit, errors=log_errors(points, family, fit, base))


def log_errors(points: Sequence[Point], family: str, fit: Fit, base: KindCoefficients) -> np.ndarray:
    coefficients = replace(base, fits={**base.fits, family: fit})
    return np.log([predicted(point, coefficients) / point.items_per_s for point in points])


def left_out(family: str, points: Sequence[Point], base: KindCoefficients, label: Callable[[Point], str]) -> np.ndarray:
    """Errors of each point from a fit that never saw its label (device or model)."""
    parts: dict[str, list[int]] = defaultdict(list)
    for index, point in enumerate(points):
        parts[label(point)].append(index)
    errors = np.full(len(points), np.nan)
    for indices in parts.values():
        out = set(indices)
        kept = [point for index, point in enumerate(points) if index not in out]
        if not kept:
            continue
        fit = fit_family(family, kept, base).fit
        errors[indices] = log_errors([points[i] for i in indices], family, fit, base)
    return errors


def band_of(points: Sequence[Point], errors: np.ndarray) -> float:
    """Factor of the interval that covers COVERAGE of the points."""
    known = np.abs(errors[~np.isnan(errors)])
    return float(np.exp(np.quantile(known, COVERAGE)))
