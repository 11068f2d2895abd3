"""Options of one sizing beside a quote, and any two revisions beside each other."""

from collections.abc import Callable
from decimal import Decimal

from django.test import Client
from django.urls import reverse

from config.accounts.choices import Role
from config.accounts.models import Organisation, User
from quotes import options, transitions
from quotes.models import Quote, QuoteRevision
from quotes.services import edit_line
from sizing.models import SizingOption
from tests.quotes import samples
from tests.quotes.conftest import fresh, make_option, make_user
from tests.quotes.test_life import current, locked


def second_option(quote: Quote) -> SizingOption:
    """Another option of the same run: four switches in place of one, and an accelerator less."""
    own = SizingOption.objects.get(public_id=quote.source_option)
    data = fresh(samples.option())
    data["bom"][0]["quantity"] = 7
    data["bom"][4] |= {"unit_price": data["bom"][3]["unit_price"]}
    return SizingOption.objects.create(run=own.run, rank=2, accelerator="norvane-a96p", data=data)


def test_options_are_priced_as_the_quote_is(quote: Quote) -> None:
    other = second_option(quote)
    own, second = options.options_of(quote)
    assert (own.is_own, own.net, own.open_lines) == (True, current(quote).total_net, 1)
    assert (second.public_id, second.rank, second.open_lines) == (other.public_id, 2, 0)
    # One accelerator less at 9,150.00 less 6 %; the rail kit has a price of 588.00 for each of two.
    assert second.net - own.net == Decimal("2") * Decimal("588.00") - Decimal("8601.00")
    assert QuoteRevision.objects.filter(quote=quote).count() == 1


def test_the_page_shows_every_option_and_what_one_would_change(
    quote: Quote, planner: User, signed_in: Callable[[User], Client]
) -> None:
    other = second_option(quote)
    client = signed_in(planner)
    address = reverse("quotes:options", args=[quote.public_id])
    assert address in client.get(quote.get_absolute_url()).content.decode()
    page = client.get(address).content.decode()
    assert page.count("source of this quote") == 1
    chosen = client.get(address, {"option": other.public_id})
    assert {row["line"] for row in chosen.context["rows"]} >= {"1.1", "1.5"}
    assert "With this option" in chosen.content.decode()
    assert client.get(address, {"option": "0" * 8}).status_code == 404
    foreign = make_option(Organisation.objects.create(name="Other"))
    assert client.get(address, {"option": foreign.public_id}).status_code == 404
    assert signed_in(make_user("eve", foreign.run.organisation, Role.BUYER)).get(address).status_code == 404


def test_a_quote_whose_sizing_is_gone_says_so(quote: Quote, planner: User, signed_in: Callable[[User], Client]) -> None:
    SizingOption.objects.get(public_id=quote.source_option).delete()
    client = signed_in(planner)
    address = reverse("quotes:options", args=[quote.public_id])
    assert address not in client.get(quote.get_absolute_url()).content.decode()
    assert "did not come from a sizing" in client.get(address).content.decode()


def test_any_two_revisions_are_compared(
    quote: Quote, planner: User, approver: User, signed_in: Callable[[User], Client]
) -> None:
    for quantity in (3, 4):
        locked(quote, planner, approver)
        transitions.revise(quote=quote, user=planner)
        quote.refresh_from_db()
        line = current(quote).lines.get(number="2.1")
        edit_line(line=line, changes={"quantity": Decimal(quantity)}, user=planner, version=line.version)
    client = signed_in(planner)
    address = reverse("quotes:changes", args=[quote.public_id, 3])
    step, whole = client.get(address), client.get(address, {"from": "1"})
    assert [row["before"] for row in step.context["rows"] if row["line"] == "2.1"] == ["3\u00a0ea"]
    assert [row["before"] for row in whole.context["rows"] if row["line"] == "2.1"] == ["1\u00a0ea"]
    assert whole.context["others"] == [1, 2]
    assert client.get(address, {"from": "3"}).status_code == 404
    assert client.get(address, {"from": "9"}).status_code == 404
