"""The catalogue, sorted once and looked up often. One `Prepared` serves a whole ranking."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol

from quotes.configure.facts import (
    AcceleratorPart,
    Chassis,
    ComponentPart,
    CpuPart,
    ExchangeRate,
    HardwareCatalogue,
    LeadTimeFact,
    MountKind,
    OriginFact,
    PartClass,
    PartNumber,
    PriceFact,
)
from quotes.configure.fit import Fit
from quotes.configure.request import LeadTime, Problem
from quotes.configure.rules import Rules
from sizing.core.values import Money

# Makers that sell parts under their own order codes for their own servers only.
SYSTEM_VENDORS = frozenset({"Lenovo", "HPE", "Cisco", "Dell", "Supermicro"})

SMALL_CASES = frozenset({"compact", "industrial_edge"})

type PriceKey = tuple[str, PartClass, str, str]
type FitKey = tuple[str, str, tuple[str, ...], tuple[str, ...], tuple[str, ...]]


class HasSlug(Protocol):
    @property
    def slug(self) -> str: ...


@dataclass(slots=True)
class Memo:
    """Results of pure functions on one catalogue, kept because ranking asks for them again and again.

    It changes no answer. Results that depend on rules are kept for one set of rules at a time; those that
    depend on what a buyer typed are dropped when they become many.
    """

    prices: dict[PriceKey, tuple[Money | None, Money | None]] = field(default_factory=dict)
    leads: dict[tuple[str, PartClass, str, str], LeadTime | None] = field(default_factory=dict)
    leads_rules: Rules | None = None
    fits: dict[FitKey, tuple[tuple[Fit, ...], tuple[Problem, ...]]] = field(default_factory=dict)
    processors: dict[str, tuple[CpuPart, ...]] = field(default_factory=dict)
    modules: dict[str, tuple[ComponentPart, ...]] = field(default_factory=dict)
    drives: dict[tuple[str, str], tuple[ComponentPart, ...]] = field(default_factory=dict)
    adapters: dict[tuple[str, float], ComponentPart | None] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Prepared:
    """Look-up tables of one catalogue, and a memo of what was worked out from them so far."""

    accelerators: dict[str, AcceleratorPart]
    chassis: tuple[Chassis, ...]
    chassis_by_slug: dict[str, Chassis]
    processors: tuple[CpuPart, ...]
    processors_by_slug: dict[str, CpuPart]
    components: dict[PartClass, tuple[ComponentPart, ...]]
    part_numbers: dict[str, tuple[PartNumber, ...]]
    prices: dict[str, tuple[PriceFact, ...]]
    lead_by_slug: dict[str, tuple[LeadTimeFact, ...]]
    lead_by_class: dict[PartClass, tuple[LeadTimeFact, ...]]
    origins: dict[str, OriginFact]
    rates: dict[tuple[str, str], ExchangeRate]
    highest_cpu_w: float
    memo: Memo = field(default_factory=Memo)


def prepare(catalogue: HardwareCatalogue) -> Prepared:
    """Index `catalogue`. Sorting by slug makes every later choice independent of input order."""
    watts = {part.slug: part.tdp_w for part in catalogue.accelerators}
    chassis = _sorted(_with_slot_limits(item, watts) for item in catalogue.chassis)
    processors = _sorted(catalogue.processors)
    return Prepared(
        accelerators={part.slug: part for part in catalogue.accelerators},
        chassis=chassis,
        chassis_by_slug={item.slug: item for item in chassis},
        processors=processors,
        processors_by_slug={item.slug: item for item in processors},
        components=_components(catalogue.components),
        part_numbers=_part_numbers(catalogue.part_numbers),
        prices=_prices(catalogue.prices),
        lead_by_slug=_leads_by_slug(catalogue.lead_times),
        lead_by_class=_leads_by_class(catalogue.lead_times),
        origins=dict(catalogue.origins or {}),
        rates={(rate.base, rate.quote): rate for rate in catalogue.exchange_rates},
        highest_cpu_w=max((cpu.tdp_w for cpu in processors if cpu.tdp_w is not None), default=0.0),
    )


def _with_slot_limits(chassis: Chassis, watts: Mapping[str, float | None]) -> Chassis:
    """A small case whose maker prints no power of its slots gives what the hungriest card on the maker's list takes."""
    listed = [power for slug in chassis.compatible if (power := watts.get(slug)) is not None]
    if chassis.category not in SMALL_CASES or not listed:
        return chassis
    mounts = tuple(
        replace(mount, max_w=max(listed)) if mount.kind is MountKind.PCIE and mount.max_w is None else mount
        for mount in chassis.mounts
    )
    return replace(chassis, mounts=mounts)


def _sorted[T: HasSlug](items: Iterable[T]) -> tuple[T, ...]:
    return tuple(sorted(items, key=lambda item: item.slug))


def _components(parts: Iterable[ComponentPart]) -> dict[PartClass, tuple[ComponentPart, ...]]:
    grouped: defaultdict[PartClass, list[ComponentPart]] = defaultdict(list)
    for part in _sorted(parts):
        grouped[part.part_class].append(part)
    return {part_class: tuple(items) for part_class, items in grouped.items()}


def _part_numbers(numbers: Iterable[PartNumber]) -> dict[str, tuple[PartNumber, ...]]:
    grouped: defaultdict[str, list[PartNumber]] = defaultdict(list)
    for number in sorted(numbers, key=lambda n: (n.slug, n.confidence, n.manufacturer, n.mpn, n.oem_part_number)):
        grouped[number.slug].append(number)
    return {slug: tuple(items) for slug, items in grouped.items()}


def _prices(prices: Iterable[PriceFact]) -> dict[str, tuple[PriceFact, ...]]:
    grouped: defaultdict[str, list[PriceFact]] = defaultdict(list)
    for price in prices:
        grouped[price.slug].append(price)
    return {slug: tuple(items) for slug, items in grouped.items()}


def _leads_by_slug(facts: Iterable[LeadTimeFact]) -> dict[str, tuple[LeadTimeFact, ...]]:
    grouped: defaultdict[str, list[LeadTimeFact]] = defaultdict(list)
    for fact in facts:
        if fact.slug and fact.confidence != "D":
            grouped[fact.slug].append(fact)
    return {slug: tuple(items) for slug, items in grouped.items()}


def _leads_by_class(facts: Iterable[LeadTimeFact]) -> dict[PartClass, tuple[LeadTimeFact, ...]]:
    grouped: defaultdict[PartClass, list[LeadTimeFact]] = defaultdict(list)
    for fact in facts:
        if not fact.slug and fact.confidence != "D":
            grouped[fact.part_class].append(fact)
    return {part_class: tuple(items) for part_class, items in grouped.items()}
