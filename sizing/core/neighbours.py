"""What stands beside an option: other layouts, one replica more or less, sensitivities, nearest measured points."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sizing.core.assemble import Chosen, at_row, chosen_rows
from sizing.core.candidate import Candidate, NearestPoint, Neighbour
from sizing.core.closed_loop import steady_state
from sizing.core.coefficients import MeasuredPoint
from sizing.core.estimates import model_signature
from sizing.core.grid import Combination, Index, load_at
from sizing.core.load_curve import load_curve
from sizing.core.nearest import nearest_points
from sizing.core.operating_points import roofline
from sizing.core.parallelism import Layout
from sizing.core.points import Points
from sizing.core.search import Carried
from sizing.core.values import Message

KINDS = ("tensor", "pipeline", "combined", "replicas")
STEP = 0.05
"""Relative change of an input for its sensitivity."""

READS = ("dense_read_s", "expert_read_s", "cache_read_s", "window_read_s", "indexer_read_s", "state_read_s")
ACTIVATIONS = ("activation_s", "expert_activation_s")
COMPUTES = (
    "dense_compute_s",
    "expert_compute_s",
    "decode_attention_s",
    "decode_window_s",
    "prefill_attention_s",
    "prefill_window_s",
)
LINKS = ("exchange_s", "stage_hop_s")


def with_context(candidate: Candidate, one: Chosen, result: Carried, row: int) -> Candidate:
    """The candidate with neighbours, sensitivities, nearest measured points, load curve and roofline."""
    return replace(
        candidate,
        nearest=tuple(_nearest(candidate, one)),
        neighbours=(*_replicas(one, result, row), *_layouts(one, result, row)),
        sensitivity=sensitivity(one),
        load_curve=load_curve(one, candidate.performance),
        roofline=roofline(one),
    )


def layout_kind(layout: Layout) -> str:
    """How a replica is spread: one accelerator (replicas), tensor, pipeline or both."""
    stage = layout.tensor * layout.data
    if layout.pipeline > 1:
        return "combined" if stage > 1 else "pipeline"
    return "tensor" if stage > 1 else "replicas"


def _layouts(one: Chosen, result: Carried, row: int) -> Sequence[Neighbour]:
    """The best row of every other kind of layout on the same accelerator, engine and formats."""
    grid = result.grid
    mine = grid.combinations[int(grid.combination[row])]
    here = np.flatnonzero((grid.accelerator == grid.accelerator[row]) & np.isfinite(result.replicas))
    found = []
    for kind in KINDS:
        if kind == layout_kind(mine.layout):
            continue
        same = [int(r) for r in here if _comparable(grid.combinations[int(grid.combination[r])], mine, kind)]
        if not same:
            found.append(_absent(kind, mine.layout))
            continue
        best = min(same, key=lambda r: (result.accelerators_total[r], -result.concurrent[r], r))
        other = chosen_rows(result, np.array([best]), result.replicas[[best]], one.coefficients)
        found.append(_compared(kind, one, other))
    return found


def _comparable(other: Combination, mine: Combination, kind: str) -> bool:
    same = other.engine is mine.engine and other.weights is mine.weights and other.cache is mine.cache
    return same and layout_kind(other.layout) == kind


def _absent(kind: str, layout: Layout) -> Neighbour:
    return Neighbour(
        kind=kind,
        layout=layout,
        replicas=0,
        ttft_change=None,
        tpot_change=None,
        throughput_change=None,
        accelerators_change=0,
        message=Message("layout_kind_not_possible", {"kind": kind}),
    )


def _replicas(one: Chosen, result: Carried, row: int) -> Sequence[Neighbour]:
    """One replica more and, where there are several, one less: capacity that pays or idles."""
    found = []
    index: Index = np.array([row], dtype=np.intp)
    for kind, change in (("replica_more", 1.0), ("replica_less", -1.0)):
        replicas = one.replicas + change
        if replicas[0] >= 1.0:
            found.append(_compared(kind, one, chosen_rows(result, index, replicas, one.coefficients)))
    return found


def _compared(kind: str, one: Chosen, other: Chosen) -> Neighbour:
    layout = other.combination(0).layout
    replicas = int(other.replicas[0])
    before = one.combination(0).layout.accelerators * int(one.replicas[0])
    saturated = bool(np.any(other.state.saturated))
    tpot = at_row(other.state.tpot_s, 0) / at_row(one.state.tpot_s, 0) - 1.0
    ttft = None if saturated else at_row(other.state.ttft_s, 0) / at_row(one.state.ttft_s, 0) - 1.0
    rate = at_row(other.state.tokens_per_s, 0) * replicas / (at_row(one.state.tokens_per_s, 0) * one.replicas[0]) - 1.0
    code = f"neighbour_{kind}_saturated" if saturated else f"neighbour_{kind}"
    return Neighbour(
        kind=kind,
        layout=layout,
        replicas=replicas,
        ttft_change=ttft,
        tpot_change=tpot,
        throughput_change=float(rate),
        accelerators_change=layout.accelerators * replicas - before,
        message=Message(
            code,
            {
                "tpot_percent": 100.0 * tpot,
                "ttft_percent": 100.0 * ttft if ttft is not None else None,
                "throughput_percent": 100.0 * float(rate),
                "accelerators": layout.accelerators * replicas - before,
            },
        ),
    )


def sensitivity(one: Chosen) -> dict[str, float]:
    """Elasticity of time per token: per cent that it changes per per cent more of each input."""
    base = at_row(one.state.tpot_s, 0)
    result: dict[str, float] = {}
    groups = (("bandwidth", (*READS, *ACTIVATIONS)), ("compute", COMPUTES), ("link", LINKS))
    for name, columns in groups:
        points = _scaled(one.points, columns, 1.0 / (1.0 + STEP))
        changed = steady_state(points, one.load, one.coefficients)
        result[name] = (at_row(changed.tpot_s, 0) / base - 1.0) / STEP
    for name in ("concurrent", "input_tokens", "output_tokens"):
        load = load_at(one.grid, one.concurrent)
        load = replace(load, **{name: getattr(load, name) * (1.0 + STEP)})
        changed = steady_state(one.points, load, one.coefficients)
        result[name] = (at_row(changed.tpot_s, 0) / base - 1.0) / STEP
    return result


def _scaled(points: Points, columns: tuple[str, ...], factor: float) -> Points:
    return replace(points, **{name: getattr(points, name) * factor for name in columns})


def _nearest(candidate: Candidate, one: Chosen) -> list[NearestPoint]:
    request, deployment = one.grid.request, candidate.deployment
    model = request.model
    wanted = MeasuredPoint(
        reference="",
        family=model.family,
        signature=model_signature(model),
        accelerator=deployment.accelerator.slug,
        compute_capability=deployment.accelerator.compute_capability,
        engine=deployment.engine,
        engine_version=deployment.engine_version,
        weights_format=deployment.weights_format,
        accelerators=deployment.layout.accelerators,
        concurrent=at_row(one.concurrent, 0),
        input_tokens=request.traffic.input_tokens.mean,
        output_tokens=request.traffic.output_tokens.mean,
        active_parameters=float(model.active_parameters),
        total_parameters=float(model.total_parameters),
        tpot_s=0.0,
        ttft_s=None,
        measured_on="",
    )
    return nearest_points(one.coefficients.measured_table, wanted)
