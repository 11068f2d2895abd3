"""The document of a quote from a result's option or a bill of materials, without a database."""

import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from quotes.document import build_document
from quotes.errors import QuoteError
from quotes.exports.registry import FORMATS
from quotes.offline import content_from_option
from quotes.pricing import PricingError
from sizing.messages import render

EXIT_BAD_INPUT = 2


class Command(BaseCommand):
    help = "Write the document of a quote made from an option or a bill of materials (JSON)."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="option, result or bill as JSON; - reads stdin")
        parser.add_argument("--format", required=True, choices=sorted(FORMATS))
        parser.add_argument("-o", "--output", required=True, help="file to write; - writes to stdout")
        parser.add_argument("--language", default="en", choices=["de", "en"])
        parser.add_argument("--as-of", default="", help="day of the quote, YYYY-MM-DD; today where absent")

    def handle(self, *_args: Any, **options: Any) -> None:
        try:
            data = json.loads(_read(options["file"]))
            today = date.fromisoformat(options["as_of"]) if options["as_of"] else timezone.localdate()
            content = content_from_option(data, language=options["language"], today=today)
        except QuoteError as error:
            self._refuse(error.code, render(error.message))
        except PricingError as error:
            self._refuse("quote_not_priced", str(error))
        except (json.JSONDecodeError, UnicodeDecodeError) as error:
            self._refuse("malformed_json", f"The file is not valid JSON: {error}")
        except ValueError as error:
            self._refuse("invalid", str(error))
        except OSError as error:
            self._refuse("file_unreadable", f"{options['file']}: {error.strerror}")
        made = FORMATS[options["format"]].make(build_document(content))
        if options["output"] == "-":
            sys.stdout.buffer.write(made)
        else:
            Path(options["output"]).write_bytes(made)

    def _refuse(self, code: str, detail: str) -> None:
        """A problem document (RFC 9457) on stderr and exit code 2."""
        problem = {
            "type": f"urn:kvote:problem:{code}",
            "title": "The quote cannot be made",
            "status": 422,
            "detail": detail,
            "errors": [{"pointer": "", "code": code, "detail": detail}],
        }
        self.stderr.write(json.dumps(problem, ensure_ascii=False))
        sys.exit(EXIT_BAD_INPUT)


def _read(name: str) -> str:
    return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
