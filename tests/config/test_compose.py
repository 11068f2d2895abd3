"""docker-compose.yml: complete, and its commands really run, here against the tests' own servers."""

import http.client
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.db import connection

from config.celery import app
from config.entry import beat_command, web_command, worker_command
from tests.processes import Worker, url_of_database, wait_until

COMPOSE = yaml.safe_load((settings.BASE_DIR / "docker-compose.yml").read_text(encoding="utf-8"))
OURS = ("web", "worker", "beat")


def command_of(name: str) -> list[str]:
    """The service's command, with its program taken from this Python's packages."""
    program, *arguments = COMPOSE["services"][name]["command"]
    return [sys.executable, "-m", program, *arguments]


@contextmanager
def started(command: list[str], log: Path) -> Iterator["subprocess.Popen[bytes]"]:
    environment = os.environ | {
        "DATABASE_URL": url_of_database(str(connection.settings_dict["NAME"])),
        "SECRET_KEY": "x" * 50,
        "DEBUG": "1",
        "LOG_FORMAT": "plain",
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, env=environment, cwd=settings.BASE_DIR, stdout=output, stderr=output, start_new_session=True
        )
    try:
        yield process
        assert process.poll() is None, log.read_text(encoding="utf-8")
    finally:
        if process.poll() is None:
            os.kill(process.pid, signal.SIGTERM)
        assert process.wait(timeout=20) in (0, -signal.SIGTERM), log.read_text(encoding="utf-8")


def test_every_part_is_there() -> None:
    assert set(COMPOSE["services"]) >= {"db", "broker", "web", "worker", "beat", "proxy"}


@pytest.mark.parametrize("name", OURS)
def test_web_worker_and_beat_share_image_and_environment(name: str) -> None:
    first, other = COMPOSE["services"]["web"], COMPOSE["services"][name]

    assert (other["image"], other["build"], other["environment"]) == (
        first["image"],
        first["build"],
        first["environment"],
    )


def test_nothing_starts_before_the_schema_is_there() -> None:
    for name in OURS:
        assert COMPOSE["services"][name]["depends_on"]["prepare"]["condition"] == "service_completed_successfully"


def test_no_password_has_a_default() -> None:
    text = (settings.BASE_DIR / "docker-compose.yml").read_text(encoding="utf-8")

    for name in ("POSTGRES_PASSWORD", "SECRET_KEY"):
        assert set(re.findall(rf"\$\{{{name}([^}}]*)\}}", text)) == {":?set it in .env"}


def test_the_example_names_what_compose_asks_for() -> None:
    text = (settings.BASE_DIR / "docker-compose.yml").read_text(encoding="utf-8")
    asked = set(re.findall(r"\$\{(\w+)", text))
    offered = set(re.findall(r"^(\w+)=", (settings.BASE_DIR / ".env.example").read_text(encoding="utf-8"), re.M))

    assert asked == offered


def test_compose_and_up_run_the_same_programs(tmp_path: Path) -> None:
    local = {
        "web": web_command(address="0.0.0.0", port=8000),
        "worker": worker_command(processes=2),
        "beat": beat_command(tmp_path),
    }
    for name, command in local.items():
        assert command_of(name)[:4] == [word for word in command if word != "--quiet"][:4]
    queues = command_of("worker")[command_of("worker").index("--queues") + 1]
    assert queues == settings.WORKER_QUEUES


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_ready(port: int) -> bool:
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        link.request("GET", "/health/ready", headers={"Host": "localhost"})
        return link.getresponse().status == 200
    except OSError:
        return False
    finally:
        link.close()


@pytest.mark.usefixtures("transactional_db")
def test_the_web_command_answers(tmp_path: Path) -> None:
    port = free_port()
    command = [f"127.0.0.1:{port}" if word == "0.0.0.0:8000" else word for word in command_of("web")]

    with started(command, tmp_path / "web.log"):
        wait_until(lambda: is_ready(port), limit_s=60, what="page")


def tasks_run() -> int:
    """How many tasks the workers have finished so far."""
    found = app.control.inspect(timeout=2).stats() or {}
    return sum(sum(entry.get("total", {}).values()) for entry in found.values())


def test_beat_and_worker_commands_work_together(worker: Worker, tmp_path: Path) -> None:
    worker.stop()
    beat = [str(tmp_path / "beat") if word == "/tmp/beat" else word for word in command_of("beat")]

    with started(command_of("worker"), tmp_path / "worker.log"), started(beat, tmp_path / "beat.log"):
        wait_until(lambda: tasks_run() > 0, limit_s=60, what="task sent by beat and run by the worker")
