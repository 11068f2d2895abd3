"""Formulas by example: every one has its numbers, and the written line comes to what is printed beside it."""

import re

import pytest
from django.utils import translation

from sizing.formulas import FORMULAS
from sizing.worked import EXAMPLES, shown, worked

POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def value_of(text: str) -> float:
    """What a line of arithmetic comes to: the numbers as printed, read back by a reader of its own."""
    plain = re.sub(r"10([⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda found: f"1e{found[1].translate(POWERS)}", text)
    plain = plain.replace("·", "*").replace("−", "-").replace(",", "").replace(" h", "")
    assert re.fullmatch(r"[\d.e+\-*/() ]+", plain), plain
    return float(eval(plain, {"__builtins__": {}}))


def test_every_short_formula_has_its_example_and_no_other() -> None:
    assert EXAMPLES.keys() == FORMULAS.keys()


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_the_written_line_comes_to_the_printed_result(name: str) -> None:
    example = worked(name)
    assert example is not None
    expected = EXAMPLES[name].compute(EXAMPLES[name].values)
    assert value_of(example.text.partition(" = ")[2]) == pytest.approx(expected, rel=2e-3)
    assert example.result.startswith(shown(expected))


def test_numbers_follow_the_language() -> None:
    assert shown(1.98e15) == "1.98 · 10¹⁵"
    with translation.override("de"):
        example = worked("e2e_closed_form")
        assert example is not None
        assert example.text == "E2E = 300 + (350 − 1) · 30"
        assert example.result == "10.770\u00a0ms"
