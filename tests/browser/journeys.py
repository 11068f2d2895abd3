"""The eight journeys of the product, each from its first page to its aim, by what a person sees and clicks."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

from playwright.sync_api import Page, expect
from pypdf import PdfReader

from config.accounts.choices import Role
from config.accounts.models import Membership, Organisation
from quotes.models import Quote
from quotes.services import create_quote
from tests.catalog.imports.build import DATA
from tests.factories import PASSWORD, make_membership
from tests.processes import wait_until
from tests.quotes.conftest import make_option
from tests.quotes.test_life import current, fill, settle

RUN_LIMIT_MS = 120_000
MOST_INPUTS = 8
RESULT = re.compile(r"/runs/[\w-]{22}/$")
GERMAN_MONEY = re.compile(r"\d{1,3}(\.\d{3})*,\d{2} €")
AMBIGUOUS = DATA / "04_cp1252_ambiguous_thousands.csv"


@dataclass
class Words:
    """What the buttons of the way are called in the reader's language."""

    example: str = "Chat assistant for 200 users"
    size: str = "Size the hardware|Size it"
    carry: str = "carry 200 users"
    option: str = "Open option"
    quote: str = "Make a quote"
    quotation: str = "Quotation"
    email: str = "E-mail"
    password: str = "Password"
    sign_in: str = "Sign in"


ENGLISH = Words()
GERMAN = Words(
    "Chat-Assistent für 200 Nutzer", "Hardware berechnen|Berechnen", "tragen 200 Nutzer", "Option öffnen",
    "Angebot erstellen", "Angebot", "E-Mail", "Passwort", "Anmelden",
)  # fmt: skip


def click_button(tab: Page, name: str) -> None:
    """The first visible button of that name: beside the form, in the head of the page or in the dock."""
    tab.get_by_role("button", name=re.compile(f"^({name})$")).first.click()


def to_result(tab: Page, words: Words = ENGLISH) -> int:
    """From the start page to the result of a real run; the number of inputs it took."""
    tab.goto("/")
    tab.get_by_role("link", name=words.example, exact=True).click()
    click_button(tab, words.size)
    expect(tab).to_have_url(RESULT)
    expect(tab.locator("h1")).to_contain_text(words.carry, timeout=RUN_LIMIT_MS)
    return 2


def to_quote(tab: Page, member: Membership, words: Words) -> None:
    """From the result to a quote; a visitor signs in on the way and comes back."""
    tab.get_by_role("link", name=words.option).first.click()
    click_button(tab, words.quote)
    tab.get_by_label(words.email).fill(member.user.email)
    tab.get_by_label(words.password).fill(PASSWORD)
    tab.get_by_role("main").get_by_role("button", name=words.sign_in).click()
    click_button(tab, words.quote)
    expect(tab.locator("h1")).to_contain_text(words.quotation)


def as_member(tab: Page, role: Role, organisation: Organisation | None = None) -> Membership:
    """A member of that role, signed in by the page for it, in the language of the page."""
    member = make_membership(role=role, organisation=organisation)
    tab.context.clear_cookies(name="sessionid")
    tab.goto("/accounts/sign-in/")
    tab.locator("#id_username").fill(member.user.email)
    tab.locator("#id_password").fill(PASSWORD)
    tab.locator("main button[type=submit]").click()
    expect(tab.locator("main #id_password")).to_have_count(0)
    return member


def pdf_text(tab: Page, language: str) -> str:
    row = tab.get_by_role("row", name=re.compile("^PDF "))
    with tab.expect_download() as waiting:
        row.get_by_role("link", name=language).click()
    pages = PdfReader(BytesIO(waiting.value.path().read_bytes())).pages
    return " ".join(" ".join(page.extract_text() for page in pages).split())


def newcomer_to_first_option(tab: Page) -> None:
    inputs = to_result(tab)
    expect(tab.locator(".kv-verds > li")).to_have_count(8)
    tab.get_by_role("link", name="Open option").first.click()
    expect(tab.get_by_role("heading", name="Bill of materials")).to_be_visible()
    assert inputs + 1 <= MOST_INPUTS


def newcomer_to_pdf(tab: Page) -> None:
    to_result(tab)
    to_quote(tab, make_membership(role=Role.PLANNER), ENGLISH)
    net = Quote.objects.latest("created_at").current_revision.total_net
    printed = pdf_text(tab, "English")
    assert f"{net:,.2f}" in printed
    assert "Test with your own load before buying" in printed


def german_buyer(tab: Page) -> None:
    to_result(tab, GERMAN)
    expect(tab.locator("html")).to_have_attribute("lang", "de")
    seller = Organisation.objects.create(name="Nordlicht", legal_name="Nordlicht IT GmbH", country="DE", currency="EUR")
    to_quote(tab, make_membership(role=Role.PLANNER, organisation=seller), GERMAN)
    tab.get_by_role("link", name="Bearbeiten").last.click()
    tab.get_by_label("Käufer", exact=True).fill("Stadtwerke Beispiel")
    click_button(tab, "Speichern")
    lead = tab.locator(".kv-lead-text")
    expect(lead).to_contain_text("Gültig bis")
    assert re.search(r"\d\d\.\d\d\.\d{4}", lead.inner_text())
    printed = pdf_text(tab, "Deutsch")
    assert GERMAN_MONEY.search(printed)
    for word in ("Angebot", "USt", "Lieferzeit", "Stadtwerke Beispiel"):
        assert word in printed


def reseller() -> Organisation:
    return Organisation.objects.create(
        name="Ridgeline", legal_name="Ridgeline Systems Integration, Inc.", street="1200 Millrace Drive",
        postal_code="22199", city="Fairmont Heights, VA", country="US", phone="+1 703 555 0142",
        contact_email="sales@ridgeline.example", currency="USD", cage_code="9ZZ99", uei="ZZEXAMPLE999",
    )  # fmt: skip


def federal_reseller(tab: Page) -> None:
    seller = reseller()
    member = as_member(tab, Role.PLANNER, seller)
    quote = create_quote(option=make_option(seller), user=member.user, organisation=seller)
    fill(quote, member.user)
    tab.goto(quote.get_absolute_url())
    screening = tab.get_by_role("region", name="Screening").first
    for regime in ("TAA", "889"):
        expect(screening).to_contain_text(regime)
    expect(tab.locator("main")).to_contain_text("TAA-003")  # the switch made in China
    expect(tab.locator(".kv-grade").first).to_be_visible()
    tab.get_by_role("link", name="Edit lines").first.click()
    switch = tab.get_by_role("row", name=re.compile("VT-3200C-F"))
    switch.locator("[name$=-schedule]").fill("open market")
    tab.get_by_role("button", name=re.compile("^Save")).first.click()
    printed = pdf_text(tab, "English")
    for word in ("9ZZ99", "ZZEXAMPLE999", "33411", "TAA", "889"):
        assert word in printed
    assert "open market" in printed.lower()


def buyer_imports(tab: Page) -> None:
    as_member(tab, Role.BUYER)
    tab.goto("/catalog/imports/")
    tab.get_by_label("Price file").set_input_files(AMBIGUOUS)
    tab.get_by_label("Supplier", exact=True).fill("Rechenwerk")
    click_button(tab, "Read the file")
    tab.get_by_role("radio", name="1.234,56").check()
    click_button(tab, "Confirm this reading")
    click_button(tab, "Store [0-9]+ rows")
    expect(tab.get_by_text("The import is stored. It can be undone as one.")).to_be_visible()


def options_compared(tab: Page) -> None:
    to_result(tab)
    boxes = tab.get_by_role("checkbox", name="Compare option")
    boxes.nth(0).check()
    boxes.nth(1).check()
    click_button(tab, "Compare the marked")
    expect(tab.locator(".kv-compare thead th")).to_have_count(2)
    tab.get_by_role("link", name="Differences only").click()
    expect(tab.locator(".kv-compare tr.is-same")).to_have_count(0)


def revised_and_locked(tab: Page) -> None:
    planner = as_member(tab, Role.PLANNER, reseller())
    quote = create_quote(option=make_option(planner.organisation), user=planner.user, organisation=planner.organisation)
    fill(quote, planner.user)
    settle(quote, make_membership(role=Role.APPROVER, organisation=planner.organisation).user)
    tab.goto(quote.get_absolute_url())
    click_button(tab, "Submit for review")
    as_member(tab, Role.APPROVER, planner.organisation)
    tab.goto(quote.get_absolute_url())
    click_button(tab, "Approve")
    click_button(tab, "Lock the revision")
    expect(tab.get_by_text("Check value:").first).to_be_visible()
    as_member(tab, Role.PLANNER, planner.organisation)
    tab.goto(quote.get_absolute_url())
    click_button(tab, "Make R2")
    expect(tab.locator("h1")).to_contain_text("R2")
    assert current(quote).number == 2
    tab.get_by_role("link", name="R1", exact=True).click()
    expect(tab.get_by_text("This is an earlier revision.")).to_be_visible()


def integrator_with_a_token(tab: Page) -> None:
    as_member(tab, Role.ADMINISTRATOR)
    tab.goto("/accounts/tokens/")
    tab.get_by_label("What is it for?").fill("Order system")
    for box in tab.locator("input[name=scopes]").all():
        box.check()
    click_button(tab, "Make a token")
    key = tab.get_by_role("status").locator("code").inner_text()
    bearer = {"Authorization": f"Bearer {key}"}
    ask = tab.request
    body = {
        "kind": "llm_serving", "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
        "traffic": {"input_tokens": 1024, "output_tokens": 256, "users": 200, "active_share": 0.25},
    }  # fmt: skip
    made = ask.post("/api/v1/sizing-runs", data=body, headers=bearer)
    assert made.status == 202, made.text()
    run = made.headers["location"]
    wait_until(lambda: ask.get(run, headers=bearer).json()["state"] == "done", limit_s=RUN_LIMIT_MS / 1000, what="run")
    quote = ask.post("/api/v1/quotes", data={"run": run.rsplit("/", 1)[1], "rank": 1}, headers=bearer)
    assert quote.status == 201, quote.text()
    pdf = ask.get(f"/api/v1/quotes/{quote.json()['id']}/documents/pdf", headers=bearer)
    assert pdf.body().startswith(b"%PDF")
    tab.goto("/accounts/tokens/")
    expect(tab.get_by_role("row", name=re.compile("Order system"))).not_to_contain_text("never")


JOURNEYS: dict[str, Callable[[Page], None]] = {
    "newcomer to first option": newcomer_to_first_option, "newcomer to PDF": newcomer_to_pdf,
    "German buyer": german_buyer, "federal reseller": federal_reseller, "import": buyer_imports,
    "compare": options_compared, "revise and lock": revised_and_locked, "integrator": integrator_with_a_token,
}  # fmt: skip
