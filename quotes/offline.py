"""A quote's content from a result's option or a bare bill, without a database: for the command line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

from django.utils import translation

from config.accounts.models import Organisation
from quotes.choices import Region, TaxTreatment
from quotes.content import assemble
from quotes.errors import QuoteError
from quotes.exchange import rates_used
from quotes.from_option import Rates, lines_from_bom
from quotes.models import Quote, QuotePolicy, QuoteRevision
from quotes.screening import finding_rows, lists_used, screened
from quotes.sizing_summary import sizing_summary
from quotes.tax import default_treatment, standard_rate_pct
from sizing.choices import BuyerType

_REGIONS = {"de": Region.DE, "en": Region.US}
_COUNTRIES = {Region.DE: "DE", Region.US: "US"}
VALID_DAYS = 30  # FAR 52.212-1(c): firm for 30 calendar days unless stated otherwise


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """What was read: the option, and the request and result around it where they came along."""

    option: Mapping[str, Any]
    request: Mapping[str, Any]
    result: Mapping[str, Any]


def read_given(data: Any) -> Given:
    """An option object, a whole result (its first option counts), an object with `bom`, or a list of lines.

    Raises QuoteError for anything else.
    """
    if isinstance(data, Sequence) and not isinstance(data, str):
        return Given(option={"bom": data}, request={}, result={})
    if not isinstance(data, Mapping):
        raise QuoteError("quote_input_unreadable")
    if isinstance(data.get("options"), Sequence) and "bom" not in data:
        if not data["options"]:
            raise QuoteError("quote_result_without_option")
        return Given(option=data["options"][0], request=data.get("request") or {}, result=data)
    if "bom" not in data:
        raise QuoteError("quote_input_unreadable")
    return Given(option=data, request=data.get("request") or {}, result={})


def content_from_option(data: Any, *, language: str, today: date) -> dict[str, Any]:
    """The content of a draft R1 with an unnamed seller and buyer: both are shown as open."""
    given = read_given(data)
    region = _REGIONS[language]
    quote = _quote(given, region, language, today)
    quote.exchange_rates = rates_used(_bill(given.option), currency=quote.currency, known={})
    seller = Organisation(name="", time_zone="UTC")
    revision = QuoteRevision(
        quote=quote,
        number=1,
        issued_on=today,
        sizing=sizing_summary(given.option, request=given.request, result=given.result),
        delivery=dict(given.option.get("delivery") or {}),
    )
    taxed = quote.tax_treatment == TaxTreatment.BY_RATE
    rate = standard_rate_pct(_COUNTRIES[region], today) if taxed else None
    with translation.override(language):
        lines = lines_from_bom(_bill(given.option), Rates(currency=quote.currency, tax_rate_pct=rate))
    for line in lines:
        line.revision = revision
    result = screened(quote, lines, today=today)
    revision.screened_at = datetime(today.year, today.month, today.day, tzinfo=UTC)
    revision.screening_lists = lists_used(result)
    findings = finding_rows(revision, lines, result)
    return assemble(quote=quote, revision=revision, seller=seller, policy=QuotePolicy(), lines=lines, findings=findings)


def _bill(option: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    bill = option.get("bom") or ()
    if not isinstance(bill, Sequence) or not all(isinstance(entry, Mapping) for entry in bill):
        raise QuoteError("quote_input_unreadable")
    return bill


def _quote(given: Given, region: Region, language: str, today: date) -> Quote:
    procurement = given.request.get("procurement") or {}
    return Quote(
        number=f"Q-{today.year}-0000",
        title=_title(given)[:200],
        buyer_type=procurement.get("buyer_type") or BuyerType.UNKNOWN,
        buyer_country=procurement.get("destination_country") or "",
        currency=_currency(given),
        language=language,
        region=region,
        tax_treatment=default_treatment(
            seller_country=_COUNTRIES[region],
            buyer_country=procurement.get("destination_country") or "",
            buyer_type=procurement.get("buyer_type") or BuyerType.UNKNOWN,
            on=today,
        ),
        valid_days=VALID_DAYS,
        valid_until=today + timedelta(days=VALID_DAYS),
    )


def _title(given: Given) -> str:
    """The workload's name, else what the option is built of."""
    if given.request.get("name"):
        return str(given.request["name"])
    accelerator = given.option.get("accelerator")
    named = next((entry.get("name") for entry in _bill(given.option) if entry.get("part") == accelerator), None)
    return str(named or accelerator or "")


def _currency(given: Given) -> str:
    """That of the option's purchase cost, else that of the first priced line, else US dollars."""
    purchase = (given.option.get("cost") or {}).get("purchase") or {}
    if purchase.get("currency"):
        return str(purchase["currency"])
    for entry in _bill(given.option):
        price = entry.get("unit_price") or {}
        if price.get("amount") is not None and price.get("currency"):
            return str(price["currency"])
    return str((given.request.get("procurement") or {}).get("currency") or "USD")
