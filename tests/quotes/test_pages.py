"""Quote pages through the client: who sees what, what can be done, how many queries it takes."""

import json
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from config.accounts.choices import Role
from config.accounts.models import Organisation, User
from quotes.choices import QuoteState
from quotes.content import content_of
from quotes.models import Quote, QuoteLine, ShareLink
from quotes.services import add_line, create_quote
from quotes.transitions import approve, lock, revise, submit
from tests.quotes.conftest import make_option, make_user
from tests.quotes.test_life import current, fill, locked, settle

LIST_QUERIES = 8
PAGE_QUERIES = 16


def url(name: str, quote: Quote, *args: Any) -> str:
    return reverse(f"quotes:{name}", args=[quote.public_id, *args])


def test_a_visitor_is_asked_to_sign_in(client: Client, quote: Quote) -> None:
    for address in (reverse("quotes:list"), quote.get_absolute_url(), url("export", quote, 1, "pdf")):
        answer = client.get(address)
        assert answer.status_code == 302
        assert "sign-in" in answer["Location"]


def test_another_organisation_finds_nothing(signed_in: Callable[[User], Client], quote: Quote) -> None:
    stranger = make_user("eve", Organisation.objects.create(name="Other"), Role.ADMINISTRATOR)
    client = signed_in(stranger)
    for name, args in (("quote", ()), ("edit", ()), ("lines", ()), ("revision", (1,)), ("export", (1, "json"))):
        assert client.get(url(name, quote, *args)).status_code == 404, name
    for name, args in (("act", ("submit",)), ("decide", ()), ("add_line", ())):
        assert client.post(url(name, quote, *args), {"reason": "x"}).status_code in (302, 404), name
    assert quote.number not in client.get(reverse("quotes:list")).content.decode()
    assert current(quote).state == QuoteState.DRAFT


def test_an_option_becomes_a_quote_by_one_post(
    signed_in: Callable[[User], Client], organisation: Organisation, planner: User
) -> None:
    option = make_option(organisation)
    answer = signed_in(planner).post(reverse("quotes:create"), {"option": str(option.public_id)})
    quote = Quote.objects.get()
    assert answer["Location"] == quote.get_absolute_url()


def test_a_viewer_can_look_but_not_make_or_change(
    signed_in: Callable[[User], Client], organisation: Organisation, quote: Quote
) -> None:
    client = signed_in(make_user("vera", organisation, Role.VIEWER))
    option = make_option(organisation)
    assert client.post(reverse("quotes:create"), {"option": str(option.public_id)}).status_code == 403
    assert client.get(quote.get_absolute_url()).status_code == 200
    assert client.post(url("act", quote, "submit")).status_code == 403
    assert client.get(url("edit", quote)).status_code == 403


def test_an_option_of_another_organisation_is_not_found(signed_in: Callable[[User], Client], planner: User) -> None:
    option = make_option(Organisation.objects.create(name="Other"))
    answer = signed_in(planner).post(reverse("quotes:create"), {"option": str(option.public_id)})
    assert answer.status_code == 404


def test_a_visitor_comes_back_to_the_option_and_quotes_it(
    signed_in: Callable[[User], Client], client: Client, planner: User
) -> None:
    option = make_option(None)
    data = {"option": str(option.public_id), "run": option.run.secret}
    answer = client.post(reverse("quotes:create"), data)
    assert answer["Location"] == f"{reverse('accounts:sign_in')}?next={option.get_absolute_url()}"
    assert not Quote.objects.exists()
    assert signed_in(planner).post(reverse("quotes:create"), data).status_code == 302
    assert Quote.objects.get().created_by == planner


def test_a_visitors_option_takes_the_secret_of_its_run(signed_in: Callable[[User], Client], planner: User) -> None:
    data = {"option": str(make_option(None).public_id), "run": make_option(None).run.secret}
    assert signed_in(planner).post(reverse("quotes:create"), data).status_code == 404


def test_the_page_says_total_open_lines_and_next_step(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    page = signed_in(planner).get(quote.get_absolute_url()).content.decode().replace("\u00a0", " ")
    assert "$145,827.36 net" in page
    assert "Incomplete: 1 of 9 lines open" in page
    assert "Submit for review" in page
    assert "Line 1.5: price open" in page
    assert "compliant" not in page.lower()


def test_the_page_of_a_long_quote_takes_no_more_queries(
    signed_in: Callable[[User], Client],
    quote: Quote,
    planner: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    client = signed_in(planner)
    client.get(quote.get_absolute_url())
    with django_assert_max_num_queries(PAGE_QUERIES):
        client.get(quote.get_absolute_url())
    for index in range(30):
        fields = {"section": "4", "kind": "base", "description": f"Cable {index}", "quantity": 1}
        if index == 0:
            add_line(revision=current(quote), fields=fields, user=planner)
        else:
            QuoteLine.objects.create(revision=current(quote), position=100 + index, number=f"4.{index + 1}", **fields)
    with django_assert_max_num_queries(PAGE_QUERIES):
        page = client.get(quote.get_absolute_url())
    assert "Cable 29" in page.content.decode()


def test_the_list_takes_the_same_queries_for_many_quotes(
    signed_in: Callable[[User], Client],
    organisation: Organisation,
    planner: User,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for _index in range(4):
        create_quote(option=make_option(organisation), user=planner, organisation=organisation)
    client = signed_in(planner)
    with django_assert_max_num_queries(LIST_QUERIES):
        page = client.get(reverse("quotes:list"))
    assert page.content.decode().count("incomplete: 1 line open") == 4


def test_the_list_prints_money_to_the_cent(signed_in: Callable[[User], Client], quote: Quote, planner: User) -> None:
    page = signed_in(planner).get(reverse("quotes:list")).content.decode()
    assert "$145,827.36<" in page.replace("\n", "")


def test_the_line_editor_words_the_lines_for_its_reader(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    line = current(quote).lines.get(number="1.3")
    line.description_message = {"code": "bom_part_cpu", "params": {"name": "X1"}}
    line.save()
    answer = signed_in(planner).get(url("lines", quote), headers={"accept-language": "de"})
    assert "Prozessor: X1" in answer.content.decode()


def test_the_list_can_be_searched(signed_in: Callable[[User], Client], quote: Quote, planner: User) -> None:
    client = signed_in(planner)
    assert quote.number in client.get(reverse("quotes:list"), {"q": "inference"}).content.decode()
    assert "No quote fits the filter." in client.get(reverse("quotes:list"), {"state": "locked"}).content.decode()


def table_data(quote: Quote, **changes: str) -> dict[str, str]:
    data = {}
    for line in current(quote).lines.all():
        values = {
            "version": line.version,
            "quantity": line.quantity,
            "list_price": line.list_price,
            "discount_pct": line.discount_pct,
            "unit_net": line.unit_net,
            "lead_typical_weeks": line.lead_typical_weeks,
            "origin_raw": line.origin_raw,
            "schedule": line.schedule,
            "unit_cost": line.unit_cost,
        }
        for name, value in values.items():
            data[f"{line.public_id}-{name}"] = "" if value is None else str(value)
    for key, value in changes.items():
        number, _sep, name = key.partition("__")
        line = current(quote).lines.get(number=number.removeprefix("l").replace("_", "."))
        data[f"{line.public_id}-{name}"] = value
    return data


def test_many_lines_are_saved_at_once_and_numbers_read_in_either_style(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    data = table_data(quote, l1_3__unit_net="2.000,50", l1_5__unit_net="120", l2_2__quantity="6")
    assert signed_in(planner).post(url("lines", quote), data).status_code == 302
    lines = {line.number: line for line in current(quote).lines.all()}
    assert (lines["1.3"].unit_net, lines["1.5"].price_state, lines["2.2"].quantity) == (Decimal("2000.50"), "firm", 6)


def test_a_bad_cell_saves_nothing_and_is_named(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    data = table_data(quote, l1_3__unit_net="12", l1_5__unit_net="abc")
    answer = signed_in(planner).post(url("lines", quote), data)
    assert answer.status_code == 422
    assert "Enter a number, for example 1234.56." in answer.content.decode()
    assert current(quote).lines.get(number="1.3").unit_net == Decimal("2180.0000")


def test_a_change_on_an_old_page_is_refused_and_said(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    old = table_data(quote, l1_3__unit_net="12")
    client = signed_in(planner)
    client.post(url("lines", quote), table_data(quote, l1_3__unit_net="13"))
    answer = client.post(url("lines", quote), old)
    assert answer.status_code == 422
    assert "Somebody changed line 1.3" in answer.content.decode()
    assert current(quote).lines.get(number="1.3").unit_net == 13


def test_fields_are_saved_and_stale_ones_refused(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    client = signed_in(planner)
    page = client.get(url("edit", quote))
    form = page.context["form"]
    data = {name: value for name, value in form.initial.items() if value is not None} | {"buyer_name": "Agency"}
    assert client.post(url("edit", quote), data).status_code == 302
    assert Quote.objects.get(pk=quote.pk).buyer_name == "Agency"
    answer = client.post(url("edit", quote), data | {"buyer_name": "Other"})
    assert answer.status_code == 422
    assert Quote.objects.get(pk=quote.pk).buyer_name == "Agency"


def test_a_refused_change_names_the_allowed_next_states(
    signed_in: Callable[[User], Client], quote: Quote, approver: User
) -> None:
    answer = signed_in(approver).post(url("act", quote, "lock"), follow=True)
    assert "Possible next: In review." in answer.content.decode()


def test_a_reason_settles_an_open_item(signed_in: Callable[[User], Client], quote: Quote, planner: User) -> None:
    client = signed_in(planner)
    data = {"about": "price", "line": "1.5", "rule": "", "reason": "Asked from two sources."}
    client.post(url("decide", quote), data)
    page = client.get(quote.get_absolute_url()).content.decode()
    assert "decided by Jordan" in page
    assert current(quote).decisions.get().reason == "Asked from two sources."


def test_a_locked_revision_is_downloaded_with_the_same_bytes_again(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    client = signed_in(planner)
    for name in ("pdf", "xlsx", "csv", "json"):
        first, second = (client.get(url("export", quote, 1, name), {"language": "de"}) for _turn in range(2))
        assert first.status_code == 200
        assert first.content == second.content
        assert "attachment" in first["Content-Disposition"]
        assert "_R1_federal-materials-re_de" in first["Content-Disposition"]
    assert client.get(url("export", quote, 1, "exe")).status_code == 404


def test_a_draft_is_downloaded_marked(signed_in: Callable[[User], Client], quote: Quote, planner: User) -> None:
    answer = signed_in(planner).get(url("export", quote, 1, "json"))
    assert "_DRAFT.json" in answer["Content-Disposition"]
    assert json.loads(answer.content)["check_value"] is None


def test_anybody_can_check_a_value_and_learns_no_price(
    client: Client, quote: Quote, planner: User, approver: User
) -> None:
    value = locked(quote, planner, approver).content_hash
    for asked in (value, value[:12]):
        page = client.get(reverse("quotes:verify_value", args=[asked]))
        assert page.status_code == 200
        text = page.content.decode()
        assert "This content was locked." in text
        assert value in text
        assert "145,827" not in text
        assert "Federal Materials" not in text
    assert client.get(reverse("quotes:verify_value", args=[value[:11]])).status_code == 404
    assert client.get(reverse("quotes:verify_value", args=["0" * 64])).status_code == 404


def upload(client: Client, content: bytes) -> str:
    file = SimpleUploadedFile("quote.json", content, content_type="application/json")
    return client.post(reverse("quotes:verify"), {"file": file}).content.decode()


def test_a_changed_byte_in_the_exported_file_is_found(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    client = signed_in(planner)
    exported = client.get(url("export", quote, 1, "json")).content
    client.logout()
    assert "This content was locked." in upload(client, exported)
    assert "This file is not what was locked." in upload(client, exported.replace(b"68808.00", b"68808.01"))
    assert "This file cannot be read." in upload(client, b"{")


def test_a_draft_has_no_check_value_to_find(client: Client, quote: Quote) -> None:
    page = client.get(reverse("quotes:verify"), {"value": "a" * 64})
    assert page.status_code == 404
    assert "No locked quote has this check value." in page.content.decode()


def test_the_changes_of_a_revision_are_shown(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    revise(quote=Quote.objects.get(pk=quote.pk), user=planner)
    client = signed_in(planner)
    client.post(url("lines", quote), table_data(quote, l1_3__quantity="6"))
    page = client.get(url("changes", quote, 2)).content.decode()
    # two more processors at 2,180.00
    assert "Total +4,360.00, from $145,827.36 to $150,187.36." in page
    assert client.get(url("changes", quote, 1)).status_code == 404


def test_pages_speak_german_without_english_left_over(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    client = signed_in(planner)
    page = client.get(quote.get_absolute_url(), headers={"accept-language": "de"}).content.decode()
    page = page.replace("\u00a0", " ")
    assert "Zur Prüfung geben" in page
    assert "Pos. 1.5: Preis offen" in page
    assert "145.827,36 $" in page
    for english in ("price open", "Lines", "Delivery", "Screening", "Terms", "unknown"):
        assert f">{english}<" not in page, english


def test_the_whole_way_by_buttons(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    fill(quote, planner)
    settle(quote, approver)
    client = signed_in(planner)
    client.post(url("act", quote, "submit"))
    client = signed_in(approver)
    client.post(url("act", quote, "approve"), {"version": current(quote).version})
    client.post(url("act", quote, "lock"))
    assert current(quote).state == QuoteState.LOCKED
    assert current(quote).content["quote"]["verify_base"] == "http://testserver/quotes/verify/"
    client.post(url("act", quote, "accept"))
    assert current(quote).state == QuoteState.ACCEPTED


def share_address(client: Client, quote: Quote) -> str:
    page = client.post(url("share", quote, 1), {"days": 30}, follow=True).content.decode()
    return "/quotes/s/" + page.split("http://testserver/quotes/s/", 1)[1].split("<", 1)[0].strip()


def test_a_share_link_shows_the_locked_quote_to_anybody_and_is_not_indexed(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    address = share_address(signed_in(planner), quote)
    visitor = Client()
    answer = visitor.get(address)
    assert "$145,827.36 net" in answer.content.decode().replace("\u00a0", " ")
    assert answer["X-Robots-Tag"] == "noindex, nofollow"
    assert "Edit lines" not in answer.content.decode()
    assert visitor.get(f"{address}pdf").content.startswith(b"%PDF")
    assert visitor.get("/quotes/s/unknown/").status_code == 404


def test_the_link_of_r1_answers_410_once_r2_is_locked(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    address = share_address(signed_in(planner), quote)
    revise(quote=Quote.objects.get(pk=quote.pk), user=planner)
    assert Client().get(address).status_code == 200
    again = Quote.objects.get(pk=quote.pk)
    settle(again, approver)
    submit(quote=again, user=planner)
    approve(quote=again, user=approver, version=current(again).version)
    lock(quote=again, user=approver)
    answer = Client().get(address)
    assert answer.status_code == 410
    assert "was replaced by R2" in answer.content.decode()


def test_a_draft_cannot_be_shared(signed_in: Callable[[User], Client], quote: Quote, planner: User) -> None:
    signed_in(planner).post(url("share", quote, 1), {"days": 30})
    assert not ShareLink.objects.exists()


def test_a_withdrawn_link_answers_410(
    signed_in: Callable[[User], Client], quote: Quote, planner: User, approver: User
) -> None:
    locked(quote, planner, approver)
    client = signed_in(planner)
    address = share_address(client, quote)
    client.post(url("share_revoke", quote, 1), {"link": ShareLink.objects.get().pk})
    assert Client().get(address).status_code == 410


def test_a_person_records_how_the_configuration_was_validated(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    signed_in(planner).post(url("act", quote, "validate"), {"reason": "24 h burn-in of the same build"})
    assert content_of(current(quote))["configuration_validated"]["how"] == "24 h burn-in of the same build"


def test_cost_and_margin_are_seen_by_roles_that_may_and_never_exported(
    signed_in: Callable[[User], Client], organisation: Organisation, quote: Quote, planner: User
) -> None:
    buyer = make_user("bo", organisation, Role.BUYER)
    client = signed_in(buyer)
    assert client.post(url("lines", quote), table_data(quote, l1_3__unit_cost="2000.77")).status_code == 302
    # 4 x (2,180.00 - 2,000.77) = 716.92 of 8,720.00, 8.2 %
    assert "$716.92, 8.2" in client.get(quote.get_absolute_url()).content.decode().replace("\u00a0", " ")
    assert "2000.77" not in client.get(url("export", quote, 1, "json")).content.decode()
    client = signed_in(planner)
    assert "716.92" not in client.get(quote.get_absolute_url()).content.decode()
    assert "2000.77" not in client.get(url("lines", quote)).content.decode()


def test_a_discount_on_the_whole_becomes_a_line(
    signed_in: Callable[[User], Client], quote: Quote, planner: User
) -> None:
    signed_in(planner).post(url("discount", quote), {"percent": "3"})
    line = current(quote).lines.get(kind="discount")
    # 3 % of 145,827.36 = 4,374.8208
    assert (line.number, line.unit_net, current(quote).total_net) == ("4.1", Decimal("-4374.82"), Decimal("141452.54"))
