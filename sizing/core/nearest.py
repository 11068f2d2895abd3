"""Measured points close to an option, with their distance."""

from collections.abc import Sequence
from math import log2, sqrt

from sizing.core.candidate import NearestPoint
from sizing.core.coefficients import MeasuredPoint
from sizing.core.units import MS_PER_S

OTHER_MODEL, OTHER_ACCELERATOR, OTHER_ENGINE, OTHER_FORMAT = 1.0, 1.0, 0.5, 0.5
"""Distance of a difference that has no size of its own, in doublings (a choice, not a measurement)."""


def nearest_points(measured: Sequence[MeasuredPoint], wanted: MeasuredPoint, *, count: int = 3) -> list[NearestPoint]:
    """The `count` closest measured points, nearest first; ties by reference.

    Distance is the root of the sum of squared doublings of model size, accelerators, concurrency and
    lengths, plus fixed steps for another accelerator, engine, format or architecture.
    """
    rated = sorted((_distance(point, wanted), point.reference, point) for point in measured)
    return [
        NearestPoint(
            reference=reference,
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
        for distance, reference, point in rated[:count]
    ]


def _distance(point: MeasuredPoint, wanted: MeasuredPoint) -> float:
    sizes = (
        (point.active_parameters, wanted.active_parameters),
        (point.total_parameters, wanted.total_parameters),
        (float(point.accelerators), float(wanted.accelerators)),
        (point.concurrent, wanted.concurrent),
        (point.input_tokens, wanted.input_tokens),
        (point.output_tokens, wanted.output_tokens),
    )
    squares = sum(log2(max(a, 1e-9) / max(b, 1e-9)) ** 2 for a, b in sizes)
    squares += OTHER_MODEL**2 if point.signature != wanted.signature else 0.0
    squares += OTHER_ACCELERATOR**2 if point.accelerator != wanted.accelerator else 0.0
    squares += OTHER_ENGINE**2 if point.engine != wanted.engine else 0.0
    squares += OTHER_FORMAT**2 if point.weights_format != wanted.weights_format else 0.0
    return sqrt(squares)
