"""The workload form: numbers as people type them, units, and the contract request that results."""

import json
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation

from sizing.examples import EXAMPLES
from sizing.forms import FIELD_OF_POINTER, WorkloadForm, field_of, initial_of
from sizing.numbers import NumberField, read_number
from sizing.requests import FieldProblem, read_request
from tests.sizing import sample_result

MODELS = {"acme/chat-70b": "Acme/Chat-70B"}


def form(files: dict[str, Any] | None = None, **changes: Any) -> WorkloadForm:
    """The form with the least that a person must fill in, and `changes` to it."""
    values = {"model": "acme/chat-70b", "users": "200", "active_share": "25", "input_tokens": "1200"}
    return WorkloadForm(values | {"output_tokens": "350"} | changes, files, known_models=MODELS)


def errors_of(form: WorkloadForm, field: str) -> str:
    form.is_valid()
    return " ".join(str(error) for error in form.errors.get(field, []))


@pytest.mark.parametrize(
    ("text", "sign", "number"),
    [
        ("1200", ".", "1200"),
        ("1,200", ".", "1200"),
        ("1.200", ",", "1200"),
        ("1.200,5", ".", "1200.5"),
        ("1,200.5", ",", "1200.5"),
        ("1.5", ",", "1.5"),
        ("1,5", ".", "1.5"),
        ("1.500", ".", "1.500"),
        ("1,234,567", ",", "1234567"),
        ("1 200,5", ".", "1200.5"),
        ("1'200", ".", "1200"),
        ("−5", ".", "-5"),
    ],
)
def test_both_decimal_styles_are_read(text: str, sign: str, number: str) -> None:
    assert read_number(text, decimal_sign=sign) == Decimal(number)


@pytest.mark.parametrize("text", ["", "abc", "1,2,3", "12,34,567", "--1", "1.2.3,4x"])
def test_text_that_is_no_number_is_refused(text: str) -> None:
    with pytest.raises(InvalidOperation):
        read_number(text, decimal_sign=".")


def test_three_digits_after_a_sign_are_thousands_in_whole_numbers() -> None:
    field = NumberField(low=1, high=10**6, whole=True)
    assert field.clean("1.200") == 1200
    with translation.override("de"):
        assert field.clean("1,200") == 1200


def test_defaults_are_written_in_the_readers_style() -> None:
    field = NumberField(low=0, high=10**6)
    assert field.prepare_value(1200.5) == "1,200.5"
    with translation.override("de"):
        assert field.prepare_value(1200.5) == "1.200,5"


def test_a_complete_form_becomes_the_contract_request() -> None:
    filled = form(
        ttft_s="1,5", tpot_ms="50", power_kw="12.5", rack_units="8", budget="60000", currency="EUR",
        needed_by="15.03.2027", excluded_vendors="Foo, Bar", destination_country="de", weights_format="fp8",
    )  # fmt: skip
    assert filled.is_valid(), filled.errors
    request = filled.request_json()
    assert request["model"] == {"id": "Acme/Chat-70B"}
    assert request["traffic"]["users"] == 200
    assert request["traffic"]["active_share"] == 0.25
    assert request["targets"]["ttft_ms"] == {"p95": 1500}
    assert request["site"]["max_power_w"] == 12_500
    assert request["procurement"] == {
        "buyer_type": None, "currency": "EUR", "budget": "60000.00", "needed_by": "2027-03-15",
        "destination_country": "DE", "excluded_vendors": ["Foo", "Bar"], "on_premises_only": None,
    }  # fmt: skip


def test_the_request_passes_the_grammar_that_the_api_uses() -> None:
    filled = form(budget="1000", max_context_tokens="8192", serving_software=["vllm"])
    assert filled.is_valid(), filled.errors
    assert read_request(filled.request_json(), today=date(2026, 11, 30))["traffic"]["max_context_tokens"] == 8192


def test_only_the_chosen_statement_of_load_is_sent() -> None:
    filled = form(load_by="concurrent", concurrent_requests="64")
    assert filled.is_valid(), filled.errors
    traffic = filled.request_json()["traffic"]
    assert (traffic["concurrent_requests"], traffic["users"], traffic["active_share"]) == (64, None, None)


def test_a_missing_load_is_named_under_its_field() -> None:
    assert "State the load" in errors_of(form(load_by="rate"), "requests_per_s")


def test_a_number_out_of_range_names_both_ends_and_keeps_the_value() -> None:
    filled = form(users="2000000")
    assert errors_of(filled, "users") == "Enter 1 to 1,000,000."
    assert filled["users"].value() == "2000000"


def test_negative_tokens_are_refused_under_the_field() -> None:
    assert "Enter 1 to" in errors_of(form(input_tokens="-5"), "input_tokens")


def test_errors_follow_the_readers_language() -> None:
    with translation.override("de"):
        assert errors_of(form(users="2000000"), "users") == "Geben Sie 1 bis 1.000.000 ein."


def test_an_unknown_model_is_named_with_the_remedy() -> None:
    assert "“acme/nothing” is not in the catalogue" in errors_of(form(model="acme/nothing"), "model")


def test_without_model_and_config_the_model_field_says_so() -> None:
    assert "Choose a model" in errors_of(form(model=""), "model")


def test_a_dropped_config_file_stands_for_the_model() -> None:
    upload = SimpleUploadedFile("config.json", json.dumps({"num_hidden_layers": 4}).encode())
    filled = form({"config_file": upload}, model="", name="Mine")
    assert filled.is_valid(), filled.errors
    assert filled.request_json()["model"] == {"config": {"num_hidden_layers": 4}, "name": "Mine"}


@pytest.mark.parametrize(("content", "words"), [(b"{not json", "not JSON"), (b"[1, 2]", "begins with a brace")])
def test_a_config_that_cannot_be_read_says_why(content: bytes, words: str) -> None:
    assert words in errors_of(form({"config_file": SimpleUploadedFile("config.json", content)}), "config_file")


def test_a_config_of_many_megabytes_is_refused_with_its_size() -> None:
    upload = SimpleUploadedFile("config.json", b"{}" + b" " * 9_000_000)
    assert "9 MB" in errors_of(form({"config_file": upload}), "config_file")


def test_problems_of_the_request_land_under_their_field() -> None:
    filled = form()
    filled.is_valid()
    problems = [
        FieldProblem(pointer="/traffic/input_tokens/mean", code="x", detail="Too long."),
        FieldProblem(pointer="/traffic", code="x", detail="As a whole."),
    ]
    filled.add_problems(problems)
    assert filled.errors["input_tokens"] == ["Too long."]
    assert filled.non_field_errors() == ["As a whole."]


def test_every_pointer_leads_to_a_field_that_exists() -> None:
    assert set(FIELD_OF_POINTER.values()) <= set(WorkloadForm(known_models={}).fields)
    assert field_of("/targets/ttft_ms/p95") == "ttft_s"


def test_an_error_is_tied_to_its_field_for_a_screen_reader() -> None:
    filled = form(users="no")
    filled.is_valid()
    html = str(filled["users"])
    assert 'aria-invalid="true"' in html
    assert "id_users_unit id_users_read id_users_error" in html


def test_an_earlier_request_fills_the_form_again() -> None:
    request = sample_result.request()
    values = initial_of(request)
    again = form(**{key: str(value) for key, value in values.items() if value not in (None, "", [], False)})
    again.known_models = {request["model"]["id"].lower(): request["model"]["id"]}
    assert again.is_valid(), again.errors
    sent = again.request_json()
    assert sent["model"] == request["model"]
    assert sent["traffic"]["active_share"] == request["traffic"]["active_share"]
    assert sent["targets"]["tpot_ms"] == request["targets"]["tpot_ms"]
    assert sent["procurement"]["budget"] == request["procurement"]["budget"]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.key)
def test_each_example_is_a_complete_filled_form(example: Any) -> None:
    model = str(example.values["model"])
    filled = WorkloadForm(dict(example.values), known_models={model.lower(): model})
    assert filled.is_valid(), filled.errors
    assert read_request(filled.request_json(), today=date(2026, 11, 30))["kind"] == "llm_serving"
