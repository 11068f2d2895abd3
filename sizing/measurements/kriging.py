"""Corrections learned from an organisation's own measurements: residuals interpolated between measured points.

The step model predicts; what remains is ln(measured / predicted). It is shared between points of one
model, accelerator, engine and format, and changes slowly with load, lengths and accelerators. A Gaussian
process with these shares as variance components gives the expected residual at a new point and how much
of its variance the measured points take away. Far from every own point both vanish: the prediction and
its interval stay as they were. Pure: NumPy only. Source: Rasmussen and Williams 2006, equations 2.25, 2.26, 5.12.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

type Column = NDArray[np.float64]

CHUNK = 300
"""Points solved together; larger sets are cut along model, accelerator and engine, whose residuals go together."""

NEIGHBOURS = 200
PRIOR_DEGREES = 1.0
"""Weight, in points, of the shipped variances against the spread that own points show."""

COVERED, Z_COVERED = 0.9, 1.645  # share of the points that an interval covers, and its half width in deviations

OUTLIER_Z, OUTLIER_SHARE = 3.0, 0.15
SCALE_LIMITS = (0.02, 9.0)
FAR = 1e3  # distance in doublings of points that share no deployment


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """Variances of ln(measured / predicted) by what two points share, and lengths in doublings.

    `shared_*` do not depend on the load; `local_*` fade with distance. Round numbers of the size that
    residuals of the public points have with one model or accelerator left out (`benchmarks/loop_accuracy.py`;
    other numbers of that size change its figures little).
    """

    shared_all: float = 0.001
    shared_model: float = 0.004
    shared_accelerator: float = 0.001
    shared_engine: float = 0.001
    shared_format: float = 0.001
    shared_model_engine: float = 0.001
    shared_deployment: float = 0.003
    local_all: float = 0.005
    local_model: float = 0.005
    local_deployment: float = 0.01
    noise: float = 0.0005
    length_concurrent: float = 5.0
    length_input: float = 5.0
    length_output: float = 16.0
    length_accelerators: float = 3.0
    length_data: float = 16.0

    def values(self) -> Column:
        return np.array([getattr(self, f.name) for f in fields(self)], dtype=float)

    @property
    def variance(self) -> float:
        """Of one point about which nothing is known."""
        return float(np.sum(self.values()[:11]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where points lie: labels (model, accelerator, engine, format) and log2 of concurrency, lengths and splits."""

    labels: NDArray[np.str_]  # (n, 4)
    logs: Column  # (n, 5): concurrent, input, output, accelerators, data

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, index: NDArray[np.intp]) -> "Places":
        return Places(labels=self.labels[index], logs=self.logs[index])


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """Own points with residuals (NaN where not measured) and the variance of each one's noise."""

    places: Places
    residuals: Column
    noise: Column
    scale: float  # of all variances: how far own points scatter against the shipped kernel
    kernel: Kernel
    left_out: Column  # residual of each point as the others foretell it

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True, kw_only=True)
class Corrected:
    """Expected ln(measured / predicted) at new points, and the share of the variance that is left (0..1)."""

    residual: Column
    left: Column


def covariance(kernel: Kernel, a: Places, b: Places) -> Column:
    """Prior covariance between two sets of points, without noise, shape (len(a), len(b))."""
    same = [a.labels[:, None, k] == b.labels[None, :, k] for k in range(4)]
    model, accelerator, engine, storage = same
    both, deployment = model & engine, model & accelerator & engine & storage
    near = np.exp(-_distance(kernel, a, b))
    found: Column = (
        kernel.shared_all
        + kernel.shared_model * model
        + kernel.shared_accelerator * accelerator
        + kernel.shared_engine * engine
        + kernel.shared_format * storage
        + kernel.shared_model_engine * both
        + kernel.shared_deployment * deployment
        + (kernel.local_all + kernel.local_model * both + kernel.local_deployment * deployment) * near
    )
    return found


def _distance(kernel: Kernel, a: Places, b: Places) -> Column:
    lengths = kernel.values()[11:]
    steps = (a.logs[:, None, :] - b.logs[None, :, :]) / lengths
    return np.asarray(np.sqrt(np.einsum("ijk,ijk->ij", steps, steps)))


def learn(places: Places, residuals: Column, *, kernel: Kernel) -> Learned:
    """Weigh own points by leaving each one out: outliers get more noise, scatter sets the width of every interval.

    Order of the points does not matter to the result beyond rounding. Cost grows linearly beyond CHUNK points.
    """
    known = np.flatnonzero(np.isfinite(residuals))
    places, residuals = places.take(known), residuals[known]
    noise = np.full(len(known), kernel.noise)
    expected, z = residuals * 0.0, residuals * 0.0
    for index in chunks(places):
        noise[index], expected[index], z[index] = _weighed(kernel, places.take(index), residuals[index])
    return Learned(
        places=places,
        residuals=residuals,
        noise=noise,
        scale=_scale(np.abs(z)),
        kernel=kernel,
        left_out=expected,
    )


def _scale(surprise: Column) -> float:
    """By what factor all variances must grow or shrink so that nine of ten own points lie in their interval.

    The quantile with the small-sample correction of conformal prediction (Lei and others 2018, section 2.2) over
    points left out one at a time, beside PRIOR_DEGREES points that scatter as the shipped kernel says.
    """
    count = len(surprise)
    if not count:
        return 1.0
    rank = min(count, int(np.ceil(COVERED * (count + 1))))
    shown = count * (np.sort(surprise)[rank - 1] / Z_COVERED) ** 2
    return float(np.clip((PRIOR_DEGREES + shown) / (PRIOR_DEGREES + count), *SCALE_LIMITS))


def _weighed(kernel: Kernel, places: Places, residuals: Column) -> tuple[Column, Column, Column]:
    """Noise, expectation from the others and standardised surprise of each point of one piece.

    The worst outlier gets more noise first, since it makes its neighbours look wrong too; then anew.
    """
    noise = np.full(len(residuals), kernel.noise)
    for _ in range(1 + int(OUTLIER_SHARE * len(residuals))):
        expected, variance = _leave_one_out(kernel, places, residuals, noise)
        z = (residuals - expected) / np.sqrt(variance)
        surprise = np.where(noise <= kernel.noise, np.abs(z), 0.0)
        worst = int(np.argmax(surprise))
        if surprise[worst] <= OUTLIER_Z:
            break
        noise[worst] += variance[worst] * z[worst] ** 2
    return noise, expected, z


def chunks(places: Places) -> list[NDArray[np.intp]]:
    """Indices in pieces of at most CHUNK, points of one deployment together."""
    if not len(places):
        return []
    keys = [places.logs[:, k] for k in range(5)][::-1] + [places.labels[:, k] for k in (3, 2, 1, 0)]
    order = np.lexsort(keys)
    return np.array_split(order, -(-len(order) // CHUNK))


def _leave_one_out(kernel: Kernel, places: Places, residuals: Column, noise: Column) -> tuple[Column, Column]:
    """Each point's expected residual and variance from the others, in closed form."""
    inverse = np.linalg.inv(covariance(kernel, places, places) + np.diag(noise))
    diagonal = np.diag(inverse)
    return residuals - inverse @ residuals / diagonal, 1.0 / diagonal


def correct(learned: Learned, wanted: Places) -> Corrected:
    """The correction at `wanted`, each from its NEIGHBOURS most related own points."""
    residual, left = np.zeros(len(wanted)), np.ones(len(wanted))
    if not len(learned):
        return Corrected(residual=residual, left=left)
    kernel = learned.kernel
    if len(learned) <= NEIGHBOURS:
        return _solved(learned, np.arange(len(learned)), wanted)
    related = covariance(kernel, wanted, learned.places)
    for row in range(len(wanted)):
        index = np.sort(np.argsort(-related[row], kind="stable")[:NEIGHBOURS])
        one = _solved(learned, index, wanted.take(np.array([row])))
        residual[row], left[row] = one.residual[0], one.left[0]
    return Corrected(residual=residual, left=left)


def _solved(learned: Learned, index: NDArray[np.intp], wanted: Places) -> Corrected:
    kernel, places = learned.kernel, learned.places.take(index)
    inside = covariance(kernel, places, places) + np.diag(learned.noise[index])
    across = covariance(kernel, wanted, places)
    weights = np.linalg.solve(inside, across.T)
    taken = np.einsum("ij,ji->i", across, weights)
    left = np.clip((kernel.variance - taken) / kernel.variance, kernel.noise / kernel.variance, 1.0)
    return Corrected(residual=weights.T @ learned.residuals[index], left=left)


def uncertainty(kernel: Kernel, places: Places, known: Places) -> Column:
    """Covariance over `places` that is left once `known` are measured, each with the kernel's noise."""
    left = covariance(kernel, places, places)
    if not len(known):
        return left
    inside = covariance(kernel, known, known) + kernel.noise * np.eye(len(known))
    across = covariance(kernel, places, known)
    return np.asarray(left - across @ np.linalg.solve(inside, across.T))


def informative(kernel: Kernel, places: Places, count: int, known: Places | None = None) -> NDArray[np.intp]:
    """The `count` loads to measure first: each takes most of the uncertainty that is left over all of `places`.

    `known` are measured already.
    """
    left = covariance(kernel, places, places) if known is None else uncertainty(kernel, places, known)
    chosen: list[int] = []
    for _ in range(min(count, len(places))):
        gain = np.sum(left**2, axis=0) / (np.diag(left) + kernel.noise)
        gain[chosen] = -1.0
        best = int(np.argmax(gain))
        chosen.append(best)
        left = left - np.outer(left[:, best], left[best]) / (left[best, best] + kernel.noise)
    return np.array(chosen, dtype=np.intp)


def interval_factor(band: float, left: float, learned: Learned) -> float:
    """The factor of the narrowed 90 % interval from the class's own `band`, `left` the variance share left.

    Without own points near it is the band itself. Scatter of own points widens it, never beyond twice its
    logarithm, and so does that few points tell little of their own scatter (Student's t).
    """
    if not len(learned):
        return band
    degrees = PRIOR_DEGREES + len(learned)
    # t(0.95) / z(0.95) = 1 + (z^2 + 1) / (4 degrees) + (5 z^4 + 16 z^2 + 3) / (96 degrees^2) + ...
    few = 1.0 + 0.93 / degrees + 0.86 / degrees**2
    wide = np.log(band) * np.sqrt(left * learned.scale) * few
    return float(np.exp(min(wide, 2.0 * np.log(band))))


def distance_to(learned: Learned, wanted: Places) -> tuple[Column, NDArray[np.intp]]:
    """Doublings to the nearest own point of the same deployment (FAR where there is none), and its index."""
    if not len(learned):
        return np.full(len(wanted), FAR), np.zeros(len(wanted), dtype=np.intp)
    same = np.all(wanted.labels[:, None, :] == learned.places.labels[None, :, :], axis=2)
    steps = wanted.logs[:, None, :] - learned.places.logs[None, :, :]
    distance = np.where(same, np.sqrt(np.sum(steps**2, axis=2)), FAR)
    nearest = np.argmin(distance, axis=1)
    return distance[np.arange(len(wanted)), nearest], nearest


def places_of(labels: Sequence[Sequence[str]], figures: Sequence[Sequence[float]]) -> Places:
    """Places from rows of labels and of (concurrent, input, output, accelerators, data) in natural units."""
    rows = np.array(figures, dtype=float).reshape(-1, 5)
    return Places(labels=np.array(labels, dtype=np.str_).reshape(-1, 4), logs=np.log2(np.maximum(rows, 0.5)))
