"""`manage.py model_facts CONFIG.json`: what a model's config file says; needs no database."""

import csv
import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config.problems import problem
from sizing.core.errors import InvalidModel, SizingError
from sizing.core.precision import BF16, SHORT_NAMES, Rate, StorageFormat
from sizing.messages import register, render
from sizing.messages_model import WORDS
from sizing.model_facts import MAX_CONFIG_BYTES, facts_of_config, read_config, too_large

FORMATS_FILE = Path("catalog/data/quantisation.csv")


class Command(BaseCommand):
    help = "Print the facts of a model's config.json as one JSON object."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="config.json, or - for stdin")
        parser.add_argument("--weights-format", help="as stored where absent")
        parser.add_argument("--kv-format", help="bf16 where absent")

    def handle(self, *args: Any, **options: Any) -> None:
        register(WORDS)
        try:
            weights = _format(options["weights_format"], "/weights_format")
            cache = _format(options["kv_format"], "/kv_format") or BF16
            config = read_config(_read(options["file"]), file=options["file"])
            facts = facts_of_config(config, weights_format=weights, kv_format=cache)
        except SizingError as error:
            detail = render(error.message)
            errors = [{"pointer": error.pointer, "code": error.code, "detail": detail}]
            document = problem(422, code=error.code, detail=detail, errors=errors)
            sys.stderr.write(json.dumps(document, ensure_ascii=False) + "\n")
            sys.exit(2)
        sys.stdout.write(json.dumps(facts, ensure_ascii=False) + "\n")


def _read(name: str) -> bytes:
    """The bytes of a file, or of stdin. A file above the limit is refused unread."""
    if name == "-":
        data = sys.stdin.buffer.read(MAX_CONFIG_BYTES + 1)
        return data
    path = Path(name)
    try:
        size = path.stat().st_size
        if size > MAX_CONFIG_BYTES:
            raise too_large(size)
        with path.open("rb") as stream:  # a device or a growing file is cut at the limit too
            return stream.read(MAX_CONFIG_BYTES + 1)
    except OSError as error:
        raise InvalidModel("model_file_unreadable", file=name, problem=error.strerror or "?") from None


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
