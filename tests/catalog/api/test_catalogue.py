"""The catalogue through the API: details, offers, comparison, search, and prices that buyers add."""

from decimal import Decimal
from typing import Any

import pytest

from catalog.models import AiModel, ExchangeRate, LeadTimeObservation, PriceObservation, Supplier
from config.accounts.choices import Role
from tests.catalog.rows import TODAY, make_accelerator, make_lead_time, make_part, make_price
from tests.config.api.calls import caller, visitor

pytestmark = pytest.mark.django_db
PRICE = {
    "part": "h100",
    "supplier": "Rechenwerk",
    "unit_price": "28499.00",
    "currency": "EUR",
    "tax_basis": "excl_vat",
    "kind": "offer",
    "observed_on": "2026-11-30",
}
LEAD = {"part": "h100", "supplier": "Rechenwerk", "state": "lead_time", "weeks_typical": 8, "observed_on": "2026-11-30"}
RATE = {
    "base_currency": "EUR",
    "quote_currency": "USD",
    "rate": "1.14",
    "as_of": "2026-11-30",
    "source_title": "ECB",
}


def test_a_detail_shows_figures_as_numbers_and_unknown_as_null() -> None:
    make_accelerator(l2_cache_mb=None)

    found = visitor().get("accelerators/nvidia-h100-sxm5-80gb").json()

    assert (found["memory_gb"], found["bf16_dense_tflops"], found["l2_cache_mb"]) == (80.0, 989.4, None)
    assert "id" not in found
    assert "seed_key" not in found


def test_the_offer_names_the_price_that_counts_and_why_others_do_not() -> None:
    part = make_part(accelerator=make_accelerator(), accelerators_in_part=1)
    chosen = make_price(part, unit_price=Decimal("28000.5"), observed_on=TODAY)
    make_price(part, kind="estimate_press", unit_price=Decimal(1))
    make_lead_time(part)

    found = visitor().get("accelerators/nvidia-h100-sxm5-80gb/offer?quantity=4").json()

    assert found["price"]["money"]["amount"] == "28000.50"
    assert found["price"]["observation"] == str(chosen.public_id)
    assert found["price"]["rejected"] == {"press_estimate": 1}
    assert found["price"]["reasons"][0]["code"] == "price_chosen"
    assert (found["lead_time"]["weeks_low"], found["lead_time"]["weeks_high"]) == (6.0, 10.0)


@pytest.mark.parametrize("query", ["currency=eur", "currency=EURO", "quantity=0", "quantity=1.5", "qty=3"])
def test_a_senseless_offer_is_refused(query: str) -> None:
    make_accelerator()

    assert visitor().get(f"accelerators/nvidia-h100-sxm5-80gb/offer?{query}").status_code == 400


def test_a_comparison_names_the_fields_that_differ() -> None:
    make_accelerator(slug="a", tdp_w=700.0)
    make_accelerator(slug="b", tdp_w=600.0)

    found = visitor().get("accelerators/compare?slugs=b,a").json()

    assert found["differing"] == ["slug", "tdp_w"]
    assert [row["slug"] for row in found["results"]] == ["b", "a"]
    assert visitor().get("accelerators/compare?slugs=a").status_code == 400
    assert visitor().get("accelerators/compare?slugs=a,unheard").json()["errors"][0]["parameter"] == "slugs"


def test_a_model_is_found_by_its_whole_id() -> None:
    AiModel.objects.create(model_id="acme/open-1b", config={"layers": 2})

    assert visitor().get("models/acme/open-1b").json()["config"] == {"layers": 2}
    assert "config" not in visitor().get("models").json()["results"][0]


def test_search_leads_to_addresses_of_the_api() -> None:
    make_accelerator()

    hit = visitor().get("search?q=h100").json()["results"][0]

    assert (hit["kind"], hit["id"]) == ("accelerator", "nvidia-h100-sxm5-80gb")
    assert visitor().get(hit["href"]).json()["name"] == "H100"
    assert visitor().get("search?q=").status_code == 400


def test_a_buyer_adds_a_price_and_the_older_one_is_closed() -> None:
    part, buyer = make_part(), caller(Role.BUYER)
    assert buyer.member is not None

    first = buyer.post("prices", PRICE | {"observed_on": "2026-11-29"})
    second = buyer.post("prices", PRICE | {"unit_price": "27000"})

    assert (first.status_code, second.status_code) == (201, 201)
    assert second.json()["unit_price"] == "27000.00"
    assert second.json()["own"] is True
    current = buyer.get("prices?part=h100&current=true").json()["results"]
    assert [row["id"] for row in current] == [second.json()["id"]]
    old = PriceObservation.objects.get(public_id=first.json()["id"])
    assert (old.organisation, old.part, old.superseded_by_id is not None) == (buyer.member.organisation, part, True)


@pytest.mark.parametrize(
    ("changes", "pointer", "code"),
    [
        ({"unit_price": "0"}, "", "invalid"),
        ({"unit_price": "dear"}, "/unit_price", "invalid"),
        ({"part": "unheard"}, "/part", "does_not_exist"),
        ({"kind": "gift"}, "/kind", "invalid_choice"),
        ({"observed_on": "30.11.2026"}, "/observed_on", "invalid"),
        ({"prize": 1}, "/prize", "unknown_field"),
    ],
)
def test_a_wrong_price_is_refused_with_its_field(changes: dict[str, Any], pointer: str, code: str) -> None:
    make_part()

    answer = caller(Role.BUYER).post("prices", PRICE | changes)

    assert answer.status_code == 422
    assert (pointer, code) in [(error["pointer"], error["code"]) for error in answer.json()["errors"]]
    assert not PriceObservation.objects.exists()
    assert not Supplier.objects.exists()


def test_a_lead_time_and_an_exchange_rate_are_added_by_buyers() -> None:
    make_part()
    buyer = caller(Role.BUYER)

    lead, rate = buyer.post("lead-times", LEAD), buyer.post("exchange-rates", RATE)

    assert (lead.status_code, lead.json()["weeks_typical"]) == (201, 8.0)
    assert (rate.status_code, rate.json()["rate"]) == (201, "1.14000000")
    assert visitor().get("lead-times").json()["results"] == []
    assert visitor().get("exchange-rates").json()["results"] == []


def test_a_part_of_another_organisation_cannot_be_priced() -> None:
    owner = caller(Role.BUYER)
    assert owner.member is not None
    make_part(organisation=owner.member.organisation)

    assert owner.post("prices", PRICE).status_code == 201
    assert caller(Role.BUYER).post("prices", PRICE).json()["errors"][0]["pointer"] == "/part"


@pytest.mark.parametrize(("path", "body"), [("prices", PRICE), ("lead-times", LEAD), ("exchange-rates", RATE)])
def test_planners_and_visitors_add_nothing(path: str, body: dict[str, Any]) -> None:
    make_part()

    assert caller(Role.PLANNER).post(path, body).status_code == 403
    assert visitor().post(path, body).status_code == 401
    assert not PriceObservation.objects.exists()
    assert not LeadTimeObservation.objects.exists()
    assert not ExchangeRate.objects.exists()
