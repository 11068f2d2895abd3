"""Background work of quotes."""

from celery import shared_task

from quotes import transitions


@shared_task(ignore_result=True, acks_late=True)
def expire_quotes() -> None:
    """Once a day: mark locked quotes whose validity has passed."""
    transitions.expire_due()
