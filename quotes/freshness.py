"""What open quotes depend on: each copied price with its source and day, oldest first, and what is stale or open."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from quotes.choices import LineKind, PriceState, QuoteState
from quotes.models import Quote, QuoteLine
from quotes.printing.words import description

OPEN_STATES = (QuoteState.DRAFT, QuoteState.IN_REVIEW, QuoteState.APPROVED)
WITHOUT_PRICE = (LineKind.INCLUDED, LineKind.DISCOUNT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """One line of an open quote: its price's source and day (None: open), and whether it is too old."""

    line: QuoteLine
    age_days: int | None
    is_stale: bool

    @property
    def name(self) -> str:
        """Maker and part number; without one the description in the reader's language."""
        worded = {"description": self.line.description, "description_message": self.line.description_message}
        return f"{self.line.manufacturer} {self.line.mpn or description(worded)}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteFreshness:
    """An open quote with its dependencies, the oldest first; open prices come before all."""

    quote: Quote
    dependencies: Sequence[Dependency]

    @property
    def stale(self) -> int:
        return sum(each.is_stale for each in self.dependencies)

    @property
    def open(self) -> int:
        return sum(each.age_days is None for each in self.dependencies)


def open_quotes(quotes: Sequence[Quote], *, today: date) -> list[QuoteFreshness]:
    """The quotes by how much in them is open or stale, most first. Lines are read with one query for all."""
    revisions = {quote.current_revision_id: quote for quote in quotes}
    lines: dict[int, list[Dependency]] = {key: [] for key in revisions if key is not None}
    rows = QuoteLine.objects.filter(revision__in=list(lines)).exclude(kind__in=WITHOUT_PRICE).order_by("position")
    for line in rows:
        limit = revisions[line.revision_id].organisation.price_max_age_days
        firm = line.price_state == PriceState.FIRM and line.price_date is not None
        age = (today - line.price_date).days if firm and line.price_date else None
        is_stale = age is not None and age > limit
        lines[line.revision_id].append(Dependency(line=line, age_days=age, is_stale=is_stale))
    found = [
        QuoteFreshness(quote=quote, dependencies=sorted(lines.get(key or 0, ()), key=_oldest_first))
        for key, quote in revisions.items()
    ]
    return sorted(found, key=lambda each: (-each.open - each.stale, each.quote.number))


def _oldest_first(each: Dependency) -> tuple[bool, int]:
    return each.age_days is not None, -(each.age_days or 0)
