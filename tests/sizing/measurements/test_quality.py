"""Quality of the served format against the reference; until it is imported the page says not verified."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from config.accounts.choices import Role
from sizing.measurements.point import MeasurementProblem
from sizing.measurements.quality import compared
from sizing.models import QualityEvaluation, SizingOption
from tests.factories import make_membership
from tests.sizing.test_recipes import option as recipe_option
from tests.sizing.test_views import done_run, text_of


def evaluation(score: float, *, error: Any = 0.01, task: str = "gsm8k") -> bytes:
    scores = {"alias": task, "exact_match,strict-match": score, "exact_match_stderr,strict-match": error}
    return json.dumps({"results": {task: scores | {"word_perplexity,none": 9.1}}, "model_name": "m"}).encode()


def test_a_loss_within_two_standard_errors_is_chance() -> None:
    # standard error of the difference: sqrt(0.01^2 + 0.01^2) = 0.0141; twice that is 0.0283
    (small,) = compared(evaluation(0.70), evaluation(0.68))
    (large,) = compared(evaluation(0.70), evaluation(0.67))
    assert (small.worse, large.worse) == (False, True)
    assert small.metric == "exact_match,strict-match"


def test_without_a_standard_error_no_loss_is_called_chance() -> None:
    (task,) = compared(evaluation(0.70, error="N/A"), evaluation(0.69))
    assert task.error is None
    assert task.worse


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"{", "measurement_not_json"),
        (b"\xff", "measurement_not_text"),
        (b"[]", "quality_no_results"),
        (b'{"results": {}}', "quality_no_shared_task"),
        (evaluation(0.7, task="other"), "quality_no_shared_task"),
        (evaluation(1.7), "quality_no_shared_task"),
    ],
)
def test_what_is_no_evaluation_is_refused(content: bytes, code: str) -> None:
    with pytest.raises(MeasurementProblem) as caught:
        compared(evaluation(0.7), content)
    assert caught.value.code == code


@pytest.mark.django_db
def test_the_page_says_not_verified_until_an_evaluation_is_imported(client: Client) -> None:
    member = make_membership(role=Role.PLANNER)
    run = done_run(organisation=member.organisation)
    row = SizingOption.objects.get(run=run, rank=1)
    row.data = row.data | {"engine_settings": recipe_option()["engine_settings"]}
    row.save()
    client.force_login(member.user)
    address = row.get_absolute_url()
    assert "Quality not verified" in text_of(client.get(f"{address}serve/"))
    row.data = row.data | {"weights_format": "fp8"}
    row.save()
    assert "Quality not verified for fp8" in text_of(client.get(address))
    files = {
        "reference": SimpleUploadedFile("a.json", evaluation(0.70)),
        "served": SimpleUploadedFile("b.json", evaluation(0.60)),
    }
    page = text_of(client.post(f"{address}quality/", files, follow=True))
    assert "Quality not verified" not in page
    assert "1 score is worse than the reference beyond chance." in page
    assert QualityEvaluation.objects.get().organisation == member.organisation
    wrong = {"reference": SimpleUploadedFile("a.json", b"{"), "served": SimpleUploadedFile("b.json", b"{")}
    assert client.post(f"{address}quality/", wrong).status_code == 422
