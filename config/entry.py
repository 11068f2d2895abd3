"""The processes of one installation: worker, beat, web server. Their commands are the same everywhere."""

import os
import sys
from pathlib import Path

from django.conf import settings


def worker_command(*, processes: int | None = None) -> list[str]:
    """One worker for all queues; `processes` at a time, by default one for each processor, at least two."""
    count = processes or max(2, os.cpu_count() or 1)
    options = ["--queues", settings.WORKER_QUEUES, "--concurrency", str(count), "--loglevel", "INFO"]
    return [*_celery("worker"), *options, "--without-mingle", "--without-gossip", "--hostname", "kvote@%h"]


def beat_command(folder: Path) -> list[str]:
    """The clock that sends the periodic tasks; `folder` keeps its notes."""
    return [*_celery("beat"), "--schedule", str(folder / "beat"), "--pidfile", "", "--loglevel", "WARNING"]


def web_command(*, address: str, port: int, reload: bool = False) -> list[str]:
    options = ["--bind", f"{address}:{port}", "--workers", "2", "--threads", "4", "--timeout", "90"]
    options += ["--graceful-timeout", "3", "--log-level", "warning", *(["--reload"] if reload else [])]
    return [sys.executable, "-m", "gunicorn", "config.wsgi:application", *options]


def _celery(kind: str) -> list[str]:
    return [sys.executable, "-m", "celery", "--app", "config.celery", "--quiet", kind]
