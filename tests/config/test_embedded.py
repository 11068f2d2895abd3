"""The bundled servers: started once, shared, stopped by the last, recovered after a kill -9."""

import contextlib
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from config.embedded import Servers, main, running, socket_folder
from config.launch import NoServers, major_version, program
from config.processes import is_alive
from tests.processes import wait_until


@pytest.fixture(autouse=True)
def no_addresses(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DATABASE_URL", "REDIS_URL", "POSTGRES_BIN", "VALKEY_BIN"):
        monkeypatch.setenv(name, "")


@pytest.fixture
def data(short_folder: Path) -> Path:
    return short_folder / "data"


def rows(statement: str) -> list[tuple[object, ...]]:
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as link:
        found = link.execute(statement)
        return found.fetchall() if found.description else []


def pids(servers: Servers) -> dict[str, int]:
    return {name: int(path.read_text().split("\n")[0]) for name, path in servers.pid_files.items()}


def gone(numbers: dict[str, int]) -> bool:
    return not any(map(is_alive, numbers.values()))


@contextlib.contextmanager
def another_process(data: Path) -> Iterator[subprocess.Popen[str]]:
    """A process that holds the servers until its input is closed, and says their ids first."""
    script = (
        "import sys; from pathlib import Path; from config.embedded import running\n"
        "with running(Path(sys.argv[1])): print('running', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(data)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        yield process
        if process.poll() is None:
            process.communicate()


def test_both_servers_answer_and_stop_with_the_block(data: Path) -> None:
    with running(data, throwaway=True) as servers:
        numbers = pids(servers)
        assert rows("SELECT 1") == [(1,)]
        assert redis.from_url(os.environ["REDIS_URL"]).ping()

    assert gone(numbers)


def test_rows_outlive_the_servers(data: Path) -> None:
    with running(data):
        rows("CREATE TABLE kept AS SELECT 42 AS answer")
    with running(data):
        assert rows("SELECT answer FROM kept") == [(42,)]


def test_everything_is_private_and_off_the_network(data: Path) -> None:
    with running(data, throwaway=True):
        assert stat.S_IMODE(data.stat().st_mode) == 0o700
        assert stat.S_IMODE((data / "run").stat().st_mode) == 0o700
        assert rows("SHOW listen_addresses") == [("",)]
        assert redis.from_url(os.environ["REDIS_URL"]).config_get("port") == {"port": "0"}


def test_a_second_process_joins_and_leaves_them_running(data: Path) -> None:
    with running(data, throwaway=True) as servers:
        numbers = pids(servers)
        with another_process(data):
            assert pids(servers) == numbers
        assert rows("SELECT 1") == [(1,)]

    assert gone(numbers)


def test_the_servers_outlive_the_process_that_started_them(data: Path) -> None:
    with another_process(data) as first, running(data, throwaway=True) as servers:
        numbers = pids(servers)
        first.communicate()
        assert rows("SELECT 1") == [(1,)]

    assert gone(numbers)


def test_servers_of_a_killed_process_are_joined_and_then_stopped(data: Path) -> None:
    with another_process(data) as other:
        other.send_signal(signal.SIGKILL)
        other.wait()
    with running(data, throwaway=True) as servers:
        numbers = pids(servers)
        assert servers.children == {}
        assert rows("SELECT 1") == [(1,)]

    assert gone(numbers)


def test_after_a_kill_of_everything_the_rows_are_there(data: Path) -> None:
    with another_process(data) as other:
        numbers = pids(Servers(data))
        with psycopg.connect(f"host={data / 'run'} user=kvote dbname=kvote", autocommit=True) as link:
            link.execute("CREATE TABLE kept AS SELECT 42 AS answer")
        for number in (*numbers.values(), other.pid):
            os.kill(number, signal.SIGKILL)
        other.wait()

    with running(data, throwaway=True):
        assert rows("SELECT answer FROM kept") == [(42,)]


def test_killed_servers_are_started_again_under_the_same_address(data: Path) -> None:
    with running(data, throwaway=True) as servers:
        before, address = pids(servers), os.environ["DATABASE_URL"]
        for number in before.values():
            os.kill(number, signal.SIGKILL)
        wait_until(lambda: sorted(servers.revive()) or gone(before), limit_s=10, what="notice of the deaths")
        servers.revive()

        assert rows("SELECT 1") == [(1,)]
        assert os.environ["DATABASE_URL"] == address
        assert not set(pids(servers).values()) & set(before.values())


def test_a_process_id_that_now_belongs_to_somebody_else_does_not_block(data: Path) -> None:
    with running(data, throwaway=True):
        pass
    (data / "postgres" / "postmaster.pid").write_text(f"{os.getpid()}\n")

    with running(data, throwaway=True):
        assert rows("SELECT 1") == [(1,)]


def test_an_interrupted_setup_is_done_again(data: Path) -> None:
    (data / "postgres.new").mkdir(parents=True)
    (data / "postgres.new" / "PG_VERSION").write_text("18\n")

    with running(data, throwaway=True):
        assert rows("SELECT 1") == [(1,)]
    assert not (data / "postgres.new").exists()


def test_a_long_path_gets_its_sockets_elsewhere(short_folder: Path) -> None:
    data = short_folder / ("long" * 30)
    with running(data, throwaway=True):
        assert len(str(socket_folder(data))) < 80
        assert rows("SELECT 1") == [(1,)]
    assert not socket_folder(data).exists()


def test_an_odd_path_works_too(short_folder: Path) -> None:
    with running(short_folder / "Größe & 100 %", throwaway=True):
        assert rows("SELECT 1") == [(1,)]
        assert redis.from_url(os.environ["REDIS_URL"]).ping()


def test_a_given_address_is_left_alone(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql://db.example/mine")

    with running(data, throwaway=True) as servers:
        assert list(servers.pid_files) == ["valkey"]
        assert os.environ["DATABASE_URL"] == "postgresql://db.example/mine"
        assert not (data / "postgres").exists()


def test_a_folder_without_programs_is_named(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTGRES_BIN", str(data))

    with pytest.raises(SystemExit, match=r"POSTGRES_BIN=.*name the folder that holds"):
        program("postgres")


def test_the_users_own_programs_are_taken(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bundled = Path(program("postgres")).parent
    valkey = program("valkey-server")
    monkeypatch.setenv("POSTGRES_BIN", str(bundled))
    monkeypatch.setenv("VALKEY_BIN", valkey)

    assert program("initdb") == str(bundled / "initdb")
    assert program("valkey-server") == valkey


def test_data_of_another_version_is_not_touched(data: Path) -> None:
    with running(data, throwaway=True):
        pass
    (data / "postgres" / "PG_VERSION").write_text("15\n")

    with pytest.raises(NoServers, match=r"was made by Postgres 15, but the program found is \d+: set POSTGRES_BIN"):
        Servers(data).join()


def test_the_version_is_read_from_the_program() -> None:
    assert major_version(program("postgres")) >= 15


def test_a_command_runs_with_servers_of_its_own() -> None:
    check = "import os, psycopg; psycopg.connect(os.environ['DATABASE_URL']).close(); raise SystemExit(7)"

    assert main([sys.executable, "-c", check]) == 7


@pytest.mark.soak
def test_a_hundred_kills_lose_nothing(data: Path) -> None:
    for round_number in range(100):
        with another_process(data) as other:
            numbers = pids(Servers(data))
            with psycopg.connect(f"host={data / 'run'} user=kvote dbname=kvote", autocommit=True) as link:
                link.execute("CREATE TABLE IF NOT EXISTS kept (n int)")
                link.execute("INSERT INTO kept VALUES (%s)", [round_number])
            for number in (*numbers.values(), other.pid):
                os.kill(number, signal.SIGKILL)
            other.wait()

    with running(data):
        assert rows("SELECT count(*) FROM kept") == [(100,)]
