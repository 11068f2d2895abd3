"""The OpenAPI document: committed, complete, and shown to everybody."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.conf import settings
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiYamlRenderer
from drf_spectacular.validation import validate_schema

from tests.config.api.documented import SCHEMA_FILE, schema


@pytest.fixture(scope="module")
def generated() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


def operations(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in document["paths"].items():
        for method, operation in item.items():
            yield method, path, operation


def test_the_committed_schema_is_the_present_one(generated: dict[str, Any]) -> None:
    committed = (Path(settings.BASE_DIR) / SCHEMA_FILE).read_text(encoding="utf-8")

    assert committed == OpenApiYamlRenderer().render(generated, renderer_context={}).decode(), (
        f"Run `manage.py spectacular --file {SCHEMA_FILE}` and look at the difference: within v1 nothing may go."
    )


def test_it_is_valid_openapi_3_1(generated: dict[str, Any]) -> None:
    assert generated["openapi"].startswith("3.1")
    validate_schema(generated)


def test_every_operation_is_described_and_names_its_failures() -> None:
    for method, path, operation in operations(schema()):
        assert operation["operationId"], (method, path)
        assert operation["description"].strip(), (method, path)
        assert operation["responses"].keys() >= {"400", "401", "429"}, (method, path)
        if method == "get":
            assert "304" in operation["responses"], path
        if "requestBody" in operation:
            assert operation["responses"].keys() >= {"413", "415", "422"}, (method, path)


def test_whatever_asks_for_if_match_documents_428_and_412() -> None:
    asking = [
        operation
        for _method, _path, operation in operations(schema())
        if any(parameter["name"] == "If-Match" for parameter in operation.get("parameters", ()))
    ]

    assert len(asking) >= 13
    assert all(operation["responses"].keys() >= {"409", "412", "428"} for operation in asking)


def test_money_is_text_and_durations_are_numbers() -> None:
    price = schema()["components"]["schemas"]["Price"]["properties"]
    lead = schema()["components"]["schemas"]["LeadTime"]["properties"]

    assert price["unit_price"]["type"] == "string"
    assert "number" in lead["weeks_low"]["type"]


@pytest.mark.django_db
def test_the_schema_is_served_in_yaml_and_json(client: Client) -> None:
    served = client.get("/api/v1/schema/")
    as_json = client.get("/api/v1/schema/", headers={"accept": "application/vnd.oai.openapi+json"})

    assert yaml.load(served.content, Loader=yaml.CSafeLoader)["paths"].keys() == schema()["paths"].keys()
    assert json.loads(as_json.content)["openapi"] == "3.1.0"
