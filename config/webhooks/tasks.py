"""What the worker runs for webhooks. Each task is safe to run twice: a receiver is served by one process at a time."""

from celery import shared_task

from config.webhooks import delivery


@shared_task(ignore_result=True, acks_late=True, soft_time_limit=60, time_limit=90)
def deliver(endpoint_id: int) -> None:
    delivery.deliver_due(endpoint_id)


@shared_task(ignore_result=True, expires=30)
def sweep_webhooks() -> None:
    for endpoint_id in delivery.due_endpoints():
        deliver.delay(endpoint_id)


@shared_task(ignore_result=True)
def delete_old_events() -> None:
    delivery.delete_old_events()
