"""Configuration rules as stored records: an administrator edits them, the code only reads."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

type RuleValue = float | str | tuple[float, ...] | tuple[str, ...]


class RuleKind(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    VALUE = "value"  # a planning figure that other rules use


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule with where it was read and when. `unit` belongs to `value`."""

    id: str
    value: RuleValue
    unit: str
    kind: RuleKind
    source: str
    date: str


class UnknownRule(KeyError):
    """A rule that the code needs is not among the stored records, or has the wrong type."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rule records by id. Numbers lie apart as well, because ranking asks for them all the time."""

    records: Mapping[str, Rule]
    single: dict[str, float] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        numbers = {rule_id: rule.value for rule_id, rule in self.records.items() if isinstance(rule.value, float)}
        object.__setattr__(self, "single", numbers)

    def number(self, rule_id: str) -> float:
        """Value of a numeric rule. Raises UnknownRule where it is missing or not a number."""
        try:
            return self.single[rule_id]
        except KeyError:
            raise UnknownRule(rule_id) from None

    def numbers(self, rule_id: str) -> tuple[float, ...]:
        """Values of a list rule in stored order. Raises UnknownRule where it is no list of numbers."""
        value = self._value(rule_id)
        if isinstance(value, tuple):
            return tuple(map(float, value))
        raise UnknownRule(rule_id)

    def words(self, rule_id: str) -> tuple[str, ...]:
        """Words of a list rule in stored order. Raises UnknownRule where it is no list."""
        value = self._value(rule_id)
        if isinstance(value, tuple):
            return tuple(map(str, value))
        raise UnknownRule(rule_id)

    def pairs(self, rule_id: str) -> dict[str, str]:
        """A list of "key=value" words as a mapping. Raises UnknownRule where it is no such list."""
        pairs = [word.partition("=") for word in self.words(rule_id)]
        if not all(separator for _key, separator, _value in pairs):
            raise UnknownRule(rule_id)
        return {key.strip(): value.strip() for key, _separator, value in pairs}

    def _value(self, rule_id: str) -> RuleValue:
        try:
            return self.records[rule_id].value
        except KeyError:
            raise UnknownRule(rule_id) from None


def rules_from_records(records: Sequence[Mapping[str, object]]) -> Rules:
    """Rules from decoded JSON records with the keys id, value, unit, kind, source, date.

    Raises UnknownRule where a record has no usable value, ValueError on an unknown kind.
    """
    rules = [_rule(record) for record in records]
    return Rules({rule.id: rule for rule in rules})


def _rule(record: Mapping[str, object]) -> Rule:
    value = record["value"]
    stored: RuleValue
    if isinstance(value, list | tuple):
        stored = tuple(str(item) for item in value)
        if all(isinstance(item, int | float) for item in value):
            stored = tuple(float(item) for item in value)
    elif isinstance(value, int | float):
        stored = float(value)
    elif isinstance(value, str):
        stored = value
    else:
        raise UnknownRule(str(record["id"]))
    return Rule(
        id=str(record["id"]),
        value=stored,
        unit=str(record["unit"]),
        kind=RuleKind(str(record["kind"])),
        source=str(record["source"]),
        date=str(record["date"]),
    )
