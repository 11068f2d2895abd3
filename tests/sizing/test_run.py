"""A run on a real worker: it completes once, also after the worker was killed or the broker was away."""

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from sizing import lease, services, tasks
from sizing.choices import RunState
from sizing.core.errors import SizingError
from sizing.models import SizingOption, SizingRun
from tests.processes import Worker, url_of_database, wait_until

pytestmark = pytest.mark.django_db(transaction=True)

REQUEST: dict[str, Any] = {
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
    "traffic": {"input_tokens": 1024, "output_tokens": 256, "concurrent_requests": 64},
    "targets": {"ttft_ms": {"p95": 1000}, "tpot_ms": {"p95": 50}},
    "as_of": "2026-11-30",
}
LIMIT_S = 90


@pytest.fixture
def shipped_rows(worker: Worker) -> None:
    call_command("seed", verbosity=0)


def state_of(run: SizingRun) -> str:
    run.refresh_from_db()
    return run.state


def test_a_run_goes_from_the_queue_to_its_options(worker: Worker, shipped_rows: None) -> None:
    run = services.start_run(request=REQUEST)
    wait_until(lambda: state_of(run) == RunState.DONE, limit_s=LIMIT_S, what="finished run")
    assert run.result is not None
    assert run.options.count() == len(run.result["options"]) > 0
    assert run.input_hash == run.result["input_hash"]
    assert run.attempts == 1


def test_a_run_whose_worker_is_killed_completes_after_the_restart_once(worker: Worker, shipped_rows: None) -> None:
    run = services.start_run(request=REQUEST)
    wait_until(lambda: state_of(run) == RunState.RUNNING, limit_s=LIMIT_S, what="running run")
    worker.kill()
    assert state_of(run) == RunState.RUNNING
    SizingRun.objects.filter(pk=run.pk).update(lease_expires_at=timezone.now())  # instead of waiting 15 s
    worker.ensure()
    tasks.sweep_runs()
    wait_until(lambda: state_of(run) == RunState.DONE, limit_s=LIMIT_S, what="finished run after the kill")
    assert run.attempts == 2
    assert SizingOption.objects.filter(run=run).count() == len(run.result["options"])


def test_a_run_started_without_a_broker_is_sent_by_the_sweeper(worker: Worker, shipped_rows: None) -> None:
    script = (
        "import django, json, sys; django.setup()\n"
        "from sizing.services import start_run\n"
        "print(start_run(request=json.loads(sys.argv[1])).pk)\n"
    )
    environment = os.environ | {
        "DATABASE_URL": url_of_database(str(connection.settings_dict["NAME"])),
        "REDIS_URL": "unix:///nowhere/valkey.sock",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    done = subprocess.run(
        [sys.executable, "-c", script, json.dumps(REQUEST)],
        env=environment,
        cwd=settings.BASE_DIR,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    run = SizingRun.objects.get(pk=int(done.stdout.split()[-1]))
    assert (run.state, run.sent_at) == (RunState.QUEUED, None)
    SizingRun.objects.filter(pk=run.pk).update(created_at=timezone.now() - lease.RESEND_AFTER)
    tasks.sweep_runs()
    wait_until(lambda: state_of(run) == RunState.DONE, limit_s=LIMIT_S, what="finished run after the broker came back")


def test_an_equal_request_gets_the_stored_result(worker: Worker, shipped_rows: None) -> None:
    first = services.start_run(request=REQUEST)
    wait_until(lambda: state_of(first) == RunState.DONE, limit_s=LIMIT_S, what="first run")
    second = services.start_run(request=REQUEST | {"name": "Another name"})
    wait_until(lambda: state_of(second) == RunState.DONE, limit_s=LIMIT_S, what="second run")
    assert second.result == first.result


def test_a_cancelled_run_leaves_no_options(worker: Worker, shipped_rows: None) -> None:
    worker.kill()
    run = services.start_run(request=REQUEST)
    services.cancel_run(run)
    worker.ensure()
    tasks.sweep_runs()
    assert state_of(run) == RunState.CANCELLED
    assert run.options.count() == 0


def test_a_request_that_the_catalogue_refuses_stores_nothing(shipped_rows: None) -> None:
    with pytest.raises(SizingError) as caught:
        services.start_run(request=REQUEST | {"model": {"id": "nobody/no-such-model"}})
    assert (caught.value.code, caught.value.pointer) == ("model_not_in_catalogue", "/model/id")
    assert not SizingRun.objects.exists()
