"""The screening block: applicability and counts per regime, one row per line, decisions elsewhere."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from quotes.choices import LineKind
from quotes.content import FLAG_ORDER
from quotes.printing.locale import NBSP, Reader
from quotes.printing.model import Flagged, KeyFigure, RegimeFact, Screening, ScreeningRow, ScreeningTable
from quotes.printing.words import (
    country_codes,
    evidence_words,
    flag_words,
    ranges,
    reason_words,
    regime_long,
    regime_short,
)

Content = Mapping[str, Any]
_FEDERAL_BLOCKS = (("federal", ("TAA", "S889")), ("findings", ("S5949", "S1260H")))


def key_figure(content: Content) -> KeyFigure:
    """TAA counts, worst first, never the headline alone."""
    entry = _regime(content, "TAA")
    if entry is None:
        return KeyFigure(
            label=_("TAA screening"), value=_("not run"), note=pgettext("document", "unknown"), note_state="unknown"
        )
    counts = entry["counts"]
    words = [f"{counts[flag]}{NBSP}{flag_words(flag)}" for flag in FLAG_ORDER if counts[flag]]
    label = _("TAA screening, %(count)s lines") % {"count": sum(counts.values())}
    if entry["applicability"] == "not_applicable":
        return KeyFigure(label=label, value=_("not applicable"), note=entry["rule"])
    note = ", ".join(words[2:])
    if entry["applicability"] == "undetermined":
        note = ", ".join(filter(None, (note, _("applicability undetermined"))))
    return KeyFigure(label=label, value=", ".join(words[:2]) or _("no lines"), note=note)


def screening(content: Content, reader: Reader) -> Screening:
    """The block; without a screening it says so."""
    stored = content["screening"]
    if not stored["screened_at"]:
        return Screening(regimes=(), tables=(), disclaimer="", not_run=_("Not screened: no finding is known."))
    return Screening(
        regimes=tuple(_regime_fact(entry) for entry in stored["regimes"]),
        tables=tuple(_tables(content, reader)),
        disclaimer=_disclaimer(content, reader),
        not_run="",
    )


def _regime(content: Content, regime: str) -> Content | None:
    return next((entry for entry in content["screening"]["regimes"] if entry["regime"] == regime), None)


def in_scope(content: Content, regime: str) -> bool:
    entry = _regime(content, regime)
    return entry is not None and entry["applicability"] != "not_applicable" and sum(entry["counts"].values()) > 0


def _regime_fact(entry: Content) -> RegimeFact:
    rule = f" ({entry['rule']})" if entry["rule"] else ""
    words = {
        "applies": _("applies%(rule)s:"),
        "not_applicable": _("not applicable%(rule)s"),
        "undetermined": _("applicability undetermined%(rule)s:"),
    }[entry["applicability"]] % {"rule": rule}
    counts: tuple[Flagged, ...] = ()
    if entry["applicability"] != "not_applicable":
        counts = tuple(
            Flagged(state=flag, words=f"{entry['counts'][flag]}{NBSP}{flag_words(flag)}")
            for flag in FLAG_ORDER
            if entry["counts"][flag]
        )
    return RegimeFact(regime=regime_long(entry["regime"]), words=words, counts=counts)


def _tables(content: Content, reader: Reader) -> list[ScreeningTable]:
    made = []
    for layout, block in _FEDERAL_BLOCKS:
        scope = tuple(regime for regime in block if in_scope(content, regime))
        if not scope:
            continue
        findings = tuple(_("%(regime)s finding, rule") % {"regime": regime_short(regime)} for regime in scope)
        origin = (_("Origin received, code"), _("Evidence: grade, kind, date")) if layout == "federal" else ()
        heads = (pgettext("column", "Line"), *origin, *findings)
        made.append(ScreeningTable(layout=layout, heads=heads, rows=_rows(content, reader, scope, layout)))
    if in_scope(content, "PARTIES"):
        heads = (pgettext("column", "Line"), _("%(regime)s finding, rule") % {"regime": regime_short("PARTIES")})
        made.append(ScreeningTable(layout="findings", heads=heads, rows=_party_rows(content, reader)))
    if reader.din_letter or not made:
        heads = (
            pgettext("column", "Line"),
            _("Origin received, code"),
            _("Evidence: grade, kind, date"),
            "ECCN",
            pgettext("document", "Tariff"),
            _("Finding, rule"),
        )
        made.append(ScreeningTable(layout="export", heads=heads, rows=_rows(content, reader, ("EXPORT",), "export")))
    return made


def _rows(content: Content, reader: Reader, regimes: Sequence[str], layout: str) -> tuple[ScreeningRow, ...]:
    """One row per line; lines that say the same share a row, which names them all."""
    findings = {(f["line"], f["regime"]): f for f in content["screening"]["findings"]}
    alike: dict[str, list[Content]] = {}  # by what a row is made from, so that lines of one kind are worded once
    order: dict[str, int] = {}
    for line in content["lines"]:
        if line["kind"] != LineKind.DISCOUNT:
            order[line["number"]] = len(order)
            own = [findings.get((line["number"], regime)) for regime in regimes]
            said = [
                (f["flag"], f["rule"], f["reason"], f["details"].get("notes"), f["origin_code"], f["evidence_grade"])
                for f in own if f
            ]  # fmt: skip
            alike.setdefault(str((line["origin"], line["eccn"], line["hts"], len(own), said)), []).append(line)
    shared: dict[ScreeningRow, list[str]] = {}
    for lines in alike.values():
        row = _row(lines[0], findings, regimes, reader)
        row = _bare_row("", *row.findings) if layout == "findings" else replace(row, number="")
        shared.setdefault(row, []).extend(line["number"] for line in lines)
    return tuple(
        replace(row, number=ranges(sorted(numbers, key=order.__getitem__), order)) for row, numbers in shared.items()
    )


def _party_rows(content: Content, reader: Reader) -> tuple[ScreeningRow, ...]:
    """The parties of the quote first, then the lines where exclusions may bind the buyer."""
    own = [finding for finding in content["screening"]["findings"] if finding["regime"] == "PARTIES"]
    whole = [finding for finding in own if not finding["line"]]
    rows = [_bare_row(_("Parties"), _finding(finding, reader)) for finding in whole]
    if all(finding["applicability"] == "not_applicable" for finding in own if finding["line"]):
        return tuple(rows)
    return (*rows, *_rows(content, reader, ("PARTIES",), "findings"))


def _bare_row(number: str, *findings: tuple[str, str, str, str]) -> ScreeningRow:
    return ScreeningRow(
        number=number,
        origin="",
        origin_code="",
        origin_state="",
        grade="",
        evidence="",
        eccn="",
        hts="",
        findings=findings,
    )


def _row(
    line: Content, findings: Mapping[tuple[str, str], Content], regimes: Sequence[str], reader: Reader
) -> ScreeningRow:
    own = [findings.get((line["number"], regime)) for regime in regimes]
    origin = line["origin"]
    read = (*own, findings.get((line["number"], "TAA")))  # out of scope or not, it says how the text was read
    resolved = next((finding["origin_code"] for finding in read if finding and finding["origin_code"]), origin["code"])
    graded = next((finding["evidence_grade"] for finding in own if finding and finding["evidence_grade"]), "")
    evidence = evidence_words(origin["evidence"])
    if origin["evidence"] and origin["date"]:
        evidence = reader.join((evidence, reader.date(origin["date"])))
    return ScreeningRow(
        number=line["number"],
        origin=_("“%(text)s”") % {"text": origin["raw"]} if origin["raw"] else _("none received"),
        origin_code=country_codes(resolved),
        origin_state="" if origin["raw"] else "unknown",
        grade=graded or origin["grade"],
        evidence=evidence,
        eccn=line["eccn"],
        hts=line["hts"],
        findings=tuple(_finding(finding, reader) for finding in own),
    )


def _finding(finding: Content | None, reader: Reader) -> tuple[str, str, str, str]:
    """State, word, reason with notes, and rule of one cell. A pass says how deep the look was, where it has depths."""
    if finding is None:
        return ("", _("not screened"), "", "")
    if not finding["flag"]:
        return ("", _("not applicable"), "", finding["rule"])
    reason = _depth(finding, reader) if finding["flag"] == "pass" else reason_words(finding["reason"])
    notes = [reason_words(note) for note in finding["details"].get("notes") or ()]
    return (finding["flag"], flag_words(finding["flag"]), " ".join(filter(None, (reason, *notes))), finding["rule"])


def _depth(finding: Content, reader: Reader) -> str:
    """What a pass under Section 889 rests on: the maker's name alone, the part list, or the maker's statement."""
    reason = finding["reason"]
    if reason["code"] == "S889-007.statement":
        return _("maker's statement of %(date)s") % {"date": reader.date(reason["params"]["dated"])}
    if reason["code"] in ("S889-007.maker", "S889-011"):
        return _("maker level only")
    return _("full part list") if reason["code"] == "S889-007.part_list" else ""


def _disclaimer(content: Content, reader: Reader) -> str:
    stored = content["screening"]
    versions = dict.fromkeys(f"{regime_short(entry['regime'])} {entry['version']}" for entry in stored["lists"])
    return _(
        "This is an automated screening of the data shown, made on %(date)s with the list versions %(lists)s. It is "
        "not a certification, a customs ruling, legal advice or a representation to any government. Origin and "
        "component data come from third parties and may be wrong or incomplete. “Screened: pass” means only that no "
        "conflict was found in that data. The offeror stays responsible for its own inquiry and for every "
        "representation it signs."
    ) % {"date": reader.date(stored["screened_at"]), "lists": ", ".join(versions) or pgettext("document", "none")}
