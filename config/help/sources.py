"""Where the data comes from and how old it is: catalogue, screening lists, measured points."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Max, Model
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.kept import kept
from catalog.models import (
    Accelerator,
    AiModel,
    CloudRate,
    Component,
    EnergyTariff,
    ExchangeRate,
    LeadTimeObservation,
    OriginClaim,
    Part,
    PriceObservation,
    Processor,
    Server,
    ServingSoftware,
    SoftwareCompatibility,
)
from catalog.visibility import visible
from config.accounts.models import Organisation
from quotes.compliance.lists import load_lists
from quotes.compliance.types import ListVersion
from sizing.calibration.load import COEFFICIENTS, CURRENT_VERSION

TABLES: tuple[tuple[type[Model], str | Promise, str, bool], ...] = (
    (Accelerator, _("Accelerators"), "source_date", False),
    (Server, _("Servers"), "source_date", False),
    (Processor, _("Processors"), "source_date", False),
    (Component, _("Components"), "source_date", False),
    (Part, _("Part numbers"), "source_date", True),
    (AiModel, _("AI models"), "source_date", False),
    (ServingSoftware, _("Serving software"), "source_date", False),
    (SoftwareCompatibility, _("What runs on what"), "source_date", False),
    (PriceObservation, _("Prices"), "observed_on", True),
    (LeadTimeObservation, _("Lead times"), "observed_on", True),
    (OriginClaim, _("Claims of origin"), "source_date", True),
    (ExchangeRate, _("Exchange rates"), "as_of", True),
    (EnergyTariff, _("Electricity tariffs"), "as_of", False),
    (CloudRate, _("Rental and API rates"), "as_of", False),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One kind of data: rows, different sources, the newest day ("" where none is stated)."""

    name: str | Promise
    rows: int
    sources: int
    newest: str


def catalogue_sources(organisation: Organisation | None) -> list[Source]:
    """One entry for each table that the reader may see, counted anew when the catalogue has changed."""
    totals = kept("sources", organisation, lambda: _totals(organisation))
    return [
        Source(name=name, rows=rows, sources=sources, newest=newest)
        for (_model, name, _day, _owned), (rows, sources, newest) in zip(TABLES, totals, strict=True)
    ]


def _totals(organisation: Organisation | None) -> list[tuple[int, int, str]]:
    """Rows, different sources and newest day of each table, with one query each."""
    found = []
    for model, _name, day, owned in TABLES:
        rows = model._default_manager.all()
        if owned:
            rows = rows.filter(visible(organisation))
        totals = rows.order_by().aggregate(
            rows=Count("pk"), sources=Count("source_title", distinct=True), newest=Max(day)
        )
        newest = totals["newest"]
        text = newest.isoformat() if isinstance(newest, date) else str(newest or "")
        found.append((totals["rows"], totals["sources"], text))
    return found


def list_versions() -> list[tuple[str, ListVersion]]:
    """The screening lists in use, by regime."""
    return [(regime.value, version) for regime, version in load_lists().versions.items()]


def fit_of_speed() -> dict[str, Any]:
    """The shipped fit of the speed model: version, measured points and groups."""
    body = json.loads((COEFFICIENTS / f"{CURRENT_VERSION}.json").read_text(encoding="utf-8"))
    report: Mapping[str, Any] = body["report"]
    return {"version": body["version"], "points": report["points"], "groups": report["groups"]}
