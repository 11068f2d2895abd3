"""Units that people type behind a number, "2000 ms" or "80 GiB", and what they come to in the unit of a field.

The unit of a field follows from its name, as everywhere (docs: names carry units): `ttft_s` is in seconds.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

NUMBER_AND_UNIT = re.compile(r"^\s*([+\-\u2212]?[\d.,'\u2019_\s\u00a0\u202f]*\d(?:[eE][+\-]?\d+)?)\s*(\D.*)?$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """Units of one quantity: spelling -> factor to the field's own unit; `offsets` are added after it.

    `own` is how the field's unit is written beside a number; `shown` are the spellings that a message offers.
    """

    own: str
    factors: Mapping[str, Decimal]
    shown: tuple[str, ...]
    offsets: Mapping[str, Decimal] = MappingProxyType({})

    def spelling_of(self, typed: str) -> str | None:
        """The spelling that was meant: exactly as written, else without case where only one fits; None for none."""
        plain = _plain(typed)
        if plain in self.factors:
            return plain
        alike = [each for each in self.factors if each.casefold() == plain.casefold()]
        return alike[0] if len({self.factors[each] for each in alike}) == 1 else None

    def converted(self, number: Decimal, spelling: str) -> Decimal:
        return number * self.factors[spelling] + self.offsets.get(spelling, Decimal(0))


def split_unit(text: str) -> tuple[str, str]:
    """The number and the unit behind it; the unit is empty where there is none."""
    found = NUMBER_AND_UNIT.match(text)
    return (found[1], (found[2] or "").strip()) if found else (text, "")


def _plain(typed: str) -> str:
    """A spelling without spaces and dots; "per" and its German counterparts as a stroke."""
    words = re.sub(r"\b(per|pro|je|a|an)\s+", "/", typed.strip(), flags=re.IGNORECASE)
    return re.sub(r"[\s.()\u00a0]", "", words).replace("\u03bc", "\u00b5")


def _unit(own: str, shown: str, groups: Mapping[str, str | int], **offsets: str) -> Unit:
    """`groups` maps spellings separated by blanks to their factor."""
    factors = {word: Decimal(str(factor)) for words, factor in groups.items() for word in words.split()}
    return Unit(
        own=own,
        factors=MappingProxyType(factors),
        shown=tuple(shown.split()),
        offsets=MappingProxyType({word: Decimal(offset) for word, offset in offsets.items()}),
    )


MINUTE, HOUR, DAY = 60, 3600, 86_400
THOUSANDS: dict[str, str | int] = {
    "k K tsd thousand Tausend": 1000,
    "M m mio million Million Millionen": 10**6,
    "mrd billion bn Milliarden": 10**9,
}
BINARY: dict[str, str | int] = {"Ki": 1024, "Mi": 1024**2}
WEEK_DAYS, YEAR_WEEKS, YEAR_MONTHS = 7, 52, 12
SECOND_WORDS = "/s /sec /second /Sekunde qps rps req/s tokens/s token/s"
MINUTE_WORDS, HOUR_WORDS = "/min /minute /Minute", "/h /hour /Stunde"
DAY_WORDS = "/d /day /Tag"


def _rates(seconds: int) -> dict[str, str | int]:
    """Rates as factors to one event in `seconds`."""
    return {
        SECOND_WORDS: seconds,
        MINUTE_WORDS: str(Decimal(seconds) / MINUTE),
        HOUR_WORDS: str(Decimal(seconds) / HOUR),
        DAY_WORDS: str(Decimal(seconds) / DAY),
        "k/s": 1000 * seconds,
        "k K": 1000,
        "M": 10**6,
    }


UNITS: Mapping[str, Unit] = MappingProxyType(
    {
        "s": _unit("s", "s ms min h", {"s sec second seconds Sekunde Sekunden": 1, "ms": "0.001", "µs us": "0.000001",
                                       "min minute minutes Minute Minuten": MINUTE, "h": HOUR}),
        "ms": _unit("ms", "ms s µs", {"ms": 1, "s sec seconds Sekunden": 1000, "µs us": "0.001",
                                      "min minutes Minuten": MINUTE * 1000}),
        "h": _unit("h", "h min s d", {"h hour hours Std Stunden Stunde": 1, "min": str(Decimal(1) / MINUTE),
                                      "s": str(Decimal(1) / HOUR), "d day days Tag Tage": 24}),
        "weeks": _unit("", "wk d months", {"w wk weeks week Wo Wochen Woche": 1,
                                           "d day days Tag Tage": str(Decimal(1) / WEEK_DAYS),
                                           "month months Monat Monate": str(Decimal(YEAR_WEEKS) / YEAR_MONTHS)}),
        "years": _unit("", "a months", {"y a yr year years J Jahr Jahre": 1,
                                        "month months Monat Monate": str(Decimal(1) / YEAR_MONTHS)}),
        "kW": _unit("kW", "kW W MW", {"kW": 1, "W": "0.001", "MW": 1000}),
        "A": _unit("A", "A mA", {"A": 1, "mA": "0.001"}),
        "V": _unit("V", "V kV", {"V": 1, "kV": 1000}),
        "kg": _unit("kg", "kg g t lb", {"kg": 1, "g": "0.001", "t": 1000, "lb lbs": "0.45359237"}),
        "dB": _unit("dB", "dB", {"dB dBA": 1}),
        "C": _unit("°C", "°C °F", {"°C C": 1, "°F F": str(Decimal(5) / 9), "K": 1},
                   **{"°F": str(Decimal(-160) / 9), "F": str(Decimal(-160) / 9), "K": "-273.15"}),
        "GB": _unit("GB", "GB GiB TB MB", {"GB G": 1, "MB": "0.001", "TB": 1000, "kB": "0.000001",
                                           "GiB": "1.073741824", "MiB": "0.001048576", "TiB": "1099.511627776"}),
        "%": _unit("%", "%", {"% percent Prozent": 1}),
        "U": _unit("", "U", {"U RU HE": 1}),
        "count": _unit("", "k M", THOUSANDS | BINARY | {"tokens token people users requests": 1}),
        "billions": _unit("", "B M T", {"B mrd bn billion": 1, "M mio million": "0.001", "T trillion": 1000}),
        "money": _unit("", "k M", THOUSANDS),
        "money_per_kwh": _unit("", "ct/kWh /MWh", {"/kWh": 1, "ct ct/kWh c/kWh Cent Cent/kWh": "0.01",
                                                   "/MWh": "0.001"}),
        "Gbit/s": _unit("Gbit/s", "Gbit/s Tbit/s Mbit/s", {"Gbit/s Gbit": 1, "Tbit/s": 1000, "Mbit/s": "0.001"}),
        "per_s": _unit("/s", "/s /min /h /d", _rates(1)),
        "per_h": _unit("/h", "/h /min /s /d", _rates(HOUR)),
    }
)  # fmt: skip

# Fields whose name does not end in their unit
BY_NAME: Mapping[str, str] = MappingProxyType(
    {
        "seconds_per_item": "s", "segment_seconds": "s", "power_kw": "kW", "max_kw_per_rack": "kW", "volts": "V",
        "amps": "A", "dc_input_v": "V", "noise_db": "dB", "active_share": "%", "rack_units": "U", "budget": "money",
        "staff_per_year": "money", "space_per_rack_unit_year": "money", "electricity_price": "money_per_kwh",
        "users": "count", "concurrent_requests": "count", "context": "count", "sequences": "count", "items": "count",
        "streams": "count", "rows": "count", "passages": "count", "samples_per_query": "count",
        "table_parameters": "billions", "parameters_b": "billions", "audio_hours": "h",
        "tokens_per_document": "count", "vocab_size": "count", "network_gbit_s_per_accelerator": "Gbit/s",
    }
)  # fmt: skip
ENDINGS: tuple[tuple[str, str], ...] = (
    ("_per_s", "per_s"), ("_per_hour", "per_h"), ("_tokens", "count"), ("_ms", "ms"), ("_s", "s"), ("_hours", "h"),
    ("_weeks", "weeks"), ("_years", "years"), ("_kw", "kW"), ("_kg", "kg"), ("_gb", "GB"), ("_c", "C"), ("_pct", "%"),
)  # fmt: skip


def unit_of(field: str) -> Unit | None:
    """The units that a field takes, by its name; None where it takes bare numbers only."""
    if field in BY_NAME:
        return UNITS[BY_NAME[field]]
    return next((UNITS[unit] for ending, unit in ENDINGS if field.endswith(ending)), None)
