"""The sums behind an option's money: purchase, a year of owning, a request, a million tokens, each written out."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _

from sizing import figures
from sizing.explanation_parts import Explanation, SumRow
from sizing.presentation import AT_LEAST, OptionView, known_money, words_of
from sizing.templatetags.kvote import money_text

DAYS_PER_YEAR = 365
SECONDS_PER_DAY = 86_400
OUTSIDE = "option"


def cost_explanation(
    option: OptionView, request: Mapping[str, Any], assumed: Mapping[str, Any], key: str
) -> Explanation | None:
    """The explanation of one money figure, or None where `key` names none.

    `assumed` holds what the run took for inputs that were not stated, by the path of the input.
    """
    build = FIGURES.get(key)
    return build(option, request, assumed) if build else None


def is_counted(line: Mapping[str, Any]) -> bool:
    """Whether a line of the bill enters the purchase."""
    return line.get("kind") != OUTSIDE and not line.get("included")


def purchase(option: OptionView, request: Mapping[str, Any], assumed: Mapping[str, Any]) -> Explanation:
    return Explanation(
        key="price",
        title=_("Purchase, net"),
        text=money_words(option.price),
        is_open=option.amount is None,
        rule=_("Quantity times unit price, added up over the lines of the bill. A line without price adds nothing."),
        rows=[_line_row(line, option, weak=False) for line in _lines(option)],
        total=money_words(option.price, exact=True),
        notes=_gaps(option),
        source=_("The dated price of each line; open a line to see it."),
    )


def indicative(option: OptionView, request: Mapping[str, Any], assumed: Mapping[str, Any]) -> Explanation:
    money = (option.data.get("cost") or {}).get("indicative") or {}
    return Explanation(
        key="indicative",
        title=_("With indicative prices"),
        text=money_words(money),
        is_open=money.get("amount") is None,
        rule=_("As the purchase; where a line has only a press estimate or a weak price, that one counts too."),
        rows=[_line_row(line, option, weak=True) for line in _lines(option)],
        total=money_words(money, exact=True),
        notes=[_("To be shown, never to be ranked by, and never part of a quote.")],
        source=_("The dated price of each line; open a line to see it."),
    )


def _lines(option: OptionView) -> list[Mapping[str, Any]]:
    return [line for line in option.data.get("bom") or [] if is_counted(line)]


def _line_row(line: Mapping[str, Any], option: OptionView, *, weak: bool) -> SumRow:
    label = f"{line.get('line')} {line.get('description') or line.get('mpn') or ''}".strip()
    money = line.get("unit_price") or {}
    if weak and money.get("amount") is None:
        money = line.get("indicative_price") or {}
    url = f"{option.url}?why=price-{line.get('line')}"
    if money.get("amount") is None:
        return SumRow(label=label, term=figures.number(line["quantity"]), value=_("price open"), is_open=True, url=url)
    amount, currency = Decimal(str(money["amount"])), str(money["currency"])
    return SumRow(
        label=label,
        term=f"{figures.number(line['quantity'])} × {figures.amount(amount, currency, exact=True)}",
        value=figures.amount(amount * line["quantity"], currency, exact=True),
        url=url,
    )


def _gaps(option: OptionView) -> list[str]:
    """What is missing from a cost, in words."""
    return list(dict.fromkeys(filter(None, map(words_of, (option.data.get("cost") or {}).get("missing") or []))))


def per_year(option: OptionView, request: Mapping[str, Any], assumed: Mapping[str, Any]) -> Explanation:
    cost = option.data.get("cost") or {}
    year = known_money(cost.get("per_year"))
    return Explanation(
        key="per_year",
        title=_("Per year"),
        text=money_words(year),
        is_open=year.get("amount") is None,
        rule=_("(purchase − value at the end) / years of write-off + energy + space + staff"),
        rows=[*_written_off(option, request, assumed), *_running(option, request)],
        total=money_words(year, exact=True),
        notes=_gaps(option),
        source=_("Bill of materials, site and terms of the request."),
    )


def _written_off(option: OptionView, request: Mapping[str, Any], assumed: Mapping[str, Any]) -> list[SumRow]:
    stated = request.get("procurement") or {}
    years = stated.get("write_off_years") or assumed.get("cost.write_off_years")
    price, label = option.price, _("Purchase, written off")
    if price.get("amount") is None or not years:
        return [SumRow(label=label, value=_("price open"), is_open=True, url=f"{option.url}?why=price")]
    residual = Decimal(str(stated.get("residual_share") or 0))
    currency, amount = str(price["currency"]), Decimal(str(price["amount"]))
    words = figures.amount(amount, currency, exact=True)
    if residual:
        words = f"{words} × (1 − {figures.percent(float(residual))})"
    return [
        SumRow(
            label=label,
            term=_("%(amount)s / %(years)s years") % {"amount": words, "years": figures.figure(years)},
            value=figures.amount(amount * (1 - residual) / Decimal(str(years)), currency, exact=True),
            url=f"{option.url}?why=price",
        )
    ]


def _running(option: OptionView, request: Mapping[str, Any]) -> list[SumRow]:
    """Energy always; space and staff only where the request states them."""
    cost, site, buying = (
        option.data.get("cost") or {},
        request.get("site") or {},
        request.get("procurement") or {},
    )
    currency = str((cost.get("running_per_year") or {}).get("currency") or option.price.get("currency") or "")
    rows = [_energy_row(option, site, currency)]
    space, units = site.get("space_per_rack_unit_year"), option.data.get("rack_units")
    if space is not None and units is not None:
        each, height = Decimal(str(space)), figures.with_unit(figures.figure(units), _("U"))
        rows.append(
            SumRow(
                label=_("Space"),
                term=f"{height} × {figures.amount(each, currency, exact=True)}",
                value=figures.amount(each * Decimal(str(units)), currency, exact=True),
            )
        )
    if buying.get("staff_per_year") is not None:
        staff = Decimal(str(buying["staff_per_year"]))
        rows.append(SumRow(label=_("Staff"), value=figures.amount(staff, currency, exact=True)))
    return rows


def _energy_row(option: OptionView, site: Mapping[str, Any], currency: str) -> SumRow:
    cost = option.data.get("cost") or {}
    energy, kwh = known_money(cost.get("energy_per_year")), (cost.get("energy_kwh_per_year") or {}).get("value")
    url = f"{option.url}?why=energy_year" if kwh is not None else ""
    price = site.get("electricity_price_per_kwh")
    if energy.get("amount") is None or kwh is None or price is None:
        return SumRow(label=_("Energy"), value=_("unknown"), is_open=True, url=url)
    rate = figures.amount(Decimal(str(price)), currency, exact=True)
    return SumRow(
        label=_("Energy"),
        term=f"{figures.with_unit(figures.number(kwh), 'kWh')} × {rate}",
        value=figures.amount(str(energy["amount"]), currency, exact=True),
        url=url,
    )


def per_request(option: OptionView, request: Mapping[str, Any], assumed: Mapping[str, Any]) -> Explanation:
    title = _("Per item") if option.kind_figures else _("Per request")
    return _shared("per_request", title, option, request, tokens=False)


def per_million_tokens(option: OptionView, request: Mapping[str, Any], assumed: Mapping[str, Any]) -> Explanation:
    return _shared("per_million_tokens", _("Per million tokens"), option, request, tokens=True)


def _shared(key: str, title: str, option: OptionView, request: Mapping[str, Any], *, tokens: bool) -> Explanation:
    """A year of owning over what it carries."""
    cost = option.data.get("cost") or {}
    money, year = known_money(cost.get(key)), known_money(cost.get("per_year"))
    per_day = requests_per_day(option, request)
    rows = [
        SumRow(label=_("Per year"), value=money_words(year, exact=True), is_open=year.get("amount") is None,
               url=f"{option.url}?why=per_year"),
        SumRow(label=_("Days of a year"), term="/", value=figures.number(DAYS_PER_YEAR)),
    ]  # fmt: skip
    if per_day is not None:
        rows.append(SumRow(label=_("Requests per day"), term="/", value=figures.number(per_day)))
    if tokens:
        each = tokens_per_request(request)
        if each is not None:
            rows.append(
                SumRow(label=_("Tokens per request, in millions"), term="/", value=figures.number(each / 1e6, 6))
            )
    return Explanation(
        key=key,
        title=title,
        text=money_words(money),
        is_open=money.get("amount") is None,
        rule=_("cost of a year / 365 / what the stated load asks for in a day"),
        rows=rows,
        total=money_words(money, exact=True),
        notes=_gaps(option),
        source=_("The stated load of the request, taken over the hours of its day."),
    )


def requests_per_day(option: OptionView, request: Mapping[str, Any]) -> float | None:
    """Requests of a day at the stated load; None for kinds that state no traffic."""
    traffic = request.get("traffic") or {}
    rate = traffic.get("requests_per_s")
    if rate is None:
        output, served = _mean(traffic.get("output_tokens")), (option.throughput or {}).get("value")
        rate = served / output if served and output else None
    profile: Sequence[float] = traffic.get("load_profile") or ()
    share = sum(profile) / len(profile) if profile else 1.0
    return None if rate is None else rate * share * SECONDS_PER_DAY


def tokens_per_request(request: Mapping[str, Any]) -> float | None:
    """Tokens read and written for one request, as a mean."""
    traffic = request.get("traffic") or {}
    read, written = _mean(traffic.get("input_tokens")), _mean(traffic.get("output_tokens"))
    return None if read is None or written is None else read + written


def _mean(stated: Any) -> float | None:
    value = stated.get("mean") if isinstance(stated, Mapping) else stated
    return None if value is None else float(value)


def money_words(money: Mapping[str, Any], *, exact: bool = False) -> str:
    """An amount with its currency, "at least" where it is a lower bound; a word where it is unknown."""
    amount = money.get("amount")
    if amount is None:
        return _("price open")
    words = money_text(money, exact=exact)
    return _("at least %(money)s") % {"money": words} if money.get("basis") == AT_LEAST else words


FIGURES: dict[str, Callable[[OptionView, Mapping[str, Any], Mapping[str, Any]], Explanation]] = {
    "price": purchase,
    "indicative": indicative,
    "per_year": per_year,
    "per_request": per_request,
    "per_million_tokens": per_million_tokens,
}
