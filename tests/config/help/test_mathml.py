"""Formulas as MathML: every symbol of every formula arrives, nothing is left raw."""

import re

from lxml import etree

from config.help.mathml import mathml
from sizing.formulas import FORMULAS


def test_a_symbol_with_an_index_a_number_and_a_power() -> None:
    assert mathml("E = P_TDP · 10⁶") == (
        '<math display="block" tabindex="0"><mrow><mi>E</mi><mo>=</mo>'
        "<msub><mi>P</mi><mtext>TDP</mtext></msub><mo>·</mo>"
        "<msup><mn>10</mn><mn>6</mn></msup></mrow></math>"
    )


def test_text_cannot_become_markup() -> None:
    assert "<script" not in mathml("a < script")


def test_every_formula_keeps_all_its_signs() -> None:
    for formula in FORMULAS.values():
        shown = "".join(etree.fromstring(mathml(formula.text)).itertext())
        letters = re.sub(r"[\s_⁰¹²³⁴-⁹⁻]", "", formula.text)
        assert re.sub(r"[\s\d−]", "", shown) == re.sub(r"[\s\d−]", "", letters), formula.text
