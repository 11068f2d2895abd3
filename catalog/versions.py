"""The version of the catalogue: a counter and a hash of the facts, raised with every committed change."""

import hashlib
import json

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models

from catalog.models import (
    Accelerator,
    AiModel,
    CatalogVersion,
    CloudRate,
    Component,
    DeviceMemory,
    Interconnect,
    NonLlmWorkload,
    Processor,
    Server,
    ServerAccelerator,
    ServingSoftware,
    SoftwareCompatibility,
    StorageFormat,
)

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
