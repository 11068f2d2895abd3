"""Observations of delivery times as one distribution per line."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from quotes.configure.facts import LeadTimeFact, PartClass
from quotes.configure.prepare import Prepared
from quotes.configure.request import LeadTime
from quotes.configure.rules import Rules

# Class statements of these say whose parts they mean ("AMD server CPUs", "FS optics").
CLASSES_WITH_VENDOR = frozenset({PartClass.CPU, PartClass.TRANSCEIVER})


def lead_time_of(
    slug: str,
    part_class: PartClass,
    *,
    vendor: str,
    as_of: str,
    prepared: Prepared,
    rules: Rules,
    own_only: bool = False,
) -> LeadTime | None:
    """Lead time of an item from its own observations, else from those of its class; None where there are none.

    `own_only` leaves class statements out: those on accelerators speak of data-centre cards alone.
    """
    key = (slug, part_class, f"{vendor} {own_only}", as_of)
    memo = prepared.memo
    if memo.leads_rules is not rules:
        memo.leads.clear()
        memo.leads_rules = rules
    if key not in memo.leads:
        own = [fact for fact in prepared.lead_by_slug.get(slug, ()) if fact.part_class is part_class] if slug else []
        found = combine(own, as_of=as_of, rules=rules)
        if found is None and not own_only:
            shared = [fact for fact in prepared.lead_by_class.get(part_class, ()) if _speaks_for(fact, vendor)]
            found = combine(shared, as_of=as_of, rules=rules, for_class=True)
        memo.leads[key] = found
    return memo.leads[key]


def _speaks_for(fact: LeadTimeFact, vendor: str) -> bool:
    if fact.vendor:
        return fact.vendor.lower() == vendor.lower()
    return fact.part_class not in CLASSES_WITH_VENDOR


@dataclass(frozen=True, slots=True, kw_only=True)
class _Weighted:
    weight: float
    low: float
    typical: float
    high: float
    fact: LeadTimeFact


def combine(facts: Sequence[LeadTimeFact], *, as_of: str, rules: Rules, for_class: bool = False) -> LeadTime | None:
    """Weighted mean of the low, typical and high weeks of `facts`; None where there is none.

    The printed range is read as p10 to p90, the typical figure as p50 (the middle of the range where none
    is printed). Each observation weighs 1/2 per `lead_half_life_days` of age. One older than
    `lead_widens_after_days` has its range widened by a factor of age / that limit.
    Source: quote rules, section delivery; docs/method.md#delivery.
    """
    weighted = [item for fact in facts if (item := _weigh(fact, as_of, rules)) is not None]
    total = sum(item.weight for item in weighted)
    if total <= 0:
        return None
    newest = max(weighted, key=lambda item: (item.weight, item.fact.source, item.fact.as_of))
    return LeadTime(
        low=sum(item.weight * item.low for item in weighted) / total,
        typical=sum(item.weight * item.typical for item in weighted) / total,
        high=sum(item.weight * item.high for item in weighted) / total,
        source=newest.fact.source,
        as_of=newest.fact.as_of,
        for_class=for_class,
        at_least=any(item.fact.open_end for item in weighted),
        observations=tuple(facts),
    )


def _weigh(fact: LeadTimeFact, as_of: str, rules: Rules) -> _Weighted | None:
    typical = _typical(fact)
    if typical is None:
        return None
    age_days = max((date.fromisoformat(as_of) - date.fromisoformat(fact.as_of)).days, 0)
    limit = rules.number("lead_widens_after_days")
    widen = age_days / limit if age_days > limit else 1.0
    spread = typical * rules.number("lead_point_spread")
    below = typical - fact.weeks_low if fact.weeks_low is not None else spread
    above = fact.weeks_high - typical if fact.weeks_high is not None else spread
    return _Weighted(
        weight=0.5 ** (age_days / rules.number("lead_half_life_days")),
        low=max(typical - below * widen, 0.0),
        typical=typical,
        high=typical + above * widen,
        fact=fact,
    )


def _typical(fact: LeadTimeFact) -> float | None:
    if fact.weeks_typical is not None:
        return fact.weeks_typical
    if fact.weeks_low is not None and fact.weeks_high is not None:
        return (fact.weeks_low + fact.weeks_high) / 2
    return fact.weeks_high if fact.weeks_high is not None else fact.weeks_low
