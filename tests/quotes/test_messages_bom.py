"""Every message of configurator, delivery and cost has words, and the words find their figures."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from quotes.bom import BomResult, Procurement, SupplyChoice, SupplyScheme, check_build
from quotes.cost import CostTerms, Load, Policy, compare, sensitivity
from quotes.delivery import DeliveryTerms, plan_delivery
from quotes.messages_bom import WORDS
from sizing.core.values import Message
from sizing.core.workload import Site
from tests.quotes.bom_world import ROOT, api_rates, configured, rental_rates, rules
from tests.quotes.test_bom import WORKED
from tests.quotes.test_bom_built import FILED, build_of

SOURCES = [
    *sorted((ROOT / "quotes" / "configure").glob("*.py")),
    *sorted((ROOT / "quotes" / "costing").glob("*.py")),
    ROOT / "quotes" / "cost.py",
    ROOT / "quotes" / "delivery.py",
]
SITES = (
    Site(),
    Site(max_power_w=100, rack_units=1, cooling="air", max_ambient_c=45, volts=120, amps=16, feeds=2),
    Site(max_power_w=500_000, rack_units=400, cooling="liquid", max_ambient_c=20, volts=230, max_w_per_rack_unit=9000),
    Site(rack_units=40, max_kw_per_rack=1.0, volts=208, max_w_per_rack_unit=10),
)


def messages_of(result: BomResult) -> Iterator[Message]:
    for line in result.lines:
        yield from (line.description, line.reason)
    for problem in result.problems:
        yield from (problem.message, problem.remedy)
    yield from result.warnings
    yield from (result.power.message, result.rack.message, result.cooling.message)


def all_results() -> Iterator[BomResult]:
    for position, (case, _) in enumerate(WORKED):
        accelerator, per_replica, replicas, chassis = case
        site = SITES[position % len(SITES)]
        yield configured(accelerator, per_replica, replicas, chassis=chassis, site=site)
    buyer = Procurement(currency="EUR", uninterruptible_supply=True, ai_enterprise=True)
    yield configured("nvidia-l40s", 2, 2, procurement=buyer, requests_per_s=None)
    yield configured("nvidia-l40s", 2, 2, nvlink_bridge=True)
    yield configured("nvidia-h100-nvl-94gb", 3, 1, chassis="dell-poweredge-xe7740", nvlink_bridge=True)
    yield configured("nvidia-l40s", 96, 1, chassis="dell-poweredge-xe7740", model_bytes=9e12)
    yield configured("google-tpu-v6e")
    yield configured("nvidia-vr200-nvl72")
    yield configured("nvidia-l40s", chassis="no-such-chassis")
    pinned = SupplyChoice(rated_w=2400, scheme=SupplyScheme(carrying=1, spare=1))
    yield configured("nvidia-l40s", 4, 1, chassis="lenovo-thinksystem-sr675-v3", supplies=pinned)


def emitted() -> Iterator[Message]:
    order = date(2026, 11, 30)
    for result in all_results():
        yield from messages_of(result)
        for weeks in (None, 5, 50, 500):
            needed = None if weeks is None else order + timedelta(weeks=weeks)
            terms = DeliveryTerms(order_date=order, integration_weeks=1, shipping_weeks=1, needed_by=needed)
            plan = plan_delivery(result.lines, terms)
            yield from (plan.message, plan.verdict.message)
    for row in FILED:
        problems, warnings = check_build(build_of(row), rules())
        for problem in problems:
            yield from (problem.message, problem.remedy)
        yield from warnings
    yield from emitted_by_cost()


def emitted_by_cost() -> Iterator[Message]:
    bom = configured("nvidia-l40s", 1, 1)
    for requests in (None, 10_000, 300_000):
        for policy in (Policy(), Policy(on_premises_only=True)):
            load = Load(requests_per_day=requests, capacity_requests_per_s=4.0, input_tokens=800, output_tokens=200)
            terms = CostTerms(
                currency="USD",
                as_of="2026-11-30",
                write_off_years=5,
                electricity_price_per_kwh=None if requests is None else Decimal("0.2"),
                policy=policy,
            )
            result = compare(
                bom,
                load,
                terms,
                rules(),
                accelerator="nvidia-l40s",
                model="llama-3.1-8b-instruct",
                rental_rates=rental_rates(),
                api_rates=api_rates(),
            )
            yield from (result.advice, *result.own.missing)
            yield from (row.input for row in sensitivity(bom, load, terms, rules()))


def test_every_code_in_the_sources_has_words() -> None:
    codes = {code for path in SOURCES for code in re.findall(r'"((?:bom|delivery|cost)_[a-z0-9_]+)"', path.read_text())}
    assert len(codes) > 100
    assert sorted(codes - WORDS.keys()) == []


def test_words_find_their_figures() -> None:
    seen = set()
    for message in emitted():
        sentence = str(WORDS[message.code]) % message.params
        assert sentence
        assert "%(" not in sentence
        seen.add(message.code)
    assert len(seen) > 90


@pytest.mark.parametrize("code", sorted(WORDS))
def test_words_name_no_figure_without_a_key(code: str) -> None:
    rest = re.sub(r"%%|%\(\w+\)s", "", str(WORDS[code]))
    assert "%" not in rest


def test_german_words_keep_every_figure() -> None:
    entries = read_po(ROOT / "config" / "locale" / "de" / "parts" / "bom.po")
    missing = [code for code, words in WORDS.items() if str(words) not in entries]
    assert missing == []
    for english, german in entries.items():
        assert figures(english) == figures(german), english


def figures(text: str) -> list[str]:
    return sorted(set(re.findall(r"%\(\w+\)s|%%", text)))


def read_po(path: Path) -> dict[str, str]:
    """Entries of a plain part file: one msgid line and one msgstr line each."""
    text = path.read_text(encoding="utf-8")
    pairs = re.findall(r'^msgid "(.*)"\nmsgstr "(.*)"$', text, flags=re.MULTILINE)
    return {english.replace('\\"', '"'): german.replace('\\"', '"') for english, german in pairs}
