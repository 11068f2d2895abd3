"""Why an accelerator cannot serve the request: its best attempt, the reason and the cheapest change."""

from dataclasses import replace
from math import isnan

import numpy as np

from sizing.core.assemble import Chosen, candidates, chosen_rows
from sizing.core.candidate import Candidate, Rejection
from sizing.core.coefficients import Coefficients
from sizing.core.fixes import Deployment as MemoryCase
from sizing.core.fixes import Serves, memory_fixes
from sizing.core.fixes import plan_of as memory_of
from sizing.core.grid import Combination, Grid, Index, plan_of
from sizing.core.hardware import Accelerator
from sizing.core.layouts import layout_on, layouts
from sizing.core.memory_explained import explain_memory
from sizing.core.points import Column
from sizing.core.precision import StorageFormat
from sizing.core.request import CacheChoice, CoreRequest, weight_block
from sizing.core.search import Carried
from sizing.core.units import GB
from sizing.core.values import Message, State

OFFLOAD = "fix_offload"
ALONE_S = 3600.0
"""One arrival an hour and replica: a request that has its replica for itself."""

RELAXED_STEP = 1.05
"""A limit is proposed with this much room over what was found."""


def best_attempt(result: Carried) -> int:
    """The accelerator that comes closest where nothing starts: smallest shortage, then slug."""
    grid = result.grid
    if not len(grid):
        return 0
    short = _shortage(grid)
    return int(grid.accelerator[np.lexsort((np.arange(len(grid)), grid.accelerator, short))[0]])


def rejection(result: Carried, number: int, coefficients: Coefficients, missed: Candidate | None) -> Rejection:
    """The rejection of accelerator `number`; `missed` is a candidate that failed a later step, if any."""
    grid = result.grid
    accelerator = grid.accelerators[number]
    rows = np.flatnonzero(grid.accelerator == number)
    if not len(rows):
        return _unsupported(grid, number)
    if missed is not None:
        return _too_slow(accelerator.slug, missed)
    starting = rows[grid.cap[rows] >= 1.0]
    if not len(starting):
        return _too_small(grid, rows, accelerator)
    best = starting[np.lexsort((grid.accelerators_per_replica[starting], -_margin(result, starting)))[0]]
    chosen: Chosen = chosen_rows(result, np.array([best]), _attempt_replicas(result), coefficients)
    return _too_slow(accelerator.slug, candidates(chosen, [None])[0])


def _margin(result: Carried, rows: Index) -> Column:
    return np.nan_to_num(result.alone_margin[rows], nan=-np.inf, posinf=0.0)


def _attempt_replicas(result: Carried) -> Column:
    """As many replicas as bring a request in flight to each: the best that the accelerator can do."""
    traffic = result.grid.request.traffic
    alone = traffic.concurrent_requests
    if alone is not None:
        return np.array([max(np.ceil(alone), 1.0)])
    return np.array([max(np.ceil((traffic.requests_per_s or 1.0) * ALONE_S), 1.0)])


def _unsupported(grid: Grid, number: int) -> Rejection:
    """No engine serves the format, or no layout stays inside its node."""
    accelerator = grid.accelerators[number]
    refusals = [row[number] for row in grid.software if row[number].state is State.FAIL]
    if len(refusals) == len(grid.software) and refusals:
        return Rejection(accelerator=accelerator.slug, message=refusals[0].message, cheapest_fix=None)
    return Rejection(accelerator=accelerator.slug, message=Message("layout_not_on_accelerator"), cheapest_fix=None)


def _too_small(grid: Grid, rows: Index, accelerator: Accelerator) -> Rejection:
    """Memory: the attempt with the smallest shortage, and what would make it fit."""
    short = _shortage(grid)[rows]
    row = int(rows[np.lexsort((grid.accelerators_per_replica[rows], short))[0]])
    combination = grid.combinations[int(grid.combination[row])]
    per_replica = combination.layout.accelerators
    message = Message(
        "does_not_fit",
        {
            "short_gb": float(short.min()) / GB,
            "accelerators": per_replica,
            "usable_gb": accelerator.usable_memory_bytes / GB,
            "weights_format": combination.weights.slug,
            "context_tokens": grid.request.traffic.max_context_tokens,
        },
    )
    case = memory_case(grid, combination, accelerator)
    fixes = tuple(memory_fixes(case))
    return Rejection(
        accelerator=accelerator.slug,
        message=message,
        cheapest_fix=next((fix for fix in fixes if fix.code != OFFLOAD), fixes[0] if fixes else Message("fix_none")),
        fixes=fixes,
        memory=memory_of(case),
        memory_figures=explain_memory(
            memory_of(case),
            case.features,
            case.weights,
            device=accelerator,
            layout=case.layout,
            engine=case.engine,
            kv_format=case.kv_format,
        ),
    )


def memory_case(grid: Grid, combination: Combination, accelerator: Accelerator) -> MemoryCase:
    """The attempt in the terms of the memory fixes, other allowed formats included."""
    request = grid.request
    return MemoryCase(
        features=request.model,
        weights=combination.weights.weights,
        kv_format=combination.cache.storage,
        device=accelerator,
        layout=combination.layout,
        engine=combination.engine.memory,
        max_context_tokens=request.traffic.max_context_tokens,
        max_batched_tokens=combination.budget_tokens,
        max_sequences=request.pinned.max_sequences if request.pinned is not None else None,
        memory_utilisation=combination.memory_utilisation,
        additions=request.additions,
        weight_block=weight_block(request.model, combination.weights),
        weight_choices={choice.slug: choice.weights for choice in request.other_weights},
        other_devices=request.other_accelerators,
        serves=_served(request, combination),
        extras=request.extras,
    )


def _served(request: CoreRequest, combination: Combination) -> Serves:
    """What the engine of the attempt serves: fail and unknown count as no."""
    weights = {choice.slug: choice for choice in request.other_weights}

    def served(device: Accelerator, slug: str, cache: StorageFormat) -> bool:
        choice = weights.get(slug, combination.weights)
        verdict = combination.engine.support(device, choice, CacheChoice(slug=cache.slug, storage=cache))
        return verdict.state in {State.OK, State.CAUTION}

    return served


def layout_fix(request: CoreRequest, combination: Combination, accelerator: Accelerator, limit: int) -> Message | None:
    """The split nearest to one that the model forbids: the most accelerators that hold it, stages last."""
    block = weight_block(request.model, combination.weights)
    counts = tuple(range(1, limit + 1))
    found = layouts(request.model, counts, weight_block=block)
    for layout in sorted(found, key=lambda each: (-each.accelerators, each.pipeline, each.data, each.expert)):
        if not combination.engine.splits(layout) or not layout_on(accelerator, layout):
            continue
        plan = plan_of(request, accelerator, replace(combination, layout=layout))
        if plan.fits:
            params = {"accelerators": layout.accelerators, "tensor": layout.tensor, "pipeline": layout.pipeline}
            return Message("fix_layout", params | {"kv_gb": plan.kv_pool_bytes / GB})
    return None


def _too_slow(slug: str, candidate: Candidate) -> Rejection:
    """Speed: the limit that even the best attempt misses, and the limit that it would keep."""
    verdict = candidate.speed_verdict
    if candidate.memory_verdict.state is State.FAIL:
        verdict = candidate.memory_verdict
    if isnan(candidate.performance.tpot_ms["mean"].value or 0.0):
        return Rejection(accelerator=slug, message=Message("speed_figures_missing"), cheapest_fix=None)
    params = dict(verdict.message.params)
    fix = None
    if verdict.message.code == "speed_limit_missed":
        value = float(params.get("value_ms") or 0.0)
        relaxed = {"metric": params["metric"], "percentile": params["percentile"], "limit_ms": value * RELAXED_STEP}
        fix = Message("fix_relax_limit", relaxed)
    return Rejection(
        accelerator=slug,
        message=verdict.message,
        cheapest_fix=fix,
        deployment=replace(candidate.deployment, replicas=1),
        performance=candidate.performance,
    )


def _shortage(grid: Grid) -> Column:
    """Bytes per accelerator that are missing for one longest request."""
    return np.maximum(grid.longest_bytes - grid.pool_bytes, 0.0)
