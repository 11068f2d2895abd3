"""Bodies that cannot be read, or hold another type: field, value and remedy, in the reader's language."""

import pytest
from django.test import Client

from config.accounts.choices import Role
from tests.config.api.calls import caller, visitor

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ('{"kind": "llm_serving",\n "model": }', 'line 2, column 11, where it says "}"'),
        ('{"kind": "llm_serving"', "column 23, before the JSON is complete. Send all of it."),
        ('{"kind": NaN}', "NaN is not JSON. Send a number, or null"),
        ("[" * 200_000, "nested too deeply"),
        (b"\xff\xfe", "Send JSON in UTF-8"),
    ],
)
def test_what_is_not_json_is_named_with_its_place(client: Client, body: str | bytes, words: str) -> None:
    answer = client.post("/api/v1/sizing-runs", body, content_type="application/json")

    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (400, "bad_request")
    assert words in problem["detail"]


def test_the_place_is_named_in_german_too(client: Client) -> None:
    answer = client.post(
        "/api/v1/sizing-runs", '{"a" 1}', content_type="application/json", headers={"accept-language": "de"}
    )

    assert 'Zeile 1, Spalte 6 kein JSON; dort steht "1}"' in answer.json()["detail"]


@pytest.mark.parametrize("body", [5, [1], "text", True, None])
def test_another_type_than_an_object_is_shown_with_the_remedy(body: object) -> None:
    answer = caller(Role.ADMINISTRATOR).send("POST", "tokens", body if body is not None else [None])

    error = answer.json()["errors"][0]
    assert (answer.status_code, error["pointer"], error["code"]) == (422, "", "wrong_type")
    assert "with fields of these names: allowed_networks, days, name, scopes" in error["detail"]


def test_an_inner_object_of_another_type_is_named_by_its_pointer() -> None:
    body = {"kind": "llm_serving", "model": {"id": "x"}, "traffic": 7}

    errors = visitor().post("sizing-runs", body).json()["errors"]

    assert [error["pointer"] for error in errors] == ["/traffic"]
    assert "Send an object in braces here" in errors[0]["detail"]
    assert "This is 7." in errors[0]["detail"]
    german = visitor().post("sizing-runs", body, accept_language="de").json()["errors"][0]["detail"]
    assert "Dies ist 7." in german


def test_forms_are_not_read_where_json_is_asked_for(client: Client) -> None:
    answer = client.post("/api/v1/sizing-runs", {"kind": "llm_serving"})

    assert (answer.status_code, answer.json()["code"]) == (415, "wrong_media_type")
