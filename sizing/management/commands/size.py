"""`manage.py size FILE`: a sizing request in, the contract's result out; no worker needed."""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand
from django.utils import timezone

from config.problems import problem
from sizing.core.errors import SizingError
from sizing.messages import localised, render
from sizing.pipeline import answer
from sizing.requests import RequestProblem, read_request

MAX_BYTES = 20_000_000


class Command(BaseCommand):
    help = "Size the request in FILE (JSON, - for stdin) and print the result as JSON."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument(
            "--weight-files", nargs="+", metavar="WEIGHTS", help="count the exact bytes that their headers state"
        )
        parser.add_argument("--pretty", action="store_true", help="indent the result")
        parser.add_argument("--jsonl", action="store_true", help="one request a line in, one result a line out")

    def handle(self, *args: Any, **options: Any) -> None:
        indent = 2 if options["pretty"] and not options["jsonl"] else None
        with _opened(options["file"]) as stream:
            if options["jsonl"]:
                for line in stream:
                    if line.strip():
                        self._print(_answered(line), indent, sys.stdout)
                return
            reply = _answered(_text(stream), weights=options["weight_files"])
        failed = "status" in reply
        self._print(reply, indent, sys.stderr if failed else sys.stdout)
        if failed:
            sys.exit(2)

    def _print(self, reply: dict[str, Any], indent: int | None, stream: TextIO) -> None:
        stream.write(json.dumps(reply, indent=indent, ensure_ascii=False, sort_keys=False) + "\n")
        stream.flush()


def _opened(name: str) -> TextIO:
    if name == "-":
        return sys.stdin
    try:
        return Path(name).open(encoding="utf-8-sig")
    except OSError as error:
        document = problem(400, code="unreadable_file", detail=f"{name}: {error.strerror}")
        sys.stderr.write(json.dumps(document) + "\n")
        sys.exit(2)


def _text(stream: TextIO) -> str:
    try:
        return stream.read(MAX_BYTES + 1)
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start}"  # no JSON either, and refused as such


def _answered(text: str, *, weights: Sequence[str] | None = None) -> dict[str, Any]:
    """The result, or a problem document, which alone has a `status`."""
    if len(text) > MAX_BYTES:
        return problem(413, code="too_large", detail=f"The request has more than {MAX_BYTES} characters.")
    try:
        request = json.loads(text)
        if weights and isinstance(request, dict) and isinstance(request.get("model"), dict):
            request["model"] = {**request["model"], **_of_files(weights, request["model"])}
        stated = read_request(request, today=timezone.now().date())
        result: dict[str, Any] = localised(answer(stated))
    except RecursionError:
        return problem(400, code="malformed_json", detail="The JSON is nested too deeply.")
    except json.JSONDecodeError as error:
        return problem(400, code="malformed_json", detail=f"Line {error.lineno}, column {error.colno}: {error.msg}.")
    except RequestProblem as error:
        errors = [{"pointer": each.pointer, "code": each.code, "detail": each.detail} for each in error.errors]
        return problem(422, detail=render(error.message), errors=errors)
    except SizingError as error:
        detail = render(error.message)
        return problem(
            422,
            code=error.code,
            detail=detail,
            errors=[{"pointer": error.pointer, "code": error.code, "detail": detail}],
        )
    return result


def _of_files(weights: Sequence[str], model: Mapping[str, Any]) -> Mapping[str, Any]:
    from sizing.model_source import model_of_files  # noqa: PLC0415 - the libraries of weight files are heavy

    return model_of_files(weights, model)
