"""Reads the file of a list of listed parties into its names."""

from collections import Counter
from collections.abc import Iterable

from django.db import transaction

from config.accounts.services import read_file
from quotes.choices import PartyListKind, PartyListState
from quotes.compliance import parties, party_files
from quotes.compliance.firm_name import Name, is_blank
from quotes.compliance.party_files import ListedParty, UnreadableFile
from quotes.listed import active_of
from quotes.models import PartyList, PartyName
from sizing.core.values import Message

_READERS = {PartyListKind.CSL: party_files.read_consolidated, PartyListKind.SAM: party_files.read_exclusions}
_NAMES_AT_ONCE = 5_000
_STATED_LETTERS_MAX = 300


@transaction.atomic
def read(pk: int) -> PartyList | None:
    """Read the file of a waiting list into its names; safe to run twice."""
    held = (
        PartyList.objects.select_for_update(no_key=True, of=("self",))
        .select_related("file", "organisation")
        .filter(pk=pk)
        .first()
    )
    if held is None or held.state != PartyListState.READING:
        return held
    try:
        firms = _READERS[PartyListKind(held.kind)](party_files.unpacked(read_file(held.file)))
    except UnreadableFile as error:
        held.state, held.fault = PartyListState.FAILED, _stored(error.message)
        held.save(update_fields=["state", "fault"])
        return held
    active = active_of(held.organisation, held.kind)
    fault = party_files.staging_fault(firms, active_rows=active.firms_count if active else None)
    names = list(_names(held, firms))
    PartyName.objects.bulk_create(names, batch_size=_NAMES_AT_ONCE)
    held.state, held.fault = PartyListState.STAGED, _stored(fault) if fault else None
    held.firms_count, held.names_count = len(firms), len(names)
    held.sources = dict(Counter(firm.source or "?" for firm in firms).most_common(40))
    held.added_count, held.removed_count = _difference(held, active)
    held.save()
    return held


def waiting() -> list[int]:
    """Lists whose reading was asked for and not done."""
    return list(PartyList.objects.filter(state=PartyListState.READING).values_list("pk", flat=True))


def _names(held: PartyList, firms: Iterable[ListedParty]) -> Iterable[PartyName]:
    for firm in firms:
        seen = set()
        for text in (firm.name, *firm.aliases):
            core = Name.read(text).core[:_STATED_LETTERS_MAX]
            if is_blank(text) or core in seen:
                continue
            seen.add(core)
            yield PartyName(
                party_list=held,
                entity_id=firm.entity_id[:80],
                source=firm.source[:200],
                name=text[:_STATED_LETTERS_MAX],
                core=core,
                squeezed=parties.squeezed(core),
                listed_from=firm.listed_from,
                listed_to=firm.listed_to,
            )


def _difference(held: PartyList, active: PartyList | None) -> tuple[int, int]:
    """Firms that only the new list names, and those that only the active one does."""
    new = set(held.names.values_list("entity_id", flat=True))
    old = set(active.names.values_list("entity_id", flat=True)) if active else set()
    return len(new - old), len(old - new)


def _stored(message: Message) -> dict[str, object]:
    return {"code": message.code, "params": dict(message.params)}
