"""A real worker on a real broker."""

import pytest
from django.conf import settings

from config.celery import app
from sizing import tasks
from tests.processes import Worker, wait_until


def test_the_worker_listens_on_every_queue(worker: Worker) -> None:
    found = app.control.inspect(timeout=5).active_queues()

    assert found is not None
    queues = {queue["name"] for entries in found.values() for queue in entries}
    assert queues == set(settings.WORKER_QUEUES.split(","))


def test_a_killed_worker_is_replaced(worker: Worker) -> None:
    worker.kill()
    assert worker.process is not None
    killed = worker.process.pid
    worker.ensure()

    assert worker.process.pid != killed
    wait_until(worker.answers, limit_s=20, what="answer of the new worker")


@pytest.mark.parametrize(
    ("task", "queue"),
    [
        ("sizing.tasks.run_sizing", "sizing"),
        ("sizing.tasks.sweep_runs", "preview"),
        ("catalog.tasks.apply_import", "imports"),
        ("quotes.tasks.make_document", "documents"),
    ],
)
def test_each_task_goes_to_its_queue(task: str, queue: str) -> None:
    assert app.amqp.router.route({}, task)["queue"].name == queue


def test_a_task_may_be_delivered_again_only_after_its_hard_limit() -> None:
    limit_s = settings.CELERY_TASK_TIME_LIMIT

    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["visibility_timeout"] > limit_s
    assert limit_s > settings.CELERY_TASK_SOFT_TIME_LIMIT


def test_the_sweeper_comes_every_five_seconds() -> None:
    entry = app.conf.beat_schedule["sweep-runs"]

    assert (entry["task"], entry["schedule"]) == ("sizing.tasks.sweep_runs", 5.0)
    assert tasks.sweep_runs.name in app.tasks
