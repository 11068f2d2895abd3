"""The observations of the catalogue behind a line's price and lead time, as they stood on the day of the run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from catalog import selectors
from catalog.choosing import LeadTimeAnswer, PriceAnswer, weeks_of
from catalog.messages import render
from catalog.models import Accelerator, Component, LeadTimeObservation, Processor, Server
from sizing import figures
from sizing.models import SizingRun

type Subject = Accelerator | Processor | Server | Component
LISTED_STATEMENTS = 8
CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the catalogue says: labelled facts, the reasons in words, and the page that shows all of it."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    link: tuple[str, str] | None = None


def subject_of(line: Mapping[str, Any]) -> Subject | None:
    """The row of the catalogue that a line names; None where it names none or the row is gone."""
    slug, part_class = str(line.get("part") or ""), str(line.get("part_class") or "")
    kinds: dict[str, type[Accelerator] | type[Processor] | type[Server]]
    kinds = {"gpu": Accelerator, "cpu": Processor, "system": Server}
    model = kinds.get(part_class, Component)
    return model.objects.filter(slug=slug).first() if slug else None


def seen_price(line: Mapping[str, Any], money: Mapping[str, Any], run: SizingRun) -> Seen:
    """The offer that a line's price comes from, or why none counts; what was added since the run is said to differ."""
    subject = subject_of(line)
    if subject is None:
        return Seen()
    currency = str(money.get("currency") or currency_of(run))
    answer = selectors.current_price(subject, as_of=run.as_of, currency=currency, organisation=run.organisation)
    link = (_("All prices on file"), f"{subject.get_absolute_url()}#offers")
    if money.get("amount") is None:
        return Seen(notes=[render(message) for message in answer.why], link=link)
    found = answer.money if answer.money.amount is not None else answer.indicative
    if found is None or found.amount is None or not _equal(found.amount, money["amount"]):
        return Seen(notes=[_("The catalogue has changed since; the run keeps the price that it counted.")], link=link)
    return Seen(facts=_offer_facts(answer), notes=[render(message) for message in answer.why], link=link)


def currency_of(run: SizingRun) -> str:
    """The currency that the run counted in."""
    stated = (run.request.get("procurement") or {}).get("currency")
    return str(stated or (run.organisation.currency if run.organisation else "USD"))


def _equal(amount: Decimal, stored: Any) -> bool:
    return abs(amount - Decimal(str(stored))) <= CENT


def _offer_facts(answer: PriceAnswer) -> list[tuple[str, str]]:
    seen, rate = answer.observation, answer.exchange_rate
    if seen is None:
        return []
    own = figures.amount(seen.unit_price, seen.currency, exact=True)
    rows = [
        (_("Supplier's number"), seen.supplier_sku),
        (_("As printed"), own if seen.currency != answer.money.currency else ""),
        (_("Quantity tier"), _("from %(count)s") % {"count": figures.number(seen.min_quantity)}),
        (_("Tax"), str(seen.get_tax_basis_display())),
        (_("Region"), seen.region),
        (_("Valid to"), figures.day(seen.valid_to)),
        (_("Confidence"), str(seen.get_confidence_display())),
    ]
    if rate is not None and seen.currency != answer.money.currency:
        words = _("1 %(base)s = %(rate)s %(quote)s, %(source)s, %(day)s")
        shown = {
            "base": seen.currency,
            "rate": f"{rate.rate.normalize():f}",
            "quote": answer.money.currency,
            "source": rate.source_title,
            "day": figures.day(rate.as_of),
        }
        rows.append((_("Exchange rate"), words % shown))
    return [(label, text) for label, text in rows if text]


def seen_lead_times(line: Mapping[str, Any], run: SizingRun) -> Seen:
    """The statements on file about a line's part on the day of the run, newest first."""
    subject = subject_of(line)
    if subject is None or (line.get("lead_weeks") or {}).get("for_class"):
        return Seen()
    answer: LeadTimeAnswer = selectors.current_lead_time(subject, as_of=run.as_of, organisation=run.organisation)
    rows = [(_statement_source(row), _statement(row, run)) for row in answer.observations[:LISTED_STATEMENTS]]
    return Seen(
        facts=[(label, text) for label, text in rows if text],
        notes=[render(message) for message in answer.why],
        link=(_("All lead times on file"), f"{subject.get_absolute_url()}#offers"),
    )


def _statement_source(row: LeadTimeObservation) -> str:
    source = row.source_title or (row.supplier.name if row.supplier else "")
    return f"{source}, {figures.day(row.observed_on)}"


def _statement(row: LeadTimeObservation, run: SizingRun) -> str:
    """A statement in weeks: its range, or its one figure."""
    found = [value for value in weeks_of(row, run.as_of) if value is not None]
    if not found:
        return ""
    low, high = min(found), max(found)
    span = figures.figure(low) if low == high else f"{figures.figure(low)}–{figures.figure(high)}"
    return figures.with_unit(span, _("wk"))
