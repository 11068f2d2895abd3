"""Measured loads and calibrations through the API."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from config.accounts.choices import Role
from sizing.models import CalibrationVersion, Measurement
from tests.config.api.calls import Caller, caller
from tests.config.api.world import World, make_world

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return make_world()


def send(who: Caller, world: World, content: bytes, rank: int = 1) -> int:
    answer = who.client.post(
        f"/api/v1/sizing-runs/{world.names['run']}/options/{rank}/measurements",
        {"results": SimpleUploadedFile("bench.json", content)},
        headers={"authorization": f"Bearer {who.key}"},
    )
    return int(answer.status_code)


def test_a_file_that_is_no_result_is_refused_and_nothing_is_stored(world: World) -> None:
    assert send(world.caller(Role.PLANNER), world, b"\x00\x01") == 422
    assert not Measurement.objects.exists()


def test_an_option_that_does_not_exist_is_404(world: World) -> None:
    assert send(world.caller(Role.PLANNER), world, b"{}", rank=99) == 404
    assert send(caller(Role.PLANNER), world, b"{}") == 404


def test_without_measurements_there_is_nothing_to_learn(world: World) -> None:
    answer = world.caller(Role.PLANNER).post("calibrations")

    assert (answer.status_code, answer.json()["code"]) == (422, "calibration_without_points")


def test_calibrations_are_listed_and_chosen(world: World) -> None:
    for number in (1, 2):
        CalibrationVersion.objects.create(
            organisation=world.organisation, number=number, active=number == 2, content={"points": 1}, sha256="0" * 64
        )
    who = world.caller(Role.PLANNER)

    listed = who.get("calibrations").json()["results"]
    assert [(row["number"], row["active"], row["points"]) for row in listed] == [(2, True, 1), (1, False, 1)]
    assert who.send("PUT", "calibrations/in-use", {"number": 1}).status_code == 204
    assert [row["active"] for row in who.get("calibrations").json()["results"]] == [False, True]
    assert who.send("PUT", "calibrations/in-use", {"number": 0}).status_code == 204
    assert not CalibrationVersion.objects.filter(active=True).exists()
    assert who.send("PUT", "calibrations/in-use", {"number": 9}).status_code == 422
    assert caller(Role.PLANNER).get("calibrations").json()["results"] == []
