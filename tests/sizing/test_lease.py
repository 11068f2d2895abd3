"""Leases: a run is held by one worker, a dead one's run goes on elsewhere, and it completes once."""

from datetime import date, timedelta

import pytest
from django.db import connection
from django.utils import timezone

from config.accounts.models import Organisation
from sizing import lease
from sizing.choices import RunState
from sizing.models import SizingRun, Workload

pytestmark = pytest.mark.django_db


def make_run(**fields: object) -> SizingRun:
    workload = Workload.objects.create(name="Chat", kind="llm_serving", request={})
    return SizingRun.objects.create(workload=workload, as_of=date(2026, 11, 30), **fields)


def expire(run: SizingRun) -> None:
    SizingRun.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now() - timedelta(seconds=1))


def age(run: SizingRun, **sent: object) -> None:
    SizingRun.objects.filter(pk=run.pk).update(created_at=timezone.now() - timedelta(minutes=5), **sent)


def test_a_run_is_held_by_one_worker() -> None:
    run = make_run()
    assert lease.acquire(run.pk) is not None
    assert lease.acquire(run.pk) is None


def test_an_expired_lease_can_be_taken_and_the_old_owner_writes_nothing() -> None:
    run = make_run()
    first = lease.acquire(run.pk)
    assert first is not None
    expire(run)
    second = lease.acquire(run.pk)
    assert second is not None
    assert not lease.renew(first)
    assert not lease.finish(first, state=RunState.DONE, result={"from": "first"})
    assert lease.finish(second, state=RunState.DONE, result={"from": "second"})
    run.refresh_from_db()
    assert (run.state, run.result) == (RunState.DONE, {"from": "second"})


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.CANCELLED])
def test_a_finished_run_is_never_taken_again(state: RunState) -> None:
    assert lease.acquire(make_run(state=state).pk) is None


def test_a_run_that_is_gone_is_no_error() -> None:
    assert lease.acquire(987_654) is None


def test_a_cancelled_run_ends_cancelled_not_done() -> None:
    run = lease.acquire(make_run().pk)
    assert run is not None
    SizingRun.objects.update(state=RunState.CANCELLING)
    assert not lease.renew(run)
    assert not lease.finish(run, state=RunState.DONE, result={})
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


def test_the_sweeper_finds_what_expired_and_what_never_went_out() -> None:
    lost, unsent, fresh, sent = make_run(), make_run(), make_run(), make_run()
    lease.acquire(lost.pk)
    expire(lost)
    for run in (lost, unsent):
        age(run)
    age(sent, sent_at=timezone.now())
    assert sorted(lease.due_runs()) == sorted([lost.pk, unsent.pk])
    lost.refresh_from_db()
    assert lost.state == RunState.QUEUED
    assert fresh.pk not in lease.due_runs()


def test_a_message_lost_by_the_broker_is_sent_again_after_a_minute() -> None:
    run = make_run()
    age(run, sent_at=timezone.now() - timedelta(minutes=2))
    assert lease.due_runs() == [run.pk]


def test_a_run_that_kills_every_worker_fails_in_the_end() -> None:
    run = make_run()
    for _ in range(lease.MAX_ATTEMPTS):
        assert lease.acquire(run.pk) is not None
        expire(run)
    lease.due_runs()
    run.refresh_from_db()
    assert run.state == RunState.FAILED
    assert run.message["code"] == "worker_lost"


def test_visitors_runs_go_after_the_retention_time_and_members_runs_stay() -> None:
    old = timezone.now() - lease.VISITOR_RETENTION - timedelta(days=1)
    visitor, member, recent = make_run(state=RunState.FAILED), make_run(state=RunState.FAILED), make_run()
    organisation = Organisation.objects.create(name="Nordlicht")
    Workload.objects.filter(pk=member.workload_id).update(organisation=organisation)
    Workload.objects.exclude(pk=recent.workload_id).update(created_at=old)
    lease.delete_old_visitor_runs()
    assert set(SizingRun.objects.values_list("pk", flat=True)) == {member.pk, recent.pk}
    assert visitor.pk not in SizingRun.objects.values_list("pk", flat=True)


def test_the_database_refuses_a_done_run_without_result() -> None:
    run = make_run()
    with pytest.raises(Exception, match="done_run_has_result"), connection.cursor() as cursor:
        cursor.execute("UPDATE sizing_sizingrun SET state = 'done' WHERE id = %s", [run.pk])
