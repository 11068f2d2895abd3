"""How far the yearly cost moves with each input: the rows of a tornado chart."""

from dataclasses import dataclass, replace
from decimal import Decimal

from quotes.configure.request import BomLine, BomResult
from quotes.configure.rules import Rules
from quotes.costing.own import own_cost
from quotes.costing.terms import CostTerms, Load
from sizing.core.values import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class Swing:
    """Yearly cost with one input at either end, all others unchanged."""

    input: Message
    low_per_year: Decimal
    high_per_year: Decimal

    @property
    def width(self) -> Decimal:
        return abs(self.high_per_year - self.low_per_year)


def sensitivity(bom: BomResult, load: Load, terms: CostTerms, rules: Rules) -> tuple[Swing, ...]:
    """Swings of the yearly cost of owning, widest first, then by code; none where no price is known.

    Prices move over the range their sources print; energy price, PUE, load, write-off and residual value by the
    stored share. Inputs that are unknown, and those that move nothing, do not appear.
    """
    if own_cost(bom, load, terms, rules).per_year.amount is None:
        return ()
    share = Decimal(str(rules.number("sensitivity_share")))
    ends = [("cost_input_prices", (_with_prices(bom, "low"), load, terms), (_with_prices(bom, "high"), load, terms))]
    ends += [(code, (bom, load, low), (bom, load, high)) for code, (low, high) in _moved_terms(terms, share).items()]
    if load.requests_per_day is not None:
        low, high = load.times(float(1 - share)), load.times(float(1 + share))
        ends.append(("cost_input_load", (bom, low, terms), (bom, high, terms)))
    swings = [
        Swing(
            input=Message(code, {}),
            low_per_year=own_cost(*low, rules).per_year.amount or Decimal(0),
            high_per_year=own_cost(*high, rules).per_year.amount or Decimal(0),
        )
        for code, low, high in ends
    ]
    return tuple(sorted((s for s in swings if s.width), key=lambda swing: (-swing.width, swing.input.code)))


def _moved_terms(terms: CostTerms, share: Decimal) -> dict[str, tuple[CostTerms, CostTerms]]:
    """Terms at the end that lowers the cost and at the end that raises it, by the code of the input."""
    factor = float(share)
    longer, shorter = (terms.write_off_years * f for f in (1 + factor, 1 - factor))
    moved = {"cost_input_write_off": (replace(terms, write_off_years=longer), replace(terms, write_off_years=shorter))}
    price = terms.electricity_price_per_kwh
    if price is not None:
        moved["cost_input_electricity"] = (
            replace(terms, electricity_price_per_kwh=price * (1 - share)),
            replace(terms, electricity_price_per_kwh=price * (1 + share)),
        )
    if terms.pue is not None:
        above = terms.pue - 1
        moved["cost_input_pue"] = (
            replace(terms, pue=1 + above * (1 - factor)),
            replace(terms, pue=1 + above * (1 + factor)),
        )
    if terms.residual_share:
        moved["cost_input_residual"] = (
            replace(terms, residual_share=min(terms.residual_share * (1 + factor), 1.0)),
            replace(terms, residual_share=terms.residual_share * (1 - factor)),
        )
    return moved


def _with_prices(bom: BomResult, end: str) -> BomResult:
    """The same bill with every known price at the low or high end that its sources print."""
    lines: list[BomLine] = []
    for line in bom.lines:
        price = line.unit_price
        bound = None if price is None else price.low if end == "low" else price.high
        if price is not None and bound is not None:
            lines.append(replace(line, unit_price=replace(price, amount=bound)))
        else:
            lines.append(line)
    return replace(bom, lines=tuple(lines))
