"""The table of items and prices, its totals, and the sources of the prices."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from quotes.choices import LineKind, OpenKind, PriceState, TaxTreatment
from quotes.printing.locale import NBSP, Reader
from quotes.printing.model import Flagged, LineRow, Section, TextRow, TotalRow
from quotes.printing.words import description, flag_words, price_kind_words, ranges, regime_short, unit_words
from sizing.choices import BuyerType
from sizing.messages import render

Content = Mapping[str, Any]
_RATE_DIGITS = 6
OPEN_MARKET = "open market"  # how a line says that it is not on the schedule
# What stands under a line; the other regimes have their table in the screening block alone.
_FLAGGED_REGIMES = frozenset({"TAA", "S889"})
_NETWORK = frozenset({"switch", "nic", "network", "cable", "optic", "transceiver", "infiniband"})


def sections(content: Content, reader: Reader) -> tuple[Section, ...]:
    """Sections in the order of their first line, with subtotals that add up to the net total."""
    sources = source_ids(content)
    flags = _flags_by_line(content)
    sums = {entry["section"]: entry for entry in content["totals"]["sections"]}
    grouped: dict[str, list[Content]] = {}
    for line in content["lines"]:
        grouped.setdefault(line["section"], []).append(line)
    made = []
    for key, lines in grouped.items():
        rows = tuple(_row(line, content, reader, sources, flags.get(line["number"], ())) for line in lines)
        words = _("Subtotal %(section)s") % {"section": key}
        if missing := len(sums[key]["open_lines"]):
            words = ngettext(
                "Subtotal %(section)s, without %(count)s open line",
                "Subtotal %(section)s, without %(count)s open lines",
                missing,
            ) % {"section": key, "count": missing}
        made.append(
            Section(
                number=key,
                title=_section_title(lines),
                rows=rows,
                subtotal_words=words,
                subtotal=_subtotal(lines, sums[key], reader),
            )
        )
    return tuple(made)


def _subtotal(lines: Sequence[Content], section: Content, reader: Reader) -> str:
    """A sum of nothing but open prices is open, not zero."""
    counted = sum(1 for line in lines if line["counts"])
    if counted and counted == len(section["open_lines"]):
        return pgettext("document", "open")
    return reader.amount(section["net"])


def total_words(content: Content, key: str, reader: Reader) -> str:
    """The net or gross total; the word open where it is not known or no counted line has a price."""
    sums = content["totals"]
    nothing_priced = sums["counted_lines"] and sums["counted_lines"] == len(sums["open_lines"])
    if nothing_priced or sums[key] is None:
        return pgettext("document", "open")
    return reader.money(sums[key])


def _section_title(lines: Sequence[Content]) -> str:
    stated = next((line["section_title"] for line in lines if line["section_title"]), "")
    if stated:
        return stated
    if all(line["kind"] in (LineKind.SERVICE, LineKind.LICENCE, LineKind.INCLUDED) for line in lines):
        return _("Services and software")
    if all(line["category"] in _NETWORK for line in lines):
        return pgettext("document", "Network")
    return pgettext("document", "Hardware")


def _row(
    line: Content, content: Content, reader: Reader, sources: Mapping[tuple[str, str], str], flags: Sequence[Flagged]
) -> LineRow:
    included, outside = line["kind"] == LineKind.INCLUDED, line["kind"] in (LineKind.OPTION, LineKind.ALTERNATIVE)
    is_open = line["open"]
    decides = str(content["delivery"].get("deciding_line") or "") == line["number"]
    lead = reader.lead(line["lead"])
    return LineRow(
        number=line["number"],
        kind=line["kind"],
        type_words=_type_words(line),
        title=_title(line),
        maker=line["manufacturer"],
        mpn=line["mpn"],
        seller_pn=line["seller_pn"] if line["seller_pn"] != line["mpn"] else "",
        flags=tuple(flags),
        detail=_detail(line, reader, sources),
        schedule=_schedule(line, content),
        open_market=_is_open_market(line, content),
        schedule_open=content["quote"]["buyer_type"] == BuyerType.US_GSA_MAS and not line["schedule"],
        quantity=reader.number(line["quantity"]),
        unit=unit_words(line["unit"], line["pack_size"]),
        unit_net="" if is_open or included else reader.amount(line["unit_net"]),
        extended="" if is_open or included else _extended(line, reader),
        extended_note=_("outside total") if outside else "",
        price_open=is_open,
        included=included,
        outside=outside,
        lead=lead,
        lead_unit=pgettext("weeks, short", "wk") if lead and not reader.lead_in_days else "",
        lead_note=_lead_note(line, decides),
        lead_unknown=not lead
        and not line["included_in"]
        and line["kind"] in (LineKind.BASE, LineKind.OPTION, LineKind.ALTERNATIVE),
        decides=decides,
    )


def _title(line: Content) -> str:
    title = description(line).removesuffix(".")
    if line["pack_size"] > 1:
        return _("%(title)s, pack of %(count)s") % {"title": title, "count": line["pack_size"]}
    return title


def _type_words(line: Content) -> str:
    if line["kind"] == LineKind.OPTION:
        return pgettext("line kind", "Option")
    if line["kind"] == LineKind.ALTERNATIVE:
        return _("Alternative to %(line)s, difference shown") % {"line": line["alternative_to"]}
    if line["kind"] == LineKind.DISCOUNT:
        return pgettext("document", "Discount")
    return ""


def _extended(line: Content, reader: Reader) -> str:
    if line["kind"] in (LineKind.OPTION, LineKind.ALTERNATIVE):
        return difference_words(line, reader)
    return reader.amount(line["extended"])


def difference_words(line: Content, reader: Reader) -> str:
    """What an option or alternative adds to the total."""
    return reader.signed(line["delta"]) if line["delta"] is not None else _("difference unknown")


def _lead_note(line: Content, decides: bool) -> str:
    if decides:
        return pgettext("document", "decides")
    if line["included_in"] and not line["lead"] and line["kind"] != LineKind.INCLUDED:
        return _("with line %(line)s") % {"line": line["included_in"]}
    if line["kind"] == LineKind.SERVICE and not line["lead"]:
        return _("after delivery")
    return _("with delivery") if line["kind"] in (LineKind.LICENCE, LineKind.INCLUDED) and not line["lead"] else ""


def _detail(line: Content, reader: Reader, sources: Mapping[tuple[str, str], str]) -> str:
    """Third tier: list price and discount, price source and its date."""
    if line["kind"] == LineKind.INCLUDED:
        return _("in line %(line)s") % {"line": line["included_in"]} if line["included_in"] else ""
    if line["open"]:
        note = render(line["price_note"]) if line["price_note"] else ""
        if line["price_state"] == PriceState.INDICATIVE and line["list_price"]:
            shown = reader.money(line["list_price"])
            return _("indicative only, %(amount)s, not counted") % {"amount": shown}
        return note
    parts = []
    if line["discount_pct"] and line["list_price"]:
        parts.append(
            _("List %(price)s, less %(discount)s")
            % {"price": reader.amount(line["list_price"]), "discount": reader.percent(line["discount_pct"])}
        )
    parts += _sold_words(line, reader)
    source = sources.get(_source_key(line), "")
    parts.append(_("price %(source)s, %(date)s") % {"source": source, "date": reader.date(line["price_date"])})
    return f"{NBSP}· ".join(parts)


def _sold_words(line: Content, reader: Reader) -> list[str]:
    """Quantity breaks, minimum order and multiple, where the line has any."""
    tiers = [
        _("from %(quantity)s: %(price)s")
        % {"quantity": reader.count(tier["from"]), "price": reader.amount(tier["price"])}
        for tier in line.get("price_tiers") or ()
    ]
    words = [", ".join(tiers)] if tiers else []
    if line.get("minimum_units"):
        words.append(_("minimum order %(count)s") % {"count": reader.count(line["minimum_units"])})
    if line.get("order_multiple"):
        words.append(_("in multiples of %(count)s") % {"count": reader.count(line["order_multiple"])})
    return words


def _is_open_market(line: Content, content: Content) -> bool:
    return content["quote"]["buyer_type"] == BuyerType.US_GSA_MAS and str(line["schedule"]).lower() == OPEN_MARKET


def _schedule(line: Content, content: Content) -> str:
    if _is_open_market(line, content):
        return _("Open market")
    if content["quote"]["buyer_type"] == BuyerType.US_GSA_MAS and not line["schedule"]:
        return pgettext("document", "open")
    return str(line["schedule"])


def _flags_by_line(content: Content) -> dict[str, list[Flagged]]:
    """TAA and 889 findings other than pass, while in scope, as shape and words under a line."""
    found: dict[str, list[Flagged]] = {}
    for finding in content["screening"]["findings"]:
        if finding["regime"] not in _FLAGGED_REGIMES or finding["applicability"] == "not_applicable":
            continue
        if finding["line"] and finding["flag"] not in ("", "pass"):
            words = f"{regime_short(finding['regime'])}{NBSP}{flag_words(finding['flag'])}"
            found.setdefault(finding["line"], []).append(Flagged(state=finding["flag"], words=words))
    return found


def totals(content: Content, reader: Reader) -> tuple[TotalRow, ...]:
    """The rows under the lines, ending with what is to be paid."""
    sums, treatment = content["totals"], content["tax"]["treatment"]
    net = TotalRow(label=_total_label(content, reader), amount=total_words(content, "net", reader), strength=2)
    rows = [*_schedule_parts(content, reader), *_tax_words(treatment), net]
    if treatment == TaxTreatment.BY_RATE:
        rows += [
            TotalRow(
                label=_("VAT %(rate)s on %(base)s")
                % {"rate": reader.percent(tax["rate_pct"]), "base": reader.money(tax["base"])},
                amount=reader.money(tax["amount"]),
            )
            for tax in sums["taxes"]
        ]
        has_rates = sums["gross"] is not None
        gross = total_words(content, "gross", reader) if has_rates else _("open: a line has no tax rate")
        rows.append(TotalRow(label=_gross_label(content), amount=gross, strength=1))
    if sums["early_payment"] is not None:
        terms = content["terms"]
        rows.append(
            TotalRow(
                label=_("Early payment discount %(rate)s within %(days)s days")
                % {"rate": reader.percent(terms["early_payment_pct"]), "days": terms["early_payment_days"] or "?"},
                amount=reader.money(0 - Decimal(sums["early_payment"])),
            )
        )
        rows.append(TotalRow(label=_("Payable with the discount"), amount=reader.money(sums["payable_early"])))
    return tuple(rows)


def _total_label(content: Content, reader: Reader) -> str:
    return _("Total, net, incomplete") if not content["totals"]["complete"] else _("Total, net")


def _gross_label(content: Content) -> str:
    return _("Total, gross") if content["totals"]["complete"] else _("Total, gross, incomplete")


def _tax_words(treatment: str) -> list[TotalRow]:
    words: dict[str, str] = {
        TaxTreatment.FEDERAL_BUYER: _("none: federal buyer"),
        TaxTreatment.NOT_INCLUDED: _("not included, by ship-to address"),
        TaxTreatment.REVERSE_CHARGE: _("reverse charge: the buyer owes the tax"),
        TaxTreatment.OPEN: pgettext("document", "open"),
    }
    return [TotalRow(label=pgettext("document", "Tax"), amount=words[treatment])] if treatment in words else []


def _schedule_parts(content: Content, reader: Reader) -> list[TotalRow]:
    if content["quote"]["buyer_type"] != BuyerType.US_GSA_MAS:
        return []
    counted = [line for line in content["lines"] if line["counts"] and line["extended"] is not None]
    market = sum((Decimal(x["extended"]) for x in counted if _is_open_market(x, content)), Decimal(0))
    unassigned = sum((Decimal(x["extended"]) for x in counted if not x["schedule"]), Decimal(0))
    schedule = sum((Decimal(x["extended"]) for x in counted), Decimal(0)) - market - unassigned
    rows = [
        TotalRow(label=_("Schedule lines"), amount=reader.amount(schedule)),
        TotalRow(label=_("Open-market lines"), amount=reader.amount(market)),
    ]
    if unassigned:
        rows.append(TotalRow(label=_("Lines without schedule statement"), amount=reader.amount(unassigned)))
    return rows


def incomplete_sentence(content: Content, reader: Reader) -> str:
    """Which prices are open; "" where none is."""
    open_lines = content["totals"]["open_lines"]
    if not open_lines:
        return ""
    by_number = {line["number"]: line for line in content["lines"]}
    named = [
        f"{number} ({description(by_number[number])}, {reader.number(by_number[number]['quantity'])}{NBSP}"
        f"{unit_words(by_number[number]['unit'], by_number[number]['pack_size'])})"
        for number in open_lines[:3]
    ]
    if len(open_lines) > len(named):
        named.append(_("%(count)s more") % {"count": len(open_lines) - len(named)})
    return ngettext(
        "the price of line %(lines)s is open and is not counted as zero.",
        "the prices of lines %(lines)s are open and are not counted as zero.",
        len(open_lines),
    ) % {"lines": ", ".join(named)}


def outside_sentence(content: Content, reader: Reader) -> str:
    """What stands outside the total with its difference; "" where nothing does."""
    parts = []
    for line in content["lines"]:
        values = {"line": line["number"], "base": line["alternative_to"]}
        if line["kind"] == LineKind.OPTION:
            parts.append(_("option %(line)s  %(delta)s") % (values | {"delta": difference_words(line, reader)}))
        elif line["kind"] == LineKind.ALTERNATIVE:
            parts.append(
                _("alternative %(line)s in place of %(base)s  %(delta)s")
                % (values | {"delta": difference_words(line, reader)})
            )
    if not parts:
        return ""
    return _("Outside the total and its tax: %(items)s") % {"items": " · ".join(parts)}


def _source_key(line: Content) -> tuple[str, str]:
    return (line["price_kind"], line["price_date"] or "")


def source_ids(content: Content) -> dict[tuple[str, str], str]:
    """P1, P2 ... for each kind and date of a price, in the order of the lines."""
    keys = [_source_key(line) for line in content["lines"] if not line["open"] and line["kind"] != LineKind.INCLUDED]
    return {key: f"P{index}" for index, key in enumerate(dict.fromkeys(keys), start=1)}


def sources(content: Content, reader: Reader) -> tuple[TextRow, ...]:
    """Id, kind, date and lines of each price source; never whose it is."""
    used: dict[tuple[str, str], list[str]] = {key: [] for key in source_ids(content)}
    for line in content["lines"]:
        if not line["open"] and _source_key(line) in used and line["kind"] != LineKind.INCLUDED:
            used[_source_key(line)].append(line["number"])
    order = {line["number"]: place for place, line in enumerate(content["lines"])}
    rows = [
        TextRow(cells=(name, price_kind_words(key[0]), reader.date(key[1]), ranges(used[key], order)))
        for key, name in source_ids(content).items()
    ]
    return (
        *rows,
        *(TextRow(cells=("", f"{words}, {source}", day, "")) for words, source, day in rates(content, reader)),
    )


def rates(content: Content, reader: Reader) -> list[tuple[str, str, str]]:
    """Each exchange rate in words, its source and its date."""
    return [
        (
            _("1 %(foreign)s = %(rate)s %(own)s")
            % {"foreign": foreign, "rate": _rate(rate["rate"], reader), "own": reader.currency},
            rate.get("source", ""),
            reader.date(rate.get("date")),
        )
        for foreign, rate in sorted(content["exchange_rates"].items())
    ]


def _rate(rate: str, reader: Reader) -> str:
    """A rate with up to six decimals: an inverted one has no end."""
    exact = -int(Decimal(rate).as_tuple().exponent)
    return reader.number(rate, _RATE_DIGITS if exact > _RATE_DIGITS else None)


def decisions(content: Content, reader: Reader) -> tuple[TextRow, ...]:
    """Line and rule, reason, by whom and when."""
    words = {
        OpenKind.PRICE: pgettext("document", "price"),
        OpenKind.LEAD_TIME: _("lead time"),
        OpenKind.FINDING: "",
        OpenKind.FIELD: pgettext("document", "field"),
    }
    return tuple(
        TextRow(
            cells=(
                reader.join((entry["line"], entry["rule"] or str(words[OpenKind(entry["about"])]))),
                entry["reason"],
                reader.join((entry["by"], reader.date(entry["at"]))),
            )
        )
        for entry in content["decisions"]
    )
