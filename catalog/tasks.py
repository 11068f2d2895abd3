"""What the worker runs for the catalogue. Each task takes an id and is safe to run twice."""

from celery import shared_task

from catalog import import_execute


@shared_task(ignore_result=True, acks_late=True, soft_time_limit=600, time_limit=660)
def apply_import(batch_id: int) -> None:
    import_execute.execute_import(batch_id)


@shared_task(ignore_result=True, expires=30)
def sweep_imports() -> None:
    for batch_id in import_execute.due_imports():
        apply_import.delay(batch_id)
