"""`manage.py import_measurements FILE`: results of a benchmark tool, matched to where they were measured."""

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NoReturn

from django.core.management.base import BaseCommand

from config.accounts.models import Organisation
from config.problems import problem
from sizing.core.errors import SizingError
from sizing.measurements.point import MeasurementProblem
from sizing.measurements.predict import Setting
from sizing.measurements.read import MAX_BYTES
from sizing.measurements.services import import_results, setting_from, setting_of_option
from sizing.messages import localised, render
from sizing.models import Measurement, SizingOption

WHOLE = ("tensor", "pipeline", "expert", "data", "max_batched_tokens", "max_sequences", "stream_interval")


class Command(BaseCommand):
    help = (
        "Import a result file of vllm bench serve, sglang.bench_serving, guidellm, aiperf, genai-perf, llama-bench, "
        "trtexec or MLPerf loadgen."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file")
        parser.add_argument("--organisation", default="", help="name of the owner; needed where there are several")
        parser.add_argument("--option", default="", help="public id of the option that was measured")
        parser.add_argument("--model", default="", help="catalogue id of the model")
        parser.add_argument("--accelerator", default="", help="catalogue slug of the accelerator")
        parser.add_argument("--engine", default="vllm")
        parser.add_argument("--engine-version", default="")
        parser.add_argument("--weights-format", default=None)
        parser.add_argument("--kv-format", default=None)
        parser.add_argument("--memory-utilisation", type=float, default=None)
        for name in WHOLE:
            parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=1 if name in WHOLE[:4] else None)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            rows = self._import(options)
        except SizingError as error:
            self._refuse(error)
        self.stdout.write(json.dumps({"imported": len(rows), "measurements": [_shown(row) for row in rows]}, indent=1))

    def _import(self, options: dict[str, Any]) -> list[Measurement]:
        path = Path(options["file"])
        try:
            if path.stat().st_size > MAX_BYTES:
                raise MeasurementProblem("measurement_too_large", limit_mb=MAX_BYTES // 10**6)
            content = path.read_bytes()
        except OSError as error:
            raise MeasurementProblem("measurement_file_missing", file=str(path), detail=error.strerror or "") from error
        option = _option(options["option"])
        return import_results(
            organisation=organisation_named(options["organisation"]),
            content=content,
            name=path.name,
            setting=setting_of_option(option) if option else _typed(options),
            option=option,
        )

    def _refuse(self, error: SizingError) -> NoReturn:
        document = problem(
            422, code=error.code, detail=render(error.message),
            errors=[{"pointer": error.pointer, "code": error.code, "detail": render(error.message)}],
        )  # fmt: skip
        self.stderr.write(json.dumps(document, ensure_ascii=False))
        sys.exit(2)


def organisation_named(name: str) -> Organisation:
    """The organisation of this name, or the only one. Raises MeasurementProblem otherwise."""
    found = Organisation.objects.filter(name=name) if name else Organisation.objects.all()
    if found.count() != 1:
        raise MeasurementProblem("measurement_organisation_unclear", value=name or None, count=found.count())
    return found.get()


def _option(public_id: str) -> SizingOption | None:
    if not public_id:
        return None
    try:
        found = SizingOption.objects.select_related("run__workload").filter(public_id=public_id).first()
    except (ValueError, TypeError):
        found = None
    if found is None:
        raise MeasurementProblem("measurement_option_unknown", value=public_id[:60])
    return found


def _typed(options: dict[str, Any]) -> Setting:
    names = ("model", "accelerator", "engine", "engine_version", "weights_format", "kv_format", "memory_utilisation")
    return setting_from({name: options[name] for name in (*names, *WHOLE)})


def _shown(row: Measurement) -> dict[str, Any]:
    return {
        "id": str(row.public_id),
        "line": row.line,
        "tool": row.tool,
        "model": row.model_name,
        "accelerator": row.accelerator,
        "engine": row.engine,
        "concurrent_requests": row.concurrent,
        "statistics_ms": row.statistics,
        "warnings": localised(row.warnings),
    }
