"""Renting and an API beside owning, opened: what a request and a year cost, when owning becomes cheaper."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from sizing import figures
from sizing.cost_explanations import DAYS_PER_YEAR, money_words, requests_per_day
from sizing.explanation_parts import Explanation, SumRow
from sizing.option_details import pricing_words
from sizing.presentation import OptionView, known_money

HOURS_PER_YEAR = 8760
SECONDS_PER_HOUR = 3600
MONTHS_PER_YEAR = 12
MILLION = 1_000_000


def offer_explanation(option: OptionView, request: Mapping[str, Any], key: str) -> Explanation | None:
    """The explanation of `offer-0-year`, `-request`, `-months` or `-day`; None where there is no such offer.

    The number counts the offers of the option as they stand on its page.
    """
    _word, _dash, rest = key.partition("-")
    number, _dash, name = rest.partition("-")
    offers = (option.data.get("cost") or {}).get("against") or []
    build = FIGURES.get(name)
    if not key.startswith("offer-") or build is None or not number.isdecimal() or int(number) >= len(offers):
        return None
    return build(option, request, offers[int(number)], key)


def year(option: OptionView, request: Mapping[str, Any], offer: Mapping[str, Any], key: str) -> Explanation:
    """The accelerators for all hours of a year, or the requests of a year."""
    if _is_rent(offer):
        rule = _("accelerators × price of an hour × hours of a year")
        rows = [*_hour_rows(offer), _hours_row()]
    else:
        rule = _("cost of a request × requests of a day × 365")
        per_day = requests_per_day(option, request)
        rows = [_money_row(_("Cost of a request"), offer.get("per_request"), url=_sibling(option, key, "request"))]
        if per_day is not None:
            rows.append(SumRow(label=_("Requests per day"), term="×", value=figures.number(per_day)))
        rows.append(SumRow(label=_("Days of a year"), term="×", value=figures.number(DAYS_PER_YEAR)))
    return _of_money(offer, offer.get("per_year"), key, title=_("Per year"), rule=rule, rows=rows)


def request(option: OptionView, request: Mapping[str, Any], offer: Mapping[str, Any], key: str) -> Explanation:
    """One request: its share of an hour at full load, or its tokens at their price."""
    if _is_rent(offer):
        rule = _("price of all accelerators for an hour / requests that they serve in it within the targets")
        rows = _hour_rows(offer)
        served = _served_per_hour(option)
        if served is not None:
            rows.append(SumRow(label=_("Requests of an hour at full load"), term="/", value=figures.number(served)))
    else:
        rule = _("tokens read × their price + tokens written × their price")
        rows = [*_token_rows(offer), *_exchange_rows(offer)]
    return _of_money(offer, offer.get("per_request"), key, title=_("Per request"), rule=rule, rows=rows)


def months(option: OptionView, request: Mapping[str, Any], offer: Mapping[str, Any], key: str) -> Explanation:
    """After how many months the purchase is earned back."""
    value = offer.get("break_even_months")
    compared = option.amount is not None and (offer.get("per_year") or {}).get("amount") is not None
    return _of_break_even(
        offer,
        key,
        title=_("Break-even, months"),
        text=figures.figure(value) if value else _("never") if compared else _("unknown"),
        is_open=not value and not compared,
        rule=_("purchase / ((offer for a year − own running cost of a year) / 12)"),
        rows=[
            _money_row(_("Purchase, net"), option.price, url=f"{option.url}?why=price"),
            *_saved_rows(option, offer, key),
        ],
        notes=[] if value or not compared else [_("Running the own hardware costs as much as the offer, or more.")],
    )


def _saved_rows(option: OptionView, offer: Mapping[str, Any], key: str) -> list[SumRow]:
    """What a year of the offer costs more than running the own hardware, over the months of a year."""
    paid, cost = offer.get("per_year") or {}, option.data.get("cost") or {}
    if paid.get("amount") is None:
        return [_money_row(_("Offer, per year"), paid, term="/", url=_sibling(option, key, "year"))]
    running = known_money(cost.get("running_per_year"))
    words = _("unknown") if running.get("amount") is None else _exactly(running)
    counted = Decimal(str((cost.get("running_per_year") or {}).get("amount") or 0))
    saved = paid | {"amount": Decimal(str(paid["amount"])) - counted}
    return [
        SumRow(
            label=_("Offer less own running cost, per year"),
            term=f"/ ({_exactly(paid)} {figures.MINUS} {words})",
            value=money_words(saved, exact=True),
            url=_sibling(option, key, "year"),
        ),
        SumRow(label=_("Months of a year"), term="×", value=figures.number(MONTHS_PER_YEAR)),
    ]


def day(option: OptionView, request: Mapping[str, Any], offer: Mapping[str, Any], key: str) -> Explanation:
    """From how many requests a day owning is cheaper."""
    value = offer.get("break_even_requests_per_day")
    beyond = bool(offer.get("beyond_capacity"))
    own = known_money((option.data.get("cost") or {}).get("per_year"))
    return _of_break_even(
        offer,
        key,
        title=_("Break-even, requests a day"),
        text=figures.number(value) if value else _("above full capacity") if beyond else _("unknown"),
        is_open=not value,
        rule=_("cost of owning for a year / 365 / what a request costs at the offer"),
        rows=[
            _money_row(_("Owning, per year"), own, url=f"{option.url}?why=per_year"),
            SumRow(label=_("Days of a year"), term="/", value=figures.number(DAYS_PER_YEAR)),
            _money_row(
                _("Cost of a request"), offer.get("per_request"), term="/", url=_sibling(option, key, "request")
            ),
        ],
        notes=[_("Even at full capacity the offer stays cheaper.")] if beyond else [],
    )


def _of_money(
    offer: Mapping[str, Any], money: Mapping[str, Any] | None, key: str, *, title: str, rule: str, rows: list[SumRow]
) -> Explanation:
    known = money or {}
    return Explanation(
        key=key,
        title=f"{title}: {offer.get('name')}",
        text=_exactly(known),
        is_open=known.get("amount") is None,
        rule=rule,
        rows=rows,
        total=_exactly(known),
        facts=_facts(offer),
        notes=_limits(offer),
        link=_rates_link(offer),
        source=str(known.get("source") or ""),
    )


def _of_break_even(
    offer: Mapping[str, Any],
    key: str,
    *,
    title: str,
    text: str,
    is_open: bool,
    rule: str,
    rows: list[SumRow],
    notes: list[str],
) -> Explanation:
    if offer.get("at_least"):
        notes = [*notes, _("Parts of the cost of owning are not known, so this is a lower bound.")]
    return Explanation(
        key=key,
        title=f"{title}: {offer.get('name')}",
        text=text,
        is_open=is_open,
        rule=rule,
        rows=rows,
        total=text,
        facts=_facts(offer),
        notes=[*notes, *_limits(offer)],
        link=_rates_link(offer),
        source=str((offer.get("per_year") or {}).get("source") or ""),
    )


def _is_rent(offer: Mapping[str, Any]) -> bool:
    return offer.get("kind") == "rent"


def _listed(offer: Mapping[str, Any], unit: str) -> Mapping[str, Any]:
    """The price of the offer for one unit, as its list has it; empty in results of older releases."""
    return next((rate for rate in offer.get("rates") or [] if rate.get("unit") == unit), {})


def _hour_rows(offer: Mapping[str, Any]) -> list[SumRow]:
    """What all accelerators cost for an hour: their number times the listed price, in the buyer's currency."""
    rate = _listed(offer, "accelerator_hour")
    if not rate:
        amount = (offer.get("per_year") or {}).get("amount")
        hour = None if amount is None else Decimal(str(amount)) / HOURS_PER_YEAR
        money = (offer.get("per_year") or {}) | {"amount": hour}
        return [_money_row(_("All accelerators for an hour"), money)]
    return [
        SumRow(label=_("Accelerators"), value=figures.figure(rate["quantity"])),
        _money_row(_("One accelerator for an hour, as listed"), rate["price"], term="×"),
        *_exchange_rows(offer),
    ]


def _hours_row() -> SumRow:
    return SumRow(label=_("Hours of a year"), term="×", value=figures.number(HOURS_PER_YEAR))


def _token_rows(offer: Mapping[str, Any]) -> list[SumRow]:
    """Tokens read and written for a request, each at its listed price of a million."""
    rows = []
    for unit, label in (
        ("million_input_tokens", _("Tokens read for a request")),
        ("million_output_tokens", _("Tokens written for a request")),
    ):
        rate = _listed(offer, unit)
        if not rate:
            continue
        price, currency = Decimal(str(rate["price"]["amount"])), str(rate["price"]["currency"])
        tokens = Decimal(str(rate["quantity"]))
        words = {"tokens": figures.number(tokens), "money": figures.amount(price, currency, exact=True)}
        value = money_words({"amount": price * tokens / MILLION, "currency": currency}, exact=True)
        rows.append(SumRow(label=label, term=_("%(tokens)s × %(money)s per million") % words, value=value))
    return rows


def _exchange_rows(offer: Mapping[str, Any]) -> list[SumRow]:
    """The exchange rate between the list and the buyer, where they differ."""
    rate, listed = offer.get("exchange_rate"), offer.get("rates") or []
    if rate is None or not listed:
        return []
    here, there = str((offer.get("per_request") or {}).get("currency")), str(listed[0]["price"]["currency"])
    if here == there:
        return []
    words = {"from": there, "to": here}
    return [SumRow(label=_("Exchange rate, %(from)s to %(to)s") % words, term="×", value=figures.number(rate, 4))]


def _served_per_hour(option: OptionView) -> float | None:
    """Requests of an hour that the option serves within its targets; None where it is not known."""
    each = (option.data.get("redundancy") or {}).get("replica_requests_per_s")
    return None if each is None else each * int(option.data.get("replicas") or 1) * SECONDS_PER_HOUR


def _money_row(label: str, money: Mapping[str, Any] | None, *, term: str = "", url: str = "") -> SumRow:
    known = money or {}
    return SumRow(label=label, term=term, value=_exactly(known), is_open=known.get("amount") is None, url=url)


def _exactly(money: Mapping[str, Any]) -> str:
    return _("price open") if money.get("amount") is None else money_words(money, exact=True)


def _facts(offer: Mapping[str, Any]) -> list[tuple[str, str]]:
    money = offer.get("per_year") or {}
    rows = [
        (_("Provider"), str(offer.get("name") or "")),
        (_("Terms"), pricing_words(str(offer.get("pricing_model") or ""))),
        (_("Region"), str(offer.get("region") or "")),
        (_("Seen on"), figures.day(money.get("as_of"))),
    ]
    return [(label, text) for label, text in rows if text]


def _limits(offer: Mapping[str, Any]) -> list[str]:
    return [] if offer.get("allowed", True) else [_("Your limits exclude this offer, so it is never advised.")]


def _rates_link(offer: Mapping[str, Any]) -> tuple[str, str]:
    query = urlencode({"q": offer.get("name") or ""})
    return _("All rental and API rates"), f"{reverse('catalog:cloud_rates')}?{query}"


def _sibling(option: OptionView, key: str, name: str) -> str:
    """The address of another figure of the same offer."""
    return f"{option.url}?why={key.rpartition('-')[0]}-{name}"


FIGURES: dict[str, Callable[[OptionView, Mapping[str, Any], Mapping[str, Any], str], Explanation]] = {
    "year": year,
    "request": request,
    "months": months,
    "day": day,
}
