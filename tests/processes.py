"""Real processes for tests."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings

from config.celery import app
from config.entry import worker_command
from config.processes import end_group
from config.supervise import WORKER_STOP

BROWSER_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
BROWSER_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-sync",
]
START_LIMIT_S = 60


def wait_until(check: Callable[[], object], *, limit_s: float, what: str) -> None:
    """Return as soon as `check` is true; AssertionError naming `what` after `limit_s` seconds."""
    deadline = time.monotonic() + limit_s
    pause = threading.Event()
    while not check():
        assert time.monotonic() < deadline, f"no {what} within {limit_s} s"
        pause.wait(0.05)


def url_of_database(name: str) -> str:
    """DATABASE_URL with another database name."""
    return urlunsplit(urlsplit(settings.DATABASE_URL)._replace(path=f"/{name}", netloc=_netloc()))


def _netloc() -> str:
    """Keeps the slashes of an address without a host (`postgresql:///name`)."""
    return urlsplit(settings.DATABASE_URL).netloc or "@"


class Worker:
    """A Celery worker as production runs it, on a database of the tests."""

    def __init__(self, *, database: str, log: Path) -> None:
        self.environment = os.environ | {"DATABASE_URL": url_of_database(database), "LOG_FORMAT": "plain"}
        self.log = log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                worker_command(processes=2),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                cwd=settings.BASE_DIR,
            )
        wait_until(self.answers, limit_s=START_LIMIT_S, what=f"worker ({sys.executable}, log {self.log})")

    def answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, self.log.read_text(encoding="utf-8")[-3000:]
        return bool(app.control.ping(timeout=0.5))

    def kill(self) -> None:
        """As a power cut would: the worker and its processes are gone at once."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def ensure(self) -> None:
        if self.process is None or self.process.poll() is not None:
            self.start()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            end_group(self.process.pid, WORKER_STOP, self.process)
