"""The catalogue in a real browser: filters clicked, accelerators compared, a margin rule added; axe finds nothing."""

from datetime import timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.test_import import sign_in
from tests.browser.test_pages import NARROW, violations
from tests.catalog.rows import TODAY, make_accelerator, make_part, make_price

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_filters_narrow_the_list_and_two_cards_are_compared(page: Page, live_kvote: str) -> None:
    make_accelerator()
    make_accelerator(slug="l4", name="L4", variant="24GB", memory_gb=24.0, form_factor="PCIe")
    make_accelerator(slug="mi300x", vendor="AMD", name="MI300X", variant="", memory_gb=192.0)
    page.goto("/catalog/accelerators/")
    expect(page.get_by_role("status").first).to_contain_text("3 of 3")
    page.get_by_label("Vendor").select_option(label="NVIDIA (2)")
    page.get_by_label("Memory from (GB)").fill("40")
    page.get_by_role("button", name="Filter").click()
    expect(page.get_by_role("status").first).to_contain_text("1 of 3")
    expect(page.get_by_role("link", name="NVIDIA H100 SXM5 80GB")).to_be_visible()
    page.get_by_role("link", name="clear filter").click()
    for name in ("NVIDIA L4 24GB", "AMD MI300X"):
        page.get_by_label(f"Compare {name}").check()
    page.get_by_role("button", name="Compare chosen (up to 6)").click()
    expect(page.get_by_role("columnheader", name="MI300X")).to_be_visible()
    assert violations(page) == []


def test_a_part_plots_its_prices_and_a_rule_is_added(page: Page, live_kvote: str) -> None:
    part = make_part()
    for days in (0, 30, 60):
        make_price(part, observed_on=TODAY - timedelta(days=days))
    sign_in(page, live_kvote)
    page.goto(part.get_absolute_url())
    page.goto("/catalog/prices/")
    page.get_by_label("Added to the cost (%)").fill("12.5")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("cell", name="12.500 %", exact=True)).to_be_visible()
    page.set_viewport_size(NARROW)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert violations(page) == []
