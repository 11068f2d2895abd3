"""What stands between a quote and its lock: a list that leads to each place."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from quotes.choices import FEDERAL_BUYERS, GERMAN_SPEAKING, OpenKind, PriceState, TaxTreatment
from sizing.choices import BuyerType
from sizing.core.values import Message

# Nothing of these kinds is shipped on its own.
_WITHOUT_LEAD_TIME = frozenset({"service", "licence", "discount", "included"})

# Fields that a document of the region must name: content group, key, where to fill it in.
_FIELDS_ALL = (
    ("seller", "name", "seller"),
    ("seller", "street", "seller"),
    ("seller", "city", "seller"),
    ("seller", "email", "terms"),
    ("buyer", "name", "buyer"),
    ("terms", "payment_days", "terms"),
    ("terms", "delivery_terms", "terms"),
    ("terms", "warranty", "terms"),
)
_FIELDS_FEDERAL = (
    ("reference", "request_number", "reference"),
    ("seller", "cage_code", "seller"),
    ("seller", "uei", "seller"),
    ("seller", "phone", "terms"),
    ("terms", "terms_acceptance", "terms"),
    ("terms", "section_889_statement", "terms"),
)
_FIELDS_SCHEDULE = (("reference", "contract_vehicle", "reference"), ("reference", "special_item_numbers", "reference"))
_FIELDS_GERMAN = (
    ("seller", "legal_form", "seller"),
    ("seller", "register_number", "seller"),
    ("seller", "managing_directors", "seller"),
    ("seller", "vat_id", "seller"),
    ("buyer", "street", "buyer"),
    ("buyer", "city", "buyer"),
    ("terms", "jurisdiction", "terms"),
    ("terms", "place_of_performance", "terms"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """How old a price and a lead time may be, in days, and the day it is judged on."""

    price_max_age_days: int
    lead_time_max_age_days: int
    today: date


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenItem:
    """One open item: what it is, which line, which part of the page leads to it.

    `blocking` items stop the lock. Those with `about` may stand by a recorded decision, fields may not.
    """

    message: Message
    place: str
    line: str = ""
    rule: str = ""
    about: str = ""
    blocking: bool = True
    decided_by: str = ""

    @property
    def stops_lock(self) -> bool:
        return self.blocking and not self.decided_by


def open_items(content: Mapping[str, Any], limits: Limits) -> list[OpenItem]:
    """All items, those that stop the lock first, in page order within each half."""
    decided = {(entry["about"], entry["line"], entry["rule"]): entry["by"] for entry in content["decisions"]}
    items = [_with_decision(item, decided) for item in _all_items(content, limits)]
    return sorted(items, key=lambda item: not item.stops_lock)


def _with_decision(item: OpenItem, decided: Mapping[tuple[str, str, str], str]) -> OpenItem:
    by = decided.get((item.about, item.line, item.rule), "")
    if not item.about or not by:
        return item
    return OpenItem(
        message=item.message,
        place=item.place,
        line=item.line,
        rule=item.rule,
        about=item.about,
        blocking=item.blocking,
        decided_by=by,
    )


def _all_items(content: Mapping[str, Any], limits: Limits) -> Iterator[OpenItem]:
    yield from _missing_fields(content)
    for line in content["lines"]:
        yield from _price_items(line, limits)
        yield from _lead_items(line, limits)
        if content["quote"]["buyer_type"] == BuyerType.US_GSA_MAS and line["counts"] and not line["schedule"]:
            number = line["number"]
            yield OpenItem(message=Message("open_schedule", {"line": number}), place=f"line-{number}", line=number)
    yield from _tax_items(content)
    yield from _finding_items(content)
    yield from _validity_items(content, limits)


def _missing_fields(content: Mapping[str, Any]) -> Iterator[OpenItem]:
    wanted = list(_FIELDS_ALL)
    buyer_type, region = content["quote"]["buyer_type"], content["quote"]["region"]
    if buyer_type in FEDERAL_BUYERS:
        wanted += _FIELDS_FEDERAL
    if buyer_type == BuyerType.US_GSA_MAS:
        wanted += _FIELDS_SCHEDULE
    if region in GERMAN_SPEAKING:
        wanted += _FIELDS_GERMAN
    for group, key, place in wanted:
        if content[group].get(key) in (None, ""):
            yield OpenItem(message=Message("open_field", {"field": f"{group}.{key}"}), place=place, rule=key)
    if region in GERMAN_SPEAKING and not (content["terms"].keys() & {"shipping", "shipping_line"}):
        message = Message("open_field", {"field": "terms.shipping"})
        yield OpenItem(message=message, place="terms", rule="shipping", blocking=False)
    if content["tax"]["treatment"] == TaxTreatment.OPEN:
        yield OpenItem(message=Message("open_tax"), place="terms", rule="tax")
    if content["configuration_validated"] is None:
        yield OpenItem(message=Message("open_validation"), place="validation", rule="validation", blocking=False)


def _price_items(line: Mapping[str, Any], limits: Limits) -> Iterator[OpenItem]:
    if line["kind"] == "included":
        return
    about, number = OpenKind.PRICE.value, line["number"]
    if line["price_state"] != PriceState.FIRM:
        code = "open_price_indicative" if line["price_state"] == PriceState.INDICATIVE else "open_price"
        yield _line_item(code, number, about=about, blocking=line["counts"])
        return
    if not line["price_date"]:
        yield _line_item("open_price_undated", number, about=about, blocking=line["counts"])
        return
    age_days = (limits.today - date.fromisoformat(line["price_date"])).days
    if age_days > limits.price_max_age_days:
        yield _line_item(
            "open_price_stale",
            number,
            about=about,
            blocking=line["counts"],
            age_days=age_days,
            limit_days=limits.price_max_age_days,
        )


def _tax_items(content: Mapping[str, Any]) -> Iterator[OpenItem]:
    if content["tax"]["treatment"] != TaxTreatment.BY_RATE:
        return
    for line in content["lines"]:
        if line["counts"] and line["tax_rate_pct"] is None:
            number = line["number"]
            yield OpenItem(message=Message("open_tax_rate", {"line": number}), place=f"line-{number}", line=number)


def _lead_items(line: Mapping[str, Any], limits: Limits) -> Iterator[OpenItem]:
    if line["kind"] in _WITHOUT_LEAD_TIME or (line["included_in"] and line["lead"] is None):
        return
    about, number, lead = OpenKind.LEAD_TIME.value, line["number"], line["lead"]
    if lead is None:
        yield _line_item("open_lead_time", number, about=about, blocking=line["counts"])
        return
    if not lead["date"]:
        yield _line_item("open_lead_time_undated", number, about=about, blocking=line["counts"])
        return
    age_days = (limits.today - date.fromisoformat(lead["date"])).days
    if age_days > limits.lead_time_max_age_days:
        limit = limits.lead_time_max_age_days
        yield _line_item(
            "open_lead_time_stale", number, about=about, blocking=line["counts"], age_days=age_days, limit_days=limit
        )


def _line_item(
    code: str, number: str, *, about: str, blocking: bool, age_days: int | None = None, limit_days: int | None = None
) -> OpenItem:
    params: dict[str, str | int | float | None] = {"line": number}
    if age_days is not None:
        params |= {"age_days": age_days, "limit_days": limit_days}
    return OpenItem(message=Message(code, params), place=f"line-{number}", line=number, about=about, blocking=blocking)


def _finding_items(content: Mapping[str, Any]) -> Iterator[OpenItem]:
    if content["screening"]["screened_at"] is None:
        yield OpenItem(message=Message("open_screening"), place="screening", rule="screening")
    for finding in content["screening"]["findings"]:
        if finding["applicability"] == "not_applicable" or finding["flag"] in ("pass", ""):
            continue
        yield OpenItem(
            message=Message(
                "open_finding",
                {"line": finding["line"], "regime": finding["regime"], "flag": finding["flag"]},
            ),
            place="screening",
            line=finding["line"],
            rule=finding["rule"],
            about=OpenKind.FINDING.value,
            blocking=finding["flag"] == "fail",
        )


def _validity_items(content: Mapping[str, Any], limits: Limits) -> Iterator[OpenItem]:
    until = content["terms"]["valid_until"]
    if until is None:
        yield OpenItem(message=Message("open_validity"), place="terms", rule="valid_until")
    elif date.fromisoformat(until) < limits.today:
        yield OpenItem(message=Message("open_validity_past", {"date": until}), place="terms", rule="valid_until")
