"""Background work of quotes."""

from celery import shared_task

from quotes import rescreening, transitions


@shared_task(ignore_result=True, acks_late=True)
def expire_quotes() -> None:
    """Once a day: mark locked quotes whose validity has passed."""
    transitions.expire_due()


@shared_task(ignore_result=True, acks_late=True)
def rescreen_quotes() -> None:
    """Every hour: screen open quotes again whose lists changed or whose check became overdue."""
    rescreening.rescreen_open_quotes()
