"""Health: alive, and able to work."""

from unittest.mock import patch

import pytest
from django.db import DatabaseError
from django.test import Client
from redis.exceptions import ConnectionError as RedisConnectionError


def test_alive_asks_nothing(client: Client) -> None:
    answer = client.get("/health/live")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok"})


@pytest.mark.django_db
def test_ready_names_each_part(client: Client) -> None:
    answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()) == (200, {"status": "ok", "database": "ok", "broker": "ok"})
    assert "no-cache" in answer["Cache-Control"]


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("part", "failing", "error"),
    [
        ("database", "config.health.MigrationExecutor", DatabaseError("gone")),
        ("broker", "config.health.cache.set", RedisConnectionError("gone")),
    ],
)
def test_a_part_that_fails_is_named(client: Client, part: str, failing: str, error: Exception) -> None:
    with patch(failing, side_effect=error):
        answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["status"], answer.json()[part]) == (503, "failed", "failed")


@pytest.mark.django_db
def test_a_missing_migration_is_not_ready(client: Client) -> None:
    with patch("config.health.MigrationExecutor.migration_plan", return_value=[("sizing", False)]):
        answer = client.get("/health/ready")

    assert (answer.status_code, answer.json()["database"]) == (503, "migrations missing")
