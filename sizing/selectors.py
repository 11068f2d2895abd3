"""Reads of the sizing app. A run of another organisation is nowhere to be found."""

from collections.abc import Sequence
from uuid import UUID

from django.db.models import Q, QuerySet

from config.accounts.models import User
from sizing.models import SizingOption, SizingRun


def runs_for(user: User | None, *, secrets: Sequence[str] = ()) -> QuerySet[SizingRun]:
    """Runs that this person may see: those of their organisations, and visitors' runs whose secret they hold.

    `result` (megabytes) is read only where it is asked for.
    """
    allowed = Q(organisation=None, secret__in=secrets)
    if user is not None and user.is_authenticated:
        allowed |= Q(organisation__memberships__user=user)
    return SizingRun.objects.filter(allowed).select_related("workload").defer("result").distinct()


def run_by_key(key: str, user: User | None) -> SizingRun | None:
    """The run behind an address: a visitor's by its secret, a member's by its public id; else None.

    The secret of a run that was claimed since still leads those to it who may see it.
    """
    by_secret = (
        SizingRun.objects.select_related("workload").defer("result").filter(organisation=None, secret=key).first()
    )
    if by_secret is not None:
        return by_secret
    try:
        return runs_for(user).filter(public_id=UUID(key)).first()
    except ValueError:
        return runs_for(user).filter(secret=key).first()


def options_of(run: SizingRun) -> QuerySet[SizingOption]:
    return run.options.order_by("rank")


def option_for(user: User | None, public_id: str | UUID, *, secrets: Sequence[str] = ()) -> SizingOption | None:
    """The option with this public id, if its run is visible to the person."""
    return (
        SizingOption.objects.select_related("run__workload")
        .filter(public_id=public_id, run__in=runs_for(user, secrets=secrets))
        .first()
    )
