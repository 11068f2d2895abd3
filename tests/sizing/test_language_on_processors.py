"""A chat of a small model without accelerators, through the whole pipeline on the shipped catalogue."""

from datetime import date
from typing import Any

import pytest
from django.utils import translation

from catalog.seed.report import SeedReport
from sizing.messages import localised
from sizing.pipeline import answer
from sizing.requests import read_request

TODAY = date(2026, 11, 30)
PROCESSORS = ("amd-epyc", "intel-xeon")


def ask(**changes: Any) -> dict[str, Any]:
    stated = {
        "kind": "llm_serving",
        "model": {"id": "meta-llama/Llama-3.1-8B-Instruct"},
        "weights_format": "gguf_q4_k_m",
        "traffic": {"input_tokens": 512, "output_tokens": 200, "concurrent_requests": 3},
        "targets": {"tpot_ms": {"mean": 150}, "ttft_ms": {"mean": 15000}},
        "as_of": "2026-11-30",
    } | changes
    found: dict[str, Any] = localised(answer(read_request(stated, today=TODAY)))
    return found


def on_processors(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [entry for entry in entries if entry["accelerator"].startswith(PROCESSORS)]


@pytest.fixture(scope="module")
def chat(shipped: SeedReport, django_db_blocker: Any) -> dict[str, Any]:
    """Llama 8B in 4 bits for three requests in flight at 150 ms a token."""
    with django_db_blocker.unblock():
        return ask()


def test_processors_are_offered_beside_accelerators(chat: dict[str, Any]) -> None:
    offered = on_processors(chat["options"])
    assert {option["accelerator"].partition("-")[0] for option in offered} == {"amd", "intel"}
    assert len({option["accelerator"] for option in offered}) == len(offered)
    for option in offered:
        assert option["engine"] == "llama-cpp"
        assert option["verdicts"]["speed"]["state"] == "ok"
        estimate = option["performance"]["tpot_ms"]["mean"]
        assert estimate["high"] == pytest.approx(2 * estimate["value"], rel=0.01)
        assert estimate["value"] < 150
        classes = {line["part_class"] for line in option["bom"]}
        assert {"cpu", "ram"} <= classes
        assert "gpu" not in classes


def test_a_processor_of_open_price_takes_no_role(chat: dict[str, Any]) -> None:
    assert not chat["options"][0]["accelerator"].startswith(PROCESSORS)
    for option in on_processors(chat["options"]):
        if any(line["part_class"] == "cpu" and line["unit_price"] is None for line in option["bom"]):
            assert not option["labels"]


def test_the_memory_bought_holds_what_was_planned(chat: dict[str, Any]) -> None:
    option = on_processors(chat["options"])[0]
    modules = next(line for line in option["bom"] if line["part_class"] == "ram")
    size_gb = next(int(word) for word in modules["description"].split() if word.isdigit())
    assert modules["quantity"] * size_gb >= 12 * 16


def test_it_says_what_an_accelerator_adds(chat: dict[str, Any]) -> None:
    warnings = " ".join(on_processors(chat["options"])[0]["warnings"])
    assert "Processors alone carry the load." in warnings
    assert "ms per output token" in warnings


def test_it_says_so_in_german(shipped: SeedReport, db: None) -> None:
    with translation.override("de"):
        warnings = " ".join(on_processors(ask()["options"])[0]["warnings"])
    assert "Prozessoren allein tragen die Last." in warnings
    assert "ms je Ausgabe-Token" in warnings


def test_a_named_processor_is_answered_alone(shipped: SeedReport, db: None) -> None:
    found = ask(deployment={"accelerator": "amd-epyc-9555", "count": 2, "tensor_parallel": 2})
    (option,) = found["options"]
    assert option["accelerator"] == "amd-epyc-9555"
    assert option["accelerators_total"] == 2
    assert next(line for line in option["bom"] if line["part_class"] == "cpu")["quantity"] == 2


def test_formats_of_accelerators_are_refused_in_words(shipped: SeedReport, db: None) -> None:
    found = ask(weights_format="nvfp4")
    assert not on_processors(found["options"])
    refused = on_processors(found["rejected"])
    assert refused
    assert all("processors" in entry["reason"] for entry in refused)


def test_an_excluded_maker_is_not_offered(shipped: SeedReport, db: None) -> None:
    found = ask(procurement={"excluded_vendors": ["AMD"]})
    assert on_processors(found["options"])
    assert not [each for each in on_processors(found["options"]) if each["accelerator"].startswith("amd")]


def test_classes_of_devices_can_be_allowed(shipped: SeedReport, db: None) -> None:
    found = ask(site={"device_classes": ["processor"]})
    assert found["options"]
    assert on_processors(found["options"]) == found["options"]
    assert "device_class_excluded" in {each["code"] for each in found["rejected"]}
