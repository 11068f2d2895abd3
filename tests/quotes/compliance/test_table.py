"""The screening table and its command: hostile, malformed and huge input."""

import csv
import io
import json
from pathlib import Path

import pytest
from django.core.management import call_command

from quotes.compliance import table
from quotes.compliance.table import ANSWER_COLUMNS, BadTable, read_cases

CASES_FILE = Path(__file__).parent / "data" / "screening_cases.csv"
HEADER = "case_id,regime,quote_date,manufacturer"


def codes(text: str | bytes) -> list[tuple[str, str]]:
    data = text.encode() if isinstance(text, str) else text
    with pytest.raises(BadTable) as caught:
        read_cases(data)
    return [(error.pointer, error.message.code) for error in caught.value.errors]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ("/header/case_id", "screen_missing_column")),
        (f"{HEADER},colour\n", ("/header/colour", "screen_unknown_column")),
        (f"{HEADER},regime\n", ("/header/regime", "screen_double_column")),
        (f"{HEADER}\nA,TAA,2026-11-30\n", ("/0", "screen_row_width")),
        (f"{HEADER}\nA,FOO,2026-11-30,X\n", ("/0/regime", "screen_unknown_value")),
        (f"{HEADER}\nA,TAA,30.11.2026,X\n", ("/0/quote_date", "screen_bad_date")),
        (f"{HEADER}\nA,TAA,,X\n", ("/0/quote_date", "screen_missing_value")),
        (f"{HEADER},est_value_usd\nA,TAA,2026-11-30,X,-5\n", ("/0/est_value_usd", "screen_bad_amount")),
        (f"{HEADER},est_value_usd\nA,TAA,2026-11-30,X,NaN\n", ("/0/est_value_usd", "screen_bad_amount")),
        (f"{HEADER},est_value_usd\nA,TAA,2026-11-30,X,1e999999\n", ("/0/est_value_usd", "screen_bad_amount")),
        (f"{HEADER},buyer_type\nA,TAA,2026-11-30,X,king\n", ("/0/buyer_type", "screen_unknown_value")),
        (f"{HEADER},set_aside\nA,TAA,2026-11-30,X,maybe\n", ("/0/set_aside", "screen_unknown_value")),
        (f"{HEADER},components\nA,TAA,2026-11-30,X,a|b|c|d\n", ("/0/components", "screen_bad_component")),
        (f"{HEADER},origin_evidence\nA,TAA,2026-11-30,X,rumour\n", ("/0/origin_evidence", "screen_unknown_value")),
        (f'{HEADER}\nA,TAA,2026-11-30,"X\n', ("", "screen_not_csv")),
        (f"{HEADER}\nA,TAA,2026-11-30,{'X' * 30_000}\n", ("", "screen_not_csv")),
        (f"{HEADER}\nA,TAA,2026-11-30,X\x00\n", ("", "screen_null_byte")),
        (HEADER.encode() + b"\nA,TAA,2026-11-30,\xff\xfe\n", ("", "screen_not_utf8")),
        ("case_id,regime,lines\nA,QUOTE,L1=maybe/pass\n", ("/0/lines", "screen_bad_result")),
    ],
)
def test_bad_input_is_named(text: str | bytes, expected: tuple[str, str]) -> None:
    assert expected in codes(text)


def test_every_fault_is_named_up_to_a_limit() -> None:
    rows = "".join(f"A{number},TAA,never,X\n" for number in range(500))
    assert len(codes(f"{HEADER}\n{rows}")) == table.ERRORS_SHOWN_MAX


def test_a_huge_file_is_refused_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "FILE_BYTES_MAX", 100)
    assert codes(HEADER + "\n" + "x" * 200) == [("", "screen_file_too_large")]


def test_too_many_rows_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "ROWS_MAX", 2)
    assert codes(f"{HEADER}\n" + "A,TAA,2026-11-30,X\n" * 3) == [("/2", "screen_too_many_rows")]


def test_byte_order_mark_and_blank_rows_are_harmless() -> None:
    data = b"\xef\xbb\xbf" + f"{HEADER}\r\n\r\nA,TAA,2026-11-30,X\r\n".encode()
    assert [case.case_id for case in read_cases(data)] == ["A"]


def test_command_answers_every_row_without_a_database(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("screen", str(CASES_FILE))
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert tuple(rows[0]) == ANSWER_COLUMNS
    assert len(rows) == 88
    assert all(row["reason"] and "%(" not in row["reason"] for row in rows)


def test_command_exits_2_with_a_problem_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(f"{HEADER}\nA,FOO,2026-11-30,X\n")
    with pytest.raises(SystemExit) as stopped:
        call_command("screen", str(file))
    said = capsys.readouterr()
    problem = json.loads(said.err)
    assert (stopped.value.code, said.out) == (2, "")
    assert problem["errors"][0]["pointer"] == "/0/regime"
    assert "FOO" in problem["errors"][0]["detail"]


def test_command_names_a_missing_file(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        call_command("screen", "/nowhere/at/all.csv")
    assert stopped.value.code == 2
    assert json.loads(capsys.readouterr().err)["errors"][0]["code"] == "screen_file_missing"
