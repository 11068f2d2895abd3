"""Exchange rates of a quote: those that its prices were converted with, frozen with source and date."""

import re
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from catalog.selectors import exchange_rates
from config.accounts.models import Organisation

type Rates = dict[str, dict[str, str]]

# How a bill words a converted price: "list USD at 0.92 (European Central Bank, 2026-11-30)".
_CONVERTED = re.compile(
    r"^(?P<kind>.+) (?P<currency>[A-Z]{3}) at (?P<rate>[0-9.]+) \((?P<source>.*), (?P<date>[^,()]*)\)$"
)


def kind_of(basis: str) -> str:
    """The kind of a price without the words on its conversion."""
    found = _CONVERTED.match(basis)
    return found["kind"] if found else basis


def rates_used(bom: Iterable[Mapping[str, Any]], *, currency: str, known: Rates) -> Rates:
    """By foreign currency the rate into `currency`: as the bill states it, else as known; only those in use."""
    used: Rates = {}
    for entry in bom:
        price = entry.get("unit_price") or {}
        stated = _CONVERTED.match(str(price.get("basis") or ""))
        foreign = str(price.get("currency") or currency)
        if stated:
            used[stated["currency"]] = {"rate": stated["rate"], "source": stated["source"], "date": stated["date"]}
        elif foreign != currency and foreign in known:
            used.setdefault(foreign, known[foreign])
    return used


def rates_on(day: date, *, currency: str, organisation: Organisation) -> Rates:
    """The catalogue's rates into a currency on a day, with source and date."""
    found = exchange_rates(to=currency, as_of=day, organisation=organisation)
    return {
        base: {"rate": format(rate.rate, "f"), "source": rate.source_title, "date": rate.as_of.isoformat()}
        for (base, _own), rate in found.items()
    }
