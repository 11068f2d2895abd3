"""Starting, recognising and ending processes, by id and start time so that a reused id is never hit."""

import os
import signal
import subprocess
import time
from pathlib import Path


def is_alive(pid: int) -> bool:
    """Whether a process with this id runs; one that ended and waits for its parent does not count."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return _state(pid) != "Z"


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""


def birth(pid: int) -> str:
    """When the process started, as an opaque text; "" where there is none. Together with the id it is unique."""
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    try:
        found = subprocess.run(["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return ""
    return found.stdout.strip()


def command_of(pid: int) -> str:
    """The command line of a process, or "" where it cannot be read."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_text(encoding="utf-8", errors="replace").replace("\0", " ")
    except OSError:
        pass
    try:
        found = subprocess.run(["ps", "-o", "command=", "-p", str(pid)], capture_output=True, text=True, check=False)  # noqa: S603, S607
    except OSError:
        return ""
    return found.stdout.strip()


def wait_until_gone(pid: int, *, limit_s: float, child: subprocess.Popen[bytes] | None = None) -> bool:
    """True as soon as the process has ended. Give `child` where it is ours, so that it is collected."""
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if child is not None and child.poll() is not None:
            return True
        if child is None and not is_alive(pid):
            return True
        time.sleep(0.02)
    return False


def end_group(pid: int, steps: list[tuple[int, float]], child: subprocess.Popen[bytes] | None = None) -> None:
    """End a process that leads its own group: each step is a signal and the seconds to wait after it.

    Then whatever is left of the group is killed.
    """
    for number, limit_s in steps:
        if not _send(pid, number) or wait_until_gone(pid, limit_s=limit_s, child=child):
            break
    _send_group(pid, signal.SIGKILL)
    if child is not None:
        child.wait()


def _send(pid: int, number: int) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True


def _send_group(pid: int, number: int) -> None:
    try:
        os.killpg(pid, number)
    except (ProcessLookupError, PermissionError):
        return
