"""The platform's own pages in a real browser, under the real policy."""

import re

import pytest
from playwright.sync_api import Page, expect

from config.accounts.services import make_sign_in_link
from tests.factories import PASSWORD, make_membership

pytestmark = pytest.mark.browser


def test_a_link_signs_in_once_and_sign_out_ends_it(page: Page) -> None:
    member = make_membership(role="administrator")
    secret = make_sign_in_link(member.user)

    page.goto(f"/accounts/link/{secret}/")
    page.goto(f"/accounts/link/{secret}/")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("banner").get_by_text(member.organisation.name).first).to_be_visible()

    page.get_by_role("banner").get_by_role("button", name="Sign out").first.click()
    expect(page.get_by_role("banner").get_by_role("link", name="Sign in").first).to_be_visible()
    page.goto(f"/accounts/link/{secret}/")
    expect(page.get_by_role("heading", name="This link cannot be used")).to_be_visible()


def test_a_password_and_the_keyboard_are_enough(page: Page) -> None:
    member = make_membership()

    page.goto("/accounts/sign-in/?next=/accounts/people/")
    page.get_by_label("E-mail address").focus()
    page.keyboard.type(member.user.email)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")

    expect(page).to_have_url(re.compile("/accounts/people/$"))
    expect(page.get_by_role("table")).to_contain_text(member.user.email)


def test_an_error_page_leads_back_to_the_start(page: Page) -> None:
    answer = page.goto("/nowhere")

    assert answer is not None
    assert answer.status == 404
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    expect(page.get_by_role("link", name="To the start page")).to_have_attribute("href", "/")


def test_the_page_of_the_api_works_under_the_policy(page: Page) -> None:
    page.goto("/api/v1/docs/")

    expect(page.locator("#swagger-ui .info .title")).to_contain_text("Kvote")


@pytest.mark.parametrize("name", ["organisation", "people", "tokens", "audit"])
def test_settings_fit_a_narrow_screen(page: Page, name: str) -> None:
    member = make_membership()
    page.goto(f"/accounts/link/{make_sign_in_link(member.user)}/")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.set_viewport_size({"width": 375, "height": 667})

    page.goto(f"/accounts/{name}/")

    assert page.evaluate("document.documentElement.scrollWidth") <= 375
