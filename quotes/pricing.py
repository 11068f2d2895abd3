"""Prices of a quote in Decimal: quantity breaks, packs, discounts, rounding, tax, totals.

Rounding: half up, once per line, to the minor unit of the currency. A unit price that follows
from a discount is rounded where it is stated, because the reader multiplies what is printed;
the extended price is then exact for whole quantities. Tax is rounded once per rate, on the sum
of the printed lines of that rate. Every total is a sum of printed values.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_HALF_UP, Decimal, localcontext

# ISO 4217 minor units that differ from two (list one, 2024 edition).
_MINOR_UNITS: Mapping[str, int] = {
    **dict.fromkeys(("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG"), 0),
    **dict.fromkeys(("RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF", "XPF"), 0),
    **dict.fromkeys(("BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"), 3),
}
_WORKING_DIGITS = 40
HUNDRED = Decimal(100)
COUNTED = frozenset({"base", "service", "licence", "discount"})
OUTSIDE = frozenset({"option", "alternative"})


class PricingError(ValueError):
    """A line that cannot be priced: the message names the line, the value and the remedy."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """A quantity break: `unit_price` holds from `from_quantity` sale units on."""

    from_quantity: Decimal
    unit_price: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class LineInput:
    """One line as stated. `quantity` counts sale units (packs, where a pack is sold).

    `unit_net` None means that the price is open; such a line never counts as 0.
    `tax_rate_pct` None means that no rate is set for the line.
    """

    number: str
    section: str
    kind: str
    quantity: Decimal
    unit_net: Decimal | None
    alternative_to: str = ""
    tax_rate_pct: Decimal | None = None

    def __post_init__(self) -> None:
        if self.quantity <= 0:
            raise PricingError(f"line {self.number}: quantity must be above 0, got {self.quantity}")
        if self.kind not in COUNTED | OUTSIDE | {"included"}:
            raise PricingError(f"line {self.number}: unknown kind {self.kind!r}")
        if self.unit_net is not None and self.unit_net < 0 and self.kind != "discount":
            raise PricingError(f"line {self.number}: only a discount may be negative, got {self.unit_net}")


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedLine:
    """`extended` and `delta` are None where a price is open. `counts` says whether it is in the total.

    `delta` is set for options (what they add) and alternatives (difference to the line they replace).
    """

    number: str
    section: str
    kind: str
    extended: Decimal | None
    delta: Decimal | None
    counts: bool
    is_open: bool
    tax_rate_pct: Decimal | None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaxSum:
    """Tax of one rate on the sum of its lines."""

    rate_pct: Decimal
    base: Decimal
    amount: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Margin:
    """What stays of the lines whose cost is known. `share_pct` is of their net price, None where that is 0."""

    net: Decimal
    cost: Decimal
    share_pct: Decimal | None
    lines_without_cost: tuple[str, ...]

    @property
    def amount(self) -> Decimal:
        return self.net - self.cost


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionSum:
    section: str
    net: Decimal
    open_lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Sums of a quote. With `open_lines` not empty the net is a sum of the known lines only.

    `gross` is None where a counted line has no tax rate. `early_payment` is the discount amount.
    """

    currency: str
    lines: tuple[PricedLine, ...]
    sections: tuple[SectionSum, ...]
    net: Decimal
    taxes: tuple[TaxSum, ...]
    gross: Decimal | None
    early_payment: Decimal | None
    payable_early: Decimal | None
    open_lines: tuple[str, ...]
    counted_lines: int

    @property
    def complete(self) -> bool:
        return not self.open_lines


def minor_digits(currency: str) -> int:
    """Decimal places of the currency's minor unit (ISO 4217)."""
    return _MINOR_UNITS.get(currency, 2)


def round_money(amount: Decimal, currency: str) -> Decimal:
    """`amount` rounded half up, away from zero, to the minor unit of `currency`."""
    with localcontext() as context:
        context.prec = _WORKING_DIGITS
        return amount.quantize(Decimal(1).scaleb(-minor_digits(currency)), rounding=ROUND_HALF_UP)


def discounted_unit_price(list_price: Decimal, discount_pct: Decimal, currency: str) -> Decimal:
    """List price less a percentage, rounded as it will be printed. The discount lies in 0..100."""
    if not 0 <= discount_pct <= HUNDRED:
        raise PricingError(f"discount must lie in 0 to 100 %, got {discount_pct}")
    return round_money(list_price * (HUNDRED - discount_pct) / HUNDRED, currency)


def tier_price(tiers: Sequence[Tier], quantity: Decimal) -> Decimal | None:
    """Unit price of the highest break that `quantity` reaches; None below the first one.

    `tiers` may come in any order; two breaks at one quantity are an error.
    """
    if len({tier.from_quantity for tier in tiers}) != len(tiers):
        raise PricingError("two prices for the same quantity break")
    reached = [tier for tier in tiers if tier.from_quantity <= quantity]
    return max(reached, key=lambda tier: tier.from_quantity).unit_price if reached else None


def sale_units(pieces: Decimal, *, pack_size: int = 1, minimum_units: int = 1, multiple: int = 1) -> Decimal:
    """How many sale units (packs) to order so that at least `pieces` arrive.

    Rounds up to whole packs, to the minimum order and to the order multiple (both in sale units):
    never undercounts, never takes a pack for a piece.
    """
    if pieces <= 0 or pack_size < 1 or minimum_units < 1 or multiple < 1:
        raise PricingError(f"pieces, pack size, minimum and multiple must be positive, got {pieces}, {pack_size}")
    packs = max((pieces / pack_size).to_integral_value(rounding=ROUND_CEILING), Decimal(minimum_units))
    return (packs / multiple).to_integral_value(rounding=ROUND_CEILING) * multiple


def converted(amount: Decimal, *, rate: Decimal, currency: str) -> Decimal:
    """`amount` times `rate` (units of `currency` per unit of the amount's own), rounded to be printed."""
    if rate <= 0:
        raise PricingError(f"exchange rate must be positive, got {rate}")
    return round_money(amount * rate, currency)


def extended_price(line: LineInput, currency: str) -> Decimal | None:
    """Quantity times unit price, rounded half up; None where the price is open or included."""
    if line.unit_net is None or line.kind == "included":
        return None
    with localcontext() as context:
        context.prec = _WORKING_DIGITS
        return round_money(line.quantity * line.unit_net, currency)


def price_quote(
    lines: Sequence[LineInput],
    *,
    currency: str,
    early_payment_pct: Decimal | None = None,
    with_tax: bool = False,
) -> Totals:
    """Totals of the lines in their order. Options, alternatives and included lines stand outside.

    Raises PricingError for a line number used twice or an alternative to a line that is not there.
    """
    priced = _priced_lines(lines, currency)
    counted = [line for line in priced if line.counts]
    zero = round_money(Decimal(0), currency)
    net = sum((line.extended for line in counted if line.extended is not None), zero)
    taxes = _taxes(counted, currency) if with_tax else ()
    open_lines = tuple(line.number for line in counted if line.is_open)
    rates_known = with_tax and all(line.tax_rate_pct is not None for line in counted)
    gross = net + sum((tax.amount for tax in taxes), zero) if rates_known else None
    payable_base = gross if with_tax else net
    early = None
    if early_payment_pct is not None and payable_base is not None:
        early = round_money(payable_base * early_payment_pct / HUNDRED, currency)
    return Totals(
        currency=currency,
        lines=priced,
        sections=_sections(priced, zero),
        net=net,
        taxes=taxes,
        gross=gross,
        early_payment=early,
        payable_early=payable_base - early if early is not None and payable_base is not None else None,
        open_lines=open_lines,
        counted_lines=len(counted),
    )


def margin(totals: Totals, unit_costs: Mapping[str, Decimal | None], quantities: Mapping[str, Decimal]) -> Margin:
    """Margin over the counted lines with price and cost; both mappings are by line number.

    A discount line has no cost of its own and counts with cost 0; every other line without cost is named.
    """
    net, cost, missing = Decimal(0), Decimal(0), []
    for line in totals.lines:
        unit_cost = Decimal(0) if line.kind == "discount" else unit_costs.get(line.number)
        if not line.counts or line.extended is None:
            continue
        if unit_cost is None:
            missing.append(line.number)
            continue
        net += line.extended
        cost += round_money(unit_cost * quantities[line.number], totals.currency)
    share = (net - cost) * HUNDRED / net if net else None
    return Margin(net=net, cost=cost, share_pct=share, lines_without_cost=tuple(missing))


def total_discounts(totals: Totals, discount_pct: Decimal) -> tuple[tuple[Decimal | None, Decimal], ...]:
    """A discount on the whole, split by tax rate: (rate, negative amount) for each rate in use.

    Each amount is rounded once, so that tax by rate stays a sum of printed lines. Raises PricingError
    outside 0 to 100 %.
    """
    if not 0 < discount_pct <= HUNDRED:
        raise PricingError(f"discount must lie in 0 to 100 %, got {discount_pct}")
    bases: dict[Decimal | None, Decimal] = {}
    for line in totals.lines:
        if line.counts and line.extended is not None:
            bases[line.tax_rate_pct] = bases.get(line.tax_rate_pct, Decimal(0)) + line.extended
    rates = sorted(bases, key=lambda rate: (rate is None, rate or Decimal(0)))
    return tuple((rate, -round_money(bases[rate] * discount_pct / HUNDRED, totals.currency)) for rate in rates)


def _priced_lines(lines: Sequence[LineInput], currency: str) -> tuple[PricedLine, ...]:
    extended: dict[str, Decimal | None] = {}
    for line in lines:
        if line.number in extended:
            raise PricingError(f"line number {line.number} is used twice")
        extended[line.number] = extended_price(line, currency)
    return tuple(
        PricedLine(
            number=line.number,
            section=line.section,
            kind=line.kind,
            extended=extended[line.number],
            delta=_delta(line, extended),
            counts=line.kind in COUNTED,
            is_open=line.kind != "included" and line.unit_net is None,
            tax_rate_pct=line.tax_rate_pct,
        )
        for line in lines
    )


def _delta(line: LineInput, extended: Mapping[str, Decimal | None]) -> Decimal | None:
    own = extended[line.number]
    if line.kind == "option":
        return own
    if line.kind != "alternative":
        return None
    if line.alternative_to not in extended:
        raise PricingError(f"line {line.number} is an alternative to line {line.alternative_to!r}, which is not there")
    replaced = extended[line.alternative_to]
    return own - replaced if own is not None and replaced is not None else None


def _taxes(counted: Sequence[PricedLine], currency: str) -> tuple[TaxSum, ...]:
    bases: dict[Decimal, Decimal] = {}
    for line in counted:
        if line.tax_rate_pct is not None and line.extended is not None:
            bases[line.tax_rate_pct] = bases.get(line.tax_rate_pct, Decimal(0)) + line.extended
    return tuple(
        TaxSum(rate_pct=rate, base=base, amount=round_money(base * rate / HUNDRED, currency))
        for rate, base in sorted(bases.items(), reverse=True)
    )


def _sections(priced: Sequence[PricedLine], zero: Decimal) -> tuple[SectionSum, ...]:
    grouped: dict[str, list[PricedLine]] = {}
    for line in priced:
        grouped.setdefault(line.section, []).append(line)
    return tuple(
        SectionSum(
            section=section,
            net=sum((line.extended for line in lines if line.counts and line.extended is not None), zero),
            open_lines=tuple(line.number for line in lines if line.counts and line.is_open),
        )
        for section, lines in grouped.items()
    )
