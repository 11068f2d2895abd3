"""The eight sample files, against the answers that come with them."""

import json
from decimal import Decimal
from typing import Any

import pytest

from catalog.imports.report import as_json
from tests.catalog.imports.build import DATA, sample

EXPECTED: dict[str, Any] = json.loads((DATA / "expected.json").read_text(encoding="utf-8"))
LISTED = sorted(EXPECTED)


def body(name: str, **answers: Any) -> dict[str, Any]:
    return as_json(sample(name, **answers), words=lambda message: message.code)


def accepted(reading: dict[str, Any]) -> list[dict[str, Any]]:
    return [row for row in reading["rows"] if row["action"] == "create"]


@pytest.mark.parametrize("name", LISTED)
def test_counts_are_right_and_add_up(name: str) -> None:
    expected, got = EXPECTED[name], body(name)
    for key in ("accepted", "rejected", "held"):
        assert got[key] == expected.get(key, 0), key
    for key in ("skipped_summary", "skipped_text", "skipped_identical"):
        assert got[key] == expected.get(key, 0), key
    assert got["skipped_blank"] == expected.get("skipped_blank", got["skipped_blank"])
    assert got["accepted"] + got["rejected"] + got["held"] + got["skipped"] == len(got["rows"])


@pytest.mark.parametrize("name", [name for name in LISTED if "rows" in EXPECTED[name]])
def test_every_listed_value_is_understood(name: str) -> None:
    rows = accepted(body(name))
    assert len(rows) == len(EXPECTED[name]["rows"])
    for row, expected in zip(rows, EXPECTED[name]["rows"], strict=True):
        assert {key: row[key] for key in expected} == expected


@pytest.mark.parametrize("name", [name for name in LISTED if "delimiter" in EXPECTED[name]])
def test_the_shape_of_the_file_is_found(name: str) -> None:
    expected, got = EXPECTED[name], body(name)
    assert got["delimiter"] == expected["delimiter"]
    assert expected["encoding"].replace("ascii", "utf-8").startswith(got["encoding"])
    if "number_style" in expected:
        assert got["number_style"] == expected["number_style"]
    if "header_row" in expected:
        assert got["header_row"] == expected["header_row"]
    if len(expected["currency"].split()) <= 4 and "not" not in expected["currency"]:
        assert got["currency"] == expected["currency"].split()[0]


@pytest.mark.parametrize(("style", "key"), [("de", "rows_if_de"), ("en", "rows_if_en")])
def test_one_answer_reads_the_undecided_file(style: str, key: str) -> None:
    name = "04_cp1252_ambiguous_thousands.csv"
    got = body(name, number_style=style)
    prices = [row["price"] for row in accepted(got)]
    assert [Decimal(price) for price in prices] == [Decimal(price) for price in EXPECTED[name][key]]
    assert prices == EXPECTED[name][key]
    assert got["questions"] == []


def test_the_undecided_file_asks_once_with_two_worked_examples() -> None:
    (question,) = body("04_cp1252_ambiguous_thousands.csv")["questions"]
    assert (question["key"], question["suggestion"], question["blocks"]) == ("number_style", "de", "rows")
    examples = {choice["value"]: [one["value"] for one in choice["examples"]] for choice in question["choices"]}
    assert examples == {"de": ["1299", "2450"], "en": ["1.299", "2.450"]}


def test_totals_are_checked_against_the_rows() -> None:
    name = "05_sep_line_preamble_totals.csv"
    got = body(name)
    for key in ("check_total_net", "check_vat", "check_total_gross"):
        assert got[key] == EXPECTED[name][key]
    assert got["totals_agree"] is True
    assert got["price_date"] == "2026-10-15"
    assert got["tax_basis"] == "excl_vat"


def test_two_columns_of_one_name_are_asked_for() -> None:
    name = "06_swiss_apostrophe_duplicate_header.csv"
    (question,) = body(name)["questions"]
    assert question["key"] == "price_column"
    answered = accepted(body(name, price_column="price_2"))
    assert [row["price"] for row in answered] == ["31200.00", "13900.00", "1.55"]
    assert [row["list"] for row in answered] == ["26890.50", "11750.00", "0.95"]


def test_duplicates_are_told_apart() -> None:
    name = "08_duplicate_mpn.csv"
    expected, got = EXPECTED[name], body(name)
    assert got["products"] == expected["products"]
    for row, offer in zip(accepted(got), expected["offers"], strict=True):
        wanted = {key: value for key, value in offer.items() if key != "status"}
        assert {key: row[key] for key in wanted} == wanted
        assert (row["status"] or "") == offer.get("status", "").partition(":")[0]
    held = [row for row in got["rows"] if row["action"] == "held"]
    assert [(row["line"], row["code"]) for row in held] == [(6, "row_outlier")]


def test_the_feed_keeps_its_trailer_and_rejects_a_cost_of_zero() -> None:
    name = "10_tilde_record_feed.txt"
    expected, got = EXPECTED[name], body(name)
    assert got["trailer_count"] == expected["trailer_count"]
    assert got["price_date"] == expected["price_date"]
    assert [row["line"] for row in got["rows"] if row["action"] == "rejected"] == [5]


def test_nested_lines_add_up_and_stay_incomplete() -> None:
    name = "12_hierarchical_quote_lines.csv"
    expected, got = EXPECTED[name], body(name)
    assert got["totals"] == {"base_known": expected["totals"]["base_known"], "complete": False}
    assert got["alternative_delta"] == expected["alternative_delta"]
    assert got["option_total"] == expected["option_total"]
    assert got["expanded_qty"] == expected["expanded_qty"]
    assert got["critical_path"] == expected["critical_path"]
    assert [row["pos"] for row in got["rows"]] == [1, "1.1", "1.2", "1.10", "1.3", 2, "2A", 3]
    assert [question["key"] for question in got["questions"]] == ["currency"]
