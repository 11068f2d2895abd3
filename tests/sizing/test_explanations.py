"""Every figure of an option opens: value, sum written out, source and date; each link on the pages leads somewhere."""

import re
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from sizing import figures, presentation
from sizing.explanations import explanation
from sizing.presentation import OptionView
from sizing.result_page import result_context
from tests.catalog.rows import make_accelerator, make_part, make_price, make_supplier
from tests.sizing import sample_result
from tests.sizing.test_charts import views
from tests.sizing.test_views import done_run

REQUEST = sample_result.request()


def opened(key: str, option: OptionView | None = None, **kwargs: Any) -> Any:
    return explanation(option or views()[0], REQUEST, key, **kwargs)


def test_the_purchase_is_the_sum_of_its_lines() -> None:
    why = opened("price")
    assert why.title == "Purchase, net"
    assert [(row.label, row.term, row.value) for row in why.rows] == [
        ("1.1 Card 96 GB", "2 × €8,490.00", "€16,980.00"),
        ("1.2 Rail kit", "1", "price open"),
    ]
    assert why.rows[0].url.endswith("?why=price-1.1")
    assert why.total == "€38,420.00"


def test_a_line_opens_supplier_date_currency_and_its_sum() -> None:
    why = opened("price-1.1")
    assert ("Supplier or source", "Price list") in why.facts
    assert ("Seen on", "26\u00a0Nov\u00a02026") in why.facts
    assert why.total == "€16,980.00"
    open_line = opened("price-1.2")
    assert open_line.text == "price open"
    assert open_line.rows == []
    assert opened("price-9.9") is None


def test_delivery_names_the_line_that_decides_and_what_follows_it() -> None:
    why = opened("weeks")
    assert why.rows[0].label == "Likely, p50: 1.1 Card 96 GB"
    assert why.rows[0].value == "7\u00a0wk"
    assert ("Delivered, p50", "18\u00a0Jan\u00a02027") in why.facts
    lead = opened("lead-1.1")
    assert ("Statement that weighs most", "Distributor") in lead.facts
    assert opened("lead-1.2").text == "unknown"


def test_a_year_of_owning_adds_write_off_and_energy() -> None:
    option = views()[0]
    option.data["cost"]["energy_kwh_per_year"] = sample_result.estimate(10_000, unit="kWh")
    option.data["cost"]["energy_per_year"] = sample_result.money("3000.00")
    request = REQUEST | {
        "procurement": REQUEST["procurement"] | {"write_off_years": 4},
        "site": {"electricity_price_per_kwh": 0.3},
    }
    why = explanation(option, request, "per_year")
    assert why is not None
    assert [(row.label, row.term, row.value) for row in why.rows] == [
        ("Purchase, written off", "€38,420.00 / 4 years", "€9,605.00"),
        ("Energy", "10,000\u00a0kWh × €0.30", "€3,000.00"),
    ]


@pytest.mark.parametrize(
    "key", ["ttft-mean", "tpot-p99", "e2e", "kv", "draw", "capacity", "tokens", "per_request", "per_million_tokens"]
)
def test_every_kind_of_figure_opens(key: str) -> None:
    assert opened(key) is not None


RATE = {"basis": "on_demand", "source": "Rate card", "as_of": "2026-11-20", "low": None, "high": None}
RENTED = {
    "kind": "rent", "name": "Cloud", "pricing_model": "on_demand", "region": "eu-1", "allowed": True, "at_least": False,
    "beyond_capacity": False, "per_request": RATE | {"amount": "0.0009", "currency": "EUR"}, "exchange_rate": 0.9,
    "per_year": RATE | {"amount": "31536.00", "currency": "EUR"}, "break_even_months": 16.1,
    "break_even_requests_per_day": 60_000.0,
    "rates": [{"unit": "accelerator_hour", "price": RATE | {"amount": "2.00", "currency": "USD"}, "quantity": 2}],
}  # fmt: skip
API = RENTED | {
    "kind": "api", "name": "Tokens", "allowed": False,
    "rates": [
        {"unit": "million_input_tokens", "price": RATE | {"amount": "0.50", "currency": "USD"}, "quantity": 800},
        {"unit": "million_output_tokens", "price": RATE | {"amount": "1.00", "currency": "USD"}, "quantity": 200},
    ],
}  # fmt: skip


def beside_offers(option: OptionView | None = None) -> OptionView:
    found = option or views()[0]
    found.data["cost"] |= {"against": [RENTED, API], "running_per_year": sample_result.money("2000.00")}
    return found


def test_a_year_of_renting_is_the_listed_hour_times_accelerators_rate_and_hours() -> None:
    why = opened("offer-0-year", beside_offers())
    assert [(row.label, row.term, row.value) for row in why.rows] == [
        ("Accelerators", "", "2"),
        ("One accelerator for an hour, as listed", "×", "$2.00"),
        ("Exchange rate, USD to EUR", "×", "0.9000"),
        ("Hours of a year", "×", "8,760"),
    ]
    assert why.total == "€31,536.00"
    assert ("Seen on", "20\u00a0Nov\u00a02026") in why.facts
    assert why.source == "Rate card"


def test_a_request_to_an_api_is_its_tokens_at_their_listed_price() -> None:
    why = opened("offer-1-request", beside_offers())
    assert [(row.term, row.value) for row in why.rows] == [
        ("800 × $0.50 per million", "$0.40 per 1,000"),
        ("200 × $1.00 per million", "$0.20 per 1,000"),
        ("×", "0.9000"),
    ]
    assert why.total == "€0.90 per 1,000"
    assert why.notes == ["Your limits exclude this offer, so it is never advised."]


def test_both_break_evens_show_the_two_sides_that_meet() -> None:
    months = opened("offer-0-months", beside_offers())
    assert [(row.term, row.value) for row in months.rows] == [
        ("", "€38,420.00"), ("/ (€31,536.00 − €2,000.00)", "€29,536.00"), ("×", "12"),
    ]  # fmt: skip
    assert months.text == "16.1"
    day = opened("offer-0-day", beside_offers())
    assert day.text == "60,000"
    assert day.rows[2].value == "€0.90 per 1,000"


def test_free_memory_is_what_the_parts_leave() -> None:
    option = views()[0]
    why = opened("mem-free", option)
    assert [row.term for row in why.rows] == ["", *["−"] * 4]
    for row in why.rows[1:]:
        assert opened(row.url.partition("?why=")[2], option) is not None


def beside(option: OptionView | None = None) -> OptionView:
    """An option with three replicas, two hours of load, a split, another layout and a sooner part."""
    found = option or views()[0]
    found.data.update({
        "redundancy": {"replicas": 3, "spare_replicas": 0, "lost_with_one_server": 1, "capacity_after_failure": 2 / 3,
                       "needed_at_peak": 3, "survives_failure_at_peak": False, "missing_for_one_failure": 1,
                       "peak_requests_per_s": 5.0, "replica_requests_per_s": 2.0},
        "elasticity": {"replicas_needed": [1, 3], "replicas_idle": [2, 0], "requests_per_s": [1.5, 5.0],
                       "least_replicas": 1, "most_replicas": 3, "idle_share": 1 / 3, "uncovered_hours": 0,
                       "own_and_rent": {"provider": "Cloud", "source": "Rate card", "as_of": "2026-11-20", "splits": [
                           {"owned_replicas": 1, "rented_replica_hours": 8760,
                            "per_year": sample_result.money("25000.00")}]}},
        "neighbours": [{"kind": "tensor", "layout": {"tensor": 2}, "replicas": 1, "ttft_change": None,
                        "tpot_change": -0.25, "capacity_change": 0.5, "accelerators_change": 0, "message": "",
                        "reason": "It needs more memory."}],
        "delivery_what_if": {"without_line": {"line": "1.1", "name": "Card", "weeks_p50": 3.0, "weeks_saved": 2.0},
                             "after_parts_weeks": 1.0, "substitutes": [
            {"name": "Card B", "weeks_p50": 5.0, "weeks_saved": 2.0, "performance_share": 1.1,
             "price_difference": None}]},
    })  # fmt: skip
    return found


def test_what_stands_beside_an_option_is_worked_out_from_its_own_figures() -> None:
    option = beside()
    option.data["cost"]["per_year"] = sample_result.money("30000.00")

    def sums(key: str) -> list[tuple[str, str, str]]:
        return [(row.label, row.term, row.value) for row in opened(key, option).rows]

    assert sums("hour-1") == [
        ("Requests per second", "", "5"), ("One replica carries", "/", "2"), ("Replicas installed", "", "3"),
        ("Idle", "=", "0"),
    ]  # fmt: skip
    assert sums("failure")[-1] == ("Peak load over what a replica carries", "5 / 2", "3")
    assert sums("split-1") == [
        ("Owning, per year", "× 1 / 3", "€10,000.00"),
        ("Rented from Cloud", "8,760\u00a0replica-hours", "€15,000.00"),
    ]
    mean = option.data["performance"]["tpot_ms"]["mean"]["value"]
    assert sums("beside-0")[0] == (
        "Time per output token, mean",
        f"{figures.milliseconds(mean)} × (1 \u221225.0\u00a0%)",
        figures.milliseconds(0.75 * mean),
    )
    assert opened("sooner-0", option).text == figures.weeks(5)
    for gone in ("hour-2", "split-0", "beside-1", "sooner-1", "hour-x"):
        assert opened(gone, option) is None


@pytest.mark.parametrize("key", ["ttft-p42", "kind-nonsense", "price-", "lead", "", "offer-7-year", "offer-x", "mem-x"])
def test_what_is_no_figure_does_not_open(key: str) -> None:
    assert opened(key) is None


@pytest.mark.django_db
def test_every_figure_that_opens_on_the_pages_of_a_result_has_an_explanation(client: Client) -> None:
    run = done_run()
    for option in run.options.all():
        beside(beside_offers(presentation.option_view(option.data, run.request, names={}, run_url="")))
        option.save()
    compared = f"{reverse('sizing:compare')}?option={run.key}.1&option={run.key}.2"
    for address in (run.get_absolute_url(), f"{run.get_absolute_url()}options/1/", compared):
        links = set(re.findall(r'href="([^"]*\?why=[^"]+)"', client.get(address).content.decode()))
        assert len(links) > 15
        for link in links:
            answer = client.get(link, headers={"HX-Request": "true"})
            assert answer.status_code == 200, link
            assert "As of" in answer.content.decode()


@pytest.mark.django_db
def test_a_price_names_the_observation_with_tier_and_rate(client: Client) -> None:
    run = done_run()
    card = make_accelerator(slug="card-96gb")
    part = make_part(slug="card-96gb", accelerator=card, accelerators_in_part=1)
    make_price(
        part, unit_price=Decimal("8490.00"), currency="EUR", min_quantity=1, supplier=make_supplier("Rechenwerk")
    )
    option = run.options.get(rank=1)
    option.data["bom"][0] |= {"part": "card-96gb", "part_class": "gpu"}
    option.save()
    page = client.get(f"{option.get_absolute_url()}?why=price-1.1").content.decode()
    assert f'href="{card.get_absolute_url()}#offers"' in page
    assert "<dt>Quantity tier</dt><dd>from 1</dd>" in page
    assert "Offers that count: 1; age of this one in days: 0." in page
    make_price(part, unit_price=Decimal("100.00"), currency="EUR")
    assert (
        "The catalogue has changed since" in client.get(f"{option.get_absolute_url()}?why=price-1.1").content.decode()
    )


@pytest.mark.django_db
def test_the_table_of_options_opens_its_figures() -> None:
    run = done_run()
    context = result_context(run, {})
    assert context["table"].rows[0].weeks_pair == "7 / 11"
    assert Decimal(context["selected"].price["amount"]) == Decimal("38420.00")
