"""Every operation of the schema, called by every role."""

import json

import pytest
from django.db import transaction
from drf_spectacular.generators import SchemaGenerator

from tests.config.api.matrix import CALLERS, OPERATIONS
from tests.config.api.world import World, make_world

MEANING = {401: "i", 403: "n", 404: "x"}


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("sizing.services._send", lambda run_id: None)
    return make_world()


def test_every_operation_of_the_schema_has_a_row() -> None:
    schema = SchemaGenerator().get_schema(request=None, public=True)
    found = [operation["operationId"] for item in schema["paths"].values() for operation in item.values()]

    assert sorted(found) == sorted(OPERATIONS)


def test_every_row_has_a_letter_for_every_caller() -> None:
    assert {len(row[0]) for row in OPERATIONS.values()} == {len(CALLERS)}


@pytest.mark.parametrize("name", CALLERS)
def test_each_caller_may_do_what_the_table_says(world: World, name: str) -> None:
    who, column = world.caller(name), CALLERS.index(name)

    expected, found = {}, {}
    for operation, (letters, method, path, body) in OPERATIONS.items():
        filled = body if body is None else json.loads(json.dumps(body).replace("{run}", world.names["run"]))
        with transaction.atomic():  # each call finds the same world
            answer = who.send(method, path.format(**world.names), filled, if_match="*")
            transaction.set_rollback(True)
        assert answer.status_code < 500, (operation, answer.content)
        expected[operation] = letters[column]
        found[operation] = MEANING.get(answer.status_code, "y")

    assert found == expected
