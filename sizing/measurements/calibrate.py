"""A calibration: what an organisation's measurements say against the shipped coefficients.

The shipped coefficients are fitted on the public set; on top of them the residuals of own points are
learned (`kriging.py`), which count the more, the nearer an option is to them in model, accelerator,
engine, format and load. Equal measurements give equal content byte for byte: points in a fixed order,
six significant digits, no clock and no chance.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sizing.calibration.load import load_coefficients
from sizing.core.coefficients import Coefficients
from sizing.core.errors import SizingError
from sizing.measurements.kriging import Learned, learn, places_of
from sizing.measurements.learned import kernels
from sizing.measurements.predict import Deployed, Setting, deployed, state_of
from sizing.measurements.services import loads_of, setting_of
from sizing.models import Measurement
from sizing.requests import RequestProblem

FORMAT = 1
DIGITS = 6
REGIMES = (("low", 8.0), ("middle", 32.0), ("high", np.inf))  # requests in flight, as in benchmarks/accuracy.py
METRICS = ("tpot", "ttft")


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnPoint:
    """A measured load beside its prediction. Residuals are ln(measured / predicted), NaN where not comparable."""

    reference: str
    labels: tuple[str, str, str, str]
    figures: tuple[float, float, float, float, float]  # concurrent, input, output, accelerators, data
    tpot: float
    ttft: float
    tpot_ms: float
    ttft_ms: float


def own_points(rows: Iterable[Measurement], coefficients: Coefficients) -> tuple[list[OwnPoint], int]:
    """Every measurement that can be compared, in a fixed order, and how many could not be."""
    groups: dict[Setting, list[Measurement]] = {}
    for row in rows:
        if "mean" in row.statistics.get("tpot", {}):
            groups.setdefault(setting_of(row), []).append(row)
    points, left_out = [], 0
    for setting, members in groups.items():
        try:
            place = deployed(setting, coefficients)
        except (SizingError, RequestProblem):
            left_out += len(members)
            continue
        points += _compared(place, members)
    return sorted(points, key=lambda point: (point.reference, point.labels)), left_out


def _compared(place: Deployed, rows: list[Measurement]) -> list[OwnPoint]:
    state = state_of(place, loads_of(rows))
    found = []
    for position, row in enumerate(rows):
        tpot_ms = float(row.statistics["tpot"]["mean"])
        ttft_ms = float(row.statistics.get("ttft", {}).get("mean", np.nan))
        saturated = bool(np.broadcast_to(state.saturated, (len(rows),))[position])
        found.append(
            OwnPoint(
                reference=f"{row.file.sha256[:16]}:{row.line}",
                labels=place.labels,
                figures=(row.concurrent, row.input_tokens, row.output_tokens,
                         float(place.setting.accelerators), float(place.setting.data)),
                tpot=float(np.log(tpot_ms / 1e3 / state.tpot_s[position])),
                ttft=float("nan") if saturated else float(np.log(ttft_ms / 1e3 / state.ttft_s[position])),
                tpot_ms=tpot_ms,
                ttft_ms=ttft_ms,
            )
        )  # fmt: skip
    return found


def calibration_of(points: Sequence[OwnPoint], coefficients: Coefficients) -> dict[str, Any]:
    """The content of a calibration: points, their weights, and how well they foretell each other."""
    places = places_of([point.labels for point in points], [point.figures for point in points])
    content: dict[str, Any] = {"format": FORMAT, "coefficients": coefficients.version, "points": len(points)}
    content["measured"] = [
        {**asdict(point), **{name: _rounded(getattr(point, name)) for name in ("tpot", "ttft", "tpot_ms", "ttft_ms")}}
        for point in points
    ]
    for metric, kernel in kernels().items():
        residuals = np.array([getattr(point, metric) for point in points], dtype=float)
        learned = learn(places, residuals, kernel=kernel)
        content[metric] = {
            "scale": _rounded(learned.scale),
            "noise": [_rounded(value) for value in learned.noise.tolist()],
            "cross_validation": _cross_validation(learned),
        }
    return content


def _cross_validation(learned: Learned) -> dict[str, Any]:
    """Median error in per cent of each point without own points, and as the other own points foretell it."""
    concurrent = 2.0 ** learned.places.logs[:, 0] if len(learned) else np.zeros(0)
    table = {"all": _errors(learned, np.ones(len(learned), dtype=bool))}
    low = 0.0
    for name, high in REGIMES:
        table[name] = _errors(learned, (concurrent > low) & (concurrent <= high + 1e-9))
        low = high
    return table


def _errors(learned: Learned, chosen: NDArray[np.bool_]) -> dict[str, float | int | None]:
    if not np.any(chosen):
        return {"points": 0, "without": None, "with": None}
    before, after = learned.residuals[chosen], (learned.residuals - learned.left_out)[chosen]
    return {
        "points": int(np.sum(chosen)),
        "without": _rounded(100 * float(np.median(np.abs(np.expm1(-before))))),
        "with": _rounded(100 * float(np.median(np.abs(np.expm1(-after))))),
    }


def _rounded(value: float) -> float | None:
    return float(f"{value:.{DIGITS}g}") if np.isfinite(value) else None


def as_bytes(content: Mapping[str, Any]) -> bytes:
    """The canonical text of a calibration: what its SHA-256 is of."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode()


def sha256_of(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(as_bytes(content)).hexdigest()


def calibrated(rows: Iterable[Measurement]) -> tuple[dict[str, Any], int]:
    """Content of the calibration of these measurements, and how many could not be compared."""
    coefficients = load_coefficients()
    points, left_out = own_points(rows, coefficients)
    return calibration_of(points, coefficients), left_out
