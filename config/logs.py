"""Log lines: JSON where a machine reads them, plain text at a terminal."""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

request_id: ContextVar[str] = ContextVar("request_id", default="")

_STANDARD = set(vars(logging.makeLogRecord({}))) | {"message", "asctime", "request_id", "request"}


class RequestId(logging.Filter):
    """Puts the current request's id on every record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class NoClockwork(logging.Filter):
    """Drops Celery's two lines for each round of the sweeper, which comes every five seconds."""

    def filter(self, record: logging.LogRecord) -> bool:
        facts = getattr(record, "data", None)
        return not (isinstance(facts, dict) and facts.get("name") == "sizing.tasks.sweep_runs")


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, request id, and the facts given in `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if found := getattr(record, "request_id", ""):
            line["request_id"] = found
        line |= _facts(record)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


class PlainLines(logging.Formatter):
    """The same facts for a person."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-7s %(name)s: %(message)s", "%H:%M:%S")

    def format(self, record: logging.LogRecord) -> str:
        facts = "".join(f" {name}={value}" for name, value in _facts(record).items())
        text, *rest = super().format(record).split("\n")
        return "\n".join([text + facts, *rest])


def _facts(record: logging.LogRecord) -> dict[str, Any]:
    return {name: value for name, value in vars(record).items() if name not in _STANDARD}


def logging_config(*, as_json: bool, level: str) -> dict[str, Any]:
    """The dictionary for Django's LOGGING."""
    formatter = "config.logs.JsonLines" if as_json else "config.logs.PlainLines"
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "filters": {
            "request_id": {"()": "config.logs.RequestId"},
            "no_clockwork": {"()": "config.logs.NoClockwork"},
        },
        "formatters": {"lines": {"()": formatter}},
        "handlers": {
            "stderr": {
                "class": "logging.StreamHandler",
                "formatter": "lines",
                "filters": ["request_id", "no_clockwork"],
            },
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            "django": {"handlers": [], "propagate": True, "level": level},
            "django.server": {"handlers": [], "propagate": True, "level": level},
            "axes": {"level": "WARNING"},
        },
    }
