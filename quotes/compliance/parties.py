"""Listed firms of the files that a user loads: parties of the quote against all of them, makers against exclusions.

A hit is always a review: equal names may belong to two firms, and a person decides. The lists are long, so a name
is looked up by its readings (whole, and without generic or place words at its ends); only names of eight letters or
more are compared by spelling as well.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from rapidfuzz import fuzz

from quotes.compliance.names import (
    FUZZY_LETTERS_MIN,
    FUZZY_RATIO_MIN,
    SQUEEZED_LETTERS_MIN,
    Name,
    is_blank,
    is_empty_word,
)
from quotes.compliance.types import (
    Applicability,
    BuyerType,
    Flag,
    LineType,
    MatchDetail,
    Outcome,
    ScreeningContext,
    ScreeningLine,
    outcome,
)
from sizing.core.values import Message

CONSOLIDATED = "csl"
EXCLUSIONS = "sam"
_BOUND = frozenset({BuyerType.FEDERAL_CIVILIAN, BuyerType.DOD, BuyerType.GSA_MAS})
_PERHAPS_BOUND = frozenset({BuyerType.SUBCONTRACTOR, BuyerType.GRANT, BuyerType.STATE_LOCAL, BuyerType.UNKNOWN})

type Scope = tuple[Applicability, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedFirm:
    """One name of one firm on one list. `core` is the name as the matcher reads it."""

    kind: str
    entity_id: str
    source: str
    name: str
    core: str
    listed_from: date | None = None
    listed_to: date | None = None

    def is_listed(self, day: date) -> bool:
        return (self.listed_from is None or self.listed_from <= day) and (
            self.listed_to is None or day <= self.listed_to
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """The active lists by kind, and those of their firms whose names come near a name of the quote."""

    kinds: tuple[str, ...]
    firms: tuple[ListedFirm, ...]

    def find(self, raw: str, day: date, kinds: Iterable[str]) -> tuple[ListedFirm, str, float] | None:
        """The nearest listed firm of these kinds on that day, by which step and how near; None without one."""
        if is_blank(raw):
            return None
        wanted = frozenset(kinds)
        hits = [
            (firm, step, score)
            for firm in self.firms
            if firm.kind in wanted and firm.is_listed(day)
            for step, score in _steps(raw, firm.core)
        ]
        return min(hits, key=lambda hit: (-hit[2], hit[1], hit[0].kind, hit[0].entity_id, hit[0].name), default=None)


def readings(raw: str) -> tuple[str, ...]:
    """The cores under which a name is looked up: whole, and without generic and place words at its ends.

    A shortened reading keeps two words or seven letters, so that no common word stands for a firm.
    """
    tokens = Name.read(raw).tokens
    found = [tokens]
    while tokens and is_empty_word(tokens[-1]):
        tokens = tokens[:-1]
        found.append(tokens)
    while tokens and is_empty_word(tokens[0]):
        tokens = tokens[1:]
        found.append(tokens)
    return tuple(dict.fromkeys(" ".join(each) for each in found if each == found[0] or _says_enough(each)))


def squeezed(core: str) -> str:
    """The core without blanks where it is long enough to be looked up that way, else ""."""
    bare = core.replace(" ", "")
    return bare if len(bare) >= SQUEEZED_LETTERS_MIN else ""


def is_spelling_compared(core: str) -> bool:
    """Whether a name is long enough to be compared by spelling."""
    return len(core) >= FUZZY_LETTERS_MIN and core.isascii()


def screen_quote_parties(context: ScreeningContext, parties: Parties) -> tuple[Scope, Outcome]:
    """Buyer, consignee, intermediary and end user against every list loaded."""
    scope = (Applicability.APPLIES, "PARTY-APP-01")
    named = [name for name in context.parties if not is_blank(name)]
    if not named:
        return scope, outcome("PARTY-005", Flag.UNKNOWN)
    said = _hit("PARTY-001", named, parties, day=context.quote_date, kinds=parties.kinds)
    return scope, said or outcome("PARTY-003", Flag.PASS, "parties", names=len(named))


def screen_line_parties(line: ScreeningLine, context: ScreeningContext, parties: Parties) -> tuple[Scope, Outcome]:
    """Maker, brand, supplier and part makers against the exclusions; a maker on the other list is a note."""
    names = [line.manufacturer, line.brand, *(part.maker for part in line.components)]
    if line.line_type is LineType.SERVICE:
        names.append(line.supplier)
    named = [name for name in dict.fromkeys(names) if not is_blank(name)]
    notes = tuple(_notes(named, context, parties))
    said = _hit("PARTY-002", named, parties, day=context.quote_date, kinds=(EXCLUSIONS,))
    if said is None:
        said = outcome("PARTY-003", Flag.PASS, "makers", names=len(named)) if named else None
    return _line_scope(context, parties), replace(said or outcome("PARTY-004", Flag.UNKNOWN), notes=notes)


def _line_scope(context: ScreeningContext, parties: Parties) -> Scope:
    if EXCLUSIONS not in parties.kinds or context.buyer_type not in _BOUND | _PERHAPS_BOUND:
        return Applicability.NOT_APPLICABLE, "PARTY-APP-03"
    if context.buyer_type in _BOUND:
        return Applicability.APPLIES, "PARTY-APP-02"
    return Applicability.UNDETERMINED, "PARTY-APP-04"


def _notes(named: Iterable[str], context: ScreeningContext, parties: Parties) -> Iterator[Message]:
    for name in named:
        found = parties.find(name, context.quote_date, (CONSOLIDATED,))
        if found is not None:
            firm = found[0]
            yield Message("PARTY-NOTE-MAKER", {"name": name, "listed": firm.name, "entity": firm.entity_id})


def _hit(rule_id: str, named: Iterable[str], parties: Parties, *, day: date, kinds: Iterable[str]) -> Outcome | None:
    """The first name that a list of these kinds names."""
    for name in named:
        found = parties.find(name, day, kinds)
        if found is None:
            continue
        firm, step, score = found
        said = outcome(
            rule_id, Flag.REVIEW, firm.kind, name=name, listed=firm.name, entity=firm.entity_id, source=firm.source
        )
        match = MatchDetail(
            field="party" if rule_id == "PARTY-001" else "manufacturer",
            raw=name,
            normalised=Name.read(name).core,
            entity_id=firm.entity_id,
            alias=firm.name,
            step=step,
            score=round(score, 1),
            strong=step == "equal",
            former=False,
            row_hash="",
        )
        return replace(said, match=match)
    return None


def _steps(raw: str, core: str) -> Iterator[tuple[str, float]]:
    whole = Name.read(raw).core
    if whole == core:
        yield "equal", 100.0
        return
    read = readings(raw)
    if core in read:
        yield "phrase", 99.0
    elif squeezed(whole) and squeezed(whole) == squeezed(core):
        yield "squeezed", 98.0
    elif is_spelling_compared(core) and is_spelling_compared(whole):
        score = fuzz.ratio(whole, core)
        if score >= FUZZY_RATIO_MIN:
            yield "fuzzy", score


def _says_enough(tokens: tuple[str, ...]) -> bool:
    return len(tokens) > 1 or sum(map(len, tokens)) >= SQUEEZED_LETTERS_MIN
