"""`manage.py up` and `down`, as a person runs them: one long story, because each start costs seconds."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from django.conf import settings
from django.core.management.base import CommandError

from config.embedded import Servers
from config.management.commands.up import free_port
from config.processes import birth, is_alive, wait_until_gone
from tests.processes import wait_until

START_LIMIT_S = 120
STOP_LIMIT_S = 20


class Up:
    """A running `manage.py up` with its own data folder, and what it has printed."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.data = data
        self.log = data.with_name(f"up-{len(list(data.parent.glob('up-*')))}.log")
        dropped = {"DATABASE_URL", "REDIS_URL", "SECRET_KEY", "KVOTE_DATA"}
        environment = {name: value for name, value in os.environ.items() if name not in dropped}
        self.environment = environment | {"KVOTE_DATA": str(data), "DEBUG": "1", "LANGUAGE": "en"}
        with self.log.open("wb") as output:
            self.process = subprocess.Popen(
                self.command("up", *arguments),
                env=self.environment,
                cwd=settings.BASE_DIR,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "manage.py", *arguments]

    def run(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            self.command(*arguments),
            env=self.environment,
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            timeout=START_LIMIT_S,
            check=False,
        )

    @property
    def printed(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def wait_for_address(self) -> list[str]:
        """The addresses printed, in order."""
        wait_until(
            lambda: "Logs:" in self.printed or self.process.poll() is not None, limit_s=START_LIMIT_S, what="address"
        )
        assert self.process.poll() is None or "already" in self.printed, self.printed
        return re.findall(r"http://\S+", self.printed)

    def children(self) -> dict[str, int]:
        notes = json.loads((self.data / "up.json").read_text(encoding="utf-8"))
        return {child["name"]: child["pid"] for child in notes["children"]}

    def everybody(self) -> list[int]:
        servers = [int(path.read_text().split("\n")[0]) for path in Servers(self.data).pid_files.values()]
        return [*self.children().values(), *servers]


@pytest.fixture
def data(short_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("DATABASE_URL", "")
    monkeypatch.setenv("REDIS_URL", "")
    folder = short_folder / "data"
    yield folder
    environment = os.environ | {"KVOTE_DATA": str(folder), "DEBUG": "1"}
    subprocess.run([sys.executable, "manage.py", "down"], env=environment, cwd=settings.BASE_DIR, check=True)


def status_of(address: str) -> int:
    try:
        with urlopen(address, timeout=20) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_one_command_starts_everything_survives_and_stops(data: Path) -> None:
    up = Up(data)
    plain, link = up.wait_for_address()[:2]

    # A page, and then the link, which looking at does not use up.
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+", plain)
    assert link.startswith(f"{plain}/accounts/link/")
    assert [status_of(f"{plain}/health/ready"), status_of(link), status_of(link)] == [200, 200, 200]

    # A second start says where the first one is.
    second = Up(data)
    assert second.wait_for_address()[0] == plain
    assert second.process.wait(timeout=30) == 0
    assert "runs already" in second.printed

    # A killed worker comes back.
    worker = up.children()["worker"]
    os.killpg(worker, signal.SIGKILL)
    wait_until(lambda: up.children()["worker"] != worker, limit_s=20, what="new worker")

    # Commands join the servers that run.
    assert "My organisation" in up.run("shell", "-v0", "-c", ORGANISATIONS).stdout

    # What has been brought up to date is not done again until the code changes.
    prepared, log = data / "prepared", data / "logs" / "prepare.log"
    done_once = log.read_bytes()
    assert prepared.exists()

    # After a kill -9 the next start ends what was left and works.
    left = up.everybody()
    os.kill(up.process.pid, signal.SIGKILL)
    up.process.wait()
    assert all(map(is_alive, left))
    again = Up(data)
    assert status_of(again.wait_for_address()[0] + "/health/ready") == 200
    assert "Ended the worker" in again.printed
    assert not set(left) & set(again.children().values())

    # Ctrl-C stops all of it, in seconds.
    everybody = again.everybody()
    os.kill(again.process.pid, signal.SIGINT)
    assert again.process.wait(timeout=STOP_LIMIT_S) == 0
    assert not any(map(is_alive, everybody))
    assert not (data / "up.json").exists()

    # `down` does the same from elsewhere, and may be said twice.
    third = Up(data)
    third.wait_for_address()
    everybody = third.everybody()
    done = third.run("down")
    assert (done.returncode, third.process.wait(timeout=5)) == (0, 0), done.stderr
    assert not any(map(is_alive, everybody))
    assert third.run("down").returncode == 0

    # A command without `up` starts the servers, brings the data up to date and stops them.
    assert log.read_bytes() == done_once
    prepared.unlink()
    alone = third.run(
        "shell", "-v0", "-c", "from catalog.models import Accelerator as A; print(A.objects.count() > 50)"
    )
    assert (alone.stdout, alone.returncode) == ("True\n", 0), alone.stderr
    assert prepared.exists()
    assert not any(
        path.exists() and is_alive(int(path.read_text().split("\n")[0])) for path in Servers(data).pid_files.values()
    )


ORGANISATIONS = "from config.accounts.models import Organisation; print(Organisation.objects.get())"


def test_a_taken_port_is_refused_and_another_one_found() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]

        with pytest.raises(CommandError, match=f"Port {port} is taken"):
            free_port(port, last=port)
        assert free_port(port, last=port + 50) > port


def test_a_process_is_known_by_id_and_start() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        first = birth(child.pid)
        assert first == birth(child.pid) != ""
        child.communicate()
        assert wait_until_gone(child.pid, limit_s=5, child=child)
        assert birth(child.pid) == ""
