"""What the worker runs. Each task takes an id and is safe to run twice."""

from celery import shared_task

from sizing import execute, lease


@shared_task(ignore_result=True, acks_late=True, soft_time_limit=600, time_limit=660)
def run_sizing(run_id: int) -> None:
    execute.execute_run(run_id)


@shared_task(ignore_result=True, expires=30)
def sweep_runs() -> None:
    for run_id in lease.due_runs():
        run_sizing.delay(run_id)
        lease.mark_sent(run_id)


@shared_task(ignore_result=True)
def delete_old_visitor_runs() -> None:
    lease.delete_old_visitor_runs()
