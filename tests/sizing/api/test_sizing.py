"""Sizing through the API: start, follow, cancel, read; model facts and the preview."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from catalog.models import AiModel, CatalogVersion
from config.accounts.choices import Role
from sizing.api.examples import CHAT, PINNED
from sizing.choices import RunState
from sizing.models import SizingRun
from sizing.requests import read_request
from tests.catalog.rows import TODAY, make_accelerator
from tests.config.api.calls import CONFIG, caller, visitor
from tests.factories import make_organisation
from tests.processes import Worker
from tests.sizing.test_views import done_run, make_run

pytestmark = pytest.mark.django_db


@pytest.fixture
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    AiModel.objects.create(model_id=CHAT["model"]["id"], config=CONFIG)
    monkeypatch.setattr("sizing.services._send", lambda run_id: None)


def test_a_run_is_accepted_with_its_address_and_a_time_to_come_back(no_broker: None) -> None:
    answer = visitor().post("sizing-runs", CHAT)

    run = SizingRun.objects.get()
    assert answer.status_code == 202
    assert answer["Location"].endswith(f"/api/v1/sizing-runs/{run.secret}")
    assert answer["Retry-After"] == "1"
    assert (answer.json()["state"], answer.json()["result"]) == ("queued", None)
    assert visitor().get(answer["Location"]).json()["id"] == run.secret


def test_the_run_of_a_member_belongs_to_the_tokens_organisation(no_broker: None) -> None:
    who = caller(Role.PLANNER)
    assert who.member is not None

    answer = who.post("sizing-runs", CHAT)

    run = SizingRun.objects.get()
    assert run.organisation == who.member.organisation
    assert answer.json()["id"] == str(run.public_id)
    assert [row["id"] for row in who.get("sizing-runs").json()["results"]] == [str(run.public_id)]
    assert caller().get(answer["Location"]).status_code == 404
    assert visitor().get(answer["Location"]).status_code == 404
    assert visitor().get(f"sizing-runs/{run.secret}").status_code == 404


def test_a_token_of_another_organisation_of_the_same_person_sees_nothing(no_broker: None) -> None:
    who = caller(Role.PLANNER)
    assert who.member is not None
    address = who.post("sizing-runs", CHAT)["Location"]
    elsewhere = caller(Role.PLANNER, user=who.member.user)

    assert elsewhere.get(address).status_code == 404
    assert elsewhere.get("sizing-runs").json()["results"] == []


def test_wrong_fields_are_all_named(no_broker: None) -> None:
    body = {**CHAT, "knd": 1, "traffic": {"input_tokens": -1, "output_tokens": 1, "users": 3, "requests_per_s": 1}}

    answer = visitor().post("sizing-runs", body)

    errors = {error["pointer"]: error["code"] for error in answer.json()["errors"]}
    assert answer.status_code == 422
    assert errors.keys() >= {"/knd", "/traffic/input_tokens/mean"}
    assert not SizingRun.objects.exists()


@pytest.mark.parametrize("body", [[], [CHAT], "text", 5, None])
def test_a_body_that_is_no_object_is_refused(body: Any, no_broker: None) -> None:
    answer = visitor().client.post("/api/v1/sizing-runs", json.dumps(body), content_type="application/json")

    assert answer.status_code == 422


@pytest.mark.parametrize("example", [CHAT, PINNED])
def test_the_examples_of_the_documentation_are_valid(example: dict[str, Any]) -> None:
    assert read_request(example, today=TODAY)["kind"] == "llm_serving"


def test_progress_is_told_in_steps_and_per_cent() -> None:
    run = make_run(state=RunState.RUNNING, stage="speed", progress_done=5, progress_total=10)

    answer = visitor().get(f"sizing-runs/{run.secret}")

    assert answer.json()["progress"] == {"stage": "speed", "done": 5, "total": 10, "percent": 41}
    assert answer["Retry-After"] == "1"


def test_a_waiting_run_is_cancelled_at_once_and_a_finished_one_stays() -> None:
    waiting, finished = make_run(), done_run()

    cancelled = visitor().delete(f"sizing-runs/{waiting.secret}")
    kept = visitor().delete(f"sizing-runs/{finished.secret}")

    assert (cancelled.status_code, cancelled.json()["state"]) == (202, "cancelled")
    assert (kept.status_code, kept.json()["state"]) == (202, "done")


def test_a_viewer_may_read_but_neither_start_nor_cancel() -> None:
    who = caller(Role.VIEWER)
    assert who.member is not None
    run = make_run(organisation=who.member.organisation)

    assert who.get(f"sizing-runs/{run.public_id}").status_code == 200
    assert who.post("sizing-runs", CHAT).status_code == 403
    assert who.delete(f"sizing-runs/{run.public_id}").status_code == 403


def test_the_result_is_worded_for_its_reader_and_can_be_read_in_part() -> None:
    run = done_run()
    address = f"sizing-runs/{run.secret}/result"

    whole = visitor().get(address).json()
    part = visitor().get(f"{address}?fields=model,input_hash").json()

    assert whole["options"][0]["verdicts"]["speed"]["reason"] == "A reason."
    assert part.keys() == {"model", "input_hash"}
    assert visitor().get(f"{address}?fields=opinions").status_code == 400
    assert visitor().get(f"sizing-runs/{run.secret}/options/2?fields=rank").json() == {"rank": 2}
    assert visitor().get(f"sizing-runs/{run.secret}/options/99").status_code == 404


def test_a_result_that_is_not_there_yet_is_409() -> None:
    answer = visitor().get(f"sizing-runs/{make_run().secret}/result")

    assert (answer.status_code, answer.json()["code"], answer.json()["state"]) == (409, "not_done", "queued")


def test_the_list_filters_by_state_and_leaves_results_out() -> None:
    who = caller(Role.PLANNER)
    assert who.member is not None
    make_run(organisation=who.member.organisation)
    done_run(organisation=who.member.organisation)
    done_run(organisation=make_organisation())

    assert [row["state"] for row in who.get("sizing-runs?state=done").json()["results"]] == ["done"]


def test_model_facts_of_a_body_and_of_an_upload_agree() -> None:
    posted = visitor().post("model-facts", {"model": {"config": CONFIG}, "kv_format": "fp8"})
    file = SimpleUploadedFile("config.json", json.dumps(CONFIG).encode(), content_type="application/json")
    uploaded = visitor().client.post("/api/v1/model-facts", {"config": file, "kv_format": "fp8"})

    assert (posted.status_code, uploaded.status_code) == (200, 200)
    assert posted.json() == uploaded.json()
    # 2 (K and V) x 2 layers x 2 heads x 64 x 1 byte
    assert posted.json()["kv_bytes_per_token"] == 512


@pytest.mark.parametrize(
    ("body", "status", "pointer"),
    [
        ({"model": {"id": "acme/unheard"}}, 422, "/model/id"),
        ({"model": {"config": {"a": 1}}}, 422, "/model/config"),
        ({"model": {"config": CONFIG}, "kv_format": "fp3"}, 422, "/kv_format"),
        ({"model": {}}, 422, "/model"),
        ({"modl": {}}, 422, "/modl"),
    ],
)
def test_a_model_that_cannot_be_read_is_named(body: dict[str, Any], status: int, pointer: str) -> None:
    answer = visitor().post("model-facts", body)

    assert answer.status_code == status
    assert any(error["pointer"].startswith(pointer) for error in answer.json()["errors"])


def test_an_upload_that_is_no_config_is_refused() -> None:
    file = SimpleUploadedFile("config.json", b"\x00\x01", content_type="application/json")

    answer = visitor().client.post("/api/v1/model-facts", {"config": file})

    assert (answer.status_code, answer["Content-Type"]) == (422, "application/problem+json")


def test_the_preview_answers_at_once() -> None:
    AiModel.objects.create(model_id="acme/small", config=CONFIG)
    body = {
        "kind": "llm_serving",
        "model": {"id": "acme/small"},
        "traffic": {"input_tokens": 100, "output_tokens": 20, "concurrent_requests": 4},
    }

    found = visitor().post("sizing-preview", body).json()

    assert found["weights_format"] == "bf16"
    assert found["requests_in_flight"] == 4


@pytest.mark.django_db(transaction=True)
def test_whoever_prefers_to_wait_gets_the_answer_itself(worker: Worker) -> None:
    make_accelerator()
    CatalogVersion.objects.create(number=1, content_hash=uuid4().hex * 2)  # the worker reads each version once
    body = {
        "kind": "llm_serving",
        "model": {"config": CONFIG},
        "traffic": {"input_tokens": 100, "output_tokens": 20, "concurrent_requests": 4},
    }

    answer = visitor().post("sizing-runs", body, prefer="wait=10", idempotency_key="w-1")
    again = visitor().post("sizing-runs", body, prefer="wait=10", idempotency_key="w-1")

    assert (answer.status_code, answer["Preference-Applied"]) == (200, "wait=10")
    assert answer.json()["input_hash"].startswith("sha256:")
    assert answer.content == again.content
    assert again["Idempotent-Replayed"] == "true"
    assert SizingRun.objects.count() == 1
