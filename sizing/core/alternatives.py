"""Beside the chosen layout: one accelerator or replica more or fewer, and the best of each other kind of layout."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from sizing.core.assemble import Chosen, at_row, chosen_rows
from sizing.core.candidate import Neighbour
from sizing.core.grid import Combination, Index, grid_of
from sizing.core.layouts import layouts, stage_is_fixed
from sizing.core.parallelism import Layout, Phases
from sizing.core.points import Column
from sizing.core.request import PHASES_APART, weight_block
from sizing.core.search import OPEN_LOOP_SHARE, Carried, carried, peak_factor
from sizing.core.values import Message

KINDS = ("tensor", "pipeline", "combined", "replicas")
COUNTS = (1, 2, 4, 8, 16)
"""Accelerators of a replica that stand beside a layout which the request fixes."""

IDLE_SHARE = 0.01
"""An accelerator more that raises what is carried by less than this idles."""

NEXT_COUNT = 16
"""How many accelerators further the next count that pays is looked for."""

MOST_APART = 8
"""Copies of a layout in one replica whose phases run apart: a split of more is a matter of its own."""


def alternatives(one: Chosen, result: Carried, row: int) -> tuple[Neighbour, ...]:
    """Neighbours of the chosen row, in fixed order; `one` is that row alone."""
    field, here = _field(one, result, row)
    mine = one.combination(0)
    rows = _comparable_rows(field, here, mine)
    capacity = _capacity(field)
    return (
        *_replicas(one, field, here),
        *_accelerators(one, field, here, rows, capacity),
        *_layouts(one, field, here, rows, capacity),
        *_apart(one, field, here),
    )


def layout_kind(layout: Layout) -> str:
    """How a replica is spread: one accelerator (replicas), tensor, pipeline or both."""
    stage = layout.tensor * layout.data
    if layout.pipeline > 1:
        return "combined" if stage > 1 else "pipeline"
    return "tensor" if stage > 1 else "replicas"


def _field(one: Chosen, result: Carried, row: int) -> tuple[Carried, int]:
    """The search that holds the alternatives, and the chosen row in it; worked out where the request fixes a layout."""
    request = one.grid.request
    if request.pinned is None or not (request.pinned.count or stage_is_fixed(request.pinned)):
        return result, row
    mine = one.combination(0)
    block = weight_block(request.model, mine.weights)
    others = [
        replace(mine, layout=layout, over_network=False)
        for layout in layouts(request.model, COUNTS, weight_block=block)
        if layout != mine.layout and mine.engine.splits(layout)
    ]
    grid = grid_of(request, [one.grid.accelerators[int(one.grid.accelerator[0])]], [mine, *others], one.coefficients)
    return carried(grid, one.coefficients), int(np.flatnonzero(grid.combination == 0)[0])


def _comparable_rows(field: Carried, here: int, mine: Combination) -> Index:
    """Rows of the same accelerator, engine and formats that carry something, phases as here."""
    grid = field.grid
    found = np.flatnonzero((grid.accelerator == grid.accelerator[here]) & (field.concurrent >= 1.0))
    same = [int(row) for row in found if _same(grid.combinations[int(grid.combination[row])], mine)]
    return np.array(same, dtype=np.intp)


def _same(other: Combination, mine: Combination) -> bool:
    formats = other.engine is mine.engine and other.weights is mine.weights and other.cache is mine.cache
    return formats and other.phases == mine.phases


def _capacity(field: Carried) -> Column:
    """What one replica of each row carries, in the unit of the stated load."""
    closed = field.grid.request.traffic.concurrent_requests is not None
    return field.concurrent if closed else OPEN_LOOP_SHARE * field.requests_per_s


def _wanted(field: Carried) -> float:
    traffic = field.grid.request.traffic
    return peak_factor(traffic) * float(traffic.concurrent_requests or traffic.requests_per_s or 0.0)


def _replicas(one: Chosen, field: Carried, here: int) -> Sequence[Neighbour]:
    """One replica more and, where there are several, one less."""
    found = []
    index: Index = np.array([here], dtype=np.intp)
    for kind, change in (("replica_more", 1.0), ("replica_less", -1.0)):
        replicas = one.replicas + change
        if replicas[0] >= 1.0:
            other = chosen_rows(field, index, replicas, one.coefficients)
            found.append(_compared(kind, one, other, gain=float(replicas[0] / one.replicas[0]) - 1.0))
    return found


def _accelerators(one: Chosen, field: Carried, here: int, rows: Index, capacity: Column) -> Sequence[Neighbour]:
    """The best use of one accelerator more and of one fewer: capacity that pays, idles or is missed."""
    total = int(one.combination(0).accelerators * one.replicas[0])
    now = float(capacity[here] * one.replicas[0])
    found = []
    for kind, count in (("accelerator_more", total + 1), ("accelerator_less", total - 1)):
        best = _best_of(field, rows, capacity, count)
        if best is None or not now:
            continue
        row, replicas, carries = best
        idles = kind == "accelerator_more" and field.grid.accelerators_per_replica[row] * replicas <= total
        if idles:  # those at hand, split otherwise, are no gain of one more
            row, replicas, carries = here, float(one.replicas[0]), now
        other = chosen_rows(field, np.array([row]), np.array([replicas]), one.coefficients)
        gain = carries / now - 1.0
        made = _compared(kind, one, other, gain=gain)
        said = _verdict(kind, field, rows, capacity, total=total, now=now, carries=carries)
        change = 1 if idles else made.accelerators_change
        found.append(replace(made, message=said, accelerators_change=change))
    return found


def _best_of(field: Carried, rows: Index, capacity: Column, count: int) -> tuple[int, float, float] | None:
    """Row, replicas and load carried of the best use of at most `count` accelerators; None where nothing runs."""
    replicas = np.floor(count / field.grid.accelerators_per_replica[rows])
    carries = capacity[rows] * replicas
    if not len(rows) or not np.any(carries > 0.0):
        return None
    best = int(np.lexsort((rows, field.grid.accelerators_per_replica[rows], -np.round(carries, 6)))[0])
    return int(rows[best]), float(replicas[best]), float(carries[best])


def _verdict(
    kind: str, field: Carried, rows: Index, capacity: Column, *, total: int, now: float, carries: float
) -> Message:
    percent = 100.0 * (carries / now - 1.0)
    if kind == "accelerator_less":
        share = carries / max(_wanted(field), 1e-9)
        if share >= 1.0:
            return Message("accelerator_less_suffices", {"percent": percent})
        return Message("accelerator_less_misses", {"share_percent": 100.0 * share})
    if percent > 100.0 * IDLE_SHARE:
        return Message("accelerator_more_pays", {"percent": percent})
    for count in range(total + 2, total + NEXT_COUNT + 1):
        best = _best_of(field, rows, capacity, count)
        if best is not None and best[2] > now * (1.0 + IDLE_SHARE):
            return Message("accelerator_more_idles_until", {"more": count - total})
    return Message("accelerator_more_idles")


def _layouts(one: Chosen, field: Carried, here: int, rows: Index, capacity: Column) -> Sequence[Neighbour]:
    """The best row of every other kind of layout on the same accelerator, engine and formats."""
    grid = field.grid
    mine, total = one.combination(0), field.accelerators_total
    found = []
    for kind in KINDS:
        if kind == layout_kind(mine.layout):
            continue
        same = [int(r) for r in rows if layout_kind(grid.combinations[int(grid.combination[r])].layout) == kind]
        if not same:
            found.append(_absent(kind, mine.layout))
            continue
        best = min(same, key=lambda r: (total[r], -field.concurrent[r], r))
        other = chosen_rows(field, np.array([best]), field.replicas[[best]], one.coefficients)
        now, then = capacity[here] * one.replicas[0], capacity[best] * field.replicas[best]
        made = _compared(kind, one, other, gain=float(then / now - 1.0) if now else None)
        found.append(replace(made, reason=_reason(made)))
    return found


def _reason(other: Neighbour) -> Message:
    """Why the chosen layout stands before another kind: accelerators first, then what is carried."""
    if other.accelerators_change > 0:
        return Message("neighbour_needs_more", {"accelerators": other.accelerators_change})
    if other.accelerators_change < 0:
        return Message("neighbour_needs_fewer", {"accelerators": -other.accelerators_change})
    gain = other.capacity_change
    if gain is not None and gain < -IDLE_SHARE:
        return Message("neighbour_carries_less", {"percent": -100.0 * gain})
    return Message("neighbour_as_good")


def _apart(one: Chosen, field: Carried, here: int) -> Sequence[Neighbour]:
    """The best split of the same accelerators into copies that prefill and copies that decode."""
    mine, replicas = one.combination(0), int(one.replicas[0])
    if mine.phases is not None or not 2 <= replicas <= MOST_APART or mine.engine.slug not in PHASES_APART:
        return ()
    splits = [replace(mine, phases=Phases(prefill=n, decode=replicas - n)) for n in range(1, replicas)]
    device = one.grid.accelerators[int(one.grid.accelerator[0])]
    grid = grid_of(one.grid.request, [device], splits, one.coefficients)
    if not len(grid):
        return ()
    split = carried(grid, one.coefficients)
    capacity = _capacity(split)
    best = int(np.lexsort((np.arange(len(grid)), -np.round(capacity, 6)))[0])
    other = chosen_rows(split, np.array([best]), np.ones(1), one.coefficients)
    now = float(_capacity(field)[here]) * replicas
    return (_compared("apart", one, other, gain=float(capacity[best]) / now - 1.0 if now else None),)


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


def _compared(kind: str, one: Chosen, other: Chosen, *, gain: float | None = None) -> Neighbour:
    combination = other.combination(0)
    replicas = int(other.replicas[0])
    change = combination.accelerators * replicas - one.combination(0).accelerators * int(one.replicas[0])
    saturated = bool(np.any(other.state.saturated))
    tpot = at_row(other.state.tpot_s, 0) / at_row(one.state.tpot_s, 0) - 1.0
    ttft = None if saturated else at_row(other.state.ttft_s, 0) / at_row(one.state.ttft_s, 0) - 1.0
    rate = at_row(other.state.tokens_per_s, 0) * replicas / (at_row(one.state.tokens_per_s, 0) * one.replicas[0]) - 1.0
    code = f"neighbour_{kind}_saturated" if saturated else f"neighbour_{kind}"
    return Neighbour(
        kind=kind,
        layout=combination.layout,
        replicas=replicas,
        ttft_change=ttft,
        tpot_change=tpot,
        throughput_change=float(rate),
        accelerators_change=change,
        message=Message(
            code,
            {
                "tpot_percent": 100.0 * tpot,
                "ttft_percent": 100.0 * ttft if ttft is not None else None,
                "throughput_percent": 100.0 * float(rate),
                "accelerators": change,
            },
        ),
        capacity_change=gain,
        phases=combination.phases,
    )
