"""What an import would change: the rows of a file against the parts and prices on file. Reads only."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import F, Lookup, Q

from catalog.choices import PriceKind
from catalog.imports.check import Understanding
from catalog.imports.collector import collected_later
from catalog.imports.duplicates import maker_key
from catalog.imports.match import Matcher, Product, Verdict
from catalog.imports.report import shown_amount
from catalog.imports.rows import Action, ImportRow
from catalog.models import Accelerator, LeadTimeObservation, Part, PartAlias, PriceObservation, Supplier
from catalog.part_numbers import alias_text, normalise_mpn, numbers_of
from catalog.visibility import visible
from config.accounts.models import Organisation
from sizing.core.values import Message

CHUNK = 5_000
NEW_PRICE = Message("row_new_price")
SAME_PRICE = Message("row_same_price")
NEW_LEAD_TIME = Message("row_lead_time_changed")

type PriceKey = tuple[int, int, str, str, str, int]


class PartRef(NamedTuple):
    """What an import needs of a part on file."""

    pk: int
    slug: str
    manufacturer: str
    mpn: str


class PriceRef(NamedTuple):
    """What an import needs of a price on file."""

    pk: int
    unit_price: Decimal
    valid_from: date
    valid_to: date | None
    pack_size: int
    tax_basis: str
    observed_on: date


class LeadRef(NamedTuple):
    """What an import needs of a delivery statement on file."""

    pk: int
    state: str
    weeks_low: Decimal | None
    weeks_high: Decimal | None
    promised_on: date | None
    stock_count: int | None
    observed_on: date
    valid_to: date | None


type Ending = tuple[int, date | None]  # key of an observation that a newer one closes, and its end until now


class StatedPrice(NamedTuple):
    """One price that a row states: its kind, the amount and the quantity from which it holds."""

    kind: PriceKind
    amount: Decimal
    min_quantity: int


class RowChange(NamedTuple):
    """What a row of a part and supplier on file changes: the prices that are new, and whether delivery is."""

    prices: tuple[StatedPrice, ...]
    price_ends: tuple[tuple[Ending, ...], ...]  # for each price what it closes
    has_new_lead: bool
    lead_ends: tuple[Ending, ...]


@dataclass(slots=True)
class _Present:
    """The observations on file that some rows meet."""

    prices: dict[PriceKey, list[PriceRef]] = field(default_factory=dict)
    lead_times: dict[tuple[int, int], list[LeadRef]] = field(default_factory=dict)


@dataclass(slots=True, kw_only=True)
class Plan:
    """Rows with their part (None: to be made) and what each changes.

    Observations on file are read for some rows at a time and not kept, so that a long file stays small.
    """

    organisation: Organisation | None
    suppliers: dict[str, Supplier]
    parts: dict[int, PartRef | None] = field(default_factory=dict)  # by line
    changes: dict[int, RowChange] = field(default_factory=dict)  # by line, for parts and suppliers on file
    default_supplier: str = ""
    accelerators: dict[int, int] = field(default_factory=dict)  # by line: what a new part turns out to be
    price_kind: PriceKind = PriceKind.OFFER

    def supplier_name(self, row: ImportRow) -> str:
        return row.supplier or self.default_supplier

    def change(self, row: ImportRow) -> RowChange:
        """What the row changes; of a part or supplier that is not on file everything is new."""
        known = self.changes.get(row.line)
        return known or RowChange(tuple(stated_prices(row, self.price_kind)), (), states_delivery(row), ())


@collected_later()
def make_plan(found: Understanding, *, organisation: Organisation | None, supplier: str, today: date) -> Plan:
    """Match rows to parts, and say for each accepted row whether it creates, updates or changes nothing."""
    rows = [row for row in found.rows if row.is_accepted]
    plan = Plan(
        organisation=organisation,
        suppliers=_suppliers(organisation),
        default_supplier=supplier,
        price_kind=PriceKind(found.price_kind or PriceKind.OFFER),
    )
    namer = _Namer(organisation)
    for some in _chunks(rows):
        _match_parts(plan, some)
        open_rows = [row for row in some if row.is_accepted]
        namer.name(plan, [row for row in open_rows if plan.parts.get(row.line) is None])
        present = _present(plan, open_rows)
        for row in open_rows:
            _decide(plan, row, present, today=today)
    return plan


def stated_prices(row: ImportRow, kind: PriceKind) -> Iterator[StatedPrice]:
    """The prices that a row states: the price, its tiers, and the list price beside them."""
    quantity = row.min_qty or 1
    if row.price is not None and row.price > 0 and (kind == PriceKind.LIST or not row.is_list_only):
        yield StatedPrice(kind, row.price, quantity)
    for least, amount in row.tiers:
        yield StatedPrice(kind, amount, least)
    if row.list_price is not None and row.list_price > 0 and kind != PriceKind.LIST:
        yield StatedPrice(PriceKind.LIST, row.list_price, quantity)


def states_delivery(row: ImportRow) -> bool:
    return row.lead is not None and row.lead.state != "none"


def seen_on(row: ImportRow, today: date) -> date:
    """The day of a row's statement: the list's own, never one to come."""
    return min(row.price_date or today, today)


def _suppliers(organisation: Organisation | None) -> dict[str, Supplier]:
    """Visible suppliers by name; the organisation's own before a public one of that name."""
    rows = Supplier.objects.filter(visible(organisation)).order_by("organisation_id")
    found: dict[str, Supplier] = {}
    for row in rows:
        found.setdefault(row.name.casefold(), row)
    return found


def _match_parts(plan: Plan, rows: Sequence[ImportRow]) -> None:
    numbers = [normalise_mpn(row.mpn) for row in rows]
    by_number: dict[str, list[PartRef]] = {}
    wanted = _AnyOf(F("mpn_normalised"), sorted(set(numbers)))
    found = Part.objects.filter(wanted, visible(plan.organisation)).exclude(mpn="").order_by("pk")
    for number, *values in found.values_list("mpn_normalised", *PartRef._fields):
        by_number.setdefault(number, []).append(PartRef._make(values))
    aliases = _aliases(plan, rows)
    for row, number in zip(rows, numbers, strict=True):
        known = None
        if aliases and (alias := aliases.get((plan.supplier_name(row).casefold(), alias_text(row.mpn)))):
            if alias.is_no_part:
                row.set_aside(Action.SKIPPED, "row_no_part_of_ours")
                continue
            known = _ref(alias.part) if alias.part is not None else None
        part = known or _same_product(by_number.get(number, []), row)
        if part is not None:
            part = part._replace(mpn=row.mpn if part.mpn == row.mpn else part.mpn, manufacturer="")
        plan.parts[row.line] = part
        row.part = part.slug if part else ""


def _ref(part: Part) -> PartRef:
    return PartRef(part.pk, part.slug, part.manufacturer, part.mpn)


class _Namer:
    """Links new numbers to the accelerator that their words name; what stays open is said, never guessed."""

    def __init__(self, organisation: Organisation | None) -> None:
        self.organisation = organisation
        self.keys: dict[str, int] = {}
        self.matcher: Matcher | None = None

    def name(self, plan: Plan, rows: Sequence[ImportRow]) -> None:
        if not rows:
            return
        matcher = self.matcher or self._prepare()
        for row in rows:
            match = matcher.match(mpn=row.mpn, description=f"{row.manufacturer} {row.description}")
            if match.verdict is Verdict.MATCH and match.slug in self.keys:
                plan.accelerators[row.line] = self.keys[match.slug]
            elif match.verdict is Verdict.ASK:
                row.warn("row_match_open", candidates=", ".join(match.candidates))

    def _prepare(self) -> Matcher:
        accelerators = list(Accelerator.objects.order_by("slug"))
        self.keys = {row.slug: row.pk for row in accelerators}
        numbers = _known_numbers(self.organisation)
        self.matcher = Matcher(products=[_product(row) for row in accelerators], numbers=numbers)
        return self.matcher


def _product(row: Accelerator) -> Product:
    return Product(
        slug=row.slug,
        vendor=row.vendor,
        name=row.name,
        variant=row.variant,
        form_factor=row.form_factor,
        memory_gb=row.memory_gb,
    )


def _known_numbers(organisation: Organisation | None) -> dict[str, str]:
    """Every visible number of an accelerator, and of what is known to be none."""
    rows = Part.objects.filter(visible(organisation)).exclude(mpn="", oem_part_number="")
    sourced = rows.exclude(seed_key=None) | rows.exclude(accelerator=None)
    found = sourced.values_list("accelerator__slug", "mpn", "oem_part_number", "accelerators_in_part")
    return numbers_of((slug or "" if pieces in (None, 1) else "", mpn, oem) for slug, mpn, oem, pieces in found)


def _same_product(parts: list[PartRef], row: ImportRow) -> PartRef | None:
    """The part of the same maker and number; where the row names no maker, the only one of that number."""
    if not parts:
        return None
    key = maker_key(row.manufacturer)
    same = [part for part in parts if key and maker_key(part.manufacturer) == key]
    exact = [part for part in same if part.mpn == row.mpn]
    if exact or same:
        return (exact or same)[0]
    return parts[0] if not key and len(parts) == 1 else None


def _aliases(plan: Plan, rows: Sequence[ImportRow]) -> dict[tuple[str, str], PartAlias]:
    found: dict[tuple[str, str], PartAlias] = {}
    texts = sorted({alias_text(row.mpn) for row in rows})
    rows_found = PartAlias.objects.filter(_AnyOf(F("text_normalised"), texts), visible(plan.organisation))
    for alias in rows_found.select_related("part", "supplier").order_by("organisation_id"):
        name = alias.supplier.name.casefold() if alias.supplier else ""
        found.setdefault((name, alias.text_normalised), alias)
    return found


def _present(plan: Plan, rows: Sequence[ImportRow]) -> _Present:
    """The standing observations of the rows' parts."""
    found = _Present()
    parts = sorted({part.pk for row in rows if (part := plan.parts.get(row.line)) is not None})
    if not parts:
        return found
    standing = Q(organisation=plan.organisation, superseded_by=None, supplier__isnull=False)
    prices = PriceObservation.objects.filter(_AnyOf(F("part"), parts), standing)
    leads = LeadTimeObservation.objects.filter(_AnyOf(F("part"), parts), standing)
    keyed = ("part_id", "supplier_id", "supplier_sku", "kind", "currency", "min_quantity")
    for *key, pk, amount, start, end, pack, tax, seen in prices.order_by("pk").values_list(*keyed, *PriceRef._fields):
        found.prices.setdefault(tuple(key), []).append(PriceRef(pk, amount, start, end, pack, tax, seen))
    for part_id, supplier_id, *values in leads.order_by("pk").values_list("part_id", "supplier_id", *LeadRef._fields):
        found.lead_times.setdefault((part_id or 0, supplier_id or 0), []).append(LeadRef(*values))
    return found


def _decide(plan: Plan, row: ImportRow, present: _Present, *, today: date) -> None:
    part = plan.parts.get(row.line)
    supplier = plan.suppliers.get(plan.supplier_name(row).casefold())
    if part is None or supplier is None:
        row.reason = NEW_PRICE
        return
    stated = list(stated_prices(row, plan.price_kind))
    met = [present.prices.get(_price_key(part.pk, supplier.pk, row, price), []) for price in stated]
    new = [at for at, price in enumerate(stated) if not any(_is_same_price(old, row, price.amount) for old in met[at])]
    leads = present.lead_times.get((part.pk, supplier.pk), [])
    is_new_lead = _lead_changes(row, leads)
    replaced = next((at for at in new if met[at]), None)
    if replaced is not None:
        row.action, row.reason = Action.UPDATE, _changed(met[replaced][-1], row, stated[replaced])
    elif new:
        row.reason = NEW_PRICE
    elif is_new_lead:
        row.action, row.reason = Action.UPDATE, NEW_LEAD_TIME
    else:
        row.action, row.reason = Action.UNCHANGED, SAME_PRICE
        return
    seen = seen_on(row, today)
    plan.changes[row.line] = RowChange(
        tuple(stated[at] for at in new),
        tuple(tuple((old.pk, old.valid_to) for old in met[at] if old.observed_on <= seen) for at in new),
        is_new_lead,
        tuple((old.pk, old.valid_to) for old in leads if old.observed_on <= seen) if is_new_lead else (),
    )


def _changed(old: PriceRef, row: ImportRow, new: StatedPrice) -> Message:
    params = {
        "old": shown_amount(old.unit_price.normalize()),
        "new": shown_amount(new.amount),
        "currency": row.currency,
    }
    return Message("row_price_changed", params)


def _price_key(part_id: int, supplier_id: int, row: ImportRow, price: StatedPrice) -> PriceKey:
    return part_id, supplier_id, row.sku, price.kind.value, row.currency, price.min_quantity


def _is_same_price(price: PriceRef, row: ImportRow, value: Decimal) -> bool:
    """Whether an observation on file says what the row says: amount, end and start of validity, packing."""
    return (
        price.unit_price == value
        and price.valid_to == row.valid_until
        and (row.valid_from is None or price.valid_from == row.valid_from)
        and price.pack_size == (row.pack or 1)
        and price.tax_basis == (row.tax_basis or "unstated")
    )


def _lead_changes(row: ImportRow, present: Sequence[LeadRef]) -> bool:
    """Whether the row's delivery statement differs from the one on file."""
    if row.lead is None or row.lead.state == "none":
        return False
    low, high = lead_weeks(row)
    return not any(
        (lead.state, lead.weeks_low, lead.weeks_high, lead.promised_on, lead.stock_count)
        == (row.lead.state, low, high, row.lead.promised_on, row.lead.stock_count)
        for lead in present
    )


def lead_weeks(row: ImportRow) -> tuple[Decimal | None, Decimal | None]:
    """Least and most weeks of a statement: seven calendar or five working days a week, to two decimals."""
    if row.lead is None:
        return None, None
    days_a_week = 5 if row.lead.unit == "working_days" else 7
    return _weeks(row.lead.min_days, days_a_week), _weeks(row.lead.max_days, days_a_week)


@lru_cache(maxsize=4_096)
def _weeks(days: int | None, days_a_week: int) -> Decimal | None:
    return None if days is None else (Decimal(days) / days_a_week).quantize(Decimal("0.01"))


class _AnyOf(Lookup):
    """Column = ANY(array), with the values as one parameter: thousands of placeholders take longer to prepare than to
    answer, and a subquery is joined row by row where the statistics of a table that just grew say it is small.
    """

    prepare_rhs = False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        column, params = self.process_lhs(compiler, connection)
        kind = "text" if isinstance(self.rhs[0], str) else "bigint"
        return f"{column} = ANY(%s::{kind}[])", [*params, self.rhs]


def _chunks[T](items: Sequence[T]) -> Iterable[Sequence[T]]:
    for start in range(0, len(items), CHUNK):
        yield items[start : start + CHUNK]
