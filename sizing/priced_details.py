"""What stands behind an option beyond its figures: failures, hours of a day, what moves the cost, what is sooner."""

from collections.abc import Mapping
from typing import Any

from quotes import bom, cost, delivery
from sizing.core.candidate import Candidate
from sizing.core.kinds.candidate import KindCandidate
from sizing.priced import (
    Market,
    PricedOption,
    bom_request,
    cost_terms,
    delivery_terms,
    peak_requests_per_s,
    stated_load,
)
from sizing.result import money, plain

FLAT = (1.0,)  # without a profile the stated load is that of every hour
SHOWN_SPLITS = 3
SHOWN_SUBSTITUTES = 5
ON_DEMAND = "on_demand"


def details(option: PricedOption, market: Market) -> dict[str, Any]:
    """Further keys of one entry of `options`, from `redundancy` to `efficiency`."""
    load, terms = stated_load(option.candidate, market), cost_terms(market)
    plan = _plan(option, market, load)
    return {
        "redundancy": _redundancy(option, plan) | _rates(option, market, load),
        "elasticity": _elasticity(option, market, plan, terms),
        "cost_sensitivity": [plain(swing) for swing in cost.sensitivity(option.bom, load, terms, market.rules)],
        "delivery_what_if": _what_if(option, market),
        "efficiency": _efficiency(option, load),
    }


def _profile(market: Market) -> tuple[float, ...]:
    return market.traffic.load_profile if market.traffic is not None else ()


def _plan(option: PricedOption, market: Market, load: cost.Load) -> cost.Elasticity | None:
    """Replicas hour by hour; None where load or capacity of a replica is not known."""
    deployment = option.candidate.deployment
    peak, capacity = peak_requests_per_s(option.candidate, market), load.capacity_requests_per_s
    if not peak or not capacity or not deployment.replicas:
        return None
    return cost.hour_by_hour(
        _profile(market) or FLAT,
        requests_per_s=peak,
        replica_requests_per_s=capacity / deployment.replicas,
        replicas=deployment.replicas + deployment.spare_replicas,
        layout=option.bom.layout,
    )


def _redundancy(option: PricedOption, plan: cost.Elasticity | None) -> dict[str, Any]:
    """Failure domains: what one accelerator, one server and one power supply take with them."""
    deployment, layout = option.candidate.deployment, option.bom.layout
    installed = deployment.replicas + deployment.spare_replicas
    return {
        "replicas": installed,
        "spare_replicas": deployment.spare_replicas,
        "servers": option.bom.servers,
        "lost_with_one_server": layout.lost_with_one_node if layout else None,
        "servers_per_replica": _servers_per_replica(option),
        "capacity_after_failure": plan.capacity_after_failure if plan else None,
        "needed_at_peak": plan.most_replicas if plan else None,
        "survives_failure_at_peak": plan.survives_failure_at_peak if plan else None,
        "missing_for_one_failure": plan.missing_for_one_failure if plan else None,
    }


def _rates(option: PricedOption, market: Market, load: cost.Load) -> dict[str, float | None]:
    """Requests per second at the peak, and what one replica serves within the targets."""
    replicas, capacity = option.candidate.deployment.replicas, load.capacity_requests_per_s
    return {
        "peak_requests_per_s": peak_requests_per_s(option.candidate, market),
        "replica_requests_per_s": capacity / replicas if capacity and replicas else None,
    }


def _servers_per_replica(option: PricedOption) -> int | None:
    layout = option.bom.layout
    if layout is None:
        return None
    installed = option.candidate.deployment.replicas + option.candidate.deployment.spare_replicas
    return max(option.bom.servers // max(installed, 1), 1) if layout.spans_nodes else 1


def _elasticity(
    option: PricedOption, market: Market, plan: cost.Elasticity | None, terms: cost.CostTerms
) -> dict[str, Any] | None:
    """The hours of the stated profile; None without a profile or where the plan cannot be made."""
    profile = _profile(market)
    if plan is None or not profile:
        return None
    return {
        "replicas_needed": [hour.replicas_needed for hour in plan.hours],
        "replicas_idle": [hour.replicas_idle for hour in plan.hours],
        "requests_per_s": [round(hour.requests_per_s, 4) for hour in plan.hours],
        "least_replicas": plan.least_replicas,
        "most_replicas": plan.most_replicas,
        "idle_share": plan.idle_share,
        "uncovered_hours": sum(1 for hour in plan.hours if not hour.covered),
        "signals": plain(plan.signals),
        "own_and_rent": _splits(option, market, plan, terms),
    }


def _splits(
    option: PricedOption, market: Market, plan: cost.Elasticity, terms: cost.CostTerms
) -> dict[str, Any] | None:
    """Owning a base and renting the peak, the cheapest split first; None where nothing may or can be rented."""
    deployment = option.candidate.deployment
    rate = _rental(deployment.accelerator.slug, market, terms)
    if rate is None:
        return None
    replicas = deployment.replicas + deployment.spare_replicas
    found = cost.own_base_rent_peak(
        plan,
        own=option.comparison.own,
        replicas=replicas,
        cards_per_replica=deployment.accelerators_per_replica,
        rate=rate,
        terms=terms,
    )
    kept = {split.owned_replicas: split for split in [*found[:SHOWN_SPLITS]]}
    kept |= {split.owned_replicas: split for split in found if split.owned_replicas in {0, plan.most_replicas}}
    if not kept:
        return None
    return {
        "provider": rate.provider,
        "source": rate.source,
        "as_of": rate.as_of,
        "splits": [
            {
                "owned_replicas": split.owned_replicas,
                "rented_replica_hours": round(split.rented_replica_hours),
                "per_year": money(cost.sum_of(split.per_year, terms, complete=not split.at_least)),
            }
            for split in found
            if split.owned_replicas in kept
        ],
    }


def _rental(accelerator: str, market: Market, terms: cost.CostTerms) -> cost.RentalRate | None:
    """The cheapest firm hourly rate of this accelerator that the buyer's limits allow."""
    rates = [
        rate
        for rate in market.rental_rates
        if rate.accelerator == accelerator
        and rate.pricing_model == ON_DEMAND
        and rate.confidence != "D"
        and terms.policy.allows(rate.provider, rate.region)
        and terms.convert(rate.per_hour, rate.currency) is not None
    ]
    return min(rates, key=lambda rate: (terms.convert(rate.per_hour, rate.currency), rate.provider), default=None)


def _what_if(option: PricedOption, market: Market) -> dict[str, Any] | None:
    """What decides after the deciding line, and parts that would do in its place; None where no line decides."""
    terms, lines = delivery_terms(market), option.bom.lines
    after = delivery.next_critical(lines, terms)
    if after is None:
        return None
    deciding = next(line for line in lines if line.line == after.line)
    substitutes = bom.substitutes_for(
        option.bom, deciding, bom_request(option.candidate, market), market.hardware, market.rules
    )
    effects = delivery.substitute_effects(lines, terms, substitutes)
    names = {line.line: line.name for line in lines}
    return {
        "without_line": {
            "line": after.line,
            "name": after.name,
            "weeks_p50": after.weeks_p50,
            "weeks_saved": after.weeks_saved,
            "next_line": after.next_line,
            "next_name": names.get(after.next_line or "", ""),
        },
        "after_parts_weeks": terms.after_parts_weeks,
        "substitutes": [
            {
                "line": effect.line,
                "part": effect.part,
                "name": effect.name,
                "weeks_p50": effect.weeks_p50,
                "weeks_saved": effect.weeks_saved,
                "price_difference": money(effect.price_difference),
                "performance_share": effect.performance_share,
                "next_line": effect.next_line,
            }
            for effect in effects[:SHOWN_SUBSTITUTES]
        ],
    }


def _efficiency(option: PricedOption, load: cost.Load) -> Mapping[str, Any]:
    """Throughput at the stated load for each watt drawn and each rack unit; None where a part of it is unknown."""
    throughput, unit = _throughput(option.candidate, load)
    power, units = option.bom.power_typical_w.value, option.bom.rack_units
    return {
        "per_w": throughput / power if throughput and power else None,
        "per_rack_unit": throughput / units if throughput and units else None,
        "unit": unit,
        "headroom": option.candidate.headroom,
    }


def _throughput(candidate: Candidate | KindCandidate, load: cost.Load) -> tuple[float | None, str]:
    """Output tokens per second at the stated load; for other kinds units per second at full load."""
    if isinstance(candidate, Candidate):
        return candidate.performance.output_tokens_per_s_total.value, "token"
    capacity = load.capacity_requests_per_s
    return (capacity * load.units if capacity else None), load.unit
