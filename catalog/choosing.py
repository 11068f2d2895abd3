"""Which price and which lead time counts: rules over observations already read, no query here.

**Price.** An offer never wins when it is expired or not yet valid, an outlier, of confidence D, a
press estimate, used or refurbished, with VAT inside, for another end customer, for a quantity that
is not reached (tier, minimum order or pack), or in a currency without an exchange rate. Of each
source only its newest observation counts, of its tiers the highest that the quantity reaches.
What is left is ordered by

1. kind: agreed or own price of the organisation, its suppliers' offers, public shop prices, list
   prices, suggested prices;
2. fresh (within the organisation's limit) before stale;
3. a price in the currency asked for before a converted one;
4. a stated price before a range (of a range the upper end counts);
5. among fresh offers the lowest price, among stale ones the newest; then the other of the two, then
   the lowest row number.

**Lead time.** The same exclusions where they apply; the organisation's own sources first, then the
newest. Stock counts only if it covers the quantity. A statement about a class of goods never
stands in for a part. Where nothing is left, the answer is unknown and says why.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Context, Decimal
from statistics import median

from catalog.choices import Condition, Confidence, PriceKind, StockState, TaxBasis
from catalog.models import ExchangeRate, LeadTimeObservation, PriceObservation
from sizing.core.values import Message, Money

DEFAULT_MAX_AGE_DAYS = 30
OUTLIER_FACTOR = 3  # a price this many times off the median of at least OUTLIER_PEERS is not believed
OUTLIER_PEERS = 4
DAYS_PER_WEEK = 7

KIND_ORDER = (
    frozenset({PriceKind.CONTRACT, PriceKind.OWN}),
    frozenset({PriceKind.OFFER}),
    frozenset({PriceKind.STREET}),
    frozenset({PriceKind.LIST, PriceKind.GOVERNMENT_LIST}),
    frozenset({PriceKind.MSRP, PriceKind.ESTIMATE_PRESS}),
)

type Rates = Mapping[tuple[str, str], ExchangeRate]


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceQuestion:
    """What the price is asked for. `currency` is the one the answer must be in."""

    quantity: int
    as_of: date
    currency: str
    end_customer: str = ""
    max_age_days: int = DEFAULT_MAX_AGE_DAYS


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceAnswer:
    """The price that counts, or unknown (`money.amount` None), with the reasons.

    `order_quantity` is the quantity after rounding up to the pack. `rejected` counts the offers
    that could not win, by code. `indicative` is the best figure among press estimates and weak
    sources: for a sizing's rough cost only, never for a quote.
    """

    money: Money
    observation: PriceObservation | None
    order_quantity: int
    age_days: int | None
    is_stale: bool
    why: tuple[Message, ...]
    rejected: Mapping[str, int] = field(default_factory=dict)
    indicative: Money | None = None
    exchange_rate: ExchangeRate | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeadTimeAnswer:
    """Weeks until delivery as stated, or unknown (all None), with the reasons.

    `observations` are all that count, newest first, for whoever wants the distribution.
    """

    weeks_low: float | None
    weeks_typical: float | None
    weeks_high: float | None
    state: StockState
    observation: LeadTimeObservation | None
    age_days: int | None
    is_stale: bool
    why: tuple[Message, ...]
    observations: tuple[LeadTimeObservation, ...] = ()
    rejected: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_known(self) -> bool:
        return any(weeks is not None for weeks in (self.weeks_low, self.weeks_typical, self.weeks_high))


def choose_price(
    observations: Sequence[PriceObservation], question: PriceQuestion, *, rates: Rates | None = None
) -> PriceAnswer:
    """The price that counts among the observations of one thing; see the module for the rules.

    `rates` maps (from, to) to the exchange rate to use. Observations carry `supplier` where known.
    """
    rates = rates or {}
    rejected: Counter[str] = Counter()
    firm: list[PriceObservation] = []
    weak: list[PriceObservation] = []
    for observation in observations:
        code = price_refusal(observation, question, rates)
        if code is None:
            firm.append(observation)
            continue
        rejected[code] += 1
        if code in {"press_estimate", "weak_source"}:
            weak.append(observation)
    believed = _without_outliers(_newest_tier(firm), question, rates, rejected)
    indicative = _cheapest(_newest_tier(weak), question, rates)
    if not believed:
        reasons = tuple(Message(f"price_{code}", {"count": count}) for code, count in sorted(rejected.items()))
        return PriceAnswer(
            money=Money(amount=None, currency=question.currency),
            observation=None,
            order_quantity=question.quantity,
            age_days=None,
            is_stale=False,
            why=reasons or (Message("price_none", {}),),
            rejected=dict(rejected),
            indicative=indicative,
        )
    best = min(believed, key=lambda each: _price_order(each, question, rates))
    return PriceAnswer(
        money=_money(best, question, rates),
        observation=best,
        order_quantity=_order_quantity(best, question),
        age_days=_age_days(best, question),
        is_stale=_age_days(best, question) > question.max_age_days,
        why=_price_reasons(best, question, rates, len(believed)),
        rejected=dict(rejected),
        indicative=indicative,
        exchange_rate=rates.get((best.currency, question.currency)),
    )


def price_refusal(observation: PriceObservation, question: PriceQuestion, rates: Rates) -> str | None:  # noqa: PLR0911
    """Why this offer cannot win, as a code; None where it can."""
    if observation.valid_from > question.as_of or observation.observed_on > question.as_of:
        return "not_yet_valid"
    if observation.valid_to is not None and observation.valid_to < question.as_of:
        return "expired"
    if observation.is_outlier:
        return "outlier"
    if question.quantity < max(observation.min_quantity, observation.minimum_order, observation.pack_size):
        return "quantity_not_reached"
    if observation.end_customer and observation.end_customer.casefold() != question.end_customer.casefold():
        return "other_end_customer"
    if observation.tax_basis == TaxBasis.INCL_VAT:
        return "tax_inside"
    if observation.condition in {Condition.USED, Condition.REFURBISHED}:
        return "not_new"
    if observation.currency != question.currency and (observation.currency, question.currency) not in rates:
        return "no_exchange_rate"
    if observation.kind == PriceKind.ESTIMATE_PRESS:
        return "press_estimate"
    if observation.confidence == Confidence.D:
        return "weak_source"
    return None


def _newest_tier(observations: Sequence[PriceObservation]) -> list[PriceObservation]:
    """Of each source: its newest observation per tier, and of the tiers the highest."""
    tiers: dict[tuple[object, ...], PriceObservation] = {}
    for observation in observations:
        key = (*_source_key(observation), observation.min_quantity)
        known = tiers.get(key)
        if known is None or (observation.observed_on, observation.pk or 0) > (known.observed_on, known.pk or 0):
            tiers[key] = observation
    highest: dict[tuple[object, ...], PriceObservation] = {}
    for observation in tiers.values():
        known = highest.get(_source_key(observation))
        if known is None or observation.min_quantity > known.min_quantity:
            highest[_source_key(observation)] = observation
    return list(highest.values())


def _source_key(observation: PriceObservation) -> tuple[object, ...]:
    return (
        observation.part_id,
        observation.organisation_id,
        observation.supplier_id or observation.source_title,
        observation.supplier_sku,
        observation.kind,
        observation.currency,
        observation.quote_number,
    )


def _without_outliers(
    observations: list[PriceObservation], question: PriceQuestion, rates: Rates, rejected: Counter[str]
) -> list[PriceObservation]:
    if len(observations) < OUTLIER_PEERS:
        return observations
    middle = median(_amount(each, question, rates) for each in observations)
    kept = [
        each
        for each in observations
        if middle / OUTLIER_FACTOR <= _amount(each, question, rates) <= middle * OUTLIER_FACTOR
    ]
    if len(kept) < len(observations):
        rejected["outlier"] += len(observations) - len(kept)
    return kept


def _price_order(observation: PriceObservation, question: PriceQuestion, rates: Rates) -> tuple[object, ...]:
    rank = next(place for place, kinds in enumerate(KIND_ORDER) if observation.kind in kinds)
    age, amount = _age_days(observation, question), _amount(observation, question, rates)
    is_stale = age > question.max_age_days
    last = (age, amount) if is_stale else (amount, age)
    is_converted = observation.currency != question.currency
    return (rank, is_stale, is_converted, observation.price_high is not None, *last, observation.pk or 0)


def _amount(observation: PriceObservation, question: PriceQuestion, rates: Rates) -> Decimal:
    """The price in the wanted currency; of a range the upper end."""
    price = observation.price_high if observation.price_high is not None else observation.unit_price
    return _converted(price, observation.currency, question.currency, rates)


def _converted(price: Decimal, currency: str, wanted: str, rates: Rates) -> Decimal:
    return price if currency == wanted else price * rates[currency, wanted].rate


def _cheapest(observations: list[PriceObservation], question: PriceQuestion, rates: Rates) -> Money | None:
    usable = [each for each in observations if not each.is_outlier]
    if not usable:
        return None
    newest = max(usable, key=lambda each: (each.observed_on, -(each.pk or 0)))
    return _money(newest, question, rates)


def _money(observation: PriceObservation, question: PriceQuestion, rates: Rates) -> Money:
    ranged = observation.price_high is not None
    return Money(
        amount=_amount(observation, question, rates),
        currency=question.currency,
        low=_converted(observation.unit_price, observation.currency, question.currency, rates) if ranged else None,
        high=_amount(observation, question, rates) if ranged else None,
        basis=observation.kind,
        source=observation.supplier.name if observation.supplier else observation.source_title,
        as_of=observation.observed_on.isoformat(),
    )


def _age_days(observation: PriceObservation, question: PriceQuestion) -> int:
    return (question.as_of - observation.observed_on).days


def _order_quantity(observation: PriceObservation, question: PriceQuestion) -> int:
    """The quantity rounded up to whole packs."""
    return -(-question.quantity // observation.pack_size) * observation.pack_size


def _price_reasons(
    best: PriceObservation, question: PriceQuestion, rates: Rates, candidates: int
) -> tuple[Message, ...]:
    age = _age_days(best, question)
    why = [Message("price_chosen", {"kind": best.kind, "candidates": candidates, "age_days": age})]
    if best.currency != question.currency:
        rate = rates[best.currency, question.currency]
        params = {"currency": best.currency, "rate": _stated(rate.rate), "as_of": rate.as_of.isoformat()}
        why.append(Message("price_converted", params))
    if (ordered := _order_quantity(best, question)) != question.quantity:
        why.append(Message("price_rounded_to_pack", {"pack_size": best.pack_size, "quantity": ordered}))
    if best.price_high is not None:
        why.append(Message("price_upper_end", {}))
    if age > question.max_age_days:
        why.append(Message("price_stale", {"age_days": age, "limit_days": question.max_age_days}))
    return tuple(why)


def _stated(rate: Decimal) -> str:
    """Six significant digits: an inverted rate has no end of its own."""
    return f"{Context(prec=6).create_decimal(rate).normalize():f}"


def choose_lead_time(
    observations: Sequence[LeadTimeObservation],
    *,
    quantity: int,
    as_of: date,
    max_age_days: int = DEFAULT_MAX_AGE_DAYS,
) -> LeadTimeAnswer:
    """The lead time that counts among the observations of one thing; see the module for the rules."""
    rejected: Counter[str] = Counter()
    usable = []
    for observation in observations:
        code = lead_time_refusal(observation, quantity, as_of)
        if code is None:
            usable.append(observation)
        else:
            rejected[code] += 1
    usable.sort(key=lambda each: (each.organisation_id is None, -each.observed_on.toordinal(), -(each.pk or 0)))
    if not usable:
        reasons = tuple(Message(f"lead_time_{code}", {"count": count}) for code, count in sorted(rejected.items()))
        return LeadTimeAnswer(
            weeks_low=None,
            weeks_typical=None,
            weeks_high=None,
            state=StockState.UNKNOWN,
            observation=None,
            age_days=None,
            is_stale=False,
            why=reasons or (Message("lead_time_none", {}),),
            rejected=dict(rejected),
        )
    return _lead_time_answer(usable, as_of, max_age_days, rejected)


def lead_time_refusal(observation: LeadTimeObservation, quantity: int, as_of: date) -> str | None:  # noqa: PLR0911
    """Why this statement cannot count, as a code; None where it can."""
    if observation.observed_on > as_of:
        return "not_yet_valid"
    if observation.valid_to is not None and observation.valid_to < as_of:
        return "expired"
    if observation.is_outlier:
        return "outlier"
    if observation.confidence == Confidence.D:
        return "weak_source"
    if observation.state == StockState.DISCONTINUED:
        return "discontinued"
    if observation.promised_on is not None and observation.promised_on < as_of:
        return "promise_passed"
    if observation.state == StockState.IN_STOCK:
        covers = observation.stock_count is None or observation.stock_count >= quantity
        return None if covers else "stock_too_small"
    figures = (observation.weeks_low, observation.weeks_typical, observation.weeks_high, observation.promised_on)
    return "no_figure" if all(figure is None for figure in figures) else None


def _lead_time_answer(
    usable: list[LeadTimeObservation], as_of: date, max_age_days: int, rejected: Counter[str]
) -> LeadTimeAnswer:
    best = usable[0]
    age = (as_of - best.observed_on).days
    why = [Message("lead_time_chosen", {"age_days": age, "candidates": len(usable)})]
    if age > max_age_days:
        why.append(Message("lead_time_stale", {"age_days": age, "limit_days": max_age_days}))
    low, typical, high = weeks_of(best, as_of)
    return LeadTimeAnswer(
        weeks_low=low,
        weeks_typical=typical,
        weeks_high=high,
        state=StockState(best.state),
        observation=best,
        age_days=age,
        is_stale=age > max_age_days,
        why=tuple(why),
        observations=tuple(usable),
        rejected=dict(rejected),
    )


def weeks_of(observation: LeadTimeObservation, as_of: date) -> tuple[float | None, float | None, float | None]:
    """Low, typical and high in weeks from `as_of`: in stock is zero, a promised date is what remains until it."""
    if observation.state == StockState.IN_STOCK and observation.weeks_typical is None:
        return 0.0, 0.0, 0.0
    if observation.promised_on is not None:
        weeks = (observation.promised_on - as_of).days / DAYS_PER_WEEK
        return weeks, weeks, weeks
    low, typical, high = observation.weeks_low, observation.weeks_typical, observation.weeks_high
    return (
        None if low is None else float(low),
        None if typical is None else float(typical),
        None if high is None else float(high),
    )
