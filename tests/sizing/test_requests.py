"""The grammar of a sizing request: what is read, what is refused, and how the refusal reads."""

from datetime import date
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sizing.requests import RequestProblem, read_request

TODAY = date(2026, 11, 30)


def request(**changes: Any) -> dict[str, Any]:
    stated = {
        "kind": "llm_serving",
        "model": {"id": "meta-llama/Llama-3.1-70B-Instruct"},
        "traffic": {"input_tokens": 1024, "output_tokens": 256, "concurrent_requests": 64},
    }
    return stated | changes


def problems(data: Any) -> dict[str, str]:
    with pytest.raises(RequestProblem) as caught:
        read_request(data, today=TODAY)
    return {error.pointer: error.code for error in caught.value.errors}


def test_only_kind_model_and_traffic_are_required() -> None:
    stated = read_request(request(), today=TODAY)
    assert stated["as_of"] == "2026-11-30"
    assert stated["targets"]["ttft_ms"] == {"mean": None, "p50": None, "p95": None, "p99": None}
    assert stated["traffic"]["input_tokens"] == {"mean": 1024.0, "p95": None, "min": None, "max": None}


def test_reading_twice_gives_the_same_request() -> None:
    stated = read_request(request(procurement={"budget": "250000.00", "needed_by": "2027-03-01"}), today=TODAY)
    assert read_request(stated, today=date(2030, 1, 1)) == stated


def test_every_wrong_field_is_named_at_once() -> None:
    data = request(colour="red", targets={"ttft_ms": {"p95": -1}})
    data["traffic"] = {"input_tokens": -5, "output_tokens": "many", "concurrent_requests": 0, "speed": 1}
    assert problems(data) == {
        "/colour": "unknown_field",
        "/targets/ttft_ms/p95": "min_value",
        "/traffic/input_tokens/mean": "min_value",
        "/traffic/output_tokens": "invalid",
        "/traffic/concurrent_requests": "min_value",
        "/traffic/speed": "unknown_field",
    }


@pytest.mark.parametrize("field", ["concurrent_requests", "input_tokens", "output_tokens"])
def test_the_refusal_quotes_the_value(field: str) -> None:
    data = request()
    data["traffic"][field] = -3
    with pytest.raises(RequestProblem) as caught:
        read_request(data, today=TODAY)
    assert "-3" in caught.value.errors[0].detail


@pytest.mark.parametrize(
    "model", [{}, {"id": "a", "shape": {"layers": 1}}, {"config": {}}, {"id": ""}, {"name": "only a name"}]
)
def test_a_model_is_stated_exactly_once(model: dict[str, Any]) -> None:
    assert problems(request(model=model)) == {"/model": "one_of"}


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf"), True, "1e999"])
def test_numbers_that_are_none_are_refused(number: Any) -> None:
    data = request()
    data["traffic"]["concurrent_requests"] = number
    assert "/traffic/concurrent_requests" in problems(data)


def test_the_load_is_stated_exactly_once() -> None:
    data = request()
    data["traffic"]["requests_per_s"] = 3
    assert problems(data) == {"/traffic": "one_of"}
    del data["traffic"]["requests_per_s"], data["traffic"]["concurrent_requests"]
    assert problems(data) == {"/traffic": "one_of"}


def test_a_config_of_many_megabytes_is_refused() -> None:
    assert problems(request(model={"config": {"pad": "x" * 9_000_000}})) == {"/model/config": "too_large"}


def test_a_config_that_no_database_holds_is_refused() -> None:
    nested: dict[str, Any] = {}
    for _ in range(5000):
        nested = {"a": nested}
    for config in ({"a": "\x00"}, {"a": "\ud800"}, nested):
        assert problems(request(model={"config": config})) == {"/model/config": "invalid"}


def test_infinity_in_a_config_becomes_text() -> None:
    stated = read_request(request(model={"config": {"rope": float("inf")}}), today=TODAY)
    assert stated["model"]["config"] == {"rope": "inf"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=10,
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(sorted(read_request(request(), today=TODAY))), json_values)
def test_any_json_in_any_field_is_read_or_refused_by_name(field: str, value: Any) -> None:
    pointers = [f"/{field}"]
    try:
        read_request(request(**{field: value}), today=TODAY)
    except RequestProblem as problem:
        pointers = [error.pointer for error in problem.errors]
    assert all(pointer.startswith(f"/{field}") for pointer in pointers)
