"""What a cost comparison starts from: load, terms of the buyer, rates of the alternatives."""

from dataclasses import dataclass, replace
from decimal import Decimal

from quotes.configure.facts import ExchangeRate

SECONDS_PER_DAY = 86_400
DAYS_PER_YEAR = 365


@dataclass(frozen=True, slots=True, kw_only=True)
class Load:
    """The load on the option. None where unknown.

    `capacity_requests_per_s` is what the whole option serves within its targets at full load.
    `input_tokens` and `output_tokens` are means per request; kinds without tokens give `units_per_request`
    with `unit` ("image", "audio_hour", "inference") and leave the tokens at 0. `busy_share` is the share of the
    day in which the accelerators work: few requests keep a card busy long before they fill it. It drives the
    energy; None takes the share of the capacity.
    """

    requests_per_day: float | None
    capacity_requests_per_s: float | None
    input_tokens: float = 0.0
    output_tokens: float = 0.0
    unit: str = "token"
    units_per_request: float = 0.0
    busy_share: float | None = None

    @property
    def working_share(self) -> float | None:
        """Share of the day in which the accelerators work, 0..1; None where unknown."""
        return self.utilisation if self.busy_share is None else min(self.busy_share, 1.0)

    def times(self, factor: float) -> "Load":
        """The same load with so many times the requests."""
        return replace(
            self,
            requests_per_day=None if self.requests_per_day is None else self.requests_per_day * factor,
            busy_share=None if self.busy_share is None else min(self.busy_share * factor, 1.0),
        )

    @property
    def capacity_per_day(self) -> float | None:
        return None if self.capacity_requests_per_s is None else self.capacity_requests_per_s * SECONDS_PER_DAY

    @property
    def utilisation(self) -> float | None:
        """Share of the capacity in use over the day, 0..1; None where load or capacity is unknown."""
        capacity = self.capacity_per_day
        if self.requests_per_day is None or not capacity:
            return None
        return min(self.requests_per_day / capacity, 1.0)

    @property
    def units(self) -> float:
        """Units of work of one request: tokens read and written, or what `unit` names."""
        return self.input_tokens + self.output_tokens if self.unit == "token" else self.units_per_request


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Limits on where the work may run and who may run it. An unknown region never satisfies a region limit."""

    on_premises_only: bool = False
    allowed_regions: tuple[str, ...] = ()
    allowed_providers: tuple[str, ...] = ()
    excluded_providers: tuple[str, ...] = ()

    def allows(self, provider: str, region: str) -> bool:
        """Names are compared without case; a provider that is both allowed and excluded is excluded."""
        if self.on_premises_only or _named(provider, self.excluded_providers):
            return False
        if self.allowed_providers and not _named(provider, self.allowed_providers):
            return False
        return not self.allowed_regions or (bool(region) and _named(region, self.allowed_regions))


def _named(name: str, names: tuple[str, ...]) -> bool:
    return name.casefold() in {each.casefold() for each in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class CostTerms:
    """The buyer's terms, in `currency`. None where not stated: the cost is then incomplete, never guessed.

    `residual_share` is the part of the purchase that is left at the end of the write-off.
    Space and staff are optional: None leaves them out of the comparison and says so.
    """

    currency: str
    as_of: str
    write_off_years: float
    residual_share: float = 0.0
    electricity_price_per_kwh: Decimal | None = None
    pue: float | None = None
    space_per_rack_unit_year: Decimal | None = None
    staff_per_year: Decimal | None = None
    policy: Policy = Policy()
    exchange_rates: tuple[ExchangeRate, ...] = ()

    def convert(self, amount: Decimal, currency: str) -> Decimal | None:
        """`amount` in the buyer's currency through a stored rate; None where there is none."""
        if currency == self.currency:
            return amount
        for rate in self.exchange_rates:
            if (rate.base, rate.quote) == (currency, self.currency):
                return amount * rate.rate
            if (rate.quote, rate.base) == (currency, self.currency):
                return amount / rate.rate
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class RentalRate:
    """Price of one accelerator for one hour in a cloud, host included."""

    provider: str
    accelerator: str
    per_hour: Decimal
    currency: str = "USD"
    pricing_model: str = "on_demand"
    region: str = ""
    confidence: str = ""
    source: str = ""
    as_of: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRate:
    """Price of one million tokens of one model at a provider."""

    provider: str
    model: str
    per_million_input: Decimal
    per_million_output: Decimal
    currency: str = "USD"
    pricing_model: str = "on_demand"
    region: str = ""
    confidence: str = ""
    source: str = ""
    as_of: str = ""
