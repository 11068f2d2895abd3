import hashlib
import json
import sys
from argparse import ArgumentParser
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from catalog.errors import CatalogError
from catalog.imports.answers import Answers, BadAnswers, read_answers
from catalog.imports.apply import commit_import
from catalog.imports.cells import UnreadableFile
from catalog.imports.check import Understanding, understand
from catalog.imports.plan import make_plan
from catalog.imports.read import FILE_BYTES_MAX
from catalog.imports.report import head_json, row_json
from catalog.messages_import import problem, render
from catalog.models import ImportBatch
from config.accounts.models import Organisation


class Command(BaseCommand):
    help = (
        "Read a supplier's price file. With --dry-run nothing is written; the reading goes to standard output as JSON."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="CSV, text or XLSX file")
        parser.add_argument("--dry-run", action="store_true", help="show what would change and write nothing")
        parser.add_argument("--supplier", default="", help="who sent the file, where its rows do not say")
        parser.add_argument("--answers", default="{}", help="answers to open questions as JSON, or @FILE")
        parser.add_argument(
            "--organisation", default="", help="public id or name of the owner; without it prices are public"
        )
        parser.add_argument("--as-of", default="", help="the day that counts as today, for example 2026-11-30")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            found, head = self._import(options)
        except (UnreadableFile, BadAnswers) as error:
            pointer = "/answers" if isinstance(error, BadAnswers) else ""
            self._refuse(error.code, error.params, pointer=pointer)
        except CatalogError as error:
            self._refuse(error.message.code, error.message.params, pointer="")
        self._write(found, head)

    def _import(self, options: dict[str, Any]) -> tuple[Understanding, dict[str, Any]]:
        answers = _answers(options["answers"])
        today = _day(options["as_of"])
        organisation = _organisation(options["organisation"])
        data = _bytes(Path(options["file"]))
        found = understand(data, answers=answers, today=today)
        supplier = options["supplier"].strip()
        if options["dry_run"]:
            make_plan(found, organisation=organisation, supplier=supplier, today=today)
            return found, head_json(found, words=render)
        batch = ImportBatch(
            file_name=Path(options["file"]).name[:255],
            file_sha256=hashlib.sha256(data).hexdigest(),
            answers=json.loads(_answers_text(options["answers"])),
        )
        _commit(found, batch, organisation, supplier, today)
        return found, head_json(found, words=render) | {"batch": str(batch.public_id)}

    def _write(self, found: Understanding, head: dict[str, Any]) -> None:
        """Row by row, so that a long file does not stand in memory twice."""
        self.stdout.write(json.dumps(head, ensure_ascii=False, indent=1)[:-2] + ',\n "rows": [', ending="")
        for number, row in enumerate(found.rows):
            text = json.dumps(row_json(row, words=render), ensure_ascii=False)
            self.stdout.write((",\n  " if number else "\n  ") + text, ending="")
        self.stdout.write("\n ]\n}")

    def _refuse(self, code: str, params: Any, *, pointer: str) -> None:
        self.stderr.write(json.dumps(problem(code, params, pointer=pointer), ensure_ascii=False))
        sys.exit(2)


def _commit(
    found: Understanding, batch: ImportBatch, organisation: Organisation | None, supplier: str, today: date
) -> None:
    commit_import(found, batch=batch, organisation=organisation, supplier=supplier, actor=None, today=today)


def _bytes(path: Path) -> bytes:
    """The file's bytes; a file over the limit is refused by its size alone."""
    try:
        if path.stat().st_size > FILE_BYTES_MAX:
            raise UnreadableFile("import_file_too_large", limit_mb=FILE_BYTES_MAX // 1_000_000)
        return path.read_bytes()
    except OSError as error:
        raise UnreadableFile("import_file_missing", file=str(path), detail=error.strerror or str(error)) from error


def _answers_text(stated: str) -> str:
    return Path(stated[1:]).read_text(encoding="utf-8") if stated.startswith("@") else stated


def _answers(stated: str) -> Answers:
    try:
        return read_answers(json.loads(_answers_text(stated)))
    except (json.JSONDecodeError, RecursionError, UnicodeDecodeError, OSError) as error:
        raise BadAnswers("import_answers_not_json", detail=str(error)[:100]) from error


def _day(stated: str) -> date:
    try:
        return date.fromisoformat(stated) if stated else timezone.localdate()
    except ValueError as error:
        raise BadAnswers("import_bad_date", value=stated[:30]) from error


def _organisation(stated: str) -> Organisation | None:
    if not stated:
        return None
    found = Organisation.objects.filter(name=stated).first()
    if found is None:
        raise CatalogError("import_unknown_organisation", organisation=stated[:100])
    return found
