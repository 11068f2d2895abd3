"""Pages in a real browser: accessible in both themes and languages, narrow and wide, with no outside request."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from catalog.models import Accelerator, AiModel
from sizing.choices import RunState
from sizing.models import SizingRun
from tests.sizing import sample_result
from tests.sizing.test_views import CONFIG, MODEL, done_run, make_run

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
NARROW: ViewportSize = {"width": 375, "height": 667}


@pytest.fixture
def addresses(live_kvote: str) -> dict[str, str]:
    """The address of each page, with the rows that it shows."""
    AiModel.objects.create(model_id=MODEL, config=CONFIG)
    for slug, name in sample_result.NAMES.items():
        Accelerator.objects.create(slug=slug, vendor="Maker", name=name, memory_gb=96, memory_bandwidth_gb_s=1800)
    done = done_run().get_absolute_url()
    running = make_run(state=RunState.RUNNING, stage="speed", progress_done=3, progress_total=9)
    failed = make_run(state=RunState.FAILED, stage="speed", message={"code": "run_cancelled", "params": {}})
    empty = make_run(state=RunState.DONE, result=sample_result.result() | {"options": []})
    return {
        "start": "/",
        "workload": "/workloads/new/",
        "progress": running.get_absolute_url(),
        "failed": failed.get_absolute_url(),
        "result": done,
        "empty result": empty.get_absolute_url(),
        "option": f"{done}options/1/",
        "explanation": f"{done}options/1/?why=tpot",
    }


def open_as(page: Page, address: str, live_kvote: str, *, theme: str, language: str) -> None:
    names = {"kvote_theme": theme, "kvote_language": language}
    page.context.add_cookies([{"name": name, "value": value, "url": live_kvote} for name, value in names.items()])
    page.goto(address)


def violations(page: Page) -> list[str]:
    """What axe finds against WCAG 2.2 A and AA: rule and the element."""
    page.evaluate(AXE)
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    found: dict[str, Any] = page.evaluate(f"axe.run({{runOnly: {json.dumps(tags)}}})")
    return [f"{rule['id']}: {node['html'][:160]}" for rule in found["violations"] for node in rule["nodes"]]


@pytest.mark.parametrize("variant", ["light-en", "dark-de"])
def test_axe_finds_nothing(page: Page, addresses: dict[str, str], live_kvote: str, variant: str) -> None:
    theme, language = variant.split("-")
    found: dict[str, list[str]] = {}
    for name, address in addresses.items():
        open_as(page, address, live_kvote, theme=theme, language=language)
        expect(page.locator("h1")).to_have_count(1)
        if wrong := violations(page):
            found[name] = wrong
    assert found == {}


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_runs_over_the_edge_of_a_narrow_screen(
    page: Page, addresses: dict[str, str], live_kvote: str, language: str
) -> None:
    page.set_viewport_size(NARROW)
    excess_px = {}
    for name, address in addresses.items():
        open_as(page, address, live_kvote, theme="light", language=language)
        root = "document.documentElement"
        excess_px[name] = page.evaluate(f"{root}.scrollWidth - {root}.clientWidth")
    assert excess_px == dict.fromkeys(addresses, 0)


def test_no_request_leaves_the_machine(page: Page, addresses: dict[str, str], live_kvote: str) -> None:
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    for address in addresses.values():
        page.goto(address)
    assert hosts == {urlsplit(live_kvote).netloc}


def test_charts_are_drawn_in_the_colours_of_the_theme(page: Page, addresses: dict[str, str], live_kvote: str) -> None:
    for theme, colour in (("light", "rgb(5, 99, 114)"), ("dark", "rgb(82, 185, 205)")):
        open_as(page, addresses["result"], live_kvote, theme=theme, language="en")
        bar = page.locator("[data-figure=figure-memory] .barlayer .point path").first
        expect(bar).to_have_css("fill", colour)


def test_a_figure_opens_its_explanation_and_returns_the_focus(page: Page, addresses: dict[str, str]) -> None:
    page.goto(addresses["option"])
    figure = page.get_by_role("link", name="Time per output token, p95: 43").first
    figure.focus()
    page.keyboard.press("Enter")
    drawer = page.get_by_role("dialog")
    expect(drawer.get_by_role("heading", name="Time per output token, p95")).to_be_visible()
    assert page.url.endswith("/options/1/")
    page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(figure).to_be_focused()


def test_sorting_changes_the_table_and_the_address(page: Page, addresses: dict[str, str]) -> None:
    page.goto(addresses["result"])
    page.get_by_label("Sort").select_option("weeks")
    expect(page.locator("#options tbody th").first).to_contain_text("Card B 94GB")
    expect(page.locator("#options th[aria-sort=ascending]")).to_have_text("Weeks p50 / p90")
    assert "sort=weeks" in page.url


def test_the_load_fields_follow_the_way_it_is_stated(page: Page, addresses: dict[str, str]) -> None:
    page.goto(addresses["workload"])
    page.locator("section[aria-labelledby=sec-traffic] details.kv-more > summary").click()
    expect(page.locator("#id_concurrent_requests")).to_be_hidden()
    page.get_by_label("State the load as").select_option("concurrent")
    expect(page.locator("#id_concurrent_requests")).to_be_visible()
    expect(page.locator("#id_users")).to_be_hidden()


def test_help_beside_a_field_opens_and_closes_by_keyboard(page: Page, addresses: dict[str, str]) -> None:
    page.goto(addresses["workload"])
    help_ = page.get_by_label("Why Users?")
    help_.focus()
    page.keyboard.press("Enter")
    words = page.get_by_text("Everybody who may use it")
    expect(words).to_be_visible()
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    expect(help_).to_be_focused()


def test_the_first_faulty_field_has_the_focus(page: Page, addresses: dict[str, str]) -> None:
    page.goto(addresses["workload"])
    page.locator("#id_input_tokens").fill("-5")
    page.get_by_role("button", name="Size the hardware").click()
    expect(page.get_by_text("Enter 1 to 100,000,000.").first).to_be_visible()
    expect(page.locator("#id_input_tokens")).to_be_focused()
    expect(page.locator("#id_input_tokens")).to_have_value("-5")
    assert not SizingRun.objects.filter(state=RunState.QUEUED).exists()


def test_language_and_theme_change_without_a_script(page: Page, addresses: dict[str, str], live_kvote: str) -> None:
    context = page.context.browser
    assert context is not None
    plain = context.new_context(base_url=live_kvote, locale="en-GB", java_script_enabled=False)
    tab = plain.new_page()
    tab.goto(addresses["result"])
    tab.get_by_role("button", name="Deutsch").first.click()
    expect(tab.locator("html")).to_have_attribute("lang", "de")
    tab.get_by_role("button", name="Dunkel").first.click()
    expect(tab.locator("html")).to_have_attribute("data-bs-theme", "dark")
    expect(tab.get_by_text("Günstigste").first).to_be_visible()
    plain.close()
