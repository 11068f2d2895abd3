"""Calls made up from the schema: no fault, no status and no body that is not documented, signed in and not."""

import itertools
import os
from collections.abc import Callable
from typing import Any

import pytest
import requests
import schemathesis
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from rest_framework.settings import api_settings
from schemathesis import checks
from schemathesis.core.transport import Response

from config.accounts.choices import Role
from tests.config.api.calls import Caller, caller
from tests.config.api.documented import schema
from tests.config.api.world import World, make_world

CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
QUICK = {"visitor": 2, "administrator": 3}  # calls of each operation in `make test`: more than 500 in all
FULL = {"visitor": 50, "administrator": 100}  # more than 10,000 calls in all


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("sizing.services._send", lambda run_id: None)
    monkeypatch.setattr(api_settings, "DEFAULT_THROTTLE_RATES", {"anon": "1000000/min", "user": "1000000/min"})
    return make_world()


@pytest.mark.parametrize("name", ["visitor", "administrator"])
def test_no_made_up_call_finds_a_fault(world: World, name: str) -> None:
    who = caller(Role.ADMINISTRATOR, organisation=world.organisation) if name == "administrator" else Caller()
    calls = (FULL if os.environ.get("KVOTE_TESTS") == "full" else QUICK)[name]
    tried = 0

    for operation in made_up():
        tried += fuzz(operation, who, world, calls)

    assert tried >= calls * len(list(made_up())) * 0.9


def made_up() -> list[Any]:
    loaded = schemathesis.openapi.from_dict(schema())
    return [found.ok() for found in loaded.get_all_operations()]


def fuzz(operation: Any, who: Caller, world: World, calls: int) -> int:
    """Every second call names rows that exist, so that more than 404 is seen. Returns how many calls were made."""
    real = known_rows(operation.path, world)
    turns = itertools.count()
    headers = {"Authorization": f"Bearer {who.key}"} if who.key else {}

    @settings(
        max_examples=calls,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(case=operation.as_strategy())
    def run(case: Any) -> None:
        if next(turns) % 2:
            case.path_parameters = {**(case.path_parameters or {}), **real}
            case.headers = {**(case.headers or {}), "If-Match": "*"}
        with transaction.atomic():
            response = sent(case, headers, who)
            transaction.set_rollback(True)
        case.validate_response(response, checks=CHECKS, headers=headers)

    call: Callable[[], None] = run
    call()
    return next(turns)


def sent(case: Any, headers: dict[str, str], who: Caller) -> Response:
    """The answer of Kvote, asked in this process, as schemathesis reads one."""
    prepared = requests.Request(**case.as_transport_kwargs(base_url="http://localhost", headers=headers)).prepare()
    body = prepared.body or b""
    answer = who.client.generic(
        str(prepared.method),
        str(prepared.path_url),
        body.encode() if isinstance(body, str) else body,
        content_type=prepared.headers.get("Content-Type", ""),
        headers={name: str(value) for name, value in prepared.headers.items() if name != "Content-Type"},
    )
    return Response(
        status_code=answer.status_code,
        headers={name.lower(): [value] for name, value in answer.headers.items()},
        content=answer.content,
        request=prepared,
        elapsed=0.0,
        verify=False,
    )


def known_rows(path: str, world: World) -> dict[str, Any]:
    """Values for the variables of the path that name rows of the world."""
    names = world.names
    kinds = {"quotes": "quote", "prices": "price", "lead-times": "lead_time", "organisations": "organisation"}
    kinds["webhooks"] = "webhook"
    plural = path.removeprefix("/api/v1/").partition("/")[0]
    values: dict[str, Any] = {"key": names["run"], "model_id": "acme/small", "name": "csv", "number": 1, "rank": 1}
    if "lines/{number}" in path:
        values["number"] = "1.1"
    values["public_id"] = names[kinds[plural]] if plural in kinds else names["token"]
    values["delivery_id"] = names["delivery"]
    slugs = {"accelerators": names["accelerator"], "parts": names["part"], "storage-formats": "fp8"}
    values["slug"] = slugs.get(plural, plural.rstrip("s") if plural != "software" else plural)
    return {name: value for name, value in values.items() if f"{{{name}}}" in path}
