"""What makers and suppliers say on Section 889: their letters, and what distributors' feeds repeat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from catalog.choices import EvidenceType
from catalog.part_numbers import normalise_mpn
from config.accounts.models import Organisation, StoredFile, User
from config.accounts.permissions import Action
from config.accounts.services import record_event
from quotes.choices import StatementSays, StatementScope
from quotes.compliance.firm_name import is_blank
from quotes.errors import QuoteError
from quotes.evidence_feed import FeedRow
from quotes.models import TelecomStatement
from quotes.proofs import Upload, stored_proof
from quotes.services import require_role
from quotes.telecom_proof import firm_core

AT_ONCE = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A letter: whose, on what, what it says, on which day, under which clause or form."""

    firm: str
    says: str
    stated_on: date
    stated_by: str
    mpn: str = ""
    clause: str = ""
    text: str = ""

    @property
    def scope(self) -> StatementScope:
        return StatementScope.PART if self.mpn.strip() else StatementScope.MAKER


def statements_for(organisation: Organisation, *, words: str = "") -> QuerySet[TelecomStatement]:
    """Statements of the organisation, newest first; `words` searches firm and part number."""
    rows = TelecomStatement.objects.filter(organisation=organisation).select_related("file", "recorded_by")
    if words:
        number = normalise_mpn(words)
        matching = Q(firm__icontains=words)
        rows = rows.filter(matching | Q(mpn_normalised__contains=number) if number else matching)
    return rows


@transaction.atomic
def record_statement(*, organisation: Organisation, said: Said, user: User, upload: Upload | None) -> TelecomStatement:
    """Store one letter; the earlier ones of that firm on that subject are superseded.

    Raises QuoteError without a firm or a file, for a date ahead, and for a letter that is read as neither.
    """
    require_role(user, organisation, Action.EDIT_PRICES)
    _refuse_unfit(said)
    if upload is None:
        raise QuoteError("evidence_letter_missing")
    made = TelecomStatement.objects.create(
        organisation=organisation,
        firm=said.firm.strip(),
        firm_core=firm_core(said.firm),
        scope=said.scope,
        mpn=said.mpn.strip(),
        mpn_normalised=normalise_mpn(said.mpn),
        says=said.says,
        text=said.text.strip(),
        clause=said.clause.strip(),
        evidence_type=EvidenceType.MANUFACTURER_LETTER,
        stated_by=said.stated_by.strip(),
        stated_on=said.stated_on,
        file=stored_proof(organisation, upload, user),
        recorded_by=user,
    )
    _supersede(made)
    record_event(
        action="telecom_statement.record",
        object_kind="telecomstatement",
        object_id=made.public_id,
        actor=user,
        organisation=organisation,
        after={
            "firm": made.firm,
            "part": made.mpn,
            "says": made.says,
            "on": made.stated_on,
            "sha256": made.file.sha256,
        },
    )
    return made


def _refuse_unfit(said: Said) -> None:
    if is_blank(said.firm):
        raise QuoteError("statement_without_firm")
    if said.stated_on > timezone.localdate():
        raise QuoteError("evidence_date_ahead", date=said.stated_on.isoformat())
    if said.says not in (StatementSays.NONE, StatementSays.SOME):
        raise QuoteError("statement_says_neither")
    if said.mpn.strip() and not normalise_mpn(said.mpn):
        raise QuoteError("evidence_part_unknown", mpn=said.mpn)


def _supersede(made: TelecomStatement) -> None:
    """The newest letter of a firm on a subject counts: older ones point to it, an older one that comes late to them."""
    peers = TelecomStatement.objects.filter(
        organisation=made.organisation,
        firm_core=made.firm_core,
        mpn_normalised=made.mpn_normalised,
        evidence_type=made.evidence_type,
        superseded_by=None,
    ).exclude(pk=made.pk)
    newer = peers.filter(stated_on__gt=made.stated_on).order_by("-stated_on").first()
    if newer is not None:
        made.superseded_by = newer
        made.save(update_fields=["superseded_by"])
        return
    peers.update(superseded_by=made)


def record_feed_statements(
    organisation: Organisation, rows: Sequence[FeedRow], *, file: StoredFile, said_by: str, user: User
) -> int:
    """What a feed says on Section 889, as received; returns how much of it is new. Rows without a maker are left out.

    Each row supersedes what this distributor said of the article before.
    """
    stated = {(firm_core(row.manufacturer), normalise_mpn(row.mpn)): row for row in rows if _says_something(row)}
    peers = TelecomStatement.objects.filter(
        organisation=organisation,
        evidence_type=EvidenceType.DISTRIBUTOR_FEED,
        stated_by__iexact=said_by,
        superseded_by=None,
        firm_core__in={firm for firm, _number in stated},
    )
    older = {(peer.firm_core, peer.mpn_normalised): peer for peer in peers}
    fresh = {key: row for key, row in stated.items() if _is_new(row, older.get(key))}
    said = {"organisation": organisation, "stated_by": said_by, "file": file, "recorded_by": user}
    rows_made = [_of_row(row, core, number, said) for (core, number), row in fresh.items()]
    made = TelecomStatement.objects.bulk_create(rows_made, batch_size=AT_ONCE)
    replaced = []
    for one in made:
        before = older.get((one.firm_core, one.mpn_normalised))
        if before is not None:
            before.superseded_by = one
            replaced.append(before)
    TelecomStatement.objects.bulk_update(replaced, ["superseded_by"], batch_size=AT_ONCE)
    return len(made)


def _of_row(row: FeedRow, core: str, number: str, said: Mapping[str, Any]) -> TelecomStatement:
    return TelecomStatement(
        firm=row.manufacturer,
        firm_core=core,
        scope=StatementScope.PART,
        mpn=row.mpn,
        mpn_normalised=number,
        says=StatementSays.UNCLEAR,
        text=row.s889,
        evidence_type=EvidenceType.DISTRIBUTOR_FEED,
        stated_on=row.stated_on,
        **said,
    )


def _says_something(row: FeedRow) -> bool:
    return bool(row.s889 and normalise_mpn(row.mpn) and not is_blank(row.manufacturer))


def _is_new(row: FeedRow, before: TelecomStatement | None) -> bool:
    return (
        before is None
        or row.stated_on > before.stated_on
        or (row.stated_on == before.stated_on and row.s889 != before.text)
    )
