"""`manage.py up`: everything that Kvote needs, on this machine, until Ctrl-C."""

import contextlib
import fcntl
import http.client
import signal
import socket
import sys
import threading
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils.translation import gettext as _

from config import embedded
from config.accounts.services import create_first_administrator, make_sign_in_link
from config.entry import beat_command, web_command, worker_command
from config.prepare import bring_up_to_date, collect_static, prepare_data
from config.supervise import PLAIN_STOP, WORKER_STOP, Child, Family, KeepsDying, end_survivors, read_notes

HOST = "127.0.0.1"
START_LIMIT_S = 60
LOOK_EVERY_S = 0.5


class Command(BaseCommand):
    help = "Migrate, seed, start a worker and the web server, print the address; Ctrl-C stops them all."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, help="default 8000, or the next free one where that is taken")
        parser.add_argument("--dev", action="store_true", help="DEBUG on, and reload when a file changes")

    def handle(self, *args: Any, **options: Any) -> None:
        settings.DATA_DIR.mkdir(mode=0o700, parents=True, exist_ok=True)
        notes = settings.DATA_DIR / "up.json"
        with only_one(settings.DATA_DIR / "up.lock") as is_first:
            if not is_first:
                return self.point_at_running(notes)
            for name in end_survivors(notes):
                self.stderr.write(_("Ended the %(name)s of an earlier start.") % {"name": name})
            is_bundled = embedded.current is not None and embedded.current.needs_database
            (prepare_data if is_bundled else bring_up_to_date)()
            collect_static()
            self.run_until_stopped(Family(folder=settings.DATA_DIR / "logs", notes=notes), options)

    def run_until_stopped(self, family: Family, options: dict[str, Any]) -> None:
        stopped = stop_event()
        port = free_port(options["port"], last=options["port"]) if options["port"] else free_port()
        family.address = f"http://{HOST}:{port}"
        try:
            family.start(Child("web", web_command(address=HOST, port=port, reload=options["dev"]), PLAIN_STOP))
            family.start(Child("worker", worker_command(), WORKER_STOP))
            family.start(Child("beat", beat_command(settings.DATA_DIR), PLAIN_STOP))
            if self.wait_for_page(family, port, stopped):
                self.welcome(family.address)
            while not stopped.wait(LOOK_EVERY_S):
                look_after(family)
        except KeepsDying as error:
            raise CommandError(str(error)) from None
        finally:
            family.stop()
            self.stdout.write(_("Kvote has stopped."))

    def wait_for_page(self, family: Family, port: int, stopped: threading.Event) -> bool:
        """True once the web server says that it is ready; False if a stop was asked for before."""
        for _attempt in range(int(START_LIMIT_S / LOOK_EVERY_S * 5)):
            if is_ready(port):
                return True
            if stopped.wait(LOOK_EVERY_S / 5):
                return False
            look_after(family)
        web = family.children[0]
        raise CommandError(
            _("No page after %(limit)s s; see %(log)s") % {"limit": START_LIMIT_S, "log": family.log_of(web)}
        )

    def welcome(self, address: str) -> None:
        """The plain address first: programs and people take the first one they see."""
        link = reverse("accounts:link", args=[make_sign_in_link(create_first_administrator())])
        self.stdout.write(_("Kvote runs at %(address)s") % {"address": address})
        self.stdout.write(_("Sign in once, within an hour: %(address)s") % {"address": address + link})
        self.stdout.write(_("Logs: %(folder)s. Ctrl-C stops everything.") % {"folder": settings.DATA_DIR / "logs"})
        self.stdout.flush()

    def point_at_running(self, notes: Path) -> None:
        address = str(read_notes(notes).get("address") or "")
        if not address:
            raise CommandError(_("Kvote is being started by another process. Try again in a moment."))
        self.stdout.write(_("Kvote runs already."))
        self.welcome(address)


@contextlib.contextmanager
def only_one(path: Path) -> Iterator[bool]:
    """True for the one process that holds the lock; the system releases it even after a kill -9."""
    with path.open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            yield False
        else:
            yield True


def stop_event() -> threading.Event:
    """Set by Ctrl-C, by SIGTERM and when the terminal goes away; a second one changes nothing."""
    stopped = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_details: stopped.set())
    return stopped


def free_port(first: int = 8000, *, last: int = 8099) -> int:
    """The first free port of the range; raises CommandError where all are taken."""
    for port in range(first, last + 1):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, port))
            except OSError:
                continue
            return port
    raise CommandError(_("Port %(first)s is taken; name a free one with --port.") % {"first": first})


def is_ready(port: int) -> bool:
    link = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        link.request("GET", "/health/ready", headers={"Host": "localhost"})
        return link.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        link.close()


def look_after(family: Family) -> None:
    """Start again whatever died: the bundled servers first, then our own processes."""
    embedded = sys.modules.get("config.embedded")
    if embedded is not None and embedded.current is not None:
        embedded.current.revive()
    family.revive()
