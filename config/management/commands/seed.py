"""`manage.py seed`: load the data that Kvote ships; may run again at any time."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from catalog.seed.files import DATA_DIR
from catalog.seed.load import SeedFailed, load_seed


class Command(BaseCommand):
    help = "Load accelerators, servers, parts, prices and the rest of the shipped catalogue."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--data", type=Path, default=DATA_DIR, help="folder with the CSV files")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            report = load_seed(options["data"])
        except SeedFailed as error:
            self.stderr.write("\n".join(error.report.lines()))
            raise CommandError("nothing was loaded: the files hold errors") from error
        if options["verbosity"] > 0:
            self.stdout.write("\n".join(report.lines()))
