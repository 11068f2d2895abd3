"""The page "Serve and measure" in a browser: accessible in both themes and languages, drawn, copied."""

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from catalog.seed.load import load_seed
from config.accounts.choices import Role
from sizing.measurements.services import import_results, setting_of_option
from sizing.models import SizingOption
from tests.browser.test_pages import open_as, violations
from tests.factories import make_membership
from tests.sizing import sample_result
from tests.sizing.measurements.test_import import MODEL, expected_ms, vllm_result
from tests.sizing.test_recipes import option as recipe_option
from tests.sizing.test_views import done_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def address(page: Page, live_kvote: str) -> str:
    """The page of an option with a measured load, seen by a planner."""
    load_seed()
    member = make_membership(role=Role.PLANNER)
    run = done_run(organisation=member.organisation)
    run.workload.request["model"] = {"id": MODEL}
    run.workload.save()
    row = SizingOption.objects.get(run=run, rank=1)
    row.accelerator = "nvidia-h100-sxm5-80gb"
    row.data = sample_result.option(
        1, accelerator=row.accelerator, engine_version="", weights_format="bf16",
        parallelism={"tensor": 1, "pipeline": 1, "expert": 1, "data": 1},
        engine_settings=recipe_option()["engine_settings"],
    )  # fmt: skip
    row.save()
    for concurrent in (8, 32):
        content = vllm_result(expected_ms(concurrent) * 1.9, concurrent=concurrent)
        setting = setting_of_option(row)
        import_results(
            organisation=member.organisation, content=content, name=f"c{concurrent}.json", setting=setting, option=row
        )
    client = Client()
    client.force_login(member.user)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_kvote}])
    return f"{row.get_absolute_url()}serve/"


def test_the_page_is_accessible_narrow_enough_and_draws_its_chart(page: Page, address: str, live_kvote: str) -> None:
    chart = page.locator("[data-figure=figure-measured] .scatterlayer .trace")
    for theme, language in (("light", "en"), ("dark", "de")):
        open_as(page, address, live_kvote, theme=theme, language=language)
        expect(chart).to_have_count(4)
        for fold in page.locator("details.kv-fold").all():
            fold.evaluate("fold => { fold.open = true }")
        assert violations(page) == []
    page.set_viewport_size({"width": 360, "height": 800})
    page.reload()
    expect(chart).to_have_count(4)
    root = "document.documentElement"
    assert page.evaluate(f"{root}.scrollWidth - {root}.clientWidth") == 0


def test_the_command_is_copied(page: Page, address: str) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(address)
    button = page.get_by_role("button", name="Copy: Command", exact=True)
    button.click()
    expect(button).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith("vllm serve")
