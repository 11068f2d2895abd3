"""Generated files: delimiter, encoding, number style, date style and noise. No number may change unseen."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from catalog.imports.check import Understanding
from tests.catalog.imports.build import read

DELIMITERS = (";", ",", "\t", "|", "~")
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "cp1252")
GERMAN = ("Hersteller", "Herstellernr.", "Bezeichnung", "EK netto", "Währung", "Gültig bis", "Lieferzeit")
ENGLISH = ("Manufacturer", "MPN", "Description", "Net Price", "Currency", "Valid until", "Lead time")
TEXTS = (
    "Kabel 2,5 m",
    "NVMe 15,36 TB",
    'Rack "42 HE"',
    "GPU 96 GB – passiv",
    "Größe L",
    "Line; with; signs",
    "a, b, c",
)


@dataclass(frozen=True)
class Truth:
    mpn: str
    price: Decimal
    valid_until: date


@dataclass(frozen=True)
class Made:
    data: bytes
    truths: list[Truth]
    style: str
    order: str
    blanks: int = 0
    summaries: int = 0
    notes: list[str] = field(default_factory=list)


def written(value: Decimal, style: str, *, grouped: bool, decimals: int) -> str:
    text = f"{value:,.{decimals}f}" if grouped else f"{value:.{decimals}f}"
    marks = {"de": {",": ".", ".": ","}, "en": {",": ",", ".": "."}, "de-CH": {",": "’", ".": "."}}[style]
    return "".join(marks.get(sign, sign) for sign in text)


def dated(day: date, form: str) -> str:
    return {
        "dot": f"{day.day}.{day.month}.{day.year}",
        "dot0": f"{day:%d.%m.%Y}",
        "iso": day.isoformat(),
        "us": f"{day:%m/%d/%Y}",
        "uk": f"{day:%d/%m/%Y}",
    }[form]


def quoted(cell: str, delimiter: str) -> str:
    if delimiter in cell or '"' in cell or "\n" in cell:
        return '"' + cell.replace('"', '""') + '"'
    return cell


@st.composite
def files(draw: st.DrawFn) -> Made:
    delimiter, encoding = draw(st.sampled_from(DELIMITERS)), draw(st.sampled_from(ENCODINGS))
    style = draw(st.sampled_from(("de", "en", "de-CH")))
    if encoding == "cp1252" and style == "de-CH":
        encoding = "utf-8"
    form = draw(st.sampled_from(("dot", "dot0", "iso", "us", "uk")))
    grouped, decimals = draw(st.booleans()), draw(st.sampled_from((0, 2, 2, 3)))
    cents = st.integers(1, 9_999_999)
    prices = draw(st.lists(cents, min_size=1, max_size=8))
    days = draw(st.lists(st.dates(date(2027, 1, 1), date(2029, 12, 31)), min_size=len(prices), max_size=len(prices)))
    header = draw(st.sampled_from((GERMAN, ENGLISH)))
    lines: list[list[str]] = [list(header)]
    truths = []
    for number, (price, day) in enumerate(zip(prices, days, strict=True)):
        value = Decimal(price).scaleb(-decimals)
        truths.append(Truth(f"NW-{number:03}-P", value, day))
        cell = written(value, style, grouped=grouped, decimals=decimals)
        symbol = draw(st.sampled_from(("", "", " €", "\u00a0EUR")))
        text = draw(st.sampled_from(TEXTS))
        lines.append([f"Maker {number}", truths[-1].mpn, text, cell + symbol, "EUR", dated(day, form), "6-8 Wochen"])
    blanks = draw(st.integers(0, 2))
    lines += [[""] * len(header)] * blanks
    out = "\r\n".join(delimiter.join(quoted(cell, delimiter) for cell in line) for line in lines) + "\r\n"
    if draw(st.booleans()):
        out = "Preisliste Nordwerk\r\n\r\n" + out
    order = {"us": "mdy"}.get(form, "dmy")
    return Made(out.encode(encoding), truths, style, order, blanks=blanks)


def assert_nothing_changed(made: Made, found: Understanding) -> None:
    counts = found.counts
    assert sum(counts.values()) == len(made.truths), (counts, made.data)
    by_mpn = {row.mpn: row for row in found.rows}
    for truth in made.truths:
        row = by_mpn[truth.mpn]
        if row.is_accepted or row.price is not None:
            assert row.price == truth.price, (row.raw, truth, made.data)
        if row.is_accepted:
            assert row.valid_until == truth.valid_until, (row.raw, truth, made.data)
            assert row.currency == "EUR"
        else:
            assert found.questions, (row.reason, made.data)


def check(made: Made) -> None:
    asked = read(made.data)
    assert_nothing_changed(made, asked)
    answered = read(made.data, number_style=made.style, date_order=made.order)
    assert_nothing_changed(made, answered)
    assert answered.counts["accepted"] == len(made.truths), (answered.counts, made.data)
    keys = {question.key for question in asked.questions}
    assert keys <= {"number_style", "date_order"}, (keys, made.data)


@settings(max_examples=120, deadline=None)
@given(files())
def test_generated_files_never_change_a_number(made: Made) -> None:
    check(made)


@pytest.mark.full
@settings(max_examples=1000, deadline=None)
@given(files())
def test_a_thousand_generated_files_never_change_a_number(made: Made) -> None:
    check(made)
