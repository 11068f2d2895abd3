"""Reading fields of a parsed result file, with the line of whatever is wrong."""

from collections.abc import Mapping, Sequence
from typing import Any

from sizing.measurements.point import STATISTICS, MeasurementProblem

MS, NS = 1e-3, 1e-9
LARGEST = 1e15
"""No count, rate or time of a benchmark is larger; what is larger is an overflow or an attack."""


class Fields:
    """A JSON object and where it stands in its file, so that every refusal can name a line."""

    def __init__(self, values: Mapping[str, Any], text: str, start: int = 0) -> None:
        self.values, self.text, self.start = values, text, start

    @property
    def line(self) -> int:
        return self.text.count("\n", 0, self.start) + 1

    def line_of(self, key: str) -> int:
        """The line of the first `key` at or after the object's start; the object's own line where there is none."""
        at = self.text.find(f'"{key}"', self.start)
        return self.text.count("\n", 0, at) + 1 if at >= 0 else self.line

    def refuse(self, key: str, value: object = None) -> MeasurementProblem:
        code = "measurement_field_missing" if value is None else "measurement_field_wrong"
        return MeasurementProblem(code, field=key, line=self.line_of(key), value=str(value)[:60])

    def number(self, key: str, *, scale: float = 1.0) -> float:
        """A finite number of at least 0, times `scale`. Raises MeasurementProblem otherwise."""
        value = self.values.get(key)
        if value is None:
            raise self.refuse(key)
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(key, value)
        if not 0 <= value <= LARGEST:  # compares integers too that no float holds
            raise self.refuse(key, value)
        return float(value) * scale

    def maybe(self, key: str, *, scale: float = 1.0) -> float | None:
        """As `number`, but None where the field is absent or null."""
        return None if self.values.get(key) is None else self.number(key, scale=scale)

    def count(self, key: str) -> int | None:
        value = self.maybe(key)
        return None if value is None else round(value)

    def text_of(self, *keys: str) -> str:
        """The first of `keys` that holds a text, cut to 200 characters; "" where none does."""
        for key in keys:
            value = self.values.get(key)
            if isinstance(value, str) and value:
                return value[:200]
        return ""

    def part(self, key: str) -> "Fields":
        """The object under `key`; raises MeasurementProblem where it is none."""
        value = self.values.get(key)
        if not isinstance(value, Mapping):
            raise self.refuse(key, value)
        at = self.text.find(f'"{key}"', self.start)
        return Fields(value, self.text, at if at >= 0 else self.start)

    def maybe_part(self, key: str) -> "Fields | None":
        return self.part(key) if isinstance(self.values.get(key), Mapping) else None


def named_statistics(source: Fields, names: Mapping[str, str], *, scale: float) -> dict[str, float]:
    """Seconds by statistic from fields of one object; `names` gives the field of each statistic."""
    found = {statistic: source.maybe(name, scale=scale) for statistic, name in names.items()}
    return {statistic: value for statistic, value in found.items() if value is not None}


def pattern_names(pattern: str, words: Mapping[str, str]) -> dict[str, str]:
    """Field names such as `mean_ttft_ms` from a pattern such as `{}_ttft_ms`."""
    return {statistic: pattern.format(words.get(statistic, statistic)) for statistic in STATISTICS}


def mean_of(total: float | None, count: int | None, values: object) -> float | None:
    """Mean length of prompts or answers: total over count, else the mean of a list of lengths."""
    if total is not None and count:
        return total / count
    if isinstance(values, Sequence) and not isinstance(values, str):
        numbers = [v for v in values if isinstance(v, int | float) and not isinstance(v, bool)]
        lengths = [float(v) for v in numbers if 0 < v <= LARGEST]
        return sum(lengths) / len(lengths) if lengths else None
    return None
