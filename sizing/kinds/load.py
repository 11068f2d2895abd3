"""The fitted numbers of the kinds as core values. The only place that reads their file."""

import json
from functools import cache
from pathlib import Path

from sizing.core.kinds.fitted import DeviceFactor, Fit, KindCoefficients

DATA = Path(__file__).resolve().parent.parent / "data"
CURRENT_VERSION = "kinds-2026.11"
SEEN = ("measured_devices", "measured_models")


@cache
def load_kind_coefficients(version: str = CURRENT_VERSION) -> KindCoefficients:
    """Raises FileNotFoundError where the version is not shipped."""
    stored = json.loads((DATA / "coefficients" / f"{version}.json").read_text(encoding="utf-8"))
    return KindCoefficients(
        version=stored["version"],
        fits={
            family: Fit(**{**numbers, **{name: frozenset(numbers[name]) for name in SEEN}})
            for family, numbers in stored["fits"].items()
        },
        devices={name: DeviceFactor(**numbers) for name, numbers in stored["devices"].items()},
    )
