"""Listed firms of the files that a user loads: parties of the quote against all of them, makers against exclusions.

A hit is always a review: equal names may belong to two firms, and a person decides. The lists are long, so a name
is looked up by its readings (whole, and without generic or place words at its ends); only names of eight letters or
more are compared by spelling as well.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date

from rapidfuzz import fuzz

from quotes.compliance.firm_name import Name, is_blank, is_empty_word
from quotes.compliance.matching import clearance_of, cleared_note
from quotes.compliance.names import FUZZY_LETTERS_MIN, FUZZY_RATIO_MIN, SQUEEZED_LETTERS_MIN
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
type Named = tuple[str, tuple[str, ...]]  # a name, and the articles or suppliers for which it may be cleared


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

    @property
    def row_hash(self) -> str:
        """SHA-256 over what the list says about the firm under this name."""
        said = (self.kind, self.entity_id, self.source, self.name, str(self.listed_from), str(self.listed_to))
        return hashlib.sha256("\x1f".join(said).encode("utf-8", "surrogatepass")).hexdigest()

    def is_listed(self, day: date) -> bool:
        return (self.listed_from is None or self.listed_from <= day) and (
            self.listed_to is None or day <= self.listed_to
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Parties:
    """The active lists by kind, and those of their firms whose names come near a name of the quote."""

    kinds: tuple[str, ...]
    firms: tuple[ListedFirm, ...]

    def find(
        self, raw: str, day: date, kinds: Iterable[str], *, is_cleared: Callable[[ListedFirm], bool] | None = None
    ) -> tuple[ListedFirm, str, float] | None:
        """The nearest listed firm of these kinds on that day, by which step and how near; None without one."""
        if is_blank(raw):
            return None
        wanted = frozenset(kinds)
        hits = [
            (firm, step, score)
            for firm in self.firms
            if firm.kind in wanted and firm.is_listed(day)
            for step, score in _steps(raw, firm.core)
            if is_cleared is None or not is_cleared(firm)
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
    named: list[Named] = [(name, (name,)) for name in context.parties if not is_blank(name)]
    if not named:
        return scope, outcome("PARTY-005", Flag.UNKNOWN)
    said = _hit("PARTY-001", named, parties, context=context, kinds=parties.kinds)
    said = said or outcome("PARTY-003", Flag.PASS, "parties", names=len(named))
    return scope, replace(said, notes=tuple(_cleared(named, context, parties, parties.kinds)))


def screen_line_parties(line: ScreeningLine, context: ScreeningContext, parties: Parties) -> tuple[Scope, Outcome]:
    """Maker, brand, supplier and part makers against the exclusions; a maker on the other list is a note."""
    names = [line.manufacturer, line.brand, *(part.maker for part in line.components)]
    if line.line_type is LineType.SERVICE:
        names.append(line.supplier)
    subjects = (line.sku, line.supplier)
    named: list[Named] = [(name, subjects) for name in dict.fromkeys(names) if not is_blank(name)]
    notes = (*_notes(named, context, parties), *_cleared(named, context, parties, (EXCLUSIONS,)))
    said = _hit("PARTY-002", named, parties, context=context, kinds=(EXCLUSIONS,))
    if said is None:
        said = outcome("PARTY-003", Flag.PASS, "makers", names=len(named)) if named else None
    return _line_scope(context, parties), replace(said or outcome("PARTY-004", Flag.UNKNOWN), notes=notes)


def _line_scope(context: ScreeningContext, parties: Parties) -> Scope:
    if EXCLUSIONS not in parties.kinds or context.buyer_type not in _BOUND | _PERHAPS_BOUND:
        return Applicability.NOT_APPLICABLE, "PARTY-APP-03"
    if context.buyer_type in _BOUND:
        return Applicability.APPLIES, "PARTY-APP-02"
    return Applicability.UNDETERMINED, "PARTY-APP-04"


def _notes(named: Iterable[Named], context: ScreeningContext, parties: Parties) -> Iterator[Message]:
    for name, subjects in named:
        clears = _clears(name, subjects, context)
        found = parties.find(name, context.quote_date, (CONSOLIDATED,), is_cleared=clears)
        if found is not None:
            firm = found[0]
            yield Message("PARTY-NOTE-MAKER", {"name": name, "listed": firm.name, "entity": firm.entity_id})


def _clears(name: str, subjects: tuple[str, ...], context: ScreeningContext) -> Callable[[ListedFirm], bool] | None:
    """Whether a firm was found to be another one than that of the name; None where nothing was cleared."""
    if not context.clearances:
        return None
    return lambda firm: clearance_of(name, (firm.entity_id, firm.row_hash), subjects, context) is not None


def _cleared(
    named: Iterable[Named], context: ScreeningContext, parties: Parties, kinds: Iterable[str]
) -> Iterator[Message]:
    """One note for each clearance that takes a name away from a firm of these kinds."""
    if not context.clearances:
        return
    for name, subjects in named:
        rows = {(firm.entity_id, firm.row_hash) for firm in parties.firms if firm.kind in kinds}
        for row in sorted(rows):
            found = clearance_of(name, row, subjects, context)
            if found is not None:
                yield cleared_note(name, found)


def _hit(
    rule_id: str, named: Iterable[Named], parties: Parties, *, context: ScreeningContext, kinds: Iterable[str]
) -> Outcome | None:
    """The first name that a list of these kinds names."""
    for name, subjects in named:
        clears = _clears(name, subjects, context)
        found = parties.find(name, context.quote_date, kinds, is_cleared=clears)
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
            row_hash=firm.row_hash,
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
