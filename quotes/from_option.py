"""A result's option, or a bare bill of materials, as lines of a quote: copied, never looked up again."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any

from catalog.choices import PartKind
from catalog.margins import Margins, with_markup
from quotes.choices import LineKind, PriceKind, PriceState
from quotes.errors import QuoteError
from quotes.exchange import kind_of
from quotes.models import QuoteLine
from quotes.pricing import converted, discounted_unit_price, round_money
from sizing.messages import render

# Prices that may guide a sizing but never enter the total of a quote (decisions, point 15).
INDICATIVE_BASES = frozenset({"estimate", "estimated", "estimate_press", "press", "indicative"})
PRICE_KINDS = {
    "list": PriceKind.PRICE_LIST,
    "price_list": PriceKind.PRICE_LIST,
    "msrp": PriceKind.PUBLIC_PRICE,
    "street": PriceKind.PUBLIC_PRICE,
    "retail": PriceKind.PUBLIC_PRICE,
    "government_list": PriceKind.PRICE_LIST,
    "contract": PriceKind.CONTRACT,
    "offer": PriceKind.WRITTEN_OFFER,
    "quote": PriceKind.WRITTEN_OFFER,
}
# Classes of the configurator as screening names them.
_CATEGORIES = {"system": "server", "gpu": "accelerator", "ram": "memory", "storage": "ssd"}
# Kinds of part by the names that screening has for them; a class without one falls under the general rules.
_PART_KINDS = {"memory": PartKind.RAM, "ssd": PartKind.STORAGE, "cpu": PartKind.PROCESSOR}
# The kind of proof that a grade stands for where the kind itself was not kept. Of the two kinds of
# grade A it is the maker's letter: it grows old, a customs ruling does not.
_EVIDENCE = {"A": "manufacturer_letter", "B": "distributor_feed", "C": "datasheet"}
_KINDS = frozenset(LineKind.values)
_UNITS = {"licence": "licence", "service": "flat", "discount": "flat"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """What turns a foreign price into the quote's currency and which tax a line carries."""

    currency: str
    exchange: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    tax_rate_pct: Decimal | None = None
    margins: Margins = field(default_factory=Margins)


def lines_from_bom(bom: Sequence[Mapping[str, Any]], rates: Rates) -> list[QuoteLine]:
    """Unsaved lines in the order of the bill; numbers stay the bill's own.

    Raises QuoteError naming the line for an empty bill, a missing number or a bad quantity.
    """
    if not bom:
        raise QuoteError("quote_bom_empty")
    return [_line(entry, position, rates) for position, entry in enumerate(bom, start=1)]


def _line(entry: Mapping[str, Any], position: int, rates: Rates) -> QuoteLine:
    number = str(entry.get("line") or position)
    kind = LineKind.INCLUDED.value if entry.get("included") is True else str(entry.get("kind") or LineKind.BASE)
    if kind not in _KINDS:
        raise QuoteError("quote_line_kind_unknown", line=number, kind=kind)
    line = QuoteLine(
        position=position,
        number=number,
        section=number.split(".", 1)[0],
        section_title=str(entry.get("section_title") or ""),
        kind=kind,
        alternative_to=str(entry.get("alternative_to") or ""),
        included_in=str(entry.get("included_in") or entry.get("ships_with") or ""),
        category=_category(entry),
        manufacturer=str(entry.get("manufacturer") or ""),
        brand=str(entry.get("brand") or ""),
        mpn=str(entry.get("mpn") or ""),
        part=str(entry.get("part") or ""),
        seller_pn=str(entry.get("seller_pn") or ""),
        description=_description(entry),
        description_message=_description_message(entry),
        components=[str(name) for name in entry.get("components") or ()],
        component_list_full=bool(entry.get("component_list_full")),
        reason=message_data(entry.get("reason")),
        quantity=_positive(entry.get("quantity", 1), number),
        unit=str(entry.get("unit") or _UNITS.get(kind, "piece")),
        pack_size=int(entry.get("pack_size") or 1),
        tax_rate_pct=rates.tax_rate_pct,
        eccn=str(entry.get("eccn") or ""),
        hts=str(entry.get("hts") or ""),
        warranty=str(entry.get("warranty") or ""),
        schedule=str(entry.get("schedule") or ""),
    )
    _set_price(line, _price(entry), rates)
    _set_discount(line, entry.get("discount_pct"), rates)
    _set_lead(line, entry.get("lead_weeks"))
    _set_origin(line, entry.get("origin"))
    return line


def _description_message(entry: Mapping[str, Any]) -> Any:
    """The description as code and parameters, from a stored option or from one that was worded already."""
    stated = entry.get("description_message") or entry.get("description")
    return stated if isinstance(stated, Mapping) else None


def _category(entry: Mapping[str, Any]) -> str:
    stated = str(entry.get("category") or entry.get("part_class") or "")
    return _CATEGORIES.get(stated, stated)


def _description(entry: Mapping[str, Any]) -> str:
    """The description in the active language: as text, or worded from its message."""
    stated = _description_message(entry) or entry.get("description")
    text = render(stated) if isinstance(stated, Mapping) else str(stated or "")
    if isinstance(stated, Mapping) and text == stated.get("code"):
        text = ""  # nobody has words for this code: the name of the part says more
    return (text or str(entry.get("name") or entry.get("mpn") or entry.get("part") or entry.get("line") or ""))[:500]


def _price(entry: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The firm price, else the one that may only guide."""
    price = entry.get("unit_price")
    if price and price.get("amount") is not None:
        return price  # type: ignore[no-any-return]
    guide = entry.get("indicative_price")
    return {**guide, "indicative": True} if guide else price


def _set_price(line: QuoteLine, money: Mapping[str, Any] | None, rates: Rates) -> None:
    line.price_state = PriceState.OPEN
    if line.kind == LineKind.INCLUDED:
        return
    if not money or money.get("amount") is None:
        line.price_note = message_data("price_not_known")
        return
    amount, currency = _decimal(money["amount"], line.number), str(money.get("currency") or rates.currency)
    basis = kind_of(str(money.get("basis") or "")).lower()
    line.price_source = str(money.get("source") or "")[:300]
    line.price_kind = PRICE_KINDS.get(basis, PriceKind.PRICE_LIST)
    line.price_date = _date(money.get("as_of"))
    if currency != rates.currency:
        rate = rates.exchange.get(currency)
        if rate is None:
            line.price_note = {
                "code": "price_without_rate",
                "params": {"amount": str(amount), "currency": currency, "wanted": rates.currency},
            }
            return
        amount = converted(amount, rate=Decimal(str(rate["rate"])), currency=rates.currency)
    if line.price_date is None:
        line.price_note = message_data("price_without_date")
        return
    if _is_indicative(money, basis):
        line.list_price, line.price_state = amount, PriceState.INDICATIVE
        line.price_note = message_data("price_only_indicative")
        return
    line.unit_cost, line.list_price = selling_price(line, amount, basis, rates.margins, rates.currency)
    line.unit_net = line.list_price
    line.price_state = PriceState.FIRM


def selling_price(
    line: QuoteLine, amount: Decimal, basis: str, margins: Margins, currency: str
) -> tuple[Decimal | None, Decimal]:
    """Cost and price of a line: what is paid with the organisation's markup on it, or the price as it is (no cost)."""
    kind = _PART_KINDS.get(line.category, line.category)
    rule = margins.rule_for(kind=kind, manufacturer=line.manufacturer, price_kind=basis)
    if rule is None:
        return None, amount
    return round_money(amount, currency), round_money(with_markup(amount, rule), currency)


def _is_indicative(money: Mapping[str, Any], basis: str) -> bool:
    confidence = str(money.get("confidence") or "").upper()
    return basis in INDICATIVE_BASES or confidence == "D" or bool(money.get("indicative"))


def _set_discount(line: QuoteLine, discount: Any, rates: Rates) -> None:
    if discount in (None, "") or line.unit_net is None or line.list_price is None:
        return
    line.discount_pct = _decimal(discount, line.number)
    line.unit_net = discounted_unit_price(line.list_price, line.discount_pct, rates.currency)


def _set_lead(line: QuoteLine, lead: Mapping[str, Any] | None) -> None:
    if not lead or lead.get("typical") is None:
        return
    line.lead_typical_weeks = _decimal(lead["typical"], line.number)
    line.lead_low_weeks = _optional(lead.get("low"), line.number)
    line.lead_high_weeks = _optional(lead.get("high"), line.number)
    line.lead_at_least = bool(lead.get("at_least"))
    line.lead_source = str(lead.get("source") or "")[:200]
    line.lead_date = _date(lead.get("as_of"))


def _set_origin(line: QuoteLine, origin: Mapping[str, Any] | str | None) -> None:
    if not origin:
        return
    if isinstance(origin, str):
        line.origin_raw = origin[:200]
        return
    line.origin_raw = str(origin.get("raw") or origin.get("text") or "")[:200]
    line.origin_code = str(origin.get("code") or origin.get("country") or "")
    line.origin_raw = line.origin_raw or line.origin_code
    line.origin_evidence = str(origin.get("evidence") or _EVIDENCE.get(str(origin.get("grade") or "")[:1], ""))
    line.evidence_grade = str(origin.get("grade") or "")[:1]
    line.origin_evidence_date = _date(origin.get("as_of") or origin.get("date"))


def message_data(message: Any) -> dict[str, Any] | None:
    """A message as stored: code and parameters. Plain text is kept as a parameter of `text`."""
    if not message:
        return None
    if isinstance(message, Mapping):
        return {"code": str(message.get("code") or "text"), "params": dict(message.get("params") or {})}
    text = str(message)
    if text.replace("_", "").isalnum() and " " not in text:
        return {"code": text, "params": {}}
    return {"code": "text", "params": {"text": text}}


def highest_section(lines: Iterable[QuoteLine]) -> int:
    """The largest numeric section in use, 0 where there is none."""
    return max((int(line.section) for line in lines if line.section.isdigit()), default=0)


def _positive(value: Any, number: str) -> Decimal:
    amount = _decimal(value, number)
    if amount <= 0:
        raise QuoteError("quote_quantity_not_positive", line=number, quantity=str(value))
    return amount


def _optional(value: Any, number: str) -> Decimal | None:
    return None if value is None else _decimal(value, number)


def _decimal(value: Any, number: str) -> Decimal:
    try:
        amount = Decimal(str(value))
    except InvalidOperation:
        raise QuoteError("quote_number_unreadable", line=number, value=str(value)[:60]) from None
    if not amount.is_finite():
        raise QuoteError("quote_number_unreadable", line=number, value=str(value)[:60])
    return amount


def _date(value: Any) -> date | None:
    try:
        return date.fromisoformat(str(value)[:10])
    except ValueError:
        return None
