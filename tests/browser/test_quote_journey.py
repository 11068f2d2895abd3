"""From the form to the quote on paper: size, sign in, make the quote, download it three times, compare the totals."""

import json
import re
from decimal import Decimal
from pathlib import Path

import pytest
from django.core.management import call_command
from openpyxl import load_workbook
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from config.accounts.choices import Role
from config.accounts.models import AuditEvent
from quotes.exports.xlsx import HEAD_ROW
from quotes.models import Quote
from tests.factories import PASSWORD, make_membership
from tests.processes import Worker

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
RUN_LIMIT_MS = 120_000


def sized(page: Page) -> None:
    """Fill the form by an example, wait through the progress, stand on the result."""
    page.goto("/")
    page.get_by_role("link", name="Chat assistant for 200 users").click()
    page.get_by_role("button", name="Size the hardware").click()
    expect(page).to_have_url(re.compile(r"/runs/[\w-]{22}/$"))
    expect(page.locator("progress").or_(page.locator("h1", has_text="carry 200 users"))).to_be_visible()
    expect(page.locator("h1")).to_contain_text("carry 200 users", timeout=RUN_LIMIT_MS)


def sign_in(page: Page, email: str) -> None:
    """Fill the sign-in form that the page shows."""
    page.get_by_label("E-mail").fill(email)
    page.get_by_label("Password").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Sign in")).to_have_count(0)


def downloaded(page: Page, kind: str, folder: Path) -> Path:
    """The English export of the quote that the page shows."""
    row = page.get_by_role("row", name=re.compile(f"^{kind} "))
    with page.expect_download() as waiting:
        row.get_by_role("link", name="English").click()
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def sheet_totals(path: Path) -> tuple[Decimal, set[Decimal]]:
    """What the counted lines of the workbook add up to, and the amounts of its sheet of totals."""
    book = load_workbook(path, data_only=True)
    head = [str(cell.value) for cell in book["Lines"][HEAD_ROW + 1]]
    keys = {name: index for index, name in enumerate(head)}
    rows = list(book["Lines"].iter_rows(min_row=HEAD_ROW + 2, values_only=True))
    counted = [row[keys["extended"]] for row in rows if row[keys["counts_in_total"]] == "yes"]
    amounts = [cell for row in book["Totals"].iter_rows(values_only=True) for cell in row]
    money = {Decimal(str(cell)) for cell in amounts if isinstance(cell, int | float)}
    return sum((Decimal(str(amount)) for amount in counted if amount is not None), Decimal(0)), money


def test_a_workload_becomes_a_quote_whose_files_agree(
    page: Page, live_kvote: str, worker: Worker, tmp_path: Path
) -> None:
    call_command("seed", verbosity=0)
    member = make_membership(role=Role.PLANNER)
    sized(page)
    page.get_by_role("link", name="Open option").first.click()
    option = page.url
    page.get_by_role("button", name="Make a quote").first.click()
    sign_in(page, member.user.email)
    expect(page).to_have_url(option)
    page.get_by_role("button", name="Make a quote").first.click()
    expect(page.locator("h1")).to_contain_text("Quotation")
    quote = Quote.objects.get()
    assert quote.organisation == member.organisation
    assert AuditEvent.objects.filter(action="quote.create", object_id=str(quote.public_id)).exists()

    content = json.loads(downloaded(page, "JSON", tmp_path).read_text())["content"]
    net = Decimal(content["totals"]["net"])
    assert net > 0
    assert sum(Decimal(line["extended"]) for line in content["lines"] if line["counts"] and line["extended"]) == net
    lines, totals = sheet_totals(downloaded(page, "XLSX", tmp_path))
    assert lines == net
    assert net in totals
    pages = PdfReader(downloaded(page, "PDF", tmp_path)).pages
    printed = "\n".join(sheet.extract_text() for sheet in pages).replace("\u00a0", " ")
    assert f"{net:,.2f}" in printed
    expect(page.locator("main")).to_contain_text(f"{net:,.2f}")
