"""Names of a line against one list: the fields that count, the hits a person has cleared left out."""

from collections.abc import Iterable, Sequence
from datetime import timedelta

from quotes.compliance.names import NameHit, NameIndex, gravest, normalise
from quotes.compliance.types import Clearance, MatchDetail, ScreeningContext, ScreeningLine

CLEARANCE_DAYS = 365


def field_hits(
    index: NameIndex, named: Sequence[tuple[str, str]], line: ScreeningLine, context: ScreeningContext
) -> list[tuple[str, str, NameHit]]:
    """(field, raw text, hit) for every hit in the (field, raw text) pairs that no clearance covers."""
    found = []
    for field, raw in named:
        hits = [hit for hit in index.find(raw) if not _is_cleared(raw, hit, line, context)]
        worst = gravest(hits)
        if worst is not None:
            found.append((field, raw, worst))
    return found


def detail(field: str, raw: str, hit: NameHit) -> MatchDetail:
    return MatchDetail(
        field=field,
        raw=raw,
        normalised=hit.normalised,
        entity_id=hit.row.entity_id,
        alias=hit.alias,
        step=hit.step,
        score=round(hit.score, 1),
        strong=hit.strong,
        former=not hit.row.may_fail,
        row_hash=hit.row.row_hash,
    )


def component_class(text: str) -> str:
    """A category or part class as the rules write it: "Access Point" is access_point."""
    return "_".join(normalise(text).split())


def is_of_class(category: str, classes: frozenset[str]) -> bool:
    """Whether a category is one of `classes`, by its whole text or by its last word, singular or plural.

    The last word carries the meaning: a "network switch" is a switch, a "server rack" is a rack.
    """
    last = category.rsplit("_", 1)[-1]
    return any(text in classes for text in (category, last, category.removesuffix("s"), last.removesuffix("s")))


def _is_cleared(raw: str, hit: NameHit, line: ScreeningLine, context: ScreeningContext) -> bool:
    return any(_covers(row, raw, hit, (line.sku, line.supplier), context) for row in context.clearances)


def _covers(row: Clearance, raw: str, hit: NameHit, subjects: Iterable[str], context: ScreeningContext) -> bool:
    """A clearance dies after a year, with a change of the list row, and for any other article."""
    age = context.quote_date - row.cleared_on
    return (
        row.entity_id == hit.row.entity_id
        and row.row_hash == hit.row.row_hash
        and normalise(row.name) == normalise(raw)
        and row.subject != ""
        and row.subject in tuple(subjects)
        and timedelta(0) <= age <= timedelta(days=CLEARANCE_DAYS)
    )
