"""Two people at once: nobody's change is lost unseen, one approval wins, a lock shuts the door."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from threading import Barrier

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from config.accounts.choices import Role
from config.accounts.models import Organisation
from quotes.choices import QuoteState
from quotes.errors import QuoteError
from quotes.models import Approval, Quote, QuoteLine
from quotes.numbering import next_number
from quotes.services import create_quote, edit_line
from quotes.transitions import approve, lock, submit
from tests.quotes.conftest import make_option, make_user
from tests.quotes.test_life import current, fill, settle

pytestmark = pytest.mark.django_db(transaction=True)


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Run the acts in threads that start together; what each returned or raised."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        barrier.wait(timeout=20)
        try:
            return act()
        except (QuoteError, DatabaseError) as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


@pytest.fixture
def firm(transactional_db: None) -> Organisation:
    return Organisation.objects.create(
        name="Ridgeline", street="1 Road", city="Town", country="US", phone="1", contact_email="a@b.example",
        cage_code="9ZZ99", uei="ZZEXAMPLE999", currency="USD",
    )  # fmt: skip


def test_of_two_changes_of_one_line_one_is_told(firm: Organisation) -> None:
    planner = make_user("jordan", firm)
    quote = create_quote(option=make_option(firm), user=planner, organisation=firm)
    line = current(quote).lines.get(number="1.3")
    acts = [
        lambda price=price: edit_line(
            line=QuoteLine.objects.select_related("revision__quote__organisation").get(pk=line.pk),
            changes={"unit_net": Decimal(price)},
            user=planner,
            version=1,
        )
        for price in ("11.00", "12.00")
    ]
    outcomes = at_once(*acts)
    refused = [outcome for outcome in outcomes if isinstance(outcome, QuoteError)]
    assert [error.code for error in refused] == ["quote_line_changed_meanwhile"]
    assert QuoteLine.objects.get(pk=line.pk).unit_net in (Decimal("11.00"), Decimal("12.00"))


def test_of_two_approvals_at_once_one_approves(firm: Organisation) -> None:
    planner = make_user("jordan", firm)
    quote = create_quote(option=make_option(firm), user=planner, organisation=firm)
    submit(quote=quote, user=planner)
    people = [make_user(name, firm, Role.APPROVER) for name in ("taylor", "sam")]
    version = current(quote).version
    outcomes = at_once(
        *[
            lambda user=user: approve(quote=Quote.objects.get(pk=quote.pk), user=user, version=version)
            for user in people
        ]
    )
    assert sum(isinstance(outcome, QuoteError) for outcome in outcomes) == 1
    assert current(quote).state == QuoteState.APPROVED
    assert Approval.objects.filter(revision=current(quote)).count() == 1


def test_two_quotes_made_at_once_get_two_numbers(firm: Organisation) -> None:
    planner = make_user("jordan", firm)
    options = [make_option(firm), make_option(firm)]
    made = at_once(
        *[lambda option=option: create_quote(option=option, user=planner, organisation=firm) for option in options]
    )
    assert {quote.number[-4:] for quote in made if isinstance(quote, Quote)} == {"0001", "0002"}


def test_a_quote_is_locked_once(firm: Organisation) -> None:
    planner, approver = make_user("jordan", firm), make_user("taylor", firm, Role.APPROVER)
    quote = fill(create_quote(option=make_option(firm), user=planner, organisation=firm), planner)
    settle(quote, approver)
    submit(quote=quote, user=planner)
    approve(quote=quote, user=approver, version=current(quote).version)
    outcomes = at_once(
        *[lambda: lock(quote=Quote.objects.select_related("organisation").get(pk=quote.pk), user=approver)] * 2
    )
    assert sum(isinstance(outcome, QuoteError) for outcome in outcomes) == 1
    assert current(quote).state == QuoteState.LOCKED


def test_numbering_does_not_bar_rows_that_name_the_organisation(firm: Organisation) -> None:
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        next_number(firm, 2026)

    assert "FOR NO KEY UPDATE" in queries[0]["sql"]
