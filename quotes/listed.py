"""Lists of listed parties in use, and their part in a screening: read only."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import Q, QuerySet

from config.accounts.models import Organisation
from quotes.choices import PartyListKind, PartyListState
from quotes.compliance import parties
from quotes.compliance.firm_name import Name, is_blank
from quotes.compliance.parties import ListedFirm, Parties
from quotes.compliance.register import ScreeningLists
from quotes.compliance.types import ListVersion, Regime
from quotes.models import PartyList, PartyName

# How long a list counts as checked: the Consolidated Screening List changes weekly, FAR 52.204-25 asks for SAM
# every three months at most.
CHECK_DAYS = {PartyListKind.CSL: 7, PartyListKind.SAM: 90}
_SIMILAR_MIN = 0.45  # one sign added to eight letters leaves 0.54 of the trigrams; the spelling is compared afterwards


def lists_of(organisation: Organisation) -> QuerySet[PartyList]:
    """Every version the organisation loaded, newest first."""
    return PartyList.objects.filter(organisation=organisation).select_related("file", "loaded_by", "activated_by")


def active_lists(organisation: Organisation) -> list[PartyList]:
    """The versions in use, by kind."""
    rows = lists_of(organisation).filter(state=PartyListState.ACTIVE)
    return sorted(rows, key=lambda row: row.kind)


def active_of(organisation: Organisation, kind: str) -> PartyList | None:
    """The version of one kind in use."""
    return PartyList.objects.filter(organisation=organisation, kind=kind, state=PartyListState.ACTIVE).first()


def with_parties(base: ScreeningLists, active: Sequence[PartyList], names: Iterable[str]) -> ScreeningLists:
    """The lists with the organisation's own beside them, reduced to firms that come near one of the names."""
    if not active:
        return base
    return replace(
        base,
        parties=Parties(kinds=tuple(row.kind for row in active), firms=_near(active, names)),
        versions={**base.versions, Regime.PARTIES: version_of(active)},
    )


def version_of(active: Sequence[PartyList]) -> ListVersion:
    """The active lists as one version: their names joined, their hashes hashed, the earliest next check."""
    joined = "".join(f"{row.kind}:{row.file.sha256}\n" for row in active)
    return ListVersion(
        version="; ".join(row.version for row in active),
        sha256=hashlib.sha256(joined.encode()).hexdigest(),
        valid_from=min(row.published_on for row in active),
        valid_to=None,
        published_on=min(row.published_on for row in active),
        source="; ".join(str(PartyListKind(row.kind).label) for row in active),
        verified_by="; ".join(dict.fromkeys(str(row.activated_by) for row in active)),
        last_check=min(row.published_on for row in active),
        next_check_due=min(row.published_on + timedelta(days=CHECK_DAYS[PartyListKind(row.kind)]) for row in active),
    )


def _near(active: Sequence[PartyList], names: Iterable[str]) -> tuple[ListedFirm, ...]:
    """The firms whose names are, contain or resemble one of the names, in a fixed order."""
    wanted = [name for name in dict.fromkeys(names) if not is_blank(name)]
    cores = {reading for name in wanted for reading in parties.readings(name)}
    squeezed = {parties.squeezed(Name.read(name).core) for name in wanted} - {""}
    by_spelling = _similar(active, {Name.read(name).core for name in wanted})
    rows = PartyName.objects.filter(party_list__in=active)
    rows = rows.filter(Q(core__in=cores) | Q(squeezed__in=squeezed) | Q(pk__in=by_spelling))
    return tuple(listed_firm(row) for row in rows.select_related("party_list").order_by("party_list_id", "pk"))


def listed_firm(row: PartyName) -> ListedFirm:
    """A stored name of a list as the matcher reads it."""
    return ListedFirm(
        kind=row.party_list.kind,
        entity_id=row.entity_id,
        source=row.source,
        name=row.name,
        core=row.core,
        listed_from=row.listed_from,
        listed_to=row.listed_to,
    )


def _similar(active: Sequence[PartyList], cores: Iterable[str]) -> list[int]:
    """Names that share enough trigrams with one of the cores to be compared by spelling."""
    compared = sorted(core for core in cores if parties.is_spelling_compared(core))
    if not compared:
        return []
    with connection.cursor() as cursor, transaction.atomic():
        cursor.execute("SELECT set_config('pg_trgm.similarity_threshold', %s, true)", [str(_SIMILAR_MIN)])
        cursor.execute(
            "SELECT DISTINCT listed.id FROM unnest(%s::text[]) AS stated(core)"
            " JOIN quotes_partyname AS listed ON listed.core %% stated.core WHERE listed.party_list_id = ANY(%s)",
            [compared, [row.pk for row in active]],
        )
        return [pk for (pk,) in cursor.fetchall()]
