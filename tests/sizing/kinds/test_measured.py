"""Measured rates of kinds without tokens come back to their option, and are judged against what it expects."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from config.accounts.choices import Role
from config.accounts.models import Membership
from config.accounts.services import read_file
from sizing.kinds.measured import import_kind_results
from sizing.measurements.point import MeasurementProblem
from sizing.models import Measurement, SizingOption
from tests.factories import make_membership
from tests.sizing.kinds.test_recipes import VISION, option
from tests.sizing.measurements.samples import MLPERF, TRTEXEC_LOG
from tests.sizing.test_views import done_run, text_of

pytestmark = pytest.mark.django_db
SHAPE = "[07/20/2026-12:17:12] [I] Input inference shape : images={batch}x3x480x640\n"


def log(batch: int) -> bytes:
    return (SHAPE.format(batch=batch) + TRTEXEC_LOG).encode()


@pytest.fixture
def member() -> Membership:
    return make_membership(role=Role.PLANNER)


@pytest.fixture
def row(member: Membership) -> SizingOption:
    run = done_run(organisation=member.organisation)
    run.workload.request = VISION
    run.workload.save()
    found = SizingOption.objects.get(run=run, rank=1)
    found.data = found.data | option()
    found.save()
    return found


def test_a_rate_is_items_a_second_of_the_batch_that_the_log_names(row: SizingOption, member: Membership) -> None:
    content = log(8)
    (kept,) = import_kind_results(organisation=member.organisation, content=content, name="trtexec.log", option=row)

    assert kept.items_per_s == pytest.approx(258.892 * 8)
    assert (kept.concurrent, kept.statistics["e2e"]["p50"]) == (8, 4.32526)
    assert read_file(kept.file) == content
    assert kept.warnings == []


def test_a_slow_rate_is_kept_with_a_warning_and_an_impossible_one_is_refused(
    row: SizingOption, member: Membership
) -> None:
    (slow,) = import_kind_results(organisation=member.organisation, content=log(1), name="a.log", option=row)
    assert [warning["code"] for warning in slow.warnings] == ["measurement_rate_odd"]

    with pytest.raises(MeasurementProblem) as refused:
        import_kind_results(organisation=member.organisation, content=log(64), name="b.log", option=row)
    assert refused.value.code == "measurement_rate_impossible"
    assert Measurement.objects.count() == 1


def test_a_log_of_another_engine_is_refused(row: SizingOption, member: Membership) -> None:
    row.data["engine"] = "onnxruntime"
    with pytest.raises(MeasurementProblem) as refused:
        import_kind_results(organisation=member.organisation, content=log(8), name="a.log", option=row)
    assert refused.value.code == "measurement_other_engine"


def test_the_load_generator_s_summary_is_taken_too(row: SizingOption, member: Membership) -> None:
    row.data["performance"]["images_per_s_per_replica"] |= {"value": 300.0, "low": 250.0, "high": 350.0}
    (kept,) = import_kind_results(organisation=member.organisation, content=MLPERF.encode(), name="s.txt", option=row)
    assert kept.tool == "MLPerf loadgen"
    assert kept.items_per_s is not None


@pytest.mark.parametrize(("language", "inside"), [("en", "within the interval"), ("de", "innerhalb des Intervalls")])
def test_the_page_shows_recipe_plan_and_measured_beside_predicted(
    row: SizingOption, member: Membership, client: Client, language: str, inside: str
) -> None:
    client.force_login(member.user)
    address = f"{row.get_absolute_url()}serve/"
    upload = SimpleUploadedFile("trtexec.log", log(5))
    answer = client.post(
        f"{row.get_absolute_url()}measurements/",
        {"results": upload},
        follow=True,
        headers={"accept-language": language},
    )
    page = text_of(answer)
    assert "--model-repository=/models" in page
    assert "perf_analyzer -m resnet-50" in page
    assert "models/resnet-50/config.pbtxt" in page
    assert "trtexec.log:" in page
    assert inside in page
    assert client.get(f"{address}compose.yaml").status_code == 200
