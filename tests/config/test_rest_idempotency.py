"""Idempotency-Key: sent twice, done once."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from config.accounts.models import IdempotencyKey
from sizing.models import SizingRun
from tests.config.api.calls import CONFIG, Caller, caller, visitor

BODY = {
    "kind": "llm_serving",
    "model": {"config": CONFIG},
    "traffic": {"input_tokens": 512, "output_tokens": 128, "concurrent_requests": 8},
}


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sizing.services._send", lambda run_id: None)


@pytest.mark.django_db
def test_a_replay_is_the_same_bytes_and_says_so() -> None:
    program = caller()
    first = program.post("sizing-runs", BODY, idempotency_key="a-1")
    again = program.post("sizing-runs", BODY, idempotency_key="a-1")

    assert first.status_code == again.status_code == 202
    assert first.content == again.content
    assert first["Location"] == again["Location"]
    assert "Idempotent-Replayed" not in first
    assert again["Idempotent-Replayed"] == "true"
    assert SizingRun.objects.count() == 1


@pytest.mark.django_db
def test_the_same_key_with_another_body_is_refused() -> None:
    program = caller()
    program.post("sizing-runs", BODY, idempotency_key="a-1")

    answer = program.post("sizing-runs", BODY | {"name": "other"}, idempotency_key="a-1")

    assert (answer.status_code, answer.json()["code"]) == (422, "idempotency_key_reused")
    assert SizingRun.objects.count() == 1


@pytest.mark.django_db
def test_keys_of_two_callers_have_nothing_to_do_with_each_other() -> None:
    addresses = {who.post("sizing-runs", BODY, idempotency_key="a-1")["Location"] for who in (caller(), caller())}

    assert len(addresses) == SizingRun.objects.count() == 2


@pytest.mark.django_db
def test_a_refused_request_may_be_corrected_under_its_key() -> None:
    program = caller()

    assert program.post("sizing-runs", {}, idempotency_key="a-1").status_code == 422
    assert program.post("sizing-runs", BODY, idempotency_key="a-1").status_code == 202


@pytest.mark.django_db
def test_a_key_is_forgotten_after_a_day() -> None:
    program = caller()
    program.post("sizing-runs", BODY, idempotency_key="a-1")
    IdempotencyKey.objects.update(created_at=timezone.now() - timedelta(hours=25))

    assert "Idempotent-Replayed" not in program.post("sizing-runs", BODY, idempotency_key="a-1")
    assert SizingRun.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb"])
def test_a_senseless_key_is_refused(key: str) -> None:
    answer = caller().post("sizing-runs", BODY, idempotency_key=key)

    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (400, "Idempotency-Key")


@pytest.mark.django_db
def test_without_a_key_every_post_counts() -> None:
    for _ in range(2):
        visitor().post("sizing-runs", BODY)

    assert SizingRun.objects.count() == 2


@pytest.mark.django_db
def test_neither_work_nor_key_is_kept_without_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: object, **_options: object) -> None:
        raise RuntimeError

    program = caller()
    monkeypatch.setattr("config.rest.idempotency.IdempotencyKey.objects.create", broken)

    assert program.post("sizing-runs", BODY, idempotency_key="a-1").status_code == 500
    assert not SizingRun.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_twenty_at_once_start_one_run() -> None:
    program = caller()
    barrier = threading.Barrier(20)

    def post(_index: int) -> Any:
        barrier.wait()
        try:
            return Caller(program.key).post("sizing-runs", BODY, idempotency_key="a-1")
        finally:
            connection.close()

    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(post, range(20)))

    assert SizingRun.objects.count() == 1
    assert {answer.status_code for answer in answers} <= {202, 409}
    done = {answer.content for answer in answers if answer.status_code == 202}
    assert len(done) == 1
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} <= {"idempotency_key_running"}
