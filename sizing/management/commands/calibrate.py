"""`manage.py calibrate`: learn from an organisation's measurements, or go back to an earlier calibration."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from config.problems import problem
from sizing.core.errors import SizingError
from sizing.management.commands.import_measurements import organisation_named
from sizing.measurements.calibrate import METRICS, calibrated, sha256_of
from sizing.measurements.point import MeasurementProblem
from sizing.measurements.services import store_calibration, use_calibration, use_no_calibration
from sizing.messages import render
from sizing.models import CalibrationVersion, Measurement


class Command(BaseCommand):
    help = "Learn from the organisation's measurements. The result is kept, used from now on, and can be left again."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", default="", help="name of the owner; needed where there are several")
        parser.add_argument(
            "--use", type=int, default=None, help="use this earlier number; 0: shipped coefficients only"
        )
        parser.add_argument("--dry-run", action="store_true", help="show what would be learned and keep nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            body = self._run(options)
        except SizingError as error:
            document = problem(422, code=error.code, detail=render(error.message))
            self.stderr.write(json.dumps(document, ensure_ascii=False))
            sys.exit(2)
        self.stdout.write(json.dumps(body, indent=1))

    def _run(self, options: dict[str, Any]) -> dict[str, Any]:
        organisation = organisation_named(options["organisation"])
        if options["use"] == 0:
            use_no_calibration(organisation=organisation)
            return {"number": 0}
        if options["use"] is not None:
            version = CalibrationVersion.objects.filter(organisation=organisation, number=options["use"]).first()
            if version is None:
                raise MeasurementProblem("calibration_unknown", number=options["use"])
            return _shown(use_calibration(version=version))
        rows = Measurement.objects.filter(organisation=organisation).select_related("file")
        content, left_out = calibrated(rows.iterator(chunk_size=1000))
        if not content["points"]:
            raise MeasurementProblem("calibration_without_points")
        if options["dry_run"]:
            return _body(0, content, sha256_of(content)) | {"left_out": left_out}
        version = store_calibration(organisation=organisation, content=content, sha256=sha256_of(content))
        return _shown(version) | {"left_out": left_out}


def _shown(version: CalibrationVersion) -> dict[str, Any]:
    return _body(version.number, version.content, version.sha256)


def _body(number: int, content: dict[str, Any], sha256: str) -> dict[str, Any]:
    errors = {metric: content[metric]["cross_validation"] for metric in METRICS}
    return {"number": number, "sha256": sha256, "points": content["points"], "median_error_percent": errors}
