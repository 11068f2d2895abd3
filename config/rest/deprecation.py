"""Operations on their way out: announced for twelve months by headers (RFC 9745, RFC 8594) and in the schema."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time

from django.utils.http import http_date

PAGE = "/api/v1/docs/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deprecation:
    """Since when an operation is deprecated, on which day it goes, and where it says what to use instead."""

    since: date
    until: date
    more: str = PAGE

    def __post_init__(self) -> None:
        if (self.until - self.since).days < 365:
            raise ValueError(f"an operation stays for twelve months, got {self.since} to {self.until}")

    def headers(self) -> dict[str, str]:
        """The two dates have different forms: Unix seconds after @, and an HTTP date."""
        return {
            "Deprecation": f"@{int(_midnight(self.since))}",
            "Sunset": http_date(_midnight(self.until)),
            "Link": f'<{self.more}>; rel="deprecation"; type="text/html"',
        }


def _midnight(day: date) -> float:
    return datetime.combine(day, time(), UTC).timestamp()
