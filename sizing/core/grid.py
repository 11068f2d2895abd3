"""Candidates of a search as columns: accelerators x layouts x formats x engines x batch budgets."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sizing.core.closed_loop import Load
from sizing.core.coefficients import Coefficients, DeviceProfile
from sizing.core.devices import profile_of
from sizing.core.engines import FractionOf
from sizing.core.extras import extras_of, together
from sizing.core.hardware import Accelerator
from sizing.core.layouts import layout_on
from sizing.core.links import links
from sizing.core.memory import MemoryPlan, memory_plan
from sizing.core.parallelism import Layout
from sizing.core.points import Column, Placement, Points, points_of
from sizing.core.precision import Rate
from sizing.core.request import CacheChoice, CoreRequest, EngineChoice, WeightChoice
from sizing.core.software import software_verdicts
from sizing.core.values import Message, State, Verdict

type Index = NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """Everything of a candidate but the accelerator."""

    layout: Layout
    weights: WeightChoice
    cache: CacheChoice
    engine: EngineChoice
    budget_tokens: int | None  # None: the engine's default for the size of the device
    max_sequences: int | None
    memory_utilisation: float | None
    stream_interval: int
    over_network: bool = False  # a stage may leave its node
    concessions: tuple[Message, ...] = ()  # what was given up so that it starts at all


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """`n` candidates; `accelerator` and `combination` index the two lists. Columns have shape (n,)."""

    request: CoreRequest
    accelerators: Sequence[Accelerator]
    combinations: Sequence[Combination]
    profiles: Sequence[Sequence[DeviceProfile]]  # by combination, then accelerator
    software: Sequence[Sequence[Verdict]]  # same
    accelerator: Index
    combination: Index
    pool_bytes: Column  # per accelerator, negative where weights do not fit
    sequence_bytes: Column  # of one sequence at mean occupancy, per accelerator
    longest_bytes: Column  # of one request of the longest context
    ranks: Column  # pools of one replica
    max_sequences: Column  # per replica
    budget_tokens: Column

    def __len__(self) -> int:
        return len(self.accelerator)

    def take(self, index: Index) -> "Grid":
        columns = {f.name: getattr(self, f.name) for f in fields(self)}
        for name in _COLUMNS:
            columns[name] = columns[name][index]
        return Grid(**columns)

    @property
    def cap(self) -> Column:
        """Sequences that one replica holds at mean occupancy; 0 where the longest request does not fit."""
        held = np.maximum(self.pool_bytes, 0.0) / np.maximum(self.sequence_bytes, 1e-9) * self.ranks
        fits = (self.pool_bytes > 0) & (self.pool_bytes >= self.longest_bytes)
        return np.where(fits, np.minimum(held, self.max_sequences), 0.0)

    @property
    def accelerators_per_replica(self) -> Column:
        used, place = _used(self.combination)
        return np.array([self.combinations[i].layout.accelerators for i in used], dtype=float)[place]


_COLUMNS = (
    "accelerator",
    "combination",
    "pool_bytes",
    "sequence_bytes",
    "longest_bytes",
    "ranks",
    "max_sequences",
    "budget_tokens",
)


def grid_of(
    request: CoreRequest,
    accelerators: Sequence[Accelerator],
    combinations: Sequence[Combination],
    coefficients: Coefficients,
) -> Grid:
    """All candidates whose engine serves the format on the accelerator, memory worked out."""
    software = software_verdicts(request.model, accelerators, combinations, coefficients)
    profiles = _profiles(accelerators, combinations, coefficients)
    pairs = [
        (a, c)
        for c, combination in enumerate(combinations)
        for a, accelerator in enumerate(accelerators)
        if software[c][a].state is not State.FAIL
        and layout_on(accelerator, combination.layout, over_network=combination.over_network)
    ]
    index = np.array(pairs, dtype=np.intp).reshape(-1, 2)
    memory = _memory(request, accelerators, combinations, index)
    return Grid(
        request=request,
        accelerators=accelerators,
        combinations=combinations,
        profiles=profiles,
        software=software,
        accelerator=index[:, 0],
        combination=index[:, 1],
        **memory,
    )


def joined(one: Grid, other: Grid) -> Grid:
    """The rows of both grids, which are of the same request and accelerators."""
    columns = {name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in _COLUMNS}
    columns["combination"] = np.concatenate([one.combination, other.combination + len(one.combinations)])
    return Grid(
        request=one.request,
        accelerators=one.accelerators,
        combinations=(*one.combinations, *other.combinations),
        profiles=(*one.profiles, *other.profiles),
        software=(*one.software, *other.software),
        **columns,
    )


def _profiles(
    accelerators: Sequence[Accelerator], combinations: Sequence[Combination], coefficients: Coefficients
) -> list[list[DeviceProfile]]:
    by_engine = {
        slug: [profile_of(accelerator, slug, coefficients) for accelerator in accelerators]
        for slug in {c.engine.slug for c in combinations}
    }
    return [by_engine[c.engine.slug] for c in combinations]


def plan_of(request: CoreRequest, accelerator: Accelerator, c: Combination) -> MemoryPlan:
    """The memory plan of one candidate, as `sizing.core.memory` works it out."""
    engine = c.engine.memory
    added = extras_of(request.additions, request.model, c.weights.weights, c.cache.storage, c.layout, engine=engine)
    return memory_plan(
        request.model,
        c.weights.weights,
        c.cache.storage,
        accelerator,
        c.layout,
        c.engine.memory,
        max_batched_tokens=c.budget_tokens,
        max_sequences=c.max_sequences,
        memory_utilisation=c.memory_utilisation,
        max_context_tokens=request.traffic.max_context_tokens,
        extras=together(request.extras, added),
    )


def occupancy_tokens(request: CoreRequest) -> float:
    """Mean tokens that a running sequence holds for itself: its prompt less the shared prefix, and 0.6 of its answer.

    0.6 rather than a half because long answers stay longer. Source: docs/method.md#capacity.
    """
    own = request.traffic.input_tokens.mean - prefix_tokens(request)
    return own + 0.6 * request.traffic.output_tokens.mean


def prefix_tokens(request: CoreRequest) -> float:
    """Tokens at the head of every prompt that all requests share and the engine keeps."""
    pinned = request.pinned
    if pinned is not None and pinned.prefix_caching is False:
        return 0.0
    return float(min(request.traffic.shared_prefix_tokens, request.traffic.input_tokens.mean - 1))


def _memory(
    request: CoreRequest, accelerators: Sequence[Accelerator], combinations: Sequence[Combination], index: Index
) -> dict[str, Column]:
    """The figures of `memory_plan`, worked out once per combination and size of device."""
    a, c = index[:, 0], index[:, 1]
    usable = np.array([float(x.usable_memory_bytes) for x in accelerators])
    columns = {name: np.zeros(len(index)) for name in _COLUMNS[2:]}
    tokens, prefix = occupancy_tokens(request), prefix_tokens(request)
    for number, combination in enumerate(combinations):
        rows = np.flatnonzero(c == number)
        if not len(rows):
            continue
        for values, chosen in _by_defaults(combination, usable[a[rows]]):
            sample = accelerators[int(a[rows[chosen[0]]])]
            plan = plan_of(request, sample, combination)
            at = rows[chosen]
            pool = _pool(plan, combination, values)
            shared = prefix * (plan.kv_bytes_per_token + plan.window_kv_bytes_per_token)
            held = min(tokens, plan.window_tokens or tokens) * plan.window_kv_bytes_per_token
            columns["pool_bytes"][at] = pool - shared
            columns["sequence_bytes"][at] = tokens * plan.kv_bytes_per_token + held + plan.state_bytes_per_sequence
            columns["longest_bytes"][at] = plan.kv_pool_bytes - plan.margin * plan.budget_bytes - plan.short_bytes
            columns["ranks"][at] = plan.kv_ranks
            columns["max_sequences"][at] = plan.max_sequences * plan.kv_ranks
            columns["budget_tokens"][at] = plan.max_batched_tokens
    return columns


def _by_defaults(combination: Combination, usable: Column) -> list[tuple[Column, Index]]:
    """Rows grouped by the engine's default limits, which depend on the size of the device."""
    memory = combination.engine.memory
    keys = np.array([memory.max_batched_tokens(int(u)) for u in usable])
    return [(usable[keys == key], np.flatnonzero(keys == key)) for key in sorted(set(keys.tolist()))]


def _pool(plan: MemoryPlan, combination: Combination, usable: Column) -> Column:
    """`memory._pool` over many device sizes. Negative where weights and reserves do not fit."""
    reserve = plan.activation_bytes + plan.runtime_bytes
    kind, fraction = combination.engine.memory.fraction_of, plan.memory_utilisation
    budget = np.floor(fraction * usable)
    if kind is FractionOf.DEVICE:
        return budget - plan.weight_bytes - reserve
    if kind is FractionOf.STATIC:
        return budget - plan.weight_bytes - np.maximum(0.0, reserve - (usable - budget))
    left = usable - plan.weight_bytes - reserve
    if kind is FractionOf.FREE:
        return np.where(left > 0, np.floor(fraction * left), left)
    return left


def placement_of(grid: Grid, coefficients: Coefficients) -> Placement:
    """Hardware and format columns of every candidate, worked out once for each that occurs."""
    used_devices, a = _used(grid.accelerator)
    used_combinations, c = _used(grid.combination)
    devices = [grid.accelerators[i] for i in used_devices]
    combos = [grid.combinations[i] for i in used_combinations]
    profiles = _profile_columns([grid.profiles[i] for i in used_combinations], used_devices, a, c)

    def by_combination(values: Sequence[float]) -> Column:
        return np.array(values, dtype=float)[c]

    inside, between, latency = links(
        devices, [x.layout for x in combos], profiles["collective_latency_s"], accelerator=a, combination=c
    )
    compute = profiles["compute_factor"]
    attention, dense, experts, bf16 = _rates(devices, combos, a, c)
    engine = by_combination([coefficients.engine_factors.get(x.engine.slug, 1.0) for x in combos])
    bandwidth = np.array([x.bandwidth_bytes_per_s for x in devices], dtype=float)[a]
    return Placement(
        bandwidth=bandwidth * profiles["bandwidth_factor"],
        attention_flops=attention * compute,
        dense_flops=dense * compute,
        experts_flops=experts * compute,
        bf16_flops=bf16 * compute,
        link=inside,
        stage_link=between,
        tensor=by_combination([x.layout.tensor for x in combos]),
        pipeline=by_combination([x.layout.pipeline for x in combos]),
        data=by_combination([x.layout.data for x in combos]),
        attention_bytes=by_combination([x.weights.weights.attention for x in combos]),
        dense_bytes=by_combination([x.weights.weights.dense for x in combos]),
        experts_bytes=by_combination([x.weights.weights.experts for x in combos]),
        embedding_bytes=by_combination([x.weights.weights.embedding for x in combos]),
        kv_bytes=by_combination([x.cache.storage.bytes_per_value for x in combos]),
        block_scaled=by_combination([float(_block_scaled(x.weights)) for x in combos]),
        overhead_factor=profiles["overhead_factor"],
        step_factor=profiles["step_factor"] * engine,
        collective_latency_s=latency,
    )


def _used(numbers: Index) -> tuple[list[int], Index]:
    """The numbers that occur, ascending, and for each row its place among them; [0] without any row."""
    if not len(numbers):
        return [0], numbers
    present = np.flatnonzero(np.bincount(numbers))
    place = np.zeros(int(present[-1]) + 1, dtype=np.intp)
    place[present] = np.arange(len(present))
    return present.tolist(), place[numbers]


PROFILED = ("bandwidth_factor", "compute_factor", "overhead_factor", "step_factor", "collective_latency_s")


def _profile_columns(
    profiles: Sequence[Sequence[DeviceProfile]], devices: Sequence[int], a: Index, c: Index
) -> dict[str, Column]:
    """Factors of the device profiles; combinations of one engine share their row of profiles."""
    distinct = list({id(row): row for row in profiles}.values())
    number = {id(row): i for i, row in enumerate(distinct)}
    row = np.array([number[id(each)] for each in profiles], dtype=np.intp)[c]
    return {
        name: np.array([[getattr(each[d], name) for d in devices] for each in distinct], dtype=float)[row, a]
        for name in PROFILED
    }


def _rates(
    devices: Sequence[Accelerator], combos: Sequence[Combination], a: Index, c: Index
) -> tuple[Column, Column, Column, Column]:
    """Dense flop/s per group of weights: the format's rate where the device has it, else its 16-bit rate."""
    choices = list({id(x.weights): x.weights for x in combos}.values())
    number = {id(choice): i for i, choice in enumerate(choices)}
    row = np.array([number[id(x.weights)] for x in combos], dtype=np.intp)[c]

    def table(kind: str) -> Column:
        rates = [[_flops(choice, kind, device) for device in devices] for choice in choices]
        return np.asarray(np.array(rates)[row, a])

    bf16 = np.array([float(device.rate(Rate.BF16) or np.nan) for device in devices])[a]
    return table("attention_rate"), table("dense_rate"), table("experts_rate"), bf16


def _block_scaled(choice: WeightChoice) -> bool:
    """FP8 experts are taken as block-scaled: every published FP8 mixture in the calibration is."""
    return choice.block_scaled or choice.weights.experts_rate is Rate.FP8


def _flops(choice: WeightChoice, kind: str, device: Accelerator) -> float:
    """Dense flop/s of one group of weights; NaN where the sheet prints no rate at all.

    MXFP4 computes at the FP8 rate of devices with FP4 units and at the 16-bit rate of others.
    Source: docs/method.md#inputs.
    """
    rate: Rate = getattr(choice.weights, kind)
    if rate is Rate.FP4 and choice.storage.slug.startswith("mxfp4"):
        rate = Rate.FP8 if device.flops_per_s.get(Rate.FP4) else Rate.BF16
    return float(device.rate(rate) or np.nan)


def points_at(grid: Grid, coefficients: Coefficients) -> Points:
    """The step model's columns of every candidate."""
    return points_of(grid.request.model, placement_of(grid, coefficients))


def _held_back_steps(stream_interval: int) -> float:
    """Steps whose tokens wait for the first streamed chunk; an interval of one streams every token."""
    return float(stream_interval) if stream_interval > 1 else 0.0


def drafts(request: CoreRequest) -> tuple[float, float]:
    """Tokens drafted and accepted per step and sequence; (0, 0) without speculative decoding.

    Either `accepted_tokens` is stated, or `acceptance` a of one token, from which a (1 - a^n) / (1 - a)
    of n drafted tokens are accepted (Leviathan et al. 2023).
    """
    stated = request.pinned.speculative if request.pinned is not None else None
    if not stated:
        return 0.0, 0.0
    count = float(stated.get("draft_tokens", 1.0))
    share = stated.get("acceptance")
    if share is None:
        return count, min(float(stated.get("accepted_tokens", 0.0)), count)
    accepted = count if share >= 1.0 else share * (1.0 - share**count) / (1.0 - share)
    return count, accepted


def load_at(grid: Grid, concurrent: Column) -> Load:
    """What each replica carries with `concurrent` requests in flight."""
    request = grid.request
    used, place = _used(grid.combination)
    combos = [grid.combinations[i] for i in used]
    traffic = request.traffic
    prefix = prefix_tokens(request)
    slots = traffic.prompts_per_slot
    drafted, accepted = drafts(request)
    return Load(
        concurrent=concurrent,
        input_tokens=np.asarray(traffic.input_tokens.mean - prefix),
        output_tokens=np.asarray(float(traffic.output_tokens.mean)),
        cached_tokens=np.asarray(prefix),
        burst_share=np.asarray(0.5 / slots if slots else 0.0),
        extra_in_flight=np.asarray(0.0),
        cap=np.maximum(grid.cap, 1e-6),
        budget_tokens=grid.budget_tokens,
        stream_interval=np.array([_held_back_steps(c.stream_interval) for c in combos])[place],
        mixed=np.array([float(c.engine.mixed_prefill) for c in combos])[place],
        tokens_per_step=np.asarray(1.0 + accepted),
        verified_tokens=np.asarray(1.0 + drafted),
    )
