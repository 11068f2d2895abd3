"""Many prices in one request: all or none, or row by row."""

from typing import Any

import pytest

from catalog.models import PriceObservation
from config.accounts.choices import Role
from tests.catalog.rows import make_part
from tests.config.api.calls import Caller, caller

pytestmark = pytest.mark.django_db


@pytest.fixture
def buyer() -> Caller:
    make_part("h100")
    return caller(Role.BUYER)


def price(**changes: Any) -> dict[str, Any]:
    return {
        "part": "h100",
        "supplier": "Rechenwerk",
        "unit_price": "28499.00",
        "currency": "EUR",
        "tax_basis": "excl_vat",
        "kind": "offer",
        "observed_on": "2026-11-30",
    } | changes


def test_all_rows_are_stored_in_their_order(buyer: Caller) -> None:
    rows = [price(min_quantity=count, unit_price=f"{30000 - count}.00") for count in (1, 10, 100)]

    answer = buyer.post("prices/bulk", rows)

    assert answer.status_code == 201
    assert [row["unit_price"] for row in answer.json()["results"]] == ["29999.00", "29990.00", "29900.00"]
    assert PriceObservation.objects.count() == 3


def test_one_bad_row_of_many_leaves_nothing_behind_and_every_bad_one_is_named(buyer: Caller) -> None:
    rows = [price(min_quantity=count + 1) for count in range(20)]
    rows[7], rows[11] = price(part="nothing"), price(unit_price="dear")

    answer = buyer.post("prices/bulk", rows)

    assert answer.status_code == 422
    assert [error["pointer"] for error in answer.json()["errors"]] == ["/7/part", "/11/unit_price"]
    assert not PriceObservation.objects.exists()


def test_partial_stores_the_good_ones_and_answers_each(buyer: Caller) -> None:
    answer = buyer.post("prices/bulk?mode=partial", [price(), price(part="nothing"), 5])

    found = answer.json()["results"]
    assert answer.status_code == 207
    assert [row["status"] for row in found] == [201, 422, 422]
    assert found[1]["errors"][0]["pointer"] == "/part"
    assert found[0]["row"]["unit_price"] == "28499.00"
    assert PriceObservation.objects.count() == 1


@pytest.mark.parametrize("body", [{}, [], "x", [price()] * 501])
def test_the_body_is_an_array_of_1_to_500(buyer: Caller, body: Any) -> None:
    assert buyer.post("prices/bulk", body).json()["errors"][0]["code"] == "wrong_rows"


def test_a_repeated_bulk_is_done_once(buyer: Caller) -> None:
    first, again = (buyer.post("prices/bulk", [price()], idempotency_key="b-1") for _ in range(2))

    assert first.content == again.content
    assert PriceObservation.objects.count() == 1


def test_another_mode_is_refused(buyer: Caller) -> None:
    assert buyer.post("prices/bulk?mode=some", [price()]).status_code == 400
