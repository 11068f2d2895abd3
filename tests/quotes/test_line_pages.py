"""Pages of one line, of files beside a quote and of the organisation's rules; the line table in a browser."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from config.accounts.choices import Role
from config.accounts.models import AuditEvent, Organisation, User
from quotes.models import ApprovalRule, Attachment, Quote, QuoteLine, QuotePolicy
from quotes.services import create_quote, edit_line
from quotes.transitions import approvals_needed
from tests.quotes.conftest import make_option, make_user
from tests.quotes.test_evidence import PDF
from tests.quotes.test_life import current


def line_data(quote: Quote, number: str, **fields: object) -> tuple[str, dict[str, object]]:
    line = current(quote).lines.get(number=number)
    stored = {
        "version": line.version, "section": line.section, "kind": line.kind, "description": line.description,
        "manufacturer": line.manufacturer, "mpn": line.mpn, "category": line.category, "unit": line.unit,
        "pack_size": line.pack_size, "minimum_units": 1, "order_multiple": 1, "eccn": line.eccn, "hts": line.hts,
        "alternative_to": line.alternative_to, "included_in": line.included_in, "section_title": line.section_title,
    }  # fmt: skip
    return reverse("quotes:line", args=[quote.public_id, line.public_id]), {**stored, **fields}


def test_a_line_is_changed_in_full_and_moved(
    signed_in: Callable[[User], Client],
    quote: Quote,
    planner: User,
) -> None:
    client = signed_in(planner)
    address, data = line_data(quote, "1.3", section="2", price_tiers="1: 2.180,00; 10: 1.900,00", gtin="4006381333931")
    assert client.get(address).status_code == 200
    assert client.post(address, data)["Location"] == reverse("quotes:lines", args=[quote.public_id])
    line = current(quote).lines.get(number="2.3")
    assert (line.gtin, line.list_price, len(line.price_tiers)) == ("4006381333931", Decimal("2180.0000"), 2)


@pytest.mark.parametrize(("field", "value"), [("price_tiers", "ten for 5"), ("section", "x"), ("pack_size", "0")])
def test_a_wrong_field_is_shown_with_what_was_typed(
    signed_in: Callable[[User], Client],
    quote: Quote,
    planner: User,
    field: str,
    value: str,
) -> None:
    address, data = line_data(quote, "1.3", **{field: value})
    answer = signed_in(planner).post(address, data)
    assert answer.status_code == 422
    assert f'value="{value}"' in answer.content.decode()


def test_the_last_change_is_taken_back_on_the_page(
    signed_in: Callable[[User], Client],
    quote: Quote,
    planner: User,
) -> None:
    line = current(quote).lines.get(number="1.2")
    edit_line(line=line, changes={"quantity": Decimal(5)}, user=planner, version=line.version)
    client = signed_in(planner)
    page = client.post(reverse("quotes:undo", args=[quote.public_id]), follow=True).content.decode()
    assert "Taken back: lines 1.2." in page
    assert current(quote).lines.get(number="1.2").quantity == 2


def test_a_file_is_attached_shown_downloaded_and_removed(
    signed_in: Callable[[User], Client],
    quote: Quote,
    planner: User,
) -> None:
    client = signed_in(planner)
    sent = {"file": SimpleUploadedFile("../Übersicht 报价.pdf", PDF), "for_buyer": "1"}
    client.post(reverse("quotes:attach", args=[quote.public_id, 1]), sent)
    row = Attachment.objects.get()
    page = client.get(quote.get_absolute_url()).content.decode()
    assert "Übersicht_报价.pdf" in page
    assert row.file.sha256 in page
    kept = client.get(reverse("quotes:attachment", args=[quote.public_id, row.public_id]))
    assert (kept.content, kept["X-Content-Type-Options"]) == (PDF, "nosniff")
    named = "attachment; filename*=utf-8''%C3%9Cbersicht_%E6%8A%A5%E4%BB%B7.pdf"
    assert kept["Content-Disposition"] == named
    stranger = signed_in(make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR))
    assert stranger.get(reverse("quotes:attachment", args=[quote.public_id, row.public_id])).status_code == 404
    signed_in(planner).post(reverse("quotes:detach", args=[quote.public_id, row.public_id]))
    assert not Attachment.objects.exists()


def test_an_administrator_sets_the_rules_and_nobody_else(
    signed_in: Callable[[User], Client],
    organisation: Organisation,
    quote: Quote,
    planner: User,
) -> None:
    assert signed_in(planner).get(reverse("quotes:policy")).status_code == 403
    client = signed_in(make_user("ada", organisation, Role.ADMINISTRATOR))
    assert "{salutation}" in client.get(reverse("quotes:policy")).content.decode()
    assert client.post(reverse("quotes:policy_save"), {"accent_colour": "#ffffff"}).status_code == 422
    client.post(reverse("quotes:policy_save"), {"accent_colour": "#7a1f3d", "intro_en": "Our offer."})
    assert QuotePolicy.objects.get().accent_colour == "#7a1f3d"
    rule = {"currency": "USD", "total_from": "0", "margin_below_pct": "15", "approvals_needed": "2"}
    client.post(reverse("quotes:policy_rule"), rule)
    assert client.post(reverse("quotes:policy_rule"), rule).status_code == 422
    assert AuditEvent.objects.filter(action__in=["quote_policy.change", "approval_rule.add"]).count() == 2
    assert approvals_needed(current(quote)) == 2
    client.post(reverse("quotes:policy_rule_remove", args=[ApprovalRule.objects.get().pk]))
    assert approvals_needed(current(quote)) == 1


def test_a_known_margin_above_the_threshold_needs_one_approval(quote: Quote) -> None:
    ApprovalRule.objects.create(
        organisation=quote.organisation, currency="USD", margin_below_pct=Decimal(15), approvals_needed=3
    )
    assert approvals_needed(current(quote)) == 3
    for line in current(quote).lines.exclude(unit_net=None):
        line.unit_cost = line.unit_net / 2
        line.save()
    assert approvals_needed(current(quote)) == 1


PASTE = """(cell, text) => {
  const data = new DataTransfer();
  data.setData("text/plain", text);
  cell.dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
}"""


def test_rows_are_dragged_and_moved_by_keys_pasted_and_undone(
    page: Page, client: Client, organisation: Organisation
) -> None:
    planner = make_user("jordan", organisation)
    quote = create_quote(option=make_option(organisation), user=planner, organisation=organisation)
    client.force_login(planner)
    session = client.cookies["sessionid"].value
    page.goto("/")
    page.context.add_cookies([{"name": "sessionid", "value": session, "url": page.url}])
    page.goto(reverse("quotes:lines", args=[quote.public_id]))
    numbers = page.locator("#line-editor tbody tr")
    grip = numbers.nth(0).locator(".kv-grip")
    grip.focus()
    page.keyboard.press("Alt+ArrowDown")
    expect(numbers.nth(1)).to_have_attribute("id", "line-1.1")
    expect(page.locator("#line-status")).to_have_text("Line 1.1 is now row 2.")
    numbers.nth(2).locator(".kv-grip").drag_to(numbers.nth(0))
    expect(numbers.nth(0)).to_have_attribute("id", "line-1.3")
    page.locator("#line-undo").click()
    expect(numbers.nth(2)).to_have_attribute("id", "line-1.3")
    quantity = numbers.nth(0).locator("input[data-column=quantity]")
    quantity.fill("7")
    quantity.press("Enter")
    page.locator("#line-undo").click()
    expect(quantity).to_have_value("2")
    last = numbers.last.locator("input[data-column=origin_raw]")
    last.evaluate(PASTE, '"Made in\n""Taiwan"""\tx\r\nlost\r\n')
    expect(last).to_have_value('Made in "Taiwan"')
    expect(page.locator("#line-pasted")).to_contain_text("found no place in the table")
    page.locator("#line-undo").click()
    expect(last).not_to_have_value('Made in "Taiwan"')
    quantity.fill("9")
    page.get_by_role("button", name="Save the lines").click()
    assert list(current(quote).lines.values_list("number", flat=True))[:3] == ["1.2", "1.1", "1.3"]
    assert current(quote).lines.get(number="1.2").quantity == 9


def test_what_somebody_else_saved_meanwhile_is_shown_and_nothing_else_is_in_the_way(
    quote: Quote, planner: User, signed_in: Callable[[User], Client]
) -> None:
    client, address = signed_in(planner), reverse("quotes:lines", args=[quote.public_id])
    first, second = current(quote).lines.order_by("position")[:2]

    def row(line: QuoteLine, quantity: str, version: int) -> dict[str, str]:
        form = client.get(address).context["rows"][line.position - 1]["form"]
        sent = {form.add_prefix(name): form.initial[name] or "" for name in form.fields}
        return sent | {form.add_prefix("quantity"): quantity, form.add_prefix("version"): str(version)}

    assert client.post(address, row(first, "5", 1)).status_code == 302
    assert client.post(address, row(second, "6", 1)).status_code == 302  # the first row was not sent
    refused = client.post(address, row(first, "7", 1))
    assert refused.status_code == 422
    assert "stored meanwhile: 5" in refused.content.decode()
    again = {bound.html_name: bound.value() or "" for bound in refused.context["rows"][0]["form"]}
    assert client.post(address, again).status_code == 302
    assert list(current(quote).lines.order_by("position").values_list("quantity", flat=True)[:2]) == [7, 6]


def test_two_people_fill_different_fields_and_are_told_of_the_same_one(
    quote: Quote, planner: User, signed_in: Callable[[User], Client]
) -> None:
    client, address = signed_in(planner), reverse("quotes:edit", args=[quote.public_id])

    def seen() -> dict[str, str]:
        form = client.get(address).context["form"]
        values = {bound.html_name: bound.value() for bound in form if bound.value() not in (None, False)}
        return values | {bound.html_initial_name: "" if bound.value() is None else bound.value() for bound in form}

    mine, other = seen(), seen()
    assert client.post(address, other | {"buyer_city": "Fairmont"}).status_code == 302
    assert client.post(address, mine | {"buyer_name": "Agency"}).status_code == 302
    refused = client.post(address, mine | {"buyer_city": "Richmond", "valid_until": "2027-01-31"})
    assert refused.status_code == 422
    assert "stored meanwhile: Fairmont" in refused.content.decode()
    form = refused.context["form"]
    again = mine | {"buyer_city": "Richmond", form["buyer_city"].html_initial_name: "Fairmont"}
    assert client.post(address, again).status_code == 302
    quote.refresh_from_db()
    assert (quote.buyer_city, quote.buyer_name) == ("Richmond", "Agency")
