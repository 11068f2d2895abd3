"""Every page in Chromium: axe, console, network, narrow and enlarged, in both themes and languages."""

import re
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, ConsoleMessage, Page, expect

from tests.browser.every_page import KEY_PAGES, NARROW, WIDE, signed_in
from tests.browser.test_pages import violations
from tests.world import World, build_world

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
SMALLEST = {"width": 320, "height": 640}
ENLARGED = {"width": 720, "height": 450}  # 1440 at 200 % zoom
SETTLED_MS = 15_000
expect.set_options(timeout=SETTLED_MS)
# Charts take their new width a moment after the window does: ask at each frame until it fits or the time is up
OVER_THE_EDGE_PX = """limit => new Promise(done => {
  const until = performance.now() + limit, root = document.documentElement;
  const ask = () => {
    const over = root.scrollWidth - root.clientWidth;
    if (over <= 0 || performance.now() > until) done(over); else requestAnimationFrame(ask);
  };
  ask();
})"""


@pytest.fixture
def world(live_kvote: str) -> World:
    call_command("seed", verbosity=0)
    return build_world()


def complaint(message: ConsoleMessage) -> list[str]:
    """What the console says, with its address; of its own a browser asks for an icon beside a file that is no page."""
    address = message.location.get("url", "")
    return [] if address.endswith("/favicon.ico") else [f"console: {message.text[:160]} {address}"]


def walk(
    browser: Browser, world: World, base: str, names: list[str], look: Callable[[Page], list[str]], **how: str
) -> dict[str, list[str]]:
    """What `look` finds wrong on each page, with console messages and requests that leave the machine."""
    context = signed_in(browser, world, base, theme=how["theme"], language=how["language"])
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.extend(complaint(message)))
    page.on("pageerror", lambda error: heard.append(f"script: {str(error)[:160]}"))
    page.on(
        "request",
        lambda request: (
            heard.append(f"outside: {request.url[:160]}")
            if request.url.startswith("http") and urlsplit(request.url).netloc != urlsplit(base).netloc
            else None
        ),
    )
    wrong = {}
    for name in names:
        heard.clear()
        answer = page.goto(world.pages[name], wait_until="load")
        if answer is None or answer.status != 200 or "text/html" not in answer.headers.get("content-type", ""):
            continue
        if "<html" not in answer.text():  # a part that a page asks for
            continue
        if found := look(page) + heard:
            wrong[name] = found[:6]
    context.close()
    return wrong


def wide_and_clean(page: Page) -> list[str]:
    """Nothing for axe, nothing over the edge at 320 pixels and at 200 %."""
    found = violations(page)
    for size in (SMALLEST, ENLARGED):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        if (over := page.evaluate(OVER_THE_EDGE_PX, SETTLED_MS)) > 0:
            found.append(f"{over} px over the edge at {size['width']}")
    page.set_viewport_size(WIDE)
    return found


@pytest.mark.full
def test_key_pages_are_clean_in_both_themes_and_languages(chromium: Browser, world: World, live_kvote: str) -> None:
    light = walk(chromium, world, live_kvote, list(KEY_PAGES), wide_and_clean, theme="light", language="en")
    dark = walk(chromium, world, live_kvote, list(KEY_PAGES), wide_and_clean, theme="dark", language="de")
    assert (light, dark) == ({}, {})


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_every_page_is_clean(chromium: Browser, world: World, live_kvote: str, theme: str, language: str) -> None:
    names = [name for name in world.pages if name != "accounts:sign_out"]
    assert walk(chromium, world, live_kvote, names, wide_and_clean, theme=theme, language=language) == {}


def test_search_drafts_comparison_and_fixes_by_keyboard(chromium: Browser, world: World, live_kvote: str) -> None:
    context = signed_in(chromium, world, live_kvote, theme="light", language="en")
    page = context.new_page()
    page.goto("/")
    page.keyboard.press("/")
    palette = page.get_by_role("dialog", name="Search everything")
    expect(palette.get_by_role("combobox")).to_be_focused()
    page.keyboard.type("glossary")
    expect(palette.locator("a.kv-hit.is-chosen")).to_contain_text("Glossary")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Glossary")

    page.goto(world.pages["sizing:workload"])
    page.locator("#id_name").evaluate("field => field.closest('details')?.setAttribute('open', '')")
    page.locator("#id_name").fill("Put aside")
    page.locator("#id_users").fill("")
    page.get_by_role("button", name="Save as draft").click()
    expect(page.get_by_role("status").get_by_text("Draft saved.")).to_be_visible()
    expect(page.locator("#id_users")).to_have_value("")
    page.goto("/workloads/")
    page.get_by_role("button", name="Discard Put aside").click()
    question = page.get_by_role("dialog", name="Discard the draft")
    expect(question.get_by_role("button", name="Keep it")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Put aside")).to_be_visible()

    page.goto(world.pages["result"])
    page.get_by_role("link", name="Compare against this").first.click()
    expect(page).to_have_url(re.compile("option="))
    expect(page.locator(".kv-opt.is-selected")).to_contain_text("Earliest delivery")
    boxes = page.get_by_role("checkbox", name="Compare option")
    boxes.nth(0).check()
    boxes.nth(1).check()
    page.get_by_role("button", name="Compare the marked").click()
    expect(page.locator(".kv-compare thead th")).to_have_count(2)
    page.get_by_role("link", name="Differences only").click()
    expect(page.locator(".kv-compare tr.is-same")).to_have_count(0)
    page.goto(world.pages["result"])
    page.get_by_role("link", name="Try it for").first.click()
    expect(page.locator("h1")).to_contain_text("Chat assistant")
    context.close()


def test_search_comparison_and_drafts_need_no_script(chromium: Browser, world: World, live_kvote: str) -> None:
    context = chromium.new_context(base_url=live_kvote, java_script_enabled=False, viewport=NARROW, locale="de")
    context.add_cookies([{"name": "sessionid", "value": world.cookie(), "url": live_kvote}])
    outside: list[str] = []
    context.route(
        lambda url: not url.startswith(live_kvote), lambda route: (outside.append(route.request.url), route.abort())
    )
    page = context.new_page()
    page.goto("/")
    page.locator("a.kv-find").click()
    page.get_by_role("searchbox").fill("H200")
    page.locator("main form[role=search] button").click()
    expect(page.get_by_role("link", name="H200 NVL").first).to_be_visible()
    page.goto(world.pages["result"])
    page.get_by_role("checkbox", name="Option 1 vergleichen").check()
    page.get_by_role("checkbox", name="Option 2 vergleichen").check()
    page.get_by_role("button", name="Markierte vergleichen").click()
    expect(page.locator("h1")).to_have_text("Optionen vergleichen")
    page.goto(world.pages["draft"])
    page.get_by_role("button", name="Speichern").click()
    expect(page.get_by_text("Entwurf gespeichert.")).to_be_visible()
    page.goto(world.pages["result"])
    page.get_by_role("link", name="Option öffnen").first.click()
    page.get_by_role("link", name=re.compile("^Zeit bis zum ersten Token")).first.click()
    expect(page.locator("#why-page h2")).to_contain_text("Zeit bis zum ersten Token")
    page.locator("button", has_text="Angebot erstellen").locator("visible=true").first.click()
    expect(page.locator("h1")).to_contain_text("Angebot")
    for name in ("CSV", "XLSX"):
        with page.expect_download() as waiting:
            page.get_by_role("row", name=re.compile(f"^{name}")).get_by_role("link", name="Deutsch").click()
        assert waiting.value.path().stat().st_size > 500
    assert outside == []
    context.close()
