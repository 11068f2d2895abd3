"""Background work of quotes."""

from celery import shared_task

from quotes import evidence_reading, party_reading, rescreening, transitions


@shared_task(ignore_result=True, acks_late=True)
def expire_quotes() -> None:
    """Once a day: mark locked quotes whose validity has passed."""
    transitions.expire_due()


@shared_task(ignore_result=True, acks_late=True)
def rescreen_quotes() -> None:
    """Every hour, and after a change of lists: read what waits, screen the open quotes that it concerns again."""
    for pk in party_reading.waiting():
        party_reading.read(pk)
    for pk in evidence_reading.waiting():
        evidence_reading.run(pk)
    rescreening.rescreen_open_quotes()


@shared_task(ignore_result=True, acks_late=True)
def read_party_list(list_id: int) -> None:
    """Read the file of a loaded list of parties; safe to run twice."""
    party_reading.read(list_id)


@shared_task(ignore_result=True, acks_late=True)
def read_evidence_feed(feed_id: int) -> None:
    """Read a kept feed with origins; safe to run twice."""
    evidence_reading.run(feed_id)
