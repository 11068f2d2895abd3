"""Writes of the sizing app: start a run, cancel it, claim a visitor's runs."""

import logging
from collections.abc import Mapping, Sequence
from datetime import date
from functools import partial

from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from config.accounts.models import Organisation, User
from sizing import inputs, lease, tasks
from sizing.choices import RunState
from sizing.models import SizingRun, Workload
from sizing.requests import read_request

logger = logging.getLogger(__name__)


@transaction.atomic
def start_run(
    *, request: Mapping[str, object], user: User | None = None, organisation: Organisation | None = None
) -> SizingRun:
    """Store the request and a queued run, and hand it to a worker after the commit.

    Raises RequestProblem, which names every wrong field, and SizingError where the request contradicts the
    model or the catalogue; nothing is stored then.
    """
    stated = read_request(request, today=timezone.now().date())
    inputs.check(stated)
    workload = Workload.objects.create(
        organisation=organisation,
        created_by=user,
        name=stated["name"],
        kind=stated["kind"],
        request=stated,
    )
    run = SizingRun.objects.create(
        workload=workload,
        organisation=organisation,
        created_by=user,
        as_of=date.fromisoformat(stated["as_of"]),
    )
    transaction.on_commit(partial(_send, run.pk))
    return run


def _send(run_id: int) -> None:
    """With the broker down the run stays queued, and the sweeper sends it later."""
    try:
        tasks.run_sizing.delay(run_id)
    except (OperationalError, OSError):
        logger.warning("broker not reachable, the sweeper will send the run", extra={"run_id": run_id})
        return
    lease.mark_sent(run_id)


@transaction.atomic
def cancel_run(run: SizingRun) -> SizingRun:
    """Ask a run to stop: at once if it waits, at its next progress report if it is running."""
    run = SizingRun.objects.select_for_update(no_key=True, of=("self",)).get(pk=run.pk)
    if run.state == RunState.QUEUED:
        run.state, run.finished_at = RunState.CANCELLED, timezone.now()
    elif run.state == RunState.RUNNING:
        run.state = RunState.CANCELLING
    run.save(update_fields=["state", "finished_at"])
    return run


@transaction.atomic
def claim_runs(*, secrets: Sequence[str], user: User, organisation: Organisation) -> int:
    """Give a visitor's runs to the organisation that they signed in to; returns how many."""
    runs = SizingRun.objects.filter(secret__in=secrets, organisation=None)
    Workload.objects.filter(runs__in=runs).update(organisation=organisation, created_by=user)
    return runs.update(organisation=organisation, created_by=user)
