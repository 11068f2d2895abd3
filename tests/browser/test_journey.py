"""From the form to the result, with a real server, worker and browser."""

import re

import pytest
from django.core.management import call_command
from playwright.sync_api import Page, expect

from sizing.choices import RunState
from sizing.explanations import FIGURES
from sizing.formulas import FORMULAS
from sizing.models import SizingRun
from tests.processes import Worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RUN_LIMIT_MS = 120_000


@pytest.fixture
def seeded(live_kvote: str, worker: Worker) -> None:
    """The shipped catalogue, which a run needs."""
    call_command("seed", verbosity=0)


def test_a_newcomer_comes_from_the_start_page_to_an_option(page: Page, seeded: None) -> None:
    page.goto("/")
    page.get_by_role("link", name="Chat assistant for 200 users").click()
    expect(page.locator("#preview")).to_contain_text("Smallest that holds it")
    expect(page.locator("#preview")).to_contain_text("328")  # KV per token, kB: 2 x 80 x 8 x 128 x 2 bytes
    page.get_by_role("button", name="Size the hardware").click()
    expect(page).to_have_url(re.compile(r"/runs/[\w-]{22}/$"))
    expect(page.locator("h1")).to_contain_text("carry 200 users", timeout=RUN_LIMIT_MS)
    expect(page.locator(".kv-verds > li")).to_have_count(8)
    expect(page.locator("[data-figure=figure-memory] .barlayer .point").first).to_be_visible()
    page.get_by_role("link", name="Open option").first.click()
    expect(page.get_by_role("heading", name="Bill of materials")).to_be_visible()
    run = SizingRun.objects.get()
    assert run.state == RunState.DONE
    named = {find(option)["explain"] for option in run.result["options"] for _title, find in FIGURES.values()}
    assert named - {""} <= FORMULAS.keys()


def test_the_preview_follows_the_form(page: Page, seeded: None) -> None:
    page.goto("/workloads/new/")
    preview = page.locator("#preview")
    expect(preview).to_contain_text("77,500")  # 50 requests in flight x 1,550 tokens
    page.locator("#id_users").fill("400")
    expect(preview).to_contain_text("155,000")
    page.locator("#id_users").fill("")
    expect(preview.get_by_role("link", name="Users")).to_be_visible()


def test_a_workload_is_sized_without_a_script(page: Page, seeded: None, live_kvote: str) -> None:
    browser = page.context.browser
    assert browser is not None
    plain = browser.new_context(base_url=live_kvote, locale="de", java_script_enabled=False)
    tab = plain.new_page()
    tab.goto("/workloads/new/?example=small-team")
    tab.get_by_role("button", name="Hardware berechnen").click()
    expect(tab.locator("h1")).to_contain_text("tragen 20 Nutzer", timeout=RUN_LIMIT_MS)
    expect(tab.get_by_text("Günstigste").first).to_be_visible()
    plain.close()
