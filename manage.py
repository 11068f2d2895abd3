#!/usr/bin/env python
"""Django's own entry point.

Where DATABASE_URL or REDIS_URL is unset, the bundled servers run for as long as the command does.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

NEEDS_NO_SERVER = {
    "", "help", "--help", "-h", "version", "--version", "collectstatic", "compilemessages", "down", "makemessages",
}  # fmt: skip
PREPARES_ITSELF = {
    "up", "check", "dbshell", "flush", "makemigrations", "migrate", "seed", "showmigrations", "spectacular",
    "sqlmigrate", "squashmigrations", "test",
}  # fmt: skip
# SQLSTATE -> what to do; None is a server that does not answer
ADVICE = {
    "42P01": "The database of DATABASE_URL lacks tables. Run `manage.py migrate`, then `manage.py seed`.",
    "42703": "The database of DATABASE_URL lacks columns. Run `manage.py migrate`.",
    None: "The database of DATABASE_URL does not answer. Start it, or correct the address.",
}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    command = sys.argv[1] if len(sys.argv) > 1 else ""
    data = Path(os.environ.get("KVOTE_DATA") or Path(__file__).resolve().parent / ".kvote")
    if command == "up":
        prepare_environment(data)
    from django.core.management import execute_from_command_line

    with servers(command, data) as bundled:
        prepared = not bundled or command in PREPARES_ITSELF or prepare()
        with kept_lean(command, prepared=prepared), missing_tables_named():
            execute_from_command_line(sys.argv)


def prepare() -> bool:
    """Bring the bundled database up to date. True where it was: then nothing of Django is loaded yet."""
    from config.prepare import is_prepared, prepare_data

    if is_prepared():
        return True
    import django

    django.setup()
    prepare_data()
    return False


def kept_lean(command: str, *, prepared: bool) -> contextlib.AbstractContextManager[None]:
    """A quick start for a command that answers one question, where nothing else had to be done before."""
    from config import lean

    return lean.one_answer() if prepared and command in lean.COMMANDS else contextlib.nullcontext()


@contextlib.contextmanager
def missing_tables_named() -> Iterator[None]:
    """A database of one's own that nobody has prepared ends a command in advice, not in a traceback."""
    from django.db import OperationalError, ProgrammingError

    try:
        yield
    except (OperationalError, ProgrammingError) as error:
        state = getattr(error.__cause__, "sqlstate", None)
        if state not in ADVICE:
            raise
        sys.exit(f"{str(error).splitlines()[0]}\n{ADVICE[state]}")


def prepare_environment(data: Path) -> None:
    """`up` runs on one machine, so it may make its own signing key, and people read its logs; `--dev` means DEBUG."""
    from config.env import keep_secret

    if not any(os.environ.get(name) for name in ("SECRET_KEY", "SECRET_KEY_FILE")):
        os.environ["SECRET_KEY"] = keep_secret(data / "secret_key")
    os.environ.setdefault("LOG_FORMAT", "plain")
    if "--dev" in sys.argv:
        os.environ["DEBUG"] = "1"


@contextlib.contextmanager
def servers(command: str, data: Path) -> Iterator[bool]:
    """True where the bundled servers stand in for an address that is not set."""
    given = all(os.environ.get(name) or os.environ.get(f"{name}_FILE") for name in ("DATABASE_URL", "REDIS_URL"))
    if given or command in NEEDS_NO_SERVER or "--help" in sys.argv:
        yield False
        return
    from config.embedded import running

    signal.signal(signal.SIGTERM, lambda *_details: sys.exit(143))
    with running(data):
        yield True


if __name__ == "__main__":
    main()
