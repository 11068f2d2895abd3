"""Which of several prices seen for a part counts."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

from quotes.configure.facts import PartClass, PriceFact
from quotes.configure.prepare import Prepared, PriceKey
from sizing.core.values import Money

PRESS_ESTIMATE = "estimate_press"
NO_PRICE_KINDS = frozenset({"tariff"})
# A firm offer beats a list; a list beats a shop; the order only decides between prices of one day.
KIND_ORDER = ("contract", "quote", "list", "msrp", "street", "government_list")


def price_of(
    slug: str, part_class: PartClass, *, currency: str, as_of: str, prepared: Prepared
) -> tuple[Money | None, Money | None]:
    """The price that may enter a total and, apart from it, an indicative one; None where there is none.

    Press estimates, prices of confidence D, used goods and prices that expired before `as_of` are
    indicative only. Among the others the newest counts; on the same day the order is confidence, kind,
    amount, source. `low` and `high` span all countable prices of the same currency. A price in another
    currency counts only through a stored exchange rate and then says so in `basis`.
    """
    key = (slug, part_class, currency, as_of)
    known = prepared.memo.prices.get(key)
    if known is None:
        known = prepared.memo.prices[key] = _pick(key, prepared)
    return known


def _pick(key: PriceKey, prepared: Prepared) -> tuple[Money | None, Money | None]:
    slug, part_class, currency, as_of = key
    facts = [
        fact
        for fact in prepared.prices.get(slug, ())
        if fact.kind not in NO_PRICE_KINDS and fact.part_class in {None, part_class}
    ]
    countable = [fact for fact in facts if _counts(fact, as_of)]
    weak = [fact for fact in facts if not _counts(fact, as_of)]
    return _best(countable, currency, prepared), _best(weak, currency, prepared)


def _counts(fact: PriceFact, as_of: str) -> bool:
    expired = bool(fact.valid_to) and fact.valid_to < as_of
    return fact.kind != PRESS_ESTIMATE and fact.confidence != "D" and not fact.used and not expired


def _best(facts: Sequence[PriceFact], currency: str, prepared: Prepared) -> Money | None:
    own = [fact for fact in facts if fact.currency == currency]
    if own:
        return _money(own, currency)
    converted = [changed for fact in facts if (changed := _converted(fact, currency, prepared)) is not None]
    if not converted:
        return None
    return _money(converted, currency)


def _money(facts: Sequence[PriceFact], currency: str) -> Money:
    newest = max(fact.as_of for fact in facts)
    best = min((fact for fact in facts if fact.as_of == newest), key=_order)
    return Money(
        amount=best.amount,
        currency=currency,
        low=min(fact.amount for fact in facts),
        high=max(fact.high or fact.amount for fact in facts),
        basis=best.kind,
        source=best.source,
        as_of=best.as_of,
    )


def _order(fact: PriceFact) -> tuple[str, int, Decimal, str]:
    rank = next((i for i, kind in enumerate(KIND_ORDER) if fact.kind.startswith(kind)), len(KIND_ORDER))
    return (fact.confidence or "Z", rank, fact.amount, fact.source)


def _converted(fact: PriceFact, currency: str, prepared: Prepared) -> PriceFact | None:
    rate = prepared.rates.get((fact.currency, currency))
    if rate is not None:
        factor = rate.rate
    elif (inverse := prepared.rates.get((currency, fact.currency))) is not None:
        rate, factor = inverse, 1 / inverse.rate
    else:
        return None
    return replace(
        fact,
        amount=fact.amount * factor,
        high=fact.high * factor if fact.high is not None else None,
        currency=currency,
        kind=f"{fact.kind} {fact.currency} at {rate.rate} ({rate.source}, {rate.as_of})",
    )
