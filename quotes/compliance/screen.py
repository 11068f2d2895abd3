"""Screening of quote lines: what is known, what is unknown, and which person must settle what.

Pure and deterministic: the same lines, context, lists and engine give the same findings. It screens;
it certifies nothing, decides no transformation and grants no exception.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from datetime import date
from decimal import Decimal
from functools import cache, lru_cache

from quotes.compliance import applicability
from quotes.compliance.chips import screen_chips
from quotes.compliance.export import screen_export
from quotes.compliance.matching import cleared_notes
from quotes.compliance.military import screen_military
from quotes.compliance.parties import screen_line_parties, screen_quote_parties
from quotes.compliance.register import ScreeningLists
from quotes.compliance.s889 import screen_part_b, screen_telecom
from quotes.compliance.taa import screen_origin
from quotes.compliance.types import (
    ENGINE_VERSION,
    SHIPPED,
    Applicability,
    Component,
    Finding,
    Flag,
    Outcome,
    QuoteScreening,
    Regime,
    RollUp,
    ScreeningContext,
    ScreeningLine,
)
from sizing.core.values import Message

__all__ = [
    "ENGINE_VERSION",
    "Applicability",
    "Component",
    "Finding",
    "Flag",
    "QuoteScreening",
    "Regime",
    "RollUp",
    "ScreeningContext",
    "ScreeningLine",
    "ScreeningLists",
    "roll_up",
    "screen_line",
    "screen_quote",
    "screened_by",
]

type Known = dict[tuple[ScreeningLine, ScreeningContext], tuple[Finding, ...]]

GRAVITY = (Flag.FAIL, Flag.REVIEW, Flag.UNKNOWN, Flag.PASS)
QUOTE_LINE_ID = ""  # a finding about the seller belongs to no line


def screen_line(line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists) -> tuple[Finding, ...]:
    """One finding per regime, in the order of `Regime`; that of PARTIES only where a list of parties is loaded."""
    digest = input_hash([line], context, lists)
    return tuple(_finding(regime, line, context, lists, digest=digest) for regime in regimes_of(lists))


def screen_quote(
    lines: Sequence[ScreeningLine], context: ScreeningContext, lists: ScreeningLists, *, known: Known | None = None
) -> QuoteScreening:
    """Every line under every regime, the seller's part B question, and the headline of each regime.

    `known` keeps findings between quotes under the same lists, as options of one run repeat their lines; they
    then carry no hash of their line alone. Raises ValueError where two lines carry one id.
    """
    ids = [line.line_id for line in lines]
    if len(set(ids)) != len(ids):
        raise ValueError("two lines have one id")
    digest = input_hash(lines, context, lists)
    if known is None:
        by_line = [screen_line(line, context, lists) for line in lines]
    else:
        by_line = [_known_line(line, context, lists, known) for line in lines]
    findings = tuple(finding for group in by_line for finding in group)
    findings += (_part_b_finding(context, lists, digest),)
    if lists.parties is not None:
        scope, said = screen_quote_parties(context, lists.parties)
        findings += (
            _assemble(Regime.PARTIES, QUOTE_LINE_ID, scope, said, context=context, lists=lists, digest=digest),
        )
    roll_ups = {
        regime: roll_up((one.applicability, one.flag) for one in findings if one.regime is regime)
        for regime in regimes_of(lists)
    }
    return QuoteScreening(findings=findings, roll_ups=roll_ups, input_hash=digest)


def _known_line(
    line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists, known: Known
) -> tuple[Finding, ...]:
    key = (line, context)
    if key not in known:
        known[key] = tuple(_finding(regime, line, context, lists, digest="") for regime in regimes_of(lists))
    return known[key]


def regimes_of(lists: ScreeningLists) -> tuple[Regime, ...]:
    """The regimes that these lists can answer."""
    return SHIPPED if lists.parties is None else (*SHIPPED, Regime.PARTIES)


def roll_up(results: Iterable[tuple[Applicability, Flag | None]]) -> RollUp:
    """The headline over (applicability, flag) of every line.

    Findings that apply or are undetermined count, the gravest wins (Q-001), all pass is pass (Q-002).
    Nothing in scope gives no flag (Q-003). A line in scope without a flag counts as unknown.
    """
    results = list(results)
    in_scope = [(scope, flag or Flag.UNKNOWN) for scope, flag in results if scope is not Applicability.NOT_APPLICABLE]
    counts = Counter(flag for _scope, flag in in_scope)
    shown = {flag.value: counts.get(flag, 0) for flag in GRAVITY}
    out_of_scope = len(results) - len(in_scope)
    if not in_scope:
        return RollUp(
            applicability=Applicability.NOT_APPLICABLE,
            flag=None,
            rule_id="Q-003",
            counts=shown,
            out_of_scope=out_of_scope,
        )
    applies = any(scope is Applicability.APPLIES for scope, _flag in in_scope)
    worst = next(flag for flag in GRAVITY if counts[flag])
    return RollUp(
        applicability=Applicability.APPLIES if applies else Applicability.UNDETERMINED,
        flag=worst,
        rule_id="Q-002" if worst is Flag.PASS else "Q-001",
        counts=shown,
        out_of_scope=out_of_scope,
    )


def input_hash(lines: Sequence[ScreeningLine], context: ScreeningContext, lists: ScreeningLists) -> str:
    """SHA-256 over the canonical form of everything that a result depends on."""
    stated = {regime.value: version.sha256 for regime, version in sorted(lists.versions.items())}
    # the keys of the whole in their order; the context is the same for every line of a quote
    canonical = (
        f'{{"context":{_canonical_context(context)},"engine":{_canonical(ENGINE_VERSION)},'
        f'"lines":{_canonical(list(lines))},"lists":{_canonical(stated)}}}'
    )
    return "sha256:" + hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()


@lru_cache(maxsize=16)
def _canonical_context(context: ScreeningContext) -> str:
    return _canonical(context)


def _canonical(value: object) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_plain)


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


def screened_by(lists: ScreeningLists) -> str:
    """The engine and the state of each list: what a screening of unchanged lines depends on."""
    stated = [f"{regime.value}:{version.sha256}" for regime, version in sorted(lists.versions.items())]
    return " ".join([ENGINE_VERSION, *stated])


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return {name: getattr(value, name) for name in _names(type(value))}
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return format(value.normalize(), "f")
    raise TypeError(f"no canonical form for {type(value).__name__}")


def _finding(
    regime: Regime, line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists, *, digest: str
) -> Finding:
    scope, said = _screen(regime, line, context, lists)
    return _assemble(regime, line.line_id, scope, said, context=context, lists=lists, digest=digest)


def _screen(
    regime: Regime, line: ScreeningLine, context: ScreeningContext, lists: ScreeningLists
) -> tuple[tuple[Applicability, str], Outcome]:
    if regime is Regime.TAA:
        return applicability.of_taa(context, line.line_type, lists), screen_origin(line, context, lists)
    if regime is Regime.S889:
        said = _noted(screen_telecom(line, context, lists), cleared_notes(lists.s889, line, context))
        return applicability.of_s889(context), said
    if regime is Regime.S5949:
        said = _noted(screen_chips(line, context, lists), cleared_notes(lists.s5949, line, context))
        return applicability.of_s5949(context, line.line_type), said
    if regime is Regime.S1260H:
        said = _noted(screen_military(line, context, lists), cleared_notes(lists.s1260h.index, line, context))
        return applicability.of_s1260h(context), said
    if regime is Regime.PARTIES and lists.parties is not None:
        return screen_line_parties(line, context, lists.parties)
    return screen_export(line, context, lists)


def _noted(said: Outcome, notes: Iterable[Message]) -> Outcome:
    added = tuple(notes)
    return replace(said, notes=(*said.notes, *added)) if added else said


def _part_b_finding(context: ScreeningContext, lists: ScreeningLists, digest: str) -> Finding:
    scope = applicability.of_part_b(context)
    said = screen_part_b(context)
    return _assemble(Regime.S889, QUOTE_LINE_ID, scope, said, context=context, lists=lists, digest=digest)


def _assemble(
    regime: Regime,
    line_id: str,
    scope: tuple[Applicability, str],
    said: Outcome,
    *,
    context: ScreeningContext,
    lists: ScreeningLists,
    digest: str,
) -> Finding:
    version = lists.versions[regime]
    said = _with_list_age(said, context, version.version, version.next_check_due)
    return Finding(
        line_id=line_id,
        regime=regime,
        applicability=scope[0],
        applicability_id=scope[1],
        flag=said.flag,
        rule_id=said.rule_id,
        reason=said.reason,
        citation=lists.citation(said.rule_id, context.quote_date),
        origin=said.origin,
        evidence=said.evidence,
        match=said.match,
        notes=said.notes,
        list_version=version.version,
        list_sha256=version.sha256,
        input_hash=digest,
    )


def _with_list_age(said: Outcome, context: ScreeningContext, version: str, due: date | None) -> Outcome:
    """A pass under a list whose check is overdue on the day of the screening is a review."""
    today = context.screened_on
    if said.flag is not Flag.PASS or today is None or due is None or today <= due:
        return said
    params: Mapping[str, str] = {"list": version, "due": due.isoformat()}
    return replace(said, flag=Flag.REVIEW, notes=(*said.notes, Message("LIST-OVERDUE", params)))
