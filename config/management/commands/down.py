"""`manage.py down`: stop what `up` started, from another terminal or after it was killed."""

import os
import signal
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from config.processes import birth, wait_until_gone
from config.supervise import end_survivors, read_notes

STOP_LIMIT_S = 30


class Command(BaseCommand):
    help = "Stop the servers and processes that `up` started."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        notes = settings.DATA_DIR / "up.json"
        if not settings.DATA_DIR.exists():
            self.stdout.write(_("Nothing runs here."))
            return
        self.end_up(notes)
        end_survivors(notes)
        end_servers(settings.DATA_DIR)
        self.stdout.write(_("Kvote has stopped."))

    def end_up(self, notes: Path) -> None:
        found = read_notes(notes)
        pid = int(str(found.get("pid") or 0))
        if not pid or birth(pid) != found.get("birth"):
            return
        os.kill(pid, signal.SIGTERM)
        if not wait_until_gone(pid, limit_s=STOP_LIMIT_S):
            raise CommandError(_("Process %(pid)s does not stop.") % {"pid": pid})


def end_servers(data: Path) -> None:
    """Stop bundled servers that nobody uses any more."""
    if not (data / "use.lock").exists():
        return
    from config.embedded import Servers  # noqa: PLC0415 - not needed with servers of one's own

    Servers(data).stop_unused()
