"""Order of priced options and the named roles among them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from sizing.core.values import Message

LOWEST_COST = "lowest_cost"
EARLIEST_DELIVERY = "earliest_delivery"
MOST_HEADROOM = "most_headroom"
ROLES = (LOWEST_COST, EARLIEST_DELIVERY, MOST_HEADROOM)

type Key = tuple[bool | int | float | Decimal | str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankItem:
    """What ordering needs of one option. `key` is the caller's name for it."""

    key: int
    feasible: bool
    cost: Decimal | None  # known part of the purchase; None: nothing known
    cost_bound: Decimal | None  # what it costs at most, open lines at the highest price known of their class
    cost_complete: bool
    open_lines: int
    weeks_p50: float | None
    delivery_complete: bool
    headroom: float
    power_w: float | None
    slug: str
    preferred: bool = False  # looked at first: one server without accelerators, for tables and sensors
    unproven: bool = False  # never first and in no role while another option is sure: may miss a limit, or open price
    supply_doubtful: bool = False  # end of life, or software or a limit of the place that no source vouches for


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """A named role: the option that fills it, or why none does."""

    name: str
    key: int | None
    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Keys best first, role names by key, and every role in fixed order."""

    order: Sequence[int]
    labels: Mapping[int, Sequence[str]]
    roles: Sequence[Role]


def rank(items: Sequence[RankItem]) -> Ranking:
    """Feasible before not, sure supply before doubtful, preferred before others; then by cost.

    Complete totals come first, incomplete ones by what they cost at most: an open line counts at the
    highest price known of its class, so an unknown price never moves an option up. Options without such
    a bound follow by open lines and known sum. Ties: power, then slug, then key. A role goes to a
    feasible option only, lowest cost and earliest delivery to preferred ones where there are any; both
    prefer complete figures and say "at least" where only incomplete ones exist.
    """
    ordered = sorted(
        items, key=lambda item: (not item.feasible, item.supply_doubtful, not item.preferred, *_cost(item))
    )
    feasible = [item for item in ordered if item.feasible and not item.supply_doubtful]
    proven = [item for item in feasible if not item.unproven]
    if proven and ordered[0].unproven:
        ordered = [proven[0], *(item for item in ordered if item is not proven[0])]
    feasible = proven or feasible or [item for item in ordered if item.feasible]
    first = [item for item in feasible if item.preferred] or feasible
    roles = (
        _role(LOWEST_COST, first, _cost, lambda i: i.cost is not None, lambda i: i.cost_complete),
        _sooner_perhaps(
            _role(
                EARLIEST_DELIVERY, first, _delivery, lambda i: i.weeks_p50 is not None, lambda i: i.delivery_complete
            ),
            first,
        ),
        _role(MOST_HEADROOM, feasible, _headroom, lambda i: True, lambda i: True),
    )
    labels: dict[int, list[str]] = {}
    for role in roles:
        if role.key is not None:
            labels.setdefault(role.key, []).append(role.name)
    return Ranking(order=[item.key for item in ordered], labels=labels, roles=roles)


def _sooner_perhaps(role: Role, feasible: Sequence[RankItem]) -> Role:
    """The role of earliest delivery; says so where an option with unknown lines states fewer weeks as a lower bound."""
    best = next((item for item in feasible if item.key == role.key), None)
    if best is None or not best.delivery_complete or best.weeks_p50 is None:
        return role
    bounds = [i.weeks_p50 for i in feasible if not i.delivery_complete and i.weeks_p50 is not None]
    if not bounds or min(bounds) >= best.weeks_p50:
        return role
    return replace(role, message=Message("role_earliest_delivery_complete", {"weeks": round(min(bounds))}))


def _cost(item: RankItem) -> Key:
    known = item.cost if item.cost is not None else Decimal("Infinity")
    bound = item.cost_bound if item.cost_bound is not None else Decimal("Infinity")
    return (not item.cost_complete, bound, item.open_lines, known, *_tie(item))


def _delivery(item: RankItem) -> Key:
    weeks = item.weeks_p50 if item.weeks_p50 is not None else float("inf")
    return (not item.delivery_complete, weeks, *_cost(item))


def _headroom(item: RankItem) -> Key:
    return (-item.headroom, *_cost(item))


def _tie(item: RankItem) -> Key:
    """Power in two digits, as finer differences lie within its interval: then the caller's order decides."""
    power_w = float(f"{item.power_w:.2g}") if item.power_w is not None else float("inf")
    return (power_w, item.slug, item.key)


def _role(
    name: str,
    feasible: Sequence[RankItem],
    key: Callable[[RankItem], Key],
    known: Callable[[RankItem], bool],
    complete: Callable[[RankItem], bool],
) -> Role:
    if not feasible:
        return Role(name=name, key=None, message=Message("role_nothing_feasible"))
    candidates = [item for item in feasible if known(item)]
    if not candidates:
        return Role(name=name, key=None, message=Message(f"role_{name}_unknown"))
    best = min(candidates, key=key)
    code = f"role_{name}" if complete(best) else f"role_{name}_at_least"
    return Role(name=name, key=best.key, message=Message(code))
