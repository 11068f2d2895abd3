"""What changed against the revision before, as the document prints it."""

import re
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from quotes.choices import Binding, TaxTreatment
from quotes.printing.locale import EN_DASH, NBSP, Reader
from quotes.printing.model import ChangeRow, Changes
from quotes.printing.words import description, field_words, flag_words, regime_short, unit_words

Content = Mapping[str, Any]
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")


def changes(content: Content, reader: Reader) -> Changes | None:
    """The block, or None for a first revision."""
    stored = content.get("changes")
    if not stored:
        return None
    numbers = {"old": stored["from_revision"], "new": content["quote"]["revision"]}
    return Changes(
        heading=_("Changes from R%(old)s to R%(new)s") % numbers,
        sentence=_sentence(stored, reader),
        heads=(
            pgettext("column", "Line"),
            pgettext("document", "Kind"),
            f"R{numbers['old']}",
            f"R{numbers['new']}",
            pgettext("document", "Difference"),
        ),
        rows=_rows(stored, content, reader),
        total_words=_("Total, net"),
        total=reader.signed(_net_change(stored)),
        blocks=tuple(
            ChangeRow(
                line="",
                title=field_words(f"{change['block']}.{change['field']}"),
                kind="",
                before=block_value(change["before"], reader),
                after=block_value(change["after"], reader),
                amount="",
            )
            for change in stored["blocks"]
        ),
        outside=_("Outside the lines"),
    )


def _rows(stored: Content, content: Content, reader: Reader) -> tuple[ChangeRow, ...]:
    titles = {line["number"]: description(line) for line in content["lines"]}
    return tuple(
        ChangeRow(
            line=change["line"],
            title=titles.get(change["line"], ""),
            kind=change_kind_words(change["kind"]),
            before=change_value(change["kind"], change["before"], reader),
            after=change_value(change["kind"], change["after"], reader),
            amount=reader.signed(change["amount"]) if change["amount"] is not None else "",
        )
        for change in stored["lines"]
    )


def _net_change(stored: Content) -> str:
    return format(Decimal(stored["net_after"]) - Decimal(stored["net_before"]), "f")


def _sentence(stored: Content, reader: Reader) -> str:
    parts = [
        _("Total %(change)s, from %(before)s to %(after)s.")
        % {
            "change": reader.signed(_net_change(stored)),
            "before": reader.money(stored["net_before"]),
            "after": reader.money(stored["net_after"]),
        },
        ngettext("%(counter)s line changed,", "%(counter)s lines changed,", stored["lines_changed"])
        % {"counter": stored["lines_changed"]},
        ngettext("%(counter)s line unchanged.", "%(counter)s lines unchanged.", stored["lines_unchanged"])
        % {"counter": stored["lines_unchanged"]},
    ]
    return " ".join(parts)


def change_kind_words(kind: str) -> str:
    return {
        "price": pgettext("document", "price"),
        "quantity": pgettext("document", "quantity"),
        "part": pgettext("document", "part"),
        "lead_time": _("lead time"),
        "finding": pgettext("document", "finding"),
        "text": pgettext("document", "text"),
        "new": pgettext("document", "new"),
        "removed": pgettext("document", "removed"),
    }[kind]


def change_value(kind: str, raw: str, reader: Reader) -> str:
    """One side of a line's change in the reader's numbers and words; what was open or empty says so."""
    if not raw:
        return "" if kind in ("new", "removed") else pgettext("document", "open")
    if kind == "price":
        return reader.amount(raw)
    if kind == "quantity":
        number, _sep, rest = raw.partition(" ")
        unit, _sep, pack = rest.partition(" ")
        return f"{reader.number(number)}{NBSP}{unit_words(unit, int(pack) if pack.isdigit() else 1)}"
    if kind == "lead_time":
        return EN_DASH.join(reader.lead_figure(end) for end in raw.split(EN_DASH))
    if kind == "finding":
        pairs = [finding.split(" ", 1) for finding in raw.split(", ")]
        return ", ".join(f"{regime_short(regime)} {flag_words(flag)}" for regime, flag in pairs)
    return raw


def block_value(raw: str, reader: Reader) -> str:
    """A value outside the lines: dates and choices in the reader's words, texts as they are."""
    if not raw:
        return pgettext("document", "open")
    if _ISO_DATE.fullmatch(raw):
        return reader.date(raw)
    for choices in (Binding, TaxTreatment):
        if raw in choices.values:
            return str(choices(raw).label)
    return raw
