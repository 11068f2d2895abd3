"""The network between servers, and prefill and decode apart, in the workload form."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from catalog.seed.report import SeedReport
from sizing.forms import field_of, initial_of
from sizing.pipeline import answer
from sizing.requests import read_request
from tests.sizing.test_forms import errors_of, form

FILLED: dict[str, Any] = {
    "network": "infiniband",
    "network_gbit_s_per_accelerator": "200",
    "prefill_instances": "1",
    "decode_instances": "2",
}


def test_what_is_stated_reaches_the_request() -> None:
    typed = form(**FILLED)
    assert typed.is_valid(), typed.errors
    stated = read_request(typed.request_json(), today=date(2026, 11, 30))
    assert (stated["site"]["network"], stated["site"]["network_gbit_s_per_accelerator"]) == ("infiniband", 200)
    assert stated["deployment"]["disaggregated"] == {"prefill_instances": 1, "decode_instances": 2}


def test_nothing_stated_pins_nothing() -> None:
    typed = form()
    assert typed.is_valid(), typed.errors
    assert "deployment" not in typed.request_json()
    assert {"network", "network_gbit_s_per_accelerator"}.isdisjoint(typed.request_json()["site"])


def test_an_earlier_request_fills_the_fields_again() -> None:
    typed = form(**FILLED)
    assert typed.is_valid()
    values = initial_of(typed.request_json())
    again = form(**{name: str(values[name]) for name in FILLED})
    assert again.is_valid(), again.errors
    assert again.request_json() == typed.request_json()


def test_one_number_of_copies_asks_for_the_other() -> None:
    assert "Fill in both" in errors_of(form(prefill_instances="1"), "decode_instances")
    with translation.override("de"):
        assert "beide Anzahlen" in errors_of(form(decode_instances="1"), "prefill_instances")


def test_software_that_keeps_phases_together_is_named_before_the_run() -> None:
    words = errors_of(form(**FILLED, serving_software=["llama-cpp"]), "prefill_instances")
    assert "does not run prefill and decode apart" in words
    assert form(**FILLED, serving_software=["llama-cpp", "vllm"]).is_valid()


def test_problems_of_the_request_lead_to_the_fields() -> None:
    assert field_of("/deployment/disaggregated/decode_instances") == "decode_instances"
    assert field_of("/site/network_gbit_s_per_accelerator") == "network_gbit_s_per_accelerator"


@pytest.mark.django_db
def test_only_the_form_of_language_models_has_them(seeded: SeedReport, client: Client) -> None:
    page = client.get("/workloads/new/", headers={"accept-language": "de"}).content.decode()
    assert all(f'name="{name}"' in page for name in FILLED)
    assert "Kopien für Prefill" in page
    other = client.get("/workloads/vision/new/").content.decode()
    assert not any(f'name="{name}"' in other for name in FILLED)


def test_the_filled_form_is_sized_with_its_phases_apart(seeded: SeedReport) -> None:
    typed = form(**FILLED, model="meta-llama/Llama-3.1-8B-Instruct")
    typed.known_models = {"meta-llama/llama-3.1-8b-instruct": "meta-llama/Llama-3.1-8B-Instruct"}
    assert typed.is_valid(), typed.errors
    found = answer(read_request(typed.request_json(), today=date(2026, 11, 30)))
    (option,) = found["options"]
    assert option["phases"] == {"prefill_instances": 1, "decode_instances": 2}
