"""Every kind besides language models from the start page to a quote, through the client."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation
from pytest_django import DjangoCaptureOnCommitCallbacks

from catalog.seed.report import SeedReport
from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation, User
from quotes.printing.locale import Reader
from quotes.printing.sizing import sizing
from quotes.services import create_quote
from sizing import tasks
from sizing.execute import execute_run
from sizing.kinds.examples import KIND_EXAMPLES
from sizing.kinds.forms import FORMS, label_of
from sizing.kinds.guide import MAKES
from sizing.kinds.presentation import LABELS, load_words
from sizing.models import SizingOption, SizingRun

KINDS = sorted(FORMS)
pytestmark = pytest.mark.django_db


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs happen in the request that starts them."""
    monkeypatch.setattr(tasks.run_sizing, "delay", execute_run)


def filled(kind: str, language: str = "en") -> dict[str, Any]:
    """The form of a kind as the first example fills it: what a person sees and sends."""
    client = Client(headers={"accept-language": language})
    page = client.get(reverse("sizing:kind", args=[kind]))
    assert page.status_code == 200
    form = page.context["form"]
    values = {name: form[name].value() for name in form.fields}
    return {name: value for name, value in values.items() if value not in (None, "", False, [])}


def start(kind: str, capture: DjangoCaptureOnCommitCallbacks, **changes: Any) -> SizingRun:
    with capture(execute=True):
        answer = Client().post(reverse("sizing:kind", args=[kind]), filled(kind) | changes)
    assert answer.status_code == 302, answer.context["form"].errors if answer.context else answer.content
    return SizingRun.objects.latest("created_at")


def test_start_page_offers_every_kind_and_its_examples(shipped: SeedReport) -> None:
    page = Client().get(reverse("sizing:start")).content.decode()
    for kind in KINDS:
        assert reverse("sizing:kind", args=[kind]) in page
        for example in KIND_EXAMPLES[kind]:
            assert f"?example={example.key}" in page


@pytest.mark.parametrize("kind", KINDS)
def test_the_preview_names_devices_before_the_run(kind: str, shipped: SeedReport) -> None:
    panel = Client().post(reverse("sizing:kind-preview", args=[kind]), filled(kind))
    assert panel.status_code == 200
    assert panel.context["preview"]["hardware"]
    assert panel.context["preview"]["rows"]


def test_the_load_over_the_day_is_kept_and_shown_again() -> None:
    profile = [0.5] * 12 + [1.0] * 12
    request = {"kind": "image", "image": {"items_per_hour": 10, "load_profile": profile}, "site": {"volts": 230}}
    values = FORMS["image"].initial_of(request)
    assert values["load_profile"].split() == ["0.5"] * 12 + ["1"] * 12
    assert values["volts"] == 230


def test_the_preview_names_the_field_that_is_missing(shipped: SeedReport) -> None:
    panel = Client().post(reverse("sizing:kind-preview", args=["edge"]), {"model": "YOLO11m"})
    assert "Power of the place" in panel.content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_form_leads_to_priced_options_and_their_pages(
    kind: str,
    shipped: SeedReport,
    at_once: None,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    run = start(kind, django_capture_on_commit_callbacks)
    assert run.state == "done", run.message
    options = list(SizingOption.objects.filter(run=run).order_by("rank"))
    assert options
    results = Client().get(run.get_absolute_url())
    assert results.status_code == 200
    text = results.content.decode()
    assert "Per token" not in text
    assert options[0].data["accelerator_name"].split(" ", 1)[-1].split()[0] in text
    page = Client().get(f"{run.get_absolute_url()}options/1/").content.decode()
    for row in results.context["selected"].kind_figures:
        assert str(row.label) in page
    for example in KIND_EXAMPLES[kind]:
        shown = Client().get(reverse("sizing:kind", args=[kind]) + f"?example={example.key}")
        assert shown.status_code == 200


@pytest.mark.parametrize("kind", KINDS)
def test_run_can_be_changed_and_run_again(
    kind: str,
    shipped: SeedReport,
    at_once: None,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    run = start(kind, django_capture_on_commit_callbacks)
    again = Client().get(reverse("sizing:kind", args=[kind]) + f"?from={run.key}")
    form = again.context["form"]
    for name, value in filled(kind).items():
        if name != "name":
            assert str(form[name].value()) == str(value), name


@pytest.mark.parametrize("kind", KINDS)
def test_an_option_becomes_a_quote_that_names_its_load_and_figures(
    kind: str,
    shipped: SeedReport,
    at_once: None,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    run = start(kind, django_capture_on_commit_callbacks)
    option = SizingOption.objects.filter(run=run).order_by("rank").first()
    assert option is not None
    organisation = Organisation.objects.create(name="Ridgeline Systems", currency="USD", country="US")
    user = User.objects.create(username=f"planner-{kind}", email=f"{kind}@ridgeline.example")
    Membership.objects.create(organisation=organisation, user=user, role=Role.PLANNER)
    quote = create_quote(option=option, user=user, organisation=organisation)
    shown = sizing(
        {"sizing": quote.revisions.get().sizing, "lines": []}, Reader(language="en", region="US", currency="USD")
    )
    assert shown is not None
    assert load_words(run.request) in shown.sentence
    printed = {row.figure for row in shown.rows}
    known = [key for key, figure in option.data["performance"].items() if isinstance(figure, dict) and figure["value"]]
    assert {str(LABELS[key]) for key in known} <= printed


@pytest.mark.parametrize("kind", KINDS)
def test_pages_speak_german(
    kind: str,
    shipped: SeedReport,
    at_once: None,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    german = Client(headers={"accept-language": "de"})
    form = german.get(reverse("sizing:kind", args=[kind])).content.decode()
    with translation.override("de"):
        assert translation.gettext("Size the hardware") in form
        assert str(FORMS[kind].load_heading) in form
    run = start(kind, django_capture_on_commit_callbacks)
    page = german.get(f"{run.get_absolute_url()}options/1/")
    text = page.content.decode()
    for row in page.context["option"].kind_figures:
        assert row.label in text
    with translation.override("en"):
        english = {str(words) for words in LABELS.values()}
    with translation.override("de"):
        ours = {str(words) for words in LABELS.values()}
    assert len(english & ours) <= 1  # "Models" and the like may agree, sentences may not


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "model" not in FORMS[kind].not_asked])
def test_unknown_model_is_named_under_its_field(kind: str, shipped: SeedReport) -> None:
    answer = Client().post(reverse("sizing:kind", args=[kind]), filled(kind) | {"model": "no such model"})
    assert answer.status_code == 422
    assert "no such model" in str(answer.context["form"].errors["model"])


def test_missing_load_is_said_under_its_field(shipped: SeedReport) -> None:
    answer = Client().post(reverse("sizing:kind", args=["image"]), filled("image") | {"items_per_hour": ""})
    assert answer.status_code == 422
    assert "Images in the job" in str(answer.context["form"].errors["items_per_hour"])


def test_unknown_kind_is_not_found() -> None:
    assert Client().get("/workloads/telepathy/new/").status_code == 404


def test_assumptions_bear_the_names_of_their_fields() -> None:
    assert label_of("vision.width") == "Width of the network's input"
    assert label_of("targets.first_audio_ms") == "First sound, p95"
    assert label_of("traffic.users") == ""


def test_four_answers_lead_to_a_filled_form(shipped: SeedReport) -> None:
    questions = Client().get(reverse("sizing:guide"))
    assert questions.status_code == 200
    assert "advice" not in questions.context
    answered = Client().get(
        reverse("sizing:guide"), {"makes": "detection", "place": "field", "pace": "live", "size": "small"}
    )
    advice = answered.context["advice"]
    assert advice["url"] == reverse("sizing:kind", args=["edge"]) + "?example=edge-cameras"
    assert Client().get(advice["url"]).context["form"]["streams"].value() == "8"


def test_every_answer_of_the_guide_leads_somewhere(shipped: SeedReport) -> None:
    for makes in MAKES:
        page = Client().get(
            reverse("sizing:guide"), {"makes": makes.value, "place": "office", "pace": "seconds", "size": "team"}
        )
        assert Client().get(page.context["advice"]["url"]).status_code == 200


def test_an_unfinished_guide_names_the_open_questions() -> None:
    page = Client().get(reverse("sizing:guide"), {"makes": "text"})
    assert "advice" not in page.context
    assert set(page.context["form"].errors) == {"place", "pace", "size"}
