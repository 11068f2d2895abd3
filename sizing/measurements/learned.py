"""What a stored calibration has learned, ready to correct options: all that a sizing needs of measurements."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import numpy as np

from sizing.measurements.kriging import Kernel, Learned, places_of

TTFT_VARIANCE = 4.0
"""Times to first token scatter about twice as wide: left-out residuals of the public points."""


def kernels() -> dict[str, Kernel]:
    """The kernel of each metric."""
    token = Kernel()
    names = [name for name in asdict(token) if not name.startswith("length_")]
    wide = replace(token, **{name: TTFT_VARIANCE * getattr(token, name) for name in names})
    return {"tpot": token, "ttft": wide}


def learned_of(content: Mapping[str, Any]) -> dict[str, Learned]:
    """The learned residuals of a stored calibration, by metric."""
    measured = content["measured"]
    places = places_of([point["labels"] for point in measured], [point["figures"] for point in measured])
    found = {}
    for metric, kernel in kernels().items():
        residuals = np.array([np.nan if p[metric] is None else p[metric] for p in measured], dtype=float)
        known = np.flatnonzero(np.isfinite(residuals))
        found[metric] = Learned(
            places=places.take(known),
            residuals=residuals[known],
            noise=np.array(content[metric]["noise"], dtype=float),
            scale=float(content[metric]["scale"]),
            kernel=kernel,
            left_out=np.zeros(len(known)),
        )
    return found
