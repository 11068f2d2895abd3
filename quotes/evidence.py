"""The evidence register: what somebody says about a part's origin, and which claim a quote line takes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from catalog import services as catalog
from catalog import versions
from catalog.choices import EvidenceGrade, EvidenceType
from catalog.models import OriginClaim, Part
from catalog.part_numbers import normalise_mpn
from catalog.selectors import parts
from catalog.visibility import visible
from config.accounts.models import AuditEvent, Organisation, StoredFile, User
from config.accounts.permissions import Action
from config.accounts.services import record_event, store_file
from quotes.compliance import lists
from quotes.compliance.evidence import age_fault
from quotes.compliance.origin import Origin, resolve
from quotes.compliance.types import Evidence, Flag, Regime
from quotes.errors import NotAllowed, QuoteError
from quotes.evidence_feed import FeedRow, read_feed
from quotes.models import Quote, QuoteLine, QuoteRevision, TelecomStatement
from quotes.proofs import Upload, stored_proof
from quotes.screening import evidence_of
from quotes.services import audit, editable_revision, refresh, require_role
from quotes.telecom_proof import adopt_statements
from quotes.telecom_statements import record_feed_statements

FEED_ACTION = "evidence.feed"
CLAIMS_AT_ONCE = 2_000
NEEDS_FILE = frozenset({EvidenceType.MANUFACTURER_LETTER, EvidenceType.CBP_RULING})
_GRADES = "DCBA"


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What was said about one part: text as received, by whom, on which day, with which proof."""

    mpn: str
    text: str
    evidence_type: str
    stated_by: str
    stated_on: date
    manufacturer: str = ""
    transformation_note: str = ""
    source_title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedResult:
    """How many claims a feed brought; `unknown` are the part numbers that the catalogue does not hold.

    `statements` counts what it says on Section 889 for the first time.
    """

    recorded: int
    repeated: int
    unknown: tuple[str, ...]
    statements: int = 0


def claims_for(organisation: Organisation, *, words: str = "") -> QuerySet[OriginClaim]:
    """Claims that the organisation may see, newest first."""
    rows = OriginClaim.objects.filter(visible(organisation)).select_related("part", "file").order_by("-pk")
    if words:
        number = normalise_mpn(words)
        matching = Q(part__manufacturer__icontains=words) | Q(text__icontains=words)
        rows = rows.filter(matching | Q(part__mpn_normalised__contains=number) if number else matching)
    return rows


def fault_of(claim: OriginClaim, today: date) -> str:
    """Why the claim does not count today: undated, future, stale, or "" where it counts."""
    return age_fault(evidence_of(claim.evidence_type), claim.stated_on, today)


@transaction.atomic
def record_claim(
    *, organisation: Organisation, statement: Statement, user: User, upload: Upload | None = None
) -> OriginClaim:
    """Store one claim with its letter. Raises QuoteError for an unknown part, a missing or unfit file."""
    require_role(user, organisation, Action.EDIT_PRICES)
    if statement.stated_on > timezone.localdate():
        raise QuoteError("evidence_date_ahead", date=statement.stated_on.isoformat())
    if statement.evidence_type in NEEDS_FILE and upload is None:
        raise QuoteError("evidence_letter_missing")
    part = part_named(organisation, statement.mpn, statement.manufacturer)
    stored = stored_proof(organisation, upload, user) if upload else None
    return _record(organisation, part, statement, stored, user)


@transaction.atomic
def import_feed(*, organisation: Organisation, upload: Upload, stated_by: str, user: User) -> FeedResult:
    """Record a claim for every row whose part the catalogue holds; all rows or none.

    A column on Section 889 is kept beside it, for parts that the catalogue does not hold too. A row that says the
    same again is counted and not stored. Raises QuoteError naming the first wrong row. The audit trail names the
    feed by its hash, its claims point to the file.
    """
    require_role(user, organisation, Action.EDIT_PRICES)
    if not stated_by.strip():
        raise QuoteError("evidence_feed_without_name")
    rows = read_feed(upload.content, today=timezone.localdate())
    stored = store_file(
        organisation=organisation, name=upload.name, content=upload.content, content_type="text/csv", actor=user
    )
    found = _parts_of(organisation, rows)
    versions.lock()
    said_by = stated_by.strip()[:150]
    named = [row for row in rows if row.line in found and row.says_origin]
    fresh, repeated = _new_rows(organisation, named, found, said_by)
    recorded = _record_rows(organisation, fresh, found, stored, said_by)
    if recorded:
        versions.raise_version(reason="origin claims of a feed")
    statements = record_feed_statements(organisation, rows, file=stored, said_by=said_by, user=user)
    unknown = tuple(row.mpn for row in rows if row.line not in found and row.says_origin)
    record_event(
        action=FEED_ACTION,
        object_kind="storedfile",
        object_id=stored.public_id,
        actor=user,
        organisation=organisation,
        after={
            "recorded": recorded,
            "repeated": repeated,
            "unknown": len(unknown),
            "statements": statements,
            "sha256": stored.sha256,
        },
    )
    return FeedResult(recorded=recorded, repeated=repeated, unknown=unknown, statements=statements)


def _new_rows(
    organisation: Organisation, rows: Sequence[FeedRow], found: Mapping[int, Part], said_by: str
) -> tuple[list[FeedRow], int]:
    """The rows that say something new, once each, and how many do not."""
    known = set(
        OriginClaim.objects.filter(
            organisation=organisation,
            part__in={part.pk for part in found.values()},
            evidence_type=EvidenceType.DISTRIBUTOR_FEED,
            stated_by__iexact=said_by,
        ).values_list("part_id", "text", "stated_on")
    )
    fresh = []
    for row in rows:
        key = (found[row.line].pk, row.country, row.stated_on)
        if key not in known:
            known.add(key)
            fresh.append(row)
    return fresh, len(rows) - len(fresh)


def _record_rows(
    organisation: Organisation, rows: Sequence[FeedRow], found: Mapping[int, Part], stored: StoredFile, said_by: str
) -> int:
    """Store the claims; each one supersedes what this distributor said of the part before."""
    tables = lists.load_lists().origins
    codes = {text: _code_of(resolve(text, tables)) for text in {row.country for row in rows}}
    made = OriginClaim.objects.bulk_create(
        [
            OriginClaim(
                part=found[row.line],
                text=row.country,
                evidence_type=EvidenceType.DISTRIBUTOR_FEED,
                grade=EvidenceGrade.B,
                organisation=organisation,
                country_code=codes[row.country],
                stated_by=said_by,
                stated_on=row.stated_on,
                source_title=stored.name,
                file=stored,
            )
            for row in sorted(rows, key=lambda row: row.stated_on)
        ],
        batch_size=CLAIMS_AT_ONCE,
    )
    older = OriginClaim.objects.filter(
        organisation=organisation,
        evidence_type=EvidenceType.DISTRIBUTOR_FEED,
        stated_by__iexact=said_by,
        superseded_by=None,
        part__in={claim.part_id for claim in made},
    )
    newest: dict[int, OriginClaim] = {}
    replaced = []
    for claim in older.order_by("stated_on", "pk"):
        if claim.part_id in newest:
            newest[claim.part_id].superseded_by = claim
            replaced.append(newest[claim.part_id])
        newest[claim.part_id] = claim
    OriginClaim.objects.bulk_update(replaced, ["superseded_by"], batch_size=CLAIMS_AT_ONCE)
    return len(made)


def _code_of(origin: Origin) -> str:
    return origin.candidates[0] if len(origin.candidates) == 1 and not origin.is_region else ""


def part_named(organisation: Organisation, mpn: str, manufacturer: str = "") -> Part:
    """The one part with that number. Raises QuoteError where there is none, or several without a maker."""
    rows = parts(organisation).filter(mpn_normalised=normalise_mpn(mpn)).exclude(mpn_normalised="")
    if manufacturer.strip():
        rows = rows.filter(manufacturer__iexact=manufacturer.strip())
    found = list(rows.order_by("pk"))
    if not found:
        raise QuoteError("evidence_part_unknown", mpn=mpn)
    if len({part.manufacturer.casefold() for part in found}) > 1:
        raise QuoteError("evidence_part_ambiguous", mpn=mpn)
    return next((part for part in found if part.organisation_id), found[0])


@transaction.atomic
def rescreen(*, quote: Quote, user: User) -> list[str]:
    """Take the best claims of the register into the draft's lines and screen it again.

    Returns the numbers of the lines that got another origin or proof, of Section 889 too. A claim takes a line's
    place only where it is the stronger or newer proof; without one nothing changes. Raises NotAllowed where a fail
    would go by proof that the same person recorded.
    """
    revision = editable_revision(quote, user=user)
    lines = list(revision.lines.select_for_update(no_key=True))
    failed = _failed_lines(revision)
    today = timezone.localdate()
    changed = adopt_claims(revision, lines, today=today)
    changed += adopt_statements(revision.quote.organisation, lines, today=today)
    refresh(revision)
    _refuse_own_pass(changed, failed - _failed_lines(revision), user)
    audit("quote.rescreen", quote, user, after={"revision": revision.number, "lines": changed})
    return list(dict.fromkeys(str(entry["line"]) for entry in changed))


def _failed_lines(revision: QuoteRevision) -> set[str]:
    proved = revision.findings.filter(flag=Flag.FAIL, regime__in=[Regime.TAA, Regime.S889])
    return set(proved.values_list("line__number", flat=True))


def _refuse_own_pass(changed: Sequence[Mapping[str, str]], no_longer_failed: set[str], user: User) -> None:
    """A fail that proof lifts takes two people: one records the proof, another one screens again."""
    for entry in changed:
        if entry["line"] in no_longer_failed and _recorded_by(entry["claim"], user):
            raise NotAllowed("quote_fail_to_pass_alone", line=entry["line"])


def _recorded_by(claim_id: str, user: User) -> bool:
    """Whether the person recorded the claim, alone or with a feed."""
    if TelecomStatement.objects.filter(public_id=claim_id, recorded_by=user).exists():
        return True
    own = AuditEvent.objects.filter(actor=user)
    feed = OriginClaim.objects.filter(public_id=claim_id).values_list("file__public_id", flat=True).first()
    return (
        own.filter(action="record_origin_claim", object_id=claim_id).exists()
        or own.filter(action=FEED_ACTION, object_id=str(feed)).exists()
    )


def adopt_claims(revision: QuoteRevision, lines: Sequence[QuoteLine], *, today: date) -> list[dict[str, str]]:
    """Copy the best claim into each line that it improves; one entry of the audit trail for each."""
    best = best_claims(revision.quote.organisation, lines, today=today)
    changed = []
    for line in lines:
        claims = best.get(line.number)
        if not claims or _rank(claims[0], today) <= _rank_of_line(line, today):
            continue
        claim = claims[0]
        before = f"{line.origin_raw} {line.origin_evidence}".strip()
        texts = sorted({one.text for one in claims})
        line.origin_raw = "; ".join(texts)[:200]
        line.origin_code = claim.country_code if len(texts) == 1 else ""
        line.origin_evidence = claim.evidence_type
        line.origin_evidence_date = claim.stated_on
        line.evidence_grade = claim.grade
        line.origin_evidence_sha256 = claim.file.sha256 if claim.file else ""
        line.version += 1
        line.save()
        after = f"{line.origin_raw} {line.origin_evidence}"
        changed.append({"line": line.number, "before": before, "after": after, "claim": str(claim.public_id)})
    return changed


def best_claims(
    organisation: Organisation, lines: Sequence[QuoteLine], *, today: date
) -> Mapping[str, list[OriginClaim]]:
    """By line number the best claim; several where equally good ones of one day contradict each other."""
    slugs = {line.part for line in lines if line.part}
    numbers = {normalise_mpn(line.mpn) for line in lines if line.mpn} - {""}
    rows = OriginClaim.objects.filter(visible(organisation), superseded_by=None).select_related("part", "file")
    claims = list(rows.filter(Q(part__slug__in=slugs) | Q(part__mpn_normalised__in=numbers)))
    best = {}
    for line in lines:
        fitting = [claim for claim in claims if _fits(claim.part, line) and claim.text.strip()]
        if fitting:
            top = max(_rank(claim, today) for claim in fitting)
            equal = [claim for claim in fitting if _rank(claim, today) == top]
            best[line.number] = sorted(equal, key=lambda claim: -claim.pk)
    return best


def _fits(part: Part, line: QuoteLine) -> bool:
    if line.mpn:
        same_maker = part.manufacturer.casefold() == line.manufacturer.strip().casefold()
        return same_maker and part.mpn_normalised == normalise_mpn(line.mpn)
    return bool(line.part) and part.slug == line.part


def _rank(claim: OriginClaim, today: date) -> tuple[bool, int, date]:
    """What counts today first, then the better grade, then the newer one."""
    return (fault_of(claim, today) == "", _GRADES.index(claim.grade), claim.stated_on or date.min)


def _rank_of_line(line: QuoteLine, today: date) -> tuple[bool, int, date]:
    kind = evidence_of(line.origin_evidence)
    counts = kind is not Evidence.NONE and age_fault(kind, line.origin_evidence_date, today) == ""
    return (counts, _GRADES.index(kind.grade), line.origin_evidence_date or date.min)


def _record(
    organisation: Organisation, part: Part, said: Statement, stored: StoredFile | None, user: User
) -> OriginClaim:
    origin = resolve(said.text, lists.load_lists().origins)
    claim = catalog.record_origin_claim(
        part=part,
        text=said.text,
        evidence_type=EvidenceType(said.evidence_type),
        actor=user,
        organisation=organisation,
        country_code=_code_of(origin),
        stated_by=said.stated_by,
        stated_on=said.stated_on,
        transformation_note=said.transformation_note,
        source_title=said.source_title,
        file=stored,
    )
    older = OriginClaim.objects.filter(
        organisation=organisation,
        part=part,
        evidence_type=said.evidence_type,
        stated_by__iexact=said.stated_by,
        stated_on__lte=said.stated_on,
        superseded_by=None,
    )
    older.exclude(pk=claim.pk).update(superseded_by=claim)
    return claim


def _parts_of(organisation: Organisation, rows: Sequence[FeedRow]) -> dict[int, Part]:
    """By line of the feed the one part it names; the organisation's own comes before the public one."""
    wanted = {normalise_mpn(row.mpn) for row in rows} - {""}
    by_number: dict[str, list[Part]] = {}
    for part in parts(organisation).filter(mpn_normalised__in=wanted).order_by("organisation_id", "pk"):
        by_number.setdefault(part.mpn_normalised, []).append(part)
    found = {}
    for row in rows:
        named = by_number.get(normalise_mpn(row.mpn), [])
        if row.manufacturer:
            named = [part for part in named if part.manufacturer.casefold() == row.manufacturer.casefold()]
        if named and len({part.manufacturer.casefold() for part in named}) == 1:
            found[row.line] = named[0]
    return found
