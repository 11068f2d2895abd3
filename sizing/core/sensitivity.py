"""How far an answer moves with each of its inputs."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sizing.core.assemble import FIXED_POINT_PASSES, OPEN_MINIMUM, Chosen
from sizing.core.closed_loop import Load, SteadyState, steady_state
from sizing.core.grid import occupancy_tokens
from sizing.core.points import COLUMNS, Column, Points

STEP = 0.05
"""Relative change of an input."""

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
CACHES = ("cache_read_s", "window_read_s", "indexer_read_s")
WEIGHTS = ("dense_read_s", "expert_read_s")

type Rows = Mapping[str, Column]


@dataclass(frozen=True, slots=True)
class _Case:
    """One input a step larger: what becomes of the columns of the step model and of the load."""

    name: str
    points: Callable[[Points], Rows]
    load: Callable[[Load], Rows]


def _nothing(of: Points | Load) -> Rows:
    return {}


def _points(name: str, columns: Sequence[str], *, up: bool) -> _Case:
    factor = 1.0 + STEP if up else 1.0 / (1.0 + STEP)
    return _Case(name, lambda points: {each: getattr(points, each) * factor for each in columns}, _nothing)


def _cache_bytes(points: Points) -> Rows:
    return {each: getattr(points, each) * (1.0 + STEP) for each in CACHES}


CASES = (
    _points("bandwidth", (*READS, *ACTIVATIONS), up=False),
    _points("compute", COMPUTES, up=False),
    _points("link", LINKS, up=False),
    _points("overhead", ("overhead_factor",), up=True),
    _points("weight_bytes", WEIGHTS, up=True),
    _Case("cache_bytes", _cache_bytes, lambda load: {"cap": load.cap / (1.0 + STEP)}),
    _Case("memory", _nothing, lambda load: {"cap": load.cap * (1.0 + STEP)}),
    _Case("budget_tokens", _nothing, lambda load: {"budget_tokens": load.budget_tokens * (1.0 + STEP)}),
    _Case("input_tokens", _nothing, lambda load: {"input_tokens": load.input_tokens * (1.0 + STEP)}),
    _Case("output_tokens", _nothing, lambda load: {"output_tokens": load.output_tokens * (1.0 + STEP)}),
    _Case("shared_prefix", _nothing, lambda load: {"cached_tokens": load.cached_tokens * (1.0 + STEP)}),
    _Case(
        "accepted_tokens",
        _nothing,
        lambda load: {"tokens_per_step": 1.0 + (load.tokens_per_step - 1.0) * (1.0 + STEP)},
    ),
)
METRICS = ("tpot", "ttft", "throughput")


def sensitivities(one: Chosen) -> dict[str, dict[str, float]]:
    """By metric and input: per cent that the mean moves per per cent more of the input, the others as they are.

    All inputs are evaluated at once. A longer input or answer also takes more cache. Where the load is a
    rate, requests in flight follow by Little's law. Time to first token is left out where it is saturated.
    """
    count = len(CASES) + 2
    rows = np.zeros(count, dtype=np.intp)
    points, load = _wide(one.points, count), one.load.take(rows)
    load = replace(load, **{name: np.broadcast_to(getattr(load, name), (count,)).copy() for name in _LOADED})
    for number, case in enumerate(CASES, start=1):
        for name, value in case.points(one.points).items():
            getattr(points, name)[number] = np.asarray(value).reshape(-1)[0]
        for name, value in case.load(one.load).items():
            getattr(load, name)[number] = np.asarray(value).reshape(-1)[0]
    _longer(one, load)
    state = _at_load(one, points, load)
    saturated = bool(np.any(state.saturated))
    columns = {"tpot": state.tpot_s, "ttft": state.ttft_s, "throughput": state.tokens_per_s}
    closed = one.grid.request.traffic.concurrent_requests is not None
    names = [*(case.name for case in CASES), "concurrent" if closed else "requests_per_s"]
    return {
        metric: {name: float((column[i] / column[0] - 1.0) / STEP) for i, name in enumerate(names, start=1)}
        for metric, column in columns.items()
        if not (saturated and metric == "ttft")
    }


_LOADED = ("concurrent", "cap", "budget_tokens", "input_tokens", "output_tokens", "cached_tokens", "tokens_per_step")


def _wide(points: Points, count: int) -> Points:
    """The only row of `points`, so often."""
    columns = {name: np.full(count, np.asarray(getattr(points, name)).reshape(-1)[0]) for name in COLUMNS}
    draft = points.draft.take(np.zeros(count, dtype=np.intp)) if points.draft is not None else None
    return Points(**columns, draft=draft)


def _longer(one: Chosen, load: Load) -> None:
    """Cache that longer requests take: what is held is in proportion to prompt and 0.6 of the answer."""
    traffic, held = one.grid.request.traffic, occupancy_tokens(one.grid.request, one.combination(0).engine)
    names = [case.name for case in CASES]
    more = {"input_tokens": traffic.input_tokens.mean, "output_tokens": 0.6 * traffic.output_tokens.mean}
    for name, tokens in more.items():
        load.cap[1 + names.index(name)] /= 1.0 + STEP * tokens / held


def _at_load(one: Chosen, points: Points, load: Load) -> SteadyState:
    traffic = one.grid.request.traffic
    last = len(load.concurrent) - 1
    if traffic.concurrent_requests is not None:
        load.concurrent[last] *= 1.0 + STEP
        return steady_state(points, load, one.coefficients)
    rate = np.full(last + 1, (traffic.requests_per_s or 0.0) / one.replicas[0])
    rate[last] *= 1.0 + STEP
    state = steady_state(points, load, one.coefficients)
    for _ in range(FIXED_POINT_PASSES):
        inside = state.ttft_s + (load.output_tokens - 1.0) * state.tpot_s
        load = replace(load, concurrent=np.minimum(OPEN_MINIMUM + rate * inside, 4.0 * load.cap))
        state = steady_state(points, load, one.coefficients)
    return state
