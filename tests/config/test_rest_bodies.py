"""Bodies that cannot be read, or hold another type: field, value and remedy, in the reader's language."""

import re
from typing import Any

import pytest
from django.db import transaction
from django.test import Client

from config.accounts.choices import Role
from tests.config.api.calls import Caller, caller, visitor
from tests.config.api.documented import schema
from tests.config.api.matrix import OPERATIONS
from tests.config.api.world import make_world

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


ODD = ["odd value"]  # neither text nor number nor date nor object
FRAMEWORK = re.compile(
    r"^(A valid|Not a valid|Must be|Ensure|Expected|This field (is required|may)|\".*is not a valid)"
)


def properties(operation: str) -> list[str]:
    """The names in the JSON body of an operation; none where it takes no object."""
    found = next(
        each for item in schema()["paths"].values() for each in item.values() if each["operationId"] == operation
    )
    body = found.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    name = body.get("$ref", "").rsplit("/", 1)[-1]
    return list(schema()["components"]["schemas"].get(name, {}).get("properties", {}))


def refusals(who: Caller, path: str, method: str, names: list[str], language: str) -> list[dict[str, Any]]:
    """The entries of the answer to a body in which every field holds an odd value."""
    with transaction.atomic():
        answer = who.send(method, path, dict.fromkeys(names, ODD), if_match="*", accept_language=language)
        transaction.set_rollback(True)
    entries: list[dict[str, Any]] = answer.json().get("errors", []) if answer.status_code == 422 else []
    return entries


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_wrong_field_of_every_body_is_named_with_value_and_remedy(language: str) -> None:
    world = make_world()
    who = world.caller(Role.ADMINISTRATOR)
    seen = 0
    for operation, (_letters, method, path, _body) in OPERATIONS.items():
        names = properties(operation) if method != "GET" else []
        for entry in refusals(who, path.format(**world.names), method, names, language) if names else ():
            detail = entry["detail"]
            assert ("odd value" in detail) != entry["pointer"].endswith("token"), (operation, entry)
            assert not FRAMEWORK.match(detail), (operation, entry)
            assert "Give " not in detail or language == "en", (operation, entry)
            seen += 1

    assert seen > 120


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("unit_price", "cheap", 'a number with at most 6 decimal places of at most 999999999999. Given: "cheap".'),
        ("min_quantity", 0, "Give a whole number from 1 to 2000000000. Given: 0."),
        ("min_quantity", None, "Give a whole number from 1 to 2000000000. Given: null."),
        ("kind", "gift", "Give one of own, contract, offer, street, list"),
        ("observed_on", "30.11.2026", 'Give a date such as 2026-11-30. Given: "30.11.2026".'),
        ("source_url", "example", 'Give a whole address such as https://example.org/kvote. Given: "example".'),
        ("notes", ["x"], 'Give text of at most 5000 characters. Given: ["x"].'),
        ("part", "nothing", 'No part has this slug. Given: "nothing".'),
    ],
)
def test_a_refused_value_stands_beside_what_is_wanted(field: str, value: object, words: str) -> None:
    body = {
        "part": "p", "supplier": "s", "unit_price": "1", "currency": "EUR", "tax_basis": "excl_vat", "kind": "offer",
        "observed_on": "2026-11-30",
    }  # fmt: skip

    (error,) = caller(Role.BUYER).post("prices", body | {field: value}).json()["errors"]

    assert error["pointer"] == f"/{field}"
    assert words in error["detail"]


def test_a_missing_field_says_what_belongs_there() -> None:
    errors = caller(Role.BUYER).post("prices", {}, accept_language="de").json()["errors"]

    details = {error["pointer"]: error["detail"] for error in errors}
    assert details["/observed_on"] == "Dieses Feld fehlt. Geben Sie ein Datum wie 2026-11-30 an."
    assert details["/supplier"] == "Dieses Feld fehlt. Geben Sie einen Text mit höchstens 100 Zeichen an."


def test_a_refused_parameter_is_shown_and_a_secret_is_not() -> None:
    parameter = visitor().get("prices?min_quantity__gte=dear").json()["errors"][0]
    secret = visitor().post("model-facts", {"hub": "acme/small", "hub_token": ["hf_secret"]})

    assert parameter["parameter"] == "min_quantity__gte"
    assert 'Given: "dear".' in parameter["detail"]
    assert secret.status_code == 422
    assert "hf_secret" not in secret.content.decode()


@pytest.mark.parametrize("body", ['{"name": "\\ud800"}', '{"\\ud800": 1}', '["\\ud800"]'])
def test_half_a_character_is_answered_in_words(body: str) -> None:
    who = caller(Role.ADMINISTRATOR)
    headers = {"authorization": f"Bearer {who.key}"}

    answer = who.client.post("/api/v1/tokens", body, content_type="application/json", headers=headers)

    assert answer.status_code == 422
    assert "\\ud800" in answer.content.decode()
