"""One frozen document of a revision: what every export prints, in the reader's language and style."""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from quotes.choices import EDITABLE, LineKind, QuoteState
from quotes.content import check_value, content_of
from quotes.logo import logo_of
from quotes.models import QuoteRevision
from quotes.printing import changes, delivery, letter, lines, parties, screening, sizing
from quotes.printing.locale import Reader
from quotes.printing.model import (
    Changes,
    Delivery,
    Fact,
    FactBlock,
    KeyFigure,
    Screening,
    Section,
    Sizing,
    TextRow,
    TotalRow,
)
from quotes.printing.words import description

_BUYER_NAME_CHARACTERS = 20
_FOLDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


@dataclass(frozen=True, slots=True, kw_only=True)
class QuoteDocument:
    """All texts of a document, formatted; `content` holds the same figures raw for tables and machines.

    `check_value` is empty for a draft. `made_at` is the moment stamped into files.
    """

    reader: Reader
    content: Mapping[str, Any]
    logo: bytes
    check_value: str
    made_at: datetime
    is_draft: bool
    title: str
    heading: str
    number_words: str
    state_lead: str
    state_words: str
    running_left: tuple[str, ...]
    running_right: str
    watermark: str
    draft_words: str
    footer_check: str
    footer_verify: str
    seller_name: str
    seller_address: str
    blocks: tuple[FactBlock, ...]
    information: tuple[Fact, ...]
    address: tuple[str, ...]
    company: tuple[tuple[str, ...], ...]
    salutation: str
    letter: tuple[str, ...]
    letter_date: str
    key_figures: tuple[KeyFigure, ...]
    intro: str
    sections: tuple[Section, ...]
    totals: tuple[TotalRow, ...]
    incomplete: str
    outside: str
    delivery: Delivery
    sizing: Sizing | None
    screening: Screening
    decisions: tuple[TextRow, ...]
    assumptions: tuple[str, ...]
    terms: tuple[Fact, ...]
    sources: tuple[TextRow, ...]
    award: tuple[str, ...]
    changes: Changes | None
    file_stem: str


def document_of(revision: QuoteRevision, *, language: str = "", open_count: int = 0) -> QuoteDocument:
    """The document of a revision, frozen or draft, in its own language or the one asked for."""
    content = content_of(revision)
    return build_document(
        content,
        state=revision.state,
        language=language,
        open_count=open_count,
        logo=logo_of(content, revision.quote.organisation),
    )


def build_document(
    content: Mapping[str, Any],
    *,
    state: str = QuoteState.DRAFT,
    language: str = "",
    open_count: int = 0,
    logo: bytes = b"",
) -> QuoteDocument:
    """The document of a canonical content. Texts come out the same for the same arguments, always."""
    quote = content["quote"]
    reader = Reader(language=language or quote["language"], region=quote["region"], currency=quote["currency"])
    with translation.override(reader.language):
        return replace(_build(content, reader, state, open_count), logo=logo)


def _build(content: Mapping[str, Any], reader: Reader, state: str, open_count: int) -> QuoteDocument:
    quote = content["quote"]
    is_draft = state in EDITABLE
    value = "" if is_draft else check_value(content)
    lead, words = _state_words(content, reader, is_draft=is_draft, open_count=open_count)
    seller = parties.seller_name(content)
    return QuoteDocument(
        reader=reader,
        content=content,
        logo=b"",
        check_value=value,
        made_at=_made_at(quote),
        is_draft=is_draft,
        state_lead=lead,
        state_words=words,
        **_head_texts(content, reader, is_draft=is_draft, check=value),
        seller_name=seller,
        seller_address=parties.address_line(content["seller"]),
        blocks=parties.blocks(content, reader),
        information=parties.information(content, reader, state=lead),
        address=parties.address_lines(content),
        company=parties.company_columns(content),
        salutation=content["buyer"]["salutation"] or _("Dear Sir or Madam,"),
        letter=letter.paragraphs(content, reader),
        letter_date=reader.date(quote["issued_on"]),
        key_figures=parties.key_figures(content, reader),
        intro=_intro(content, reader),
        sections=lines.sections(content, reader),
        totals=lines.totals(content, reader),
        incomplete=lines.incomplete_sentence(content, reader),
        outside=lines.outside_sentence(content, reader),
        delivery=delivery.delivery(content, reader),
        sizing=sizing.sizing(content, reader),
        screening=screening.screening(content, reader),
        decisions=lines.decisions(content, reader),
        assumptions=sizing.assumptions(content, reader),
        terms=parties.terms(content, reader),
        sources=lines.sources(content, reader),
        award=_award(content, reader),
        changes=changes.changes(content, reader),
        file_stem=_file_stem(content, reader, is_draft=is_draft),
    )


def _head_texts(content: Mapping[str, Any], reader: Reader, *, is_draft: bool, check: str) -> dict[str, Any]:
    """Title, running heads and foot."""
    quote = content["quote"]
    seller = parties.seller_name(content)
    return {
        "title": f"{_('Quotation')} {quote['number']} R{quote['revision']}",
        "heading": _("Quotation: %(title)s") % {"title": quote["title"]} if reader.din_letter else _("Quotation"),
        "number_words": _("%(number)s, revision %(revision)s") % quote,
        "running_left": tuple(filter(None, (seller, _running_reference(content, reader)))),
        "running_right": _("Quotation %(number)s R%(revision)s, %(date)s")
        % {"number": quote["number"], "revision": quote["revision"], "date": reader.date(quote["issued_on"])},
        "watermark": _("DRAFT") if is_draft else "",
        "draft_words": _("DRAFT, not an offer") if is_draft else "",
        "footer_check": f"{check[:8]} … {check[-8:]}" if check else "",
        "footer_verify": f"{quote['verify_base']}{check[:12]}" if check and quote["verify_base"] else "",
    }


def _made_at(quote: Mapping[str, Any]) -> datetime:
    stamp = quote["locked_at"] or f"{quote['issued_on']}T00:00:00+00:00"
    return datetime.fromisoformat(stamp).astimezone(UTC)


def _state_words(content: Mapping[str, Any], reader: Reader, *, is_draft: bool, open_count: int) -> tuple[str, str]:
    quote = content["quote"]
    if is_draft:
        words = _(", %(date)s. Not an offer.") % {"date": reader.date(quote["issued_on"])}
        if open_count:
            words += " " + ngettext(
                "%(count)s item to settle before locking.", "%(count)s items to settle before locking.", open_count
            ) % {"count": open_count}
        return _("Draft"), words
    words = " " + reader.moment(quote["locked_at"], quote["time_zone"]) + "."
    if quote["replaces"]:
        words += " " + _("Replaces R%(revision)s of %(date)s.") % {
            "revision": quote["replaces"]["revision"],
            "date": reader.date(quote["replaces"]["issued_on"]),
        }
    return _("Locked"), words


def _running_reference(content: Mapping[str, Any], reader: Reader) -> str:
    if reader.din_letter:
        return str(content["buyer"]["name"])
    return str(content["reference"]["request_number"] or content["buyer"]["name"])


def _intro(content: Mapping[str, Any], reader: Reader) -> str:
    """The seller's own words, else scope, open points and what stands outside the total."""
    if content["terms"]["intro"]:
        return str(content["terms"]["intro"])
    parts = []
    if reader.din_letter:
        parts.append(_("thank you for your request. We are pleased to offer you the items below."))
    parts.append(sizing.scope(content, reader))
    if missing := content["totals"]["open_lines"]:
        shown = ", ".join(missing[:4]) + (" …" if len(missing) > 4 else "")
        parts.append(
            ngettext(
                "The price of line %(lines)s is open; the total is therefore a lower bound.",
                "The prices of lines %(lines)s are open; the total is therefore a lower bound.",
                len(missing),
            )
            % {"lines": shown}
        )
    outside = [line["number"] for line in content["lines"] if line["kind"] in (LineKind.OPTION, LineKind.ALTERNATIVE)]
    if outside:
        shown = ", ".join(outside[:6]) + (" …" if len(outside) > 6 else "")
        parts.append(
            ngettext(
                "Line %(lines)s stands outside the total.", "Lines %(lines)s stand outside the total.", len(outside)
            )
            % {"lines": shown}
        )
    return " ".join(filter(None, parts))


def _award(content: Mapping[str, Any], reader: Reader) -> tuple[str, ...]:
    """What the buyer chooses at award: each option and alternative with its difference."""
    chosen = []
    words = {
        LineKind.OPTION: gettext_noop("Option %(line)s, %(title)s: %(delta)s"),
        LineKind.ALTERNATIVE: gettext_noop("Alternative %(line)s in place of %(base)s, %(title)s: %(delta)s"),
    }
    for line in content["lines"]:
        if line["kind"] in words:
            values = {"line": line["number"], "title": description(line), "base": line["alternative_to"]}
            chosen.append(_(words[line["kind"]]) % (values | {"delta": lines.difference_words(line, reader)}))
    return tuple(chosen)


def _file_stem(content: Mapping[str, Any], reader: Reader, *, is_draft: bool) -> str:
    quote = content["quote"]
    buyer = unicodedata.normalize("NFKD", content["buyer"]["name"].translate(_FOLDED))
    short = re.sub(r"[^a-z0-9]+", "-", buyer.encode("ascii", "ignore").decode().lower()).strip("-")
    short = short[:_BUYER_NAME_CHARACTERS].strip("-")
    draft = {"de": "ENTWURF"}.get(reader.language, "DRAFT") if is_draft else ""
    parts = (quote["number"], f"R{quote['revision']}", short, reader.language, draft)
    return "_".join(filter(None, parts))
