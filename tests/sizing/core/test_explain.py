"""Every figure names a formula, and the method document prints the register as it is."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest

from sizing.calibration.method import DOCUMENT, generated, replaced
from sizing.core.explain import REGISTER, SECTIONS, as_markdown, formula
from sizing.core.recommend import recommend
from sizing.core.values import Estimate
from tests.sizing.core import serving


def estimates(value: object) -> Iterator[Estimate]:
    if isinstance(value, Estimate):
        yield value
    elif is_dataclass(value):
        for field in fields(value):
            yield from estimates(getattr(value, field.name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from estimates(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from estimates(each)


def test_every_known_figure_of_an_answer_names_a_formula_of_the_register() -> None:
    answer = recommend(serving.request(), serving.catalogue(), coefficients=serving.coefficients())
    found = [e for option in answer.options for e in estimates(option.performance)]
    found += [e for option in answer.options for e in estimates(option.utilisation)]
    found += [e for o in answer.options for e in (o.power_w, o.energy_kwh_per_million_tokens)]
    assert len(found) > 40
    for estimate in found:
        assert formula(estimate.explain).text


def test_entries_are_complete_and_belong_to_a_section() -> None:
    for name, entry in REGISTER.items():
        assert entry.name == name
        assert entry.section in SECTIONS
        assert entry.text
        assert entry.source
        assert all(entry.inputs)
    assert all(entry.text in as_markdown() for entry in REGISTER.values())


@pytest.mark.parametrize("part", ["formulas", "coefficients", "devices", "claims"])
def test_the_method_document_is_up_to_date(part: str) -> None:
    text = DOCUMENT.read_text(encoding="utf-8")
    assert replaced(text, part, generated()[part]) == text


def test_a_missing_marker_is_named() -> None:
    with pytest.raises(ValueError, match="no markers for formulas"):
        replaced("no marks here", "formulas", "")
