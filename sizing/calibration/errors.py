"""Errors of predictions against measured points, in sample and with whole groups left out."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sizing.calibration.fit import CORPUS, Fit, fit, predict
from sizing.calibration.measured import Measured
from sizing.core.closed_loop import SteadyState
from sizing.core.points import Column

REFUSED_ERROR = 1.0
"""A point for which no answer is given counts as 100 %."""

METRICS = ("tpot", "ttft", "throughput")


@dataclass(frozen=True, slots=True, kw_only=True)
class LogErrors:
    """ln(predicted / measured) per point; NaN where the measurement or the answer is missing."""

    tpot: Column
    ttft: Column
    throughput: Column
    refused: NDArray[np.bool_]

    def absolute(self, metric: str) -> Column:
        """Relative absolute errors of the points that have this measurement."""
        logs: Column = getattr(self, metric)
        kept = logs[~np.isnan(logs) | self.refused]
        return np.where(np.isnan(kept), REFUSED_ERROR, np.abs(np.expm1(kept)))


def errors_of(points: Measured, state: SteadyState) -> LogErrors:
    """Errors of one prediction of every point. Throughput is derived from the two latencies."""
    refused = ~np.isfinite(state.tpot_s) | ~np.isfinite(state.ttft_s)
    usable = points.ttft_usable
    return LogErrors(
        tpot=np.log(state.tpot_s / points.tpot_s),
        ttft=np.where(usable, np.log(state.ttft_s / points.ttft_s), np.nan),
        throughput=np.where(usable, np.log(state.tokens_per_s / points.throughput_per_s), np.nan),
        refused=refused,
    )


def left_out(points: Measured, labels: NDArray[np.str_], whole: Fit) -> LogErrors:
    """Errors with every label's points predicted from a fit that never saw them.

    The descriptors of an undocumented load are facts about how the points were made and come from
    the `whole` fit; every product coefficient comes from the others.
    """
    columns = {metric: np.full(len(points), np.nan) for metric in METRICS}
    refused = np.zeros(len(points), dtype=bool)
    for label in sorted(set(labels.tolist())):
        inside = np.flatnonzero(labels == label)
        partial = fit(points.take(np.flatnonzero(labels != label)))
        values = {**partial.values, **{name: whole.values[name] for name in CORPUS}}
        part = points.take(inside)
        errors = errors_of(part, predict(part, values))
        for metric in METRICS:
            columns[metric][inside] = getattr(errors, metric)
        refused[inside] = errors.refused
    return LogErrors(**columns, refused=refused)


def median_and_tail(errors: Sequence[float] | Column) -> tuple[float, float]:
    """Median and 90th percentile of absolute errors."""
    return float(np.median(errors)), float(np.quantile(errors, 0.9))
