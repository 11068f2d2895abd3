"""The eight journeys on a real server and worker: at three widths, in both themes, and by keyboard alone."""

import re

import pytest
from django.core.management import call_command
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.every_page import NARROW, TABLET, WIDE
from tests.browser.journeys import JOURNEYS
from tests.processes import Worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = {"1440": WIDE, "768": TABLET, "375": NARROW}
WITHOUT_A_RUN = ("federal reseller", "revise and lock")
RUN_LIMIT_MS = 120_000
expect.set_options(timeout=15_000)
# What has the focus: a name, whether a ring is drawn around it, and whether all of it lies in view
FOCUSED = """() => {
  const at = document.activeElement;
  if (!at || at === document.body) return null;
  const ring = at.closest(".kv-unit") ?? at, style = getComputedStyle(ring), box = at.getBoundingClientRect();
  return {
    name: at.outerHTML.slice(0, 90), ring: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
    inView: box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    place: at.closest("dialog, .kv-top, .kv-dock, aside") ? null : box.top + scrollY,
  };
}"""


@pytest.fixture
def seeded(live_kvote: str, worker: Worker) -> None:
    call_command("seed", verbosity=0)


def tab_for(browser: Browser, base: str, *, theme: str, viewport: ViewportSize, language: str) -> Page:
    context = browser.new_context(
        base_url=base, viewport=viewport, locale=language, accept_downloads=True, reduced_motion="reduce"
    )  # fmt: skip
    context.add_cookies([{"name": "kvote_theme", "value": theme, "url": base}])
    return context.new_page()


def walk(browser: Browser, base: str, names: tuple[str, ...], theme: str, width: str) -> None:
    """Each journey in a tab of its own; the German one asks for German by the browser alone."""
    for name in names:
        language = "de-DE" if name == "German buyer" else "en-GB"
        tab = tab_for(browser, base, theme=theme, viewport=WIDTHS[width], language=language)
        JOURNEYS[name](tab)
        over = tab.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        tab.context.close()
        assert over <= 0, name


def test_quotes_go_their_way_on_a_narrow_dark_screen(chromium: Browser, live_kvote: str) -> None:
    walk(chromium, live_kvote, WITHOUT_A_RUN, "dark", "375")


@pytest.mark.full
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", list(WIDTHS))
def test_every_journey_at_each_width_in_each_theme(
    chromium: Browser, live_kvote: str, seeded: None, theme: str, width: str
) -> None:
    walk(chromium, live_kvote, tuple(JOURNEYS), theme, width)


def press_to(page: Page, name: str, *, role: str, most: int = 120) -> int:
    """Press Tab until the named control has the focus, then Enter; how often it was pressed."""
    target = page.get_by_role(role, name=re.compile(name)).first  # type: ignore[arg-type]
    expect(target).to_be_visible()
    wanted = target.element_handle()
    for pressed in range(1, most):
        page.keyboard.press("Tab")
        seen = page.evaluate(FOCUSED)
        assert seen is None or (seen["ring"] and seen["inView"]), seen
        if page.evaluate("element => element === document.activeElement", wanted):
            page.keyboard.press("Enter")
            return pressed
    raise AssertionError(f"{name} is not reached by Tab")


@pytest.mark.full
def test_a_newcomer_needs_the_keyboard_only(chromium: Browser, live_kvote: str, seeded: None) -> None:
    tab = tab_for(chromium, live_kvote, theme="light", viewport=WIDE, language="en-GB")
    tab.goto("/")
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("link", name="Skip to the content")).to_be_focused()
    tab.keyboard.press("Enter")
    press_to(tab, "^Chat assistant for 200 users$", role="link")
    expect(tab.locator("#preview")).to_contain_text("Smallest that holds it")
    press_to(tab, "^Size the hardware$", role="button")
    expect(tab.locator("h1")).to_contain_text("carry 200 users", timeout=RUN_LIMIT_MS)
    press_to(tab, "^Open option$", role="link")
    expect(tab.get_by_role("heading", name="Bill of materials")).to_be_visible()
    tab.context.close()
