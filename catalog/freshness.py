"""How old the prices and lead times are that an organisation would quote from."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from catalog.choosing import DEFAULT_MAX_AGE_DAYS
from catalog.kept import kept
from catalog.models import CloudRate, ExchangeRate, LeadTimeObservation, PriceObservation
from catalog.visibility import visible
from config.accounts.models import Organisation


@dataclass(frozen=True, slots=True, kw_only=True)
class Freshness:
    """Counts of one table: all that stand, those within the limit, the oldest and the newest day."""

    name: str | Promise
    total: int
    fresh: int
    oldest: date | None
    newest: date | None
    limit_days: int

    @property
    def stale(self) -> int:
        return self.total - self.fresh


def freshness(organisation: Organisation | None, *, as_of: date) -> list[Freshness]:
    """One entry for each table of observations that the organisation may see (4 queries after a write, else 1)."""
    price_limit = organisation.price_max_age_days if organisation else DEFAULT_MAX_AGE_DAYS
    lead_limit = organisation.lead_time_max_age_days if organisation else DEFAULT_MAX_AGE_DAYS
    standing = Q(valid_to__isnull=True) | Q(valid_to__gte=as_of)
    owned = visible(organisation)
    tables: tuple[tuple[QuerySet[Any], str, str | Promise, int], ...] = (
        (PriceObservation.objects.filter(owned & standing), "observed_on", _("Prices"), price_limit),
        (LeadTimeObservation.objects.filter(owned & standing), "observed_on", _("Lead times"), lead_limit),
        (ExchangeRate.objects.filter(owned), "as_of", _("Exchange rates"), price_limit),
        (CloudRate.objects.all(), "as_of", _("Rental and API rates"), price_limit),
    )
    counts = kept(
        f"freshness:{as_of}:{price_limit}:{lead_limit}",
        organisation,
        lambda: [_counts(rows, day, as_of - timedelta(days=limit)) for rows, day, _name, limit in tables],
    )
    return [
        Freshness(name=name, limit_days=limit, **found)
        for (_rows, _day, name, limit), found in zip(tables, counts, strict=True)
    ]


def _counts(rows: QuerySet[Any], day: str, limit: date) -> dict[str, Any]:
    return rows.order_by().aggregate(
        total=Count("pk"), fresh=Count("pk", filter=Q(**{f"{day}__gte": limit})), oldest=Min(day), newest=Max(day)
    )
