"""What is open on a revision, judged today with its organisation's limits."""

from collections.abc import Iterator, Mapping
from typing import Any

from quotes.completeness import Limits, OpenItem, open_items
from quotes.content import content_of
from quotes.exports.glyphs import missing_signs
from quotes.models import QuoteRevision
from quotes.today import today_of
from sizing.core.values import Message

MOST_SIGNS = 8


def open_items_of(revision: QuoteRevision, *, content: Mapping[str, Any] | None = None) -> list[OpenItem]:
    """What is open before the lock, judged today with the organisation's limits."""
    organisation = revision.quote.organisation
    limits = Limits(
        price_max_age_days=organisation.price_max_age_days,
        lead_time_max_age_days=organisation.lead_time_max_age_days,
        today=today_of(organisation),
    )
    stated = content or content_of(revision)
    return [*open_items(stated, limits), *_unprintable(stated)]


def _unprintable(content: Mapping[str, Any]) -> Iterator[OpenItem]:
    """Texts with signs that no font of the documents holds: told before the lock, never printed as boxes unseen."""
    for place, words in _printed_texts(content):
        if signs := missing_signs(words):
            line = place.removeprefix("line-") if place.startswith("line-") else ""
            code = "open_signs_line" if line else "open_signs"
            shown = " ".join(f"{sign} (U+{ord(sign):04X})" for sign in signs[:MOST_SIGNS])
            message = Message(code, {"line": line, "signs": shown})
            yield OpenItem(message=message, place=place, line=line, rule="signs", blocking=False)


def _printed_texts(content: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for place, group in (("quotation", "quote"), ("seller", "seller"), ("buyer", "buyer"), ("terms", "terms")):
        yield place, " ".join(str(value) for value in content[group].values() if isinstance(value, str))
    yield "terms", str(content.get("cover_letter") or "")
    for line in content["lines"]:
        texts = (line[key] for key in ("section_title", "manufacturer", "mpn", "seller_pn", "description", "warranty"))
        yield f"line-{line['number']}", " ".join((*texts, line["origin"]["raw"]))
