"""`manage.py model_facts CONFIG.json`: what a model's files say; needs no database."""

import csv
import json
import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.problems import problem
from sizing.core.errors import InvalidModel, SizingError
from sizing.core.precision import BF16, SHORT_NAMES, Rate, StorageFormat
from sizing.messages import register, render
from sizing.messages_model import WORDS
from sizing.model_facts import MAX_CONFIG_BYTES, facts_of_config
from sizing.model_source import Described, GivenFile, described_by_files, described_by_hub, opened

FORMATS_FILE = Path("catalog/data/quantisation.csv")


class Command(BaseCommand):
    help = "Print the facts of a model's config.json as one JSON object."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", nargs="*", help="config.json, beside it an index or weight files, or one GGUF file; - for stdin"
        )
        parser.add_argument("--hub", help="the model's name on the hub, in place of a file")
        parser.add_argument("--token", help="your hub token, passed on and never stored")
        parser.add_argument("--weights-format", help="as stored where absent")
        parser.add_argument("--kv-format", help="bf16 where absent")

    def handle(self, *args: Any, **options: Any) -> None:
        register(WORDS)
        try:
            weights = _format(options["weights_format"], "/weights_format")
            cache = _format(options["kv_format"], "/kv_format") or BF16
            read = _described(options["file"], hub=options["hub"], token=options["token"])
            facts = facts_of_config(read.config, weights_format=weights, kv_format=cache, exact=read.exact)
        except SizingError as error:
            detail = render(error.message)
            errors = [{"pointer": error.pointer, "code": error.code, "detail": detail}]
            document = problem(422, code=error.code, detail=detail, errors=errors)
            sys.stderr.write(json.dumps(document, ensure_ascii=False) + "\n")
            sys.exit(2)
        sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")


def _described(names: list[str], *, hub: str | None, token: str | None) -> Described:
    """The model of the files or of the hub. A config above the limit is refused unread; of weights only headers."""
    if hub:
        return described_by_hub(hub, token=token)
    if not names:
        raise InvalidModel("model_file_unreadable", file="-", problem="no file named")
    with ExitStack() as stack:
        return described_by_files([_opened(name, stack) for name in names])


def _opened(name: str, stack: ExitStack) -> GivenFile:
    if name == "-":
        return GivenFile("-", BytesIO(sys.stdin.buffer.read(MAX_CONFIG_BYTES + 1)), None)
    return opened(name, stack)


def _format(slug: str | None, pointer: str) -> StorageFormat | None:
    """A short name, or a slug of the shipped storage formats."""
    if slug is None:
        return None
    if slug.lower() in SHORT_NAMES:
        return SHORT_NAMES[slug.lower()]
    with (Path(settings.BASE_DIR) / FORMATS_FILE).open(encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            bits = row["model_bits_per_weight"] if row["family"] == "gguf" else row["exact_bits_per_weight"]
            if row["slug"] == slug.lower() and bits:
                return StorageFormat(slug=row["slug"], bytes_per_value=float(bits) / 8, compute=Rate.BF16)
    raise InvalidModel("model_format_unknown", pointer, value=slug, known=", ".join(SHORT_NAMES))
