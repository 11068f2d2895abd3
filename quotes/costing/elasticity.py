"""Replicas hour by hour: what the load needs, what stands idle, what one failure leaves, what to rent."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import ceil

from quotes.configure.request import NodeLayout
from quotes.costing.own import OwnCost
from quotes.costing.terms import CostTerms, RentalRate
from sizing.core.units import HOURS_PER_YEAR
from sizing.core.values import Message

# What a running service is scaled on, the earliest signal first.
SIGNALS = ("cost_signal_queue", "cost_signal_in_flight", "cost_signal_ttft", "cost_signal_free_kv")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hour:
    """One hour of the profile: requests per second, replicas that serve it, replicas that stand idle."""

    hour: int
    requests_per_s: float
    replicas_needed: int
    replicas_idle: int
    covered: bool  # False where the installed replicas do not serve it


@dataclass(frozen=True, slots=True, kw_only=True)
class Elasticity:
    """A load profile on the installed replicas. `idle_share` is the share of replica-hours not needed.

    `capacity_after_failure` is the share of the replicas that runs on when one server fails; None where
    the layout is unknown.
    """

    hours: tuple[Hour, ...]
    least_replicas: int
    most_replicas: int
    idle_share: float
    capacity_after_failure: float | None
    survives_failure_at_peak: bool | None
    missing_for_one_failure: int | None  # replicas to add so that the peak is served with one server out of order
    signals: tuple[Message, ...]


def hour_by_hour(
    profile: Sequence[float],
    *,
    requests_per_s: float,
    replica_requests_per_s: float,
    replicas: int,
    layout: NodeLayout | None,
) -> Elasticity:
    """Replicas needed for each hour of a day (24 values) or week (168).

    `profile` multiplies `requests_per_s`; `replica_requests_per_s` is what one replica serves within the
    targets. Needed = load / that, rounded up. Raises ValueError on an empty profile or no capacity.
    """
    if not profile or replica_requests_per_s <= 0:
        raise ValueError("a profile and a positive capacity are needed")
    hours = tuple(
        _hour(number, requests_per_s * share, replica_requests_per_s, replicas) for number, share in enumerate(profile)
    )
    most = max(hour.replicas_needed for hour in hours)
    left = None if layout is None else max(replicas - layout.lost_with_one_node, 0)
    return Elasticity(
        hours=hours,
        least_replicas=min(hour.replicas_needed for hour in hours),
        most_replicas=most,
        idle_share=sum(hour.replicas_idle for hour in hours) / (replicas * len(hours)) if replicas else 0.0,
        capacity_after_failure=None if left is None or not replicas else left / replicas,
        survives_failure_at_peak=None if left is None else left >= most,
        missing_for_one_failure=None if left is None else max(most - left, 0),
        signals=tuple(Message(code) for code in SIGNALS),
    )


def _hour(number: int, load: float, capacity: float, replicas: int) -> Hour:
    # Rounded first, so that 3.0000000001 replicas are three.
    needed = ceil(round(load / capacity, 9))
    return Hour(
        hour=number,
        requests_per_s=load,
        replicas_needed=needed,
        replicas_idle=max(replicas - needed, 0),
        covered=needed <= replicas,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """Owning `owned_replicas` and renting what the hours above need, per year."""

    owned_replicas: int
    rented_replica_hours: float
    own_per_year: Decimal
    rent_per_year: Decimal
    at_least: bool

    @property
    def per_year(self) -> Decimal:
        return self.own_per_year + self.rent_per_year


def own_base_rent_peak(
    plan: Elasticity, *, own: OwnCost, replicas: int, cards_per_replica: int, rate: RentalRate, terms: CostTerms
) -> tuple[Split, ...]:
    """Every split from renting all to owning the peak, cheapest first, then by fewer owned replicas.

    Cost of owning is taken in proportion to the replicas owned: an approximation, because servers come
    whole. Empty where the cost of owning or the exchange rate is unknown. Rented hours are billed whole.
    """
    hourly = terms.convert(rate.per_hour * cards_per_replica, rate.currency)
    if hourly is None or own.per_year.amount is None or not replicas:
        return ()
    cycles = HOURS_PER_YEAR / len(plan.hours)
    splits = []
    for owned in range(plan.most_replicas + 1):
        rented = sum(max(hour.replicas_needed - owned, 0) for hour in plan.hours) * cycles
        splits.append(
            Split(
                owned_replicas=owned,
                rented_replica_hours=rented,
                own_per_year=own.per_year.amount * owned / replicas,
                rent_per_year=hourly * Decimal(str(round(rented, 6))),
                at_least=not own.per_year_complete and owned > 0,
            )
        )
    return tuple(sorted(splits, key=lambda split: (split.per_year, split.owned_replicas)))
