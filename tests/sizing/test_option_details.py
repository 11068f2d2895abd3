"""What stands behind an option: failures, hours, swings, what would be sooner. Numbers recomputed from the inputs."""

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from catalog.seed.report import SeedReport
from sizing import option_details
from sizing.pipeline import answer
from sizing.requests import read_request
from tests.sizing import sample_result
from tests.sizing.test_views import done_run

pytestmark = pytest.mark.django_db

DAY = [0.1] * 6 + [0.5, 0.8, 1, 1, 1, 0.9, 0.8, 0.9, 1, 1, 0.9, 0.7, 0.5, 0.4, 0.3, 0.2, 0.1, 0.1]
REQUEST: dict[str, Any] = {
    "kind": "llm_serving",
    "model": {"id": "meta-llama/Llama-3.1-70B-Instruct"},
    "weights_format": "fp8",
    "traffic": {"input_tokens": 1024, "output_tokens": 256, "users": 2000, "load_profile": DAY},
    "deployment": {"accelerator": "nvidia-h100-nvl-94gb", "tensor_parallel": 2, "engine": "vllm"},
    "site": {"electricity_price_per_kwh": 0.25, "pue": 1.4, "volts": 230, "max_power_w": 1000, "rack_units": 84},
    "procurement": {"currency": "USD", "uninterruptible_supply": True, "support_years": 5, "residual_share": 0.1},
    "as_of": "2026-11-30",
}


@pytest.fixture(scope="module")
def found(shipped: SeedReport, django_db_blocker: Any) -> dict[str, Any]:
    with django_db_blocker.unblock():
        option: dict[str, Any] = answer(read_request(REQUEST, today=date(2026, 11, 30)))["options"][0]
        return option


def test_one_server_takes_its_replicas_with_it(found: dict[str, Any]) -> None:
    facts = found["redundancy"]
    left = facts["replicas"] - facts["lost_with_one_server"]
    assert facts["capacity_after_failure"] == pytest.approx(left / facts["replicas"])
    assert facts["survives_failure_at_peak"] == (left >= facts["needed_at_peak"])
    assert facts["missing_for_one_failure"] == max(facts["needed_at_peak"] - left, 0)


def test_replicas_follow_the_hours(found: dict[str, Any]) -> None:
    facts, elasticity = found["redundancy"], found["elasticity"]
    each, peak = facts["replica_requests_per_s"], facts["peak_requests_per_s"]
    needed = [-(-share * peak // each) for share in DAY]
    assert elasticity["replicas_needed"] == [int(number) for number in needed]
    idle = sum(max(facts["replicas"] - number, 0) for number in elasticity["replicas_needed"])
    assert elasticity["idle_share"] == pytest.approx(idle / (24 * facts["replicas"]))
    assert [signal["code"] for signal in elasticity["signals"]] == [
        "cost_signal_queue",
        "cost_signal_in_flight",
        "cost_signal_ttft",
        "cost_signal_free_kv",
    ]


def test_renting_the_peak_is_paid_by_the_hours_above_the_base(found: dict[str, Any]) -> None:
    splits = found["elasticity"]["own_and_rent"]["splits"]
    needed = found["elasticity"]["replicas_needed"]
    for split in splits:
        hours = sum(max(number - split["owned_replicas"], 0) for number in needed) * 365
        assert split["rented_replica_hours"] == hours
    sums = [Decimal(split["per_year"]["amount"]) for split in splits]
    assert sums == sorted(sums)


def test_swings_are_part_of_the_result_widest_first(found: dict[str, Any]) -> None:
    swings = found["cost_sensitivity"]
    widths = [abs(Decimal(swing["high_per_year"]) - Decimal(swing["low_per_year"])) for swing in swings]
    assert widths == sorted(widths, reverse=True)
    assert {"cost_input_write_off", "cost_input_electricity", "cost_input_pue", "cost_input_residual"} <= {
        swing["input"]["code"] for swing in swings
    }
    middle = Decimal(found["cost"]["per_year"]["amount"])
    for swing in swings:
        assert Decimal(swing["low_per_year"]) <= middle + Decimal("0.01") <= Decimal(swing["high_per_year"]) + 1


def test_the_line_after_the_deciding_one_is_named(found: dict[str, Any]) -> None:
    what_if, delivery = found["delivery_what_if"], found["delivery"]
    assert what_if["without_line"]["line"] == delivery["deciding_line"]
    saved = delivery["weeks_p50"] - what_if["without_line"]["weeks_p50"]
    assert what_if["without_line"]["weeks_saved"] == pytest.approx(saved)
    assert delivery["after_parts_weeks"] == 2.0


def test_throughput_for_each_watt_and_unit(found: dict[str, Any]) -> None:
    rate = found["performance"]["output_tokens_per_s_total"]["value"]
    assert found["efficiency"]["per_w"] == pytest.approx(rate / found["power_w"]["value"])
    assert found["efficiency"]["per_rack_unit"] == pytest.approx(rate / found["rack_units"])


def test_requests_reach_the_configurator(found: dict[str, Any]) -> None:
    classes = {line["part_class"] for line in found["bom"]}
    assert {"ups", "pdu", "spares", "power_cord", "rails"} <= classes
    support = next(line for line in found["bom"] if line["reason"]["code"] == "bom_reason_support")
    assert support["reason"]["params"]["years"] == 5
    problem = next(each for each in found["problems"] if each["message"]["code"] == "bom_site_power_short")
    assert problem["remedy"]["code"] == "bom_remedy_power"


def test_the_page_says_it_in_both_languages(client: Client) -> None:
    option = sample_result.option(1) | {
        "redundancy": {"replicas": 3, "spare_replicas": 1, "lost_with_one_server": 1, "capacity_after_failure": 2 / 3,
                       "survives_failure_at_peak": True, "missing_for_one_failure": 0, "needed_at_peak": 2},
    }  # fmt: skip
    rows = option_details.redundancy_rows(option)
    assert rows[0]["text"] == "3 replicas, 1 of them spare (N+1)"
    assert rows[-1]["text"] == "the load is carried with one server out of order (N+1)"
    with translation.override("de"):
        assert option_details.redundancy_rows(option)[2]["text"] == "1 von 3 Repliken steht"
        assert option_details.ways_in_words()[0]["topic"] == "Datenschutz"


def test_an_option_of_an_older_release_has_no_such_parts(client: Client) -> None:
    run = done_run()
    page = client.get(f"{run.get_absolute_url()}options/1/").content.decode()
    assert "No load over the day is stated" in page
    assert option_details.elasticity_view({}) is None
    assert option_details.what_if_view({}) is None
    assert option_details.redundancy_rows({}) == []
