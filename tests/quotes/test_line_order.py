"""Order, sections and undoing: nothing gets lost, and what follows from a change goes back with it."""

from decimal import Decimal

import pytest

from config.accounts.models import User
from quotes import line_order
from quotes.errors import QuoteError, StaleEdit
from quotes.models import Quote, QuoteLine
from quotes.services import LineEdit, edit_line, edit_lines
from tests.quotes.test_life import current


def numbers(quote: Quote) -> list[str]:
    return list(current(quote).lines.values_list("number", flat=True))


def line(quote: Quote, number: str) -> QuoteLine:
    return current(quote).lines.get(number=number)


def prices(quote: Quote) -> list[tuple[object, ...]]:
    return list(current(quote).lines.values_list("number", "list_price", "discount_pct", "unit_net", "price_kind"))


def test_lines_take_the_order_asked_for_within_their_section(quote: Quote, planner: User) -> None:
    ids = {row.number: str(row.public_id) for row in current(quote).lines.all()}
    wanted = ["3.2", "1.2", "1.1", *(number for number in numbers(quote) if number not in ("3.2", "1.2", "1.1"))]
    assert line_order.order_lines(revision=current(quote), wanted=[ids[number] for number in wanted], user=planner)
    assert numbers(quote)[:3] == ["1.2", "1.1", "1.3"]
    assert numbers(quote)[-3:] == ["3.2", "3.1", "3.3"]
    same = [str(row.public_id) for row in current(quote).lines.all()]
    assert not line_order.order_lines(revision=current(quote), wanted=same, user=planner)


def test_an_order_that_misses_a_line_is_stale(quote: Quote, planner: User) -> None:
    ids = [str(row.public_id) for row in current(quote).lines.all()][1:]
    with pytest.raises(StaleEdit):
        line_order.order_lines(revision=current(quote), wanted=ids, user=planner)


def test_a_line_moves_to_another_section_and_its_alternative_follows(quote: Quote, planner: User) -> None:
    moved = line_order.move_to_section(line=line(quote, "1.4"), section="2", user=planner)
    assert moved.number == "2.3"
    assert line(quote, "1.7").alternative_to == "2.3"
    assert numbers(quote)[-6:] == ["2.1", "2.2", "2.3", "3.1", "3.2", "3.3"]


def test_undoing_takes_a_block_back_with_all_that_followed_and_repeats_it(quote: Quote, planner: User) -> None:
    kept = prices(quote)
    edits = [
        LineEdit(line=line(quote, "1.1"), changes={"unit_net": Decimal("8000")}, version=line(quote, "1.1").version),
        LineEdit(line=line(quote, "1.2"), changes={"quantity": Decimal(3)}, version=line(quote, "1.2").version),
    ]
    edit_lines(revision=current(quote), edits=edits, user=planner)
    assert line(quote, "1.1").discount_pct is None
    assert sorted(line_order.undo(revision=current(quote), user=planner)) == ["1.1", "1.2"]
    assert prices(quote) == kept
    assert current(quote).total_net == Decimal("145827.36")
    line_order.undo(revision=current(quote), user=planner)
    assert (line(quote, "1.1").unit_net, line(quote, "1.2").quantity) == (Decimal("8000"), Decimal(3))


def test_only_the_own_and_newest_change_is_taken_back(quote: Quote, planner: User, approver: User) -> None:
    with pytest.raises(QuoteError, match="quote_nothing_to_undo"):
        line_order.undo(revision=current(quote), user=planner)
    row = line(quote, "1.2")
    edit_line(line=row, changes={"quantity": Decimal(3)}, user=planner, version=row.version)
    with pytest.raises(QuoteError, match="quote_nothing_to_undo"):
        line_order.undo(revision=current(quote), user=approver)
