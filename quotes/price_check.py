"""What the catalogue asks today against the prices that an open draft copied, line by line."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from math import ceil

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from catalog.choosing import PriceAnswer
from catalog.margins import Margins, margins_of
from catalog.models import Accelerator, Component, Part, Processor, Server
from catalog.part_numbers import normalise_mpn
from catalog.selectors import Subject, current_prices, parts
from config.accounts.models import Organisation, User
from quotes.choices import LineKind, PriceKind, PriceState
from quotes.errors import StaleEdit
from quotes.from_option import PRICE_KINDS, selling_price
from quotes.models import Quote, QuoteLine, QuoteRevision
from quotes.pricing import discounted_unit_price
from quotes.services import audit, editable_revision, refresh

_PRODUCTS: tuple[type[Accelerator | Processor | Server | Component], ...] = (Accelerator, Processor, Server, Component)
_STORED = Decimal("0.0001")  # a line keeps four places, the catalogue six
_WITHOUT_PRICE = frozenset({LineKind.INCLUDED, LineKind.DISCOUNT})


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceChange:
    """A newer price for one line: unit prices before discount in the quote's currency."""

    line: QuoteLine
    old_price: Decimal | None
    old_date: date | None
    new_price: Decimal
    new_date: date
    source: str
    basis: str
    new_cost: Decimal | None = None  # where a markup was added

    @property
    def difference(self) -> Decimal | None:
        """New less old; None where the price was open."""
        return None if self.old_price is None else self.new_price - self.old_price


def price_changes(revision: QuoteRevision, *, today: date) -> list[PriceChange]:
    """Lines for which the catalogue holds a newer price, in their order.

    Prices that the seller typed stay out, and so do catalogue prices that are stale, older than the copied
    one, or in another currency: a conversion needs the dated rate of the quote.
    """
    quote = revision.quote
    lines = [line for line in revision.lines.all() if _is_copied(line)]
    subjects = _subjects(quote.organisation, lines)
    answers = _answers(subjects, lines, quote, today)
    margins = margins_of(quote.organisation, as_of=today)
    found = (_change(line, answers[line.number], margins) for line in lines if line.number in answers)
    return [change for change in found if change is not None]


@transaction.atomic
def take_prices(*, quote: Quote, user: User, versions: dict[str, int]) -> list[PriceChange]:
    """Copy the newer prices into the lines named by `versions` (number to the version that was seen).

    The line's discount stays and its net price follows. Raises StaleEdit where a line changed since, or where
    the catalogue has no newer price for it any more.
    """
    revision = editable_revision(quote, user=user)
    changes = {change.line.number: change for change in price_changes(revision, today=timezone.localdate())}
    taken = []
    for number, version in versions.items():
        change = changes.get(number)
        if change is None or change.line.version != version:
            raise StaleEdit("quote_line_changed_meanwhile", line=number)
        _take(change, revision)
        before = {"line": number, "list_price": change.old_price, "price_date": change.old_date}
        after = {"line": number, "list_price": change.new_price, "price_date": change.new_date}
        audit("quote.line.price", revision.quote, user, before=before, after=after)
        taken.append(change)
    if taken:
        refresh(revision)
    return taken


def _take(change: PriceChange, revision: QuoteRevision) -> None:
    line, currency = change.line, revision.quote.currency
    line.list_price = change.new_price
    line.unit_net = discounted_unit_price(change.new_price, line.discount_pct or Decimal(0), currency)
    line.price_state, line.price_note = PriceState.FIRM, None
    line.unit_cost = change.new_cost if change.new_cost is not None else line.unit_cost
    line.price_kind = PRICE_KINDS.get(change.basis, PriceKind.PRICE_LIST)
    line.price_source, line.price_date = change.source[:300], change.new_date
    line.version += 1
    line.full_clean(exclude=["revision"])
    line.save()


def _is_copied(line: QuoteLine) -> bool:
    """Whether the price came, or could come, from the catalogue: nobody typed it."""
    return line.kind not in _WITHOUT_PRICE and line.price_kind != PriceKind.MANUAL and bool(line.part or line.mpn)


def _change(line: QuoteLine, answer: PriceAnswer, margins: Margins) -> PriceChange | None:
    seen, amount = answer.observation, answer.money.amount
    if seen is None or amount is None or answer.is_stale or answer.exchange_rate is not None:
        return None
    cost, amount = selling_price(line, amount, answer.money.basis, margins, answer.money.currency)
    amount = amount.quantize(_STORED, rounding=ROUND_HALF_UP)
    if line.price_date is not None and line.price_state == PriceState.FIRM:
        is_same = amount == line.list_price and seen.observed_on == line.price_date
        if is_same or seen.observed_on < line.price_date:
            return None
    is_firm = line.price_state == PriceState.FIRM
    return PriceChange(
        line=line,
        old_price=line.list_price if is_firm else None,
        old_date=line.price_date if is_firm else None,
        new_price=amount,
        new_date=seen.observed_on,
        source=answer.money.source,
        basis=answer.money.basis,
        new_cost=cost,
    )


def _subjects(organisation: Organisation, lines: Sequence[QuoteLine]) -> dict[str, Subject]:
    """By line number what the price is asked for: the part with its number, else the product."""
    slugs = {line.part for line in lines if line.part}
    numbers = {normalise_mpn(line.mpn) for line in lines if line.mpn} - {""}
    rows = parts(organisation).filter(Q(slug__in=slugs) | Q(mpn_normalised__in=numbers)).order_by("organisation_id")
    by_number: dict[tuple[str, str], Part] = {}
    by_slug: dict[str, Subject] = {}
    for part in rows:
        by_slug.setdefault(part.slug, part)
        if part.mpn_normalised:
            by_number.setdefault((part.manufacturer.casefold(), part.mpn_normalised), part)
    for model in _PRODUCTS:
        by_slug |= {product.slug: product for product in model.objects.filter(slug__in=slugs)}
    found: dict[str, Subject] = {}
    for line in lines:
        named = by_number.get((line.manufacturer.casefold(), normalise_mpn(line.mpn))) if line.mpn else None
        subject = named or by_slug.get(line.part)
        if subject is not None:
            found[line.number] = subject
    return found


def _answers(
    subjects: dict[str, Subject], lines: Iterable[QuoteLine], quote: Quote, today: date
) -> dict[str, PriceAnswer]:
    """The answer for each line; lines of one subject with other quantities may fall into other tiers."""
    groups: dict[tuple[type, int], dict[str, Subject]] = {}
    for line in lines:
        if line.number in subjects:
            subject = subjects[line.number]
            groups.setdefault((type(subject), ceil(line.quantity)), {})[line.number] = subject
    answers: dict[str, PriceAnswer] = {}
    for (_model, quantity), wanted in groups.items():
        unique = list({subject.pk: subject for subject in wanted.values()}.values())
        found = current_prices(
            unique,
            as_of=today,
            currency=quote.currency,
            organisation=quote.organisation,
            quantity=quantity,
            end_customer=quote.buyer_name,
        )
        answers |= {number: found[subject] for number, subject in wanted.items()}
    return answers
