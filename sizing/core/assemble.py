"""From rows of a search to candidates with performance, verdicts, utilisation and power."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sizing.core.candidate import STATISTICS, Candidate, Deployment, Performance, Utilisation
from sizing.core.closed_loop import Load, SteadyState, steady_state
from sizing.core.coefficients import Coefficients
from sizing.core.estimates import Evidence, banded, beyond_fabric, evidence_of, with_drafts
from sizing.core.grid import Combination, Grid, Index, drafts_band, load_at, plan_of, prefix_tokens
from sizing.core.hardware import DeviceKind
from sizing.core.layouts import Reach, left_fabric, node_size
from sizing.core.memory import MemoryPlan
from sizing.core.memory_explained import explain_memory
from sizing.core.parallelism import layout_notes
from sizing.core.points import Column, Points
from sizing.core.power import accelerator_power_w, energy_kwh_per_million_tokens
from sizing.core.queueing import e2e_quantile_s, prefill_utilisation, spread_of, tpot_quantile_s, ttft_quantile_s
from sizing.core.request import CoreRequest
from sizing.core.search import Carried, peak_factor
from sizing.core.units import MS_PER_S
from sizing.core.utilisation import Shares, bottleneck_of, shares_of
from sizing.core.values import Basis, Estimate, Message, Param
from sizing.core.verdicts import memory_verdict, speed_verdict

FIXED_POINT_PASSES = 8
OPEN_MINIMUM = 1.0  # an arriving request sees itself beside those in flight

type Latencies = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """Rows of a search that become answers, at the load that each of their replicas carries."""

    grid: Grid
    points: Points
    replicas: Column
    carried: Column  # concurrency within the limits
    carried_per_s: Column
    concurrent: Column
    load: Load
    state: SteadyState
    shares: Shares
    peak: Shares
    coefficients: Coefficients

    def __len__(self) -> int:
        return len(self.grid)

    def combination(self, row: int) -> Combination:
        return self.grid.combinations[int(self.grid.combination[row])]


def chosen_rows(result: Carried, rows: Index, replicas: Column, coefficients: Coefficients) -> Chosen:
    """Evaluate `rows` with `replicas` each at the stated load, and at the most that they carry."""
    grid, points = result.grid.take(rows), result.points.take(rows)
    carried = np.maximum(result.concurrent[rows], 1.0)
    concurrent = operating_concurrency(grid, points, replicas, coefficients)
    load = load_at(grid, np.stack((concurrent, carried)))
    state = steady_state(points, load, coefficients)
    shares = shares_of(points, load, state, coefficients.step)
    return Chosen(
        grid=grid,
        points=points,
        replicas=replicas,
        carried=result.concurrent[rows],
        carried_per_s=result.requests_per_s[rows],
        concurrent=concurrent,
        load=replace(load, concurrent=concurrent),
        state=state.of_load(0),
        shares=shares.of_load(0),
        peak=shares.of_load(1),
        coefficients=coefficients,
    )


def operating_concurrency(grid: Grid, points: Points, replicas: Column, coefficients: Coefficients) -> Column:
    """Requests that a request finds in flight in its replica, itself included.

    Closed loop: the slots of a replica. Open loop: one plus rate x time in system, solved by
    iteration (Little's law; arrivals see time averages).
    """
    traffic = grid.request.traffic
    if traffic.concurrent_requests is not None:
        return np.maximum(traffic.concurrent_requests / replicas, 1.0)
    rate = (traffic.requests_per_s or 0.0) / replicas
    concurrent = np.full(len(grid), OPEN_MINIMUM)
    limit = 4.0 * np.maximum(grid.cap, 1.0)
    for _ in range(FIXED_POINT_PASSES):
        load = load_at(grid, concurrent)
        state = steady_state(points, load, coefficients)
        inside = state.ttft_s + (load.output_tokens - 1.0) * state.tpot_s
        concurrent = np.minimum(OPEN_MINIMUM + rate * inside, limit)
    return concurrent


def candidates(chosen: Chosen, latencies: Sequence[Latencies | None]) -> list[Candidate]:
    """One candidate a row; `latencies` holds simulated seconds by metric and statistic where there are any."""
    closed = closed_form(chosen)
    return [_candidate(chosen, row, latencies[row], closed[row]) for row in range(len(chosen))]


def closed_form(chosen: Chosen) -> list[Latencies]:
    """Latencies of every row in seconds by metric and statistic, from the closed form."""
    state, load, stages = chosen.state, chosen.load, chosen.points.pipeline
    spread = spread_of(chosen.grid.request.traffic)
    columns = {
        "ttft": {s: ttft_quantile_s(state, load, stages, s, spread) for s in STATISTICS},
        "tpot": {s: tpot_quantile_s(state, load, s) for s in STATISTICS},
        "e2e": {s: e2e_quantile_s(state, load, stages, s, spread) for s in STATISTICS},
    }
    return [
        {metric: {s: at_row(column, row) for s, column in by.items()} for metric, by in columns.items()}
        for row in range(len(chosen))
    ]


def _candidate(chosen: Chosen, row: int, simulated: Latencies | None, closed: Latencies) -> Candidate:
    grid, request = chosen.grid, chosen.grid.request
    combination, accelerator = chosen.combination(row), grid.accelerators[int(grid.accelerator[row])]
    evidence = evidence_at(chosen, row)
    plan = plan_of(request, accelerator, combination)
    performance = performance_of(chosen, row, simulated or closed, evidence, simulated=simulated is not None)
    deployment = _deployment(chosen, row, plan)
    replicas = deployment.replicas
    busy, compute = at_row(chosen.shares.busy, row), at_row(chosen.shares.compute, row)
    # a processor's draw is part of its server's
    own_w = None if accelerator.kind is DeviceKind.CPU else accelerator.tdp_w
    one = accelerator_power_w(own_w, busy=busy, compute=compute)
    power = _scaled(one, deployment.accelerators_total)
    serving = _scaled(one, combination.accelerators * replicas)
    cap = float(grid.cap[row])
    return Candidate(
        deployment=deployment,
        memory=plan,
        performance=performance,
        memory_verdict=memory_verdict(plan, cap, at_row(chosen.concurrent, row), conceded=combination.concessions),
        speed_verdict=speed_verdict(performance, request.targets),
        software_verdict=grid.software[int(grid.combination[row])][int(grid.accelerator[row])],
        bottleneck=bottleneck_of(chosen.shares, chosen.state, chosen.load, row, chosen.coefficients.step),
        kv_tokens_per_replica=plan.kv_tokens_per_replica * (combination.phases.decode if combination.phases else 1),
        max_concurrent_requests_per_replica=int(cap),
        power_w=power,
        energy_kwh_per_million_tokens=energy_kwh_per_million_tokens(serving, performance.output_tokens_per_s_total),
        utilisation=_utilisation(chosen, row, evidence),
        headroom=headroom(chosen, row),
        evidence=evidence.kind,
        warnings=_warnings(chosen, row),
        memory_figures=explain_memory(
            plan,
            request.model,
            combination.weights.weights,
            device=accelerator,
            layout=combination.layout,
            engine=combination.engine.memory,
            kv_format=combination.cache.storage,
        ),
    )


def evidence_at(chosen: Chosen, row: int) -> Evidence:
    """What calibration knows of a row, collectives beyond its fabric included."""
    grid, combination = chosen.grid, chosen.combination(row)
    accelerator = grid.accelerators[int(grid.accelerator[row])]
    profile = grid.profiles[int(grid.combination[row])][int(grid.accelerator[row])]
    slug = combination.engine.slug
    evidence = evidence_of(grid.request.model, accelerator, slug, profile, chosen.coefficients)
    unsure = with_drafts(evidence, drafts_band(grid.request))
    return beyond_fabric(unsure, left_fabric(accelerator, combination.layout))


def _deployment(chosen: Chosen, row: int, plan: MemoryPlan) -> Deployment:
    request, combination = chosen.grid.request, chosen.combination(row)
    return Deployment(
        accelerator=chosen.grid.accelerators[int(chosen.grid.accelerator[row])],
        layout=combination.layout,
        replicas=int(chosen.replicas[row]),
        engine=combination.engine.slug,
        engine_version=combination.engine.version,
        weights_format=combination.weights.slug,
        kv_format=combination.cache.slug,
        max_batched_tokens=plan.max_batched_tokens,
        memory_utilisation=plan.memory_utilisation,
        max_sequences=plan.max_sequences,
        stream_interval=combination.stream_interval,
        prefix_caching=prefix_tokens(request, combination.engine) > 0,
        speculative=request.pinned.speculative if request.pinned is not None else None,
        spare_replicas=request.site.spare_replicas,
        phases=combination.phases,
    )


def performance_of(chosen: Chosen, row: int, seconds: Latencies, evidence: Evidence, *, simulated: bool) -> Performance:
    """Estimates of one row. Time to first token and end-to-end time are unknown where saturated."""
    saturated = bool(np.broadcast_to(chosen.state.saturated, (len(chosen),))[row])
    band = evidence.band
    metrics: dict[str, dict[str, Estimate]] = {}
    for metric, factor in (("ttft", band.ttft), ("tpot", band.tpot), ("e2e", band.throughput)):
        hidden = saturated and metric != "tpot"
        metrics[metric] = {
            s: Estimate.unknown("ms", source="saturated")
            if hidden
            else banded(
                seconds[metric][s] * MS_PER_S,
                factor,
                "ms",
                evidence,
                explain=f"{metric}_{'simulated' if simulated else 'closed_form'}",
                statistic=s,
            )
            for s in STATISTICS
        }
    per_replica, in_flight = _rates(chosen, row, seconds)
    replicas = int(chosen.replicas[row])
    return Performance(
        ttft_ms=metrics["ttft"],
        tpot_ms=metrics["tpot"],
        e2e_ms=metrics["e2e"],
        output_tokens_per_s_per_replica=banded(
            per_replica, band.throughput, "token/s", evidence, explain="output_throughput"
        ),
        output_tokens_per_s_total=banded(
            per_replica * replicas, band.throughput, "token/s", evidence, explain="output_throughput"
        ),
        requests_in_flight_per_replica=in_flight,
        saturated=saturated,
        slot_wait_ms=_slot_wait(chosen, row, evidence, saturated=saturated),
        simulated=simulated,
        prefix_hit_share=_prefix_hits(chosen.grid.request, chosen.combination(row)),
    )


def _prefix_hits(request: CoreRequest, combination: Combination) -> Estimate | None:
    """Share of the prompt tokens that the prefix cache returns; None where requests share nothing."""
    if not request.traffic.shared_prefix_tokens:
        return None
    share = prefix_tokens(request, combination.engine) / request.traffic.input_tokens.mean
    return Estimate.exact(share, "share", explain="prefix_hits", source=combination.engine.memory.source)


def _slot_wait(chosen: Chosen, row: int, evidence: Evidence, *, saturated: bool) -> Estimate:
    """Mean wait before admission. A closed loop has one even where saturated: the slots are finite."""
    if saturated and chosen.grid.request.traffic.concurrent_requests is None:
        return Estimate.unknown("ms", source="saturated")
    wait_ms = at_row(chosen.state.over_s, row) * MS_PER_S
    return banded(wait_ms, evidence.band.throughput, "ms", evidence, explain="slot_wait")


def _rates(chosen: Chosen, row: int, seconds: Latencies) -> tuple[float, float]:
    """Output tokens per second of one replica and its mean requests in flight, by Little's law."""
    traffic, replicas = chosen.grid.request.traffic, float(chosen.replicas[row])
    inside = seconds["ttft"]["mean"] + (traffic.output_tokens.mean - 1.0) * seconds["tpot"]["mean"]
    if traffic.concurrent_requests is not None:
        in_flight = traffic.concurrent_requests / replicas
        return in_flight * traffic.output_tokens.mean / inside, in_flight
    rate = (traffic.requests_per_s or 0.0) / replicas
    saturated = bool(np.broadcast_to(chosen.state.saturated, (len(chosen),))[row])
    if saturated:
        rate = min(rate, at_row(chosen.state.tokens_per_s, row) / traffic.output_tokens.mean)
    return rate * traffic.output_tokens.mean, rate * inside


def headroom(chosen: Chosen, row: int) -> float:
    """What the replicas carry within the limits over the busiest hour, less one (0.2 = 20 % more)."""
    traffic, replicas = chosen.grid.request.traffic, float(chosen.replicas[row])
    peak = peak_factor(traffic)
    if traffic.concurrent_requests is not None:
        return float(chosen.carried[row]) * replicas / (peak * traffic.concurrent_requests) - 1.0
    return float(chosen.carried_per_s[row]) * replicas / (peak * (traffic.requests_per_s or 1.0)) - 1.0


def _utilisation(chosen: Chosen, row: int, evidence: Evidence) -> Utilisation:
    def share(column: Column, name: str) -> Estimate:
        value = at_row(column, row)
        factor = evidence.band.tpot
        return Estimate(
            value=value,
            low=value / factor,
            high=min(value * factor, 1.0),
            unit="share",
            basis=Basis.FORMULA,
            source=evidence.source,
            explain=name,
        )

    now, peak = chosen.shares, chosen.peak
    return Utilisation(
        compute=share(now.compute, "compute_utilisation"),
        bandwidth=share(now.bandwidth, "bandwidth_utilisation"),
        kv=share(now.cache, "cache_utilisation"),
        device=share(now.busy, "device_utilisation"),
        compute_peak=share(peak.compute, "compute_utilisation"),
        bandwidth_peak=share(peak.bandwidth, "bandwidth_utilisation"),
        kv_peak=share(peak.cache, "cache_utilisation"),
        device_peak=share(peak.busy, "device_utilisation"),
    )


def _warnings(chosen: Chosen, row: int) -> tuple[Message, ...]:
    """What the answer rests on that calibration did not test."""
    model, combination = chosen.grid.request.model, chosen.combination(row)
    pinned = chosen.grid.request.pinned
    found = [*combination.concessions, *_link_notes(chosen, row)]
    found += layout_notes(model, combination.layout)
    if combination.phases is not None:
        found.append(_phases_note(chosen, row))
    if combination.layout.pipeline > 1:
        found.append(Message("speed_pipeline_not_calibrated"))
    if model.sparse_top_k:
        found.append(Message("speed_sparse_attention_not_calibrated"))
    if model.experts and at_row(chosen.concurrent, row) > 256:
        found.append(Message("speed_many_experts_large_batch"))
    if combination.layout.data > 8:
        found.append(Message("speed_wide_data_parallel_not_calibrated"))
    if pinned is not None and pinned.speculative:
        found.append(Message("speed_speculative_depends_on_acceptance"))
    profile = chosen.grid.profiles[int(chosen.grid.combination[row])][int(chosen.grid.accelerator[row])]
    if profile.band > 1.0:
        found.append(Message("speed_device_not_measured", {"profile": profile.slug, "source": profile.source}))
    return tuple(found)


def _phases_note(chosen: Chosen, row: int) -> Message:
    """How busy the instances are that only prefill, and what handing over a prompt's cache takes."""
    phases = chosen.combination(row).phases
    busy = prefill_utilisation(chosen.state, chosen.load, chosen.points.pipeline)
    params: dict[str, Param] = {
        "prefill": phases.prefill if phases else 0,
        "decode": phases.decode if phases else 0,
        "busy_percent": 100.0 * min(at_row(busy, row), 1.0),
        "handover_ms": at_row(chosen.load.handover_s, row) * MS_PER_S,
    }
    return Message("speed_phases_apart", params)


def _link_notes(chosen: Chosen, row: int) -> list[Message]:
    """Where the collectives of a stage leave the fabric of the accelerator."""
    layout = chosen.combination(row).layout
    accelerator = chosen.grid.accelerators[int(chosen.grid.accelerator[row])]
    ranks = layout.tensor * layout.data
    reach = left_fabric(accelerator, layout)
    if reach is Reach.NETWORK:
        return [Message("layout_over_network", {"ranks": ranks, "node": node_size(accelerator)})]
    if reach is Reach.NODE:
        return [Message("layout_over_pcie", {"ranks": ranks, "scale_up_domain": accelerator.scale_up_domain})]
    return []


def _scaled(estimate: Estimate, factor: float) -> Estimate:
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, value=estimate.value * factor, low=estimate.low * factor, high=estimate.high * factor)


def at_row(column: Column, row: int) -> float:
    """One entry of a column that may be the same for all rows."""
    flat = np.asarray(column, dtype=float).reshape(-1)
    return float(flat[row if flat.size > 1 else 0])
