"""Clearances of names that hold: what a screening reads. Read only."""

import hashlib
from collections.abc import Iterable
from datetime import date, timedelta

from django.utils import timezone

from config.accounts.models import Organisation
from quotes.choices import ClearanceState
from quotes.compliance import lists
from quotes.compliance.matching import CLEARANCE_DAYS
from quotes.compliance.types import Clearance
from quotes.listed import active_lists, listed_firm
from quotes.models import NameClearance, PartyName

type Row = tuple[str, str]  # id and hash of a list row


def clearances_of(organisation: Organisation, today: date) -> tuple[Clearance, ...]:
    """Every confirmed clearance that is not older than a year on that day, in a fixed order."""
    rows = NameClearance.objects.filter(organisation=organisation, state=ClearanceState.CONFIRMED).order_by("pk")
    made = (
        Clearance(
            name=row.name,
            entity_id=row.entity_id,
            subject=row.subject,
            cleared_on=cleared_on(row),
            row_hash=row.row_hash,
        )
        for row in rows
    )
    return tuple(one for one in made if timedelta(0) <= today - one.cleared_on <= timedelta(days=CLEARANCE_DAYS))


def cleared_on(row: NameClearance) -> date:
    """The day of the second person's word. Raises ValueError for a clearance that is not confirmed."""
    if row.confirmed_at is None:
        raise ValueError("not confirmed")
    return timezone.localdate(row.confirmed_at)


def fingerprint(clearances: Iterable[Clearance]) -> str:
    """SHA-256 over the clearances, "" where there are none: they change what a list says about a quote."""
    stated = "\n".join(f"{one.name}|{one.entity_id}|{one.row_hash}|{one.subject}" for one in clearances)
    return hashlib.sha256(stated.encode("utf-8", "surrogatepass")).hexdigest() if stated else ""


def present_rows(organisation: Organisation, entity_ids: Iterable[str], today: date) -> frozenset[Row]:
    """Id and hash of the rows as the lists of that day and the organisation's own lists have them."""
    wanted = set(entity_ids)
    known = lists.load_lists(today)
    indexes = (known.s889, known.s5949, known.s1260h.index)
    shipped = {(row.entity_id, row.row_hash) for index in indexes for row in index.rows if row.entity_id in wanted}
    names = PartyName.objects.filter(party_list__in=active_lists(organisation), entity_id__in=wanted)
    return frozenset(shipped | {_row_of(name) for name in names.select_related("party_list")})


def _row_of(name: PartyName) -> Row:
    firm = listed_firm(name)
    return firm.entity_id, firm.row_hash
