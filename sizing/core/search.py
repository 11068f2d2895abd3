"""The search: how much each candidate carries within the targets, and the best few of every accelerator."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sizing.core.closed_loop import Load, SteadyState, steady_state
from sizing.core.coefficients import Coefficients
from sizing.core.grid import Grid, Index, load_at
from sizing.core.placing import points_at
from sizing.core.points import Column, Points
from sizing.core.queueing import Spread, e2e_quantile_s, spread_of, tpot_quantile_s, ttft_quantile_s
from sizing.core.values import State
from sizing.core.workload import Target, Traffic

BISECTIONS = 7
"""Halvings of the concurrency on a log scale: within 5 % over three orders of magnitude."""

FEW_ROWS = 64
SECTIONS = (15, 7)  # inner points of two rounds: 16 x 8 parts are seven halvings

OPEN_LOOP_SHARE = 0.85
"""Share of the closed-loop limit that Poisson arrivals may use; above it queues swing (simulation decides)."""

STATES = {State.OK: 0, State.CAUTION: 1, State.UNKNOWN: 2, State.FAIL: 3}
"""Order of software verdicts among rows that are alike otherwise: unknown is never as good as fine."""

type Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """States at one concurrency, with the relative room under the tightest limit (negative: missed)."""

    load: Load
    state: SteadyState
    margin: Column  # infinity without limits
    tightest: Index  # number of the limit, -1 without any
    ok: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What one replica of each candidate carries within the limits. 0 where it cannot serve one request."""

    grid: Grid
    points: Points
    concurrent: Column
    requests_per_s: Column
    replicas: Column  # infinity where nothing is carried
    alone_margin: Column  # room under the limits with a single request in flight
    evaluated: int

    @property
    def accelerators_total(self) -> Column:
        spare = self.grid.request.site.spare_replicas
        return (self.replicas + spare) * self.grid.accelerators_per_replica


def judge(grid: Grid, points: Points, concurrent: Column, coefficients: Coefficients) -> Judged:
    """Evaluate every candidate with `concurrent` requests in flight in one replica, shape (n,) or (k, n)."""
    load = load_at(grid, concurrent)
    state = steady_state(points, load, coefficients)
    limits, spread = grid.request.targets.limits, spread_of(grid.request.traffic)
    margin = np.full(concurrent.shape, np.inf)
    tightest = np.full(concurrent.shape, -1, dtype=np.intp)
    for number, limit in enumerate(limits):
        room = 1.0 - quantile_s(state, load, points.pipeline, limit, spread) / limit.limit_s
        tightest = np.where(room < margin, number, tightest)
        margin = np.minimum(margin, room)
    ok = (margin >= 0.0) & (grid.cap >= 1.0) & ~state.saturated & np.isfinite(state.tpot_s)
    return Judged(load=load, state=state, margin=margin, tightest=tightest, ok=ok)


def quantile_s(state: SteadyState, load: Load, stages: Column, limit: Target, spread: Spread) -> Column:
    """The latency that a limit is about, in seconds, by the closed form."""
    if limit.metric == "ttft":
        return ttft_quantile_s(state, load, stages, limit.percentile, spread)
    if limit.metric == "tpot":
        return tpot_quantile_s(state, load, limit.percentile)
    return e2e_quantile_s(state, load, stages, limit.percentile, spread)


def carried(grid: Grid, coefficients: Coefficients) -> Carried:
    """The largest concurrency of every candidate within the limits, by bisection, and the replicas needed.

    Latencies grow with concurrency, so the bisection is exact up to its step. `requests_per_s` is worked out
    where a rate is asked for, and 0 otherwise.
    """
    points = points_at(grid, coefficients)
    low, alone_margin, evaluated = _limits(grid, points, coefficients)
    rate = np.zeros(len(grid))
    traffic = grid.request.traffic
    if traffic.requests_per_s is not None or grid.request.targets.output_tokens_per_s is not None:
        evaluated += len(grid)
        final = judge(grid, points, np.maximum(low, 1.0), coefficients)
        per_request = final.state.ttft_s + (final.load.output_tokens - 1.0) * final.state.tpot_s
        rate = np.where(low >= 1.0, np.maximum(low, 1.0) / per_request, 0.0)
    return Carried(
        grid=grid,
        points=points,
        concurrent=low,
        requests_per_s=rate,
        replicas=_replicas(grid, low, rate),
        alone_margin=alone_margin,
        evaluated=evaluated,
    )


def _limits(grid: Grid, points: Points, coefficients: Coefficients) -> tuple[Column, Column, int]:
    """Requests in flight within the limits (0: not even one), the room of one alone, and points evaluated."""
    high = np.maximum(grid.cap, 1.0)
    one = np.ones(len(grid))
    if len(grid) <= FEW_ROWS:
        return _sections(grid, points, high, coefficients)
    ends = judge(grid, points, np.stack((one, high)), coefficients)
    alone_ok, top_ok = ends.ok
    found = np.where(alone_ok, np.where(top_ok, high, 1.0), 0.0)
    rows = np.flatnonzero((found >= 1.0) & (found < high))
    part, inside = grid.take(rows), points.take(rows)
    low, above = found[rows], high[rows]
    for _ in range(BISECTIONS):
        middle = np.sqrt(low * above)
        ok = judge(part, inside, middle, coefficients).ok
        low, above = np.where(ok, middle, low), np.where(ok, above, middle)
    found[rows] = _whole(low)
    return found, ends.margin[0], 2 * len(grid) + BISECTIONS * len(rows)


def _sections(grid: Grid, points: Points, high: Column, coefficients: Coefficients) -> tuple[Column, Column, int]:
    """The same answer with the halvings of several rounds looked at together: fewer calls for a few rows."""
    columns, first, second = np.arange(len(grid)), *SECTIONS
    edges = _between(np.ones(len(grid)), high, first)
    judged = judge(grid, points, edges, coefficients)
    top_ok = judged.ok[-1] & judged.ok[0]
    kept = np.cumprod(judged.ok[:-1], axis=0).sum(axis=0)
    last = np.clip(kept - 1, 0, first)
    inner = _between(edges[last, columns], edges[last + 1, columns], second)
    further = np.cumprod(judge(grid, points, inner[1:-1], coefficients).ok, axis=0).sum(axis=0)
    found = np.where(top_ok, high, _whole(inner[further, columns]))
    return np.where(kept > 0, found, 0.0), judged.margin[0], (first + 2 + second) * len(grid)


def _between(low: Column, high: Column, inner: int) -> Column:
    """Both ends and `inner` points between them in equal ratios, shape (inner + 2, n)."""
    steps = np.arange(inner + 2)[:, None] / (inner + 1)
    return np.asarray(low * (high / low) ** steps)


def _whole(concurrent: Column) -> Column:
    """Whole requests; a hair below a whole number is rounding."""
    return np.maximum(np.floor(concurrent * (1.0 + 1e-9)), 1.0)


def _replicas(grid: Grid, concurrent: Column, rate: Column) -> Column:
    """Replicas for the busiest hour of the stated load, and for the stated token rate where there is one."""
    traffic, targets = grid.request.traffic, grid.request.targets
    peak = peak_factor(traffic)
    with np.errstate(divide="ignore"):
        if traffic.concurrent_requests is not None:
            needed = np.ceil(peak * traffic.concurrent_requests / concurrent - 1e-9)
        else:
            needed = np.ceil(peak * (traffic.requests_per_s or 0.0) / (OPEN_LOOP_SHARE * rate) - 1e-9)
        if targets.output_tokens_per_s is not None:
            tokens = rate * traffic.output_tokens.mean
            needed = np.maximum(needed, np.ceil(targets.output_tokens_per_s / tokens - 1e-9))
    return np.where(concurrent >= 1.0, np.maximum(needed, 1.0), np.inf)


def peak_factor(traffic: Traffic) -> float:
    """The busiest hour of the profile over the stated load, never below the stated load itself."""
    return max(1.0, *traffic.load_profile) if traffic.load_profile else 1.0


def order(result: Carried) -> Index:
    """Feasible rows, best first.

    Fewer accelerators, then slug, then software that a source vouches for, smaller replicas, more
    carried, preferred format, and names.
    """
    grid, total = result.grid, result.accelerators_total
    feasible = np.flatnonzero(np.isfinite(total))
    combos = grid.combinations
    names = [(c.engine.slug, c.layout.pipeline, c.layout.data, c.layout.expert, c.budget_tokens or 0) for c in combos]
    rank_of_name = np.empty(len(combos))
    rank_of_name[sorted(range(len(combos)), key=lambda i: (names[i], i))] = np.arange(len(combos))
    weights = {id(w): i for i, w in enumerate(grid.request.weights)}
    caches = {id(w): i for i, w in enumerate((*grid.request.caches, *grid.request.smaller_caches))}
    preferred = np.array([weights[id(c.weights)] * 100 + caches[id(c.cache)] for c in combos])
    slugs = sorted(range(len(grid.accelerators)), key=lambda i: grid.accelerators[i].slug)
    rank_of_slug = np.empty(len(slugs))
    rank_of_slug[slugs] = np.arange(len(slugs))
    doubt = np.array([[STATES[v.state] for v in row] for row in grid.software], dtype=float)
    finite = np.where(np.isfinite(result.replicas), result.replicas, 0.0)
    headroom = -np.round(result.concurrent * finite / grid.accelerators_per_replica, 6)
    keys = (
        rank_of_name[grid.combination],
        preferred[grid.combination],
        headroom,
        grid.accelerators_per_replica,
        doubt[grid.combination, grid.accelerator],
        rank_of_slug[grid.accelerator],
        total,
    )
    return feasible[np.lexsort([key[feasible] for key in keys])]


def best_of_each(result: Carried, count: int) -> Index:
    """Up to `count` rows of every accelerator, in `order`, no two of one accelerator with equal splits and formats.

    Where experts lie does not tell two rows apart: no measured point shows that it changes the pace.
    """
    taken: dict[int, set[tuple[int, ...]]] = {}
    rows = []
    for row in order(result):
        combo = result.grid.combinations[int(result.grid.combination[row])]
        layout = combo.layout
        kind = (layout.tensor, layout.pipeline, layout.data, id(combo.weights), id(combo.cache))
        seen = taken.setdefault(int(result.grid.accelerator[row]), set())
        if len(seen) < count and kind not in seen:
            seen.add(kind)
            rows.append(int(row))
    return np.array(rows, dtype=np.intp)
