"""The bundled Postgres and Valkey, for when DATABASE_URL or REDIS_URL is unset.

Whoever needs the servers enters `running()`: it starts what does not run yet, sets the two
variables and takes a shared lock; the last one to leave stops them. Nothing else in the code
knows. Only the programs of the two packages are used, never their Python parts.
"""

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

from config.env import env_secret, keep_secret
from config.launch import ADVICE, Launch, NoServers, major_version, postgres_launch, program
from config.processes import command_of, is_alive, wait_until_gone

START_LIMIT_S = 30
STOP_LIMIT_S = 15
ATTEMPTS = 5
# A unix socket path holds about 107 bytes; Postgres adds "/.s.PGSQL.5432.lock".
LONGEST_FOLDER = 80
current: "Servers | None" = None
FOR_TESTS = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "synchronous_commit=off")


@contextlib.contextmanager
def running(data: Path, *, throwaway: bool = False) -> Iterator["Servers"]:
    """Postgres and Valkey for the duration of the block, with the environment pointing at them.

    `throwaway` trades safety for speed and is for tests only. Raises NoServers.
    """
    global current  # noqa: PLW0603 - one set of servers in a process
    current = servers = Servers(data, throwaway=throwaway)
    servers.join()
    try:
        yield servers
    finally:
        current = None
        servers.leave()


class Servers:
    """The two servers of one data folder, whoever started them."""

    def __init__(self, data: Path, *, throwaway: bool = False) -> None:
        self.data = data.absolute()
        self.needs_database = not env_secret("DATABASE_URL")
        self.needs_broker = not env_secret("REDIS_URL")
        self.options = FOR_TESTS if throwaway else ()
        self.children: dict[str, subprocess.Popen[bytes]] = {}
        self.run = socket_folder(self.data)
        self.pid_files: dict[str, Path] = {}
        if self.needs_database:
            self.pid_files["postgres"] = self.data / "postgres" / "postmaster.pid"
        if self.needs_broker:
            self.pid_files["valkey"] = self.run / "valkey.pid"

    def join(self) -> None:
        """Start what is missing, say where it is, and count as a user of it."""
        try:
            _private(self.data)
            _private(self.run)
            self.use = (self.data / "use.lock").open("a")
        except PermissionError as error:
            raise NoServers(f"{error.filename} belongs to another user: set KVOTE_DATA to a folder of yours") from None
        with self._alone():
            keep_secret(self.data / "secret_key")
            fcntl.flock(self.use, fcntl.LOCK_SH)
            try:
                self._start_missing()
            except BaseException:
                self._stop_if_last()
                raise
        if self.needs_database:
            os.environ["DATABASE_URL"] = f"postgresql://kvote@/kvote?host={quote(str(self.run))}"
        if self.needs_broker:
            os.environ["REDIS_URL"] = f"unix://{self.run}/valkey.sock"

    def revive(self) -> list[str]:
        """Start again what has died, and name it; cheap enough to ask every second."""
        dead = [name for name in self.pid_files if not self._lives(name)]
        if dead:
            with self._alone():
                self._start_missing()
        return dead

    def _lives(self, name: str) -> bool:
        child = self.children.get(name)
        return child.poll() is None if child is not None else _recorded(self.pid_files[name], name) is not None

    def leave(self) -> None:
        """Stop being a user, and take the addresses back; the last one stops the servers."""
        with self._alone():
            self._stop_if_last()
        if self.needs_database:
            os.environ.pop("DATABASE_URL", None)
        if self.needs_broker:
            os.environ.pop("REDIS_URL", None)

    def stop_unused(self) -> None:
        """Stop servers that a killed process left behind, unless somebody else uses them."""
        with (self.data / "use.lock").open("a") as self.use:
            self.leave()

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Only one process at a time starts or stops servers."""
        with (self.data / "start.lock").open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _start_missing(self) -> None:
        if self.needs_database and not self._postgres_answers():
            self._start_postgres()
        if self.needs_broker and not self._valkey_answers():
            self._start_valkey()

    def _stop_if_last(self) -> None:
        fcntl.flock(self.use, fcntl.LOCK_UN)
        try:
            fcntl.flock(self.use, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return
        for name, number in (("valkey", signal.SIGTERM), ("postgres", signal.SIGINT)):
            if name in self.pid_files:
                self._stop(name, number)
        if self.run.parent != self.data:
            shutil.rmtree(self.run, ignore_errors=True)
        self.use.close()

    def _stop(self, name: str, number: int) -> None:
        child = self.children.pop(name, None)
        pid = child.pid if child is not None else _recorded(self.pid_files[name], name)
        if pid is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, number)
            if not wait_until_gone(pid, limit_s=STOP_LIMIT_S, child=child):
                os.kill(pid, signal.SIGQUIT if name == "postgres" else signal.SIGKILL)
                wait_until_gone(pid, limit_s=STOP_LIMIT_S, child=child)

    # Postgres

    def _postgres_answers(self) -> bool:
        if not (self.run / ".s.PGSQL.5432").exists():
            return False
        command = [program("pg_isready"), "-q", "-h", str(self.run)]
        return subprocess.run(command, check=False, stderr=subprocess.DEVNULL).returncode == 0  # noqa: S603

    def _start_postgres(self) -> None:
        """Several attempts, because processes of a killed server may need a moment to notice that it is gone."""
        cluster = self.data / "postgres"
        for file in (self.pid_files["postgres"], self.run / ".s.PGSQL.5432.lock"):
            _forget_stranger(file, "postgres")
        launch = postgres_launch(self.data, self.run)
        if not (cluster / "PG_VERSION").exists():
            _make_cluster(cluster, launch)
        _refuse_other_version(cluster)
        command = [program("postgres"), "-D", str(cluster), "-k", str(self.run), "-h", "", *self.options]
        for attempt in range(ATTEMPTS):
            child = launch.start(command, log=self.data / "postgres.log")
            if self._wait(child, self._postgres_answers):
                self.children["postgres"] = child
                return self._make_database()
            time.sleep(0.2 * attempt)
        raise NoServers(f"Postgres did not start:\n{_last_lines(self.data / 'postgres.log')}\n{ADVICE}")

    def _make_database(self) -> None:
        import psycopg  # noqa: PLC0415 - 0.1 s that only a start needs

        with psycopg.connect(host=str(self.run), user="kvote", dbname="postgres", autocommit=True) as link:
            if not link.execute("SELECT 1 FROM pg_database WHERE datname = 'kvote'").fetchone():
                link.execute("CREATE DATABASE kvote")

    # Valkey

    def _valkey_answers(self) -> bool:
        with socket.socket(socket.AF_UNIX) as link:
            link.settimeout(1)
            try:
                link.connect(str(self.run / "valkey.sock"))
                link.sendall(b"PING\r\n")
                return link.recv(16).startswith(b"+PONG")
            except OSError:
                return False

    def _start_valkey(self) -> None:
        command = [program("valkey-server"), "--port", "0", "--unixsocket", str(self.run / "valkey.sock")]
        command += ["--unixsocketperm", "700", "--save", "", "--appendonly", "no", "--dir", str(self.run)]
        child = Launch().start(command, log=self.data / "valkey.log")
        if not self._wait(child, self._valkey_answers):
            raise NoServers(f"Valkey did not start:\n{_last_lines(self.data / 'valkey.log')}\n{ADVICE}")
        self.children["valkey"] = child
        self.pid_files["valkey"].write_text(f"{child.pid}\n", encoding="utf-8")

    def _wait(self, child: "subprocess.Popen[bytes]", answers: Callable[[], bool]) -> bool:
        deadline = time.monotonic() + START_LIMIT_S
        while child.poll() is None and time.monotonic() < deadline:
            if answers():
                return True
            time.sleep(0.02)
        return False


def socket_folder(data: Path) -> Path:
    """Where the sockets lie: in the data folder, or in a short temporary one where that path is too long or odd."""
    inside = data / "run"
    if len(os.fsencode(inside)) <= LONGEST_FOLDER and re.fullmatch(r"[A-Za-z0-9/._-]+", str(inside)):
        return inside
    name = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    return Path("/tmp") / f"kvote-{os.geteuid()}-{name}"  # noqa: S108 - made private below


def _private(folder: Path) -> None:
    """Make the folder for its owner alone; raises PermissionError where it belongs to somebody else."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = folder.lstat().st_uid
    if folder.is_symlink() or (owner != os.geteuid() and os.geteuid() != 0):
        raise PermissionError(13, "belongs to another user", str(folder))
    if owner == os.geteuid():
        folder.chmod(0o700)


def _make_cluster(cluster: Path, launch: Launch) -> None:
    """Into a folder of another name first, so that an interrupted start leaves nothing half made."""
    fresh = cluster.with_name("postgres.new")
    shutil.rmtree(fresh, ignore_errors=True)
    initdb = program("initdb")
    builtin = ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    locale = builtin if major_version(initdb) >= 17 else ["--no-locale"]
    command = [initdb, "-D", str(fresh), "-U", "kvote", "-A", "trust", "-E", "UTF8", "--no-sync", *locale]
    done = launch.finish(command)
    if done.returncode:
        raise NoServers(f"Postgres could not be set up in {fresh}: {done.stderr.strip()}\n{ADVICE}")
    fresh.rename(cluster)


def _refuse_other_version(cluster: Path) -> None:
    made_by = int((cluster / "PG_VERSION").read_text(encoding="utf-8"))
    found = major_version(program("postgres"))
    if made_by != found:
        raise NoServers(
            f"{cluster} was made by Postgres {made_by}, but the program found is {found}: "
            f"set POSTGRES_BIN to Postgres {made_by}, or move the folder away"
        )


def _recorded(pid_file: Path, name: str) -> int | None:
    """The running server that the file names; None where it has ended or the id now belongs to another program."""
    try:
        pid = int(pid_file.read_text(encoding="utf-8").split("\n", 1)[0])
    except (OSError, ValueError):
        return None
    return pid if is_alive(pid) and name in command_of(pid) else None


def _forget_stranger(pid_file: Path, name: str) -> None:
    """Postgres clears away the file of a server that has ended, but not where its id still answers:
    the id was given to another program, or the killed server waits for a parent that never asks."""
    try:
        pid = int(pid_file.read_text(encoding="utf-8").split("\n", 1)[0])
        os.kill(pid, 0)
    except (OSError, ValueError):
        return
    if _recorded(pid_file, name) is None:
        time.sleep(0.5)  # its last processes notice within this time that it is gone
        pid_file.unlink(missing_ok=True)


def _last_lines(log: Path) -> str:
    try:
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-5:])
    except OSError:
        return ""


def main(arguments: list[str]) -> int:
    """`python -m config.embedded COMMAND...` runs a command with servers in a folder that is thrown away after it."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    with tempfile.TemporaryDirectory(prefix="kvote-") as folder:
        os.environ["KVOTE_DATA"] = folder
        with running(Path(folder), throwaway=True):
            return subprocess.run(arguments, check=False).returncode  # noqa: S603


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
