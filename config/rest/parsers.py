"""Reading bodies. What cannot be read is named with its place, and with what to send instead."""

import codecs
import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext as _
from rest_framework.parsers import JSONParser as PlainJSONParser

from config.rest.errors import Refusal


class UnreadableBody(Refusal):
    """400: not JSON; the words name line and column."""


class JSONParser(PlainJSONParser):
    """JSON in UTF-8, without NaN and Infinity and without the same name twice in one object."""

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        encoding = (parser_context or {}).get("encoding", "utf-8")
        try:
            text = codecs.decode(stream.read(), encoding)
            return json.loads(text, parse_constant=_no_constant)
        except json.JSONDecodeError as error:
            raise _unreadable(error.lineno, error.colno, error.doc[error.pos : error.pos + 20]) from None
        except (UnicodeDecodeError, LookupError):
            raise UnreadableBody(_("The body is not text in UTF-8. Send JSON in UTF-8.")) from None
        except RecursionError:
            raise UnreadableBody(_("The body is nested too deeply. Send a flatter one.")) from None
        except ValueError as error:
            words = _("%(value)s is not JSON. Send a number, or null where it is not known.")
            raise UnreadableBody(words % {"value": str(error)[:50]}) from None


def _no_constant(name: str) -> Any:
    raise ValueError(name)


def _unreadable(line: int, column: int, found: str) -> UnreadableBody:
    place = {"line": line, "column": column}
    if not found:
        words = _("The body ends at line %(line)d, column %(column)d, before the JSON is complete. Send all of it.")
        return UnreadableBody(words % place)
    words = _(
        "The body is not JSON at line %(line)d, column %(column)d, where it says %(found)s. "
        "Check quotes, commas and brackets there."
    )
    return UnreadableBody(words % {**place, "found": json.dumps(found, ensure_ascii=False)})
