"""The steps of an answer in reading order: choose what may be, divide memory, search, simulate, judge, explain."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sizing.core.assemble import Chosen, candidates, chosen_rows, operating_concurrency
from sizing.core.candidate import Assumption, Candidate, Recommendation, Rejection
from sizing.core.coefficients import Coefficients
from sizing.core.concessions import conceded
from sizing.core.errors import InvalidDeployment
from sizing.core.grid import Combination, Index, grid_of, within_reach
from sizing.core.hardware import Accelerator
from sizing.core.layouts import Reach, layouts, pinned_layouts, reach_of, stage_is_fixed
from sizing.core.links import NETWORK_BYTES_PER_S
from sizing.core.makers import allowed_devices
from sizing.core.mixed import mixed_refused
from sizing.core.neighbours import with_context
from sizing.core.parallelism import Layout, layout_problems
from sizing.core.processors import COUNTS, enough_of_each_line, with_memory
from sizing.core.reject import best_attempt, layout_fix, rejection
from sizing.core.request import PHASES_APART, CoreCatalogue, CoreRequest, EngineChoice, WeightChoice, weight_block
from sizing.core.search import Carried, best_of_each, carried, judge, order, peak_factor
from sizing.core.simulated import run_simulation, simulated_latencies
from sizing.core.units import GBIT_BYTES
from sizing.core.values import Message, State
from sizing.core.workload import Pinned, Site, Targets

type Progress = Callable[[str, int, int], None]

FEWER_SEQUENCES = 128
"""Second limit of running sequences that is tried: the sampler's peak shrinks and the cache grows."""

REPLICA_TRIALS = 6
"""How often a replica is added where the simulation misses a limit that the closed form keeps."""

LARGEST_RESPLIT = 64
"""Accelerators of one replica up to which another split is looked for where the model forbids the fixed one."""

ADDED_SHARE = 0.25
"""Replicas added at each trial: at least one more, doubling from trial to trial."""


def recommend(
    request: CoreRequest, catalogue: CoreCatalogue, *, coefficients: Coefficients, progress: Progress | None = None
) -> Recommendation:
    """Every accelerator's best feasible options, best first, and one rejection for each other accelerator.

    A request with a pinned deployment gets exactly one entry: an option where it starts, else a
    rejection. `progress(stage, done, total)` with stages "memory" and "speed" may raise Cancelled.
    Order: accelerators in total, then accelerator slug, then smaller replicas, then what a replica
    carries, then the order of formats in the request, then engine, layout and budget. Raises
    InvalidDeployment for a pinned accelerator, engine or layout that does not exist. Servers without
    accelerators follow, one processor of each line (`processors.enough_of_each_line`).
    """
    report = progress or _silent
    report("memory", 0, 1)
    if request.pinned is not None and request.pinned.accelerators:
        return mixed_refused(request, catalogue, lambda one: recommend(one, catalogue, coefficients=coefficients))
    devices = _accelerators(catalogue, request)
    allowed, excluded = _allowed(devices, request)
    if not allowed and (request.pinned is not None or not catalogue.processors):
        return Recommendation(options=(), rejected=excluded, coefficients_version=coefficients.version)
    if request.pinned is not None and request.pinned.accelerator is not None:
        others, _ = _allowed(sorted(catalogue.accelerators, key=lambda a: a.slug), request)
        request = replace(request, other_accelerators=tuple(others))
    found = Recommendation(
        options=(), rejected=(), coefficients_version=coefficients.version, assumptions=tuple(_assumptions(request))
    )
    if allowed:
        found = _among(allowed, request, catalogue, coefficients=coefficients, report=report)
    if request.pinned is None:
        found = _together(found, _on_processors(request, catalogue, coefficients, lead=not found.options))
    return replace(found, rejected=tuple(sorted((*found.rejected, *excluded), key=lambda r: r.accelerator)))


def _among(
    accelerators: Sequence[Accelerator],
    request: CoreRequest,
    catalogue: CoreCatalogue,
    *,
    coefficients: Coefficients,
    report: Progress,
) -> Recommendation:
    """The answer on these accelerators alone."""
    tried = within_reach(combinations(request, catalogue), accelerators)
    if request.pinned is not None and len({c.layout for c in tried}) == 1:
        problems = layout_problems(
            request.model, tried[0].layout, weight_block=weight_block(request.model, tried[0].weights)
        )
        if problems:
            slug = accelerators[0].slug if len(accelerators) == 1 else ""
            fix = _split_otherwise(request, tried[0], accelerators)
            refused = Rejection(
                accelerator=slug, message=problems[0], cheapest_fix=fix, fixes=(fix,) if fix is not None else ()
            )
            return Recommendation(options=(), rejected=(refused,), coefficients_version=coefficients.version)
    grid = conceded(grid_of(request, accelerators, tried, coefficients), catalogue.counts, coefficients)
    report("memory", 1, 1)
    report("speed", 0, 1)
    result = carried(grid, coefficients)
    if request.pinned is not None:
        found = _pinned(request, result, coefficients, report)
    else:
        found = _searched(request, result, coefficients, report)
    report("speed", 1, 1)
    taken = (*_assumptions(request), *_network(found.options, request.site), *found.assumptions)
    return replace(found, points_evaluated=result.evaluated, assumptions=taken)


def _on_processors(
    request: CoreRequest, catalogue: CoreCatalogue, coefficients: Coefficients, *, lead: bool
) -> Recommendation:
    """What servers without accelerators carry, one processor of each line; simulated where they `lead` the answer."""
    offered, _ = _allowed(sorted(catalogue.processors, key=lambda a: a.slug), request)
    if not offered:
        return Recommendation(options=(), rejected=())
    tried = combinations(request, replace(catalogue, counts=COUNTS))
    tried = [c for c in tried if c.max_sequences is None and c.layout.tensor == c.layout.accelerators]
    grid = grid_of(request, with_memory(offered, request, catalogue), tried, coefficients)
    result = carried(grid, coefficients)
    lines = enough_of_each_line(result)
    rows = best_of_each(result, 1)
    rows = rows[np.isin(grid.accelerator[rows], lines)]
    chosen = chosen_rows(result, rows, result.replicas[rows], coefficients)
    simulated = min(request.simulated_options, len(rows)) if lead else 0
    options = _judged(chosen, result, rows, simulated, _silent)
    return _parted(options, result, coefficients, lines)


def _together(found: Recommendation, beside: Recommendation) -> Recommendation:
    """Options on accelerators before those on processors."""
    return replace(
        found,
        options=(*found.options, *beside.options),
        rejected=(*found.rejected, *beside.rejected),
        points_evaluated=found.points_evaluated + beside.points_evaluated,
    )


def _split_otherwise(request: CoreRequest, tried: Combination, accelerators: Sequence[Accelerator]) -> Message | None:
    """What the model allows in place of a fixed split, on no more accelerators; None where nothing holds it."""
    limit = max(tried.layout.accelerators, (request.pinned.count or 0) if request.pinned is not None else 0)
    if len(accelerators) != 1 or limit > LARGEST_RESPLIT:
        return None
    return layout_fix(request, tried, accelerators[0], limit)


def _silent(stage: str, done: int, total: int) -> None:
    """No one listens."""


def _searched(request: CoreRequest, result: Carried, coefficients: Coefficients, report: Progress) -> Recommendation:
    rows = best_of_each(result, request.options_per_accelerator)
    chosen = chosen_rows(result, rows, result.replicas[rows], coefficients)
    options = _judged(chosen, result, rows, min(request.simulated_options, len(rows)), report)
    return _parted(options, result, coefficients, range(len(result.grid.accelerators)))


def _parted(
    options: Sequence[Candidate], result: Carried, coefficients: Coefficients, numbers: Sequence[int]
) -> Recommendation:
    """The feasible options, and a rejection for each of these accelerators without one."""
    kept = {option.deployment.accelerator.slug for option in options if option.feasible}
    rejected = []
    for number in numbers:
        accelerator = result.grid.accelerators[number]
        if accelerator.slug not in kept:
            missed = next((o for o in options if o.deployment.accelerator.slug == accelerator.slug), None)
            rejected.append(rejection(result, number, coefficients, missed))
    return Recommendation(
        options=tuple(sorted((option for option in options if option.feasible), key=_place)),
        rejected=tuple(sorted(rejected, key=lambda r: r.accelerator)),
        coefficients_version=coefficients.version,
        points_evaluated=result.evaluated,
    )


def _place(option: Candidate) -> tuple[int, str, int]:
    """Accelerators in all, slug, accelerators of a replica; the simulation may have added replicas."""
    deployment = option.deployment
    return deployment.accelerators_total, deployment.accelerator.slug, deployment.accelerators_per_replica


def _pinned(request: CoreRequest, result: Carried, coefficients: Coefficients, report: Progress) -> Recommendation:
    """Exactly one entry: the best row where something starts, whatever its speed; else one rejection."""
    starts = result.grid.cap >= 1.0
    if not np.any(starts):
        number = best_attempt(result)
        refused = rejection(result, number, coefficients, None)
        return Recommendation(options=(), rejected=(refused,), coefficients_version=coefficients.version)
    count = request.pinned.count if request.pinned is not None else None
    if count is not None:
        row, replicas = _best_of_count(result, count, starts, coefficients)
    else:
        row, replicas, result = _best_pinned(request, result, starts, coefficients)
    rows = np.array([row], dtype=np.intp)
    chosen = chosen_rows(result, rows, np.array([replicas]), coefficients)
    options = _judged(chosen, result, rows, min(request.simulated_options, 1), report, fixed=count is not None)
    return Recommendation(options=tuple(options), rejected=(), coefficients_version=coefficients.version)


def _best_of_count(
    result: Carried, count: int, starts: NDArray[np.bool_], coefficients: Coefficients
) -> tuple[int, float]:
    """The layout that serves the load best with a fixed number of accelerators in all.

    Layouts that keep the limits before others, then those that are not saturated, then fewer
    pipeline stages (no measured point has any), then the shorter end-to-end time.
    """
    replicas = np.maximum(np.floor(count / result.grid.accelerators_per_replica), 1.0)
    enough = replicas >= result.replicas
    rows = np.flatnonzero(starts)
    grid, points = result.grid.take(rows), result.points.take(rows)
    concurrent = operating_concurrency(grid, points, replicas[rows], coefficients)
    judged = judge(grid, points, concurrent, coefficients)
    e2e = judged.state.ttft_s + judged.load.output_tokens * judged.state.tpot_s
    saturated = np.broadcast_to(judged.state.saturated, e2e.shape)
    slower = np.where(saturated, -grid.cap, e2e)
    pipeline = points.pipeline * np.ones(len(rows))
    best = np.lexsort((np.arange(len(rows)), slower, pipeline, saturated, ~enough[rows]))[0]
    return int(rows[best]), float(replicas[rows[best]])


def _best_pinned(
    request: CoreRequest, result: Carried, starts: NDArray[np.bool_], coefficients: Coefficients
) -> tuple[int, float, Carried]:
    """The best feasible row; where the limits cannot be kept, the best row without them."""
    ranked = order(result)
    if len(ranked):
        return int(ranked[0]), float(result.replicas[ranked[0]]), result
    relaxed = carried(replace(result.grid, request=replace(request, targets=Targets())), coefficients)
    ranked = order(relaxed)
    if len(ranked):
        restored = replace(relaxed, grid=result.grid)
        return int(ranked[0]), float(relaxed.replicas[ranked[0]]), restored
    row = int(np.flatnonzero(starts)[0])
    return row, 1.0, result


def _judged(
    chosen: Chosen, result: Carried, rows: Index, simulated: int, report: Progress, *, fixed: bool = False
) -> list[Candidate]:
    """Candidates of all rows; the first `simulated` with percentiles from the event simulation and context."""
    built = candidates(chosen, [None] * len(chosen))
    for position in range(simulated):
        report("speed", position, simulated + 1)
        one = chosen_rows(
            result, rows[position : position + 1], chosen.replicas[position : position + 1], chosen.coefficients
        )
        candidate = _simulated(one, result, rows[position : position + 1], fixed=fixed)
        built[position] = with_context(candidate, one, result, int(rows[position]))
    return built


def _simulated(one: Chosen, result: Carried, rows: Index, *, fixed: bool) -> Candidate:
    """The candidate with simulated percentiles, on more replicas where the simulation misses a limit."""
    request = one.grid.request
    candidate = candidates(one, [None])[0]
    for trial in range(REPLICA_TRIALS):
        if candidate.performance.saturated:
            return candidate
        outcome = run_simulation(one, 0)
        if outcome is None:
            return candidate
        latencies = simulated_latencies(one, outcome)
        goodput = outcome.goodput(request.targets.limits) if request.targets.limits else None
        judged = candidates(one, [latencies])[0]
        judged = replace(judged, performance=replace(judged.performance, goodput=goodput))
        growing = outcome.growing and not (request.traffic.trace or request.traffic.load_profile)  # those swing
        kept = judged.speed_verdict.state is not State.FAIL and not growing
        if kept or fixed:
            return judged
        candidate = judged
        more = one.replicas + np.maximum(2.0**trial, np.floor(one.replicas * ADDED_SHARE))
        one = chosen_rows(result, rows, more, one.coefficients)
    return candidate


def _allowed(devices: Sequence[Accelerator], request: CoreRequest) -> tuple[list[Accelerator], list[Rejection]]:
    return allowed_devices(devices, request.excluded_vendors, request.site.device_classes)


def _accelerators(catalogue: CoreCatalogue, request: CoreRequest) -> list[Accelerator]:
    """Accelerators in order, or the one device that the request names: an accelerator or a processor."""
    found, pinned = sorted(catalogue.accelerators, key=lambda a: a.slug), request.pinned
    if pinned is None or pinned.accelerator is None:
        return found
    processors = [a for a in catalogue.processors if a.slug == pinned.accelerator]
    named = [a for a in found if a.slug == pinned.accelerator] or with_memory(processors, request, catalogue)
    if not named:
        raise InvalidDeployment("pinned_accelerator_unknown", "/deployment/accelerator", value=pinned.accelerator)
    return named


def _engines(catalogue: CoreCatalogue, pinned: Pinned | None) -> list[EngineChoice]:
    found = sorted(catalogue.engines, key=lambda e: (e.slug, e.version))
    if pinned is not None and pinned.engine is not None:
        found = [e for e in found if e.slug == pinned.engine]
    if pinned is not None and pinned.engine_version is not None:
        found = [e for e in found if e.version == pinned.engine_version]
    if not found:
        name = pinned.engine if pinned is not None else None
        raise InvalidDeployment("engine_not_available", "/deployment/engine", value=name)
    if pinned is not None and pinned.phases is not None:
        found = [e for e in found if e.slug in PHASES_APART]
        if not found:
            raise InvalidDeployment(
                "engine_keeps_phases_together", "/deployment/disaggregated", known=", ".join(PHASES_APART)
            )
    return found


def combinations(request: CoreRequest, catalogue: CoreCatalogue) -> list[Combination]:
    """Every engine, format, layout, budget and limit that may be tried on each accelerator, in fixed order."""
    pinned = request.pinned
    engines = _engines(catalogue, pinned)
    return [
        Combination(
            layout=layout,
            weights=weights,
            cache=cache,
            engine=engine,
            budget_tokens=budget,
            max_sequences=limit,
            memory_utilisation=(pinned.memory_utilisation if pinned else None) or engine.memory_utilisation,
            stream_interval=_stream_interval(pinned, engine),
            over_network=stage_is_fixed(pinned),
            phases=pinned.phases if pinned is not None else None,
        )
        for engine in engines
        for weights in request.weights
        for layout in _layouts(request, catalogue, pinned, weights)
        for cache in request.caches
        if engine.splits(layout)
        for budget in _budgets(pinned, engine)
        for limit in _limits(pinned)
    ]


def _layouts(
    request: CoreRequest, catalogue: CoreCatalogue, pinned: Pinned | None, weights: WeightChoice
) -> list[Layout]:
    block = weight_block(request.model, weights)
    found = (
        pinned_layouts(request.model, pinned, catalogue.counts, weight_block=block)
        if pinned
        else layouts(request.model, catalogue.counts, weight_block=block)
    )
    if not found:
        raise InvalidDeployment("no_layout_possible", "/deployment", model=request.model.name)
    return found


def _budgets(pinned: Pinned | None, engine: EngineChoice) -> tuple[int | None, ...]:
    fixed = pinned.max_batched_tokens if pinned else None
    return (fixed,) if fixed is not None else engine.batch_budgets


def _limits(pinned: Pinned | None) -> tuple[int | None, ...]:
    fixed = pinned.max_sequences if pinned else None
    return (fixed,) if fixed is not None else (None, FEWER_SEQUENCES)


def _stream_interval(pinned: Pinned | None, engine: EngineChoice) -> int:
    fixed = pinned.stream_interval if pinned else None
    return engine.stream_interval if fixed is None else fixed


def _network(options: Sequence[Candidate], site: Site) -> Sequence[Assumption]:
    """The network that was taken where a replica spans several servers."""
    spans = [o.deployment for o in options if o.deployment.accelerators_per_replica > 1]
    if not any(reach_of(d.accelerator, d.accelerators_per_replica) is Reach.NETWORK for d in spans):
        return ()
    if site.network_gbit_s_per_accelerator is not None:
        return ()
    gbit_s = NETWORK_BYTES_PER_S / GBIT_BYTES
    message = Message("assumed_network", {"gbit_s": gbit_s})
    return (Assumption(field="site.network_gbit_s_per_accelerator", value=gbit_s, message=message),)


def _assumptions(request: CoreRequest) -> Sequence[Assumption]:
    """What the core took where the request is silent."""
    traffic = request.traffic
    found = []
    if traffic.prompts_per_slot is None and traffic.concurrent_requests is not None:
        found.append(Assumption(field="traffic.prompts_per_slot", value=0, message=Message("assumed_steady_load")))
    if traffic.input_tokens.p95 is None and traffic.input_tokens.maximum is None:
        found.append(
            Assumption(
                field="traffic.input_tokens", value=traffic.input_tokens.mean, message=Message("assumed_equal_lengths")
            )
        )
    if peak_factor(traffic) > 1.0:
        message = Message("assumed_peak_hour", {"factor": peak_factor(traffic)})
        found.append(Assumption(field="traffic.load_profile", value=peak_factor(traffic), message=message))
    if traffic.requests_per_s is not None and traffic.burstiness == 1.0:
        found.append(Assumption(field="traffic.burstiness", value=1.0, message=Message("assumed_poisson_arrivals")))
    return found
