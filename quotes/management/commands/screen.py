import csv
import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from quotes.compliance.lists import load_lists
from quotes.compliance.table import (
    ANSWER_COLUMNS,
    FILE_BYTES_MAX,
    Answer,
    BadTable,
    InputError,
    answer,
    read_cases,
)
from quotes.messages_screening import WORDS
from sizing.core.values import Message
from sizing.messages import register, render


class Command(BaseCommand):
    help = "Screen a CSV table of quote lines; the answers go to standard output as CSV. Needs no database."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="CSV file in UTF-8; - reads standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        register(WORDS)
        try:
            cases = read_cases(_bytes(options["file"]))
        except BadTable as bad:
            self.stderr.write(json.dumps(_problem(bad.errors), ensure_ascii=False))
            sys.exit(2)
        writer = csv.writer(self.stdout, lineterminator="\n")
        writer.writerow(ANSWER_COLUMNS)
        for case in cases:
            writer.writerow(_shown(answer(case, load_lists(case.context.quote_date))))


def _bytes(name: str) -> bytes:
    """At most one byte more than a table may have, so that a huge file is refused without being read."""
    try:
        if name == "-":
            return sys.stdin.buffer.read(FILE_BYTES_MAX + 1)
        with Path(name).open("rb") as file:
            return file.read(FILE_BYTES_MAX + 1)
    except OSError as error:
        fault = Message("screen_file_missing", {"file": name, "detail": error.strerror or str(error)})
        raise BadTable([InputError("", fault)]) from error


def _shown(said: Answer) -> list[str]:
    flag = said.flag.value if said.flag else ""
    return [said.case_id, said.applicability.value, flag, said.rule_id, said.origin, render(said.reason)]


def _problem(errors: list[InputError]) -> dict[str, Any]:
    """RFC 9457 body with one entry per fault."""
    return {
        "type": "about:blank",
        "title": "The screening table cannot be read",
        "status": 400,
        "detail": render(errors[0].message),
        "errors": [
            {"pointer": error.pointer, "code": error.message.code, "detail": render(error.message)} for error in errors
        ],
    }
