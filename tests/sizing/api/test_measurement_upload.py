"""Result files of benchmark tools through the API: stored, listed, learned from."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from config.accounts.choices import Role
from sizing.models import Measurement, SizingOption, SizingRun, Workload
from tests.config.api.calls import Caller, caller
from tests.config.api.documented import hold
from tests.sizing import sample_result
from tests.sizing.measurements.test_import import MODEL, expected_ms, vllm_result

pytestmark = pytest.mark.usefixtures("seeded")


def upload(who: Caller, run: SizingRun, content: bytes) -> Any:
    """The answer to a file for the run's first option, held against the schema."""
    address = f"/api/v1/sizing-runs/{run.public_id}/options/1/measurements"
    file = {"results": SimpleUploadedFile("bench.json", content)}
    answer = who.client.post(address, file, headers={"authorization": f"Bearer {who.key}"})
    hold("POST", address, answer)
    return answer


def sized_run(who: Caller) -> SizingRun:
    """A finished run of the caller's organisation with one option on one H100."""
    assert who.member is not None
    organisation = who.member.organisation
    request = {"kind": "llm_serving", "model": {"id": MODEL}}
    workload = Workload.objects.create(organisation=organisation, name="chat", kind="llm_serving", request=request)
    run = SizingRun.objects.create(
        workload=workload, organisation=organisation, state="done", as_of="2026-11-30", result=sample_result.result()
    )
    one = {"tensor": 1, "pipeline": 1, "expert": 1, "data": 1}
    data = sample_result.option(1, accelerator="nvidia-h100-sxm5-80gb", parallelism=one, weights_format="bf16")
    SizingOption.objects.create(run=run, rank=1, accelerator="nvidia-h100-sxm5-80gb", data=data)
    return run


def test_a_result_file_is_stored_listed_and_learned_from() -> None:
    who = caller(Role.PLANNER)
    run, content = sized_run(who), vllm_result(expected_ms())

    answer = upload(who, run, content)
    (stored,) = answer.json()["results"]
    assert answer.status_code == 201
    assert (stored["tool"], stored["accelerator"], stored["engine"]) == (
        "vllm bench serve", "nvidia-h100-sxm5-80gb", "vllm",
    )  # fmt: skip
    assert (stored["concurrent"], stored["input_tokens"], stored["output_tokens"]) == (32.0, 1024.0, 256.0)
    assert stored["statistics"]["tpot"]["mean"] == pytest.approx(expected_ms())
    assert [row["id"] for row in who.get("measurements").json()["results"]] == [stored["id"]]
    assert caller(Role.PLANNER).get("measurements").json()["results"] == []
    learned = who.post("calibrations")
    assert (learned.status_code, learned.json()["points"], learned.json()["active"]) == (201, 1, True)


def test_a_result_file_that_is_sent_twice_is_stored_once() -> None:
    who = caller(Role.PLANNER)
    run, content = sized_run(who), vllm_result(expected_ms())

    first = upload(who, run, content)
    again = upload(who, run, content)

    assert again.json()["results"][0]["id"] == first.json()["results"][0]["id"]
    assert Measurement.objects.count() == 1


def test_a_result_that_no_such_machine_can_give_is_refused_by_code() -> None:
    who = caller(Role.PLANNER)

    answer = upload(who, sized_run(who), vllm_result(0.4))

    assert (answer.status_code, answer.json()["code"]) == (422, "measurement_far_from_possible")
    assert not Measurement.objects.exists()
