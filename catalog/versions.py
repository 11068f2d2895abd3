"""The version of the catalogue, raised with every committed change, and the snapshot of prices that go with it."""

import hashlib
import json
from typing import cast

from django.core.cache import cache
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models

from catalog.models import (
    Accelerator,
    AiModel,
    BomRule,
    CatalogVersion,
    CloudRate,
    Component,
    DeviceMemory,
    ExchangeRate,
    Interconnect,
    LeadTimeObservation,
    NonLlmWorkload,
    PriceObservation,
    Processor,
    Server,
    ServerAccelerator,
    ServingSoftware,
    SoftwareCompatibility,
    StorageFormat,
)
from catalog.visibility import visible
from config.accounts.models import Organisation

LOCK_KEY = 0x6B766F7465  # "kvote": one writer of the catalogue's version at a time

FACT_TABLES: tuple[tuple[type[models.Model], tuple[str, ...]], ...] = (
    (Accelerator, ()),
    (DeviceMemory, ("accelerator__slug",)),
    (Processor, ()),
    (Server, ()),
    (ServerAccelerator, ("server__slug", "accelerator__slug")),
    (Component, ()),
    (Interconnect, ()),
    (ServingSoftware, ()),
    (SoftwareCompatibility, ()),
    (StorageFormat, ()),
    (AiModel, ()),
    (NonLlmWorkload, ()),
    (CloudRate, ()),
    (BomRule, ()),
)
KEPT_S = 86_400
SNAPSHOT_FIELDS: tuple[tuple[type[models.Model], str], ...] = (
    (
        PriceObservation,
        "part__slug supplier__name supplier_sku unit_price price_high currency price_unit kind tax_basis condition "
        "min_quantity pack_size minimum_order observed_on valid_from valid_to is_outlier confidence end_customer "
        "quote_number",
    ),
    (
        LeadTimeObservation,
        "part__slug supplier__name goods_class state weeks_low weeks_typical weeks_high stock_count promised_on "
        "observed_on valid_to is_outlier confidence",
    ),
    (ExchangeRate, "base_currency quote_currency rate as_of confidence"),
)
NOT_FACTS = frozenset({"id", "public_id", "seed_version", "edited_at", "created_at"})


def lock() -> None:
    """Hold the catalogue against other writers until the transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK_KEY])


def raise_version(*, reason: str) -> CatalogVersion:
    """Count up by one and hash the facts; call it inside the transaction that changed them."""
    lock()
    last = CatalogVersion.objects.order_by("-number").first()
    return CatalogVersion.objects.create(
        number=last.number + 1 if last else 1, content_hash=content_hash(), reason=reason[:100]
    )


def content_hash() -> str:
    """SHA-256 over the facts that sizing reads; equal facts give equal hashes on every machine."""
    digest = hashlib.sha256()
    for model, related in FACT_TABLES:
        names = [
            field.name for field in model._meta.concrete_fields if field.name not in NOT_FACTS and not field.is_relation
        ]
        rows = model._default_manager.order_by().values_list(*names, *related)
        lines = sorted(json.dumps(row, cls=DjangoJSONEncoder, sort_keys=True) for row in rows)
        digest.update(model._meta.label.encode())
        digest.update("\n".join(lines).encode())
    return digest.hexdigest()


def catalog_version() -> str:
    """The current version, for example "12-9f86d081884c"; "0-empty" before anything was loaded."""
    newest = CatalogVersion.objects.order_by("-number").first()
    return str(newest) if newest else "0-empty"


def stamp() -> str:
    """Names the present state of the catalogue in keys of the cache; "" before anything was loaded."""
    with connection.cursor() as cursor:  # asked for by every read of a kept list: half the time of a query set
        cursor.execute("SELECT number, created_at FROM catalog_catalogversion ORDER BY number DESC LIMIT 1")
        newest = cursor.fetchone()
    return f"{newest[0]}:{newest[1].timestamp()}" if newest else ""


def price_snapshot(organisation: Organisation | None = None) -> str:
    """SHA-256 over every price, lead time and rate that the organisation may see: equal hash, equal answers.

    Every write raises the catalogue's version, so the hash is kept in the cache for each version.
    """
    key = key_of("price-snapshot", organisation)
    if not key:
        return _hash_of_offers(organisation)
    return cast("str", cache.get_or_set(key, lambda: _hash_of_offers(organisation), timeout=KEPT_S))


def key_of(name: str, organisation: Organisation | None) -> str:
    """The key of the cache for what an organisation may read until the next write; "" before anything was loaded."""
    state = stamp()
    return f"{name}:{state}:{organisation.pk if organisation else 0}" if state else ""


def _hash_of_offers(organisation: Organisation | None) -> str:
    digest = hashlib.sha256()
    for model, names in SNAPSHOT_FIELDS:
        rows = model._default_manager.filter(visible(organisation)).order_by().values_list(*names.split())
        for line in sorted("\x1f".join(map(str, row)) for row in rows):
            digest.update(line.encode())
    return digest.hexdigest()
