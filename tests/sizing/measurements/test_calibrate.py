"""Calibrations are reproducible, kept, reversible, and move what is near own points."""

import json
from dataclasses import replace
from datetime import date
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from config.accounts.models import Organisation
from sizing import available
from sizing.calibration.load import load_coefficients
from sizing.core.candidate import Candidate
from sizing.core.recommend import recommend
from sizing.core.request import CoreRequest
from sizing.core.values import Basis
from sizing.core.workload import Target, Targets
from sizing.inputs import asked
from sizing.measurements.apply import active, corrected
from sizing.measurements.calibrate import as_bytes, calibrated, sha256_of
from sizing.measurements.learned import learned_of
from sizing.measurements.services import import_results, store_calibration, use_calibration, use_no_calibration
from sizing.models import CalibrationVersion, Measurement
from sizing.pipeline import answer
from sizing.requests import read_request
from tests.factories import make_organisation
from tests.sizing.measurements.test_import import MODEL, expected_ms, setting, vllm_result

pytestmark = pytest.mark.usefixtures("seeded")
SLOWER = 1.3


@pytest.fixture
def owner() -> Organisation:
    """An organisation whose machine is 1.3 times as slow as predicted at every load."""
    found = make_organisation(name="Acme")
    for concurrent in (4, 16, 32, 64):
        content = vllm_result(expected_ms(concurrent) * SLOWER, concurrent=concurrent)
        import_results(organisation=found, content=content, name=f"c{concurrent}.json", setting=setting())
    return found


def rows(owner: Organisation, *, backwards: bool = False) -> Any:
    found = Measurement.objects.filter(organisation=owner).select_related("file")
    return found.order_by("-pk" if backwards else "pk")


def option(concurrent: float, **deployment: Any) -> tuple[Candidate, CoreRequest]:
    stated = read_request(
        {
            "kind": "llm_serving", "name": "x", "model": {"id": MODEL},
            "traffic": {"input_tokens": 1024, "output_tokens": 256, "concurrent_requests": concurrent},
            "deployment": {"accelerator": "nvidia-h100-sxm5-80gb", "count": 1, "tensor_parallel": 1, "engine": "vllm"}
            | deployment,
        },
        today=date(2026, 11, 30),
    )  # fmt: skip
    question = asked(stated)
    catalogue = available.core_catalogue(None, pinned=question.core.pinned)
    found = recommend(question.core, catalogue, coefficients=load_coefficients())
    return found.options[0], question.core


def test_equal_measurements_give_equal_bytes_in_any_order(owner: Organisation) -> None:
    first, left_out = calibrated(rows(owner))
    second, _ = calibrated(rows(owner, backwards=True))
    assert left_out == 0
    assert as_bytes(first) == as_bytes(second)
    assert first["points"] == 4
    assert first["measured"][0]["tpot"] == pytest.approx(0.262, abs=0.002)  # ln 1.3


def test_own_points_foretell_each_other(owner: Organisation) -> None:
    content, _ = calibrated(rows(owner))
    errors = content["tpot"]["cross_validation"]["all"]
    assert errors["without"] == pytest.approx(23.1, abs=0.5)  # 1 - 1 / 1.3
    assert errors["with"] < 10.0


def test_an_option_at_a_measured_load_follows_it_and_says_so(owner: Organisation) -> None:
    content, _ = calibrated(rows(owner))
    store_calibration(organisation=owner, content=content, sha256=sha256_of(content))
    before, request = option(32)
    (after,) = corrected([before], request, active(owner))
    old, new = before.performance.tpot_ms["mean"], after.performance.tpot_ms["mean"]
    assert new.value == pytest.approx(old.value * SLOWER, rel=0.05)
    assert new.basis is Basis.MEASURED
    assert new.high / new.value < old.high / old.value
    assert "own calibration 1" in new.source
    assert after.nearest[0].reference.startswith("own:")
    assert after.nearest[0].distance < 0.15
    assert after.performance.output_tokens_per_s_total.value < before.performance.output_tokens_per_s_total.value
    assert after.performance.e2e_ms["mean"].value > before.performance.e2e_ms["mean"].value


def test_between_measured_loads_it_is_interpolated_with_a_wider_interval(owner: Organisation) -> None:
    content, _ = calibrated(rows(owner))
    store_calibration(organisation=owner, content=content, sha256=sha256_of(content))
    near, request = option(24)
    far, far_request = option(32, count=4, tensor_parallel=4)
    (between,) = corrected([near], request, active(owner))
    (elsewhere,) = corrected([far], far_request, active(owner))
    assert between.performance.tpot_ms["mean"].basis is Basis.INTERPOLATED
    assert elsewhere.performance.tpot_ms["mean"].basis is not Basis.MEASURED


def test_speed_is_judged_anew(owner: Organisation) -> None:
    content, _ = calibrated(rows(owner))
    store_calibration(organisation=owner, content=content, sha256=sha256_of(content))
    before, request = option(32)
    limit_s = (before.performance.tpot_ms["p95"].value or 0.0) * 1.1 / 1e3
    request = replace(request, targets=Targets(limits=(Target(metric="tpot", percentile="p95", limit_s=limit_s),)))
    (after,) = corrected([before], request, active(owner))
    assert after.speed_verdict.state.value == "fail"


def test_other_organisations_and_visitors_are_not_touched(owner: Organisation) -> None:
    content, _ = calibrated(rows(owner))
    store_calibration(organisation=owner, content=content, sha256=sha256_of(content))
    before, request = option(32)
    assert active(None) is None
    assert active(make_organisation()) is None
    assert corrected([before], request, None) == (before,)


def test_a_calibration_can_be_left_and_used_again(owner: Organisation) -> None:
    content, _ = calibrated(rows(owner))
    first = store_calibration(organisation=owner, content=content, sha256=sha256_of(content))
    import_results(
        organisation=owner, content=vllm_result(expected_ms(8), concurrent=8), name="c8.json", setting=setting()
    )
    newer, _ = calibrated(rows(owner))
    second = store_calibration(organisation=owner, content=newer, sha256=sha256_of(newer))
    assert (first.number, second.number) == (1, 2)
    use_calibration(version=first)
    found = active(owner)
    assert found is not None
    assert found.number == 1
    use_no_calibration(organisation=owner)
    assert active(owner) is None
    assert store_calibration(organisation=owner, content=newer, sha256=sha256_of(newer)) == second
    assert CalibrationVersion.objects.filter(organisation=owner).count() == 2


def test_what_is_stored_is_what_was_learned(owner: Organisation) -> None:
    content, _ = calibrated(rows(owner))
    again = learned_of(json.loads(as_bytes(content)))
    assert len(again["tpot"]) == 4
    assert again["tpot"].scale == content["tpot"]["scale"]


def run_command(*arguments: str) -> dict[str, Any]:
    out = StringIO()
    call_command("calibrate", *arguments, stdout=out)
    return dict(json.loads(out.getvalue()))


def test_the_command_learns_goes_back_and_says_what_it_gained(owner: Organisation) -> None:
    dry = run_command("--dry-run")
    assert not CalibrationVersion.objects.exists()
    made = run_command()
    assert made["sha256"] == dry["sha256"]
    assert made["median_error_percent"]["tpot"]["all"]["points"] == 4
    assert run_command("--use", "0") == {"number": 0}
    assert run_command("--use", "1")["number"] == 1


def test_the_command_needs_measurements() -> None:
    make_organisation(name="Empty")
    errors = StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("calibrate", stderr=errors)
    assert stopped.value.code == 2
    assert json.loads(errors.getvalue())["code"] == "calibration_without_points"


def test_a_sizing_of_the_organisation_uses_its_calibration_and_its_hash_tells(owner: Organisation) -> None:
    request = read_request(
        {
            "kind": "llm_serving", "name": "x", "model": {"id": MODEL},
            "traffic": {"input_tokens": 1024, "output_tokens": 256, "concurrent_requests": 32},
            "deployment": {"accelerator": "nvidia-h100-sxm5-80gb", "count": 1, "tensor_parallel": 1, "engine": "vllm"},
        },
        today=date(2026, 11, 30),
    )  # fmt: skip
    before = answer(request, organisation=owner)
    content, _ = calibrated(rows(owner))
    store_calibration(organisation=owner, content=content, sha256=sha256_of(content))
    after = answer(request, organisation=owner)
    old, new = (each["options"][0]["performance"]["tpot_ms"]["mean"] for each in (before, after))
    assert new["value"] == pytest.approx(old["value"] * SLOWER, rel=0.05)
    assert (old["basis"], new["basis"]) == ("calibrated", "measured")
    assert after["options"][0]["nearest_measured"][0]["reference"].startswith("own:")
    assert before["input_hash"] != after["input_hash"]
    assert answer(request)["options"][0]["performance"]["tpot_ms"]["mean"]["value"] == old["value"]
