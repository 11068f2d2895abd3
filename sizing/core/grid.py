"""Candidates of a search as columns: accelerators x layouts x formats x engines x batch budgets."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

from sizing.core.closed_loop import Load
from sizing.core.coefficients import Coefficients, DeviceProfile
from sizing.core.devices import profile_of
from sizing.core.engines import FractionOf
from sizing.core.errors import InvalidDeployment
from sizing.core.extras import extras_of, together
from sizing.core.hardware import Accelerator, DeviceKind
from sizing.core.layouts import layout_on
from sizing.core.links import handover_bytes_per_s, network_of
from sizing.core.memory import MemoryPlan, memory_plan
from sizing.core.parallelism import Layout, Phases, instances_of
from sizing.core.points import Column
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
    phases: Phases | None = None  # prefill and decode on instances of their own

    @property
    def accelerators(self) -> int:
        """Accelerators of one replica."""
        return self.layout.accelerators * instances_of(self.phases)


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
    token_bytes: Column  # of the cache of one prompt token, per accelerator

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
        present, place = used(self.combination)
        return np.array([self.combinations[i].accelerators for i in present], dtype=float)[place]


_COLUMNS = (
    "accelerator",
    "combination",
    "pool_bytes",
    "sequence_bytes",
    "longest_bytes",
    "ranks",
    "max_sequences",
    "budget_tokens",
    "token_bytes",
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


def occupancy_tokens(request: CoreRequest, engine: EngineChoice) -> float:
    """Mean tokens that a running sequence holds for itself: its prompt less what it shares, and 0.6 of its answer.

    0.6 rather than a half because long answers stay longer. Source: docs/method.md#capacity.
    """
    own = request.traffic.input_tokens.mean - _held_once(request, engine)
    return own + 0.6 * request.traffic.output_tokens.mean


def prefix_tokens(request: CoreRequest, engine: EngineChoice) -> float:
    """Tokens at the head of every prompt that all requests share and the engine keeps, in whole blocks."""
    pinned = request.pinned
    if pinned is not None and pinned.prefix_caching is False:
        return 0.0
    shared = min(request.traffic.shared_prefix_tokens, request.traffic.input_tokens.mean - 1)
    return engine.kept_prefix_tokens(shared)


def _held_once(request: CoreRequest, engine: EngineChoice) -> float:
    """Tokens of the shared prefix whose cache all sequences share."""
    return 0.0 if engine.memory.prefix_per_slot else prefix_tokens(request, engine)


def _memory(
    request: CoreRequest, accelerators: Sequence[Accelerator], combinations: Sequence[Combination], index: Index
) -> dict[str, Column]:
    """The figures of `memory_plan`, worked out once per combination and size of device."""
    a, c = index[:, 0], index[:, 1]
    usable = np.array([float(x.usable_memory_bytes) for x in accelerators])
    columns = {name: np.zeros(len(index)) for name in _COLUMNS[2:]}
    for number, combination in enumerate(combinations):
        rows = np.flatnonzero(c == number)
        if not len(rows):
            continue
        engine = combination.engine
        tokens, prefix = occupancy_tokens(request, engine), _held_once(request, engine)
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
            ranks = plan.kv_ranks * (combination.phases.decode if combination.phases else 1)
            columns["ranks"][at] = ranks
            columns["max_sequences"][at] = plan.max_sequences * ranks
            columns["token_bytes"][at] = plan.kv_bytes_per_token + plan.window_kv_bytes_per_token
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


def used(numbers: Index) -> tuple[list[int], Index]:
    """The numbers that occur, ascending, and for each row its place among them; [0] without any row."""
    if not len(numbers):
        return [0], numbers
    present = np.flatnonzero(np.bincount(numbers))
    place = np.zeros(int(present[-1]) + 1, dtype=np.intp)
    place[present] = np.arange(len(present))
    return present.tolist(), place[numbers]


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
    return count, accepted_of(count, share)


def accepted_of(drafted: float, acceptance: float) -> float:
    """Tokens of `drafted` that are accepted on average where each is with this chance, up to the first that is not."""
    if acceptance >= 1.0:
        return drafted
    return float(acceptance * (1.0 - acceptance**drafted) / (1.0 - acceptance))


ACCEPTANCE_SPREAD = 0.1
"""How far the acceptance on other texts lies from a stated one: 0.65 to 0.75 over two tasks of one pair of models
(Leviathan et al. 2023, table 2)."""


def drafts_band(request: CoreRequest) -> float:
    """Factor by which tokens per step may differ where the stated acceptance does; 1 where tokens were counted."""
    stated = request.pinned.speculative if request.pinned is not None else None
    share = (stated or {}).get("acceptance")
    if share is None:
        return 1.0
    count = float((stated or {}).get("draft_tokens", 1.0))
    around = (max(share - ACCEPTANCE_SPREAD, 0.0), share, min(share + ACCEPTANCE_SPREAD, 1.0))
    low, middle, high = (1.0 + accepted_of(count, each) for each in around)
    return max(high / middle, middle / low)


def load_at(grid: Grid, concurrent: Column) -> Load:
    """What each replica carries with `concurrent` requests in flight."""
    request = grid.request
    present, place = used(grid.combination)
    combos = [grid.combinations[i] for i in present]
    traffic = request.traffic
    prefix = _each([prefix_tokens(request, c.engine) for c in combos], place)
    slots = traffic.prompts_per_slot
    drafted, accepted = drafts(request)
    return Load(
        concurrent=concurrent,
        input_tokens=traffic.input_tokens.mean - prefix,
        output_tokens=np.asarray(float(traffic.output_tokens.mean)),
        cached_tokens=prefix,
        burst_share=np.asarray(0.5 / slots if slots else 0.0),
        extra_in_flight=np.asarray(0.0),
        cap=np.maximum(grid.cap, 1e-6),
        budget_tokens=grid.budget_tokens,
        stream_interval=np.array([_held_back_steps(c.stream_interval) for c in combos])[place],
        mixed=np.array([float(c.engine.mixed_prefill and c.phases is None) for c in combos])[place],
        tokens_per_step=np.asarray(1.0 + accepted),
        verified_tokens=np.asarray(1.0 + drafted),
        open_arrivals=np.asarray(float(traffic.concurrent_requests is None)),
        **_apart(grid, combos, place),
    )


def _each(values: Sequence[float], place: Index) -> Column:
    """The value of each row's combination; one number where all are equal."""
    return np.array(values)[place] if len(set(values)) > 1 else np.asarray(values[0])


class _Apart(TypedDict, total=False):
    prefill_instances: Column
    decode_instances: Column
    handover_s: Column


def _apart(grid: Grid, combos: Sequence[Combination], place: Index) -> _Apart:
    """Instances and handover where phases run apart; each accelerator sends its own part of the cache."""
    if all(c.phases is None for c in combos):
        return {}
    devices, a = used(grid.accelerator)
    accelerators = [grid.accelerators[i] for i in devices]
    network = network_of(grid.request.site)
    rates = np.array([[handover_bytes_per_s(d, c.accelerators, network) for d in accelerators] for c in combos])
    rates = rates[place, a]
    tokens = grid.request.traffic.input_tokens.mean
    return {
        "prefill_instances": np.array([float(c.phases.prefill if c.phases else 0) for c in combos])[place],
        "decode_instances": np.array([float(c.phases.decode if c.phases else 1) for c in combos])[place],
        "handover_s": tokens * grid.token_bytes / rates,
    }


def within_reach(tried: Sequence[Combination], accelerators: Sequence[Accelerator]) -> list[Combination]:
    """What engines that keep a replica on one card can do on these devices. Raises InvalidDeployment for nothing."""
    if all(device.kind is DeviceKind.CPU for device in accelerators):
        return list(tried)
    kept = [each for each in tried if not each.engine.one_accelerator or each.layout.accelerators == 1]
    if not kept:
        raise InvalidDeployment("engine_one_accelerator", "/deployment/tensor_parallel", engine=tried[0].engine.slug)
    return kept
