"""What the quote pages show: the same document that is printed, plus what a person can do next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from django.urls import reverse
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from quotes.choices import QuoteState
from quotes.completeness import OpenItem
from quotes.compliance.types import Regime
from quotes.content import content_of, totals_of
from quotes.difference import difference
from quotes.document import QuoteDocument, build_document
from quotes.errors import QuoteError, WrongState
from quotes.evidence_pages import task_row
from quotes.exports.registry import FORMATS
from quotes.forms import QuoteForm
from quotes.models import Quote, QuoteRevision, ShareLink
from quotes.open_items import open_items_of
from quotes.options import options_of, quote_has_options
from quotes.pricing import margin, round_money
from quotes.printing.changes import block_value, change_kind_words, change_value
from quotes.printing.delivery import duration_words
from quotes.printing.lines import rates
from quotes.printing.locale import Reader
from quotes.printing.sizing import scope
from quotes.printing.words import description, field_words, flag_words, ranges
from quotes.rescreening import open_task_of
from sizing.core.values import Message
from sizing.messages import render


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoItem:
    """One open item as shown: its words, where it leads, whether a reason may be recorded."""

    words: str
    place: str
    state: str
    about: str
    line: str
    rule: str
    decided_by: str


def quote_page(revision: QuoteRevision, *, actions: frozenset[str]) -> dict[str, Any]:
    """Context of the page of one revision. `actions` are the role's allowed actions."""
    content = content_of(revision)
    items = [] if revision.is_frozen else open_items_of(revision, content=content)
    stopping = [item for item in items if item.stops_lock]
    document = build_document(content, state=revision.state, language=page_language(), open_count=len(stopping))
    is_current = revision.quote.current_revision_id == revision.pk
    task = open_task_of(revision) if is_current else None
    return {
        "quote": revision.quote,
        "revision": revision,
        "document": document,
        "state": state_words(revision.state),
        "todo": grouped_items(stopping, content),
        "todo_count": len(stopping),
        "advice": grouped_items([item for item in items if not item.stops_lock], content),
        "formats": list(FORMATS),
        "languages": [("en", pgettext("document", "English")), ("de", pgettext("document", "German"))],
        "can_edit": is_current and revision.is_editable and "quote" in actions,
        "steps": next_steps(revision, actions) if is_current else [],
        "can_decide": is_current and not revision.is_frozen and "quote" in actions,
        "is_current": is_current,
        "flag_task": task_row(task) if task else None,
        "can_share": "quote" in actions,
        "shares": list(ShareLink.objects.filter(revision=revision))
        if revision.is_frozen and "quote" in actions
        else [],
        "revisions": _revision_rows(revision.quote),
        "screening_count": sum(1 for item in items if item.about == "finding"),
        "summary": summary(document),
        "margin": margin_words(revision, document.reader) if "edit_prices" in actions else None,
        "bars": lead_bars(document),
        "can_compare": quote_has_options(revision.quote),
        "rates": rates(content, document.reader),
        "doubts": name_doubts(revision, content) if is_current and "quote" in actions else [],
    }


def _revision_rows(quote: Quote) -> list[dict[str, Any]]:
    return [
        {
            "number": other.number,
            "state": state_words(other.state),
            "locked_at": other.locked_at,
            "url": reverse("quotes:revision", args=[quote.public_id, other.number]),
        }
        for other in quote.revisions.defer("content", "sizing")
    ]


def name_doubts(revision: QuoteRevision, content: Mapping[str, Any]) -> list[dict[str, str]]:
    """Names that resemble a listed firm and ask for a person, with the way to say that it is another one."""
    public_id = revision.quote.public_id
    return [
        {
            "place": _("Line %(line)s") % {"line": finding["line"]} if finding["line"] else _("Whole quote"),
            "words": render(finding["reason"]),
            "url": reverse("quotes:clear_name_line", args=[public_id, finding["regime"], finding["line"]])
            if finding["line"]
            else reverse("quotes:clear_name", args=[public_id, finding["regime"]]),
        }
        for finding in content["screening"]["findings"]
        if _is_doubt(finding)
    ]


def _is_doubt(finding: Mapping[str, Any]) -> bool:
    """A name that may be another firm's: a doubtful hit, or any hit of a list of parties."""
    match = finding["details"].get("match")
    if not match or finding["flag"] != "review" or finding["applicability"] == "not_applicable":
        return False
    return finding["regime"] == Regime.PARTIES or not match.get("strong")


def page_language() -> str:
    return "de" if (get_language() or "en").startswith("de") else "en"


def state_words(state: str) -> str:
    return str(QuoteState(state).label)


def summary(document: QuoteDocument) -> dict[str, str]:
    """The sentence under the heading: total, what is open, delivery, validity."""
    net, delivery = document.key_figures[0], document.key_figures[1]
    until = document.reader.date(document.content["terms"]["valid_until"])
    return {
        "net": net.value,
        "open": f"{net.note_lead} {net.note}".strip(),
        "delivery": delivery.value,
        "delivery_note": delivery.note,
        "until": until,
    }


def margin_words(revision: QuoteRevision, reader: Reader) -> dict[str, Any] | None:
    """Margin in the reader's numbers; None while no cost is known."""
    lines = list(revision.lines.all())
    totals = totals_of(revision.quote, lines)
    found = margin(
        totals, {line.number: line.unit_cost for line in lines}, {line.number: line.quantity for line in lines}
    )
    if found.cost == 0:
        return None
    return {
        "amount": reader.money(round_money(found.amount, totals.currency)),
        "share": reader.percent(found.share_pct.quantize(Decimal("0.1"))) if found.share_pct is not None else "",
        "missing": ", ".join(found.lines_without_cost),
    }


def lead_bars(document: QuoteDocument) -> list[dict[str, Any]]:
    """Bars as the shared partial draws them."""
    return [
        {
            "name": f"{bar.number} {bar.title}",
            "known": bar.p50_share is not None,
            "p50": f"{100 * bar.p50_share:.1f}" if bar.p50_share is not None else "",
            "p90": f"{100 * bar.p90_share:.1f}" if bar.p90_share is not None else "",
            "text": bar.figures,
            "deciding": bar.decides,
            "source": bar.source,
        }
        for bar in document.delivery.bars
    ]


def todo_item(item: OpenItem) -> TodoItem:
    """Words in the reader's language; fields by their label."""
    params = dict(item.message.params)
    code = item.message.code
    if code == "open_field":
        params["field"] = field_words(str(params["field"]))
    if code == "open_finding":
        code = "open_finding" if item.line else "open_finding_quote"
        params["flag"] = flag_words(str(params["flag"]))
    return TodoItem(
        words=render({"code": code, "params": params}),
        place=item.place,
        state="unknown" if item.stops_lock else "caution",
        about=item.about,
        line=item.line,
        rule=item.rule,
        decided_by=item.decided_by,
    )


def grouped_items(items: Sequence[OpenItem], content: Mapping[str, Any]) -> list[TodoItem]:
    """Items that say the same of several lines as one, in the place of the first; each decision stays by itself."""
    order = {line["number"]: place for place, line in enumerate(content["lines"])}
    grouped: dict[tuple[Any, ...], list[OpenItem]] = {}
    for item in items:
        said = tuple((name, value) for name, value in item.message.params.items() if name != "line")
        alone = not item.line or (item.stops_lock and item.about)
        where = (item.place, item.line) if alone else ()
        grouped.setdefault((item.message.code, said, where, item.rule, item.decided_by), []).append(item)
    return [todo_item(_joined(group, order)) for group in grouped.values()]


def _joined(group: Sequence[OpenItem], order: Mapping[str, int]) -> OpenItem:
    first = group[0]
    if len(group) == 1 or any(item.line not in order for item in group):
        return first
    lines = ranges(sorted((item.line for item in group), key=order.__getitem__), order)
    return replace(first, message=Message(first.message.code, {**first.message.params, "line": lines}))


def next_steps(revision: QuoteRevision, actions: frozenset[str]) -> list[dict[str, Any]]:
    """Buttons for this state and role; the first one is the one next step."""
    may_quote, may_approve = "quote" in actions, "approve" in actions
    steps: dict[str, list[tuple[bool, str, str, bool]]] = {
        QuoteState.DRAFT: [(may_quote, "submit", _("Submit for review"), False)],
        QuoteState.IN_REVIEW: [
            (may_approve, "approve", pgettext("document", "Approve"), False),
            (may_quote, "send-back", _("Back to draft"), True),
        ],
        QuoteState.APPROVED: [
            (may_approve, "lock", _("Lock the revision"), False),
            (may_quote, "send-back", _("Back to draft"), True),
        ],
        QuoteState.LOCKED: [
            (may_quote, "revise", _("Make R%(number)s") % {"number": revision.number + 1}, False),
            (may_quote, "accept", _("Accepted by the buyer"), False),
            (may_quote, "decline", _("Declined by the buyer"), False),
        ],
    }
    again = [(may_quote, "revise", _("Make R%(number)s") % {"number": revision.number + 1}, False)]
    steps[QuoteState.DECLINED] = steps[QuoteState.EXPIRED] = again
    return [
        {"name": name, "words": words, "needs_reason": needs_reason, "primary": index == 0}
        for index, (allowed, name, words, needs_reason) in enumerate(steps.get(revision.state, []))
        if allowed
    ]


def changes_page(old: QuoteRevision, new: QuoteRevision) -> dict[str, Any]:
    """The difference of two revisions in the reader's numbers, and the other revisions to compare with."""
    others = new.quote.revisions.exclude(pk=new.pk).order_by("number").values_list("number", flat=True)
    shown = difference_shown(content_of(old), content_of(new), reader_of(new.quote))
    is_step = old.number == new.number - 1
    return {"quote": new.quote, "old": old, "new": new, "others": list(others), "is_step": is_step, **shown}


def options_page(revision: QuoteRevision, chosen: Mapping[str, Any] | None) -> dict[str, Any]:
    """Other options of the sizing beside the revision, and what one of them would change."""
    quote, reader = revision.quote, reader_of(revision.quote)
    content = content_of(revision)
    net = Decimal(content["totals"]["net"])
    rows = [
        {
            "option": option,
            "hardware": scope(option.content, reader).split(", ", 1)[0].rstrip("."),
            "net": reader.money(round_money(option.net, quote.currency)),
            "change": reader.signed(option.net - net),
            "p50": duration_words(option.content, "weeks_p50", reader),
            "p90": duration_words(option.content, "weeks_p90", reader),
        }
        for option in options_of(quote)
    ]
    shown = difference_shown(content, chosen, reader) if chosen else {}
    return {"quote": quote, "revision": revision, "options": rows, "net": reader.money(net), "chosen": chosen, **shown}


def reader_of(quote: Quote) -> Reader:
    return Reader(language=page_language(), region=quote.region, currency=quote.currency)


def difference_shown(before: Mapping[str, Any], after: Mapping[str, Any], reader: Reader) -> dict[str, Any]:
    """What differs between two contents, in the reader's numbers."""
    found = difference(before, after)
    titles = {line["number"]: description(line) for line in (*before["lines"], *after["lines"])}
    return {
        "net_before": reader.money(found.net_before),
        "net_after": reader.money(found.net_after),
        "net_change": reader.signed(found.net_change),
        "lines_unchanged": found.lines_unchanged,
        "lines_changed": found.lines_changed,
        "rows": [
            {
                "line": change.line,
                "title": titles.get(change.line, ""),
                "kind": change_kind_words(change.kind),
                "before": change_value(change.kind, change.before, reader),
                "after": change_value(change.kind, change.after, reader),
                "amount": reader.signed(change.amount) if change.amount is not None else "",
            }
            for change in found.lines
        ],
        "blocks": [
            {
                "block": field_words(f"{change.block}.{change.field}"),
                "before": block_value(change.before, reader),
                "after": block_value(change.after, reader),
            }
            for change in found.blocks
        ],
    }


def refusal(error: QuoteError) -> Mapping[str, Any]:
    """A refused change of state in the reader's words for the states; other refusals as they are."""
    params = dict(error.message.params)
    if not isinstance(error, WrongState):
        return {"code": error.code, "params": params}
    allowed = ", ".join(state_words(state) for state in error.allowed)
    params |= {
        "state": state_words(str(params["state"])),
        "wanted": state_words(str(params["wanted"])),
        "allowed": allowed,
    }
    return {"code": error.code if allowed else "quote_wrong_state_final", "params": params}


def edit_sections(form: QuoteForm) -> list[tuple[str, dict[str, Any]]]:
    """Fields of the form in their sections; `key` is the anchor that open items lead to."""
    parts = (
        (pgettext("document", "Quotation"), "quotation", ("title", "buyer_type", "language", "region")),
        (
            pgettext("document", "Buyer"),
            "buyer",
            (
                "buyer_name", "buyer_contact", "buyer_salutation", "buyer_street", "buyer_postal_code", "buyer_city",
                "buyer_country", "buyer_vat_id", "customer_number", "deliver_to",
            ),
        ),
        (
            pgettext("document", "Reference"),
            "reference",
            (
                "request_number", "request_date", "contract_vehicle", "special_item_numbers", "contract_start",
                "acquisition_value_usd", "set_aside", "taa_by_contract",
            ),
        ),
        (
            pgettext("document", "Terms"),
            "terms",
            (
                "seller_contact", "seller_phone", "seller_email", "tax_treatment", "valid_until", "binding",
                "payment_days", "early_payment_pct", "early_payment_days", "delivery_terms", "shipping", "warranty",
                "place_of_performance", "jurisdiction", "terms_acceptance", "section_889_statement", "cover_letter",
                "intro", "notes",
            ),
        ),
    )  # fmt: skip
    return [(title, {"key": key, "fields": [form[name] for name in names]}) for title, key, names in parts]
