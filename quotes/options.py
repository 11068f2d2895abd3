"""Other options of the sizing behind a quote, priced as this quote would price them. Reads only."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any
from uuid import UUID

from django.utils import timezone, translation

from catalog.margins import Margins, margins_of
from quotes.choices import TaxTreatment
from quotes.content import assemble, totals_of
from quotes.errors import QuoteError
from quotes.exchange import rates_on, rates_used
from quotes.from_option import Rates, lines_from_bom
from quotes.models import Quote, QuoteLine, QuotePolicy, QuoteRevision
from quotes.policy import policy_of
from quotes.screening import finding_rows, lists_used, screened
from quotes.sizing_summary import sizing_summary
from quotes.tax import standard_rate_pct
from sizing.models import SizingOption, SizingRun
from sizing.stored import HEAVY, frame_of, without

OPTIONS_MAX = 8
UNPRICED = [*(key for key in HEAVY if key != "bom"), "cost", "utilisation", "redundancy"]  # not in any document

type Content = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionFigures:
    """One option beside the quote. `net` sums its known prices; `content` is what a quote made from it would hold."""

    public_id: UUID
    rank: int
    content: Content
    net: Decimal
    open_lines: int
    is_own: bool


def quote_has_options(quote: Quote) -> bool:
    """Whether the option that the quote was made from is still there."""
    source = quote.source_option
    return source is not None and SizingOption.objects.filter(public_id=source).exists()


def options_of(quote: Quote) -> list[OptionFigures]:
    """The first options of the run that the quote came from, its own among them; none for another source."""
    own = _source(quote)
    if own is None:
        return []
    rows: list[SizingOption] = []
    for row in own.run.options.defer("data").annotate(priced=without("data", UNPRICED))[:OPTIONS_MAX]:
        row.data = row.priced
        rows.append(row)
    if own not in rows:
        rows = [own, *rows[:-1]]
    today = timezone.localdate()
    terms = _terms(quote, own.run, today)
    found = (_figures(option, own, quote, terms) for option in rows)
    return [one for one in found if one is not None]


def content_of_option(quote: Quote, option_id: UUID, revision: QuoteRevision) -> Content | None:
    """What the revision would hold had it been made from this option of its run, screened; None for another one."""
    own = _source(quote)
    option = (
        SizingOption.objects.select_related("run__workload")
        .defer("run__result")
        .filter(public_id=option_id, run=own.run_id if own else 0)
        .first()
    )
    if option is None:
        return None
    today = timezone.localdate()
    made, lines = _revision(option, quote, _terms(quote, option.run, today))
    made.number = revision.number
    result = screened(quote, lines, today=today)
    made.screened_at, made.screening_lists = timezone.now(), lists_used(result)
    made.issued_on = revision.issued_on
    findings = finding_rows(made, lines, result)
    return assemble(
        quote=quote,
        revision=made,
        seller=quote.organisation,
        policy=policy_of(quote.organisation),
        lines=lines,
        findings=findings,
    )


def _source(quote: Quote) -> SizingOption | None:
    if quote.source_option is None:
        return None
    return (
        SizingOption.objects.select_related("run__workload")
        .defer("data", "run__result")
        .filter(public_id=quote.source_option)
        .first()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Terms:
    """What every option of one quote shares: the day, its rates, margins and rules, the frame of the sizing."""

    today: date
    frame: Mapping[str, Any]
    known: dict[str, dict[str, str]]
    tax_rate_pct: Decimal | None
    margins: Margins
    policy: QuotePolicy


def _terms(quote: Quote, run: SizingRun, today: date) -> _Terms:
    by_rate = quote.tax_treatment == TaxTreatment.BY_RATE
    return _Terms(
        today=today,
        frame=frame_of(run),
        known=rates_on(today, currency=quote.currency, organisation=quote.organisation),
        tax_rate_pct=standard_rate_pct(quote.organisation.country, today) if by_rate else None,
        margins=margins_of(quote.organisation, as_of=today),
        policy=policy_of(quote.organisation),
    )


def _figures(option: SizingOption, own: SizingOption, quote: Quote, terms: _Terms) -> OptionFigures | None:
    try:
        revision, lines = _revision(option, quote, terms)
    except QuoteError:
        return None
    totals = totals_of(quote, lines)
    return OptionFigures(
        public_id=option.public_id,
        rank=option.rank,
        content=assemble(quote=quote, revision=revision, seller=quote.organisation, policy=terms.policy, lines=lines),
        net=totals.net,
        open_lines=len(totals.open_lines),
        is_own=option.pk == own.pk,
    )


def _revision(option: SizingOption, quote: Quote, terms: _Terms) -> tuple[QuoteRevision, Sequence[QuoteLine]]:
    """An unsaved revision with the option's lines, in the quote's currency, tax and margins."""
    bom = option.data.get("bom") or ()
    exchange = {**rates_used(bom, currency=quote.currency, known=terms.known), **quote.exchange_rates}
    rates = Rates(currency=quote.currency, exchange=exchange, tax_rate_pct=terms.tax_rate_pct, margins=terms.margins)
    with translation.override(quote.language):
        lines = lines_from_bom(bom, rates)
    made = QuoteRevision(
        quote=quote,
        number=1,
        issued_on=terms.today,
        sizing=sizing_summary(option.data, request=option.run.request or {}, result=terms.frame),
        delivery=dict(option.data.get("delivery") or {}),
    )
    for line in lines:
        line.revision = made
    return made, lines
