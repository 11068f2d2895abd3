"""Names of a line against one list: the fields that count, the hits a person has cleared left out."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import timedelta

from quotes.compliance.firm_name import normalise
from quotes.compliance.names import NameHit, NameIndex, gravest
from quotes.compliance.types import Clearance, MatchDetail, ScreeningContext, ScreeningLine
from quotes.compliance.words import word_set
from sizing.core.values import Message

CLEARANCE_DAYS = 365
_DETAILS = re.compile(r"[(,;]")
_CARRIERS = word_set(
    "chip chips module modules controller processor card cards adapter adapters board boards interface unit units ic "
    "phy equipment system systems kit kits device devices gear"
)


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
    """A category or part class as the rules write it: "Access Point (Wi-Fi 6)" is access_point."""
    return "_".join(normalise(_DETAILS.split(text, maxsplit=1)[0]).split())


def is_of_class(category: str, classes: frozenset[str]) -> bool:
    """Whether a category is one of `classes`, by its whole text or by its last words, singular or plural.

    The last words carry the meaning: a "network switch" is a switch, a "server rack" is a rack.
    """
    words = category.split("_")
    endings = ["_".join(words[at:]) for at in range(len(words))]
    return any(
        text in classes for ending in endings for text in (ending, ending.removesuffix("s"), ending.removesuffix("es"))
    )


def without_carrier(part_class: str) -> str:
    """The class without the words on what carries the function: "bmc chip" as bmc, "network card" as network."""
    words = part_class.split("_")
    while len(words) > 1 and (words[-1] in _CARRIERS or words[-1].isdigit()):
        words.pop()
    return "_".join(words)


def clearance_of(
    raw: str, row: tuple[str, str], subjects: Iterable[str], context: ScreeningContext
) -> Clearance | None:
    """The clearance that takes a name away from a list row, given as its id and hash; None without one.

    A clearance dies after a year, with a change of the list row, and for any other article.
    """
    subjects = tuple(subjects)
    return next((one for one in context.clearances if _covers(one, raw, row, subjects, context)), None)


def cleared_notes(index: NameIndex, line: ScreeningLine, context: ScreeningContext) -> Iterator[Message]:
    """One note for each name of the line that a clearance took away from a row of this list."""
    if not context.clearances:
        return
    names = (line.manufacturer, line.brand, line.supplier, *(part.maker for part in line.components))
    for raw in dict.fromkeys(name for name in names if name):
        for hit in index.find(raw):
            found = clearance_of(raw, (hit.row.entity_id, hit.row.row_hash), (line.sku, line.supplier), context)
            if found is not None:
                yield cleared_note(raw, found)


def cleared_note(raw: str, row: Clearance) -> Message:
    return Message("NAME-CLEARED", {"name": raw, "entity": row.entity_id, "on": row.cleared_on.isoformat()})


def _is_cleared(raw: str, hit: NameHit, line: ScreeningLine, context: ScreeningContext) -> bool:
    row = (hit.row.entity_id, hit.row.row_hash)
    return clearance_of(raw, row, (line.sku, line.supplier), context) is not None


def _covers(
    one: Clearance, raw: str, row: tuple[str, str], subjects: tuple[str, ...], context: ScreeningContext
) -> bool:
    return (
        (one.entity_id, one.row_hash) == row
        and normalise(one.name) == normalise(raw)
        and one.subject != ""
        and one.subject in subjects
        and timedelta(0) <= context.quote_date - one.cleared_on <= timedelta(days=CLEARANCE_DAYS)
    )
