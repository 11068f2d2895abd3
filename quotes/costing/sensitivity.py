"""How far the yearly cost moves with each input: the rows of a tornado chart."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from quotes.configure.request import BomResult
from quotes.configure.rules import Rules
from quotes.costing.own import own_cost
from quotes.costing.terms import CostTerms, Load
from sizing.core.values import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """Yearly cost with one input low and high, all others unchanged."""

    input: Message
    low_per_year: Decimal
    high_per_year: Decimal

    @property
    def width(self) -> Decimal:
        return abs(self.high_per_year - self.low_per_year)


def sensitivity(bom: BomResult, load: Load, terms: CostTerms, rules: Rules) -> tuple[Swing, ...]:
    """Swings of the yearly cost of owning, widest first, then by code.

    Prices move over the range their sources print; energy price, PUE, load and write-off by the stored
    shares. Inputs that are unknown do not appear.
    """
    share = Decimal(str(rules.number("sensitivity_share")))
    swings = [
        _swing("cost_input_prices", _with_prices(bom, "low"), _with_prices(bom, "high"), (load, terms, rules)),
        _terms_swing(
            "cost_input_write_off",
            bom,
            load,
            (
                replace(terms, write_off_years=terms.write_off_years * float(1 + share)),
                replace(terms, write_off_years=terms.write_off_years * float(1 - share)),
            ),
            rules,
        ),
    ]
    price = terms.electricity_price_per_kwh
    if price is not None:
        pair = tuple(replace(terms, electricity_price_per_kwh=price * factor) for factor in (1 - share, 1 + share))
        swings.append(_terms_swing("cost_input_electricity", bom, load, pair, rules))
    if terms.pue is not None:
        pair = tuple(replace(terms, pue=1 + (terms.pue - 1) * float(factor)) for factor in (1 - share, 1 + share))
        swings.append(_terms_swing("cost_input_pue", bom, load, pair, rules))
    if load.requests_per_day is not None:
        loads = [replace(load, requests_per_day=load.requests_per_day * float(f)) for f in (1 - share, 1 + share)]
        low, high = (own_cost(bom, item, terms, rules).per_year.amount for item in loads)
        swings.append(_row("cost_input_load", low, high))
    return tuple(sorted(swings, key=lambda swing: (-swing.width, swing.input.code)))


def _swing(code: str, low: BomResult, high: BomResult, rest: tuple[Load, CostTerms, Rules]) -> Swing:
    load, terms, rules = rest
    return _row(
        code,
        own_cost(low, load, terms, rules).per_year.amount,
        own_cost(high, load, terms, rules).per_year.amount,
    )


def _terms_swing(code: str, bom: BomResult, load: Load, pair: Sequence[CostTerms], rules: Rules) -> Swing:
    low, high = (own_cost(bom, load, terms, rules).per_year.amount for terms in pair)
    return _row(code, low, high)


def _row(code: str, low: Decimal | None, high: Decimal | None) -> Swing:
    return Swing(input=Message(code, {}), low_per_year=low or Decimal(0), high_per_year=high or Decimal(0))


def _with_prices(bom: BomResult, end: str) -> BomResult:
    """The same bill with every known price at the low or high end that its sources print."""
    lines = []
    for line in bom.lines:
        price = line.unit_price
        bound = None if price is None else price.low if end == "low" else price.high
        if price is not None and bound is not None:
            lines.append(replace(line, unit_price=replace(price, amount=bound)))
        else:
            lines.append(line)
    return replace(bom, lines=tuple(lines))
