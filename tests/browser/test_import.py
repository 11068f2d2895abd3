"""A buyer imports a price file in a real browser, with and without a worker; no script is needed."""

import re
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Page, expect

from catalog.models import ImportBatch, PriceObservation
from config.accounts.choices import Role
from tests.browser.test_pages import NARROW, violations
from tests.catalog.imports.build import DATA
from tests.factories import make_membership
from tests.processes import Worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
AMBIGUOUS = DATA / "04_cp1252_ambiguous_thousands.csv"


def sign_in(page: Page, live_kvote: str) -> None:
    member = make_membership(role=Role.BUYER)
    client = Client()
    client.force_login(member.user)
    page.context.add_cookies([{"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_kvote}])


@pytest.fixture
def buyer(page: Page, live_kvote: str) -> Page:
    """A tab that is signed in as a buyer and shows the page of imports."""
    sign_in(page, live_kvote)
    page.goto("/")
    page.get_by_role("link", name="Import").first.click()
    return page


def choose(page: Page, file: Any) -> None:
    page.get_by_label("Price file").set_input_files(file)
    page.get_by_label("Supplier", exact=True).fill("Rechenwerk")
    page.get_by_role("button", name="Read the file").click()


def test_a_buyer_answers_the_one_question_stores_and_takes_it_back(buyer: Page) -> None:
    choose(buyer, AMBIGUOUS)
    expect(buyer.get_by_role("heading", name="One question")).to_be_visible()
    assert violations(buyer) == []
    buyer.get_by_role("radio", name="1.234,56").check()
    buyer.get_by_role("button", name="Confirm this reading").click()
    buyer.get_by_role("button", name=re.compile("Store [0-9]+ rows")).first.click()
    expect(buyer.get_by_text("The import is stored. It can be undone as one.")).to_be_visible()
    assert (
        PriceObservation.objects.filter(kind="offer").count() == ImportBatch.objects.get().result["counts"]["accepted"]
    )
    buyer.get_by_role("button", name="Undo").click()
    expect(buyer.get_by_text("Nothing of this file counts any more.")).to_be_visible()
    assert not PriceObservation.objects.exists()


def test_a_large_file_is_read_and_stored_by_the_worker(buyer: Page, worker: Worker) -> None:
    lines = "\n".join(f"NW-{number:05d};Teil {number};{number + 1},50 EUR;6-8 Wochen" for number in range(6_000))
    data = ("Herstellernummer;Bezeichnung;Preis;Lieferzeit\n" + lines).encode()
    choose(buyer, {"name": "large.csv", "mimeType": "text/csv", "buffer": data})
    store = buyer.get_by_role("button", name="Store 6,000 rows").first
    expect(store).to_be_visible(timeout=60_000)
    store.click()
    expect(buyer.get_by_text("Stored on")).to_be_visible(timeout=60_000)
    assert PriceObservation.objects.count() == 6_000


@pytest.mark.parametrize("language", ["en", "de"])
def test_import_pages_fit_a_narrow_screen_and_are_accessible(page: Page, live_kvote: str, language: str) -> None:
    sign_in(page, live_kvote)
    page.context.add_cookies(
        [
            {"name": "kvote_theme", "value": "dark", "url": live_kvote},
            {"name": "kvote_language", "value": language, "url": live_kvote},
        ]
    )
    page.set_viewport_size(NARROW)
    page.goto("/catalog/imports/")
    excess = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert (page.evaluate(excess), violations(page)) == (0, [])
    page.locator("#id_file").set_input_files(AMBIGUOUS)
    page.locator("#id_supplier").fill("Rechenwerk")
    page.locator("form[enctype] button[type=submit]").click()
    expect(page.locator("#question")).to_be_visible()
    page.locator("#columns > summary").click()
    assert (page.evaluate(excess), violations(page)) == (0, [])
