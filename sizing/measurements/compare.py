"""Predicted against measured: each load of an option, errors by regime, and which term of the model is off."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import exp, log

import numpy as np

from sizing.calibration.load import load_coefficients
from sizing.core.closed_loop import SteadyState
from sizing.core.errors import SizingError
from sizing.core.estimates import Evidence
from sizing.measurements.predict import Deployed, Loads, Setting, deployed, state_of
from sizing.measurements.services import loads_of, setting_of
from sizing.models import Measurement
from sizing.requests import RequestProblem

PREFILL_SHARE = 0.4
"""Share of a predicted time per token that is prefill of others, from which an error is laid to the prefill."""

POOL_WAIT_SHARE = 0.5
"""A first token that waits longer than half a decode life waits for memory, whatever the model says."""

LOW, HIGH = 8.0, 32.0  # requests in flight, as in benchmarks/accuracy.py


class Term(StrEnum):
    """A part of the model that an error is laid to."""

    MEMORY_POOL = "memory_pool"
    DECODE_STEP = "decode_step"
    PREFILL = "prefill"
    QUEUEING = "queueing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """One measured load beside its prediction, milliseconds. Errors are predicted / measured - 1; None: no figure."""

    measurement: Measurement
    tpot_ms: float | None = None
    ttft_ms: float | None = None
    tpot_low_ms: float | None = None
    tpot_high_ms: float | None = None
    tpot_error: float | None = None
    ttft_error: float | None = None
    inside: bool | None = None  # whether the 90 % interval of the time per token covers the measured one
    term: Term | None = None  # what the larger error comes from; None where both lie within their intervals
    saturated: bool = False

    @property
    def regime(self) -> str:
        return (
            "low" if self.measurement.concurrent <= LOW else "middle" if self.measurement.concurrent <= HIGH else "high"
        )


def comparisons(rows: Sequence[Measurement]) -> list[Comparison]:
    """Every measurement in the order given; those that cannot be predicted have no figures."""
    groups: dict[Setting, list[int]] = defaultdict(list)
    for position, row in enumerate(rows):
        groups[setting_of(row)].append(position)
    found: dict[int, Comparison] = {}
    for setting, positions in groups.items():
        members = [rows[position] for position in positions]
        found |= dict(zip(positions, _group(setting, members), strict=True))
    return [found[position] for position in range(len(rows))]


def _group(setting: Setting, rows: list[Measurement]) -> list[Comparison]:
    try:
        place = deployed(setting, load_coefficients())
    except (SizingError, RequestProblem):
        return [_unknown(row) for row in rows]
    loads = loads_of(rows)
    state = state_of(place, loads)
    return [_compared(row, place, state, loads, index) for index, row in enumerate(rows)]


def _unknown(row: Measurement) -> Comparison:
    return Comparison(measurement=row)


def _compared(row: Measurement, place: Deployed, state: SteadyState, loads: Loads, index: int) -> Comparison:
    measured_token, measured_first = (row.statistics.get(m, {}).get("mean") for m in ("tpot", "ttft"))
    if measured_token is None:
        return _unknown(row)
    saturated = bool(np.broadcast_to(state.saturated, loads.concurrent.shape)[index])
    token, first = float(state.tpot_s[index] * 1e3), float(state.ttft_s[index] * 1e3)
    band = place.evidence.band
    return Comparison(
        measurement=row,
        tpot_ms=token,
        ttft_ms=None if saturated else first,
        tpot_low_ms=token / band.tpot,
        tpot_high_ms=token * band.tpot,
        tpot_error=token / measured_token - 1.0,
        ttft_error=first / measured_first - 1.0 if measured_first and not saturated else None,
        inside=token / band.tpot <= measured_token <= token * band.tpot,
        term=_term(row, state, index, place.evidence, saturated=saturated),
        saturated=saturated,
    )


def _term(row: Measurement, state: SteadyState, index: int, evidence: Evidence, *, saturated: bool) -> Term | None:
    """The term behind the error that leaves its interval farthest; None where neither leaves it."""
    token = row.statistics["tpot"]["mean"] / 1e3
    first = row.statistics.get("ttft", {}).get("mean")
    off_token = abs(log(token / float(state.tpot_s[index]))) / log(evidence.band.tpot)
    if saturated:
        return Term.MEMORY_POOL if first is not None and first / 1e3 < 0.1 * row.output_tokens * token else None
    off_first = abs(log(first / 1e3 / float(state.ttft_s[index]))) / log(evidence.band.ttft) if first else 0.0
    if max(off_token, off_first) <= 1.0:
        return None
    if off_token >= off_first:
        share = 1.0 - float(state.decode_step_s[index] / state.tpot_s[index])
        return Term.PREFILL if share > PREFILL_SHARE else Term.DECODE_STEP
    if first / 1e3 > POOL_WAIT_SHARE * row.output_tokens * token:
        return Term.MEMORY_POOL
    waits = float(state.burst_s[index] + state.over_s[index])
    return Term.QUEUEING if waits > float(state.own_s[index]) else Term.PREFILL


@dataclass(frozen=True, slots=True, kw_only=True)
class Regime:
    """Median absolute errors of the loads of one regime, as shares."""

    name: str
    loads: int
    tpot_error: float | None
    ttft_error: float | None
    bias: float | None  # median of predicted / measured - 1 of the time per token


def regimes(found: Sequence[Comparison]) -> list[Regime]:
    """Low, middle and high load, those that were measured."""
    table = []
    for name in ("low", "middle", "high"):
        members = [each for each in found if each.regime == name and each.tpot_error is not None]
        if members:
            tokens = [each.tpot_error for each in members if each.tpot_error is not None]
            firsts = [each.ttft_error for each in members if each.ttft_error is not None]
            table.append(
                Regime(
                    name=name,
                    loads=len(members),
                    tpot_error=float(np.median(np.abs(tokens))),
                    ttft_error=float(np.median(np.abs(firsts))) if firsts else None,
                    bias=exp(float(np.median([log(1.0 + error) for error in tokens]))) - 1.0,
                )
            )
    return table


def suspects(found: Sequence[Comparison]) -> Mapping[Term, int]:
    """How many loads each term is blamed for, most first; ties by the order of the terms."""
    counts = {term: sum(1 for each in found if each.term is term) for term in Term}
    return dict(sorted(((t, n) for t, n in counts.items() if n), key=lambda pair: -pair[1]))
