"""Writes to the catalogue: one transaction each, audited, and the catalogue's version raised.

Each takes the catalogue's lock first, then rows, then the audit trail's lock: one order, no deadlock.
"""

from collections.abc import Iterable
from datetime import date, timedelta
from typing import Any, cast

from django.db import models, transaction
from django.utils import timezone

from catalog import versions
from catalog.choices import GRADE_OF_EVIDENCE, EvidenceType
from catalog.errors import CatalogError, Implausible
from catalog.models import (
    Accelerator,
    BomRule,
    Component,
    ExchangeRate,
    LeadTimeObservation,
    OriginClaim,
    Part,
    PriceObservation,
    Processor,
    Server,
)
from catalog.plausibility import Severity, doubts_about
from config.accounts.models import Organisation, User
from config.accounts.services import record_event

type Editable = Accelerator | Processor | Server | Component | Part | BomRule

NOT_EDITABLE = frozenset(
    {"id", "public_id", "slug", "seed_key", "seed_version", "edited_at", "edited_by", "created_at"}
)


@transaction.atomic
def record_price(*, price: PriceObservation, actor: User | None, reason: str = "") -> PriceObservation:
    """Store a price and close the older ones of the same source, part, quantity and kind.

    The older rows stay as they were but for `valid_to`, which is the day before the new one
    begins. Raises ValidationError where the row breaks a rule of its own.
    """
    versions.lock()
    price.full_clean(exclude=["superseded_by"])
    price.save()
    older = (
        PriceObservation.objects.select_for_update(no_key=True)
        .filter(
            organisation=price.organisation,
            part=price.part,
            supplier=price.supplier,
            supplier_sku=price.supplier_sku,
            kind=price.kind,
            currency=price.currency,
            min_quantity=price.min_quantity,
            end_customer=price.end_customer,
            quote_number=price.quote_number,
            superseded_by=None,
            observed_on__lte=price.observed_on,
        )
        .exclude(pk=price.pk)
    )
    closed = [_close(row, price) for row in older]
    _record(
        "record_price", price, actor, after=_shown(price), before={"closed": closed} if closed else None, reason=reason
    )
    versions.raise_version(reason="price")
    return price


@transaction.atomic
def supersede_price(
    *, old: PriceObservation, new: PriceObservation, actor: User | None, reason: str = ""
) -> PriceObservation:
    """Replace one price by another of the same part and owner. Raises CatalogError where `old` is replaced already."""
    versions.lock()
    old = PriceObservation.objects.select_for_update(no_key=True).get(pk=old.pk)
    if old.superseded_by_id is not None:
        raise CatalogError("price_replaced_already", price=str(old))
    if (old.part_id, old.organisation_id) != (new.part_id, new.organisation_id):
        raise CatalogError("price_of_another_part", price=str(old))
    new.full_clean(exclude=["superseded_by"])
    new.save()
    before = _shown(old)
    _close(old, new)
    _record("supersede_price", new, actor, before=before, after=_shown(new), reason=reason)
    versions.raise_version(reason="price")
    return new


def _close(old: PriceObservation, new: PriceObservation) -> str:
    last_day = new.valid_from - timedelta(days=1)
    old.valid_to = min(old.valid_to, last_day) if old.valid_to else last_day
    old.superseded_by = new
    old.save(update_fields=["valid_to", "superseded_by"])
    return str(old.public_id)


@transaction.atomic
def record_lead_time(*, observation: LeadTimeObservation, actor: User | None, reason: str = "") -> LeadTimeObservation:
    """Store a lead time and close the older ones of the same source and part."""
    versions.lock()
    observation.full_clean(exclude=["superseded_by"])
    observation.save()
    older = LeadTimeObservation.objects.filter(
        organisation=observation.organisation,
        part=observation.part,
        supplier=observation.supplier,
        goods_class=observation.goods_class,
        region=observation.region,
        superseded_by=None,
        observed_on__lte=observation.observed_on,
    ).exclude(pk=observation.pk)
    closed = [str(row.public_id) for row in older]
    older.update(superseded_by=observation, valid_to=observation.observed_on - timedelta(days=1))
    _record(
        "record_lead_time",
        observation,
        actor,
        after=_shown(observation),
        before={"closed": closed} if closed else None,
        reason=reason,
    )
    versions.raise_version(reason="lead time")
    return observation


@transaction.atomic
def record_origin_claim(
    *,
    part: Part,
    text: str,
    evidence_type: EvidenceType,
    actor: User | None,
    organisation: Organisation | None = None,
    country_code: str = "",
    stated_by: str = "",
    stated_on: date | None = None,
    **details: Any,
) -> OriginClaim:
    """Store what somebody says about a part's origin; the grade follows from the evidence."""
    versions.lock()
    claim = OriginClaim(
        part=part,
        text=text,
        evidence_type=evidence_type,
        grade=GRADE_OF_EVIDENCE[evidence_type],
        organisation=organisation,
        country_code=country_code,
        stated_by=stated_by,
        stated_on=stated_on,
        **details,
    )
    claim.full_clean(exclude=["superseded_by"])
    claim.save()
    _record("record_origin_claim", claim, actor, after=_shown(claim))
    versions.raise_version(reason="origin claim")
    return claim


@transaction.atomic
def record_exchange_rate(*, rate: ExchangeRate, actor: User | None) -> ExchangeRate:
    """Store an exchange rate of a day; older ones stay for older dates."""
    versions.lock()
    rate.full_clean()
    rate.save()
    _record("record_exchange_rate", rate, actor, after=_shown(rate))
    versions.raise_version(reason="exchange rate")
    return rate


@transaction.atomic
def edit[E: Editable](
    *,
    row: E,
    changes: dict[str, Any],
    actor: User | None,
    organisation: Organisation | None = None,
    reason: str = "",
    confirmed: bool = False,
) -> E:
    """Change fields of a catalogue row; the shipped data leaves it alone from then on.

    `organisation` is the one that the actor works for: its audit trail shows the change.
    Raises CatalogError for a field that may not be edited, ValidationError for a broken rule,
    Implausible for figures that cannot be true. What is only unusual needs `confirmed` and a
    reason, which goes into the audit trail.
    """
    versions.lock()
    row = cast("E", type(row)._default_manager.select_for_update(no_key=True).get(pk=row.pk))
    before = _values(row, changes)
    for name, value in changes.items():
        if name in NOT_EDITABLE or name not in {field.name for field in row._meta.concrete_fields}:
            raise CatalogError("field_not_editable", field=name)
        setattr(row, name, value)
    row.full_clean(exclude={"slug", "seed_key"})
    _refuse_implausible(row, set(changes), confirmed=confirmed and bool(reason))
    row.edited_at = timezone.now()
    row.edited_by = actor
    row.save()
    _record(
        "edit",
        row,
        actor,
        before=before,
        after=_values(row, changes),
        reason=reason,
        organisation=organisation,
    )
    versions.raise_version(reason=f"edit {row._meta.model_name}")
    return row


def _refuse_implausible(row: Editable, changed: set[str], *, confirmed: bool) -> None:
    doubts = doubts_about(row)
    errors = [doubt for doubt in doubts if doubt.severity == Severity.ERROR]
    warnings = [doubt for doubt in doubts if doubt.severity == Severity.WARNING and doubt.field in changed]
    if errors or (warnings and not confirmed):
        raise Implausible([*errors, *warnings])


def _record(
    action: str,
    row: models.Model,
    actor: User | None,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
    reason: str = "",
    organisation: Organisation | None = None,
) -> None:
    record_event(
        action=action,
        object_kind=row._meta.model_name or "",
        object_id=str(getattr(row, "public_id", None) or getattr(row, "slug", None) or row.pk),
        actor=actor,
        organisation=organisation or getattr(row, "organisation", None),
        before=before,
        after=after,
        reason=reason,
    )


def _shown(row: models.Model) -> dict[str, Any]:
    """Fields of a row that say something."""
    fields = {field.attname: getattr(row, field.attname) for field in row._meta.concrete_fields}
    return {name: value for name, value in fields.items() if value not in (None, "")}


def _values(row: models.Model, names: Iterable[str]) -> dict[str, Any]:
    attnames = {field.name: field.attname for field in row._meta.concrete_fields}
    return {name: getattr(row, attnames[name]) for name in names if name in attnames}
