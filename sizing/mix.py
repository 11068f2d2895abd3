"""The cheapest mix of servers for one load, exactly: whole numbers of several kinds at once.

Ranking compares options of one kind of server. Where a load does not fill the last server, two kinds together
may cost less; that is a small integer programme, solved by HiGHS (through SciPy), not a search by hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

SLACK = 1e-9  # so that three servers of a third each are enough


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One server as it would be bought. `key` names it; power and height None where not known."""

    key: int
    load_share: float  # of the whole load, within the targets
    cost: Decimal
    power_w: float | None = None
    rack_units: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the place and the budget allow; None means not stated."""

    power_w: float | None = None
    rack_units: float | None = None
    budget: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """Servers by key, none of them 0, with their sums."""

    counts: dict[int, int]
    load_share: float
    cost: Decimal


def best_mix(nodes: Sequence[Node], limits: Limits) -> Mix | None:
    """The cheapest whole numbers of servers that serve the load; None where no numbers do.

    Minimise sum(cost x n) with sum(load share x n) >= 1, power, height and budget within their limits. A server
    whose power or height is unknown cannot keep a stated limit, so it is left out. Ties go to fewer servers, then
    to lower keys.
    """
    usable = sorted((node for node in nodes if _usable(node, limits)), key=lambda node: node.key)
    if not usable:
        return None
    cost = np.array([float(node.cost) for node in usable])
    # A share of the smallest price that no real difference is as small as, so that ties are decided here.
    tie = max(float(cost.min()), 1.0) * 1e-7 * (1 + np.arange(len(usable)) / (10 * len(usable)))
    most = [int(np.ceil(1 / node.load_share)) for node in usable]
    solved = milp(
        cost + tie,
        constraints=_constraints(usable, limits),
        integrality=np.ones(len(usable)),
        bounds=Bounds(0, np.array(most, dtype=float)),
        options={"mip_rel_gap": 0.0},
    )
    if not solved.success or solved.x is None:
        return None
    counts = {node.key: round(number) for node, number in zip(usable, solved.x, strict=True) if round(number)}
    taken = [(node, counts[node.key]) for node in usable if node.key in counts]
    return Mix(
        counts=counts,
        load_share=sum(node.load_share * number for node, number in taken),
        cost=sum((node.cost * number for node, number in taken), start=Decimal(0)),
    )


def _usable(node: Node, limits: Limits) -> bool:
    if node.load_share <= 0 or node.cost <= 0:
        return False
    known_power = limits.power_w is None or node.power_w is not None
    return known_power and (limits.rack_units is None or node.rack_units is not None)


def _constraints(nodes: Sequence[Node], limits: Limits) -> list[LinearConstraint]:
    rows = [LinearConstraint(np.array([[node.load_share for node in nodes]]), 1 - SLACK, np.inf)]
    upper = (
        (limits.power_w, [node.power_w or 0.0 for node in nodes]),
        (limits.rack_units, [node.rack_units or 0.0 for node in nodes]),
        (float(limits.budget) if limits.budget is not None else None, [float(node.cost) for node in nodes]),
    )
    rows += [LinearConstraint(np.array([values]), -np.inf, limit) for limit, values in upper if limit is not None]
    return rows
