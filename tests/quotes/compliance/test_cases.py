"""The 88 worked cases, each as its own test."""

import csv
from pathlib import Path

import pytest

from quotes.compliance.lists import load_lists
from quotes.compliance.table import answer, read_cases

CASES_FILE = Path(__file__).parent / "data" / "screening_cases.csv"
ROWS = list(csv.DictReader(CASES_FILE.open(encoding="utf-8", newline="")))
CASES = {case.case_id: case for case in read_cases(CASES_FILE.read_bytes())}


def test_no_case_is_lost() -> None:
    assert len(ROWS) == len(CASES) == 88


@pytest.mark.parametrize("row", ROWS, ids=[row["case_id"] for row in ROWS])
def test_case_is_answered_exactly(row: dict[str, str]) -> None:
    said = answer(CASES[row["case_id"]], load_lists())
    got = (said.applicability.value, said.flag.value if said.flag else "", said.rule_id, said.origin)
    expected = (
        row["expected_applicability"],
        row["expected_flag"],
        row["expected_rule_id"],
        row["expected_origin"],
    )
    assert got == expected, row["why"]
