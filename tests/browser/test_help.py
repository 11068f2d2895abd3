"""Help in a real browser: accessible, narrow enough, and its search answers while typing."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_pages import NARROW, open_as, violations

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAGES = ("", "glossary/", "method/", "sources/", "guide/")


@pytest.mark.parametrize("variant", ["light-en", "dark-de"])
def test_help_is_accessible_on_a_narrow_screen(page: Page, live_kvote: str, variant: str) -> None:
    theme, language = variant.split("-")
    page.set_viewport_size(NARROW)
    found: dict[str, object] = {}
    for name in PAGES:
        open_as(page, f"/help/{name}", live_kvote, theme=theme, language=language)
        excess_px = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        found[name] = (excess_px, violations(page))
    assert found == dict.fromkeys(PAGES, (0, []))


def test_search_answers_while_typing(page: Page, live_kvote: str) -> None:
    page.goto("/help/")
    page.get_by_label("Search glossary and formulas").fill("gewichte")
    expect(page.locator("#hits dt").first).to_contain_text("Weights")
