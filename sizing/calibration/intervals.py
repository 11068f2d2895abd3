"""Bands that cover nine of ten measurements, by what calibration knows of a point."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from sizing.calibration.errors import METRICS, LogErrors
from sizing.core.coefficients import Band
from sizing.core.points import Column

INSIDE_GROUP = 0.90
OVER_GROUPS = 0.72
"""Errors are shared inside a (model, accelerator, engine, format) group: groups are exchangeable, points are not."""

MIN_GROUP = 5


def bands_of(groups: NDArray[np.intp], same: LogErrors, accelerator: LogErrors, model: LogErrors) -> Mapping[str, Band]:
    """Bands by evidence class. Unseen is never narrower than seen; both unseen adds the variances."""
    widths: dict[str, dict[str, float]] = {kind: {} for kind in ("same", "accelerator", "model", "both")}
    for metric in METRICS:
        seen = _width(groups, getattr(same, metric))
        unseen_device = max(seen, _width(groups, getattr(accelerator, metric)))
        unseen_model = max(seen, _width(groups, getattr(model, metric)))
        widths["same"][metric] = seen
        widths["accelerator"][metric] = unseen_device
        widths["model"][metric] = unseen_model
        widths["both"][metric] = float(np.hypot(unseen_device, unseen_model))
    return {kind: Band(**{metric: float(np.exp(w)) for metric, w in by.items()}) for kind, by in widths.items()}


def _width(groups: NDArray[np.intp], logs: Column) -> float:
    inside = []
    for group in np.unique(groups):
        values = np.abs(logs[groups == group])
        values = values[~np.isnan(values)]
        if len(values) >= MIN_GROUP:
            inside.append(float(np.quantile(values, INSIDE_GROUP)))
    return float(np.quantile(inside, OVER_GROUPS))


def coverage(groups: NDArray[np.intp], logs: Column, labels: NDArray[np.str_]) -> tuple[float, float]:
    """Share of points inside bands that were learned without their label, and the mean relative width.

    Each label's points are judged by the band that all other labels give.
    """
    inside, widths = [], []
    for label in sorted(set(labels.tolist())):
        chosen = labels == label
        width = _width(groups[~chosen], logs[~chosen])
        values = np.abs(logs[chosen])
        values = values[~np.isnan(values)]
        inside.extend((values <= width).tolist())
        widths.extend([np.exp(width) - np.exp(-width)] * len(values))
    return float(np.mean(inside)), float(np.mean(widths))
