"""What a search gives up, step by step, where nothing starts with the usual settings.

Order: a stage over the network, a higher memory fraction, an 8-bit cache, both, a larger replica. What a
request states is never given up, and a layout or count that it fixes is judged as it stands.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sizing.core.coefficients import Coefficients
from sizing.core.fixes import UTILISATIONS
from sizing.core.grid import Combination, Grid, grid_of, joined
from sizing.core.layouts import layouts, stage_is_fixed
from sizing.core.parallelism import Layout
from sizing.core.request import CacheChoice, CoreRequest, weight_block
from sizing.core.values import Message
from sizing.core.workload import Pinned

LARGER_COUNTS = (32,)
"""Accelerators of one replica that are tried last: four servers of eight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Concession:
    """One step: what changes against the usual combinations."""

    over_network: bool = False
    fraction: float | None = None
    cache: CacheChoice | None = None
    counts: tuple[int, ...] | None = None


def conceded(grid: Grid, counts: tuple[int, ...], coefficients: Coefficients) -> Grid:
    """`grid` with the rows of the first step on which something starts, where nothing starts otherwise.

    A search over all accelerators concedes nothing as long as one of them serves the request as usual.
    """
    request = grid.request
    pinned = request.pinned
    if pinned is not None and (pinned.count or pinned.pipeline_parallel or stage_is_fixed(pinned)):
        return grid
    usual = grid.combinations
    for step in _steps(request, pinned):
        if not len(grid) or np.any(grid.cap >= 1.0):
            break
        tried = _combinations(usual, request, step, step.counts or counts)
        more = grid_of(request, grid.accelerators, tried, coefficients)
        starting = np.flatnonzero(more.cap >= 1.0)
        if len(starting):
            grid = joined(grid, more.take(starting))
    return grid


def _steps(request: CoreRequest, pinned: Pinned | None) -> Iterator[Concession]:
    stated = pinned is not None and pinned.memory_utilisation is not None
    fractions = () if stated else UTILISATIONS
    yield Concession(over_network=True)
    yield from (Concession(fraction=fraction) for fraction in fractions)
    for cache in request.smaller_caches:
        yield Concession(cache=cache)
        yield from (Concession(cache=cache, fraction=fraction) for fraction in fractions)
    yield Concession(counts=LARGER_COUNTS)


def _combinations(
    usual: Sequence[Combination], request: CoreRequest, step: Concession, counts: tuple[int, ...]
) -> list[Combination]:
    """The usual combinations with what the step changes, each once; layouts anew where it concerns them."""
    found: dict[object, Combination] = {}
    anew = step.over_network or step.counts is not None
    splits: dict[int, list[Layout]] = {}
    for one in usual:
        own = splits.setdefault(
            id(one.weights),
            layouts(request.model, counts, weight_block=weight_block(request.model, one.weights)) if anew else [],
        )
        for layout in own if anew else [one.layout]:
            if one.engine.splits(layout) and (changed := _changed(one, layout, step)) is not None:
                found.setdefault(_identity(changed), changed)
    return list(found.values())


def _changed(one: Combination, layout: Layout, step: Concession) -> Combination | None:
    """The combination after a step; None where the step changes nothing for its engine."""
    usual = one.engine.memory.fraction
    messages: list[Message] = []
    if step.fraction is not None:
        if step.fraction <= usual:
            return None
        params = {"memory_utilisation": step.fraction, "usual": usual}
        messages.append(Message("memory_fraction_raised", dict(params)))
    if step.cache is not None:
        messages.append(Message("memory_cache_format_smaller", {"format": step.cache.slug}))
    return replace(
        one,
        layout=layout,
        cache=step.cache or one.cache,
        memory_utilisation=step.fraction or one.memory_utilisation,
        over_network=step.over_network,
        concessions=tuple(messages),
    )


def _identity(one: Combination) -> object:
    return (
        id(one.engine),
        id(one.weights),
        id(one.cache),
        one.layout,
        one.budget_tokens,
        one.max_sequences,
        one.memory_utilisation,
    )
