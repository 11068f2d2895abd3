"""Detail pages as data: facts with source and date, and what was said about price and delivery."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Model
from django.utils.functional import Promise
from django.utils.translation import gettext

from catalog import cells, messages
from catalog.cells import Cell
from catalog.choosing import LeadTimeAnswer, PriceAnswer, PriceQuestion, Rates, lead_time_refusal, price_refusal
from catalog.layouts import Layout
from catalog.models import LeadTimeObservation, PriceObservation
from sizing.core.values import Message

type Words = str | Promise


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One figure with where it comes from."""

    label: str
    value: Cell
    source: Cell
    day: Cell
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A heading and its facts; `open_count` of them are unknown."""

    title: Words
    facts: Sequence[Fact]

    @property
    def open_count(self) -> int:
        return sum(fact.value.is_open for fact in self.facts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """One observation as a row: its cells, and whether it counts or why it does not."""

    cells: Sequence[Cell]
    counts: bool
    refusal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offers:
    """What is known about price and delivery of one thing."""

    price: Cell
    price_reasons: Sequence[str]
    indicative: str
    lead_time: Cell
    lead_time_reasons: Sequence[str]
    prices: Sequence[Offer] = field(default_factory=tuple)
    lead_times: Sequence[Offer] = field(default_factory=tuple)


def sections(row: Model, layout: Layout) -> list[Section]:
    """Facts of a row by the layout; every figure repeats source and date, a figure worked out says so."""
    source: Any = row
    derived = getattr(row, "derived_fields", "")
    return [
        Section(
            title=title,
            facts=[
                Fact(
                    label=_label(row, name),
                    value=cells.of_field(row, name) if _applies(row, name) else cells.not_applicable(),
                    source=cells.text(source.source_title, url=source.source_url),
                    day=cells.day(source.source_date),
                    note=gettext("worked out: %(how)s") % {"how": derived} if _is_derived(name, derived) else "",
                )
                for name in names.split()
            ],
        )
        for title, names in layout
    ]


def _applies(row: Model, name: str) -> bool:
    """Whether the question makes sense: a module takes no slots, only one maker has MIG."""
    if getattr(row, name) not in (None, ""):
        return True
    if name in {"slot_width", "power_connector"}:
        return str(getattr(row, "form_factor", "")).startswith("PCIe")
    return name != "mig_max_instances" or getattr(row, "vendor", "") == "NVIDIA"


def _label(row: Model, name: str) -> str:
    words = str(row._meta.get_field(name).verbose_name)  # type: ignore[union-attr]
    return words[:1].upper() + words[1:]


def _is_derived(name: str, derived: str) -> bool:
    """Whether the row's note on derived figures names this field, under its name in the files."""
    short = name.replace("_dense_tflops", "").replace("_dense_tops", "")
    named = derived.split(":", maxsplit=1)[0].split(" from ", maxsplit=1)[0].replace(" ", "").split(",")
    return bool(derived) and (short in named or name in named or ("allrates" in named and short != name))


def offers(
    price: PriceAnswer,
    lead_time: LeadTimeAnswer,
    *,
    prices: Sequence[PriceObservation],
    lead_times: Sequence[LeadTimeObservation],
    question: PriceQuestion,
    rates: Rates,
) -> Offers:
    """Prices and lead times of one thing, each observation with its age and whether it counts."""
    indicative = price.indicative
    return Offers(
        price=cells.price(price),
        price_reasons=_words(price.why),
        indicative=(
            cells.money_text(round(indicative.amount, 2), indicative.currency)
            if indicative and indicative.amount is not None
            else ""
        ),
        lead_time=cells.weeks(lead_time),
        lead_time_reasons=_words(lead_time.why),
        prices=[_price_row(each, price, question, rates, said_by(each, prices)) for each in prices],
        lead_times=[_lead_time_row(each, lead_time, question, said_by(each, lead_times)) for each in lead_times],
    )


def _words(why: Iterable[Message]) -> list[str]:
    return [messages.render(message) for message in why]


def said_by(observation: PriceObservation | LeadTimeObservation, others: Iterable[Any]) -> str:
    """Who said it; with the number of the part, where the statements are about several parts of one product."""
    name = observation.supplier.name if observation.supplier else observation.source_title
    number = observation.part.order_number if observation.part is not None else ""
    is_one_part = len({each.part_id for each in others}) == 1
    return name if is_one_part or not number else f"{name} · {number}"


def _price_row(
    observation: PriceObservation, answer: PriceAnswer, question: PriceQuestion, rates: Rates, who: str
) -> Offer:
    low = cells.money_text(observation.unit_price, observation.currency)
    high = observation.price_high
    amount = low if high is None else f"{low}–{cells.money_text(high, observation.currency)}"
    counts = answer.observation is not None and answer.observation.pk == observation.pk
    refusal = price_refusal(observation, question, rates)
    if refusal == "expired" and observation.superseded_by_id is not None:
        refusal = "replaced"
    return Offer(
        cells=(
            cells.text(who),
            cells.text(observation.get_kind_display()),
            Cell(text=amount, is_number=True),
            cells.text(observation.get_tax_basis_display()),
            Cell(text=cells.number_text(observation.min_quantity), is_number=True),
            cells.day(observation.observed_on),
            _age(observation.observed_on, question.as_of),
            cells.text(observation.confidence),
            cells.text(observation.source_title, url=observation.source_url),
        ),
        counts=counts,
        refusal="" if refusal is None else messages.refusal(refusal),
    )


def _lead_time_row(
    observation: LeadTimeObservation, answer: LeadTimeAnswer, question: PriceQuestion, who: str
) -> Offer:
    figures = (observation.weeks_low, observation.weeks_typical, observation.weeks_high)
    known = [float(figure) for figure in figures if figure is not None]
    refusal = lead_time_refusal(observation, question.quantity, question.as_of)
    return Offer(
        cells=(
            cells.text(who),
            cells.text(observation.get_state_display()),
            Cell(text=cells.weeks_text(min(known), max(known))) if known else cells.unknown(),
            cells.number(observation.stock_count) if observation.stock_count is not None else cells.unknown(),
            cells.day(observation.observed_on),
            _age(observation.observed_on, question.as_of),
            cells.text(observation.confidence),
            cells.text(observation.source_title, url=observation.source_url),
        ),
        counts=answer.observation is not None and answer.observation.pk == observation.pk,
        refusal="" if refusal is None else messages.refusal(refusal),
    )


def _age(observed_on: date, as_of: date) -> Cell:
    return Cell(text=cells.age_text((as_of - observed_on).days))
