"""Who works on a run, and until when: leases, heartbeats, and finding the runs that were lost.

A worker that dies leaves an expired lease behind; `due_runs` puts such a run back in the queue, so
that a kill costs seconds. Every write names the owner, so a worker that lost its lease writes nothing.
"""

import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from config.webhooks.choices import EventType
from config.webhooks.events import emit
from sizing.choices import FINISHED, RunState
from sizing.models import SizingRun, Workload
from sizing.models_draft import WorkloadDraft

HEARTBEAT_S = 10
LEASE = timedelta(seconds=15)
RESEND_AFTER = timedelta(seconds=60)  # a queued run that no worker took may have lost its message
MAX_ATTEMPTS = 5
VISITOR_RETENTION = timedelta(days=30)


def acquire(run_id: int) -> SizingRun | None:
    """The run with a fresh lease, or None where it is finished, cancelled, gone or in other hands."""
    now = timezone.now()
    with transaction.atomic():
        run = (
            SizingRun.objects.select_for_update(no_key=True, of=("self",))
            .select_related("workload")
            .filter(pk=run_id)
            .first()
        )
        if run is None or run.is_finished:
            return None
        if run.state != RunState.QUEUED and run.lease_expires_at and run.lease_expires_at > now:
            return None
        if run.state == RunState.CANCELLING:
            run.state, run.finished_at = RunState.CANCELLED, now
            run.save(update_fields=["state", "finished_at"])
            return None
        run.state = RunState.RUNNING
        run.lease_owner = secrets.token_hex(16)
        run.lease_expires_at = now + LEASE
        run.started_at = run.started_at or now
        run.attempts += 1
        run.save(update_fields=["state", "lease_owner", "lease_expires_at", "started_at", "attempts"])
    return run


def renew(run: SizingRun, **progress: object) -> bool:
    """Extend the lease and store progress; False where the run was cancelled or lost to another worker."""
    return bool(
        SizingRun.objects.filter(pk=run.pk, lease_owner=run.lease_owner, state=RunState.RUNNING).update(
            lease_expires_at=timezone.now() + LEASE, **progress
        )
    )


def finish(run: SizingRun, *, state: RunState, **fields: object) -> bool:
    """Close the run if this worker still owns it; a run that was being cancelled ends cancelled."""
    now = timezone.now()
    mine = SizingRun.objects.filter(pk=run.pk, lease_owner=run.lease_owner)
    with transaction.atomic():
        if mine.filter(state=RunState.RUNNING).update(state=state, finished_at=now, **fields):
            report_end(run, state)
            return True
    mine.filter(state=RunState.CANCELLING).update(state=RunState.CANCELLED, finished_at=now)
    return False


def report_end(run: SizingRun, state: RunState) -> None:
    """Tell the organisation's receivers, in the transaction that ends the run."""
    event = {RunState.DONE: EventType.RUN_DONE, RunState.FAILED: EventType.RUN_FAILED}.get(state)
    if event is not None:
        key = str(run.public_id)
        data = {"id": key, "state": state, "name": run.name, "href": f"/api/v1/sizing-runs/{key}"}
        emit(event, organisation=run.organisation, data=data)


@contextmanager
def heartbeat(run: SizingRun) -> Iterator[None]:
    """Renew the lease from a thread of its own while the body computes."""
    stop = threading.Event()

    def beat() -> None:
        while not stop.wait(HEARTBEAT_S):
            renew(run)
        connection.close()

    thread = threading.Thread(target=beat, name=f"heartbeat-{run.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def due_runs() -> list[int]:
    """Ids of runs that must be sent: expired leases and queued runs whose message never went out or got lost."""
    now = timezone.now()
    expired = SizingRun.objects.filter(lease_expires_at__lt=now)
    expired.filter(state=RunState.CANCELLING).update(state=RunState.CANCELLED, finished_at=now)
    lost = expired.filter(state=RunState.RUNNING)
    for run in lost.filter(attempts__gte=MAX_ATTEMPTS).select_related("workload__organisation", "organisation"):
        message = {"code": "worker_lost", "params": {"attempts": MAX_ATTEMPTS}}
        finish(run, state=RunState.FAILED, message=message)
    lost.update(state=RunState.QUEUED, sent_at=None, lease_owner="")
    waiting = SizingRun.objects.filter(state=RunState.QUEUED, created_at__lt=now - timedelta(seconds=2)).filter(
        Q(sent_at=None) | Q(sent_at__lt=now - RESEND_AFTER)
    )
    return list(waiting.values_list("pk", flat=True)[:500])


def mark_sent(run_id: int) -> None:
    SizingRun.objects.filter(pk=run_id).update(sent_at=timezone.now())


def delete_old_visitor_runs() -> int:
    """Remove finished runs and drafts of visitors after the retention time; returns how many rows went."""
    old = Workload.objects.filter(
        organisation=None, created_at__lt=timezone.now() - VISITOR_RETENTION, runs__state__in=FINISHED
    )
    drafts = WorkloadDraft.objects.filter(organisation=None, saved_at__lt=timezone.now() - VISITOR_RETENTION)
    return old.delete()[0] + drafts.delete()[0]
