"""Lines as a whole: their order, their sections, a discount over all of them, and undoing the last change."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from config.accounts.ids import uuid7
from config.accounts.models import AuditEvent, User
from quotes.choices import LineKind, PriceKind, PriceState
from quotes.content import totals_of
from quotes.errors import QuoteError, StaleEdit
from quotes.from_option import highest_section
from quotes.models import QuoteLine, QuoteRevision
from quotes.pricing import total_discounts
from quotes.services import TRAIL_FIELDS, audit, editable_revision, next_line_number, refresh, touch, trail_of
from quotes.today import today_of


@transaction.atomic
def discount_total(*, revision: QuoteRevision, discount_pct: Decimal, user: User) -> list[QuoteLine]:
    """Discount lines over the whole quote, one per tax rate, in a section of their own."""
    held = editable_revision(revision.quote, user=user, revision_id=revision.pk)
    lines = list(held.lines.all())
    totals = totals_of(held.quote, lines)
    section = str(highest_section(lines) + 1)
    made = []
    with translation.override(held.quote.language):
        for step, (rate, amount) in enumerate(total_discounts(totals, discount_pct), start=1):
            made.append(
                QuoteLine(
                    revision=held,
                    position=max((line.position for line in lines), default=0) + step,
                    number=f"{section}.{step}",
                    section=section,
                    kind=LineKind.DISCOUNT,
                    description=_("Discount of %(percent)s %% on the lines above")
                    % {"percent": format(discount_pct.normalize(), "f")},
                    quantity=1,
                    unit="flat",
                    list_price=amount,
                    unit_net=amount,
                    price_state=PriceState.FIRM,
                    price_kind=PriceKind.MANUAL,
                    price_date=today_of(held.quote.organisation),
                    tax_rate_pct=rate,
                )
            )
    QuoteLine.objects.bulk_create(made)
    refresh(held)
    audit("quote.discount", held.quote, user, after={"percent": discount_pct, "section": section})
    return made


@transaction.atomic
def move_line(*, line: QuoteLine, steps: int, user: User) -> None:
    """Move a line up (negative) or down within its section."""
    revision = editable_revision(line.revision.quote, user=user, revision_id=line.revision_id)
    peers = list(revision.lines.filter(section=line.section))
    index = next(i for i, peer in enumerate(peers) if peer.pk == line.pk)
    target = min(max(index + steps, 0), len(peers) - 1)
    if target == index:
        return
    positions = [peer.position for peer in peers]
    peers.insert(target, peers.pop(index))
    for peer, position in zip(peers, positions, strict=True):
        peer.position = position
    QuoteLine.objects.bulk_update(peers, ["position"])
    touch(revision)
    audit("quote.line.move", revision.quote, user, after={"line": line.number, "steps": target - index})


@transaction.atomic
def order_lines(*, revision: QuoteRevision, wanted: Sequence[str], user: User) -> bool:
    """Put the lines into this order of public ids, each within its own section; returns whether anything moved.

    Raises StaleEdit where the ids are not those of the revision's lines: somebody added or removed one.
    """
    held = editable_revision(revision.quote, user=user, revision_id=revision.pk)
    lines = {str(line.public_id): line for line in held.lines.select_for_update(no_key=True)}
    if sorted(lines) != sorted(wanted):
        raise StaleEdit("quote_changed_meanwhile", number=held.quote.number)
    sections = list(dict.fromkeys(line.section for line in lines.values()))
    ordered = [lines[key] for key in wanted]
    ordered.sort(key=lambda line: sections.index(line.section))  # a stable sort keeps the order within a section
    before = [line.number for line in lines.values()]
    if [line.number for line in ordered] == before:
        return False
    for position, line in enumerate(ordered, start=1):
        line.position = position
    QuoteLine.objects.bulk_update(ordered, ["position"])
    touch(held)
    audit("quote.line.order", held.quote, user, before=before, after=[line.number for line in ordered])
    return True


@transaction.atomic
def move_to_section(*, line: QuoteLine, section: str, user: User) -> QuoteLine:
    """Put a line at the end of another section, with the next number there; alternatives to it follow its number."""
    held = editable_revision(line.revision.quote, user=user, revision_id=line.revision_id)
    lines = list(held.lines.select_for_update(no_key=True))
    own = next(each for each in lines if each.pk == line.pk)
    if own.section == section:
        return own
    before = own.number
    last = max((each.position for each in lines if each.section == section), default=len(lines))
    own.section, own.number = section, next_line_number(section, {each.number for each in lines})
    ordered = [each for each in lines if each.pk != own.pk]
    at = next((place for place, each in enumerate(ordered) if each.position > last), len(ordered))
    ordered.insert(at, own)
    for position, each in enumerate(ordered, start=1):
        each.position = position
        each.alternative_to = own.number if each.alternative_to == before else each.alternative_to
        each.included_in = own.number if each.included_in == before else each.included_in
    own.version += 1
    fields = ["position", "section", "number", "alternative_to", "included_in", "version"]
    QuoteLine.objects.bulk_update(ordered, fields)
    refresh(held)
    audit("quote.line.section", held.quote, user, before={"line": before}, after={"line": own.number})
    return own


@transaction.atomic
def undo(*, revision: QuoteRevision, user: User) -> list[str]:
    """Take back the last change of lines, where it is the newest thing that happened and the person made it.

    Returns the numbers of the lines. The step back is a change like any other, so that a second one repeats it.
    Raises QuoteError where there is nothing to take back.
    """
    held = editable_revision(revision.quote, user=user, revision_id=revision.pk)
    events = AuditEvent.objects.filter(object_kind="quote", object_id=str(held.quote.public_id)).order_by("-pk")
    last = events.first()
    batch = (last.after or {}).get("batch") if last and last.action == "quote.line.change" else None
    if last is None or batch is None or last.actor_id != user.pk:
        raise QuoteError("quote_nothing_to_undo")
    lines = {line.number: line for line in held.lines.select_for_update(no_key=True)}
    again, numbers = str(uuid7()), []
    for event in list(events.filter(action="quote.line.change", after__batch=batch)):
        kept: Mapping[str, Any] = event.before or {}
        line = lines.get(str(kept.get("line")))
        if line is None:
            raise QuoteError("quote_nothing_to_undo")
        _take_back(line, kept, batch=again, user=user)
        numbers.append(line.number)
    refresh(held)
    return numbers


def _take_back(line: QuoteLine, kept: Mapping[str, Any], *, batch: str, user: User) -> None:
    """The fields as the audit trail keeps them, with all that followed from them."""
    trail = {name: getattr(line, name) for name in TRAIL_FIELDS}
    for name in TRAIL_FIELDS & kept.keys():
        field: Any = QuoteLine._meta.get_field(name)
        setattr(line, name, field.to_python(kept[name]))
    line.version += 1
    line.full_clean(exclude=["revision"])
    line.save()
    audit("quote.line.change", line.revision.quote, user, **trail_of(line, trail, batch))
