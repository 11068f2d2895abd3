"""What an opened figure consists of: value, sum, formula, inputs, the observation behind it, source."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sizing.core.explain import Formula as RegisteredFormula
from sizing.formulas import Formula


@dataclass(frozen=True, slots=True, kw_only=True)
class SumRow:
    """One part of a sum: what it is, how it is worked out, what it comes to. `url` opens the part itself."""

    label: str
    term: str = ""
    value: str = ""
    is_open: bool = False
    url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One figure or verdict, opened.

    `estimate` is set for estimates, `state` and `value` for verdicts, `text` for every other figure.
    `rows` and `total` write a sum out; `facts` describe the observation that a figure rests on, `notes` what
    limits it, `link` leads to the observation in the catalogue.
    """

    key: str
    title: str
    estimate: Mapping[str, Any] | None = None
    text: str = ""
    is_open: bool = False
    state: str = ""
    value: str = ""
    reason: str = ""
    rule: str = ""  # a formula in words
    formula: Formula | None = None
    exact: RegisteredFormula | None = None  # as the core computes it, in the symbols of the method
    rows: list[SumRow] = field(default_factory=list)
    total: str = ""
    facts: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    link: tuple[str, str] | None = None
    source: str = ""
    inputs: list[tuple[str, str]] = field(default_factory=list)
    nearest: list[str] = field(default_factory=list)
