"""The catalogue as the configurator reads it: chassis, parts, and the prices and lead times that count today.

Which price or lead time counts is decided once, in `catalog.selectors`; the configurator gets the answer.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from functools import lru_cache

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from catalog import selectors
from catalog.choices import ServerBasis
from catalog.models import (
    Accelerator,
    Component,
    ExchangeRate,
    LeadTimeObservation,
    OriginClaim,
    Processor,
    Server,
)
from config.accounts.models import Organisation
from quotes import bom

type Subject = Accelerator | Processor | Server | Component
CACHED_CATALOGUES = 8


def hardware(*, as_of: date, currency: str, organisation: Organisation | None) -> bom.Prepared:
    """Everything that can be bought, priced in one currency as of a day; kept until catalogue or prices change."""
    return _hardware(
        selectors.catalog_version(),
        selectors.price_snapshot(organisation=organisation),
        as_of,
        currency,
        organisation,
    )


@lru_cache(maxsize=CACHED_CATALOGUES)
def _hardware(
    _version: str, _snapshot: str, as_of: date, currency: str, organisation: Organisation | None
) -> bom.Prepared:
    accelerators = list(Accelerator.objects.order_by("slug"))
    processors = selectors.processors_for_sizing()
    servers = selectors.servers_for_sizing()
    components = list(Component.objects.order_by("slug"))
    subjects: list[Subject] = [*accelerators, *processors, *servers, *components]
    return bom.prepare(
        bom.HardwareCatalogue(
            accelerators=tuple(bom.accelerator_from_row(_texts(row)) for row in accelerators),
            chassis=tuple(_chassis(row) for row in servers),
            processors=tuple(bom.cpu_from_row(_texts(row)) for row in processors),
            components=tuple(part for row in components if (part := bom.component_from_row(_texts(row)))),
            part_numbers=tuple(_part_numbers(organisation)),
            prices=tuple(_prices(subjects, as_of, currency, organisation)),
            lead_times=(*_lead_times(subjects, as_of, organisation), *_class_lead_times(as_of)),
            origins={fact.slug: fact for fact in _origins(organisation)},
            exchange_rates=tuple(_rates(as_of, currency, organisation)),
        )
    )


def makers(found: bom.Prepared) -> set[str]:
    """Every firm that a line of a bill may name."""
    numbers = [number for group in found.part_numbers.values() for number in group]
    return {
        *(part.vendor for part in found.accelerators.values()),
        *(part.vendor for part in found.chassis),
        *(part.vendor for part in found.processors),
        *(part.vendor for group in found.components.values() for part in group),
        *(number.manufacturer for number in numbers),
        *(number.oem for number in numbers),
    }


def rules() -> bom.Rules:
    """The configuration rules as stored, each with its source and date; kept until the catalogue changes."""
    return _rules(selectors.catalog_version())


@lru_cache(maxsize=CACHED_CATALOGUES)
def _rules(_version: str) -> bom.Rules:
    return bom.rules_from_records(selectors.bom_rules())


def _texts(row: Subject) -> dict[str, str]:
    """A row as texts under the column names of the catalogue files; unknown is empty."""
    return {field.name: _text(getattr(row, field.attname)) for field in row._meta.concrete_fields}


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) and value.is_integer() and abs(value) < 1e6 else str(value)


def _chassis(row: Server) -> bom.Chassis:
    texts = _texts(row)
    fits = list(row.fits.all())
    seen = [
        bom.SeenBuild(accelerator=_fit_slug(fit), count=fit.count_seen, source=row.source_title)
        for fit in fits
        if fit.count_seen
    ]
    if row.basis == ServerBasis.FILING:
        return bom.chassis_from_builds(
            texts
            | {
                "suggested_slug": row.slug,
                "chassis_model": row.model,
                "processors_seen": row.cpu_families,
                "source": row.source_title,
                "accelerators_seen": "|".join(f"{build.count}x {build.accelerator}" for build in seen),
            }
        )
    listed = ";".join(_fit_slug(fit) for fit in fits if not fit.count_seen)
    return bom.chassis_from_row(texts | {"compatible_accelerators": listed}, seen)


def _fit_slug(fit: object) -> str:
    accelerator = getattr(fit, "accelerator", None)
    return accelerator.slug if accelerator is not None else str(getattr(fit, "accelerator_name", ""))


def _prices(
    subjects: list[Subject], as_of: date, currency: str, organisation: Organisation | None
) -> Iterator[bom.PriceFact]:
    """One fact for the price that counts; a second, never summed one where only an indication exists."""
    answers = selectors.current_prices(subjects, as_of=as_of, currency=currency, organisation=organisation)
    for subject, answer in answers.items():
        money, kind = answer.money, answer.observation.kind if answer.observation else ""
        if money.amount is None and answer.indicative is not None:
            money, kind = answer.indicative, "estimate_press"
        if money.amount is None:
            continue
        yield bom.PriceFact(
            slug=subject.slug,
            amount=money.amount,
            high=money.high,
            currency=money.currency,
            kind=kind,
            confidence=answer.observation.confidence if answer.observation else "D",
            part_class=_class_of(subject),
            source=money.source,
            as_of=money.as_of,
        )


def _lead_times(subjects: list[Subject], as_of: date, organisation: Organisation | None) -> Iterator[bom.LeadTimeFact]:
    answers = selectors.current_lead_times(subjects, as_of=as_of, organisation=organisation)
    for subject, answer in answers.items():
        for observation in answer.observations:
            yield _lead_fact(observation, slug=subject.slug, part_class=_class_of(subject))


def _class_of(subject: Subject) -> bom.PartClass:
    if isinstance(subject, Accelerator):
        return bom.PartClass.ACCELERATOR
    if isinstance(subject, Processor):
        return bom.PartClass.CPU
    if isinstance(subject, Server):
        return bom.PartClass.SYSTEM
    return bom.PartClass(subject.category) if subject.category in set(bom.PartClass) else bom.PartClass.SERVICE


def _lead_fact(observation: LeadTimeObservation, *, slug: str, part_class: bom.PartClass) -> bom.LeadTimeFact:
    return bom.LeadTimeFact(
        part_class=part_class,
        slug=slug,
        weeks_low=_float(observation.weeks_low),
        weeks_typical=_float(observation.weeks_typical),
        weeks_high=_float(observation.weeks_high),
        region=observation.region,
        confidence=observation.confidence,
        source=observation.source_title or (observation.supplier.name if observation.supplier else ""),
        as_of=observation.observed_on.isoformat(),
    )


def _float(value: object) -> float | None:
    return None if value is None else float(str(value))


def _class_lead_times(as_of: date) -> Iterator[bom.LeadTimeFact]:
    """Public statements about whole classes; they stand in, marked as such, where a part has none of its own."""
    rows = LeadTimeObservation.objects.filter(organisation=None, part=None, observed_on__lte=as_of).order_by("pk")
    for row in rows:
        texts: Mapping[str, str] = {
            "class": row.goods_class,
            "item": row.item,
            "item_slug": "",
            "weeks_low": _text(row.weeks_low),
            "weeks_typical": _text(row.weeks_typical),
            "weeks_high": _text(row.weeks_high),
            "region": row.region,
            "confidence": row.confidence,
            "source_title": row.source_title,
            "as_of": row.observed_on.isoformat(),
            "notes": row.notes,
        }
        if row.item and (fact := bom.lead_time_from_row(texts)):
            yield fact


def _part_numbers(organisation: Organisation | None) -> Iterator[bom.PartNumber]:
    """Order codes of single things, by the slug of what they order."""
    columns = ("manufacturer", "mpn", "oem", "oem_part_number", "confidence")
    parts = (
        selectors.parts(organisation)
        .exclude(mpn="", oem_part_number="")
        .filter(Q(accelerators_in_part=None) | Q(accelerators_in_part=1))
        .annotate(product=_product_slug(), source=F("source_title"), as_of=F("source_date"))
        .exclude(product=None)
    )
    for row in parts.order_by("pk").values(*columns, "product", "source", "as_of"):
        yield bom.PartNumber(slug=row.pop("product"), **row)


def _product_slug(path: str = "") -> Coalesce:
    """The slug of what a part is, whichever table holds it; `path` leads to the part."""
    return Coalesce(*(f"{path}{name}__slug" for name in ("accelerator", "processor", "server", "component")))


def _origins(organisation: Organisation | None) -> Iterable[bom.OriginFact]:
    """The best standing claim for each product; weaker and older ones stay in the register."""
    claims = (
        OriginClaim.objects.filter(selectors.visible(organisation), superseded_by=None)
        .annotate(product=_product_slug("part__"))
        .exclude(product=None)
        .order_by("grade", "-stated_on", "-pk")
    )
    found: dict[str, bom.OriginFact] = {}
    for claim in claims:
        if claim.product not in found:
            found[claim.product] = bom.OriginFact(
                slug=claim.product,
                country=claim.country_code or claim.text,
                grade=claim.grade,
                evidence=claim.evidence_type,
                claimed_by=claim.stated_by,
                source=claim.source_title,
                as_of=claim.stated_on.isoformat() if claim.stated_on else "",
            )
    return found.values()


def _rates(as_of: date, currency: str, organisation: Organisation | None) -> Iterator[bom.ExchangeRate]:
    rates = selectors.exchange_rates(to=currency, as_of=as_of, organisation=organisation)
    for (base, quote), rate in rates.items():
        yield _rate(base, quote, rate)


def _rate(base: str, quote: str, rate: ExchangeRate) -> bom.ExchangeRate:
    return bom.ExchangeRate(
        base=base, quote=quote, rate=rate.rate, source=rate.source_title, as_of=rate.as_of.isoformat()
    )
