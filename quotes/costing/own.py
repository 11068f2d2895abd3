"""What owning costs: purchase, energy, a year, a request."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from quotes.configure.request import BomResult
from quotes.configure.rules import Rules
from quotes.costing.terms import DAYS_PER_YEAR, CostTerms, Load
from sizing.core.units import HOURS_PER_YEAR
from sizing.core.values import Basis, Estimate, Message, Money

MILLION = 1_000_000
W_PER_KW = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnCost:
    """Cost of owning. A Money of basis "at_least" is incomplete; amount None is unknown.

    `indicative` adds press estimates and weak prices to the known sum: to be shown, never to be ranked by.
    `missing` names what would complete the figures.
    """

    purchase: Money
    indicative: Money
    complete: bool
    open_lines: int
    energy_kwh_per_year: Estimate
    energy_per_year: Money
    running_per_year: Money
    running_complete: bool
    per_year: Money
    per_request: Money
    per_million_tokens: Money
    per_unit: Money
    per_million_tokens_full_load: Money
    missing: tuple[Message, ...]

    @property
    def per_year_complete(self) -> bool:
        return self.complete and self.running_complete


def own_cost(bom: BomResult, load: Load, terms: CostTerms, rules: Rules) -> OwnCost:
    """Cost of owning `bom` under `load`. An unknown price lowers nothing: sums are then "at least".

    Year = (purchase - residual value) / write-off years + energy + space + staff.
    """
    known, indicative = _purchase(bom, terms)
    purchase = known or Decimal(0)
    complete = not bom.open_lines and bool(bom.lines)
    energy_kwh = energy_per_year(bom, load.working_share, terms.pue, rules)
    energy = _energy_cost(energy_kwh, terms)
    running, missing = _running(bom, energy, energy_kwh, terms)
    yearly_purchase = purchase * (1 - Decimal(str(terms.residual_share))) / Decimal(str(terms.write_off_years))
    # Where no price at all is known, a year of running cost would pass for the cost of owning.
    per_year = yearly_purchase + running if known is not None else None
    sure = complete and not missing
    stated, full = load.requests_per_day, load.capacity_per_day
    return OwnCost(
        purchase=money(known, terms, complete=complete),
        indicative=money(indicative, terms, complete=False),
        complete=complete,
        open_lines=len(bom.open_lines),
        energy_kwh_per_year=energy_kwh,
        energy_per_year=Money(amount=energy, currency=terms.currency, basis="sum" if energy is not None else ""),
        running_per_year=money(running, terms, complete=not missing),
        running_complete=not missing,
        per_year=money(per_year, terms, complete=sure),
        per_request=_per(per_year, stated, terms, complete=sure),
        per_million_tokens=_per(per_year, _tokens(load, stated), terms, complete=sure),
        per_unit=_per(per_year, stated * load.units if stated else None, terms, complete=sure),
        per_million_tokens_full_load=_per(per_year, _tokens(load, full), terms, complete=sure),
        missing=missing + tuple(_open_line(line.line, line.name) for line in bom.open_lines),
    )


def _open_line(line: str, name: str) -> Message:
    if not name:
        return Message("cost_open_line_unnamed", {"line": line})
    return Message("cost_open_line", {"line": line, "name": name})


def money(amount: Decimal | None, terms: CostTerms, *, complete: bool) -> Money:
    """A sum in the buyer's currency; "at_least" where parts of it are not known, None where nothing is."""
    if amount is None:
        return Money(amount=None, currency=terms.currency, as_of=terms.as_of)
    basis = "sum" if complete else "at_least"
    return Money(amount=amount, currency=terms.currency, low=amount, basis=basis, as_of=terms.as_of)


def _purchase(bom: BomResult, terms: CostTerms) -> tuple[Decimal | None, Decimal | None]:
    """Known sum, and the sum with indicative prices where no other price is known; None where no price is."""
    known: Decimal | None = None
    indicative: Decimal | None = None
    for line in bom.lines:
        if not line.in_total or line.included:
            continue
        price = line.unit_price
        if price is not None and price.amount is not None and price.currency == terms.currency:
            known = (known or Decimal(0)) + price.amount * line.quantity
            indicative = (indicative or Decimal(0)) + price.amount * line.quantity
        elif line.indicative_price is not None and line.indicative_price.amount is not None:
            indicative = (indicative or Decimal(0)) + line.indicative_price.amount * line.quantity
    return known, indicative


def power_share(utilisation: float, rules: Rules) -> float:
    """Share of the way from idle to loaded power at this utilisation, by the stored curve (linear between points)."""
    loads, shares = rules.numbers("power_curve_load"), rules.numbers("power_curve_share")
    return interpolate(utilisation, loads, shares)


def interpolate(at: float, xs: Sequence[float], ys: Sequence[float]) -> float:
    """Value of the broken line through (xs, ys) at `at`; flat outside. `xs` ascends."""
    if at <= xs[0]:
        return ys[0]
    for left, right, low, high in zip(xs, xs[1:], ys, ys[1:], strict=False):
        if at <= right:
            return low + (high - low) * (at - left) / (right - left)
    return ys[-1]


def energy_per_year(bom: BomResult, utilisation: float | None, pue: float | None, rules: Rules) -> Estimate:
    """Energy of a year in kWh, cooling included where the site's PUE is known.

    Power runs from idle to typical load along the stored curve; nameplate power is never taken for 24 hours.
    Without PUE the figure covers the servers alone. Unknown power or load gives unknown energy.
    Source: docs/method.md#energy.
    """
    idle, loaded = bom.power_idle_w, bom.power_typical_w
    if idle.value is None or loaded.value is None or utilisation is None:
        return Estimate.unknown("kWh")
    share = power_share(utilisation, rules)
    factor = HOURS_PER_YEAR / W_PER_KW * (pue or 1.0)
    value = (idle.value + (loaded.value - idle.value) * share) * factor
    low = value if idle.low is None or loaded.low is None else (idle.low + (loaded.low - idle.low) * share) * factor
    high = (
        value if idle.high is None or loaded.high is None else (idle.high + (loaded.high - idle.high) * share) * factor
    )
    return Estimate(value=value, low=low, high=high, unit="kWh", basis=Basis.FORMULA, explain="energy_per_year")


def _energy_cost(energy_kwh: Estimate, terms: CostTerms) -> Decimal | None:
    if energy_kwh.value is None or terms.electricity_price_per_kwh is None:
        return None
    return Decimal(str(round(energy_kwh.value, 3))) * terms.electricity_price_per_kwh


def _running(
    bom: BomResult, energy: Decimal | None, energy_kwh: Estimate, terms: CostTerms
) -> tuple[Decimal, tuple[Message, ...]]:
    """Known running cost of a year, and what is missing from it. Space and staff only where stated."""
    missing = []
    if energy_kwh.value is None:
        missing.append(Message("cost_power_unknown", {}))
    if terms.electricity_price_per_kwh is None:
        missing.append(Message("cost_electricity_unknown", {}))
    if terms.pue is None:
        missing.append(Message("cost_pue_unknown", {}))
    total = energy or Decimal(0)
    if terms.space_per_rack_unit_year is not None:
        if bom.rack_units is None:
            missing.append(Message("cost_space_unknown", {}))
        else:
            total += terms.space_per_rack_unit_year * Decimal(str(bom.rack_units))
    if terms.staff_per_year is not None:
        total += terms.staff_per_year
    return total, tuple(missing)


def _tokens(load: Load, requests_per_day: float | None) -> float | None:
    """Millions of tokens a day, read and written."""
    if load.unit != "token" or requests_per_day is None:
        return None
    return requests_per_day * load.units / MILLION


def _per(amount: Decimal | None, per_day: float | None, terms: CostTerms, *, complete: bool) -> Money:
    """A yearly amount by a daily quantity; unknown where that is unknown or nothing."""
    if not per_day or amount is None:
        return Money(amount=None, currency=terms.currency)
    return money(amount / DAYS_PER_YEAR / Decimal(str(per_day)), terms, complete=complete)
