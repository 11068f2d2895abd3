"""The delivery block: the sentence and one bar per base line, slowest first."""

from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from quotes.choices import LineKind
from quotes.printing.locale import DAYS_PER_WEEK, Reader
from quotes.printing.model import Delivery, KeyFigure, LeadBar
from quotes.printing.words import description

Content = Mapping[str, Any]
_MOST_BARS = 12
_SLOWEST_SHOWN = 10
_TITLE_CHARACTERS = 28
_ON_FILE = gettext_lazy("on file with the offeror")
_LEAD_SOURCES: dict[str, Promise] = {
    "maker": gettext_lazy("maker forecast"),
    "manufacturer": gettext_lazy("maker forecast"),
    "distributor": gettext_lazy("distributor feed"),
    "distributor_feed": gettext_lazy("distributor feed"),
    "stock": pgettext_lazy("document", "stock"),
    "order": gettext_lazy("earlier orders"),
    "written_reply": gettext_lazy("written reply"),
    "manual": gettext_lazy("entered by the seller"),
    "market": gettext_lazy("market report"),
    "rule": gettext_lazy("planning figure"),
}


def key_figure(content: Content, reader: Reader) -> KeyFigure:
    """Delivery in five of ten cases, nine of ten under it; "at least" where a line is unknown."""
    label = _("Days ARO, in 5 of 10 cases") if reader.lead_in_days else _("Delivery, in 5 of 10 cases")
    p50, p90 = content["delivery"].get("weeks_p50"), content["delivery"].get("weeks_p90")
    if p50 is None:
        return KeyFigure(
            label=label, value=pgettext("document", "unknown"), note=_("no lead time received"), note_state="unknown"
        )
    note = _("%(duration)s in 9 of 10") % {"duration": _bound(content, reader, p90)} if p90 is not None else ""
    if line := content["delivery"].get("deciding_line"):
        note = "; ".join(filter(None, (note, _("line %(line)s decides") % {"line": line})))
    return KeyFigure(label=label, value=_bound(content, reader, p50), note=note)


def duration_words(content: Content, key: str, reader: Reader) -> str:
    """Delivery time of `weeks_p50` or `weeks_p90`; "at least" where a line is unknown, else the word unknown."""
    weeks = content["delivery"].get(key)
    return pgettext("document", "unknown") if weeks is None else _bound(content, reader, weeks)


def _bound(content: Content, reader: Reader, weeks: float) -> str:
    duration = reader.duration(weeks)
    if is_complete(content):
        return duration
    return _("at least %(duration)s") % {"duration": duration}


def is_complete(content: Content) -> bool:
    """Whether every line that is delivered has a lead time."""
    return bool(content["delivery"].get("complete")) and not _unknown_lines(content)


def _delivered(content: Content) -> list[Content]:
    return [line for line in content["lines"] if line["kind"] == LineKind.BASE]


def _unknown_lines(content: Content) -> list[str]:
    return [line["number"] for line in _delivered(content) if line["lead"] is None and not line["included_in"]]


def delivery(content: Content, reader: Reader) -> Delivery:
    """The block; `bars` is empty where nothing is delivered."""
    known = [line for line in _delivered(content) if line["lead"]]
    known.sort(key=lambda line: (-Decimal(line["lead"]["typical"]), -_high(line), line["number"]))
    unknown = [line for line in _delivered(content) if line["lead"] is None and not line["included_in"]]
    shown = known if len(known) + len(unknown) <= _MOST_BARS else known[:_SLOWEST_SHOWN]
    hidden = len(known) - len(shown)
    longest = max((_high(line) for line in known), default=Decimal(0))
    scale = max(longest * Decimal("1.03"), Decimal(1))
    decides = str(content["delivery"].get("deciding_line") or "")
    top = reader.lead_figure(longest)
    return Delivery(
        sentence=_sentence(content, reader),
        head_lead=_("Days ARO") if reader.lead_in_days else pgettext("document", "Weeks"),
        head_scale=(
            _("Solid to the middle case, open to 9 in 10, scale 0 to %(top)s days")
            if reader.lead_in_days
            else _("Solid to the middle case, open to 9 in 10, scale 0 to %(top)s weeks")
        )
        % {"top": top},
        bars=tuple(_bar(line, reader, scale, decides) for line in [*shown, *unknown[:_MOST_BARS]]),
        more=ngettext("and %(count)s faster line", "and %(count)s faster lines", hidden) % {"count": hidden}
        if hidden
        else "",
    )


def _bar(line: Content, reader: Reader, scale: Decimal, decides: str) -> LeadBar:
    lead = line["lead"]
    return LeadBar(
        number=line["number"],
        title=_short(description(line)),
        figures=reader.lead(lead),
        source=reader.join((lead_source_words(lead["source"]), reader.date(lead["date"])))
        if lead
        else _("none received"),
        p50_share=float(Decimal(lead["typical"]) / scale) if lead else None,
        p90_share=float(_high(line) / scale) if lead else None,
        decides=line["number"] == decides,
    )


def lead_source_words(source: str) -> str:
    """The kind of a lead-time source; whose it is stays with the seller."""
    return str(_LEAD_SOURCES.get(source.strip().lower(), _ON_FILE))


def _high(line: Content) -> Decimal:
    return Decimal(line["lead"]["high"] or line["lead"]["typical"])


def _short(title: str) -> str:
    """A title for a narrow column: up to the first comma, else cut at a word."""
    if len(title) <= _TITLE_CHARACTERS:
        return title
    first = title.split(", ", 1)[0]
    if len(first) <= _TITLE_CHARACTERS:
        return first
    cut = title[: _TITLE_CHARACTERS + 1].rsplit(" ", 1)[0]
    return cut.rstrip(",;:") + " …"


def _sentence(content: Content, reader: Reader) -> str:
    p50, p90 = content["delivery"].get("weeks_p50"), content["delivery"].get("weeks_p90")
    unknown = _unknown_lines(content)
    if p50 is None:
        return _("No delivery time can be named: no lead time has been received.")
    issued = date.fromisoformat(content["quote"]["issued_on"])
    values = {
        "p50": _bound(content, reader, p50),
        "p90": _bound(content, reader, p90 if p90 is not None else p50),
        "date_p50": reader.date(issued + timedelta(days=round(p50 * DAYS_PER_WEEK))),
        "date_p90": reader.date(issued + timedelta(days=round((p90 or p50) * DAYS_PER_WEEK))),
        "issued": reader.date(issued),
    }
    text = (
        _(
            "%(p50)s after receipt of order in 5 of 10 cases (%(date_p50)s if ordered on %(issued)s) "
            "and %(p90)s in 9 of 10 (%(date_p90)s): slowest base line, then integration and freight."
        )
        % values
    )
    text = text[0].upper() + text[1:]
    if unknown:
        shown = ", ".join(unknown[:5]) + (" …" if len(unknown) > 5 else "")
        text += " " + ngettext(
            "Line %(lines)s has no lead time.", "Lines %(lines)s have no lead time.", len(unknown)
        ) % {"lines": shown}
    return text
