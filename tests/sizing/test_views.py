"""Pages of the sizing app through the client: what they say, who may see them, how many queries they ask."""

from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from catalog.models import Accelerator, AiModel
from config.accounts.choices import Role
from sizing.choices import RunState
from sizing.models import SizingOption, SizingRun, Workload
from tests.factories import make_membership
from tests.sizing import sample_result

pytestmark = pytest.mark.django_db
MODEL = "meta-llama/Llama-3.3-70B-Instruct"
CONFIG = {
    "architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 8192, "intermediate_size": 28672,
    "num_hidden_layers": 80, "num_attention_heads": 64, "num_key_value_heads": 8, "vocab_size": 128256,
    "max_position_embeddings": 131072, "torch_dtype": "bfloat16",
}  # fmt: skip


@pytest.fixture(autouse=True)
def catalogue() -> None:
    AiModel.objects.create(model_id=MODEL, config=CONFIG)
    for slug, name in sample_result.NAMES.items():
        Accelerator.objects.create(slug=slug, vendor="Maker", name=name, memory_gb=96, memory_bandwidth_gb_s=1800)


def make_run(**fields: Any) -> SizingRun:
    """A visitor's run of the sample request; with `result` its options get their rows."""
    workload = Workload.objects.create(
        name="Chat assistant for 200 users", kind="llm_serving", request=sample_result.request(),
        organisation=fields.get("organisation"),
    )  # fmt: skip
    run = SizingRun.objects.create(workload=workload, as_of=date(2026, 11, 30), **fields)
    for option in (run.result or {}).get("options", []):
        SizingOption.objects.create(run=run, rank=option["rank"], accelerator=option["accelerator"], data=option)
    return run


def done_run(**fields: Any) -> SizingRun:
    return make_run(state=RunState.DONE, stage="ranking", result=sample_result.result(), **fields)


def posted(**changes: str) -> dict[str, str]:
    values = {"model": MODEL, "users": "200", "active_share": "25", "input_tokens": "1200", "output_tokens": "350"}
    return values | changes


def text_of(response: Any) -> str:
    return str(response.content.decode())


def test_start_offers_the_kinds_that_work_and_the_examples(client: Client) -> None:
    page = text_of(client.get("/"))
    assert "What do you want to run?" in page
    assert "/workloads/new/?example=code-assistant" in page
    assert "No runs yet." in page


def test_the_form_opens_filled_from_an_example(client: Client) -> None:
    page = text_of(client.get("/workloads/new/?example=small-team"))
    assert 'value="meta-llama/Llama-3.1-8B-Instruct"' in page
    assert "<h1>Small team, small model</h1>" in page


def test_at_most_twelve_inputs_are_in_view(client: Client) -> None:
    page = text_of(client.get("/workloads/new/"))
    form = page[page.index('<form id="workload"') :]
    form = form[: form.index("</form>")]
    while "<details" in form:
        opened = form.rindex("<details")
        form = form[:opened] + form[form.index("</details>", opened) + len("</details>") :]
    shown = form.count("<input") + form.count("<select") + form.count("<textarea")
    hidden = form.count('type="hidden"') + form.count('data-load="concurrent"') + form.count('data-load="rate"')
    assert shown - hidden <= 12


def test_the_form_is_in_german_for_a_german_browser(client: Client) -> None:
    page = text_of(client.get("/workloads/new/", headers={"accept-language": "de"}))
    assert '<html lang="de"' in page
    assert "Gewichtsformat" in page
    assert 'value="1.200"' in page
    assert "höchstens" in page


def test_a_valid_form_starts_a_run_and_leads_to_it(client: Client) -> None:
    response = client.post("/workloads/new/", posted(name="Mine"))
    run = SizingRun.objects.get()
    assert response.status_code == 302
    assert response["Location"] == f"/runs/{run.secret}/"
    assert run.request["traffic"]["users"] == 200
    assert "Mine" in text_of(client.get("/"))


def test_a_visitors_run_is_not_listed_in_another_browser(client: Client) -> None:
    client.post("/workloads/new/", posted(name="Mine"))
    assert "Mine" not in text_of(Client().get("/"))


def test_a_faulty_form_answers_422_with_value_and_remedy(client: Client) -> None:
    response = client.post("/workloads/new/", posted(input_tokens="-5"))
    page = text_of(response)
    assert response.status_code == 422
    assert "Enter 1 to 100,000,000." in page
    assert 'value="-5"' in page
    assert not Workload.objects.exists()


def test_a_context_beyond_reason_names_its_field(client: Client) -> None:
    response = client.post("/workloads/new/", posted(max_context_tokens="900000000"))
    assert response.status_code == 422
    assert "id_max_context_tokens_error" in text_of(response)


def test_a_context_beyond_the_model_names_its_field_and_stores_nothing(client: Client) -> None:
    response = client.post("/workloads/new/", posted(max_context_tokens="200000"))
    assert response.status_code == 422
    assert "131,072" in text_of(response)
    assert "id_max_context_tokens_error" in text_of(response)
    assert not Workload.objects.exists()


def test_runs_from_before_signing_in_are_claimed(client: Client) -> None:
    member = make_membership(role=Role.PLANNER)
    client.post("/workloads/new/", posted(name="Mine"))
    client.force_login(member.user)
    assert "Mine" in text_of(client.get("/"))
    assert SizingRun.objects.get().organisation == member.organisation


def test_the_secret_address_of_a_claimed_run_leads_its_members_alone(client: Client) -> None:
    member, stranger = make_membership(role=Role.PLANNER), make_membership()
    client.post("/workloads/new/", posted(name="Mine"))
    address = f"/runs/{SizingRun.objects.get().secret}/"
    client.force_login(member.user)
    client.get("/")  # claims it
    assert client.get(address).status_code == 200
    assert Client().get(address).status_code == 404
    client.force_login(stranger.user)
    assert client.get(address).status_code == 404


def test_an_upload_of_fifty_megabytes_is_refused_at_its_field_and_the_rest_of_the_form_stays(client: Client) -> None:
    upload = SimpleUploadedFile("config.json", b"{" + b" " * 50_000_000)
    response = client.post("/workloads/new/", posted(name="A long name") | {"config_file": upload})
    page = text_of(response)
    assert response.status_code == 422
    assert "id_config_file_error" in page
    assert "50 MB" in page
    assert "at most 8 MB are read" in page
    assert 'value="A long name"' in page
    assert not Workload.objects.exists()


def test_the_preview_names_what_it_waits_for(client: Client) -> None:
    page = text_of(client.post("/workloads/preview/", posted(users=""), headers={"hx-request": "true"}))
    assert "<html" not in page
    assert 'href="#id_users"' in page


def test_a_waiting_run_polls_and_can_be_cancelled(client: Client) -> None:
    run = make_run()
    page = text_of(client.get(run.get_absolute_url()))
    assert 'hx-trigger="every 1s"' in page
    response = client.post(f"{run.get_absolute_url()}cancel/")
    assert response.status_code == 302
    run.refresh_from_db()
    assert run.state == RunState.CANCELLED


def test_progress_shows_the_stage_and_what_it_has_seen(client: Client) -> None:
    run = make_run(state=RunState.RUNNING, stage="speed", progress_done=312, progress_total=1610)
    page = text_of(client.get(f"{run.get_absolute_url()}progress/"))
    assert "312 of 1,610" in page
    assert '<progress value="312" max="1610"' in page


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"state": RunState.DONE, "result": {"options": []}}, "See results"),
        ({"state": RunState.CANCELLED}, "The run was cancelled."),
        ({"state": RunState.FAILED, "message": {"code": "run_cancelled", "params": {}}}, "Change and run again"),
    ],
)
def test_the_last_progress_answer_asks_for_no_further_one(client: Client, fields: Any, words: str) -> None:
    run = make_run(**fields)
    page = text_of(client.get(f"{run.get_absolute_url()}progress/"))
    assert "hx-trigger" not in page
    assert words in page


def test_a_failed_run_opens_the_form_with_its_inputs(client: Client) -> None:
    run = make_run(state=RunState.FAILED, stage="speed")
    page = text_of(client.get(f"/workloads/new/?from={run.key}"))
    assert f'value="{MODEL}"' in page
    assert 'value="60,000"' in page


def test_results_show_sentence_cards_charts_table_and_rejections(client: Client) -> None:
    page = text_of(client.get(done_run().get_absolute_url()))
    assert "carry 200 users for €38,420 net, delivered in about 7\u00a0weeks." in page
    for words in ("Lowest cost", "Earliest delivery", "Most headroom", "+€33,480", "All 3 options"):
        assert words in page
    assert 'id="figure-frontier" type="application/json"' in page
    assert 'id="figure-memory" type="application/json"' in page
    assert "14.8 GB short." in page
    assert "Cheapest change: 4-bit weights fit." in page
    assert "Steady arrivals." in page


def test_an_open_price_is_a_word_in_the_table(client: Client) -> None:
    result = sample_result.result()
    result["options"][2]["cost"]["purchase"] = sample_result.money(None)
    page = text_of(client.get(make_run(state=RunState.DONE, result=result).get_absolute_url()))
    assert '<span class="kv-open">price open</span>' in page


def test_a_result_without_options_says_so_and_offers_a_change(client: Client) -> None:
    result = sample_result.result() | {"options": []}
    page = text_of(client.get(make_run(state=RunState.DONE, result=result).get_absolute_url()))
    assert "No option meets all targets." in page
    assert "Change the workload" in page
    assert "14.8 GB short." in page


def test_the_table_alone_is_sent_to_htmx(client: Client) -> None:
    url = done_run().get_absolute_url()
    page = text_of(client.get(f"{url}?sort=price", headers={"hx-request": "true", "hx-target": "options"}))
    assert "<html" not in page
    assert 'aria-sort="ascending"' in page


def test_an_option_shows_its_bill_with_open_points_as_words(client: Client) -> None:
    page = text_of(client.get(f"{done_run().get_absolute_url()}options/1/"))
    assert "Bill of materials, 2 lines" in page
    assert "€8,490.00" in page
    assert "26\u00a0Nov\u00a02026" in page
    assert "price open" in page
    assert "compliant" not in page


def test_an_explanation_is_a_page_and_a_part(client: Client) -> None:
    url = f"{done_run().get_absolute_url()}options/1/?why=tpot"
    whole, part = text_of(client.get(url)), text_of(client.get(url, headers={"hx-request": "true"}))
    assert "<html" in whole
    assert "<html" not in part
    for page in (whole, part):
        assert "Time per output token, p95" in page
        assert "[37–51]" in page


@pytest.mark.parametrize("path", ["options/9/", "options/1/?why=nonsense"])
def test_what_does_not_exist_answers_404(client: Client, path: str) -> None:
    assert client.get(f"{done_run().get_absolute_url()}{path}").status_code == 404


def test_a_run_of_another_organisation_is_nowhere(client: Client) -> None:
    owner, stranger = make_membership(), make_membership()
    run = done_run(organisation=owner.organisation)
    client.force_login(stranger.user)
    assert client.get(run.get_absolute_url()).status_code == 404
    client.force_login(owner.user)
    assert client.get(run.get_absolute_url()).status_code == 200


def test_a_viewer_may_not_start_a_run(client: Client) -> None:
    client.force_login(make_membership(role=Role.VIEWER).user)
    assert client.post("/workloads/new/", posted()).status_code == 403
    assert not SizingRun.objects.exists()


def test_a_run_of_a_member_belongs_to_the_organisation(client: Client) -> None:
    member = make_membership(role=Role.PLANNER)
    client.force_login(member.user)
    client.post("/workloads/new/", posted())
    assert SizingRun.objects.get().organisation == member.organisation


@pytest.mark.parametrize(("path", "queries", "again"), [("", 9, 3), ("options/1/", 8, 4)])
def test_pages_of_a_result_ask_a_fixed_number_of_queries(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries, path: str, queries: int, again: int
) -> None:
    many = sample_result.result()
    many["options"] += [sample_result.option(rank) for rank in range(4, 40)]
    for run in (done_run(), make_run(state=RunState.DONE, result=many)):
        with django_assert_num_queries(queries):
            client.get(f"{run.get_absolute_url()}{path}")
        with django_assert_num_queries(again):
            client.get(f"{run.get_absolute_url()}{path}")


@pytest.mark.parametrize("path", ["/", "/workloads/new/"])
def test_pages_have_one_heading_a_title_and_a_way_back(client: Client, path: str) -> None:
    page = text_of(client.get(path))
    assert page.count("<h1>") == 1
    assert " · Kvote</title>" in page
    assert 'class="kv-skip" href="#content"' in page


def test_the_theme_is_the_one_that_was_chosen(client: Client) -> None:
    client.cookies["kvote_theme"] = "dark"
    assert 'data-bs-theme="dark"' in text_of(client.get("/"))


def test_a_visitor_begins_with_the_currency_of_the_language(client: Client) -> None:
    for language, currency in (("en", "USD"), ("de", "EUR")):
        page = client.get("/workloads/new/", headers={"accept-language": language})
        assert page.context["form"]["currency"].value() == currency
