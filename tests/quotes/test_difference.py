"""The difference of two revisions adds up to the difference of their totals."""

import copy
from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from quotes.difference import difference
from quotes.offline import content_from_option
from tests.quotes import samples


def content(bom: list[dict[str, Any]]) -> dict[str, Any]:
    given = {**samples.option(), "bom": bom, "request": samples.request()}
    return content_from_option(given, language="en", today=date(2026, 11, 30))


def test_equal_contents_have_no_difference() -> None:
    made = content(samples.bom())
    found = difference(made, made)
    assert (found.lines, found.blocks, found.lines_unchanged) == ((), (), 12)


def test_price_quantity_new_and_removed_lines_are_named() -> None:
    bom = copy.deepcopy(samples.bom())
    bom[2]["quantity"] = 6
    bom[7]["unit_price"]["amount"] = "15000.00"
    bom[4]["unit_price"] = samples.money("120.00")
    del bom[9]
    bom.append({"line": "3.9", "description": "Cabling", "quantity": 1, "unit_price": samples.money("90.00")})
    found = difference(content(samples.bom()), content(bom))
    assert {(c.line, c.kind) for c in found.lines} == {
        ("1.3", "quantity"), ("2.1", "price"), ("1.5", "price"), ("3.1", "removed"), ("3.9", "new"),
    }  # fmt: skip
    assert sum(c.amount for c in found.lines if c.amount) == found.net_change


def test_terms_are_compared_outside_the_lines() -> None:
    old, new = content(samples.bom()), content(samples.bom())
    new["terms"]["valid_until"] = "2027-01-15"
    found = difference(old, new)
    assert [(b.block, b.field, b.after) for b in found.blocks] == [("terms", "valid_until", "2027-01-15")]


prices = st.one_of(st.none(), st.decimals(min_value="0", max_value="99999", places=2))


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    changes=st.lists(st.tuples(st.integers(0, 11), prices, st.integers(1, 50)), max_size=8),
    dropped=st.sets(st.sampled_from([0, 1, 2, 4, 5, 7, 8, 9, 10]), max_size=4),
)
def test_amounts_add_up_to_the_difference_of_the_totals(
    changes: list[tuple[int, Decimal | None, int]], dropped: set[int]
) -> None:
    bom = copy.deepcopy(samples.bom())
    for index, price, quantity in changes:
        bom[index]["quantity"] = quantity
        bom[index]["unit_price"] = samples.money(None if price is None else str(price))
    bom = [line for index, line in enumerate(bom) if index not in dropped]
    found = difference(content(samples.bom()), content(bom))
    assert sum((c.amount for c in found.lines if c.amount is not None), Decimal(0)) == found.net_change
