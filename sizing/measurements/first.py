"""Which loads of a benchmark plan to measure first: those that take most of the uncertainty of the whole sweep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sizing.benchmark_plan import SWEEP, Load, loads, mean_of
from sizing.measurements.kriging import Kernel, Places, informative, places_of, uncertainty

NONE = np.array([], dtype=np.intp)
COUNT = 2
"""Loads to begin with: one alone says little of its own scatter, a third tells little that two do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class First:
    """Loads in the order to measure them; `left` is the share of the standard deviation over the sweep after them."""

    loads: tuple[Load, ...] = ()
    left: float = 1.0


def measure_first(option: Mapping[str, Any], request: Mapping[str, Any], measured: Sequence[float] = ()) -> First:
    """The loads to begin with; `measured`: requests in flight per replica at which this option has own points.

    Empty where one load alone is measured, or no more than what would be chosen.
    """
    swept = loads(option, request)
    if option["engine"] == "llama-cpp" or len(swept) <= COUNT:
        return First()
    counts, kernel = _in_flight(option, swept), Kernel()
    places = _places(option, request, counts)
    chosen = informative(kernel, places, COUNT, _places(option, request, measured)).tolist()
    known = _places(option, request, [*measured, *(counts[index] for index in chosen)])
    left = np.trace(uncertainty(kernel, places, known)) / np.trace(uncertainty(kernel, places, places.take(NONE)))
    return First(loads=tuple(swept[index] for index in chosen), left=float(np.sqrt(left)))


def _in_flight(option: Mapping[str, Any], swept: Sequence[Load]) -> list[float]:
    """Requests in flight that each load leads to, as far as a rate fills slots in proportion."""
    planned = float(option["performance"].get("requests_in_flight_per_replica") or 1.0)
    return [float(load.in_flight or planned * factor) for load, factor in zip(swept, SWEEP, strict=False)]


def _places(option: Mapping[str, Any], request: Mapping[str, Any], in_flight: Sequence[float]) -> Places:
    """Places of one deployment, which differ by load alone."""
    traffic, split = request["traffic"], option.get("parallelism") or {}
    lengths = [mean_of(traffic[name]) for name in ("input_tokens", "output_tokens")]
    devices = float(option.get("accelerators_per_replica") or 1)
    labels = ("", str(option["accelerator"]), str(option["engine"]), str(option["weights_format"]))
    figures = [(count, *lengths, devices, float(split.get("data") or 1)) for count in in_flight]
    return places_of([labels] * len(in_flight), figures)
