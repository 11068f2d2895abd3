"""The parameter values of a shipped coefficients file, in the terms of the fit."""

import json
from collections.abc import Mapping

from sizing.calibration.fit import ENGINE_PREFIX
from sizing.calibration.load import COEFFICIENTS


def stored_values(version: str) -> Mapping[str, float]:
    """Every coefficient and corpus descriptor by name, as `fit.predict` takes them."""
    stored = json.loads((COEFFICIENTS / f"{version}.json").read_text(encoding="utf-8"))
    engines = {ENGINE_PREFIX + slug: factor for slug, factor in stored["engine_factors"].items()}
    return {**stored["step"], **stored["latency"], **stored["corpus"], **engines}
