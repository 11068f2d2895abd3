"""Children of `manage.py up`: started in order, started again when they die, ended in reverse order."""

import contextlib
import json
import logging
import os
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from config.processes import birth, end_group

logger = logging.getLogger(__name__)

QUICK_DEATH_S = 10
MOST_QUICK_DEATHS = 5


class KeepsDying(Exception):
    """A child died again and again right after its start."""


@dataclass
class Child:
    """One process that leads its own group. `stop` lists signals and the seconds to wait after each."""

    name: str
    command: list[str]
    stop: list[tuple[int, float]]
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    quick_deaths: int = 0


# A warm stop first; then Celery's short one, which puts unfinished tasks back into the queue.
WORKER_STOP: list[tuple[int, float]] = [(signal.SIGTERM, 2), (signal.SIGQUIT, 5)]
PLAIN_STOP: list[tuple[int, float]] = [(signal.SIGTERM, 5)]


@dataclass
class Family:
    """All children; `notes` is the file in which a later start finds those that a kill -9 left behind."""

    folder: Path
    notes: Path
    address: str = ""
    children: list[Child] = field(default_factory=list)

    def start(self, child: Child) -> None:
        self.children.append(child)
        self._launch(child)

    def revive(self) -> list[str]:
        """Start again what has died, and name it. Raises KeepsDying."""
        dead = [child for child in self.children if child.process and child.process.poll() is not None]
        for child in dead:
            assert child.process is not None  # noqa: S101 - for the type checker; see the line above
            logger.warning(
                "process ended, starting it again", extra={"child": child.name, "code": child.process.poll()}
            )
            quick = time.monotonic() - child.started_at < QUICK_DEATH_S
            child.quick_deaths = child.quick_deaths + 1 if quick else 0
            if child.quick_deaths >= MOST_QUICK_DEATHS:
                raise KeepsDying(f"{child.name} ends right after its start; see {self.log_of(child)}")
            end_group(child.process.pid, [], child.process)
            self._launch(child)
        return [child.name for child in dead]

    def stop(self) -> None:
        """End everything, the last started first; the worker's wait overlaps with nobody's work."""
        for child in reversed(self.children):
            if child.process is not None:
                end_group(child.process.pid, child.stop, child.process)
        self.children.clear()
        self.notes.unlink(missing_ok=True)

    def log_of(self, child: Child) -> Path:
        return self.folder / f"{child.name}.log"

    def _launch(self, child: Child) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with self.log_of(child).open("ab") as output:
            child.process = subprocess.Popen(  # noqa: S603
                child.command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        child.started_at = time.monotonic()
        self._take_notes()

    def _take_notes(self) -> None:
        running = [
            {"name": child.name, "pid": child.process.pid, "birth": birth(child.process.pid)}
            for child in self.children
            if child.process is not None
        ]
        notes = {"pid": os.getpid(), "birth": birth(os.getpid()), "address": self.address, "children": running}
        fresh = self.notes.with_suffix(".new")
        fresh.write_text(json.dumps(notes), encoding="utf-8")
        fresh.replace(self.notes)


def read_notes(path: Path) -> dict[str, object]:
    """What the last `up` wrote; empty where there is nothing to read."""
    with contextlib.suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(found, dict):
            return found
    return {}


def end_survivors(path: Path) -> list[str]:
    """End children of an `up` that was killed, and name them. An id that now belongs to another process is left."""
    ended = []
    children = read_notes(path).get("children")
    for child in reversed(children if isinstance(children, list) else []):
        pid = int(child["pid"])
        if child["birth"] and birth(pid) == child["birth"]:
            end_group(pid, [(signal.SIGTERM, 3), (signal.SIGQUIT, 3)])
            ended.append(str(child["name"]))
    path.unlink(missing_ok=True)
    return ended
