"""Measured points close to an option, with their distance."""

import numpy as np

from sizing.core.candidate import NearestPoint
from sizing.core.coefficients import MeasuredPoint, MeasuredTable
from sizing.core.points import Column
from sizing.core.units import MS_PER_S

STEPS = (1.0, 1.0, 0.5, 0.5)
"""Distance of another architecture, accelerator, engine and format, in doublings (a choice, not a measurement)."""


def nearest_points(measured: MeasuredTable, wanted: MeasuredPoint, *, count: int = 3) -> list[NearestPoint]:
    """The `count` closest measured points, nearest first; ties by reference.

    Distance is the root of the sum of squared doublings of model size, accelerators, concurrency and
    lengths, plus fixed steps for another accelerator, engine, format or architecture.
    """
    if not measured.points:
        return []
    distances = _distances(measured, wanted)
    order = np.argsort(distances, kind="stable")[:count]
    rated = [(float(distances[i]), measured.points[i]) for i in order]
    return [
        NearestPoint(
            reference=point.reference,
            distance=distance,
            tpot_ms=point.tpot_s * MS_PER_S,
            ttft_ms=point.ttft_s * MS_PER_S if point.ttft_s is not None else None,
            description={
                "family": point.family,
                "accelerator": point.accelerator,
                "accelerators": point.accelerators,
                "engine": point.engine,
                "engine_version": point.engine_version,
                "weights_format": point.weights_format,
                "concurrent_requests": point.concurrent,
                "input_tokens": point.input_tokens,
                "output_tokens": point.output_tokens,
                "measured_on": point.measured_on,
            },
        )
        for distance, point in rated
    ]


def _distances(measured: MeasuredTable, wanted: MeasuredPoint) -> Column:
    here = np.log2(np.maximum(np.array(wanted.sizes, dtype=float), 1e-9))
    squares = ((measured.doublings - here) ** 2).sum(axis=1)
    for column, kind, step in zip(measured.kinds, wanted.kinds, STEPS, strict=True):
        squares = squares + step**2 * (column != kind)
    return np.asarray(np.sqrt(squares))
