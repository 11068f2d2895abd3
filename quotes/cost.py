"""Cost of owning an option, and renting or an API beside it: the public door (pure).

Money is Decimal in one currency and not rounded here. Unknown never counts as zero: sums say
"at least", and advice to buy needs a complete cost.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from quotes.configure.request import BomResult
from quotes.configure.rules import Rules
from quotes.costing.against import FIRM_PRICING, Alternative, advice, apis, model_key, rentals
from quotes.costing.elasticity import Elasticity, Hour, Split, hour_by_hour, own_base_rent_peak
from quotes.costing.own import OwnCost, energy_per_year, own_cost
from quotes.costing.own import money as sum_of
from quotes.costing.sensitivity import Swing, sensitivity
from quotes.costing.terms import ApiRate, CostTerms, Load, Policy, RentalRate
from sizing.core.values import Message

__all__ = [
    "Alternative",
    "ApiRate",
    "Comparison",
    "CostTerms",
    "Elasticity",
    "Hour",
    "Load",
    "OwnCost",
    "Policy",
    "RentalRate",
    "Split",
    "Swing",
    "advice",
    "api_rate_from_row",
    "apis",
    "compare",
    "energy_per_year",
    "hour_by_hour",
    "in_words",
    "model_key",
    "own_base_rent_peak",
    "own_cost",
    "rental_rate_from_row",
    "rentals",
    "sensitivity",
    "sum_of",
]

SHOWN_PER_KIND = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Owning beside renting and APIs, and the advice that follows."""

    own: OwnCost
    against: tuple[Alternative, ...]
    advice: Message


def compare(
    bom: BomResult,
    load: Load,
    terms: CostTerms,
    rules: Rules,
    *,
    accelerator: str,
    model: str,
    rental_rates: Iterable[RentalRate],
    api_rates: Iterable[ApiRate],
) -> Comparison:
    """Cost of owning `bom`, the cheapest rentals of the same accelerators and APIs of the same model.

    `accelerator` is the slug of the option; the count is what the option uses, as bought.
    """
    own = own_cost(bom, load, terms, rules)
    count = bom.layout.accelerators_bought if bom.layout is not None else 0
    rented = rentals(rental_rates, accelerator, count, own=own, load=load, terms=terms) if count else ()
    bought = apis(api_rates, model, own=own, load=load, terms=terms)
    rule_of_thumb = rules.number("requests_per_day_rule_of_thumb")
    return Comparison(
        own=own,
        against=_shown(rented) + _shown(bought),
        advice=advice(rented + bought, own=own, load=load, rule_of_thumb=rule_of_thumb),
    )


def _shown(alternatives: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
    """The first few in their order; firm offers, which decide the advice, before those that may end any hour."""
    firm = [item for item in alternatives if item.pricing_model in FIRM_PRICING]
    other = [item for item in alternatives if item.pricing_model not in FIRM_PRICING]
    kept = (firm[: SHOWN_PER_KIND - 1] + other + firm[SHOWN_PER_KIND - 1 :])[:SHOWN_PER_KIND]
    return tuple(item for item in alternatives if item in kept)


def in_words() -> tuple[tuple[Message, Message, Message, Message], ...]:
    """Rows of the table in words: topic, owning, renting, API. Judgements, not figures of this option."""
    topics = ("privacy", "latency", "control", "maintenance", "setup", "pricing", "migration")
    return tuple(
        (
            Message(f"cost_words_{topic}"),
            Message(f"cost_words_{topic}_own"),
            Message(f"cost_words_{topic}_rent"),
            Message(f"cost_words_{topic}_api"),
        )
        for topic in topics
    )


def rental_rate_from_row(row: Mapping[str, str]) -> RentalRate | None:
    """One row of the cloud-rate file; None for rows on tokens or without accelerator or price."""
    if row["kind"] != "gpu_hour" or not row["accelerator_slug"] or not row["usd_per_gpu_hour"]:
        return None
    return RentalRate(
        provider=row["provider"],
        accelerator=row["accelerator_slug"],
        per_hour=Decimal(row["usd_per_gpu_hour"]),
        pricing_model=row["pricing_model"],
        region=row["region"],
        confidence=row["confidence"],
        source=row["source_title"],
        as_of=row["source_date"],
    )


def api_rate_from_row(row: Mapping[str, str]) -> ApiRate | None:
    """One row of the cloud-rate file; None for rows on hours or without both token prices."""
    if row["kind"] != "api_token" or not row["usd_per_1m_input"] or not row["usd_per_1m_output"]:
        return None
    return ApiRate(
        provider=row["provider"],
        model=row["gpu_or_model"],
        per_million_input=Decimal(row["usd_per_1m_input"]),
        per_million_output=Decimal(row["usd_per_1m_output"]),
        pricing_model=row["pricing_model"],
        region=row["region"],
        confidence=row["confidence"],
        source=row["source_title"],
        as_of=row["source_date"],
    )
