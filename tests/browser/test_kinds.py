"""Every kind besides language models from the start page to its bill of materials, in a real browser."""

import re

import pytest
from django.core.management import call_command
from django.urls import reverse
from playwright.sync_api import Page, expect

from sizing.kinds.examples import KIND_EXAMPLES
from tests.browser.test_pages import violations
from tests.processes import Worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RUN_LIMIT_MS = 120_000


@pytest.fixture
def seeded(live_kvote: str, worker: Worker) -> None:
    """The shipped catalogue, which a run needs."""
    call_command("seed", verbosity=0)


def test_all_kinds_lead_from_an_example_to_a_bill(page: Page, seeded: None) -> None:
    for kind, examples in KIND_EXAMPLES.items():
        page.goto(reverse("sizing:start"))
        page.get_by_role("link", name=str(examples[0].name), exact=True).click()
        expect(page).to_have_url(re.compile(rf"/workloads/{kind}/new/"))
        page.get_by_role("button", name="Size the hardware").click()
        expect(page).to_have_url(re.compile(r"/runs/[\w-]{22}/$"))
        expect(page.locator("h1")).to_contain_text(re.compile(" carr(y|ies) "), timeout=RUN_LIMIT_MS)
        expect(page.locator(".kv-verds > li")).to_have_count(8)
        page.get_by_role("link", name="Open option").first.click()
        expect(page.get_by_role("heading", name="Bill of materials")).to_be_visible()
        expect(page.get_by_text("How it is made")).to_be_visible()


def test_four_questions_lead_to_a_form(page: Page, seeded: None) -> None:
    page.goto(reverse("sizing:guide"))
    for answer in ("What a camera sees", "In the field: machine, vehicle, pole", "At once, somebody waits"):
        page.get_by_label(answer).check()
    page.get_by_label("A few people or cameras").check()
    page.get_by_role("button", name="Show what fits").click()
    expect(page.get_by_role("heading", name="Edge devices")).to_be_visible()
    page.get_by_role("link", name=re.compile("Start with")).click()
    expect(page.locator("#id_streams")).to_have_value("8")


def test_axe_finds_nothing_on_the_forms(page: Page, seeded: None) -> None:
    addresses = [reverse("sizing:kind", args=[kind]) for kind in KIND_EXAMPLES]
    addresses.append(reverse("sizing:guide") + "?makes=picture&place=room&pace=live&size=many")
    addresses.append(reverse("sizing:advisor") + "?software=vllm&accelerator=amd-mi300x&weights=awq&family=language")
    for address in addresses:
        page.goto(address)
        assert violations(page) == [], address
