"""Renting and buying tokens beside owning: yearly cost, break-even, advice in words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache

from quotes.costing.own import MILLION, OwnCost
from quotes.costing.terms import DAYS_PER_YEAR, ApiRate, CostTerms, Load, RentalRate
from sizing.core.units import HOURS_PER_YEAR, SECONDS_PER_HOUR
from sizing.core.values import Message, Money

MONTHS_PER_YEAR = 12
# Spot and marketplace offers can end at any hour: shown, but no ground for advice.
FIRM_PRICING = frozenset({"on_demand", "reserved"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedRate:
    """A price as the list of the offer has it, in its own currency, and how many units are taken.

    `quantity` counts accelerators for an `accelerator_hour`, else the tokens of one request.
    """

    unit: str  # "accelerator_hour", "million_input_tokens" or "million_output_tokens"
    price: Money
    quantity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Alternative:
    """One way not to buy.

    `per_year` is the cost of the stated load (API) or of the same accelerators around the clock (rent);
    amount None where the load or an exchange rate is unknown. `per_request` is the cost of one request when
    only used time is paid. `break_even_months`: after that long owning is cheaper at the stated load; None
    where it never is. `break_even_requests_per_day`: from there on owning is cheaper; None where even the
    full capacity does not get there. Both are lower bounds while `at_least` is True, because the purchase
    is incomplete. `allowed` False: the buyer's limits exclude it, so it is never advised. `rates` are what the
    sums are made of, `exchange_rate` leads from their currency to the buyer's; None where none is stored.
    """

    kind: str  # "rent" or "api"
    name: str
    pricing_model: str
    region: str
    per_year: Money
    per_request: Money
    break_even_months: float | None
    break_even_requests_per_day: float | None
    at_least: bool
    allowed: bool
    beyond_capacity: bool = False
    rates: tuple[ListedRate, ...] = ()
    exchange_rate: float | None = None


def rentals(
    rates: Iterable[RentalRate], accelerator: str, count: int, *, own: OwnCost, load: Load, terms: CostTerms
) -> tuple[Alternative, ...]:
    """Cheapest allowed rate of each pricing model for the same accelerators; excluded ones where none is allowed.

    Rates of confidence D are left out. Cost of a request = count x rate / requests an hour at full load.
    """
    found = []
    for rate in _cheapest(rate for rate in rates if rate.accelerator == accelerator and rate.confidence != "D"):
        hour = terms.convert(rate.per_hour * count, rate.currency)
        capacity = load.capacity_requests_per_s
        request = None
        if hour is not None and capacity:
            request = hour / Decimal(str(capacity * SECONDS_PER_HOUR))
        year = None if hour is None else hour * HOURS_PER_YEAR
        listed = (_listed("accelerator_hour", rate.per_hour, rate, count),)
        found.append(_alternative("rent", rate, year, request, own=own, load=load, terms=terms, listed=listed))
    return tuple(sorted(found, key=_order))


def _cheapest(rates: Iterable[RentalRate]) -> list[RentalRate]:
    best: dict[str, RentalRate] = {}
    for rate in sorted(rates, key=lambda rate: (rate.per_hour, rate.provider, rate.region, rate.source)):
        best.setdefault(rate.pricing_model, rate)
    return list(best.values())


def apis(
    rates: Iterable[ApiRate], model: str, *, own: OwnCost, load: Load, terms: CostTerms
) -> tuple[Alternative, ...]:
    """Prices of the same model per token, cheapest first. Rates of confidence D are left out."""
    found = []
    for rate in _newest(rates, model_key(model)):
        cost = (
            rate.per_million_input * Decimal(str(load.input_tokens))
            + rate.per_million_output * Decimal(str(load.output_tokens))
        ) / MILLION
        request = terms.convert(cost, rate.currency)
        year = None
        if request is not None and load.requests_per_day is not None:
            year = request * Decimal(str(load.requests_per_day)) * DAYS_PER_YEAR
        listed = (
            _listed("million_input_tokens", rate.per_million_input, rate, load.input_tokens),
            _listed("million_output_tokens", rate.per_million_output, rate, load.output_tokens),
        )
        found.append(_alternative("api", rate, year, request, own=own, load=load, terms=terms, listed=listed))
    return tuple(sorted(found, key=_order))


def _newest(rates: Iterable[ApiRate], wanted: str) -> list[ApiRate]:
    """Rates of the model; of equal prices of one provider, seen on several days, the last."""
    last: dict[tuple[object, ...], ApiRate] = {}
    for rate in rates:
        if model_key(rate.model) == wanted and rate.confidence != "D":
            prices = (rate.per_million_input, rate.per_million_output, rate.currency)
            key = (rate.provider, rate.pricing_model, rate.region, *prices)
            last[key] = max(last.get(key, rate), rate, key=lambda each: each.as_of)
    return list(last.values())


@lru_cache(maxsize=4096)
def model_key(name: str) -> str:
    """Model name without owner, case and the words that providers add ("meta-llama/Meta-Llama-3.1-8B-Instruct")."""
    key = name.rsplit("/", 1)[-1].lower().removeprefix("meta-")
    return key.removesuffix("-turbo").removesuffix("-fp8")


def _alternative(
    kind: str,
    rate: RentalRate | ApiRate,
    year: Decimal | None,
    request: Decimal | None,
    *,
    own: OwnCost,
    load: Load,
    terms: CostTerms,
    listed: tuple[ListedRate, ...],
) -> Alternative:
    from_requests = _break_even_requests(own, request)
    capacity = load.capacity_per_day
    beyond = from_requests is not None and capacity is not None and from_requests > capacity
    return Alternative(
        kind=kind,
        name=rate.provider,
        pricing_model=rate.pricing_model,
        region=rate.region,
        per_year=_priced(year, rate, terms),
        per_request=_priced(request, rate, terms),
        break_even_months=_break_even_months(own, year),
        break_even_requests_per_day=None if beyond else from_requests,
        at_least=not own.per_year_complete,
        allowed=terms.policy.allows(rate.provider, rate.region),
        beyond_capacity=beyond,
        rates=listed,
        exchange_rate=_exchange_rate(rate, terms),
    )


def _listed(unit: str, amount: Decimal, rate: RentalRate | ApiRate, quantity: float) -> ListedRate:
    price = Money(amount=amount, currency=rate.currency, basis=rate.pricing_model, source=rate.source, as_of=rate.as_of)
    return ListedRate(unit=unit, price=price, quantity=quantity)


def _exchange_rate(rate: RentalRate | ApiRate, terms: CostTerms) -> float | None:
    one = terms.convert(Decimal(1), rate.currency)
    return None if one is None else float(one)


def _priced(amount: Decimal | None, rate: RentalRate | ApiRate, terms: CostTerms) -> Money:
    return Money(amount=amount, currency=terms.currency, basis=rate.pricing_model, source=rate.source, as_of=rate.as_of)


def _break_even_months(own: OwnCost, year: Decimal | None) -> float | None:
    """Months until the purchase is earned back: purchase / (alternative - own running cost) per month."""
    running, purchase = own.running_per_year.amount, own.purchase.amount
    if year is None or running is None or purchase is None or year <= running:
        return None
    return float(purchase / ((year - running) / MONTHS_PER_YEAR))


def _break_even_requests(own: OwnCost, request: Decimal | None) -> float | None:
    """Requests a day from which owning is cheaper: own cost of a day / cost of one request."""
    if not request or own.per_year.amount is None:
        return None
    return float(own.per_year.amount / DAYS_PER_YEAR / request)


def _order(alternative: Alternative) -> tuple[bool, Decimal, str, str, str]:
    amount = alternative.per_request.amount
    return (
        not alternative.allowed,
        amount if amount is not None else Decimal("Infinity"),
        alternative.name,
        alternative.pricing_model,
        alternative.region,
    )


def advice(alternatives: Sequence[Alternative], *, own: OwnCost, load: Load, rule_of_thumb: float) -> Message:
    """Whether to buy, in words. The hardest allowed alternative decides: the one with the highest threshold.

    Below its threshold: do not buy, even where the purchase is incomplete, for then the threshold is a
    lower bound. Above it: buy, only where the cost of owning is complete; else undecided. Spot and
    marketplace rates do not decide.
    """
    allowed = [item for item in alternatives if item.allowed and _is_firm(item)]
    if not allowed:
        excluded = alternatives and not any(item.allowed for item in alternatives)
        return Message("cost_only_owning_allowed" if excluded else "cost_no_comparison", {})
    if load.requests_per_day is None:
        return Message("cost_load_unknown", {})
    hardest = min(allowed, key=_order)
    params: dict[str, str | int | float | None] = {
        "kind": hardest.kind,
        "name": hardest.name,
        "requests_per_day": round(load.requests_per_day),
        "break_even_requests_per_day": _ceil(hardest.break_even_requests_per_day),
        "rule_of_thumb_requests_per_day": round(rule_of_thumb),
        "open_lines": own.open_lines,
    }
    if hardest.beyond_capacity:
        return Message("cost_alternative_always_cheaper", params)
    threshold = hardest.break_even_requests_per_day
    if threshold is not None and load.requests_per_day < threshold:
        return Message(f"cost_do_not_buy_below_{hardest.kind}", params)
    if not own.per_year_complete:
        code = "cost_undecided_incomplete" if threshold else "cost_undecided_no_prices"
        return Message(code, params)
    return Message("cost_buy", params)


def _is_firm(alternative: Alternative) -> bool:
    return alternative.pricing_model in FIRM_PRICING and alternative.per_request.amount is not None


def _ceil(value: float | None) -> int | None:
    return None if value is None else int(-(-value // 1))
