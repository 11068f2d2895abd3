"""The cover letter: the quote's own text with fields in braces, which are filled as the document prints them."""

import re
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from quotes.choices import LineKind
from quotes.printing.delivery import duration_words
from quotes.printing.lines import total_words
from quotes.printing.locale import Reader
from quotes.printing.sizing import scope

Content = Mapping[str, Any]
FIELDS = (
    "salutation", "request", "title", "scope", "total", "complete", "p50", "p90", "line", "until", "outside", "contact",
)  # fmt: skip
_FIELD = re.compile(r"\{(" + "|".join(FIELDS) + r")\}")


def paragraphs(content: Content, reader: Reader) -> tuple[str, ...]:
    """The letter's paragraphs with every field filled; none where the quote has no letter."""
    text = str(content.get("cover_letter") or "").replace("\r\n", "\n")
    if not text.strip():
        return ()
    values = field_values(content, reader)
    filled = _FIELD.sub(lambda found: values[found[1]], text)
    return tuple(" ".join(part.split()) for part in re.split(r"\n\s*\n", filled.strip()) if part.strip())


def field_values(content: Content, reader: Reader) -> dict[str, str]:
    """What each field stands for."""
    unknown = pgettext("document", "unknown")
    sums, delivery, reference = content["totals"], content["delivery"], content["reference"]
    request = reference["request_number"] or unknown
    if reference["request_date"]:
        request += f" ({reader.date(reference['request_date'])})"
    outside = [x["number"] for x in content["lines"] if x["kind"] in (LineKind.OPTION, LineKind.ALTERNATIVE)]
    return {
        "salutation": content["buyer"]["salutation"] or _("Dear Sir or Madam,"),
        "request": request,
        "title": content["quote"]["title"],
        "scope": scope(content, reader).rstrip(".") or content["quote"]["title"],
        "total": total_words(content, "net", reader),
        "complete": _completeness(sums),
        "p50": duration_words(content, "weeks_p50", reader),
        "p90": duration_words(content, "weeks_p90", reader),
        "line": str(delivery.get("deciding_line") or unknown),
        "until": reader.date(content["terms"]["valid_until"]),
        "outside": ", ".join(outside) or pgettext("document", "none"),
        "contact": reader.join([content["seller"][key] for key in ("contact", "phone", "email")]) or unknown,
    }


def _completeness(sums: Content) -> str:
    if sums["complete"]:
        return pgettext("total", "complete")
    count = len(sums["open_lines"])
    return ngettext("incomplete: %(count)s line open", "incomplete: %(count)s lines open", count) % {"count": count}


def standard_letter() -> str:
    """The letter of the house in the active language, with its fields."""
    return _(
        "{salutation}\n\nthank you for request {request}. We offer {title}: {scope}.\n\nThe price is {total} net, "
        "{complete}. Half of such orders arrive within {p50} of order, nine in ten within {p90}; line {line} decides. "
        "Prices stand until {until}.\n\nPriced beside the total: lines {outside}; you choose at award.\n\nQuestions "
        "reach {contact}. The content is locked; its check value is on the last page.\n\nSincerely"
    )
