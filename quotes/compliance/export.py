"""Export hints: destination and classification. A hint asks a person; it grants no licence."""

import re
from dataclasses import replace

from quotes.compliance.matching import detail, field_hits
from quotes.compliance.origin import resolve_destination
from quotes.compliance.register import ScreeningLists
from quotes.compliance.types import Applicability, Flag, Outcome, ScreeningContext, ScreeningLine, outcome
from sizing.core.values import Message

EMBARGOED = frozenset({"CU", "IR", "KP", "RU", "BY"})
CHINA_AND_NEIGHBOURS = frozenset({"CN", "MO", "HK"})
_CONTROLLED = re.compile(r"^(?:3A090|4A090)|^[0-9][A-E][0-9]{3}\.?Z(?![A-Z])")
_CLASSIFIED = re.compile(r"^(?:EAR99|[0-9][A-E][0-9]{3}(?![0-9]).*)$")
_LABEL = re.compile(r"^(?:US)?ECCN[:#.]?")
_BETWEEN = re.compile(r"[/;,|&+]|\b(?:AND|OR|UND|ODER)\b")

type Scope = tuple[Applicability, str]


def screen_export(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> tuple[Scope, Outcome]:
    """Scope and outcome of a line that goes to `context.destination`."""
    destination = resolve_destination(context.destination, lists.origins)
    notes = _maker_notes(line, context, lists)
    if destination and lists.origins.status(destination) == "us":
        scope = (Applicability.NOT_APPLICABLE, "EXP-APP-02")
        return scope, replace(outcome("EXP-000", None, destination=destination), notes=notes)
    if not destination:
        scope = (Applicability.UNDETERMINED, "EXP-APP-03")
        return scope, replace(outcome("EXP-004", Flag.UNKNOWN, text=context.destination), notes=notes)
    said = _party_hit(line, context, lists) or _by_destination(line, destination)
    if destination in EMBARGOED:
        said = outcome("EXP-003", Flag.FAIL, destination=destination)
    return (Applicability.APPLIES, "EXP-APP-01"), replace(said, notes=notes)


def _by_destination(line: ScreeningLine, destination: str) -> Outcome:
    codes = _codes(line.eccn)
    if any(map(_CONTROLLED.match, codes)):
        return outcome("EXP-001", Flag.REVIEW, eccn=line.eccn.strip(), destination=destination)
    if not codes:
        return outcome("EXP-002", Flag.UNKNOWN, destination=destination)
    if not all(map(_CLASSIFIED.match, codes)):
        return outcome("EXP-002", Flag.UNKNOWN, "unreadable", eccn=line.eccn.strip(), destination=destination)
    if destination in CHINA_AND_NEIGHBOURS:
        return outcome("EXP-005", Flag.REVIEW, "review", eccn=line.eccn.strip(), destination=destination)
    return outcome("EXP-005", Flag.PASS, "pass", eccn=line.eccn.strip(), destination=destination)


def _codes(text: str) -> list[str]:
    """The classifications that a text names, bare: "ECCN 5A992.c / EAR 99" as 5A992.C and EAR99."""
    bare = (_LABEL.sub("", re.sub(r"\s", "", part)) for part in _BETWEEN.split(text.upper()))
    return [code for code in bare if code]


def _party_hit(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> Outcome | None:
    """A consignee, buyer, intermediary or end user on the Entity List: a licence question for a person."""
    named = [("party", party) for party in context.parties]
    hits = field_hits(lists.export_parties.index, named, line, context)
    hits = [hit for hit in hits if lists.export_parties.is_listed(hit[2].row.entity_id, context.quote_date)]
    if not hits:
        return None
    field, raw, hit = min(hits, key=lambda found: (not found[2].strong, found[2].row.entity_id))
    said = outcome("EXP-006", Flag.REVIEW, name=raw, entity=hit.row.entity_id, alias=hit.alias)
    return replace(said, match=detail(field, raw, hit))


def _maker_notes(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> tuple[Message, ...]:
    """Buying from a listed firm is not barred by the Entity List: a note, no flag."""
    named = [("manufacturer", line.manufacturer), ("brand", line.brand)]
    hits = field_hits(lists.export_parties.index, named, line, context)
    return tuple(
        Message("EXP-NOTE-MAKER", {"name": raw, "entity": hit.row.entity_id})
        for _field, raw, hit in hits
        if hit.strong and lists.export_parties.is_listed(hit.row.entity_id, context.quote_date)
    )
