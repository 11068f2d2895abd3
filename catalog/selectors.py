"""Reads of the catalogue. Every one that shows prices or parts filters by organisation here, nowhere else."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any

from django.db.models import Model, Prefetch, Q, QuerySet

from catalog.choices import PartKind
from catalog.choosing import (
    DEFAULT_MAX_AGE_DAYS,
    LeadTimeAnswer,
    PriceAnswer,
    PriceQuestion,
    Rates,
    choose_lead_time,
    choose_price,
)
from catalog.models import (
    Accelerator,
    BomRule,
    Component,
    ExchangeRate,
    LeadTimeObservation,
    OriginClaim,
    Part,
    PartAlias,
    PriceObservation,
    Processor,
    Server,
    ServerAccelerator,
    Supplier,
)
from catalog.seed.rules import shipped_rules
from catalog.versions import catalog_version, price_snapshot
from catalog.visibility import visible
from config.accounts.models import Organisation

__all__ = [
    "accelerators_for_sizing",
    "catalog_version",
    "class_lead_times",
    "current_lead_time",
    "current_lead_times",
    "current_price",
    "current_prices",
    "exchange_rates",
    "lead_times",
    "observations",
    "origin_claims",
    "parts",
    "price_snapshot",
    "prices",
    "processors_for_sizing",
    "product_part",
    "servers_for_sizing",
    "suppliers",
    "visible",
]

type Subject = Part | Accelerator | Processor | Server | Component

LINKS: Mapping[type[Model], str] = {
    Part: "part_id",
    Accelerator: "part__accelerator_id",
    Processor: "part__processor_id",
    Server: "part__server_id",
    Component: "part__component_id",
}
"""Path from an observation to the thing that a price or lead time is asked for."""


def accelerators_for_sizing() -> list[Accelerator]:
    """Every accelerator with its memory reports and the servers that take it, in a fixed order (3 queries)."""
    fits = ServerAccelerator.objects.select_related("server")
    return list(Accelerator.objects.order_by("slug").prefetch_related("device_memory", Prefetch("fits", queryset=fits)))


def processors_for_sizing() -> list[Processor]:
    """Every processor in a fixed order."""
    return list(Processor.objects.order_by("slug"))


def bom_rules() -> list[dict[str, Any]]:
    """The configurator's rules as records (id, value, unit, kind, source, date); 1 query.

    A rule that is shipped but not stored yet, because this release is newer than the last seed, holds as shipped.
    """
    stored: dict[str, dict[str, Any]] = {
        row.slug: {
            "id": row.slug,
            "value": row.value,
            "unit": row.unit,
            "kind": row.kind,
            "source": row.source_title,
            "date": row.source_date,
        }
        for row in BomRule.objects.all()
    }
    shipped = {record["id"]: record for record in shipped_rules()}
    return list((shipped | stored).values())


def servers_for_sizing() -> list[Server]:
    """Every server with what fits into it, in a fixed order (2 queries). Of the accelerators only the slug is read."""
    fits = ServerAccelerator.objects.select_related("accelerator")
    fits = fits.only("server_id", "accelerator_name", "count_seen", "accelerator__slug")
    return list(Server.objects.order_by("slug").prefetch_related(Prefetch("fits", queryset=fits)))


def parts(organisation: Organisation | None) -> QuerySet[Part]:
    """Parts that the organisation may see."""
    return Part.objects.filter(visible(organisation))


def suppliers(organisation: Organisation | None) -> QuerySet[Supplier]:
    return Supplier.objects.filter(visible(organisation))


def prices(organisation: Organisation | None) -> QuerySet[PriceObservation]:
    """All price observations that the organisation may see, newest first."""
    rows = PriceObservation.objects.filter(visible(organisation)).select_related("part", "supplier")
    return rows.defer("part__search_vector")


def lead_times(organisation: Organisation | None) -> QuerySet[LeadTimeObservation]:
    """All lead-time observations that the organisation may see, newest first."""
    rows = LeadTimeObservation.objects.filter(visible(organisation)).select_related("part", "supplier")
    return rows.defer("part__search_vector")


def aliases(part: Part, organisation: Organisation | None) -> QuerySet[PartAlias]:
    """What suppliers call a part, as somebody decided once."""
    named = PartAlias.objects.filter(visible(organisation), part=part)
    return named.select_related("supplier", "decided_by").order_by("text_normalised", "pk")


def origin_claims(part: Part, organisation: Organisation | None) -> QuerySet[OriginClaim]:
    """Claims on where the part comes from that still stand, best evidence and newest first."""
    claims = OriginClaim.objects.filter(visible(organisation), part=part, superseded_by=None)
    return claims.select_related("file").defer("file__content").order_by("grade", "-stated_on", "-pk")


def current_prices[S: Subject](
    subjects: Iterable[S],
    *,
    as_of: date,
    currency: str,
    organisation: Organisation | None = None,
    quantity: int | Mapping[S, int] = 1,
    end_customer: str = "",
) -> dict[S, PriceAnswer]:
    """The price that counts for each subject, by the rules of `catalog.choosing`.

    For an accelerator every part that is exactly one of it counts, board partners' cards included.
    Two queries for subjects of one kind, whatever their number.
    """
    wanted = list(subjects)
    rates = exchange_rates(to=currency, as_of=as_of, organisation=organisation)
    grouped = _grouped(prices(organisation), wanted)
    limit = organisation.price_max_age_days if organisation else DEFAULT_MAX_AGE_DAYS
    return {
        subject: choose_price(
            grouped[subject],
            PriceQuestion(
                quantity=quantity if isinstance(quantity, int) else quantity.get(subject, 1),
                as_of=as_of,
                currency=currency,
                end_customer=end_customer,
                max_age_days=limit,
            ),
            rates=rates,
        )
        for subject in wanted
    }


def current_price(
    subject: Subject,
    *,
    as_of: date,
    currency: str,
    organisation: Organisation | None = None,
    quantity: int = 1,
    end_customer: str = "",
) -> PriceAnswer:
    """The price that counts for one subject; see `current_prices`."""
    answers: dict[Subject, PriceAnswer] = current_prices(
        [subject],
        as_of=as_of,
        currency=currency,
        organisation=organisation,
        quantity=quantity,
        end_customer=end_customer,
    )
    return answers[subject]


def current_lead_times[S: Subject](
    subjects: Iterable[S],
    *,
    as_of: date,
    organisation: Organisation | None = None,
    quantity: int | Mapping[S, int] = 1,
) -> dict[S, LeadTimeAnswer]:
    """The lead time that counts for each subject, by the rules of `catalog.choosing` (one query)."""
    wanted = list(subjects)
    grouped = _grouped(lead_times(organisation).filter(part__isnull=False), wanted)
    limit = organisation.lead_time_max_age_days if organisation else DEFAULT_MAX_AGE_DAYS
    return {
        subject: choose_lead_time(
            grouped[subject],
            quantity=quantity if isinstance(quantity, int) else quantity.get(subject, 1),
            as_of=as_of,
            max_age_days=limit,
        )
        for subject in wanted
    }


def current_lead_time(
    subject: Subject, *, as_of: date, organisation: Organisation | None = None, quantity: int = 1
) -> LeadTimeAnswer:
    """The lead time that counts for one subject; see `current_lead_times`."""
    answers: dict[Subject, LeadTimeAnswer] = current_lead_times(
        [subject], as_of=as_of, organisation=organisation, quantity=quantity
    )
    return answers[subject]


def observations[S: Subject, O: (PriceObservation, LeadTimeObservation)](rows: QuerySet[O], subject: S) -> list[O]:
    """Every observation about one subject, newest first, those that do not count included."""
    found = _grouped(rows, [subject])[subject]
    return sorted(found, key=lambda row: (row.observed_on, row.pk), reverse=True)


def product_part(subject: Subject, organisation: Organisation | None) -> Part | None:
    """The part that stands for a product as such, where prices that name no number belong."""
    if isinstance(subject, Part):
        return subject
    link = LINKS[type(subject)].removeprefix("part__")
    mine = parts(organisation).filter(**{link: subject.pk})
    return mine.order_by("-mpn", "pk").filter(mpn="", oem_part_number="").first() or mine.order_by("pk").first()


def class_lead_times(goods_class: str, *, as_of: date) -> QuerySet[LeadTimeObservation]:
    """Public statements about a class of goods: background beside an unknown lead time, never in its place."""
    return LeadTimeObservation.objects.filter(
        organisation=None, part=None, goods_class=goods_class, observed_on__lte=as_of
    )


def exchange_rates(*, to: str, as_of: date, organisation: Organisation | None = None) -> Rates:
    """Rates into one currency on a day: the newest of each pair, the organisation's own before a public one.

    A pair given only the other way round is inverted. No rate means no conversion, never a guess.
    """
    pairs = ExchangeRate.objects.filter(visible(organisation), as_of__lte=as_of).exclude(confidence="D")
    found: dict[tuple[str, str], ExchangeRate] = {}
    for rate in pairs.filter(Q(quote_currency=to) | Q(base_currency=to)).order_by("as_of", "pk"):
        entry = rate if rate.quote_currency == to else _inverted(rate)
        known = found.get((entry.base_currency, to))
        if known is None or known.organisation_id is None or entry.organisation_id is not None:
            found[entry.base_currency, to] = entry
    return found


def _inverted(rate: ExchangeRate) -> ExchangeRate:
    return ExchangeRate(
        organisation_id=rate.organisation_id,
        base_currency=rate.quote_currency,
        quote_currency=rate.base_currency,
        rate=1 / rate.rate,
        as_of=rate.as_of,
        confidence=rate.confidence,
        source_title=rate.source_title,
        source_url=rate.source_url,
    )


def _grouped[S: Subject, O: (PriceObservation, LeadTimeObservation)](
    rows: QuerySet[O], subjects: Sequence[S]
) -> dict[S, list[O]]:
    grouped: dict[S, list[O]] = {subject: [] for subject in subjects}
    by_kind: dict[type[Model], dict[int, S]] = {}
    for subject in subjects:
        by_kind.setdefault(type(subject), {})[subject.pk] = subject
    for kind, by_id in by_kind.items():
        chosen: Any = rows.filter(**{f"{LINKS[kind]}__in": list(by_id)})
        if kind is Accelerator:
            chosen = chosen.filter(part__accelerators_in_part=1, part__kind=PartKind.ACCELERATOR)
        for row in chosen:
            owner = row.part_id if kind is Part else getattr(row.part, LINKS[kind].removeprefix("part__"))
            grouped[by_id[owner]].append(row)
    return grouped
