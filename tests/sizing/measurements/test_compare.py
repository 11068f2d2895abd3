"""Predicted against measured: errors, regimes, the term that is off; and the page around them."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from config.accounts.choices import Role
from config.accounts.models import Membership
from sizing.measurements.apply import active
from sizing.measurements.compare import Term, comparisons, regimes, suspects
from sizing.measurements.services import import_results
from sizing.models import Measurement, SizingOption, SizingRun
from sizing.serving import SCALED_LOADS
from tests.factories import make_membership, make_organisation
from tests.sizing import sample_result
from tests.sizing.measurements.test_import import MODEL, expected_ms, setting, vllm_result
from tests.sizing.measurements.test_watch import prometheus
from tests.sizing.test_recipes import option as recipe_option
from tests.sizing.test_views import done_run, text_of

pytestmark = pytest.mark.usefixtures("seeded")


def measured(*factors: float, loads: tuple[int, ...] = (4, 16, 64), **changes: Any) -> list[Measurement]:
    owner, rows = make_organisation(), []
    for concurrent, factor in zip(loads, factors, strict=True):
        content = vllm_result(expected_ms(concurrent) * factor, concurrent=concurrent, **changes)
        rows += import_results(organisation=owner, content=content, name=f"c{concurrent}.json", setting=setting())
    return rows


def test_errors_are_predicted_over_measured_less_one() -> None:
    found = comparisons(measured(1.0, 1.25, 2.0))
    assert [each.tpot_error for each in found] == pytest.approx([0.0, -0.2, -0.5], abs=1e-4)
    assert [each.inside for each in found] == [True, True, False]
    assert [each.regime for each in found] == ["low", "middle", "high"]


def test_regimes_sum_up_their_loads() -> None:
    low, middle, high = regimes(comparisons(measured(1.0, 1.25, 2.0)))
    assert (low.tpot_error, middle.tpot_error, high.tpot_error) == pytest.approx((0.0, 0.2, 0.5), abs=1e-4)
    assert high.bias == pytest.approx(-0.5, abs=1e-4)
    assert (low.loads, middle.loads, high.loads) == (1, 1, 1)


def test_a_slow_step_is_laid_to_the_decode_step() -> None:
    found = comparisons(measured(2.0, loads=(4,)))
    assert found[0].term is Term.DECODE_STEP
    assert suspects(found) == {Term.DECODE_STEP: 1}


def test_a_long_wait_for_the_first_token_is_laid_to_the_memory_pool() -> None:
    tpot_ms = expected_ms(16)
    whole_ms = 20_000.0 + 255 * tpot_ms
    times = {"mean_ttft_ms": 20_000.0, "median_ttft_ms": 20_000.0, "p50_ttft_ms": 20_000.0, "p95_ttft_ms": 21_000.0}
    more = {"p99_ttft_ms": 22_000.0, "mean_e2el_ms": whole_ms, "output_throughput": 16 * 256 / whole_ms * 1000}
    found = comparisons(measured(1.0, loads=(16,), **times, **more))
    assert found[0].term is Term.MEMORY_POOL


def test_nothing_is_blamed_where_both_lie_within_their_intervals() -> None:
    found = comparisons(measured(1.0, 1.0, 1.0))
    assert all(each.tpot_error == pytest.approx(0.0, abs=1e-4) for each in found)
    assert {each.term for each in found} <= {None, Term.QUEUEING, Term.PREFILL}


@pytest.fixture
def member() -> Membership:
    return make_membership(role=Role.PLANNER)


@pytest.fixture
def address(client: Client, member: Membership) -> str:
    """The serving page of an option of the member's organisation, which is signed in."""
    run = done_run(organisation=member.organisation)
    run.workload.request["model"] = {"id": MODEL}
    run.workload.save()
    row = SizingOption.objects.get(run=run, rank=1)
    row.data = sample_result.option(
        1, accelerator="nvidia-h100-sxm5-80gb", engine="vllm", weights_format="bf16", kv_format="bf16",
        engine_version="", engine_settings=recipe_option()["engine_settings"],
        parallelism={"tensor": 1, "pipeline": 1, "expert": 1, "data": 1}, accelerators_per_replica=1,
    )  # fmt: skip
    row.accelerator = "nvidia-h100-sxm5-80gb"
    row.save()
    client.force_login(member.user)
    return row.get_absolute_url()


def upload(client: Client, address: str, content: bytes, name: str = "bench.json") -> Any:
    return client.post(f"{address}measurements/", {"results": SimpleUploadedFile(name, content)}, follow=True)


def test_an_uploaded_result_is_shown_beside_the_prediction(client: Client, address: str) -> None:
    page = text_of(upload(client, address, vllm_result(expected_ms(32), concurrent=32)))
    assert "1 measured load imported." in page
    assert "vllm bench serve, bench.json:1" in page
    assert "Predicted against measured" in page
    assert 'id="figure-measured"' in page
    assert "9 to 32 in flight" in page


def test_a_wrong_file_is_refused_on_the_page_with_its_line(client: Client, address: str) -> None:
    answer = upload(client, address, b'{"completed": 3,\n "x": }')
    assert answer.status_code == 422
    assert "Line 2 is no valid JSON" in text_of(answer)
    assert client.post(f"{address}measurements/").status_code == 422
    assert Measurement.objects.count() == 0


def test_learning_and_going_back_on_the_page(client: Client, address: str, member: Membership) -> None:
    page = text_of(client.post(f"{address}calibrate/", follow=True))
    assert "There is no measurement of time per token to learn from." in page
    upload(client, address, vllm_result(expected_ms(32) * 1.3, concurrent=32))
    page = text_of(client.post(f"{address}calibrate/", follow=True))
    assert "Calibration 1 is in use" in page
    assert active(member.organisation) is not None
    page = text_of(client.post(f"{address}calibrate/", {"number": "0"}, follow=True))
    assert "The shipped coefficients alone are in use." in page
    assert "Use calibration 1 (1 point)" in page
    client.post(f"{address}calibrate/", {"number": "1"})
    assert active(member.organisation) is not None
    assert client.post(f"{address}calibrate/", {"number": "7"}).status_code == 404


def test_a_viewer_sees_results_and_cannot_import(client: Client, address: str, member: Membership) -> None:
    upload(client, address, vllm_result(expected_ms(32), concurrent=32))
    viewer = make_membership(role=Role.VIEWER, organisation=member.organisation)
    client.force_login(viewer.user)
    page = text_of(client.get(f"{address}serve/"))
    assert "bench.json:1" in page
    assert 'name="results"' not in page
    assert upload(client, address, vllm_result(expected_ms(16), concurrent=16)).status_code == 403


def test_results_of_one_organisation_are_not_shown_to_another(client: Client, address: str) -> None:
    upload(client, address, vllm_result(expected_ms(32), concurrent=32))
    client.force_login(make_membership().user)
    assert client.get(f"{address}serve/").status_code == 404
    assert upload(client, address, vllm_result(expected_ms(16), concurrent=16)).status_code == 404


def test_the_page_speaks_german(client: Client, address: str) -> None:
    upload(client, address, vllm_result(expected_ms(32), concurrent=32))
    page = text_of(client.get(f"{address}serve/", headers={"accept-language": "de"}))
    assert "Betreiben und messen" in page
    assert "Qualität nicht geprüft" in page
    assert "9 bis 32 gleichzeitig" in page
    assert "Aus allen Messungen lernen" in page
    assert "1 von 1 gemessener Last liegt im vorhergesagten Intervall" in page


def test_production_metrics_stand_beside_the_plan_and_lead_to_a_new_run(
    client: Client, address: str, member: Membership
) -> None:
    row = SizingOption.objects.get(rank=1)
    row.data["performance"]["requests_in_flight_per_replica"] = 50.0
    row.save()
    metrics = SimpleUploadedFile("metrics.json", prometheus(14, 35.0, 0.02))
    page = text_of(client.post(f"{address}watch/", {"metrics": metrics}))
    assert "Plan reached" in page
    assert "15 %" in page.replace("\xa0", " ")  # growth per week: 1.02^7 - 1
    factor = page.split('name="factor" value="')[1].split('"')[0]
    answer = client.post(f"{address}size-again/", {"factor": factor})
    again = SizingRun.objects.order_by("-pk").first()
    assert again is not None
    assert answer.url == again.get_absolute_url()
    stated = SizingRun.objects.get(pk=row.run_id).request["traffic"]
    scaled = next(name for name in SCALED_LOADS if stated.get(name) is not None)
    assert float(again.request["traffic"][scaled]) == pytest.approx(stated[scaled] * float(factor), rel=0.2)
    assert float(factor) > 1.0
    assert again.organisation == member.organisation


def test_a_load_that_is_no_number_starts_nothing(client: Client, address: str) -> None:
    before = SizingRun.objects.count()
    client.post(f"{address}size-again/", {"factor": "many"})
    assert SizingRun.objects.count() == before


def test_wrong_metrics_are_refused_on_the_page(client: Client, address: str) -> None:
    answer = client.post(f"{address}watch/", {"metrics": SimpleUploadedFile("m.csv", b"time,cpu\n1,2\n")})
    assert answer.status_code == 422
    assert "none of the metrics" in text_of(answer)


def test_an_own_point_near_an_option_links_to_its_page(client: Client, address: str, member: Membership) -> None:
    row = SizingOption.objects.get(rank=1)
    content = vllm_result(expected_ms(8), concurrent=8)
    (point,) = import_results(
        organisation=member.organisation, content=content, name="c8.json", setting=setting(), option=row
    )
    own = {"reference": f"own:{point.file.sha256[:16]}:{point.line}", "distance": 0.1, "tpot_ms": 20.0}
    row.data = row.data | {"nearest_measured": [own]}
    row.save()
    page = text_of(client.get(row.get_absolute_url()))
    assert f'<a href="{address}serve/#measured">{point.file.name}:{point.line}</a>' in page
