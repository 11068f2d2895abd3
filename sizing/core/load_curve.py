"""Latency against load: what an option would show with fewer and with more requests in flight."""

from dataclasses import replace

import numpy as np

from sizing.core.assemble import Chosen, at_row, evidence_at
from sizing.core.candidate import LoadPoint, Performance
from sizing.core.closed_loop import SteadyState, steady_state
from sizing.core.estimates import Evidence, banded
from sizing.core.grid import load_at
from sizing.core.points import Column
from sizing.core.queueing import e2e_quantile_s, spread_of, tpot_quantile_s, ttft_quantile_s
from sizing.core.simulate.engine import knee
from sizing.core.units import MS_PER_S
from sizing.core.values import Estimate

STATISTIC = "p95"
POINTS = 12
SMALLEST_RANGE = 8.0
"""The curve reaches at least this many requests in flight, so that small loads show a shape."""


def load_curve(one: Chosen, performance: Performance) -> tuple[LoadPoint, ...]:
    """95th percentiles and throughput from one request in flight to past the load, ascending.

    By the closed form, in geometric steps; the point of the stated load has the figures of `performance`,
    simulated where they are. At most one point is the knee: from there on, doubling the load yields less
    than a tenth more. `one` holds a single row.
    """
    replicas = int(one.replicas[0])
    stated = max(performance.requests_in_flight_per_replica, 1.0)
    concurrent = _loads(one, stated)
    rows = np.zeros(len(concurrent), dtype=np.intp)
    grid, points = one.grid.take(rows), one.points.take(rows)
    load = load_at(grid, concurrent)
    state = steady_state(points, load, one.coefficients)
    spread = spread_of(grid.request.traffic)
    seconds = {
        "ttft": ttft_quantile_s(state, load, points.pipeline, STATISTIC, spread),
        "tpot": tpot_quantile_s(state, load, STATISTIC),
        "e2e": e2e_quantile_s(state, load, points.pipeline, STATISTIC, spread),
    }
    evidence = evidence_at(one, 0)
    found = [_point(float(c), i, seconds, state, evidence, replicas=replicas) for i, c in enumerate(concurrent)]
    found.append(_stated(stated, performance, replicas))
    ordered = sorted(found, key=lambda point: point.requests_in_flight)
    rates = [(p.requests_in_flight, p.output_tokens_per_s.value or 0.0) for p in ordered if not p.stated]
    turn = knee([(at, rate) for at, rate in rates if rate > 0.0])
    return tuple(replace(p, knee=p.requests_in_flight == turn and not p.stated) for p in ordered)


def _loads(one: Chosen, stated: float) -> Column:
    """Requests in flight of one replica, without those that would fall on the stated load."""
    cap = max(float(one.grid.cap[0]), 1.0)
    carried = float(one.carried[0])
    high = max(min(max(4.0 * stated, 2.0 * carried, SMALLEST_RANGE), 2.0 * cap), 2.0 * stated)
    loads = np.unique(np.round(np.geomspace(1.0, high, POINTS)))
    return np.asarray(loads[np.abs(loads - stated) > 0.05 * stated], dtype=float)


def _point(
    concurrent: float, row: int, seconds: dict[str, Column], state: SteadyState, evidence: Evidence, *, replicas: int
) -> LoadPoint:
    band = evidence.band
    saturated = bool(at_row(np.asarray(state.saturated, dtype=float), row))
    factors = {"ttft": band.ttft, "tpot": band.tpot, "e2e": band.throughput}

    def latency(metric: str) -> Estimate:
        if saturated and metric != "tpot":
            return Estimate.unknown("ms", source="saturated")
        value = at_row(seconds[metric], row) * MS_PER_S
        explain = f"{metric}_closed_form"
        return banded(value, factors[metric], "ms", evidence, explain=explain, statistic=STATISTIC)

    rate = at_row(state.tokens_per_s, row) * replicas
    return LoadPoint(
        requests_in_flight=concurrent * replicas,
        requests_in_flight_per_replica=concurrent,
        ttft_ms=latency("ttft"),
        tpot_ms=latency("tpot"),
        e2e_ms=latency("e2e"),
        output_tokens_per_s=banded(rate, band.throughput, "token/s", evidence, explain="output_throughput"),
        saturated=saturated,
    )


def _stated(concurrent: float, performance: Performance, replicas: int) -> LoadPoint:
    return LoadPoint(
        requests_in_flight=concurrent * replicas,
        requests_in_flight_per_replica=concurrent,
        ttft_ms=performance.ttft_ms[STATISTIC],
        tpot_ms=performance.tpot_ms[STATISTIC],
        e2e_ms=performance.e2e_ms[STATISTIC],
        output_tokens_per_s=performance.output_tokens_per_s_total,
        saturated=performance.saturated,
        simulated=performance.simulated,
        stated=True,
    )
